//! All that is known about one scene or one character, in one place.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;

use super::approvals::{self, ApprovalRow};
use super::assets::{NoteRow, notes, scenes_in_order};
use super::media::{self, MediaRow};
use super::scenes::{characters, shoot_dates};
use super::script_changes::{SceneChangeRow, of_scene};
use super::shapes::Day;
use super::{View, by_due, id, outstanding};
use crate::messages::OfficeRefusal;
use crate::model::{
    Asset, AssetKind, AssetStatus, DayKind, Delivery, DeliveryId, DeliveryStatus, DraftId, EngagementId, NodeId, Scene,
    ScriptAccess, Shot, SubjectType,
};

#[derive(Serialize, JsonSchema)]
pub(super) struct SceneBundle<'a> {
    view: &'static str,
    scene: SceneHead<'a>,
    script: Option<Script<'a>>,
    changes: Vec<SceneChangeRow<'a>>,
    characters: Vec<CharacterRow<'a>>,
    assets: Vec<AssetRow<'a>>,
    schedule: Vec<DayRow<'a>>,
    deliveries: Vec<DeliveryRow<'a>>,
    notes: Vec<NoteRow<'a>>,
    media: Vec<MediaRow<'a>>,
    approvals: Vec<ApprovalRow<'a>>,
    outstanding: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct CharacterBundle<'a> {
    view: &'static str,
    character: CharacterHead<'a>,
    scenes: Vec<SceneRow<'a>>,
    assets: Vec<AssetRow<'a>>,
    deliveries: Vec<DeliveryRow<'a>>,
    notes: Vec<NoteRow<'a>>,
    media: Vec<MediaRow<'a>>,
    approvals: Vec<ApprovalRow<'a>>,
    outstanding: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
struct SceneHead<'a> {
    node_id: NodeId,
    number: &'a str,
    heading: Option<&'a str>,
    page_eighths: Option<u32>,
    omitted: bool,
    colour: Option<&'a str>,
    /// Of the assets below, so of those the reader sees.
    asset_count: usize,
}

#[derive(Serialize, JsonSchema)]
struct Script<'a> {
    draft_id: Option<DraftId>,
    text: Option<&'a str>,
}

#[derive(Serialize, JsonSchema)]
struct CharacterRow<'a> {
    node_id: NodeId,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    actor: Option<Option<&'a str>>,
}

#[derive(Serialize, JsonSchema)]
struct CharacterHead<'a> {
    node_id: NodeId,
    name: &'a str,
    cast_number: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actor: Option<Option<&'a str>>,
    description: Option<&'a str>,
}

#[derive(Serialize, JsonSchema)]
struct SceneRow<'a> {
    node_id: NodeId,
    number: &'a str,
    heading: Option<&'a str>,
    page_eighths: Option<u32>,
    omitted: bool,
    #[schemars(with = "Vec<Day>")]
    shoot_dates: Vec<Date>,
}

#[derive(Serialize, JsonSchema)]
struct AssetRow<'a> {
    node_id: NodeId,
    code: &'a str,
    kind: AssetKind,
    status: AssetStatus,
    #[schemars(with = "Option<u32>")]
    engagement_id: Option<EngagementId>,
}

#[derive(Serialize, JsonSchema)]
struct DayRow<'a> {
    #[schemars(with = "Day")]
    date: Date,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    day_number: Option<Option<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    location: Option<Option<&'a str>>,
}

#[derive(Serialize, JsonSchema)]
struct DeliveryRow<'a> {
    id: DeliveryId,
    title: &'a str,
    status: DeliveryStatus,
    #[schemars(with = "Option<Day>")]
    due_on: Option<Date>,
    shots: Vec<&'a str>,
}

/// `GET /bundles/scene/{node_id}`.
pub(super) fn scene<'a>(view: &View<'a>, node_id: i64) -> Result<SceneBundle<'a>, OfficeRefusal> {
    let office = view.office;
    let scene = id(node_id).and_then(|node: NodeId| office.scenes.get(&node));
    let scene = scene.and_then(|scene| view.sight.scene(scene)).ok_or_else(|| OfficeRefusal::not_found("Scene"))?;
    let assets: Vec<_> = by_code(office.assets_in(scene.node_id).filter_map(|asset| view.sight.asset(asset)));
    let deliveries = deliveries_in(view, &[scene]);
    let character = |character: &'a crate::model::Character| CharacterRow {
        node_id: character.node_id,
        name: &character.name,
        actor: view.sight.actor(character).map(|actor| actor),
    };
    Ok(SceneBundle {
        view: view.sight.view(),
        scene: SceneHead {
            node_id: scene.node_id,
            number: &scene.number,
            heading: view.sight.heading(scene),
            page_eighths: scene.page_eighths,
            omitted: scene.omitted,
            colour: scene.colour.as_deref(),
            asset_count: assets.len(),
        },
        script: script(view, scene),
        changes: of_scene(office, scene),
        characters: characters(view, scene).filter_map(|it| view.sight.character(it)).map(character).collect(),
        schedule: days(view, scene.node_id),
        notes: notes(view, scene.node_id),
        media: media::of_subject(view, SubjectType::Scene, scene.node_id.0),
        approvals: approvals_about(view, &assets, &deliveries),
        outstanding: outstanding::of(view, &[scene], &assets, &deliveries),
        deliveries: deliveries.iter().map(DeliveryRow::of).collect(),
        assets: assets.iter().map(|asset| AssetRow::of(view, asset)).collect(),
    })
}

/// `GET /bundles/character/{node_id}`.
pub(super) fn character<'a>(view: &View<'a>, node_id: i64) -> Result<CharacterBundle<'a>, OfficeRefusal> {
    let office = view.office;
    let character = id(node_id).and_then(|node: NodeId| office.characters.get(&node));
    let character = character.and_then(|character| view.sight.character(character));
    let character = character.ok_or_else(|| OfficeRefusal::not_found("Character"))?;
    let node = character.node_id;
    let scenes = scenes_in_order(office, office.by.scenes_of_character.of(&node));
    let scenes: Vec<_> = scenes.into_iter().filter_map(|scene| view.sight.scene(scene)).collect();
    let assets = office.by.assets_of_character.of(&node).filter_map(|node| office.assets.get(&node));
    let assets: Vec<_> = by_code(assets.filter_map(|asset| view.sight.asset(asset)));
    let deliveries = deliveries_in(view, &scenes);
    let row = |scene: &&'a Scene| SceneRow {
        node_id: scene.node_id,
        number: &scene.number,
        heading: view.sight.heading(scene),
        page_eighths: scene.page_eighths,
        omitted: scene.omitted,
        shoot_dates: shoot_dates(view, scene.node_id),
    };
    Ok(CharacterBundle {
        view: view.sight.view(),
        character: CharacterHead {
            node_id: node,
            name: &character.name,
            cast_number: character.cast_number,
            actor: view.sight.actor(character).map(|actor| actor),
            description: character.description.as_deref(),
        },
        scenes: scenes.iter().map(row).collect(),
        notes: notes(view, node),
        media: media::of_subject(view, SubjectType::Character, node.0),
        approvals: approvals_about(view, &assets, &deliveries),
        outstanding: outstanding::of(view, &scenes, &assets, &deliveries),
        deliveries: deliveries.iter().map(DeliveryRow::of).collect(),
        assets: assets.iter().map(|asset| AssetRow::of(view, asset)).collect(),
    })
}

/// A delivery that is seen, with those of its shots that stand in the scenes asked about.
pub(super) struct DeliveryHere<'a> {
    pub(super) delivery: &'a Delivery,
    shots: Vec<&'a Shot>,
}

fn deliveries_in<'a>(view: &View<'a>, scenes: &[&'a Scene]) -> Vec<DeliveryHere<'a>> {
    let office = view.office;
    let mut here: Vec<DeliveryHere<'a>> = Vec::new();
    let mut shots: Vec<_> = scenes.iter().flat_map(|scene| office.by.shots_of_scene.of(&scene.node_id)).collect();
    shots.sort_unstable();
    for key in shots {
        let Some(shot) = office.shots.get(&key) else { continue };
        match here.last_mut() {
            Some(last) if last.delivery.id == key.0 => last.shots.push(shot),
            _ => {
                let delivery = office.deliveries.get(&key.0).and_then(|delivery| view.sight.delivery(delivery));
                here.extend(delivery.map(|delivery| DeliveryHere { delivery, shots: vec![shot] }));
            }
        }
    }
    here.sort_by_key(|here| (by_due(here.delivery.due_on), here.delivery.id));
    here
}

/// Approvals of the assets and of what was submitted to the deliveries, as far as they are seen, newest first.
fn approvals_about<'a>(view: &View<'a>, assets: &[&Asset], deliveries: &[DeliveryHere<'_>]) -> Vec<ApprovalRow<'a>> {
    let assets = assets.iter().map(|asset| (SubjectType::Asset, asset.node_id.0));
    let submissions = deliveries.iter().flat_map(|here| view.office.submissions_of(here.delivery.id));
    let submissions = submissions.map(|submission| (SubjectType::Submission, submission.id.0));
    let mut rows: Vec<_> =
        assets.chain(submissions).flat_map(|(subject, id)| approvals::of_subject(view, subject, id)).collect();
    rows.sort_by_key(|row| std::cmp::Reverse(row.id()));
    rows
}

fn script<'a>(view: &View<'a>, scene: &'a Scene) -> Option<Script<'a>> {
    let text = || view.office.text_of(scene.node_id).map(|text| text.text.as_str());
    match view.sight.script_access() {
        ScriptAccess::None => None,
        ScriptAccess::Heading => Some(Script { draft_id: scene.draft_id, text: None }),
        ScriptAccess::Text => Some(Script { draft_id: scene.draft_id, text: text() }),
    }
}

/// The days on which a scene is shot, by date.
fn days<'a>(view: &View<'a>, scene: NodeId) -> Vec<DayRow<'a>> {
    let days = view.office.by.days_of_scene.of(&scene).filter_map(|id| view.office.days.get(&id));
    let mut days: Vec<_> = days.filter(|day| day.kind == DayKind::Shoot).collect();
    days.sort_by_key(|day| (day.date, day.id));
    let mut rows = Vec::new();
    for day in days {
        let shown = view.sight.day(day);
        let row = DayRow {
            date: day.date,
            unit: shown.map(|day| day.unit.as_str()),
            day_number: shown.map(|day| day.day_number),
            location: shown.map(|day| day.location.as_deref()),
        };
        // To whom units are hidden, two units on one date are one date.
        let is_repeated = row.unit.is_none() && rows.last().is_some_and(|last: &DayRow<'_>| last.date == row.date);
        if !is_repeated {
            rows.push(row);
        }
    }
    rows
}

fn by_code<'a>(assets: impl Iterator<Item = &'a Asset>) -> Vec<&'a Asset> {
    let mut assets: Vec<_> = assets.collect();
    assets.sort_by(|a, b| a.code.cmp(&b.code));
    assets
}

impl<'a> AssetRow<'a> {
    fn of(view: &View<'a>, asset: &'a Asset) -> Self {
        Self {
            node_id: asset.node_id,
            code: &asset.code,
            kind: asset.kind,
            status: asset.status,
            engagement_id: view.sight.asset_engagement(asset),
        }
    }
}

impl<'a> DeliveryRow<'a> {
    fn of(here: &DeliveryHere<'a>) -> Self {
        Self {
            id: here.delivery.id,
            title: &here.delivery.title,
            status: here.delivery.status,
            due_on: here.delivery.due_on,
            shots: here.shots.iter().map(|shot| shot.code.as_str()).collect(),
        }
    }
}

//! The breakdown: assets, and what is known about one of them.

use std::borrow::Cow;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use super::approvals::ApprovalRow;
use super::media::MediaRow;
use super::shapes::Moment;
use super::{View, id};
use crate::messages::OfficeRefusal;
use crate::model::{
    Asset, AssetKind, AssetStatus, Character, EngagementId, NodeId, Note, NoteId, Scene, SubjectType, Visibility,
};
use crate::office::Office;

/// Most notes in one answer.
const MOST_NOTES: usize = 50;

#[derive(Serialize, JsonSchema)]
pub(super) struct AssetRow<'a> {
    node_id: NodeId,
    code: Cow<'a, str>,
    name: &'a str,
    kind: AssetKind,
    department: Option<&'a str>,
    /// `None` for a character of the script, which has none.
    status: Option<AssetStatus>,
    #[schemars(with = "Option<u32>")]
    engagement_id: Option<EngagementId>,
    scenes: Vec<&'a str>,
    #[schemars(with = "Option<Moment>")]
    updated_at: Option<Timestamp>,
}

/// `GET /assets/{node_id}`.
#[derive(Serialize, JsonSchema)]
pub(crate) struct AssetDetail<'a> {
    #[serde(flatten)]
    row: AssetRow<'a>,
    description: Option<&'a str>,
    scene_nodes: Vec<SceneRef<'a>>,
    notes: Vec<NoteRow<'a>>,
    media: Vec<MediaRow<'a>>,
    approvals: Vec<ApprovalRow<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct SceneRef<'a> {
    node_id: NodeId,
    number: &'a str,
    heading: &'a str,
}

/// A note as answers show it.
#[derive(Serialize, JsonSchema)]
pub(crate) struct NoteRow<'a> {
    id: NoteId,
    author: &'a str,
    body: &'a str,
    visibility: Visibility,
    #[schemars(with = "Moment")]
    created_at: Timestamp,
}

/// `GET /assets`: by department, then code. Characters of the script list under their kind.
pub(super) fn list<'a>(
    view: &View<'a>,
    department: Option<&str>,
    kind: Option<AssetKind>,
    status: Option<AssetStatus>,
) -> Vec<AssetRow<'a>> {
    let office = view.office;
    let nodes: Box<dyn Iterator<Item = NodeId>> = match department {
        Some(slug) => Box::new(office.assets_of_department(slug)),
        None => Box::new(office.by.assets_listed.iter().map(|(.., node)| *node)),
    };
    let assets = nodes.filter_map(|node| office.assets.get(&node));
    let wanted = |asset: &&Asset| {
        kind.is_none_or(|kind| asset.kind == kind) && status.is_none_or(|status| asset.status == status)
    };
    let mut rows: Vec<_> = assets.filter(wanted).map(|asset| row(view, asset)).collect();
    if kind == Some(AssetKind::Character) && department.is_none() && status.is_none() {
        let mut characters: Vec<_> = office.characters.iter().map(|it| character_row(view, it)).collect();
        characters.sort_by(|a, b| a.code.cmp(&b.code));
        rows.extend(characters);
    }
    rows
}

/// `GET /assets/{node_id}`.
pub(super) fn get<'a>(view: &View<'a>, node_id: i64) -> Result<AssetDetail<'a>, OfficeRefusal> {
    let not_found = || OfficeRefusal::not_found("Asset");
    let node: NodeId = id(node_id).ok_or_else(not_found)?;
    if let Some(asset) = view.office.assets.get(&node) {
        return Ok(AssetDetail::of(view, asset));
    }
    let character = view.office.characters.get(&node).ok_or_else(not_found)?;
    let scenes = scenes_in_order(view.office, view.office.by.scenes_of_character.of(&node));
    Ok(AssetDetail {
        row: character_row(view, character),
        description: character.description.as_deref(),
        scene_nodes: scenes.iter().map(|scene| SceneRef::of(scene)).collect(),
        notes: notes(view, node),
        media: super::media::of_subject(view, SubjectType::Character, node.0),
        approvals: Vec::new(),
    })
}

impl<'a> AssetDetail<'a> {
    /// Also for an asset that is about to be written.
    pub(crate) fn of(view: &View<'a>, asset: &'a Asset) -> Self {
        let scenes = scenes_in_order(view.office, asset.scenes.iter().copied());
        Self {
            row: row(view, asset),
            description: asset.description.as_deref(),
            scene_nodes: scenes.iter().map(|scene| SceneRef::of(scene)).collect(),
            notes: notes(view, asset.node_id),
            media: super::media::of_subject(view, SubjectType::Asset, asset.node_id.0),
            approvals: super::approvals::of_subject(view, SubjectType::Asset, asset.node_id.0),
        }
    }
}

impl<'a> SceneRef<'a> {
    fn of(scene: &'a Scene) -> Self {
        Self { node_id: scene.node_id, number: &scene.number, heading: &scene.heading }
    }
}

fn row<'a>(view: &View<'a>, asset: &'a Asset) -> AssetRow<'a> {
    let scenes = scenes_in_order(view.office, asset.scenes.iter().copied());
    AssetRow {
        node_id: asset.node_id,
        code: Cow::Borrowed(&asset.code),
        name: &asset.name,
        kind: asset.kind,
        department: asset.department.as_deref(),
        status: Some(asset.status),
        engagement_id: view.sight.asset_engagement(asset),
        scenes: scenes.iter().map(|scene| scene.number.as_str()).collect(),
        updated_at: Some(asset.updated_at),
    }
}

fn character_row<'a>(view: &View<'a>, character: &'a Character) -> AssetRow<'a> {
    let scenes = scenes_in_order(view.office, view.office.by.scenes_of_character.of(&character.node_id));
    AssetRow {
        node_id: character.node_id,
        code: slug(&character.name).into(),
        name: &character.name,
        kind: AssetKind::Character,
        department: None,
        status: None,
        engagement_id: None,
        scenes: scenes.iter().map(|scene| scene.number.as_str()).collect(),
        updated_at: None,
    }
}

/// The scenes with these ids, in script order.
pub(super) fn scenes_in_order(office: &Office, nodes: impl Iterator<Item = NodeId>) -> Vec<&Scene> {
    let mut scenes: Vec<_> = nodes.filter_map(|node| office.scenes.get(&node)).collect();
    scenes.sort_by_key(|scene| office.script_place(scene));
    scenes
}

/// The notes on a node that the reader sees, newest first.
pub(super) fn notes<'a>(view: &View<'a>, node: NodeId) -> Vec<NoteRow<'a>> {
    let notes = view.office.by.notes_of_node.of(&node).rev().filter_map(|id| view.office.notes.get(&id));
    notes
        .filter_map(|note| view.sight.note(note))
        .take(MOST_NOTES)
        .map(|note| note_row(note, view.sight.author(note)))
        .collect()
}

/// A note as answers show it, under the name of `author`.
pub(crate) fn note_row<'a>(note: &'a Note, author: &'a str) -> NoteRow<'a> {
    let (id, visibility, created_at) = (note.id, note.visibility, note.created_at);
    NoteRow { id, author, body: &note.body, visibility, created_at }
}

/// A short name made from a long one: lower case letters and digits with hyphens between.
pub(crate) fn slug(name: &str) -> String {
    let mut slug = String::new();
    for character in name.chars().flat_map(char::to_lowercase) {
        if character.is_alphanumeric() {
            slug.push(character);
        } else if !matches!(character, '\'' | '’') && !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::slug;

    #[test]
    fn a_slug_has_no_spaces_marks_or_capitals() {
        for (name, expected) in
            [("Tom's Land Rover", "toms-land-rover"), ("  The creature! ", "the-creature"), ("Ähre", "ähre")]
        {
            assert_eq!(slug(name), expected);
        }
    }
}

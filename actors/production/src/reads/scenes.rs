//! The script, scene by scene.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;

use super::View;
use super::shapes::Day;
use crate::model::{Character, DayKind, EpisodeId, IntExt, NodeId, Scene};

#[derive(Serialize, JsonSchema)]
pub(super) struct SceneRow<'a> {
    node_id: NodeId,
    episode_id: Option<EpisodeId>,
    number: &'a str,
    heading: &'a str,
    int_ext: Option<IntExt>,
    set_name: Option<&'a str>,
    time_of_day: Option<&'a str>,
    page_eighths: Option<u32>,
    eighths_estimated: bool,
    synopsis: Option<&'a str>,
    omitted: bool,
    colour: Option<&'a str>,
    characters: Vec<CharacterRef<'a>>,
    asset_count: usize,
    #[schemars(with = "Vec<Day>")]
    shoot_dates: Vec<Date>,
}

#[derive(Serialize, JsonSchema)]
struct CharacterRef<'a> {
    node_id: NodeId,
    name: &'a str,
}

/// `GET /scenes`: in script order, omitted ones too, so that numbers have no holes.
pub(super) fn list<'a>(view: &View<'a>) -> Vec<SceneRow<'a>> {
    view.office.script().map(|scene| row(view, scene)).collect()
}

fn row<'a>(view: &View<'a>, scene: &'a Scene) -> SceneRow<'a> {
    let reference = |character: &'a Character| CharacterRef { node_id: character.node_id, name: &character.name };
    SceneRow {
        node_id: scene.node_id,
        episode_id: scene.episode_id,
        number: &scene.number,
        heading: &scene.heading,
        int_ext: scene.int_ext,
        set_name: scene.set_name.as_deref(),
        time_of_day: scene.time_of_day.as_deref(),
        page_eighths: scene.page_eighths,
        eighths_estimated: scene.eighths_estimated,
        synopsis: scene.synopsis.as_deref(),
        omitted: scene.omitted,
        colour: scene.colour.as_deref(),
        characters: characters(view, scene).map(reference).collect(),
        asset_count: view.office.assets_in(scene.node_id).count(),
        shoot_dates: shoot_dates(view, scene.node_id),
    }
}

/// Who appears in a scene, in the order of their first word.
pub(super) fn characters<'a>(view: &View<'a>, scene: &'a Scene) -> impl Iterator<Item = &'a Character> {
    let office = view.office;
    scene.characters.iter().filter_map(|node| office.characters.get(node))
}

/// The dates on which a scene is shot, each once, earliest first.
pub(super) fn shoot_dates(view: &View<'_>, scene: NodeId) -> Vec<Date> {
    let days = view.office.by.days_of_scene.of(&scene).filter_map(|id| view.office.days.get(&id));
    let mut dates: Vec<_> = days.filter(|day| day.kind == DayKind::Shoot).map(|day| day.date).collect();
    dates.sort_unstable();
    dates.dedup();
    dates
}

//! What a draft did to the one before it.

use schemars::JsonSchema;
use serde::Serialize;

use super::{View, id};
use crate::messages::OfficeRefusal;
use crate::model::{Draft, DraftId, EpisodeId, NodeId, SceneChange, SceneVersion};
use crate::office::Office;

#[derive(Serialize, JsonSchema)]
pub(super) struct EpisodeChanges<'a> {
    episode_id: Option<EpisodeId>,
    from: Option<DraftRef<'a>>,
    to: DraftRef<'a>,
    changes: Vec<ChangeRow<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct DraftRef<'a> {
    draft_id: DraftId,
    colour: &'a str,
}

#[derive(Serialize, JsonSchema)]
struct ChangeRow<'a> {
    node_id: NodeId,
    number: &'a str,
    change: SceneChange,
    eighths_before: Option<u32>,
    eighths_after: Option<u32>,
    characters_added: Vec<&'a str>,
    characters_removed: Vec<&'a str>,
    scheduled: bool,
}

/// `GET /script-changes`: one draft against the one before it; unless one is named, the newest of each episode that has two.
pub(super) fn list<'a>(
    view: &View<'a>,
    episode_id: Option<i64>,
    draft_id: Option<i64>,
) -> Result<Vec<EpisodeChanges<'a>>, OfficeRefusal> {
    let office = view.office;
    let episode = match episode_id {
        None => None,
        Some(number) => {
            let known = id::<EpisodeId>(number).filter(|id| office.episodes.get(id).is_some());
            Some(known.ok_or_else(|| OfficeRefusal::not_found("Episode"))?)
        }
    };
    if let Some(number) = draft_id {
        let draft = id(number).and_then(|id: DraftId| office.drafts.get(&id));
        let draft = draft.filter(|draft| episode.is_none() || draft.episode_id == episode);
        let draft = draft.ok_or_else(|| OfficeRefusal::not_found("Draft"))?;
        return Ok(vec![changes_of(view, draft)]);
    }
    let mut episodes: Vec<_> = office.episodes.iter().map(|it| (it.number, Some(it.id))).collect();
    episodes.sort_unstable();
    let whole_film = (0, None);
    let wanted = std::iter::once(whole_film).chain(episodes).filter(|(_, id)| episode.is_none() || *id == episode);
    let newest = wanted.filter_map(|(_, id)| office.drafts_of(id).next_back());
    Ok(newest.filter(|draft| before(office, draft).is_some()).map(|draft| changes_of(view, draft)).collect())
}

/// What each draft made of one scene since it is there, oldest first; a draft that left it alone says `unchanged`.
pub(super) fn of_scene<'a>(office: &'a Office, scene: &'a crate::model::Scene) -> Vec<SceneChangeRow<'a>> {
    let drafts = office.drafts_of(scene.episode_id).filter(|draft| before(office, draft).is_some());
    drafts
        .filter_map(|draft| {
            let version = office.version_at(scene.node_id, draft.id)?;
            let change = (version.draft_id == draft.id).then_some(version.change);
            Some(SceneChangeRow { draft_id: draft.id, colour: &draft.colour, change: change.into() })
        })
        .collect()
}

/// What one draft did to a scene, as its bundle shows it.
#[derive(Serialize, JsonSchema)]
pub(super) struct SceneChangeRow<'a> {
    draft_id: DraftId,
    colour: &'a str,
    change: ChangeWord,
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum ChangeWord {
    Changed(SceneChange),
    Unchanged(&'static str),
}

impl From<Option<SceneChange>> for ChangeWord {
    fn from(change: Option<SceneChange>) -> Self {
        change.map_or(ChangeWord::Unchanged("unchanged"), ChangeWord::Changed)
    }
}

fn before<'a>(office: &'a Office, draft: &Draft) -> Option<&'a Draft> {
    office.drafts_of(draft.episode_id).take_while(|other| other.id < draft.id).last()
}

fn changes_of<'a>(view: &View<'a>, draft: &'a Draft) -> EpisodeChanges<'a> {
    let office = view.office;
    let from = before(office, draft);
    let reference = |draft: &'a Draft| DraftRef { draft_id: draft.id, colour: &draft.colour };
    let scenes = super::assets::scenes_in_order(office, office.by.scenes_of_draft.of(&draft.id));
    let row = |scene: &'a crate::model::Scene| {
        let after = office.versions.get(&(scene.node_id, draft.id))?;
        let before = from.and_then(|from| office.version_at(scene.node_id, from.id));
        let was_there = before.filter(|version| version.change != SceneChange::Omitted);
        let is_there = Some(after).filter(|version| version.change != SceneChange::Omitted);
        Some(ChangeRow {
            node_id: scene.node_id,
            number: &after.number,
            change: after.change,
            eighths_before: was_there.and_then(|version| version.page_eighths),
            eighths_after: is_there.and_then(|version| version.page_eighths),
            characters_added: only_in(office, is_there, was_there),
            characters_removed: only_in(office, was_there, is_there),
            scheduled: !super::scenes::shoot_dates(view, scene.node_id).is_empty(),
        })
    };
    EpisodeChanges {
        episode_id: draft.episode_id,
        from: from.map(reference),
        to: reference(draft),
        changes: scenes.into_iter().filter_map(row).collect(),
    }
}

/// Names of the characters of one version that the other does not have.
fn only_in<'a>(office: &'a Office, one: Option<&SceneVersion>, other: Option<&SceneVersion>) -> Vec<&'a str> {
    let others = other.map_or(&[][..], |version| &version.characters);
    let only = one.map_or(&[][..], |version| &version.characters).iter().filter(|node| !others.contains(node));
    only.filter_map(|node| office.characters.get(node)).map(|character| character.name.as_str()).collect()
}

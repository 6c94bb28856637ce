//! The names by which people assign things to an engagement: `scene:4A`, `scene:101/4A`, `character:MARA`, `asset:creature`, `episode:101`.

use crate::messages::OfficeRefusal;
use crate::model::{Assigned, EpisodeId, NodeId};
use crate::office::{Numbered, Office, SceneNumbers};

/// What the names mean, sorted, each once.
pub(super) fn assigned(office: &Office, names: &[String]) -> Result<Vec<Assigned>, OfficeRefusal> {
    let scenes = SceneNumbers::of(office);
    let mut assigned = names.iter().map(|name| meaning(office, &scenes, name)).collect::<Result<Vec<_>, _>>()?;
    assigned.sort_unstable();
    assigned.dedup();
    Ok(assigned)
}

fn meaning(office: &Office, scenes: &SceneNumbers<'_>, name: &str) -> Result<Assigned, OfficeRefusal> {
    let (what, which) = name.split_once(':').unwrap_or(("", name));
    let found = match what {
        "episode" => episode(office, which).map(Assigned::Episode),
        "scene" => match which.split_once('/') {
            Some((number, which)) => {
                episode(office, number).and_then(|id| the_only(scenes, which, Some(id))).map(Assigned::Node)
            }
            None => the_only(scenes, which, None).map(Assigned::Node),
        },
        "character" => office.character_named(which).map(|character| Assigned::Node(character.node_id)),
        "asset" => office.asset_coded(which).map(|asset| Assigned::Node(asset.node_id)),
        _ => {
            let known = "scene:4A, scene:101/4A, character:MARA, asset:code or episode:101";
            return Err(OfficeRefusal::invalid(format!("'{name}' assigns nothing; write {known}.")));
        }
    };
    found
        .ok_or_else(|| OfficeRefusal::invalid(format!("'{name}' names nothing of this production, or several things.")))
}

fn episode(office: &Office, number: &str) -> Option<EpisodeId> {
    number.parse().ok().and_then(|number| office.episode_numbered(number)).map(|episode| episode.id)
}

/// The scene with this number, if there is one only.
fn the_only(scenes: &SceneNumbers<'_>, number: &str, episode: Option<EpisodeId>) -> Option<NodeId> {
    match scenes.find(number, episode) {
        Numbered::One(scene) => Some(scene.node_id),
        Numbered::Nothing | Numbered::Several => None,
    }
}

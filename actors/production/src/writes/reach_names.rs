//! The names by which people assign things to an engagement: `scene:4A`, `scene:101/4A`, `character:MARA`, `asset:creature`, `episode:101`.

use crate::messages::OfficeRefusal;
use crate::model::{Assigned, EpisodeId, Scene};
use crate::office::Office;

/// What the names mean, sorted, each once.
pub(super) fn assigned(office: &Office, names: &[String]) -> Result<Vec<Assigned>, OfficeRefusal> {
    let mut assigned = names.iter().map(|name| meaning(office, name)).collect::<Result<Vec<_>, _>>()?;
    assigned.sort_unstable();
    assigned.dedup();
    Ok(assigned)
}

fn meaning(office: &Office, name: &str) -> Result<Assigned, OfficeRefusal> {
    let (what, which) = name.split_once(':').unwrap_or(("", name));
    let found = match what {
        "episode" => episode(office, which).map(Assigned::Episode),
        "scene" => match which.split_once('/') {
            Some((number, which)) => {
                episode(office, number).and_then(|id| the_only(office, which, Some(id))).map(Assigned::Node)
            }
            None => the_only(office, which, None).map(Assigned::Node),
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
fn the_only(office: &Office, number: &str, episode: Option<EpisodeId>) -> Option<crate::model::NodeId> {
    let is_meant = |scene: &&Scene| scene.number == number && (episode.is_none() || scene.episode_id == episode);
    let mut found = office.script().filter(is_meant);
    let scene = found.next()?;
    found.next().is_none().then_some(scene.node_id)
}

//! Releases that are not to be taken again.

use serde_json::{Value, json};

use super::{
    ask::{Ask, done, ids_of, no_such_model},
    kind::ArrKind,
    paging,
    resources::{self, language},
    wire::{date, resource},
    world::{Blocked, World},
};
use crate::loopback::Reply;

pub(crate) fn page(world: &mut World, ask: &Ask<'_>) -> Reply {
    let parents = ask.numbers(world.kind.facts().parent.ids);
    let blocked = world.blocklist.iter().filter(|blocked| parents.is_empty() || parents.contains(&blocked.parent));
    let records: Vec<Value> = blocked.map(|blocked| blocked_resource(world, blocked)).collect();
    Reply::ok(paging::page(ask, &["date", "id", "sourceTitle"], records, false))
}

pub(crate) fn remove(world: &mut World, ask: &Ask<'_>) -> Reply {
    let id = ask.id.unwrap_or(0);
    let n_before = world.blocklist.len();
    world.blocklist.retain(|blocked| blocked.id != id);
    if world.blocklist.len() == n_before { no_such_model("Blocklist", id) } else { done() }
}

pub(crate) fn remove_several(world: &mut World, ask: &Ask<'_>) -> Reply {
    let ids = ids_of(&ask.body, "ids");
    world.blocklist.retain(|blocked| !ids.contains(&blocked.id));
    done()
}

fn blocked_resource(world: &World, blocked: &Blocked) -> Value {
    let mut record = json!({
        "id": blocked.id, "sourceTitle": blocked.title, "quality": resources::quality(world.kind, blocked.quality),
        "customFormats": [], "date": date(blocked.date),
        "protocol": if blocked.is_torrent { "torrent" } else { "usenet" },
        "indexer": blocked.indexer, "message": blocked.message,
    });
    record[world.kind.facts().parent.id] = json!(blocked.parent);
    match world.kind {
        ArrKind::Radarr => record["languages"] = language(true),
        ArrKind::Sonarr => {
            record["languages"] = language(true);
            record["episodeIds"] = json!(blocked.items);
        }
        ArrKind::Lidarr => record["albumIds"] = json!(blocked.items),
        ArrKind::Chaptarr => record["bookIds"] = json!(blocked.items),
    }
    let mut record = resource(record);
    if let Some(parent) = world.library.find_parent(blocked.parent) {
        record[world.kind.facts().parent.one] = resources::parent(world, parent);
    }
    record
}

//! What is to come, and what is wanted.

use std::time::Duration;

use jiff::{Timestamp, civil::DateTime, tz::TimeZone};
use serde_json::Value;

use super::{
    ask::{Ask, listed},
    kind::ArrKind,
    library::Item,
    paging, resources,
    world::World,
};
use crate::loopback::Reply;

const A_DAY: Duration = Duration::from_secs(86_400);

/// Without start and end it covers today and two days on.
pub(crate) fn list(world: &mut World, ask: &Ask<'_>) -> Reply {
    let instant = |name: &str| ask.text(name).and_then(instant);
    let start = instant("start").unwrap_or(world.now);
    let end = instant("end").unwrap_or(world.now + 2 * A_DAY);
    let (kind, wants_all) = (world.kind, ask.is("unmonitored"));
    let includes = ask.is(kind.facts().parent.include);
    let is_within = |date: Option<Timestamp>| date.is_some_and(|date| date >= start && date <= end);
    let coming = world.library.items.iter().filter(|item| {
        let is_monitored =
            item.monitored && world.library.find_parent(item.parent).is_some_and(|parent| parent.monitored);
        (wants_all || is_monitored) && (is_within(item.date) || is_within(item.digital))
    });
    let mut coming: Vec<&Item> = coming.collect();
    coming.sort_by_key(|item| item.date);
    listed(coming.into_iter().map(|item| entry(world, item, includes)))
}

/// With its zone, or else as the server's own time, which is that of Greenwich here. A day begins at midnight.
fn instant(text: &str) -> Option<Timestamp> {
    let local = || text.parse::<DateTime>().ok().and_then(|local| TimeZone::UTC.to_timestamp(local).ok());
    text.parse().ok().or_else(local)
}

fn entry(world: &World, item: &Item, includes: bool) -> Value {
    let mut entry = resources::item(world, item);
    let parent = world.library.find_parent(item.parent);
    let name = world.kind.facts().parent.one;
    match (world.kind, parent) {
        // A movie belongs to nothing.
        (ArrKind::Radarr, _) => {}
        (_, Some(parent)) if includes => entry[name] = resources::parent(world, parent),
        _ => {
            if let Some(fields) = entry.as_object_mut() {
                fields.remove(name);
            }
        }
    }
    entry
}

/// `monitored=false` are the unmonitored ones only.
pub(crate) fn missing(world: &mut World, ask: &Ask<'_>) -> Reply {
    let monitored = ask.flag("monitored").unwrap_or(true);
    let includes = ask.is(world.kind.facts().parent.include);
    let missing = world.library.items.iter().filter(|item| {
        item.monitored == monitored
            && !world.library.has_file(item.id)
            && item.date.is_some_and(|date| date <= world.now)
    });
    let records = missing.map(|item| entry(world, item, includes)).collect();
    Reply::ok(paging::page(ask, &["title", "id"], records, false))
}

//! The history as it is read.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{
    ask::{Ask, invalid, listed, unbindable},
    kind::ArrKind,
    paging,
    queue::Included,
    resources::{self, language},
    wire::{date, resource},
    world::{Event, World},
};
use crate::loopback::Reply;

pub(crate) fn page(world: &mut World, ask: &Ask<'_>) -> Reply {
    let facts = world.kind.facts();
    let (parents, item, download) = (ask.numbers(facts.parent.ids), ask.number(facts.item.id), ask.text("downloadId"));
    let kinds = ask.numbers("eventType");
    let include = Included::asked(world.kind, ask);
    let events = world.history.iter().filter(|event| {
        (kinds.is_empty() || kinds.iter().any(|number| has_number(world.kind, event, i64::from(*number))))
            && (parents.is_empty() || parents.contains(&event.parent))
            && item.is_none_or(|item| event.item == item)
            && download.is_none_or(|id| event.download_id.as_deref() == Some(id))
    });
    let records = events.map(|event| event_resource(world, event, include)).collect();
    Reply::ok(paging::page(ask, &["date", "id", "sourceTitle", "eventType"], records, false))
}

/// Not paged: all of one parent, newest first.
pub(crate) fn of_parent(world: &mut World, ask: &Ask<'_>) -> Reply {
    let facts = world.kind.facts();
    let Some(parent) = ask.number(facts.parent.id) else {
        return invalid(facts.parent.id, "must be given", "NotEmptyValidator");
    };
    let (item, season) = (ask.number(facts.item.id), ask.number("seasonNumber"));
    let include = Included::asked(world.kind, ask);
    let wanted = match one_kind(world.kind, ask) {
        Ok(wanted) => wanted,
        Err(reply) => return reply,
    };
    let of = |event: &&Event| {
        let fits_season =
            season.is_none_or(|season| world.library.find_item(event.item).is_some_and(|item| item.season == season));
        let is_item = world.kind == ArrKind::Radarr || item.is_none_or(|item| event.item == item);
        event.parent == parent && is_item && fits_season && wanted.is_none_or(|wanted| event.name == wanted)
    };
    let mut events: Vec<&Event> = world.history.iter().filter(of).collect();
    events.sort_by_key(|event| std::cmp::Reverse((event.date, event.id)));
    listed(events.into_iter().map(|event| event_resource(world, event, include)))
}

pub(crate) fn since(world: &mut World, ask: &Ask<'_>) -> Reply {
    let from = ask.text("date").and_then(|text| text.parse::<Timestamp>().ok()).unwrap_or(Timestamp::MIN);
    // Lidarr passes over `includeTrack` here.
    let include = Included::asked(world.kind, ask);
    let wanted = match one_kind(world.kind, ask) {
        Ok(wanted) => wanted,
        Err(reply) => return reply,
    };
    let events =
        world.history.iter().filter(|event| event.date >= from && wanted.is_none_or(|wanted| event.name == wanted));
    listed(events.map(|event| event_resource(world, event, include)))
}

/// One sort of event, by number or by name: what the paged call does not take.
fn one_kind(kind: ArrKind, ask: &Ask<'_>) -> Result<Option<&'static str>, Reply> {
    let Some(asked) = ask.text("eventType") else { return Ok(None) };
    let events = kind.facts().events;
    let known = events.iter().find(|(number, name)| number.to_string() == asked || name.eq_ignore_ascii_case(asked));
    match known {
        Some((_, name)) => Ok(Some(name)),
        None => Err(unbindable("eventType", &format!("The value '{asked}' is not valid."))),
    }
}

fn has_number(kind: ArrKind, event: &Event, number: i64) -> bool {
    kind.facts().events.iter().any(|(known, name)| *known == number && *name == event.name)
}

fn event_resource(world: &World, event: &Event, include: Included) -> Value {
    let facts = world.kind.facts();
    let mut record = json!({
        "id": event.id, "sourceTitle": event.title, "quality": resources::quality(world.kind, event.quality),
        "customFormats": [], "customFormatScore": 0, "qualityCutoffNotMet": false, "date": date(event.date),
        "downloadId": event.download_id, "eventType": event.name, "data": event.data,
    });
    record[facts.parent.id] = json!(event.parent);
    record[facts.item.id] = json!(event.item);
    match world.kind {
        ArrKind::Radarr | ArrKind::Sonarr => record["languages"] = language(true),
        ArrKind::Lidarr => record["trackId"] = json!(event.track.unwrap_or(0)),
        ArrKind::Chaptarr => {}
    }
    let mut record = resource(record);
    if include.parent
        && let Some(parent) = world.library.find_parent(event.parent)
    {
        record[facts.parent.one] = resources::parent(world, parent);
    }
    if include.item
        && let Some(item) = world.library.find_item(event.item)
    {
        record[facts.item.one] = resources::item(world, item);
    }
    record
}

//! The queue as it is read.

use serde_json::{Value, json};

use super::{
    ask::{Ask, bare, created, found, listed, no_such_model},
    download::{Download, Nature, Row},
    kind::ArrKind,
    paging,
    resources::{self, language},
    wire::{date, resource, span},
    world::World,
};
use crate::loopback::Reply;

/// Keys that sort it; any other means the first. `id` is not among Sonarr's.
const SORT_KEYS: &[&str] =
    &["timeleft", "id", "title", "added", "status", "size", "estimatedCompletionTime", "protocol", "indexer"];

pub(crate) fn page(world: &mut World, ask: &Ask<'_>) -> Reply {
    let facts = world.kind.facts();
    let wants_unknown = ask.is(facts.include_unknown);
    let parents = ask.numbers(facts.parent.ids);
    let include = Included::asked(world.kind, ask);
    let rows = world.rows().filter(|(download, _)| {
        (wants_unknown || download.is_known())
            && (parents.is_empty() || download.parent.is_some_and(|parent| parents.contains(&parent)))
    });
    let records: Vec<Value> = rows.map(|(download, row)| row_resource(world, download, row, include)).collect();
    let known =
        if world.kind == ArrKind::Sonarr { [&SORT_KEYS[..1], &SORT_KEYS[2..]].concat() } else { SORT_KEYS.to_vec() };
    Reply::ok(paging::page(ask, &known, records, true))
}

/// Not paged, and never without what is unknown.
pub(crate) fn details(world: &mut World, ask: &Ask<'_>) -> Reply {
    let facts = world.kind.facts();
    let (parent, items) = (ask.number(facts.parent.id), ask.numbers(facts.item.ids));
    let include = Included::asked(world.kind, ask);
    let rows = world.rows().filter(|(download, row)| {
        parent.is_none_or(|parent| download.parent == Some(parent))
            && (items.is_empty() || row.item.is_some_and(|item| items.contains(&item)))
    });
    listed(rows.map(|(download, row)| row_resource(world, download, row, include)))
}

pub(crate) fn status(world: &mut World, _: &Ask<'_>) -> Reply {
    let count = |fits: &dyn Fn(&Download) -> bool| world.rows().filter(|(download, _)| fits(download)).count();
    let is = |download: &Download, word: &str| download.tracked.is_some_and(|(status, _)| status == word);
    let total = count(&|_| true);
    let unknown = count(&|download| !download.is_known());
    found(json!({ "totalCount": total, "count": total - unknown, "unknownCount": unknown,
        "errors": count(&|download| download.is_known() && is(download, "error")) > 0,
        "warnings": count(&|download| download.is_known() && is(download, "warning")) > 0,
        "unknownErrors": count(&|download| !download.is_known() && is(download, "error")) > 0,
        "unknownWarnings": count(&|download| !download.is_known() && is(download, "warning")) > 0 }))
}

/// Sends what waits for a delay at once.
pub(crate) fn grab_now(world: &mut World, ask: &Ask<'_>) -> Reply {
    let id = ask.id.unwrap_or(0);
    let Some(at) = world.downloads.iter().position(|download| download.has_row(id)) else {
        return no_such_model("PendingRelease", id);
    };
    if !matches!(world.downloads[at].nature, Nature::Pending(_)) {
        return bare(404);
    }
    let pending = world.downloads.remove(at);
    let items: Vec<u32> = pending.items().collect();
    world.grab(&pending.title, &items, pending.is_torrent, "InteractiveSearch");
    created(json!({}))
}

/// What a record is swollen by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Included {
    pub(crate) parent: bool,
    pub(crate) item: bool,
}

impl Included {
    pub(crate) fn asked(kind: ArrKind, ask: &Ask<'_>) -> Self {
        let facts = kind.facts();
        Self { parent: ask.is(facts.parent.include), item: ask.is(facts.item.include) && kind != ArrKind::Radarr }
    }
}

impl World {
    pub(crate) fn rows(&self) -> impl Iterator<Item = (&Download, Row)> {
        self.downloads.iter().flat_map(|download| download.rows.iter().map(move |row| (download, *row)))
    }
}

fn row_resource(world: &World, download: &Download, row: Row, include: Included) -> Value {
    let (kind, now) = (world.kind, world.now);
    let facts = kind.facts();
    let time_left = download.time_left(now);
    let says: Vec<Value> =
        download.says.iter().map(|(title, messages)| json!({ "title": title, "messages": messages })).collect();
    let is_tracked = download.tracked.is_some();
    let mut record = json!({
        "id": row.id,
        "title": download.title,
        "quality": resources::quality(kind, download.quality),
        "customFormats": [],
        "customFormatScore": 0,
        // A decimal of the application's, and written as one.
        "size": download.n_bytes as f64,
        "sizeleft": download.n_left(now) as f64,
        "timeleft": time_left.map(span),
        "estimatedCompletionTime": time_left.filter(|left| !left.is_zero()).map(|left| date(now + left)),
        "added": date(download.added),
        "status": download.status,
        "trackedDownloadStatus": download.tracked.map(|(status, _)| status),
        "trackedDownloadState": download.tracked.map(|(_, state)| state),
        "statusMessages": is_tracked.then_some(says),
        "errorMessage": download.error,
        "downloadId": download.download_id,
        "protocol": if download.is_torrent { "torrent" } else { "usenet" },
        "downloadClient": is_tracked.then(|| download.client()),
        "downloadClientHasPostImportCategory": download.is_torrent,
        "indexer": download.is_known().then(|| download.indexer()),
        "outputPath": (download.status == "completed").then(|| download.folder()),
    });
    record[facts.parent.id] = json!(download.parent);
    record[facts.item.id] = json!(row.item);
    match kind {
        ArrKind::Radarr => record["languages"] = language(download.is_known()),
        ArrKind::Sonarr => {
            record["languages"] = language(download.is_known());
            let item = row.item.and_then(|item| world.library.find_item(item));
            record["seasonNumber"] = json!(item.map(|item| item.season));
            record["episodeHasFile"] = json!(item.is_some_and(|item| world.library.has_file(item.id)));
        }
        ArrKind::Lidarr => {
            record["downloadForced"] = json!(false);
            let item = row.item.and_then(|item| world.library.find_item(item));
            record["trackFileCount"] = json!(item.map(|item| item.tracks.len()));
            record["trackHasFileCount"] = json!(item.map(|item| world.library.files_of_item(item.id).count()));
        }
        ArrKind::Chaptarr => record["downloadForced"] = json!(false),
    }
    let mut record = resource(record);
    if include.parent
        && let Some(parent) = download.parent.and_then(|id| world.library.find_parent(id))
    {
        record[facts.parent.one] = resources::parent(world, parent);
    }
    if include.item
        && let Some(item) = row.item.and_then(|id| world.library.find_item(id))
    {
        record[facts.item.one] = resources::item(world, item);
    }
    record
}

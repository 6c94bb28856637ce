//! Sonarr's library.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    super::{
        ask::{Ask, bare, invalid, listed, no_such_model},
        kind::ArrKind,
        library::{Item, MediaFile, Parent},
        wire::{date, images, joined, resource as without_nulls, sort_title},
        world::World,
    },
    language, percent, quality, video_info,
};
use crate::loopback::Reply;

pub(crate) fn list(world: &mut World, ask: &Ask<'_>) -> Reply {
    let tvdb = ask.number("tvdbId");
    let all = world.library.parents.iter().filter(|series| tvdb.is_none_or(|tvdb| series.tvdb == tvdb));
    listed(all.map(|series| resource(world, series)))
}

pub(crate) fn one(world: &mut World, ask: &Ask<'_>) -> Reply {
    let id = ask.id.unwrap_or(0);
    match world.library.find_parent(id) {
        Some(series) => Reply::ok(resource(world, series)),
        None => no_such_model("Series", id),
    }
}

pub(crate) fn episodes(world: &mut World, ask: &Ask<'_>) -> Reply {
    let (series, season, ids) = (ask.number("seriesId"), ask.number("seasonNumber"), ask.numbers("episodeIds"));
    let file = ask.number("episodeFileId");
    if series.is_none() && ids.is_empty() && file.is_none() {
        return invalid("seriesId", "seriesId or episodeIds must be provided", "BadRequest");
    }
    let fits = |item: &&Item| {
        let is_of_file = file.is_none_or(|file| world.library.files_of_item(item.id).any(|known| known.id == file));
        series.is_none_or(|series| item.parent == series)
            && season.is_none_or(|season| item.season == season)
            && (ids.is_empty() || ids.contains(&item.id))
            && is_of_file
    };
    let wants_file = ask.is("includeEpisodeFile");
    listed(world.library.items.iter().filter(fits).map(|item| {
        let mut episode = episode_resource(world, item);
        if let (true, Some(file)) = (wants_file, world.library.files_of_item(item.id).next()) {
            episode["episodeFile"] = file_resource(world, file);
        }
        episode
    }))
}

pub(crate) fn episode(world: &mut World, ask: &Ask<'_>) -> Reply {
    let id = ask.id.unwrap_or(0);
    match world.library.find_item(id) {
        Some(item) => Reply::ok(episode_resource(world, item)),
        None => no_such_model("Episode", id),
    }
}

pub(crate) fn files(world: &mut World, ask: &Ask<'_>) -> Reply {
    let (series, ids) = (ask.number("seriesId"), ask.numbers("episodeFileIds"));
    if series.is_none() && ids.is_empty() {
        return invalid("seriesId", "seriesId or episodeFileIds must be provided", "BadRequest");
    }
    let files = world.library.files.iter().filter(|file| Some(file.parent) == series || ids.contains(&file.id));
    listed(files.map(|file| file_resource(world, file)))
}

pub(crate) fn file(world: &mut World, ask: &Ask<'_>) -> Reply {
    let id = ask.id.unwrap_or(0);
    match world.library.files.iter().find(|file| file.id == id) {
        Some(file) => Reply::ok(file_resource(world, file)),
        None => bare(404),
    }
}

/// What there is of some episodes: `episodeCount` are those that should be there by now, `totalEpisodeCount` all that are known.
fn statistics(world: &World, items: &[&Item]) -> Value {
    let now = world.now;
    let n_files = items.iter().filter(|item| world.library.has_file(item.id)).count();
    let is_due =
        |item: &&&Item| world.library.has_file(item.id) || item.monitored && item.date.is_some_and(|date| date <= now);
    let n_due = items.iter().filter(is_due).count();
    let n_bytes: u64 =
        items.iter().flat_map(|item| world.library.files_of_item(item.id)).map(|file| file.n_bytes).sum();
    let next = items.iter().filter_map(|item| item.date).filter(|date| *date > now).min();
    let previous = items.iter().filter_map(|item| item.date).filter(|date| *date <= now).max();
    json!({ "nextAiring": next.map(date), "previousAiring": previous.map(date), "episodeFileCount": n_files,
        "episodeCount": n_due, "totalEpisodeCount": items.len(), "sizeOnDisk": n_bytes,
        "releaseGroups": if n_files > 0 { vec!["GRP"] } else { Vec::new() }, "percentOfEpisodes": percent(n_files, n_due) })
}

pub(crate) fn resource(world: &World, series: &Parent) -> Value {
    let items: Vec<&Item> = world.library.items_of(series.id).collect();
    let numbers: BTreeSet<u32> = items.iter().map(|item| item.season).collect();
    let seasons: Vec<Value> = numbers
        .iter()
        .map(|number| {
            let own: Vec<&Item> = items.iter().copied().filter(|item| item.season == *number).collect();
            json!({ "seasonNumber": number, "monitored": own.iter().any(|item| item.monitored) && *number > 0,
                "statistics": statistics(world, &own) })
        })
        .collect();
    let regular: Vec<&Item> = items.iter().copied().filter(|item| item.season > 0).collect();
    let mut whole = statistics(world, &regular);
    whole["seasonCount"] = json!(numbers.iter().filter(|number| **number > 0).count());
    let first = regular.iter().filter_map(|item| item.date).min();
    let last = regular.iter().filter_map(|item| item.date).max();
    let ended = last.is_some_and(|last| last <= world.now);
    let (next, previous) = (whole["nextAiring"].take(), whole["previousAiring"].take());
    without_nulls(json!({
        "id": series.id, "title": series.title, "alternateTitles": [], "sortTitle": sort_title(&series.title),
        "status": if ended { "ended" } else { "continuing" }, "ended": ended,
        "overview": "What happens in it is told by somebody else.", "nextAiring": next, "previousAiring": previous,
        "network": "Tidewater One",
        // Some series have none.
        "airTime": (!series.id.is_multiple_of(3)).then_some("21:00"),
        "images": images(series.id, "poster"), "originalLanguage": { "id": 1, "name": "English" }, "seasons": seasons,
        "year": series.year, "path": series.folder, "qualityProfileId": 4, "seasonFolder": true,
        "monitored": series.monitored, "monitorNewItems": "all", "useSceneNumbering": false, "runtime": 45,
        "tvdbId": series.tvdb, "tvRageId": 0, "tvMazeId": 0, "tmdbId": series.tmdb, "firstAired": first.map(date),
        "lastAired": last.map(date), "seriesType": "standard",
        "cleanTitle": joined(&series.title, '\u{0}').replace('\u{0}', "").to_lowercase(), "imdbId": series.imdb,
        "titleSlug": joined(&series.title, '-').to_lowercase(), "rootFolderPath": world.kind.facts().root,
        "genres": series.genres, "tags": [], "added": date(series.added), "ratings": { "votes": 40, "value": 8.1 },
        "statistics": whole, "languageProfileId": 1,
    }))
}

pub(crate) fn episode_resource(world: &World, item: &Item) -> Value {
    let file = world.library.files_of_item(item.id).next();
    // The network's own evening: a day before the instant, for who lives east of it.
    let local = item.date.and_then(|date| date.checked_sub(jiff::SignedDuration::from_hours(8)).ok());
    without_nulls(json!({
        "id": item.id, "seriesId": item.parent, "tvdbId": 900_000 + item.id, "episodeFileId": file.map_or(0, |file| file.id),
        "seasonNumber": item.season, "episodeNumber": item.number, "title": item.title,
        "airDate": local.map(|local| local.strftime("%Y-%m-%d").to_string()), "airDateUtc": item.date.map(date),
        "runtime": 45, "overview": "An hour of it.", "hasFile": file.is_some(), "monitored": item.monitored,
        "unverifiedSceneNumbering": false,
    }))
}

pub(crate) fn file_resource(world: &World, file: &MediaFile) -> Value {
    let folder = world.library.find_parent(file.parent).map_or("", |series| &series.folder);
    let season = file.items.first().and_then(|item| world.library.find_item(*item)).map_or(0, |item| item.season);
    without_nulls(json!({
        "id": file.id, "seriesId": file.parent, "seasonNumber": season, "relativePath": file.name,
        "path": format!("{folder}/{}", file.name), "size": file.n_bytes, "dateAdded": date(file.added),
        "sceneName": file.scene_name, "releaseGroup": file.scene_name.as_ref().map(|_| "GRP"),
        "languages": language(true), "quality": quality(ArrKind::Sonarr, file.quality), "customFormats": [],
        "customFormatScore": 0, "indexerFlags": 0,
        "releaseType": if file.items.len() > 1 { "multiEpisode" } else { "singleEpisode" },
        "mediaInfo": file.is_analysed.then(|| video_info(44, ArrKind::Sonarr)), "qualityCutoffNotMet": false,
    }))
}

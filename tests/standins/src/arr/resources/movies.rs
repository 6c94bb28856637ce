//! Radarr's library.

use serde_json::{Value, json};

use super::{
    super::{
        ask::{Ask, bare, invalid, listed, no_such_model},
        kind::ArrKind,
        library::{MediaFile, Parent},
        wire::{date, images, joined, resource as without_nulls, sort_title},
        world::World,
    },
    language, quality, video_info,
};
use crate::{
    arr::generated,
    loopback::{Body, Reply},
};

pub(crate) fn list(world: &mut World, ask: &Ask<'_>) -> Reply {
    let tmdb = ask.number("tmdbId");
    if let (Some(n_films), None) = (world.settings.n_generated_films, tmdb) {
        return Reply::of(200, Body::Chunks(Box::new(generated::films(n_films))));
    }
    if let (Some(n_films), Some(tmdb)) = (world.settings.n_generated_films, tmdb) {
        return listed(generated::film_by_tmdb(n_films, tmdb));
    }
    let movies = world.library.parents.iter().filter(|movie| tmdb.is_none_or(|tmdb| movie.tmdb == tmdb));
    listed(movies.map(|movie| resource(world, movie)))
}

pub(crate) fn one(world: &mut World, ask: &Ask<'_>) -> Reply {
    let id = ask.id.unwrap_or(0);
    match world.library.find_parent(id) {
        Some(movie) => Reply::ok(resource(world, movie)),
        None => no_such_model("Movie", id),
    }
}

pub(crate) fn files(world: &mut World, ask: &Ask<'_>) -> Reply {
    let (movies, ids) = (ask.numbers("movieId"), ask.numbers("movieFileIds"));
    if movies.is_empty() && ids.is_empty() {
        return invalid("movieId", "movieId or movieFileIds must be provided", "BadRequest");
    }
    let files = world.library.files.iter().filter(|file| movies.contains(&file.parent) || ids.contains(&file.id));
    listed(files.map(|file| file_resource(world, file)))
}

pub(crate) fn file(world: &mut World, ask: &Ask<'_>) -> Reply {
    let id = ask.id.unwrap_or(0);
    match world.library.files.iter().find(|file| file.id == id) {
        Some(file) => Reply::ok(file_resource(world, file)),
        None => bare(404),
    }
}

pub(crate) fn resource(world: &World, movie: &Parent) -> Value {
    let item = world.library.find_item(movie.id);
    let file = world.library.files_of_item(movie.id).next();
    let is_out = item.and_then(|item| item.date).is_some_and(|cinema| cinema <= world.now);
    let digital = item.and_then(|item| item.digital);
    let status = match (movie.year, is_out) {
        (0, _) => "announced",
        (_, false) => "announced",
        (_, true) if digital.is_some_and(|digital| digital > world.now) => "inCinemas",
        _ => "released",
    };
    let n_bytes = file.map_or(0, |file| file.n_bytes);
    without_nulls(json!({
        "id": movie.id, "title": movie.title, "originalTitle": movie.title,
        "originalLanguage": { "id": 1, "name": "English" }, "alternateTitles": [], "secondaryYearSourceId": 0,
        "sortTitle": sort_title(&movie.title), "sizeOnDisk": n_bytes, "status": status,
        "overview": "What happens in it is told by somebody else.",
        "inCinemas": item.and_then(|item| item.date).map(date), "digitalRelease": digital.map(date),
        "images": images(movie.id, "poster"), "year": movie.year, "youTubeTrailerId": "", "studio": "Lanternhouse",
        "path": movie.folder, "qualityProfileId": 4, "hasFile": file.is_some(),
        "movieFileId": file.map_or(0, |file| file.id), "monitored": movie.monitored,
        "minimumAvailability": "released", "isAvailable": is_out, "folderName": movie.folder,
        "runtime": if movie.year == 0 { 0 } else { 90 + movie.id % 60 },
        "cleanTitle": joined(&movie.title, '\u{0}').replace('\u{0}', "").to_lowercase(),
        "imdbId": movie.imdb, "tmdbId": movie.tmdb, "titleSlug": movie.tmdb.to_string(),
        "rootFolderPath": world.kind.facts().root, "genres": movie.genres, "keywords": [], "tags": [],
        "added": date(movie.added), "popularity": 12.5,
        // Any part of these may be missing, and a rating may be a whole number.
        "ratings": if movie.year == 0 { json!({ "tmdb": { "votes": 0, "value": 0, "type": "user" } }) }
            else { json!({ "imdb": { "votes": 120, "value": 6.9, "type": "user" }, "tmdb": { "votes": 40, "value": 7, "type": "user" } }) },
        "movieFile": file.map(|file| file_resource(world, file)),
        "statistics": { "movieFileCount": usize::from(file.is_some()), "sizeOnDisk": n_bytes, "releaseGroups": [] },
    }))
}

pub(crate) fn file_resource(world: &World, file: &MediaFile) -> Value {
    let folder = world.library.find_parent(file.parent).map_or("", |movie| &movie.folder);
    without_nulls(json!({
        "id": file.id, "movieId": file.parent, "relativePath": file.name, "path": format!("{folder}/{}", file.name),
        "size": file.n_bytes, "dateAdded": date(file.added), "sceneName": file.scene_name, "indexerFlags": 0,
        "quality": quality(ArrKind::Radarr, file.quality), "customFormats": [], "customFormatScore": 0,
        "mediaInfo": file.is_analysed.then(|| video_info(90 + file.parent % 60, ArrKind::Radarr)),
        "qualityCutoffNotMet": false, "languages": language(true), "releaseGroup": file.scene_name.as_ref().map(|_| "GRP"),
    }))
}

//! Lidarr's library.

use serde_json::{Value, json};

use super::{
    super::{
        ask::{Ask, bare, invalid, listed, no_such_model},
        kind::ArrKind,
        library::{Item, MediaFile, Parent, Track},
        wire::{YEAR_ONE, date, images, joined, resource as without_nulls, sort_title},
        world::World,
    },
    percent, quality,
};
use crate::loopback::Reply;

pub(crate) fn artists(world: &mut World, ask: &Ask<'_>) -> Reply {
    let foreign = ask.text("mbId");
    let all = world.library.parents.iter().filter(|artist| foreign.is_none_or(|foreign| artist.foreign == foreign));
    listed(all.map(|artist| artist_resource(world, artist)))
}

pub(crate) fn artist(world: &mut World, ask: &Ask<'_>) -> Reply {
    let id = ask.id.unwrap_or(0);
    match world.library.find_parent(id) {
        Some(artist) => Reply::ok(artist_resource(world, artist)),
        None => no_such_model("Artist", id),
    }
}

/// `artistId` is not looked at in every version: this one answers the whole library.
pub(crate) fn albums(world: &mut World, ask: &Ask<'_>) -> Reply {
    let (ids, foreign) = (ask.numbers("albumIds"), ask.text("foreignAlbumId"));
    let fits = |item: &&Item| {
        (ids.is_empty() || ids.contains(&item.id)) && foreign.is_none_or(|foreign| item.foreign == foreign)
    };
    listed(world.library.items.iter().filter(fits).map(|item| album_resource(world, item)))
}

pub(crate) fn album(world: &mut World, ask: &Ask<'_>) -> Reply {
    let id = ask.id.unwrap_or(0);
    match world.library.find_item(id) {
        Some(item) => Reply::ok(album_resource(world, item)),
        None => no_such_model("Album", id),
    }
}

pub(crate) fn tracks(world: &mut World, ask: &Ask<'_>) -> Reply {
    let (artist, album, ids) = (ask.number("artistId"), ask.number("albumId"), ask.numbers("trackIds"));
    let release = ask.number("albumReleaseId");
    if artist.is_none() && album.is_none() && release.is_none() && ids.is_empty() {
        return invalid("", "One of artistId, albumId, albumReleaseId or trackIds must be provided", "BadRequest");
    }
    let of = world.library.items.iter().filter(|item| {
        artist.is_none_or(|artist| item.parent == artist)
            && album.is_none_or(|album| item.id == album)
            && release.is_none_or(|release| release_id(item) == release)
    });
    let tracks = of.flat_map(|item| item.tracks.iter().map(move |track| (item, track)));
    listed(
        tracks
            .filter(|(_, track)| ids.is_empty() || ids.contains(&track.id))
            .map(|(item, own)| track(world, item, own)),
    )
}

/// Without any of its parameters it is an error.
pub(crate) fn files(world: &mut World, ask: &Ask<'_>) -> Reply {
    let (artist, ids, albums) = (ask.number("artistId"), ask.numbers("trackFileIds"), ask.numbers("albumId"));
    if artist.is_none() && ids.is_empty() && albums.is_empty() && !ask.is("unmapped") {
        return invalid("", "artistId, albumId, trackFileIds or unmapped must be provided", "BadRequest");
    }
    let fits = |file: &&MediaFile| {
        Some(file.parent) == artist || ids.contains(&file.id) || file.items.iter().any(|item| albums.contains(item))
    };
    listed(world.library.files.iter().filter(fits).map(|file| file_resource(world, file)))
}

pub(crate) fn file(world: &mut World, ask: &Ask<'_>) -> Reply {
    let id = ask.id.unwrap_or(0);
    match world.library.files.iter().find(|file| file.id == id) {
        Some(file) => Reply::ok(file_resource(world, file)),
        None => bare(404),
    }
}

/// The release of an album that is wanted; there is one of each here.
pub(crate) fn release_id(item: &Item) -> u32 {
    40_000 + item.id
}

fn statistics(world: &World, items: &[&Item]) -> Value {
    let n_tracks: usize = items.iter().map(|item| item.tracks.len()).sum();
    let files: Vec<&MediaFile> = items.iter().flat_map(|item| world.library.files_of_item(item.id)).collect();
    let n_bytes: u64 = files.iter().map(|file| file.n_bytes).sum();
    json!({ "trackFileCount": files.len(), "trackCount": n_tracks, "totalTrackCount": n_tracks, "sizeOnDisk": n_bytes,
        "percentOfTracks": percent(files.len(), n_tracks) })
}

pub(crate) fn artist_resource(world: &World, artist: &Parent) -> Value {
    let items: Vec<&Item> = world.library.items_of(artist.id).collect();
    let mut whole = statistics(world, &items);
    whole["albumCount"] = json!(items.len());
    let mut resource = without_nulls(json!({
        "id": artist.id, "status": "continuing", "ended": false, "artistName": artist.title,
        "foreignArtistId": artist.foreign, "tadbId": 0, "discogsId": 0, "overview": "", "artistType": "Group",
        "disambiguation": "", "links": [], "images": images(artist.id, "poster"), "path": artist.folder,
        "qualityProfileId": 1, "metadataProfileId": 1, "monitored": artist.monitored, "monitorNewItems": "all",
        "rootFolderPath": world.kind.facts().root, "genres": artist.genres,
        "cleanName": joined(&artist.title, '\u{0}').replace('\u{0}', "").to_lowercase(),
        "sortName": sort_title(&artist.title), "tags": [], "added": date(artist.added),
        "ratings": { "votes": 9, "value": 8.4 }, "statistics": whole,
    }));
    if let Some(last) = items.iter().max_by_key(|item| item.date) {
        // A row of the database shines through: explicit nulls, and no field that says it is one.
        resource["lastAlbum"] = json!({ "id": last.id, "title": last.title, "foreignAlbumId": last.foreign,
            "releaseDate": last.date.map(date), "images": [], "links": [], "genres": [], "albumType": "Album",
            "secondaryTypes": [], "monitored": last.monitored, "anyReleaseOk": true, "overview": null, "artist": null,
            "releases": null });
    }
    resource
}

pub(crate) fn album_resource(world: &World, item: &Item) -> Value {
    let artist = world.library.find_parent(item.parent);
    let seconds: u32 = item.tracks.iter().map(|track| track.seconds).sum();
    let media = json!([{ "mediumNumber": 1, "mediumName": "", "mediumFormat": "CD" }]);
    let mut album = without_nulls(json!({
        "id": item.id, "title": item.title, "disambiguation": "", "overview": "", "artistId": item.parent,
        "foreignAlbumId": item.foreign, "monitored": item.monitored, "anyReleaseOk": true, "profileId": 1,
        "duration": seconds * 1000, "albumType": "Album", "secondaryTypes": [], "mediumCount": 1,
        "ratings": { "votes": 0, "value": 0 },
        // Unknown, as databases say it.
        "releaseDate": item.date.map_or_else(|| YEAR_ONE.to_owned(), date),
        "releases": [{ "id": release_id(item), "albumId": item.id, "foreignReleaseId": format!("r-{}", item.foreign),
            "title": item.title, "status": "Official", "duration": seconds * 1000, "trackCount": item.tracks.len(),
            "media": media, "mediumCount": 1, "disambiguation": "", "country": ["[Worldwide]"], "label": [], "format": "CD",
            "monitored": true }],
        "genres": [], "media": media, "images": [], "links": [], "statistics": statistics(world, &[item]),
    }));
    if let Some(artist) = artist {
        album["artist"] = artist_resource(world, artist);
    }
    album
}

pub(crate) fn track(world: &World, item: &Item, track: &Track) -> Value {
    let file = world.library.files_of_item(item.id).find(|file| file.track == Some(track.id));
    json!({ "id": track.id, "artistId": item.parent, "foreignTrackId": format!("t-{}", track.id),
        "foreignRecordingId": format!("c-{}", track.id), "trackFileId": file.map_or(0, |file| file.id), "albumId": item.id,
        "explicit": false, "absoluteTrackNumber": track.absolute,
        // The first side of a record has letters.
        "trackNumber": if item.id.is_multiple_of(5) { format!("A{}", track.absolute) } else { track.absolute.to_string() },
        "title": track.title, "duration": track.seconds * 1000, "mediumNumber": 1, "hasFile": file.is_some(),
        "ratings": { "votes": 0, "value": 0 } })
}

fn file_resource(world: &World, file: &MediaFile) -> Value {
    let folder = world.library.find_parent(file.parent).map_or("", |artist| &artist.folder);
    without_nulls(json!({
        "id": file.id, "artistId": file.parent, "albumId": file.items.first(), "path": format!("{folder}/{}", file.name),
        "size": file.n_bytes, "dateAdded": date(file.added), "sceneName": file.scene_name,
        "quality": quality(ArrKind::Lidarr, file.quality), "qualityWeight": 20, "customFormats": [], "customFormatScore": 0,
        "indexerFlags": 0,
        "mediaInfo": file.is_analysed.then(|| json!({ "audioChannels": 2.0, "audioBitRate": "893 kbps", "audioCodec": "FLAC",
            "audioBits": "16bit", "audioSampleRate": "44.1kHz" })),
        "qualityCutoffNotMet": false,
    }))
}

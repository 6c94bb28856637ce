//! From a download's folder into the library, by hand or by itself.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{
    ask::{Ask, id_of, ids_of, invalid, listed, property},
    download::{Download, LooseFile, Nature},
    kind::{ArrKind, Happening},
    library::MediaFile,
    quality::Quality,
    resources::{self, language},
    wire::resource,
    world::{Fate, World},
};
use crate::loopback::Reply;

pub(crate) fn candidates(world: &mut World, ask: &Ask<'_>) -> Reply {
    let kind = world.kind;
    let by_download = ask.text("downloadId").map(str::to_owned);
    let by_folder = ask.text("folder").map(str::to_owned);
    let parent = ask.number(kind.facts().parent.id);
    if let (None, Some(parent)) = (&by_download, parent) {
        return listed(library_candidates(world, parent));
    }
    let download = world.downloads.iter().find(|download| match (&by_download, &by_folder) {
        (Some(id), _) => download.download_id.as_ref() == Some(id),
        (None, Some(folder)) => download.folder() == folder.trim_end_matches('/'),
        (None, None) => false,
    });
    let Some(download) = download.cloned() else { return listed([]) };
    if download.status != "completed" || (download.nature == Nature::Misplaced && !world.places_are_right) {
        return listed([]);
    }
    let hides_existing = ask.flag("filterExistingFiles").unwrap_or(true);
    let files = download.files.iter().filter(|file| {
        // Files that the library has already are of no interest, unless one says that they are.
        !hides_existing || !file.items.iter().any(|item| world.library.has_file(*item)) || file.items.is_empty()
    });
    let files: Vec<LooseFile> = files.cloned().collect();
    let entries: Vec<Value> = files.iter().map(|file| candidate(world, &download, file)).collect();
    listed(entries)
}

fn candidate(world: &mut World, download: &Download, file: &LooseFile) -> Value {
    let kind = world.kind;
    let id = world.invent_id();
    let first = file.items.first().and_then(|item| world.library.find_item(*item));
    let parent = first.and_then(|item| world.library.find_parent(item.parent));
    let quality = if first.is_some() { download.quality } else { Quality::unknown(kind) };
    let leaf = file.name.rsplit('/').next().unwrap_or(&file.name);
    let stem = leaf.rsplit_once('.').map_or(leaf, |(stem, _)| stem);
    let rejections: Vec<Value> = file
        .rejections
        .iter()
        .map(|(reason, stays)| json!({ "reason": reason, "type": if *stays { "permanent" } else { "temporary" } }))
        .collect();
    let mut entry = json!({
        "id": id, "path": format!("{}/{}", download.folder(), file.name), "name": stem, "size": file.n_bytes,
        "quality": resources::quality(kind, quality), "qualityWeight": 14, "releaseGroup": "GRP",
        "downloadId": download.download_id, "rejections": rejections,
    });
    match kind {
        ArrKind::Radarr => {
            entry["relativePath"] = json!(file.name);
            entry["folderName"] = json!(download.title);
            entry["languages"] = language(first.is_some());
            entry["customFormats"] = json!([]);
            entry["customFormatScore"] = json!(0);
            entry["indexerFlags"] = json!(0);
            entry["movie"] = json!(parent.map(|parent| resources::parent(world, parent)));
        }
        ArrKind::Sonarr => {
            entry["relativePath"] = json!(file.name);
            entry["folderName"] = json!(download.title);
            entry["languages"] = language(first.is_some());
            entry["customFormats"] = json!([]);
            entry["customFormatScore"] = json!(0);
            entry["indexerFlags"] = json!(0);
            entry["releaseType"] = json!(if file.items.len() > 1 { "multiEpisode" } else { "singleEpisode" });
            // A series may be known of which it is not known what episode this is.
            let series = parent.or_else(|| download.parent.and_then(|id| world.library.find_parent(id)));
            entry["series"] = json!(series.map(|parent| resources::parent(world, parent)));
            entry["seasonNumber"] = json!(first.map(|item| item.season));
            let episodes = file.items.iter().filter_map(|item| world.library.find_item(*item));
            entry["episodes"] = json!(episodes.map(|item| resources::item(world, item)).collect::<Vec<_>>());
        }
        ArrKind::Lidarr => {
            let artist = parent.or_else(|| download.parent.and_then(|id| world.library.find_parent(id)));
            entry["artist"] = json!(artist.map(|parent| resources::parent(world, parent)));
            entry["album"] = json!(first.map(|item| resources::item(world, item)));
            entry["albumReleaseId"] = json!(first.map_or(0, resources::music::release_id));
            let tracks = first.into_iter().flat_map(|item| item.tracks.iter().map(move |track| (item, track)));
            let tracks = tracks.filter(|(_, track)| file.tracks.contains(&track.id));
            entry["tracks"] =
                json!(tracks.map(|(item, track)| resources::music::track(world, item, track)).collect::<Vec<_>>());
            entry["indexerFlags"] = json!(0);
            entry["additionalFile"] = json!(false);
            entry["replaceExistingFiles"] = json!(true);
            entry["disableReleaseSwitching"] = json!(false);
        }
        ArrKind::Chaptarr => {
            let author = parent.or_else(|| download.parent.and_then(|id| world.library.find_parent(id)));
            entry["author"] = json!(author.map(|parent| resources::parent(world, parent)));
            entry["book"] = json!(first.map(|item| resources::item(world, item)));
            entry["foreignEditionId"] = json!(first.map(|item| format!("{}:{}", item.foreign, item.id)));
            entry["indexerFlags"] = json!(0);
            entry["additionalFile"] = json!(false);
            entry["replaceExistingFiles"] = json!(true);
            entry["disableReleaseSwitching"] = json!(false);
        }
    }
    resource(entry)
}

/// The library's own files, which is what one gets who names a parent and no download.
fn library_candidates(world: &mut World, parent: u32) -> Vec<Value> {
    let files: Vec<MediaFile> = world.library.files.iter().filter(|file| file.parent == parent).cloned().collect();
    let mut entries = Vec::new();
    for file in files {
        let id = world.invent_id();
        let folder = world.library.find_parent(parent).map_or("", |parent| &parent.folder);
        let entry = json!({ "id": id, "path": format!("{folder}/{}", file.name), "name": file.name, "size": file.n_bytes,
            "quality": resources::quality(world.kind, file.quality), "qualityWeight": 14, "rejections": [] });
        entries.push(resource(entry));
    }
    entries
}

/// Judges files by changed mappings. It imports nothing.
pub(crate) fn reconsider(world: &mut World, ask: &Ask<'_>) -> Reply {
    let files = ask.body.as_array().cloned().unwrap_or_default();
    if files.is_empty() && world.kind == ArrKind::Radarr {
        return invalid("", "'' must not be empty.", "NotEmptyValidator");
    }
    let status = if matches!(world.kind, ArrKind::Radarr | ArrKind::Sonarr) { 200 } else { 202 };
    let judged = files.into_iter().map(|mut file| {
        file["rejections"] = json!([]);
        file
    });
    Reply::new(status, Value::Array(judged.collect()))
}

/// The command. What is sent is taken for the truth, and no rejection is looked at.
pub(crate) fn import_by_hand(world: &mut World, body: &Value) -> Result<String, String> {
    let files = property(body, "files").and_then(Value::as_array).cloned().unwrap_or_default();
    let moves = property(body, "importMode").and_then(Value::as_str) != Some("copy");
    let n_files = files.len();
    let mut touched = BTreeSet::new();
    for file in &files {
        let path = property(file, "path").and_then(Value::as_str).unwrap_or("");
        let items = match world.kind {
            ArrKind::Sonarr => ids_of(file, "episodeIds"),
            kind => id_of(file, kind.facts().item.id).into_iter().collect(),
        };
        let lacks = |names: &[&str]| names.iter().any(|name| property(file, name).is_none_or(Value::is_null));
        let is_null = items.is_empty()
            || world.kind == ArrKind::Lidarr && lacks(&["artistId", "albumId", "albumReleaseId", "trackIds"]);
        if is_null {
            // Whatever came before it has been moved all the same.
            return Err(
                "System.NullReferenceException: Object reference not set to an instance of an object.".to_owned()
            );
        }
        let tracks = ids_of(file, "trackIds");
        let at = world.downloads.iter().position(|download| {
            download.files.iter().any(|loose| format!("{}/{}", download.folder(), loose.name) == path)
        });
        let Some(at) = at else { continue };
        let download = world.downloads[at].clone();
        let loose = download.files.iter().find(|loose| format!("{}/{}", download.folder(), loose.name) == path);
        let is_reachable = download.nature != Nature::Misplaced || world.places_are_right;
        let Some(loose) = loose.filter(|loose| loose.is_sound && is_reachable).cloned() else { continue };
        let quality = if lacks(&["quality"]) { Quality::unknown(world.kind) } else { download.quality };
        put_in_place(world, &download, &loose, &items, &tracks, quality);
        if moves {
            world.downloads[at].files.retain(|known| known.name != loose.name);
        }
        // Without it the file is taken, and the download stays as stuck as it was.
        if let Some(id) = property(file, "downloadId").and_then(Value::as_str) {
            touched.insert(id.to_owned());
        }
    }
    for id in touched {
        finish(world, &id);
    }
    // Counted before anybody looked at how it went.
    Ok(format!("Manually imported {n_files} files"))
}

/// Imports what a download has for the items that it is for.
pub(crate) fn import_download(world: &mut World, id: &str) {
    let Some(download) = world.downloads.iter().find(|known| known.download_id.as_deref() == Some(id)).cloned() else {
        return;
    };
    for loose in download.files.iter().filter(|loose| loose.is_sound) {
        put_in_place(world, &download, loose, &loose.items.clone(), &loose.tracks.clone(), download.quality);
    }
    finish(world, id);
}

fn put_in_place(
    world: &mut World,
    download: &Download,
    loose: &LooseFile,
    items: &[u32],
    tracks: &[u32],
    quality: Quality,
) {
    let Some(item) = items.first().and_then(|id| world.library.find_item(*id)).cloned() else { return };
    let track = tracks.first().copied();
    let is_replaced = |file: &&MediaFile| {
        file.items.iter().any(|known| items.contains(known)) && (track.is_none() || file.track == track)
    };
    let old: Vec<u32> = world.library.files.iter().filter(is_replaced).map(|file| file.id).collect();
    for file in old {
        world.drop_file(file, "Upgrade");
    }
    let name = world.library.file_name(&item, track, quality);
    let file = MediaFile {
        id: 0,
        parent: item.parent,
        items: items.to_vec(),
        track,
        name: name.clone(),
        n_bytes: loose.n_bytes,
        quality,
        scene_name: Some(download.title.clone()),
        added: world.now,
        is_analysed: true,
        is_on_disk: true,
    };
    let file = world.library.put_file(file);
    let folder = world.library.find_parent(item.parent).map(|parent| parent.folder.clone()).unwrap_or_default();
    for id in items {
        let said = [
            ("fileId", file.to_string()),
            ("droppedPath", format!("{}/{}", download.folder(), loose.name)),
            ("importedPath", format!("{folder}/{name}")),
            ("downloadClient", download.client().to_owned()),
            ("downloadClientName", download.client().to_owned()),
            ("releaseGroup", "GRP".to_owned()),
            ("size", loose.n_bytes.to_string()),
        ];
        let what = (download.title.as_str(), quality);
        world.happened(Happening::Imported, (item.parent, *id, track), what, download.download_id.as_deref(), said);
    }
}

/// Takes a download out of the queue when all that it was for is there; what is still missing keeps it.
fn finish(world: &mut World, id: &str) {
    let Some(at) = world.downloads.iter().position(|known| known.download_id.as_deref() == Some(id)) else { return };
    let download = &world.downloads[at];
    let came = |item: u32| {
        let (known, title) = (world.library.find_item(item), &download.title);
        let n_came = world.library.files_of_item(item).filter(|file| file.scene_name.as_ref() == Some(title)).count();
        n_came > 0 && n_came >= known.map_or(1, |item| item.tracks.len().min(download_tracks(download, item.id)))
    };
    let is_complete = download.items().all(came);
    if !is_complete {
        let missing = "One or more items expected in this release were not imported or missing from the release";
        let download = &mut world.downloads[at];
        download.says = vec![(missing.to_owned(), Vec::new())];
        download.tracked =
            Some(("warning", if world.kind == ArrKind::Lidarr { "importFailed" } else { "importBlocked" }));
        return;
    }
    let download = world.downloads.remove(at);
    if world.kind.says_downloads_imported() {
        for item in download.items() {
            let of = (download.parent.unwrap_or(0), item, None);
            let what = (download.title.as_str(), download.quality);
            let name = "downloadImported";
            world.happened_at(
                world.now,
                name,
                of,
                what,
                download.download_id.as_deref(),
                [("statusMessages", "[]".to_owned())],
            );
        }
    }
    world.fates.insert(id.to_owned(), Fate::Imported);
}

/// How many tracks of an album a download brought.
fn download_tracks(download: &Download, item: u32) -> usize {
    download.files.iter().filter(|file| file.items.contains(&item)).map(|file| file.tracks.len()).sum::<usize>().max(1)
}

//! Things of the library as the API writes them.

pub(crate) mod books;
pub(crate) mod movies;
pub(crate) mod music;
pub(crate) mod series;

use serde_json::{Value, json};

use super::{
    kind::ArrKind,
    library::{Item, Parent},
    quality::Quality,
    world::World,
};

/// A movie, a series, an artist or an author.
pub(crate) fn parent(world: &World, parent: &Parent) -> Value {
    match world.kind {
        ArrKind::Radarr => movies::resource(world, parent),
        ArrKind::Sonarr => series::resource(world, parent),
        ArrKind::Lidarr => music::artist_resource(world, parent),
        ArrKind::Chaptarr => books::author_resource(world, parent),
    }
}

/// A movie, an episode, an album or a book.
pub(crate) fn item(world: &World, item: &Item) -> Value {
    match world.kind {
        ArrKind::Radarr => {
            world.library.find_parent(item.parent).map_or(Value::Null, |movie| movies::resource(world, movie))
        }
        ArrKind::Sonarr => series::episode_resource(world, item),
        ArrKind::Lidarr => music::album_resource(world, item),
        ArrKind::Chaptarr => books::resource(world, item),
    }
}

/// A quality with its revision: what a manual import must send back as it came.
pub(crate) fn quality(kind: ArrKind, quality: Quality) -> Value {
    let mut named = json!({ "id": quality.id, "name": quality.name });
    if let (Some(source), Some(resolution)) = (quality.source, quality.resolution) {
        named["source"] = json!(source);
        named["resolution"] = json!(resolution);
    }
    if kind == ArrKind::Radarr {
        named["modifier"] = json!("none");
    }
    json!({ "quality": named, "revision": { "version": 1, "real": 0, "isRepack": false } })
}

/// English, or not known.
pub(crate) fn language(is_known: bool) -> Value {
    if is_known { json!([{ "id": 1, "name": "English" }]) } else { json!([{ "id": 0, "name": "Unknown" }]) }
}

/// What is inside a file with pictures.
fn video_info(n_minutes: u32, kind: ArrKind) -> Value {
    // A whole number here and there: the field is a decimal all the same.
    let channels = if n_minutes.is_multiple_of(2) { json!(5.1) } else { json!(2.0) };
    json!({ "audioBitrate": 640_000, "audioChannels": channels, "audioCodec": "EAC3", "audioLanguages": "eng/spa",
        "audioStreamCount": 2, "videoBitDepth": 10, "videoBitrate": 0, "videoCodec": "x265", "videoFps": 23.976,
        "videoDynamicRange": "HDR", "videoDynamicRangeType": "HDR10", "resolution": "1920x1080",
        "runTime": if kind == ArrKind::Radarr { format!("{}:{:02}:07", n_minutes / 60, n_minutes % 60) } else { format!("{n_minutes}:07") },
        "scanType": "Progressive", "subtitles": "eng/fre" })
}

/// How much of something there is, in hundredths.
fn percent(part: usize, whole: usize) -> Value {
    // A whole number without its fraction, as it comes.
    match whole {
        0 => json!(0),
        _ if part == whole => json!(100),
        _ => json!(part as f64 * 100.0 / whole as f64),
    }
}

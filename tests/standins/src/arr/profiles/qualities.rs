//! The qualities that each application knows, worst first, and the groups that it ships with.

use serde_json::{Value, json};

use crate::arr::kind::ArrKind;

/// One quality, in an application's own numbers and words.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Known {
    /// The group it is in at first; 0 for none.
    pub(super) group: u32,
    pub(super) id: u32,
    pub(super) name: &'static str,
    source: &'static str,
    resolution: u32,
    modifier: &'static str,
}

const fn film(
    group: u32,
    id: u32,
    name: &'static str,
    source: &'static str,
    resolution: u32,
    modifier: &'static str,
) -> Known {
    Known { group, id, name, source, resolution, modifier }
}

const fn episode(group: u32, id: u32, name: &'static str, source: &'static str, resolution: u32) -> Known {
    film(group, id, name, source, resolution, "")
}

/// Of music and books nothing but number and name is told.
const fn plain(group: u32, id: u32, name: &'static str) -> Known {
    film(group, id, name, "", 0, "")
}

/// All of an application's qualities, worst first.
pub(super) fn of(kind: ArrKind) -> &'static [Known] {
    match kind {
        ArrKind::Radarr => RADARR,
        ArrKind::Sonarr => SONARR,
        ArrKind::Lidarr => LIDARR,
        ArrKind::Chaptarr => CHAPTARR,
    }
}

pub(super) fn find(kind: ArrKind, id: u64) -> Option<&'static Known> {
    of(kind).iter().find(|known| u64::from(known.id) == id)
}

/// What a group is called at first.
pub(super) fn group_name(kind: ArrKind, group: u32) -> &'static str {
    let names: &[&str] = match kind {
        ArrKind::Radarr | ArrKind::Sonarr => &["WEB 480p", "WEB 720p", "WEB 1080p", "WEB 2160p"],
        ArrKind::Lidarr => &[
            "Trash Quality Lossy",
            "Poor Quality Lossy",
            "Low Quality Lossy",
            "Mid Quality Lossy",
            "High Quality Lossy",
            "Lossless",
        ],
        ArrKind::Chaptarr => &[],
    };
    names.get(group.saturating_sub(1000) as usize).copied().unwrap_or("Group")
}

/// A quality as it is written.
pub(super) fn written(kind: ArrKind, quality: &Known) -> Value {
    let mut value = json!({ "id": quality.id, "name": quality.name });
    match kind {
        ArrKind::Radarr | ArrKind::Sonarr => {
            value["source"] = json!(quality.source);
            value["resolution"] = json!(quality.resolution);
        }
        ArrKind::Lidarr => {}
        ArrKind::Chaptarr => value["isConversionTarget"] = json!(quality.name == "M4B"),
    }
    if kind == ArrKind::Radarr {
        value["modifier"] = json!(quality.modifier);
    }
    value
}

/// Whether a quality of Chaptarr's is one of books that are heard.
pub(super) fn is_heard(id: u64) -> bool {
    id >= 10
}

static RADARR: &[Known] = &[
    film(0, 0, "Unknown", "unknown", 0, "none"),
    film(0, 24, "WORKPRINT", "workprint", 0, "none"),
    film(0, 25, "CAM", "cam", 0, "none"),
    film(0, 26, "TELESYNC", "telesync", 0, "none"),
    film(0, 27, "TELECINE", "telecine", 0, "none"),
    film(0, 29, "REGIONAL", "dvd", 480, "regional"),
    film(0, 28, "DVDSCR", "dvd", 480, "screener"),
    film(0, 1, "SDTV", "tv", 480, "none"),
    film(0, 2, "DVD", "dvd", 0, "none"),
    film(0, 23, "DVD-R", "dvd", 480, "remux"),
    film(1000, 8, "WEBDL-480p", "webdl", 480, "none"),
    film(1000, 12, "WEBRip-480p", "webrip", 480, "none"),
    film(0, 20, "Bluray-480p", "bluray", 480, "none"),
    film(0, 21, "Bluray-576p", "bluray", 576, "none"),
    film(0, 4, "HDTV-720p", "tv", 720, "none"),
    film(1001, 5, "WEBDL-720p", "webdl", 720, "none"),
    film(1001, 14, "WEBRip-720p", "webrip", 720, "none"),
    film(0, 6, "Bluray-720p", "bluray", 720, "none"),
    film(0, 9, "HDTV-1080p", "tv", 1080, "none"),
    film(1002, 3, "WEBDL-1080p", "webdl", 1080, "none"),
    film(1002, 15, "WEBRip-1080p", "webrip", 1080, "none"),
    film(0, 7, "Bluray-1080p", "bluray", 1080, "none"),
    film(0, 30, "Remux-1080p", "bluray", 1080, "remux"),
    film(0, 16, "HDTV-2160p", "tv", 2160, "none"),
    film(1003, 18, "WEBDL-2160p", "webdl", 2160, "none"),
    film(1003, 17, "WEBRip-2160p", "webrip", 2160, "none"),
    film(0, 19, "Bluray-2160p", "bluray", 2160, "none"),
    film(0, 31, "Remux-2160p", "bluray", 2160, "remux"),
    film(0, 22, "BR-DISK", "bluray", 1080, "brdisk"),
    film(0, 10, "Raw-HD", "tv", 1080, "rawhd"),
];

static SONARR: &[Known] = &[
    episode(0, 0, "Unknown", "unknown", 0),
    episode(0, 1, "SDTV", "television", 480),
    episode(1000, 12, "WEBRip-480p", "webRip", 480),
    episode(1000, 8, "WEBDL-480p", "web", 480),
    episode(0, 2, "DVD", "dvd", 480),
    episode(0, 13, "Bluray-480p", "bluray", 480),
    episode(0, 22, "Bluray-576p", "bluray", 576),
    episode(0, 4, "HDTV-720p", "television", 720),
    episode(0, 9, "HDTV-1080p", "television", 1080),
    episode(0, 10, "Raw-HD", "televisionRaw", 1080),
    episode(1001, 14, "WEBRip-720p", "webRip", 720),
    episode(1001, 5, "WEBDL-720p", "web", 720),
    episode(0, 6, "Bluray-720p", "bluray", 720),
    episode(1002, 15, "WEBRip-1080p", "webRip", 1080),
    episode(1002, 3, "WEBDL-1080p", "web", 1080),
    episode(0, 7, "Bluray-1080p", "bluray", 1080),
    episode(0, 20, "Bluray-1080p Remux", "blurayRaw", 1080),
    episode(0, 16, "HDTV-2160p", "television", 2160),
    episode(1003, 17, "WEBRip-2160p", "webRip", 2160),
    episode(1003, 18, "WEBDL-2160p", "web", 2160),
    episode(0, 19, "Bluray-2160p", "bluray", 2160),
    episode(0, 21, "Bluray-2160p Remux", "blurayRaw", 2160),
];

static LIDARR: &[Known] = &[
    plain(0, 0, "Unknown"),
    plain(1000, 32, "MP3-8"),
    plain(1000, 31, "MP3-16"),
    plain(1000, 30, "MP3-24"),
    plain(1000, 29, "MP3-32"),
    plain(1000, 28, "MP3-40"),
    plain(1000, 27, "MP3-48"),
    plain(1000, 26, "MP3-56"),
    plain(1000, 25, "MP3-64"),
    plain(1000, 24, "MP3-80"),
    plain(1001, 23, "MP3-96"),
    plain(1001, 33, "MP3-112"),
    plain(1001, 22, "MP3-128"),
    plain(1001, 19, "OGG Vorbis Q5"),
    plain(1001, 5, "MP3-160"),
    plain(1002, 1, "MP3-192"),
    plain(1002, 18, "OGG Vorbis Q6"),
    plain(1002, 9, "AAC-192"),
    plain(1002, 20, "WMA"),
    plain(1002, 34, "MP3-224"),
    plain(1003, 17, "OGG Vorbis Q7"),
    plain(1003, 8, "MP3-VBR-V2"),
    plain(1003, 3, "MP3-256"),
    plain(1003, 16, "OGG Vorbis Q8"),
    plain(1003, 10, "AAC-256"),
    plain(1004, 2, "MP3-VBR-V0"),
    plain(1004, 12, "AAC-VBR"),
    plain(1004, 4, "MP3-320"),
    plain(1004, 15, "OGG Vorbis Q9"),
    plain(1004, 11, "AAC-320"),
    plain(1004, 14, "OGG Vorbis Q10"),
    plain(1005, 6, "FLAC"),
    plain(1005, 7, "ALAC"),
    plain(1005, 35, "APE"),
    plain(1005, 36, "WavPack"),
    plain(1005, 21, "FLAC 24bit"),
    plain(1005, 37, "ALAC 24bit"),
    plain(0, 13, "WAV"),
];

static CHAPTARR: &[Known] = &[
    plain(0, 0, "Unknown Text"),
    plain(0, 1, "PDF"),
    plain(0, 2, "MOBI"),
    plain(0, 3, "EPUB"),
    plain(0, 4, "AZW3"),
    plain(0, 13, "Unknown Audio"),
    plain(0, 10, "MP3"),
    plain(0, 12, "M4B"),
    plain(0, 11, "FLAC"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_and_no_name_means_two_qualities_and_members_of_a_group_stand_together() {
        for kind in ArrKind::ALL {
            let known = of(kind);
            for (at, quality) in known.iter().enumerate() {
                let twin = known[at + 1..].iter().find(|other| other.id == quality.id || other.name == quality.name);
                assert_eq!(twin, None, "{} {}", kind.name(), quality.name);
            }
            let groups: Vec<u32> = known.chunk_by(|a, b| a.group == b.group).map(|chunk| chunk[0].group).collect();
            let mut named: Vec<u32> = groups.into_iter().filter(|group| *group > 0).collect();
            let n_named = named.len();
            named.dedup();
            named.sort_unstable();
            named.dedup();
            assert_eq!(named.len(), n_named, "{}", kind.name());
        }
    }
}

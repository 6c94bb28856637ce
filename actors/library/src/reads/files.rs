//! What is inside the files that a library holds, by the service's own analysis.
//!
//! A file that was never analysed is not a file without properties: the one is blindness, the other would be a finding.

mod read;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::instants::minute;
use crate::client::wire::MediaInfo;

pub use read::{FileTarget, ReadFileDetails};

/// Most files that one answer lists.
pub(crate) const MAX_FILES: usize = 60;
/// Longest text of a file that is shown.
const MAX_TEXT: usize = 300;

/// What is inside one file. Every part that the service did not find out is left out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct FileProperties {
    /// Width and height, such as 1920x1080.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub resolution: Option<String>,
    /// Of the picture.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub video_codec: Option<String>,
    /// HDR and the like.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub dynamic_range: Option<String>,
    /// Of the sound.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub audio_codec: Option<String>,
    /// Such as 5.1.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub audio_channels: Option<f64>,
    /// Languages spoken, as the service writes them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub audio_languages: Option<String>,
    /// Embedded subtitles, as the service writes them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub subtitles: Option<String>,
    /// Running time, as the service writes it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub run_time: Option<String>,
    /// Bits a sample, of music.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub audio_bits: Option<String>,
    /// Samples a second, of music.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub audio_sample_rate: Option<String>,
    /// Bits a second, of music.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub audio_bit_rate: Option<String>,
}

/// One file, or one episode's place for a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct FileRow {
    /// For series: the episode, such as S01E02.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub episode: Option<String>,
    /// Whether the service's record of the file was read. `false`: the library says that there is a file, and its record is gone, or is one that
    /// could not be read.
    pub record_found: bool,
    /// File name, without folders.
    pub name: String,
    /// The release it came from.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub release: Option<String>,
    /// Its size in bytes.
    pub size_bytes: i64,
    /// Name of its quality.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub quality: Option<String>,
    /// When it was imported, in UTC.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "Option<String>")]
    pub imported_utc: Option<Timestamp>,
    /// What is inside. Left out where the service has not analysed the file: then its properties are UNKNOWN.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub properties: Option<FileProperties>,
}

/// The files of one movie, season or album.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FileDetails {
    /// What they belong to.
    pub title: String,
    /// The files.
    pub files: Vec<FileRow>,
    /// How many more there are.
    pub n_more: usize,
    /// Records of a shape that this version does not know.
    pub n_skipped: usize,
}

impl FileDetails {
    /// All of it in words; `what` is what was looked at, such as `this movie`.
    pub(crate) fn prose(&self, what: &str) -> String {
        if self.files.is_empty() && self.n_skipped > 0 {
            return format!(
                "{}: no file that could be read. Some records could not be, so this does not say that it holds none for {what}.",
                self.title
            );
        }
        if self.files.is_empty() {
            return format!(
                "{}: no file. The library was read, so this is a genuine absence: it holds no file for {what}.",
                self.title
            );
        }
        let mut lines = vec![format!("{} ({} in the library):", self.title, n_files(self.files.len() + self.n_more))];
        lines.extend(self.files.iter().map(|file| file.line(self.n_skipped == 0)));
        if self.n_more > 0 {
            lines.push(format!("…and {} more", self.n_more));
        }
        lines.join("\n")
    }
}

fn n_files(n: usize) -> String {
    if n == 1 { "1 file".to_owned() } else { format!("{n} files") }
}

impl FileRow {
    /// The place of a file whose record is gone.
    pub(crate) fn gone(episode: Option<String>) -> Self {
        Self {
            episode,
            record_found: false,
            name: String::new(),
            release: None,
            size_bytes: 0,
            quality: None,
            imported_utc: None,
            properties: None,
        }
    }

    /// `is_whole`: whether all records were read, so that one that is not among them is gone.
    fn line(&self, is_whole: bool) -> String {
        let episode = self.episode.as_deref().map(|episode| format!("{episode}: ")).unwrap_or_default();
        if !self.record_found && !is_whole {
            return format!(
                "- {episode}the library links a file, and its record is not among those that could be read: UNKNOWN."
            );
        }
        if !self.record_found {
            return format!(
                "- {episode}the library links a file, but its record is gone upstream, so nothing is known of it. A rescan may mend that."
            );
        }
        let quality = self.quality.as_deref().map(|quality| format!(" [{quality}]")).unwrap_or_default();
        let imported = self.imported_utc.map_or_else(|| "undated".to_owned(), minute);
        let inside = match &self.properties {
            None => {
                "properties UNKNOWN: the service has not analysed this file, which says nothing about what is in it"
                    .to_owned()
            }
            Some(properties) => properties.words(),
        };
        format!("- {episode}{}{quality}, {}, imported {imported}; {inside}", self.name, gigabytes(self.size_bytes))
    }
}

impl FileProperties {
    /// What the analysis of a film or episode found.
    pub(crate) fn of_video(info: &MediaInfo) -> Self {
        let range = text(info.video_dynamic_range_type.as_ref()).or_else(|| text(info.video_dynamic_range.as_ref()));
        Self {
            resolution: text(info.resolution.as_ref()),
            video_codec: text(info.video_codec.as_ref()),
            dynamic_range: range,
            audio_codec: text(info.audio_codec.as_ref()),
            audio_channels: info.audio_channels,
            audio_languages: text(info.audio_languages.as_ref()),
            subtitles: text(info.subtitles.as_ref()),
            run_time: text(info.run_time.as_ref()),
            ..Self::default()
        }
    }

    /// What the analysis of a track found.
    pub(crate) fn of_track(info: &MediaInfo) -> Self {
        Self {
            audio_codec: text(info.audio_codec.as_ref()),
            audio_channels: info.audio_channels,
            audio_bits: text(info.audio_bits.as_ref()),
            audio_sample_rate: text(info.audio_sample_rate.as_ref()),
            audio_bit_rate: text(info.audio_bit_rate.as_ref()),
            ..Self::default()
        }
    }

    fn words(&self) -> String {
        let mut words = Vec::new();
        let mut say = |what: &str, value: Option<&String>| {
            if let Some(value) = value {
                words.push(format!("{what} {value}"));
            }
        };
        say("resolution", self.resolution.as_ref());
        say("video", self.video_codec.as_ref());
        say("dynamic range", self.dynamic_range.as_ref());
        say("audio", self.audio_codec.as_ref());
        say("channels", self.audio_channels.map(|channels| channels.to_string()).as_ref());
        say("bit depth", self.audio_bits.as_ref());
        say("sample rate", self.audio_sample_rate.as_ref());
        say("bit rate", self.audio_bit_rate.as_ref());
        say("languages", self.audio_languages.as_ref());
        say("running time", self.run_time.as_ref());
        let is_video = self.resolution.is_some() || self.video_codec.is_some();
        match &self.subtitles {
            Some(subtitles) => words.push(format!("embedded subtitles {subtitles}")),
            None if is_video => words.push("no embedded subtitles listed".to_owned()),
            None => {}
        }
        if words.is_empty() { "analysed, and nothing was found out".to_owned() } else { words.join(", ") }
    }
}

/// A file's name without the folders above it: those are the house's own affair.
pub(crate) fn file_name(path: Option<&str>) -> String {
    let path = path.unwrap_or_default();
    path.rsplit(['/', '\\']).next().unwrap_or_default().chars().take(MAX_TEXT).collect()
}

fn text(value: Option<&String>) -> Option<String> {
    let value = value?.trim();
    (!value.is_empty()).then(|| value.chars().take(MAX_TEXT).collect())
}

/// In decimal gigabytes with one decimal.
fn gigabytes(bytes: i64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "one decimal is shown")]
    let gigabytes = bytes.max(0) as f64 / 1e9;
    format!("{gigabytes:.1} GB")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn row(properties: Option<FileProperties>) -> FileRow {
        FileRow {
            name: "Dune.mkv".into(),
            size_bytes: 15_250_000_000,
            quality: Some("Bluray-1080p".into()),
            record_found: true,
            properties,
            ..FileRow::gone(None)
        }
    }

    fn details(files: Vec<FileRow>) -> FileDetails {
        FileDetails { title: "Dune (2026)".into(), files, n_more: 0, n_skipped: 0 }
    }

    fn video(info: Value) -> FileProperties {
        FileProperties::of_video(&serde_json::from_value(info).unwrap())
    }

    #[test]
    fn case_146_a_file_that_was_not_analysed_is_unknown() {
        let words = details(vec![row(None)]).prose("this movie");
        assert!(words.contains("properties UNKNOWN"), "{words}");
        assert!(!words.contains("no embedded subtitles"), "{words}");
    }

    #[test]
    fn case_147_no_file_is_a_genuine_absence() {
        assert!(details(Vec::new()).prose("this movie").contains("genuine absence"));
    }

    #[test]
    fn where_records_could_not_be_read_none_is_said_to_be_absent_or_gone() {
        let unread = |files| FileDetails { n_skipped: 1, ..details(files) };
        let words = unread(Vec::new()).prose("this movie");
        assert!(!words.contains("genuine absence") && words.contains("does not say that it holds none"), "{words}");
        let words = unread(vec![FileRow::gone(Some("S01E02".into()))]).prose("this season");
        assert!(!words.contains("gone") && words.contains("UNKNOWN"), "{words}");
    }

    #[test]
    fn case_148_a_linked_file_whose_record_is_gone_is_said_to_be() {
        let words = details(vec![FileRow::gone(Some("S01E02".into()))]).prose("this season");
        assert!(words.contains("S01E02: the library links a file, but its record is gone upstream"), "{words}");
    }

    #[test]
    fn what_is_inside_a_film_is_told_as_the_service_found_it() {
        let properties = video(json!({
            "resolution": "1920x800", "videoCodec": "x264", "videoDynamicRange": "", "audioCodec": "AC3", "audioChannels": 5.1,
            "audioLanguages": "eng", "runTime": "2:10:44", "subtitles": "eng/fre",
        }));
        let words = details(vec![row(Some(properties))]).prose("this movie");
        assert_eq!(
            words,
            "Dune (2026) (1 file in the library):\n- Dune.mkv [Bluray-1080p], 15.2 GB, imported undated; resolution 1920x800, video x264, audio AC3, \
             channels 5.1, languages eng, running time 2:10:44, embedded subtitles eng/fre"
        );
    }

    #[test]
    fn a_film_without_subtitles_says_that_none_are_listed() {
        assert!(
            video(json!({"resolution": "1920x800", "subtitles": ""})).words().ends_with("no embedded subtitles listed")
        );
    }

    #[test]
    fn what_is_inside_a_track_has_bit_depth_and_sample_rate_and_no_subtitles() {
        let info: MediaInfo = serde_json::from_value(json!({
            "audioCodec": "FLAC", "audioBits": "24bit", "audioSampleRate": "96kHz", "audioChannels": 2.0, "audioBitRate": "2800 kbps",
        }))
        .unwrap();
        assert_eq!(
            FileProperties::of_track(&info).words(),
            "audio FLAC, channels 2, bit depth 24bit, sample rate 96kHz, bit rate 2800 kbps"
        );
    }

    #[test]
    fn a_file_goes_by_its_name_without_folders() {
        for (path, name) in [
            (Some("Season 01/Show.mkv"), "Show.mkv"),
            (Some("/music/Artist/Album/01 Track.flac"), "01 Track.flac"),
            (Some("D:\\Books\\Author\\Book.epub"), "Book.epub"),
            (None, ""),
        ] {
            assert_eq!(file_name(path), name);
        }
    }
}

//! Timelines of OpenTimelineIO: JSON in which tracks hold clips, gaps, transitions and further tracks.
//!
//! The crates of that name are empty or bind a C++ library; what a cut needs of the format is a handful of fields, so serde reads it. Unknown
//! fields and kinds are passed over, as the format asks of its readers.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::super::limits::{MAX_DEPTH, MAX_EVENTS, MAX_NAME_CHARS};
use super::super::text::{decode, tidied, within};
use super::super::{ImportFault, Warning};
use super::{CutEvent, FrameRate, ParsedCut};

/// Reads a timeline of a production at this rate.
///
/// # Errors
/// [`ImportFault::TooLarge`]; [`ImportFault::Unreadable`] for what is no timeline, for times at another rate, and when there is no picture in it.
pub fn read_otio(bytes: &[u8], rate: FrameRate) -> Result<ParsedCut, ImportFault> {
    let text = decode(bytes)?;
    let timeline: Item = serde_json::from_str(text).map_err(|error| {
        let line = u32::try_from(error.line()).unwrap_or(u32::MAX);
        ImportFault::at(line, format!("not an OpenTimelineIO file ({error})."))
    })?;
    let tracks = match (timeline.schema(), &timeline.tracks) {
        ("Timeline", Some(tracks)) => tracks,
        (schema, _) => {
            let shown: String = schema.chars().take(40).collect();
            return Err(ImportFault::general(format!("The file holds a {shown}, not a timeline with tracks.")));
        }
    };
    if let Some(start) = &timeline.global_start_time {
        start.frames(rate)?;
    }
    let mut walk =
        Walk { rate, cut: ParsedCut { title: name_of(&timeline)?, events: Vec::new(), warnings: Vec::new() } };
    walk.composition(tracks, None, 0)?;
    if walk.cut.events.is_empty() {
        return Err(ImportFault::general("No clip was found on the video tracks of the timeline."));
    }
    Ok(walk.cut)
}

/// Anything that stands in a timeline.
#[derive(Deserialize)]
struct Item {
    #[serde(rename = "OTIO_SCHEMA", default)]
    schema: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    source_range: Option<TimeRange>,
    #[serde(default)]
    children: Vec<Item>,
    #[serde(default)]
    enabled: Option<bool>,
    #[serde(default)]
    tracks: Option<Box<Item>>,
    #[serde(default)]
    global_start_time: Option<RationalTime>,
    /// The media of a clip of the first version.
    #[serde(default)]
    media_reference: Option<Media>,
    /// The media of a clip of the second version, and which of them is used.
    #[serde(default)]
    media_references: Option<BTreeMap<String, Option<Media>>>,
    #[serde(default)]
    active_media_reference_key: Option<String>,
}

#[derive(Deserialize)]
struct Media {
    #[serde(default)]
    available_range: Option<TimeRange>,
}

#[derive(Deserialize)]
struct TimeRange {
    #[serde(default)]
    start_time: Option<RationalTime>,
    duration: RationalTime,
}

#[derive(Deserialize)]
struct RationalTime {
    rate: f64,
    value: f64,
}

impl RationalTime {
    /// As a whole number of frames of the production.
    fn frames(&self, rate: FrameRate) -> Result<u64, ImportFault> {
        if !rate.is(self.rate) {
            let message = format!(
                "The timeline has times at {} frames a second; the production has {}.",
                self.rate,
                rate.counted()
            );
            return Err(ImportFault::general(message));
        }
        // Frames of a hundred hours at 480 a second; also keeps out what is no number.
        if !(0.0..2e8).contains(&self.value) {
            return Err(ImportFault::general(
                "The timeline has a time that is negative or longer than a hundred hours.",
            ));
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "checked to be within 0 and 2e8 just above"
        )]
        Ok(self.value.round() as u64)
    }
}

/// A stretch of an item's own time that is seen: from a frame, and how many.
#[derive(Clone, Copy)]
struct Window {
    start: u64,
    n_frames: u64,
}

impl Item {
    /// The kind without its version: `Clip` of `Clip.2`.
    fn schema(&self) -> &str {
        self.schema.split('.').next().unwrap_or_default()
    }

    fn is_transition(&self) -> bool {
        self.schema() == "Transition"
    }

    /// The range that is said for it, by itself or by its media.
    fn range(&self) -> Option<&TimeRange> {
        let active = || {
            let key = self.active_media_reference_key.as_deref().unwrap_or("DEFAULT_MEDIA");
            self.media_references.as_ref()?.get(key)?.as_ref()
        };
        let of_media = || self.media_reference.as_ref().or_else(active)?.available_range.as_ref();
        self.source_range.as_ref().or_else(of_media)
    }

    /// How long it is, children counted where nothing is said.
    fn n_frames(&self, rate: FrameRate, depth: usize) -> Result<u64, ImportFault> {
        if let Some(range) = self.range() {
            return range.duration.frames(rate);
        }
        check_depth(depth)?;
        let mut lengths =
            self.children.iter().filter(|child| !child.is_transition()).map(|child| child.n_frames(rate, depth + 1));
        match self.schema() {
            "Track" => lengths.sum(),
            _ => lengths.try_fold(0, |longest, length| Ok(longest.max(length?))),
        }
    }
}

struct Walk {
    rate: FrameRate,
    cut: ParsedCut,
}

impl Walk {
    /// Goes through a stack or a track, of which `seen` is visible from outside.
    fn composition(&mut self, item: &Item, seen: Option<Window>, depth: usize) -> Result<(), ImportFault> {
        check_depth(depth)?;
        if item.schema() == "Track" && item.kind.as_deref().is_some_and(|kind| !kind.eq_ignore_ascii_case("Video")) {
            return Ok(());
        }
        let seen = self.narrowed(item, seen)?;
        let mut start = 0_u64;
        for child in &item.children {
            if child.is_transition() {
                // Lies over its neighbours, and moves neither.
                continue;
            }
            let n_frames = child.n_frames(self.rate, depth + 1)?;
            let visible = match seen {
                None => Window { start: 0, n_frames },
                Some(window) => overlap(window, start, n_frames),
            };
            if visible.n_frames > 0 {
                self.child(child, visible, depth + 1)?;
            }
            if item.schema() == "Track" {
                start = start.saturating_add(n_frames);
            }
        }
        Ok(())
    }

    fn child(&mut self, child: &Item, visible: Window, depth: usize) -> Result<(), ImportFault> {
        if child.enabled == Some(false) {
            if child.schema() == "Clip" {
                let shown = name_of(child)?.unwrap_or_default();
                self.cut
                    .warnings
                    .push(Warning::general(format!("the clip `{shown}` is switched off and was left out.")));
            }
            return Ok(());
        }
        match child.schema() {
            "Clip" => self.clip(child, visible),
            "Stack" | "Track" => self.composition(child, Some(visible), depth),
            // Gaps, and what later versions may bring.
            _ => Ok(()),
        }
    }

    fn clip(&mut self, clip: &Item, visible: Window) -> Result<(), ImportFault> {
        if self.cut.events.len() == MAX_EVENTS {
            return Err(ImportFault::general(format!("The timeline has more than {MAX_EVENTS} clips.")));
        }
        let Some(name) = name_of(clip)? else {
            self.cut.warnings.push(Warning::general("a clip without a name was left out."));
            return Ok(());
        };
        let n_frames = u32::try_from(visible.n_frames).unwrap_or(u32::MAX);
        self.cut.events.push(CutEvent { line: 1, name, n_frames });
        Ok(())
    }

    /// What is visible of an item's children: the part that the item takes of them, and of that the part that is seen of the item.
    fn narrowed(&self, item: &Item, seen: Option<Window>) -> Result<Option<Window>, ImportFault> {
        let Some(range) = &item.source_range else { return Ok(seen) };
        let start = range.start_time.as_ref().map_or(Ok(0), |start| start.frames(self.rate))?;
        let n_frames = range.duration.frames(self.rate)?;
        Ok(Some(match seen {
            None => Window { start, n_frames },
            Some(seen) => {
                Window { start: start + seen.start, n_frames: seen.n_frames.min(n_frames.saturating_sub(seen.start)) }
            }
        }))
    }
}

/// The part of a child, which starts at `start` and is `n_frames` long, that lies in the window; in the child's own time.
fn overlap(window: Window, start: u64, n_frames: u64) -> Window {
    let from = window.start.max(start);
    let to = (window.start.saturating_add(window.n_frames)).min(start.saturating_add(n_frames));
    Window { start: from.saturating_sub(start), n_frames: to.saturating_sub(from) }
}

fn check_depth(depth: usize) -> Result<(), ImportFault> {
    if depth < MAX_DEPTH {
        Ok(())
    } else {
        Err(ImportFault::general(format!("Tracks stand more than {MAX_DEPTH} deep in one another.")))
    }
}

fn name_of(item: &Item) -> Result<Option<String>, ImportFault> {
    let name = tidied(item.name.as_deref().unwrap_or_default());
    within(&name, MAX_NAME_CHARS, "a clip's name", 1)?;
    Ok((!name.is_empty()).then_some(name))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn time(value: f64) -> Value {
        json!({ "OTIO_SCHEMA": "RationalTime.1", "rate": 25.0, "value": value })
    }

    fn range(start: u32, n_frames: u32) -> Value {
        json!({ "OTIO_SCHEMA": "TimeRange.1", "start_time": time(start.into()), "duration": time(n_frames.into()) })
    }

    fn clip(name: &str, n_frames: u32) -> Value {
        json!({ "OTIO_SCHEMA": "Clip.2", "name": name, "source_range": range(100, n_frames) })
    }

    fn track(kind: &str, children: &[Value]) -> Value {
        json!({ "OTIO_SCHEMA": "Track.1", "kind": kind, "source_range": null, "children": children })
    }

    fn read(tracks: &[Value]) -> Result<ParsedCut, ImportFault> {
        let timeline = json!({ "OTIO_SCHEMA": "Timeline.1", "name": "CUT", "global_start_time": time(90_000.0),
            "tracks": { "OTIO_SCHEMA": "Stack.1", "children": tracks } });
        read_otio(timeline.to_string().as_bytes(), "25".parse().unwrap())
    }

    fn shown(tracks: &[Value]) -> Vec<(String, u32)> {
        read(tracks).unwrap().events.into_iter().map(|event| (event.name, event.n_frames)).collect()
    }

    #[test]
    fn clips_of_video_tracks_are_read_and_gaps_transitions_and_sound_are_not() {
        let gap = json!({ "OTIO_SCHEMA": "Gap.1", "source_range": range(0, 10) });
        let transition = json!({ "OTIO_SCHEMA": "Transition.1", "in_offset": time(5.0), "out_offset": time(5.0) });
        let events = shown(&[
            track("Video", &[clip("A", 75), gap, clip("B", 20), transition, clip("C", 5)]),
            track("Audio", &[clip("S", 100)]),
        ]);
        assert_eq!(events, [("A".to_owned(), 75), ("B".to_owned(), 20), ("C".to_owned(), 5)]);
    }

    #[test]
    fn a_clip_without_a_range_is_as_long_as_its_media() {
        let media = json!({ "OTIO_SCHEMA": "ExternalReference.1", "available_range": range(0, 40) });
        let second = json!({ "OTIO_SCHEMA": "Clip.2", "name": "A", "media_references": { "hi": media }, "active_media_reference_key": "hi" });
        let first = json!({ "OTIO_SCHEMA": "Clip.1", "name": "B", "media_reference": media });
        assert_eq!(shown(&[track("Video", &[second, first])]), [("A".to_owned(), 40), ("B".to_owned(), 40)]);
    }

    #[test]
    fn nested_tracks_show_what_is_taken_of_them() {
        // Of A (10), B (10) and C (10), frames 5 to 20 are taken: half of A, all of B.
        let mut nested = track("Video", &[clip("A", 10), clip("B", 10), clip("C", 10)]);
        nested["source_range"] = range(5, 15);
        assert_eq!(
            shown(&[track("Video", &[clip("X", 3), nested.clone()])]),
            [("X".to_owned(), 3), ("A".to_owned(), 5), ("B".to_owned(), 10)]
        );
        let mut stack = json!({ "OTIO_SCHEMA": "Stack.1", "children": [nested] });
        stack["source_range"] = range(2, 4);
        assert_eq!(shown(&[track("Video", &[stack])]), [("A".to_owned(), 3), ("B".to_owned(), 1)]);
    }

    #[test]
    fn what_is_switched_off_or_has_no_name_is_a_warning() {
        let mut off = clip("OFF", 5);
        off["enabled"] = json!(false);
        let mut nameless = clip("", 5);
        nameless["name"] = Value::Null;
        let cut = read(&[track("Video", &[off, nameless, clip("A", 5)])]).unwrap();
        assert_eq!((cut.events.len(), cut.warnings.len()), (1, 2));
    }

    #[test]
    fn other_rates_and_other_files_are_refused() {
        let said = |fault: Result<ParsedCut, ImportFault>| fault.unwrap_err().to_string();
        let mut fast = clip("A", 5);
        fast["source_range"]["duration"]["rate"] = json!(29.97);
        assert_eq!(
            said(read(&[track("Video", &[fast])])),
            "The timeline has times at 29.97 frames a second; the production has 25."
        );
        let mut back = clip("A", 5);
        back["source_range"]["duration"]["value"] = json!(-1.0);
        assert!(said(read(&[track("Video", &[back])])).contains("negative"));
        assert!(said(read(&[])).contains("No clip was found"));
        let other = |text: &str| said(read_otio(text.as_bytes(), "25".parse().unwrap()));
        assert!(other("{}").contains("not a timeline"));
        assert!(other("{\n\"OTIO_SCHEMA\": 5}").starts_with("Line 2: not an OpenTimelineIO file"));
        let deep = format!("{}{}", r#"{"children":["#.repeat(500), "]}".repeat(500));
        assert!(other(&deep).contains("recursion limit"));
    }

    proptest! {
        #[test]
        fn no_numbers_make_the_reader_panic(start in any::<f64>(), n_frames in any::<f64>(), inner in 0_u32..200, rate in prop_oneof![Just(25.0), any::<f64>()]) {
            let mut nested = track("Video", &[clip("A", inner)]);
            nested["source_range"] = json!({ "start_time": { "rate": rate, "value": start }, "duration": { "rate": rate, "value": n_frames } });
            let _ = read(&[track("Video", &[nested])]);
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..500)) {
            let _ = read_otio(&bytes, "25".parse().unwrap());
        }
    }
}

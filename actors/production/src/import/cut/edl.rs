//! Edit lists in the CMX 3600 form: one line an event, remarks with a star below it.
//!
//! ```text
//! 001  A004C012 V     C        14:02:11:05 14:02:14:05 01:00:00:00 01:00:03:00
//! * FROM CLIP NAME: KST_101_003_0010
//! ```
//!
//! The published crate for it belongs to a media framework of many crates and keeps no lines; the form is one of eight or nine words a line.

use super::super::limits::{MAX_EVENTS, MAX_NAME_CHARS};
use super::super::text::{decode, tidied, with_plain_line_ends, within};
use super::super::{ImportFault, Warning};
use super::{CutEvent, FrameRate, ParsedCut};

/// Reads an edit list of a production at this rate.
///
/// # Errors
/// [`ImportFault::TooLarge`]; [`ImportFault::Unreadable`] for drop frame, for time codes that are none at this rate, for events that end before
/// they start, and when there is no picture in it.
pub fn read_edl(bytes: &[u8], rate: FrameRate) -> Result<ParsedCut, ImportFault> {
    let text = with_plain_line_ends(decode(bytes)?);
    let mut reader = Reader {
        rate,
        cut: ParsedCut { title: None, events: Vec::new(), warnings: Vec::new() },
        open: None,
        n_events: 0,
    };
    for (line, text) in (1_u32..).zip(text.lines()) {
        reader.read_line(line, text.trim())?;
    }
    reader.close_event();
    if reader.cut.events.is_empty() {
        return Err(ImportFault::general("No picture was found in the edit list; is it CMX 3600, with events on V?"));
    }
    Ok(reader.cut)
}

struct Reader {
    rate: FrameRate,
    cut: ParsedCut,
    /// The event that remarks belong to.
    open: Option<Event>,
    n_events: usize,
}

struct Event {
    line: u32,
    reel: String,
    n_frames: u32,
    /// Whether it is the incoming side of a dissolve or a wipe: `TO CLIP NAME` then names it.
    is_incoming: bool,
    from: Option<String>,
    to: Option<String>,
}

impl Reader {
    fn read_line(&mut self, line: u32, text: &str) -> Result<(), ImportFault> {
        if let Some(title) = after(text, "TITLE:") {
            self.cut.title = Some(tidied(title)).filter(|title| !title.is_empty());
        } else if let Some(count) = after(text, "FCM:") {
            let count = tidied(count).to_uppercase();
            if count.starts_with("DROP") {
                return Err(drop_frame(line));
            }
        } else if let Some(remark) = text.strip_prefix('*') {
            self.remark(line, remark.trim())?;
        } else if text.bytes().next().is_some_and(|byte| byte.is_ascii_digit()) {
            self.event(line, text)?;
        }
        // Anything else is about motion, key, audio or colour: it changes no picture's place.
        Ok(())
    }

    fn remark(&mut self, line: u32, remark: &str) -> Result<(), ImportFault> {
        let Some(event) = &mut self.open else { return Ok(()) };
        if let Some(name) = after(remark, "FROM CLIP NAME:") {
            event.from = name_of(name, line)?;
        } else if let Some(name) = after(remark, "TO CLIP NAME:") {
            event.to = name_of(name, line)?;
        }
        Ok(())
    }

    fn event(&mut self, line: u32, text: &str) -> Result<(), ImportFault> {
        let words: Vec<&str> = text.split_whitespace().collect();
        // Number, reel, track, transition, its length for all but a cut, then source in and out, record in and out.
        let [_, reel, track, transition, .., record_in, record_out] = words[..] else {
            return Err(ImportFault::at(
                line,
                "an event has a number, a reel, a track, a transition and four time codes.",
            ));
        };
        if words.len() < 8 {
            return Err(ImportFault::at(
                line,
                "an event has a number, a reel, a track, a transition and four time codes.",
            ));
        }
        self.close_event();
        if !is_picture(track) {
            return Ok(());
        }
        self.n_events += 1;
        if self.n_events > MAX_EVENTS {
            return Err(ImportFault::at(line, format!("more than {MAX_EVENTS} events.")));
        }
        let (start, end) = (self.frame(line, record_in)?, self.frame(line, record_out)?);
        let n_frames = end.checked_sub(start).and_then(|n_frames| u32::try_from(n_frames).ok());
        let Some(n_frames) = n_frames else {
            return Err(ImportFault::at(
                line,
                format!("the record ends at {record_out}, before it starts at {record_in}."),
            ));
        };
        self.open = Some(Event {
            line,
            reel: reel.to_owned(),
            n_frames,
            is_incoming: !transition.eq_ignore_ascii_case("C"),
            from: None,
            to: None,
        });
        Ok(())
    }

    fn frame(&self, line: u32, timecode: &str) -> Result<u64, ImportFault> {
        self.rate.frame_of(timecode).ok_or_else(|| {
            if timecode.contains([';', '.']) {
                return drop_frame(line);
            }
            let shown: String = timecode.chars().take(20).collect();
            ImportFault::at(line, format!("`{shown}` is no time code at {} frames a second.", self.rate.counted()))
        })
    }

    fn close_event(&mut self) {
        let Some(event) = self.open.take() else { return };
        let named = if event.is_incoming { event.to.or(event.from) } else { event.from };
        // The outgoing side of a dissolve stands there without length, black without a name.
        if event.n_frames == 0 || named.is_none() && matches!(event.reel.as_str(), "BL" | "BLACK") {
            return;
        }
        if named.is_none() {
            let message = format!("the event has no clip name; its reel {} stands for it.", event.reel);
            self.cut.warnings.push(Warning::at(event.line, message));
        }
        let name = named.unwrap_or(event.reel);
        self.cut.events.push(CutEvent { line: event.line, name, n_frames: event.n_frames });
    }
}

/// Whether a track carries picture: `V`, `V2`, `B` (both), `AA/V`.
fn is_picture(track: &str) -> bool {
    let track = track.to_ascii_uppercase();
    let is_video =
        |part: &str| part.strip_prefix('V').is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit()));
    track == "B" || track.split('/').any(is_video)
}

fn name_of(name: &str, line: u32) -> Result<Option<String>, ImportFault> {
    let name = tidied(name);
    within(&name, MAX_NAME_CHARS, "the clip's name", line)?;
    Ok((!name.is_empty()).then_some(name))
}

fn drop_frame(line: u32) -> ImportFault {
    ImportFault::at(line, "drop frame; export the edit list as non-drop frame.")
}

/// What follows a word, in any case.
fn after<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let head = text.get(..word.len())?;
    head.eq_ignore_ascii_case(word).then(|| &text[word.len()..])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const HEAD: &str = "TITLE: CUT\nFCM: NON-DROP FRAME\n";

    fn read(events: &str) -> Result<ParsedCut, ImportFault> {
        read_edl(format!("{HEAD}{events}").as_bytes(), "25".parse().unwrap())
    }

    fn shown(events: &str) -> Vec<(String, u32)> {
        read(events).unwrap().events.into_iter().map(|event| (event.name, event.n_frames)).collect()
    }

    #[test]
    fn the_record_gives_the_length_and_the_remark_the_name() {
        let cut = read(
            "001  A1 V     C        14:02:11:05 14:02:20:05 01:00:00:00 01:00:03:00\r\n* FROM CLIP NAME:  KST_1  \n",
        )
        .unwrap();
        assert_eq!(cut.title.as_deref(), Some("CUT"));
        assert_eq!(cut.events, [CutEvent { line: 3, name: "KST_1".into(), n_frames: 75 }]);
    }

    #[test]
    fn only_picture_is_read() {
        let events = "001 A1 A C 00:00:00:00 00:00:01:00 01:00:00:00 01:00:01:00\n* FROM CLIP NAME: SOUND\n\
                      002 A1 AA/V C 00:00:00:00 00:00:01:00 01:00:00:00 01:00:01:00\n* FROM CLIP NAME: BOTH\n\
                      003 BL V C 00:00:00:00 00:00:01:00 01:00:01:00 01:00:02:00\n\
                      004 A7 V2 C 00:00:00:00 00:00:01:00 01:00:02:00 01:00:03:00\nM2 A7 050.0 00:00:00:00\n";
        assert_eq!(shown(events), [("BOTH".to_owned(), 25), ("A7".to_owned(), 25)]);
    }

    #[test]
    fn a_dissolve_is_the_clip_that_comes_in() {
        let events = "001 A1 V C 00:00:00:00 00:00:00:00 01:00:00:00 01:00:00:00\n\
                      001 A2 V D 024 00:00:00:00 00:00:02:00 01:00:00:00 01:00:02:00\n* FROM CLIP NAME: OLD\n* TO CLIP NAME: NEW\n";
        assert_eq!(shown(events), [("NEW".to_owned(), 50)]);
    }

    #[test]
    fn drop_frame_and_other_rates_are_refused() {
        let said = |events: &str| read(events).unwrap_err().to_string();
        assert!(said("FCM: DROP FRAME\n").contains("Line 3: drop frame"));
        assert!(said("001 A V C 00:00:00:00 00:00:01:00 01:00:00;00 01:00:01;00\n").contains("Line 3: drop frame"));
        assert_eq!(
            said("001 A V C 00:00:00:00 00:00:01:00 01:00:00:29 01:00:01:00\n"),
            "Line 3: `01:00:00:29` is no time code at 25 frames a second."
        );
        assert!(said("001 A V C 00:00:00:00 00:00:01:00 01:00:02:00 01:00:01:00\n").contains("before it starts"));
        assert!(said("001 A V C 01:00:02:00 01:00:01:00\n").contains("four time codes"));
        assert!(said("").contains("No picture was found"));
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..1_000)) {
            let _ = read_edl(&bytes, "25".parse().unwrap());
        }

        #[test]
        fn no_line_makes_the_reader_panic(lines in "([0-9* ]{1,4}[A-Z0-9:é ]{0,60}\n){0,10}") {
            let _ = read_edl(lines.as_bytes(), "25".parse().unwrap());
        }
    }
}

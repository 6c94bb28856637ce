//! Cuts a list of JSON into its elements, wherever the pieces of its bytes begin and end.

use memchr::memchr2;
use serde::Deserialize;
use serde_json::value::RawValue;

/// The byte order mark of UTF-8, with which some services begin.
const BYTE_ORDER_MARK: [u8; 3] = [0xef, 0xbb, 0xbf];

/// An element is not longer; a longer one is no record.
const LONGEST_ELEMENT_BYTES: usize = 16 << 20;

/// Why a body is no list, or not a whole one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListFault {
    /// It ends before the list does.
    CutOff,
    /// It is JSON, but neither a list nor an object with one.
    NotAList,
    /// It is a web page.
    WebPage,
    /// It is nothing that can be read, or an element has no end.
    Unreadable,
}

/// Cuts a list into its elements. It checks no grammar beyond that: whoever reads the elements does.
#[derive(Debug, Default)]
pub(crate) struct Splitter {
    place: Place,
    /// How much of a byte order mark has come, while the place is the start; less than all of it.
    n_mark: usize,
    /// What was fed and not given out: the beginning of an element.
    held: Vec<u8>,
    /// How much of it was looked at.
    n_seen: usize,
    depth: u32,
    in_text: bool,
    /// The next byte of the text has no meaning of its own.
    escaped: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Place {
    /// At the very beginning, where a byte order mark may stand.
    #[default]
    Start,
    Before,
    /// In the list.
    Inside,
    /// In an object that has the list somewhere; it is read as a whole.
    Envelope,
    After,
}

impl Splitter {
    /// Takes the next bytes and gives out each element that ended with them.
    pub(crate) fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(&[u8])) -> Result<(), ListFault> {
        let bytes = self.past_mark(bytes)?;
        let bytes = match self.place {
            // Nothing is left of this piece.
            Place::Start => return Ok(()),
            Place::Before => {
                let Some(at) = bytes.iter().position(|byte| !byte.is_ascii_whitespace()) else { return Ok(()) };
                match bytes[at] {
                    b'[' => {
                        self.place = Place::Inside;
                        &bytes[at + 1..]
                    }
                    b'{' => {
                        self.place = Place::Envelope;
                        &bytes[at..]
                    }
                    b'<' => return Err(ListFault::WebPage),
                    b'"' | b'-' | b'0'..=b'9' | b'n' | b't' | b'f' => return Err(ListFault::NotAList),
                    _ => return Err(ListFault::Unreadable),
                }
            }
            Place::Inside | Place::Envelope => bytes,
            Place::After => return Ok(()),
        };
        self.held.extend_from_slice(bytes);
        if self.place == Place::Inside {
            self.cut(&mut each)?;
        }
        Ok(())
    }

    /// The end of the body. An envelope's list is given out here.
    pub(crate) fn finish(self, mut each: impl FnMut(&[u8])) -> Result<(), ListFault> {
        match self.place {
            Place::After => Ok(()),
            Place::Start | Place::Before | Place::Inside => Err(ListFault::CutOff),
            Place::Envelope => {
                let envelope: Envelope<'_> =
                    serde_json::from_slice(&self.held).map_err(|error| match error.is_eof() {
                        true => ListFault::CutOff,
                        false => ListFault::Unreadable,
                    })?;
                let list = envelope.records.or(envelope.releases).ok_or(ListFault::NotAList)?;
                list.into_iter().for_each(|element| each(element.get().as_bytes()));
                Ok(())
            }
        }
    }

    /// How many bytes are held for [`Splitter::finish`].
    pub(crate) fn n_held(&self) -> usize {
        self.held.len()
    }

    /// The rest of `bytes` behind a byte order mark at the very beginning. A part of one is no beginning of anything.
    fn past_mark<'b>(&mut self, mut bytes: &'b [u8]) -> Result<&'b [u8], ListFault> {
        while self.place == Place::Start
            && let Some((byte, rest)) = bytes.split_first()
        {
            if *byte == BYTE_ORDER_MARK[self.n_mark] {
                bytes = rest;
                self.n_mark += 1;
                if self.n_mark == BYTE_ORDER_MARK.len() {
                    self.place = Place::Before;
                }
            } else if self.n_mark == 0 {
                self.place = Place::Before;
            } else {
                return Err(ListFault::Unreadable);
            }
        }
        Ok(bytes)
    }

    fn cut(&mut self, each: &mut impl FnMut(&[u8])) -> Result<(), ListFault> {
        let held = std::mem::take(&mut self.held);
        let mut begin = 0;
        let mut at = self.n_seen;
        while at < held.len() {
            if self.escaped {
                self.escaped = false;
                at += 1;
                continue;
            }
            if self.in_text {
                match memchr2(b'"', b'\\', &held[at..]) {
                    None => at = held.len(),
                    Some(n) => {
                        self.escaped = held[at + n] == b'\\';
                        self.in_text = self.escaped;
                        at += n + 1;
                    }
                }
                continue;
            }
            match held[at] {
                b'"' => self.in_text = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' if self.depth > 0 => self.depth -= 1,
                b']' => {
                    give(&held[begin..at], each);
                    self.place = Place::After;
                    return Ok(());
                }
                b',' if self.depth == 0 => {
                    give(&held[begin..at], each);
                    begin = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        let rest = &held[begin..];
        if rest.len() > LONGEST_ELEMENT_BYTES {
            return Err(ListFault::Unreadable);
        }
        self.n_seen = rest.len();
        self.held = rest.to_vec();
        Ok(())
    }
}

fn give(element: &[u8], each: &mut impl FnMut(&[u8])) {
    let element = element.trim_ascii();
    if !element.is_empty() {
        each(element);
    }
}

/// An object that has a list in it: a page, or Chaptarr's releases.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    records: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    releases: Option<Vec<&'a RawValue>>,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    /// The elements of a body that comes in pieces of this length.
    fn elements(body: &str, piece: usize) -> Result<Vec<Value>, ListFault> {
        let mut elements = Vec::new();
        let mut take = |element: &[u8]| elements.push(serde_json::from_slice(element).unwrap());
        let mut splitter = Splitter::default();
        for piece in body.as_bytes().chunks(piece) {
            splitter.feed(piece, &mut take)?;
        }
        splitter.finish(&mut take)?;
        Ok(elements)
    }

    #[test]
    fn an_envelope_is_opened() {
        let releases = r#"{"hiddenReleases":[{"a":1}],"releases":[{"guid":"x"}],"filterSummary":{}}"#;
        assert_eq!(elements(releases, 3), Ok(vec![json!({"guid": "x"})]));
        assert_eq!(elements(r#"{"page":1,"records":[]}"#, 3), Ok(vec![]));
        assert_eq!(elements(r#"{"message":"no"}"#, 3), Err(ListFault::NotAList));
        assert_eq!(elements(r#"{"records":[1"#, 3), Err(ListFault::CutOff));
    }

    #[test]
    fn a_byte_order_mark_is_passed_over() {
        for piece in 1..6 {
            assert_eq!(elements("\u{feff} [1]", piece), Ok(vec![json!(1)]), "{piece}");
        }
    }

    #[test]
    fn only_one_whole_mark_at_the_very_beginning_is_passed_over() {
        let read = |body: &[u8], piece: usize| {
            let mut splitter = Splitter::default();
            body.chunks(piece).try_for_each(|piece| splitter.feed(piece, |_| {})).and_then(|()| splitter.finish(|_| {}))
        };
        for body in [&b"\xef[1]"[..], b"\xef\xbb[1]", b"\xbf[1]", b"\xef\xbb\xbf\xef\xbb\xbf[1]", b" \xef\xbb\xbf[1]"] {
            for piece in [1, 2, 64] {
                assert_eq!(read(body, piece), Err(ListFault::Unreadable), "{body:?} in pieces of {piece}");
            }
        }
        assert_eq!(read(b"\xef\xbb", 1), Err(ListFault::CutOff));
    }

    #[test]
    fn a_body_of_nothing_but_marks_is_refused_and_takes_no_stack() {
        for byte in BYTE_ORDER_MARK {
            let body = vec![byte; 8 << 20];
            assert_eq!(Splitter::default().feed(&body, |_| {}), Err(ListFault::Unreadable));
        }
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            r#"[\\"\[\]{},a ü]{0,8}"#.prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::hash_map(r#"["\\,a]{0,3}"#, inner, 0..4)
                    .prop_map(|entries| Value::from(serde_json::Map::from_iter(entries))),
            ]
        })
    }

    proptest! {
        #[test]
        fn elements_are_the_same_wherever_the_pieces_end(
            list in prop::collection::vec(any_json(), 0..8),
            piece in 1_usize..40,
            pretty in any::<bool>(),
        ) {
            let body = if pretty { serde_json::to_string_pretty(&list) } else { serde_json::to_string(&list) };
            prop_assert_eq!(elements(&body.unwrap(), piece), Ok(list));
        }
    }
}

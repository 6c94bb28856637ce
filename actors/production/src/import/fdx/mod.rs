//! Screenplays of Final Draft: XML in which every paragraph says what it is.
//!
//! quick-xml reads the XML; here is what its elements mean. A file with a document type declaration is refused unread, and so is every entity
//! but the five that XML itself has: no entity is ever expanded, so none can grow.

mod paragraph;
mod tags;
mod walk;

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::escape::resolve_predefined_entity;
use quick_xml::events::{BytesStart, Event};

use self::walk::Walk;
use super::limits::MAX_DEPTH;
use super::text::decode;
use super::{ImportFault, ParsedScript};

/// Reads a screenplay.
///
/// # Errors
/// [`ImportFault::TooLarge`]; [`ImportFault::Unreadable`] for what is not well-formed, declares a document type or entities, is no Final Draft
/// script, has no scene heading, or passes a limit.
pub fn read_fdx(bytes: &[u8]) -> Result<ParsedScript, ImportFault> {
    let text = decode(bytes)?;
    let mut reader = Reader::from_str(text);
    let mut lines = Lines { text, at: 0, line: 1 };
    let mut walk = Walk::new();
    loop {
        let line = lines.at(reader.buffer_position());
        let event = reader.read_event().map_err(|error| {
            let line = lines.at(reader.error_position());
            ImportFault::at(line, format!("not well-formed XML ({error})."))
        })?;
        match event {
            Event::Start(element) => open(&mut walk, line, &element)?,
            Event::Empty(element) => {
                open(&mut walk, line, &element)?;
                walk.close()?;
            }
            Event::End(_) => walk.close()?,
            Event::Text(text) => walk.text(&text.xml10_content()),
            Event::CData(text) => walk.text(&text.xml10_content()),
            Event::GeneralRef(reference) => {
                let character = reference.resolve_char_ref().ok().flatten();
                match (character, resolve_predefined_entity(&reference.xml10_content())) {
                    (Some(character), _) => walk.text(character.encode_utf8(&mut [0; 4])),
                    (None, Some(text)) => walk.text(text),
                    (None, None) => {
                        return Err(ImportFault::at(
                            line,
                            "an entity that XML itself does not have; it was not expanded.",
                        ));
                    }
                }
            }
            Event::DocType(_) => {
                return Err(ImportFault::at(
                    line,
                    "a document type declaration; Final Draft writes none, so the file was not read.",
                ));
            }
            Event::Eof if walk.depth() > 0 => {
                return Err(ImportFault::at(line, "the file ends in the middle; send it whole."));
            }
            Event::Eof => return walk.finish(),
            Event::Decl(_) | Event::PI(_) | Event::Comment(_) => {}
        }
    }
}

fn open(walk: &mut Walk, line: u32, element: &BytesStart<'_>) -> Result<(), ImportFault> {
    if walk.depth() == MAX_DEPTH {
        return Err(ImportFault::at(line, format!("elements stand more than {MAX_DEPTH} deep in one another.")));
    }
    walk.open(line, element.local_name().as_ref(), &Attributes(element))
}

/// Counts lines along with the reader, looking at each byte once.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: u32,
}

impl Lines<'_> {
    fn at(&mut self, position: u64) -> u32 {
        let position = usize::try_from(position).unwrap_or(usize::MAX).clamp(self.at, self.text.len());
        let n_breaks = self.text.as_bytes()[self.at..position].iter().filter(|byte| **byte == b'\n').count();
        self.at = position;
        self.line = self.line.saturating_add(u32::try_from(n_breaks).unwrap_or(u32::MAX));
        self.line
    }
}

/// The attributes of one element.
struct Attributes<'a>(&'a BytesStart<'a>);

impl Attributes<'_> {
    /// An attribute's value; none where it is missing, empty or not readable.
    ///
    /// Twins are not looked for: that takes the square of their number, and the first one counts.
    fn get(&self, name: &str) -> Option<String> {
        let mut attributes = self.0.attributes();
        let found =
            attributes.with_checks(false).flatten().find(|attribute| attribute.key.local_name().as_ref() == name)?;
        let value = found.normalized_value(XmlVersion::Implicit1_0).ok()?;
        (!value.trim().is_empty()).then(|| value.trim().to_owned())
    }
}

#[cfg(test)]
mod tests;

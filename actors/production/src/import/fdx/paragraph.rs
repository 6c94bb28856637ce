//! One paragraph of a Final Draft script while it is being read.

use super::super::script::{cue_name, note_parts};
use super::super::text::tidied;
use super::super::{ElementKind, ParsedNote};

/// What is known of a paragraph so far.
#[derive(Default)]
pub(super) struct Paragraph {
    /// The line of its tag.
    pub(super) line: u32,
    /// Its `Type`.
    pub(super) paragraph_type: String,
    /// Its `Number`: a scene's.
    pub(super) number: Option<String>,
    /// Its `Text` runs joined.
    pub(super) text: String,
    /// `Length` of its scene.
    pub(super) length: Option<String>,
    /// `Page` of its scene.
    pub(super) page: Option<u32>,
    /// Its scene's summary.
    pub(super) summary: String,
    /// Numbers of the tags that its runs carry.
    pub(super) tags: Vec<String>,
    /// The text of its script notes, one each.
    pub(super) notes: Vec<String>,
}

/// What to do with a paragraph that has ended.
pub(super) enum Kind {
    Heading,
    Element(ElementKind),
    Nothing,
}

impl Paragraph {
    /// What it is, by its type. Unknown types are action: nothing of a script is lost for a word.
    pub(super) fn kind(&self) -> Kind {
        if self.paragraph_type.eq_ignore_ascii_case("Scene Heading") {
            return Kind::Heading;
        }
        if self.text.trim().is_empty() {
            return Kind::Nothing;
        }
        match self.paragraph_type.to_ascii_lowercase().as_str() {
            "character" => match cue_name(&self.text) {
                Some(name) => Kind::Element(ElementKind::Cue { name, dual: false }),
                None => Kind::Element(ElementKind::Action),
            },
            "parenthetical" => Kind::Element(ElementKind::Parenthetical),
            "dialogue" | "dialog" | "singing" | "lyrics" => Kind::Element(ElementKind::Dialogue),
            "transition" => Kind::Element(ElementKind::Transition),
            "cast list" | "new act" | "end of act" => Kind::Nothing,
            outline if outline.starts_with("outline") => Kind::Nothing,
            _ => Kind::Element(ElementKind::Action),
        }
    }

    /// Its notes, taken apart.
    pub(super) fn parsed_notes(&self) -> impl Iterator<Item = ParsedNote> {
        let notes = self.notes.iter().map(|note| (note_parts(note), self.line));
        notes.filter(|((_, text), _)| !text.is_empty()).map(|((tag, text), line)| ParsedNote { line, tag, text })
    }

    /// Its text, tidied line by line.
    pub(super) fn lines(&self) -> String {
        self.text.lines().map(tidied).collect::<Vec<_>>().join("\n").trim().to_owned()
    }
}

/// A length such as `1 3/8`, `2/8` or `1`, in eighths; none for anything else and for nothing.
pub(super) fn eighths(length: &str) -> Option<u32> {
    let mut sum = 0_u32;
    for part in length.split_whitespace() {
        let part = match part.split_once('/') {
            Some((eighths, "8")) => eighths.parse().ok()?,
            Some(_) => return None,
            None => part.parse::<u32>().ok()?.checked_mul(8)?,
        };
        sum = sum.checked_add(part)?;
    }
    // A scene of a thousand pages is a slip.
    (1..=8_000).contains(&sum).then_some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_pages_and_eighths() {
        for (length, expected) in [
            ("1 3/8", Some(11)),
            ("2/8", Some(2)),
            ("1", Some(8)),
            ("0/8", None),
            ("", None),
            ("1/4", None),
            ("x", None),
            ("4294967295", None),
        ] {
            assert_eq!(eighths(length), expected, "{length}");
        }
    }
}

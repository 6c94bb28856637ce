//! What a screenplay says, whichever format it came in.

use std::collections::HashSet;

use super::text::tidied;
use super::{HeadingParts, Warning};
use crate::model::{DraftSource, IntExt};

/// A screenplay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedScript {
    /// The format it came in.
    pub source: DraftSource,
    /// The title page: key as written, value with its lines joined.
    pub title_page: Vec<(String, String)>,
    /// What stands before the first heading.
    pub preamble: Vec<Element>,
    /// The scenes, in order.
    pub scenes: Vec<ParsedScene>,
    /// What a person should look at.
    pub warnings: Vec<Warning>,
}

/// One scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedScene {
    /// The line of its heading.
    pub line: u32,
    /// Its number, in capitals and without blanks; none where the draft is not numbered.
    pub number: Option<String>,
    /// The heading in capitals, without its number. `OMITTED` for an omitted scene.
    pub heading: String,
    /// Inside or outside.
    pub int_ext: Option<IntExt>,
    /// The place.
    pub set_name: Option<String>,
    /// The time of day.
    pub time_of_day: Option<String>,
    /// Whether only its number is left.
    pub omitted: bool,
    /// What it is about, in a sentence, where the writer said so.
    pub synopsis: Option<String>,
    /// Its length in eighths of a page; at least 1, except for an omitted scene, which has none.
    pub page_eighths: u32,
    /// Whether the length was worked out here rather than said by the file.
    pub eighths_estimated: bool,
    /// The page it starts on, where the file says so.
    pub page: Option<u32>,
    /// What is in it, in order.
    pub elements: Vec<Element>,
    /// Notes between the lines, in order.
    pub notes: Vec<ParsedNote>,
    /// Things that the breakdown tagged.
    pub tagged: Vec<Tagged>,
}

/// One paragraph of a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element {
    /// The line it starts on.
    pub line: u32,
    /// What it is.
    pub kind: ElementKind,
    /// Its text without the marks that made it what it is. Lines within it are parted by `\n`.
    pub text: String,
}

/// What a paragraph is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ElementKind {
    /// What is seen and heard. Centred lines count as action.
    Action,
    /// Who speaks next.
    Cue {
        /// The name without extensions such as `(V.O.)`.
        name: String,
        /// Whether it is spoken beside the block before it.
        dual: bool,
    },
    /// How it is spoken.
    Parenthetical,
    /// What is spoken or sung.
    Dialogue,
    /// How the scene ends.
    Transition,
}

/// A note between the lines: `[[VFX: creature silhouette]]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedNote {
    /// Its line.
    pub line: u32,
    /// What stands before the colon, if that is one word.
    pub tag: Option<String>,
    /// The rest.
    pub text: String,
}

/// A thing that the script's breakdown tagged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tagged {
    /// The line of the words that carry the tag.
    pub line: u32,
    /// The category's name, such as `Props`.
    pub category: String,
    /// What the thing is called.
    pub label: String,
}

impl ParsedScript {
    /// Whether every scene has a number: the draft is locked.
    #[must_use]
    pub fn is_numbered(&self) -> bool {
        !self.scenes.is_empty() && self.scenes.iter().all(|scene| scene.number.is_some())
    }

    /// A title page's value by its key in any case.
    #[must_use]
    pub fn title_page_value(&self, key: &str) -> Option<&str> {
        let found = self.title_page.iter().find(|(own, _)| own.eq_ignore_ascii_case(key));
        found.map(|(_, value)| value.as_str()).filter(|value| !value.is_empty())
    }
}

impl ParsedScene {
    /// An empty scene under a heading.
    pub(super) fn under(line: u32, number: Option<String>, parts: HeadingParts, omitted: bool) -> Self {
        let HeadingParts { heading, int_ext, set_name, time_of_day } = parts;
        let (heading, set_name) = if omitted { ("OMITTED".to_owned(), None) } else { (heading, set_name) };
        Self {
            line,
            number,
            heading,
            int_ext,
            set_name,
            time_of_day,
            omitted,
            synopsis: None,
            page_eighths: 0,
            eighths_estimated: false,
            page: None,
            elements: Vec::new(),
            notes: Vec::new(),
            tagged: Vec::new(),
        }
    }

    /// Who speaks in it, each once, in the order of their first words, as first written.
    #[must_use]
    pub fn speakers(&self) -> Vec<&str> {
        let (mut speakers, mut seen) = (Vec::new(), HashSet::new());
        for element in &self.elements {
            if let ElementKind::Cue { name, .. } = &element.kind
                && seen.insert(name.to_uppercase())
            {
                speakers.push(name.as_str());
            }
        }
        speakers
    }

    /// Action and dialogue as people read them: paragraphs parted by a blank line, a speech kept together. Heading, transitions, notes and
    /// comments are no part of it, so that it changes exactly when the scene is revised.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        for element in self.elements.iter().filter(|element| element.kind != ElementKind::Transition) {
            let goes_on = matches!(element.kind, ElementKind::Parenthetical | ElementKind::Dialogue);
            if !text.is_empty() {
                text.push_str(if goes_on { "\n" } else { "\n\n" });
            }
            text.push_str(&element.text);
        }
        text
    }
}

/// Whether two texts of a scene say the same: where lines break does not count.
pub(super) fn same_words(one: &str, other: &str) -> bool {
    one == other || one.split_whitespace().eq(other.split_whitespace())
}

/// The name in a cue, without extensions in brackets (also without a blank before them) and the mark of dual dialogue; none when nothing is left.
pub(super) fn cue_name(cue: &str) -> Option<String> {
    let name = cue.split(['(', '（']).next().unwrap_or_default();
    let name = tidied(name.trim_end().trim_end_matches('^'));
    (!name.is_empty()).then_some(name)
}

/// Splits what stands in a note into its tag, where it starts with one, and the rest.
pub(super) fn note_parts(inner: &str) -> (Option<String>, String) {
    if let Some((tag, rest)) = inner.split_once(':') {
        let tag = tag.trim();
        let is_word = !tag.is_empty()
            && tag.len() <= 24
            && tag.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '));
        if is_word && !rest.trim().is_empty() {
            return (Some(tag.to_owned()), tidied(rest));
        }
    }
    (None, tidied(inner))
}

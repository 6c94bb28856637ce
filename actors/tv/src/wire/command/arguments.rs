//! Arguments of commands that have a rule of their own.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::schema::schema_of_words;

/// A volume of 0 to 100. The app refuses fractions and clamps the rest, so the rule stands here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct Level(u8);

/// The number is no volume.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a volume level is a whole number from 0 to 100, not {0}")]
pub struct LevelFault(pub i64);

impl Level {
    /// The level, 0 to 100.
    pub const fn percent(self) -> u8 {
        self.0
    }
}

impl TryFrom<i64> for Level {
    type Error = LevelFault;

    fn try_from(level: i64) -> Result<Self, LevelFault> {
        u8::try_from(level).ok().filter(|level| *level <= 100).map(Level).ok_or(LevelFault(level))
    }
}

impl From<Level> for i64 {
    fn from(level: Level) -> i64 {
        level.0.into()
    }
}

/// A place along one side of the screen, 0 (left, top) to 1 (right, bottom).
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Fraction(f64);

/// The number lies outside the screen.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error(
    "x and y are fractions of the screen from 0 to 1 (0.5 is the middle), not {0}; tv_observe gives them as cx and cy"
)]
pub struct FractionFault(pub f64);

impl Fraction {
    /// The middle of the side, also what the app takes for a missing value.
    pub const MIDDLE: Fraction = Fraction(0.5);

    /// Four decimals, as precise as the centres that the app itself reports.
    pub(super) fn as_wire(self) -> String {
        format!("{:.4}", self.0)
    }
}

impl TryFrom<f64> for Fraction {
    type Error = FractionFault;

    fn try_from(value: f64) -> Result<Self, FractionFault> {
        // Written so that "not a number" is refused too; the app would silently take the middle.
        if (0.0..=1.0).contains(&value) { Ok(Fraction(value)) } else { Err(FractionFault(value)) }
    }
}

impl From<Fraction> for f64 {
    fn from(fraction: Fraction) -> f64 {
        fraction.0
    }
}

/// Which way a swipe goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Upwards.
    Up,
    /// Downwards.
    Down,
    /// To the left.
    Left,
    /// To the right.
    Right,
}

impl Direction {
    /// Every direction.
    pub const ALL: [Direction; 4] = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

    /// The direction's name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Direction::Up => "up",
            Direction::Down => "down",
            Direction::Left => "left",
            Direction::Right => "right",
        }
    }
}

schema_of_words!(Direction);

/// A language for captions, such as `en` or `pt-BR`: the alphanumeric subtags of BCP 47, of which the app knows no more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct LanguageTag(String);

/// The text is no language tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a language is a tag such as `en`, `de` or `pt-BR`")]
pub struct LanguageTagFault;

impl LanguageTag {
    /// The tag as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for LanguageTag {
    type Err = LanguageTagFault;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut subtags = text.split('-');
        let language_is_sound = subtags.next().is_some_and(|language| {
            (2..=8).contains(&language.len()) && language.bytes().all(|byte| byte.is_ascii_alphabetic())
        });
        let rest_is_sound = subtags
            .all(|subtag| (1..=8).contains(&subtag.len()) && subtag.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        if language_is_sound && rest_is_sound && text.len() <= 35 {
            Ok(Self(text.to_owned()))
        } else {
            Err(LanguageTagFault)
        }
    }
}

impl TryFrom<String> for LanguageTag {
    type Error = LanguageTagFault;

    fn try_from(text: String) -> Result<Self, LanguageTagFault> {
        text.parse()
    }
}

impl From<LanguageTag> for String {
    fn from(tag: LanguageTag) -> String {
        tag.0
    }
}

/// Text for the focused field: one line, up to 1,000 characters. May be empty, which clears the field.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TypedText(String);

/// Why a text cannot be typed. Refused before it is sent, because the app's own error for it says nothing useful.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TypedTextFault {
    /// Longer than a field takes.
    #[error("text to type may be up to {} characters, this has {n_characters}", TypedText::MAX_CHARACTERS)]
    TooLong {
        /// Length of the text.
        n_characters: usize,
    },
    /// A line break, tab or other control character. Typing does not submit; `tv_send_key` with `OK` does.
    #[error(
        "text to type may hold no line breaks, tabs or control characters; to submit, send the OK key with tv_send_key afterwards"
    )]
    ControlCharacter,
}

impl TypedText {
    /// The longest text that is sent, in characters.
    pub const MAX_CHARACTERS: usize = 1_000;

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Prints the length only: people type passwords.
impl fmt::Debug for TypedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "TypedText({} bytes)", self.0.len())
    }
}

impl TryFrom<String> for TypedText {
    type Error = TypedTextFault;

    fn try_from(text: String) -> Result<Self, TypedTextFault> {
        let n_characters = text.chars().count();
        if n_characters > Self::MAX_CHARACTERS {
            return Err(TypedTextFault::TooLong { n_characters });
        }
        if text.chars().any(char::is_control) {
            return Err(TypedTextFault::ControlCharacter);
        }
        Ok(Self(text))
    }
}

impl From<TypedText> for String {
    fn from(text: TypedText) -> String {
        text.0
    }
}

/// A line to lay over the screen: not blank, up to 200 characters, which is what three rows hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct OnScreenLine(String);

/// Why a text cannot be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    /// Blank text would hide the overlay; that has a command of its own.
    #[error("a subtitle needs text; to take it away, leave `text` out and set `clear`")]
    Blank,
    /// More than three rows hold.
    #[error("a subtitle may be up to {} characters, this has {n_characters}", OnScreenLine::MAX_CHARACTERS)]
    TooLong {
        /// Length of the text.
        n_characters: usize,
    },
}

impl OnScreenLine {
    /// The longest line that is sent, in characters.
    pub const MAX_CHARACTERS: usize = 200;

    /// The line.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for OnScreenLine {
    type Error = LineFault;

    fn try_from(text: String) -> Result<Self, LineFault> {
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let n_characters = line.chars().count();
        if line.is_empty() {
            Err(LineFault::Blank)
        } else if n_characters > Self::MAX_CHARACTERS {
            Err(LineFault::TooLong { n_characters })
        } else {
            Ok(Self(line))
        }
    }
}

impl From<OnScreenLine> for String {
    fn from(line: OnScreenLine) -> String {
        line.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_is_a_whole_number_up_to_100() {
        for level in [0, 1, 100] {
            assert_eq!(i64::from(Level::try_from(level).unwrap()), level);
        }
        for level in [-1, 101, 256, i64::MAX, i64::MIN] {
            assert_eq!(Level::try_from(level), Err(LevelFault(level)));
        }
    }

    #[test]
    fn a_place_outside_the_screen_is_refused() {
        for value in [-0.01, 1.01, f64::NAN, f64::INFINITY] {
            assert!(Fraction::try_from(value).is_err(), "{value}");
        }
        assert_eq!(Fraction::try_from(1.0 / 3.0).unwrap().as_wire(), "0.3333");
    }

    #[test]
    fn language_tags_are_told_from_words() {
        for tag in ["en", "de", "pt-BR", "zh-Hant-TW", "deu"] {
            assert_eq!(tag.parse::<LanguageTag>().unwrap().as_str(), tag);
        }
        for text in ["", "e", "english language", "en_US", "en-", "-en", "12", "é"] {
            assert_eq!(text.parse::<LanguageTag>(), Err(LanguageTagFault), "{text}");
        }
    }

    #[test]
    fn text_to_type_holds_no_control_characters() {
        assert_eq!(TypedText::try_from("a\nb".to_owned()), Err(TypedTextFault::ControlCharacter));
        assert_eq!(TypedText::try_from("x".repeat(1_001)), Err(TypedTextFault::TooLong { n_characters: 1_001 }));
        for text in ["", "Amélie", "進撃の巨人", "🦀"] {
            assert_eq!(TypedText::try_from(text.to_owned()).unwrap().as_str(), text);
        }
    }

    #[test]
    fn debug_does_not_print_what_is_typed() {
        let text = TypedText::try_from("hunter2".to_owned()).unwrap();
        assert_eq!(format!("{text:?}"), "TypedText(7 bytes)");
    }

    #[test]
    fn a_subtitle_is_one_line() {
        assert_eq!(OnScreenLine::try_from(" Dinner\n is  ready ".to_owned()).unwrap().as_str(), "Dinner is ready");
        assert_eq!(OnScreenLine::try_from(" \n\t".to_owned()), Err(LineFault::Blank));
    }
}

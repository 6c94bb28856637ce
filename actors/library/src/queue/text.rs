//! Texts of a service on their way into an answer.

use crate::client::redact_text;

/// Longest text of a service that an answer repeats, in characters.
const MAX_CHARS: usize = 300;

/// How much of a text is read, in bytes. No honest complaint is longer, and this is done where others of the thread wait.
const MAX_READ_BYTES: usize = 16 * 1024;

/// Most files of a download whose messages an answer repeats.
pub(super) const MAX_GROUPS: usize = 6;

/// Most messages about one file that an answer repeats.
pub(super) const MAX_LINES: usize = 4;

/// `text` without what must not go further, in a length that can be shown.
pub(crate) fn short(text: &str) -> String {
    let shown = clean(text);
    match shown.char_indices().nth(MAX_CHARS) {
        None => shown,
        Some((end, _)) => format!("{}…", &shown[..end]),
    }
}

/// `text` on one line and without secrets, far longer than it is shown: the Doctor reads to the end.
pub(super) fn clean(text: &str) -> String {
    let text = redact_text(&text[..text.floor_char_boundary(MAX_READ_BYTES)]);
    let words = text.split(|char: char| char.is_control() || char.is_whitespace()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_one_line_without_secrets() {
        for (text, expected) in [
            ("Import failed, path does not exist: /downloads/x", "Import failed, path does not exist: /downloads/x"),
            ("api_key=0123 was refused", "api_key=[REDACTED] was refused"),
            ("one\r\ntwo\u{7}three", "one two three"),
        ] {
            assert_eq!(short(text), expected);
        }
    }

    #[test]
    fn a_text_without_end_is_read_so_far_and_no_further() {
        let read = clean(&"ü".repeat(1 << 20));
        assert_eq!(read.len(), MAX_READ_BYTES);
        assert_eq!(clean(&format!("{}!", "x".repeat(MAX_READ_BYTES - 1))).pop(), Some('!'));
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let cut = short(&"ü".repeat(400));
        assert_eq!(cut.chars().count(), 301);
        assert!(cut.ends_with('…'));
    }
}

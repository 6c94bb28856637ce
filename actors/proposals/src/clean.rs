//! What is kept and said goes through here: without secrets, and no longer than it may be.

use playhouse_library::client::redact_text;

/// The longest text that is kept of an outcome, of a note or of one value, in bytes.
pub(crate) const MAX_TEXT_BYTES: usize = 4 * 1024;

/// How many characters of a key's label stand in a proposal: it is whatever its holder wrote.
const MAX_LABEL_CHARS: usize = 64;

/// The text without secrets, in at most [`MAX_TEXT_BYTES`].
pub(crate) fn clean(text: &str) -> String {
    // Cut first as well: looking for secrets in a whole book would take its time.
    cut(redact_text(&cut(text.to_owned(), 4 * MAX_TEXT_BYTES)), MAX_TEXT_BYTES)
}

/// The text in at most so many bytes, cut between two characters and with a mark where something is missing.
pub(crate) fn cut(mut text: String, max_bytes: usize) -> String {
    const MARK: &str = "…";
    if text.len() > max_bytes {
        text.truncate(text.floor_char_boundary(max_bytes.saturating_sub(MARK.len())));
        text.push_str(MARK);
    }
    text
}

/// A key's label on one line: printable characters only, and not many.
pub(crate) fn label(text: &str) -> String {
    let printable: String = text.chars().filter(|letter| is_printable(*letter)).take(MAX_LABEL_CHARS).collect();
    redact_text(printable.trim())
}

/// Whether a character shows as itself. Those that turn the direction of writing, or show as nothing, could make one label look like another.
fn is_printable(letter: char) -> bool {
    !letter.is_control()
        && !matches!(
            letter,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
                | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters_and_says_so() {
        let text = clean(&"ä".repeat(MAX_TEXT_BYTES));
        assert!(text.len() <= MAX_TEXT_BYTES && text.ends_with("ä…"), "{}", text.len());
        assert_eq!(clean("short"), "short");
    }

    #[test]
    fn a_secret_is_neither_kept_nor_said() {
        assert_eq!(clean("GET http://arr/api?apikey=abc"), "GET http://arr/api?apikey=[REDACTED]");
    }

    #[test]
    fn a_label_is_one_short_printable_line() {
        assert_eq!(label(" my\nlap\u{7}top "), "mylaptop");
        assert_eq!(label("Cl\u{200b}aude\u{202e}nimda\u{feff}"), "Claudenimda");
        assert_eq!(label(&"x".repeat(80)).len(), 64);
    }
}

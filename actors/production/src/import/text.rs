//! From bytes to text: what every text format here has in common.

use super::ImportFault;
use super::limits::MAX_FILE_BYTES;

/// The bytes as text, without a byte order mark.
///
/// # Errors
/// [`ImportFault::TooLarge`]; [`ImportFault::Unreadable`] for UTF-16, for what is not UTF-8, and for binary files.
pub(super) fn decode(bytes: &[u8]) -> Result<&str, ImportFault> {
    if bytes.len() > MAX_FILE_BYTES {
        return Err(ImportFault::TooLarge);
    }
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        return Err(ImportFault::general("The file is UTF-16; save it as UTF-8."));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = line_of(bytes, error.valid_up_to());
        ImportFault::at(line, "not UTF-8 text; save the file as UTF-8.")
    })?;
    if let Some(at) = text.find('\0') {
        return Err(ImportFault::at(line_of(bytes, at), "a NUL character; this is not a text file."));
    }
    Ok(text.strip_prefix('\u{FEFF}').unwrap_or(text))
}

/// The line, counted from 1, that the byte at `offset` stands on.
fn line_of(bytes: &[u8], offset: usize) -> u32 {
    let n_breaks = bytes.iter().take(offset).filter(|byte| **byte == b'\n').count();
    u32::try_from(n_breaks).unwrap_or(u32::MAX).saturating_add(1)
}

/// Line ends as `\n` alone, whatever the file has: CRLF, LF, or CR from very old programs.
pub(super) fn with_plain_line_ends(text: &str) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text.to_owned() }
}

/// Without control characters, outer blanks, and with every run of blanks as one space.
pub(super) fn tidied(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    for word in
        text.split(|c: char| c.is_whitespace() || c.is_control() || c == '\u{FEFF}').filter(|word| !word.is_empty())
    {
        if !tidy.is_empty() {
            tidy.push(' ');
        }
        tidy.push_str(word);
    }
    tidy
}

/// Refuses a text that is too long for its place.
///
/// # Errors
/// [`ImportFault::Unreadable`] naming `what` and the limit.
pub(super) fn within(text: &str, max_chars: usize, what: &str, line: u32) -> Result<(), ImportFault> {
    // Bytes bound characters from above, so most texts are not counted.
    if text.len() > max_chars && text.chars().count() > max_chars {
        return Err(ImportFault::at(line, format!("{what} is longer than {max_chars} characters.")));
    }
    Ok(())
}

/// Refuses a paragraph that has grown too long line by line. In bytes, of which a character has four at most, so that nothing is counted anew
/// with each line.
///
/// # Errors
/// [`ImportFault::Unreadable`] naming `what` and the limit.
pub(super) fn grown_within(text: &str, max_chars: usize, what: &str, line: u32) -> Result<(), ImportFault> {
    if text.len() > max_chars.saturating_mul(4) {
        return Err(ImportFault::at(line, format!("{what} is longer than {max_chars} characters.")));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_text() {
        assert_eq!(decode(b"\xEF\xBB\xBFTitle").unwrap(), "Title");
    }

    #[test]
    fn what_is_not_utf_8_is_refused_with_its_line() {
        assert_eq!(
            decode(b"one\ntwo \xFF").unwrap_err().to_string(),
            "Line 2: not UTF-8 text; save the file as UTF-8."
        );
        assert_eq!(decode(b"\xFF\xFEa\0").unwrap_err().to_string(), "The file is UTF-16; save it as UTF-8.");
        assert!(decode(b"one\ntwo\0").unwrap_err().to_string().starts_with("Line 2: a NUL"));
    }

    #[test]
    fn five_megabytes_are_read_and_one_byte_more_is_not() {
        let mut bytes = vec![b'a'; MAX_FILE_BYTES];
        assert!(decode(&bytes).is_ok());
        bytes.push(b'a');
        assert_eq!(decode(&bytes), Err(ImportFault::TooLarge));
    }

    #[test]
    fn blanks_and_controls_are_tidied_away() {
        assert_eq!(tidied("  a\u{7}\t b \u{a0}c\n"), "a b c");
    }
}

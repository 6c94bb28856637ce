//! Texts of a service on their way into an answer.

use std::borrow::Cow;

/// Longest text of a service that an answer repeats, in characters.
const MAX_CHARS: usize = 300;

/// Most files of a download whose messages an answer repeats.
pub(crate) const MAX_GROUPS: usize = 6;

/// Most messages about one file that an answer repeats.
pub(crate) const MAX_LINES: usize = 4;

/// What is taken for a secret when it stands before `=` or `:`, by its ending, in lower case and without separators.
const SECRETS: [&str; 12] = [
    "apikey",
    "password",
    "passwd",
    "passphrase",
    "passkey",
    "privatekey",
    "secret",
    "token",
    "authorization",
    "credential",
    "credentials",
    "cookie",
];

/// `text` without what must not go further, in a length that can be shown.
pub(crate) fn short(text: &str) -> String {
    let shown = clean(text);
    match shown.char_indices().nth(MAX_CHARS) {
        None => shown,
        Some((end, _)) => format!("{}…", &shown[..end]),
    }
}

/// `text` without what must not go further: secrets after their names, what addresses carry beside host and path, and control characters.
pub(crate) fn clean(text: &str) -> String {
    let mut shown = String::new();
    for word in text.split(|char: char| char.is_control() || char.is_whitespace()).filter(|word| !word.is_empty()) {
        if !shown.is_empty() {
            shown.push(' ');
        }
        shown.push_str(&bare(word));
    }
    shown
}

/// One word without its secrets.
fn bare(word: &str) -> Cow<'_, str> {
    if let Some((scheme, rest)) = word.split_once("://") {
        let rest = rest.split(['?', '#']).next().unwrap_or_default();
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let host = authority.rsplit('@').next().unwrap_or_default();
        return Cow::Owned(format!("{scheme}://{host}{path}"));
    }
    if let Some(at) = word.find(['=', ':']) {
        let (name, value) = word.split_at(at);
        let name_alone: String = name.chars().filter(|char| char.is_alphanumeric()).collect::<String>().to_lowercase();
        if value.len() > 1 && SECRETS.iter().any(|secret| name_alone.ends_with(secret)) {
            return Cow::Owned(format!("{name}{}[REDACTED]", &value[..1]));
        }
    }
    Cow::Borrowed(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_secret_does_not_go_further() {
        for (text, expected) in [
            ("Import failed, path does not exist: /downloads/x", "Import failed, path does not exist: /downloads/x"),
            ("GET https://user:pw@tracker.example/t/1?passkey=abc failed", "GET https://tracker.example/t/1 failed"),
            ("api_key=0123 was refused", "api_key=[REDACTED] was refused"),
            ("X-Api-Key:0123", "X-Api-Key:[REDACTED]"),
            ("one\r\ntwo\u{7}three", "one two three"),
            ("Quality: Bluray", "Quality: Bluray"),
        ] {
            assert_eq!(short(text), expected);
        }
    }

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let cut = short(&"ü".repeat(400));
        assert_eq!(cut.chars().count(), 301);
        assert!(cut.ends_with('…'));
    }
}

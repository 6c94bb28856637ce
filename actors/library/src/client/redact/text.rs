//! Secrets in texts.

use super::MARK;
use super::names::{Where, is_secret};

/// Takes the secrets out of a text: logins in addresses, the values of secret query parameters, headers and settings, and keys that stand alone.
pub fn redact_text(text: &str) -> String {
    let text = without_logins(text);
    let text = without_named_values(&text);
    without_bare_keys(&text)
}

/// `http://user:password@host` without what stands before the `@`.
fn without_logins(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, authority) = rest.split_at(at + 3);
        clean.push_str(before);
        let end = authority
            .find(|letter: char| matches!(letter, '/' | '?' | '#' | '"' | '\'' | '<' | '>') || letter.is_whitespace());
        let (authority, after) = authority.split_at(end.unwrap_or(authority.len()));
        match authority.rsplit_once('@') {
            Some((_, host)) => {
                clean.push_str(MARK);
                clean.push('@');
                clean.push_str(host);
            }
            None => clean.push_str(authority),
        }
        rest = after;
    }
    clean + rest
}

/// `name=value`, `name: value` and `"name": "value"` without the value, where the name tells of a secret.
fn without_named_values(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['=', ':']) {
        let (before, after) = rest.split_at(at);
        let name = name_before(before);
        let value = after[1..].trim_start_matches(' ');
        let n_blanks = after.len() - 1 - value.len();
        clean.push_str(before);
        clean.push_str(&after[..1 + n_blanks]);
        rest = value;
        if tells_of_a_secret(name, &after[..1], n_blanks, before) {
            let n_value = value_length(name, value);
            if n_value > 0 {
                let quote = value.chars().next().filter(|letter| matches!(letter, '"' | '\''));
                clean.extend(quote);
                clean.push_str(MARK);
                clean.extend(quote.filter(|_| n_value > 1));
                rest = &value[n_value..];
            }
        }
    }
    clean + rest
}

/// The name that ends here: `api_key` of `…&api_key`, `apiKey` of `{"apiKey"`.
fn name_before(text: &str) -> &str {
    let text = text.trim_end_matches(['"', '\'']);
    let begin = text
        .char_indices()
        .rev()
        .take_while(|(_, letter)| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.'))
        .last()
        .map_or(text.len(), |(at, _)| at);
    &text[begin..]
}

fn tells_of_a_secret(name: &str, sign: &str, n_blanks: usize, before: &str) -> bool {
    let is_query = sign == "=" && before[..before.len() - name.len()].ends_with(['?', '&', ';']);
    if !is_secret(name, if is_query { Where::Query } else { Where::Member }) {
        return false;
    }
    // "Victoria's Secret: Angels" is a title. In running text a colon and a blank follow words; only names of headers are believed then.
    let is_running_text = sign == ":" && n_blanks > 0 && !before.ends_with(['"', '\'']);
    !is_running_text
        || !matches!(name.rsplit('.').next().map(str::to_ascii_lowercase).as_deref(), Some("secret" | "auth"))
}

/// How much of the text belongs to the value of this name.
fn value_length(name: &str, value: &str) -> usize {
    if let Some(quote) = value.chars().next().filter(|letter| matches!(letter, '"' | '\'')) {
        return value[1..].find(quote).map_or(value.len(), |end| end + 2);
    }
    let name = name.to_ascii_lowercase();
    if name.ends_with("cookie") {
        return value.find(['\r', '\n']).unwrap_or(value.len());
    }
    // The kind of an authorization is part of it: `Bearer …`.
    let kind = ["Bearer ", "Basic ", "bearer ", "basic ", "Digest "].iter().find(|kind| value.starts_with(**kind));
    let n_kind = kind.map_or(0, |kind| kind.len());
    let is_end = |letter: char| {
        letter.is_whitespace()
            || matches!(letter, '&' | ';' | ',' | '"' | '\'' | '<' | '>' | '(' | ')' | ']' | '}' | '#')
    };
    n_kind + value[n_kind..].find(is_end).unwrap_or(value.len() - n_kind)
}

/// Keys that stand alone: 32 hexadecimal digits, as these services' own keys are, and signed web tokens.
fn without_bare_keys(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|letter: char| !is_part_of_a_word(letter)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        clean.push_str(if is_bare_key(word) { MARK } else { word });
        let n_between = after.find(is_part_of_a_word).unwrap_or(after.len());
        clean.push_str(&after[..n_between]);
        rest = &after[n_between..];
    }
    clean
}

fn is_part_of_a_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.')
}

fn is_bare_key(word: &str) -> bool {
    let is_hex = word.len() == 32
        && word.bytes().all(|byte| byte.is_ascii_hexdigit())
        && word.bytes().any(|byte| byte.is_ascii_digit());
    let is_web_token = word.starts_with("eyJ") && word.matches('.').count() == 2 && word.len() > 40;
    is_hex || is_web_token
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, expected: &str) {
        assert_eq!(redact_text(text), expected, "{text}");
    }

    #[test]
    fn addresses_lose_logins_and_secret_parameters_and_keep_the_rest() {
        check("failed: http://me:pa:ss@host:80/x", "failed: http://[REDACTED]@host:80/x");
        check(
            "https://i.example/api?t=get&id=4&apikey=s3cret#x",
            "https://i.example/api?t=get&id=4&apikey=[REDACTED]#x",
        );
        check(
            "magnet:?xt=urn:btih:ABC&tr=http://t/?passkey=s3cret&dn=a",
            "magnet:?xt=urn:btih:ABC&tr=http://t/?passkey=[REDACTED]&dn=a",
        );
        check("/dl?sig=s3cret&e=1", "/dl?sig=[REDACTED]&e=1");
    }

    #[test]
    fn headers_and_settings_lose_their_values() {
        check("X-Api-Key: s3cret\nAccept: */*", "X-Api-Key: [REDACTED]\nAccept: */*");
        check("Authorization: Bearer s3cret, then", "Authorization: [REDACTED], then");
        check("Set-Cookie: sid=s3cret; path=/\nx", "Set-Cookie: [REDACTED]\nx");
        check("password=s3cret user=me", "password=[REDACTED] user=me");
        check(r#"{"apiKey":"s3 cret","name":"x"}"#, r#"{"apiKey":"[REDACTED]","name":"x"}"#);
        check("{'token': 's3cret'}", "{'token': '[REDACTED]'}");
    }

    #[test]
    fn keys_that_stand_alone_go_and_hashes_of_downloads_stay() {
        check("key 0123456789abcdef0123456789ABCDEF!", "key [REDACTED]!");
        check("/rss/0123456789abcdef0123456789abcdef/feed", "/rss/[REDACTED]/feed");
        check("hash 0123456789abcdef0123456789abcdef01234567", "hash 0123456789abcdef0123456789abcdef01234567");
        let token = format!("eyJhbGciOiJIUzI1NiJ9.{}.c2ln", "a".repeat(40));
        check(&token, MARK);
    }

    #[test]
    fn harmless_text_stays_as_it_is() {
        for text in [
            "Victoria's Secret: Angels and Demons",
            "Time left: 00:12:34",
            "S01E01: The Key",
            "Quality=Bluray-1080p; size=4.2 GB",
            "C:\\Downloads\\Some.Movie.2026.1080p.WEB.h264-GROUP",
            "No files found are eligible for import in /downloads/x",
            "Schlüssel: geheim — ü",
            "",
        ] {
            check(text, text);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_to_its_end(text in r#"[a-c=:@/"'&? ü\n]{0,40}"#) {
            let once = redact_text(&text);
            prop_assert_eq!(redact_text(&once), once);
        }

        #[test]
        fn a_secret_behind_its_name_never_stays(before in "[a-z ]{0,8}[ ?&]", name in "api_?key|API_KEY|ApiKey|passkey|Token|password", secret in "[A-Z0-9]{6,20}") {
            let text = format!("{before}{name}={secret}&more=1");
            prop_assert!(!redact_text(&text).contains(&secret));
        }
    }
}

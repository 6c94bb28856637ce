//! Secrets in texts.

use super::MARK;
use super::names::{Where, is_secret};

/// Takes the secrets out of a text that is no JSON: logins in addresses, the values of secret query parameters, headers and settings, and keys that
/// stand alone.
pub(super) fn redact_words(text: &str) -> String {
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

/// `name=value`, `name: value` and `"name": "value"` without the value, where the name tells of a secret: also where signs are percent-encoded, or
/// quotes are escaped because all of it stands in another text.
fn without_named_values(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    // Up to where the text is in `clean`, from where the next sign is looked for, and where the last one ended.
    let (mut done, mut from, mut last_sign) = (0, 0, 0);
    let mut is_paired = false;
    while let Some(found) = text[from..].find(['=', ':', '%']) {
        let at = from + found;
        let Some(sign) = Sign::at(&text[at..]) else {
            from = at + 1;
            continue;
        };
        let before = &text[done..at];
        let value_at = at + sign.n_bytes + n_blanks(&text[at + sign.n_bytes..], sign.is_encoded);
        let value = &text[value_at..];
        let name = name_before(before);
        // Of objects that pair a name with a value, the name tells of the value.
        is_paired &= !text[last_sign.max(done)..at].contains('}');
        let is_quoted = before.ends_with(['"', '\'']);
        let is_secret_value = is_paired && is_quoted && name.eq_ignore_ascii_case("value");
        if is_quoted && ["name", "key"].iter().any(|word| name.eq_ignore_ascii_case(word)) {
            is_paired = Quote::at(value).is_some_and(|quote| is_secret(quote.inside(value), Where::Member));
        }
        (from, last_sign) = (value_at, value_at);
        let has_blanks = value_at > at + sign.n_bytes;
        if !is_secret_value && !tells_of_a_secret(name, sign, has_blanks, before) {
            continue;
        }
        let n_value = value_length(name, value, sign.is_encoded);
        if n_value == 0 {
            continue;
        }
        clean.push_str(&text[done..value_at]);
        let quote = Quote::at(value).map_or("", |quote| &value[..quote.n_bytes()]);
        clean.extend([quote, MARK, quote]);
        (done, from) = (value_at + n_value, value_at + n_value);
    }
    clean.push_str(&text[done..]);
    clean
}

/// What stands between a name and its value: `=` or `:`, as it is or percent-encoded, once or several times over.
#[derive(Clone, Copy)]
struct Sign {
    is_colon: bool,
    is_encoded: bool,
    n_bytes: usize,
}

impl Sign {
    /// The sign with which `text` begins.
    fn at(text: &str) -> Option<Self> {
        match text.as_bytes()[0] {
            b'=' => Some(Self { is_colon: false, is_encoded: false, n_bytes: 1 }),
            b':' => Some(Self { is_colon: true, is_encoded: false, n_bytes: 1 }),
            _ => {
                let (byte, n_bytes) = encoded(text)?;
                matches!(byte, b'=' | b':').then_some(Self { is_colon: byte == b':', is_encoded: true, n_bytes })
            }
        }
    }
}

/// The byte that `text` begins with in percent-encoding, once or several times over, and how long that is: `%3D`, `%253D`.
fn encoded(text: &str) -> Option<(u8, usize)> {
    let digits = text.strip_prefix('%')?.as_bytes();
    let mut at = 0;
    while digits[at..].starts_with(b"25") && digits.get(at + 2..at + 4).is_some_and(|next| hex(next).is_some()) {
        at += 2;
    }
    Some((hex(digits.get(at..at + 2)?)?, 1 + at + 2))
}

fn hex(digits: &[u8]) -> Option<u8> {
    let digit = |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
    Some(digit(digits[0])? << 4 | digit(digits[1])?)
}

fn n_blanks(text: &str, is_encoded: bool) -> usize {
    let mut n = 0;
    loop {
        let rest = &text[n..];
        match encoded(rest) {
            _ if rest.starts_with(' ') => n += 1,
            Some((b' ', n_bytes)) if is_encoded => n += n_bytes,
            _ => return n,
        }
    }
}

/// The name that ends here: `api_key` of `…&api_key` and of `…%26api_key`, `apiKey` of `{"apiKey"` and of `{\"apiKey\"`.
fn name_before(text: &str) -> &str {
    let text = text.trim_end_matches(['"', '\'', '\\']);
    let begin = text
        .char_indices()
        .rev()
        .take_while(|(_, letter)| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.'))
        .last()
        .map_or(text.len(), |(at, _)| at);
    let escape = text[..begin].strip_suffix('%').and_then(|before| encoded(&text[before.len()..]));
    &text[escape.map_or(begin, |(_, n_bytes)| begin - 1 + n_bytes)..]
}

fn tells_of_a_secret(name: &str, sign: Sign, has_blanks: bool, before: &str) -> bool {
    let place = match !sign.is_colon && begins_a_parameter(name, before) {
        true => Where::Query,
        false => Where::Member,
    };
    if !is_secret(name, place) {
        return false;
    }
    // "Victoria's Secret: Angels" is a title. In running text a colon and a blank follow words; only names of headers are believed then.
    let is_running_text = sign.is_colon && has_blanks && !before.ends_with(['"', '\'']);
    !is_running_text
        || !matches!(name.rsplit('.').next().map(str::to_ascii_lowercase).as_deref(), Some("secret" | "auth"))
}

/// Whether the name at the end of `before` is that of a parameter in an address.
fn begins_a_parameter(name: &str, before: &str) -> bool {
    let Some(before) = before.strip_suffix(name) else { return false };
    // An escape is a percent sign and hexadecimal digits. No more is looked at: this is asked at every sign of what may be a long text.
    let n_digits = before.bytes().rev().take_while(u8::is_ascii_hexdigit).count();
    let (before_digits, _) = before.split_at(before.len() - n_digits);
    let last_escape = before_digits.strip_suffix('%').map(|rest| &before[rest.len()..]);
    let escaped = last_escape.and_then(|escape| encoded(escape).filter(|(_, n_bytes)| *n_bytes == escape.len()));
    before.ends_with(['?', '&', ';']) || matches!(escaped, Some((b'?' | b'&' | b';', _)))
}

/// A quote with the backslashes before it: none in a text, one in a text inside a text, three inside that one.
#[derive(Clone, Copy)]
struct Quote {
    n_slashes: usize,
    quote: char,
}

impl Quote {
    /// The quote with which `text` begins.
    fn at(text: &str) -> Option<Self> {
        let bare = text.trim_start_matches('\\');
        let quote = bare.chars().next().filter(|letter| matches!(letter, '"' | '\''))?;
        Some(Self { n_slashes: text.len() - bare.len(), quote })
    }

    fn n_bytes(self) -> usize {
        self.n_slashes + 1
    }

    /// How long the quoted text is that `text` begins with, with both quotes; all of it where it is not closed. A quote closes it that has as many
    /// backslashes of its own as the opening one; those before them belong to the text, in pairs of that many and one more.
    fn n_quoted(self, text: &str) -> usize {
        let mut at = self.n_bytes();
        while let Some(found) = text[at..].find(self.quote) {
            let n_slashes = text[at..at + found].bytes().rev().take_while(|byte| *byte == b'\\').count();
            at += found + 1;
            if n_slashes % (2 * (self.n_slashes + 1)) == self.n_slashes {
                return at;
            }
        }
        text.len()
    }

    /// What is quoted at the beginning of `text`.
    fn inside(self, text: &str) -> &str {
        let quoted = &text[..self.n_quoted(text)];
        quoted[self.n_bytes()..].trim_end_matches([self.quote, '\\'])
    }
}

/// Kinds of credentials that stand before them: `Bearer …`.
const KINDS: [&str; 7] = ["bearer", "basic", "digest", "token", "apikey", "negotiate", "oauth"];

/// Kinds of credentials that are a list of named values up to the end of the line.
const LISTED_KINDS: [&str; 6] = ["digest", "oauth", "hawk", "mac", "signature", "aws4-hmac-sha256"];

/// How much of the text belongs to the value of this name.
fn value_length(name: &str, value: &str, is_encoded: bool) -> usize {
    if value.starts_with(MARK) {
        return MARK.len();
    }
    if let Some(quote) = Quote::at(value) {
        return quote.n_quoted(value);
    }
    // Only where all of it is the value: looked for at every value, it would make many of them on a long line take their time.
    let line = || value.find(['\r', '\n']).unwrap_or(value.len());
    let name = name.to_ascii_lowercase();
    if name.ends_with("cookie") {
        return line();
    }
    // The kind of an authorization is part of it, whichever it is.
    let kind_end = value.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-')).unwrap_or(value.len());
    let kind = value[..kind_end].to_ascii_lowercase();
    let n_after_kind = n_blanks(&value[kind_end..], is_encoded);
    let has_kind =
        kind_end > 0 && n_after_kind > 0 && (name.ends_with("authorization") || KINDS.contains(&kind.as_str()));
    if has_kind && LISTED_KINDS.contains(&kind.as_str()) {
        return line();
    }
    let n_kind = if has_kind { kind_end + n_after_kind } else { 0 };
    n_kind + bare_value_length(&value[n_kind..], is_encoded)
}

/// How long a value without quotes is. Where its sign is percent-encoded, what ends it is too.
fn bare_value_length(value: &str, is_encoded: bool) -> usize {
    let ends = |letter: char| {
        letter.is_whitespace()
            || matches!(letter, '&' | ';' | ',' | '"' | '\'' | '<' | '>' | '(' | ')' | ']' | '}' | '#' | '\\')
    };
    let plain = value.find(ends).unwrap_or(value.len());
    if !is_encoded {
        return plain;
    }
    let escapes = value[..plain].match_indices('%').map(|(at, _)| at);
    let ended = |at: &usize| encoded(&value[*at..]).is_some_and(|(byte, _)| byte.is_ascii() && ends(char::from(byte)));
    escapes.into_iter().find(ended).unwrap_or(plain)
}

/// Keys that stand alone: 32 hexadecimal digits, as these services' own keys are, and signed web tokens.
fn without_bare_keys(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    let mut follows_percent = false;
    while !rest.is_empty() {
        let end = rest.find(|letter: char| !is_part_of_a_word(letter)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let key_at = bare_key(word, follows_percent);
        clean.push_str(&word[..key_at.unwrap_or(word.len())]);
        clean.push_str(key_at.map_or("", |_| MARK));
        let n_between = after.find(is_part_of_a_word).unwrap_or(after.len());
        clean.push_str(&after[..n_between]);
        follows_percent = after[..n_between].ends_with('%');
        rest = &after[n_between..];
    }
    clean
}

/// Where in a word a key begins that goes to its end. Behind a percent sign the first digits are the rest of an encoded letter: `%3A`, `%253A`.
fn bare_key(word: &str, follows_percent: bool) -> Option<usize> {
    let mut at = 0;
    loop {
        if is_bare_key(&word[at..]) {
            return Some(at);
        }
        let may_be_escape = follows_percent && (at == 0 || word[..at].ends_with("25"));
        let escape = word.get(at..at + 2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        if !may_be_escape || escape.is_none() {
            return None;
        }
        at += 2;
    }
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
        assert_eq!(redact_words(text), expected, "{text}");
        assert_eq!(redact_words(expected), expected, "what was taken out once is taken out");
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
    fn an_authorization_goes_with_its_kind_in_any_case() {
        for kind in ["Token", "BEARER", "bearer", "bAsIc", "ApiKey", "SSWS", "Negotiate"] {
            check(&format!("authorization: {kind} s3cret, then"), "authorization: [REDACTED], then");
            check(&format!("AUTHORIZATION={kind} s3cret"), "AUTHORIZATION=[REDACTED]");
        }
        check("Authorization:   Token   s3cret x", "Authorization:   [REDACTED] x");
        check("X-Auth-Token: TOKEN s3cret", "X-Auth-Token: [REDACTED]");
        check(
            "Authorization: DIGEST username=\"me\", response=\"s3cret\"\nHost: x",
            "Authorization: [REDACTED]\nHost: x",
        );
        check("Proxy-Authorization: Hawk id=\"a\", mac=\"s3cret\"", "Proxy-Authorization: [REDACTED]");
    }

    #[test]
    fn percent_encoded_signs_are_signs() {
        check("u=http%3A%2F%2Ft%2F%3Fpasskey%3Ds3cret%26dn%3Da", "u=http%3A%2F%2Ft%2F%3Fpasskey%3D[REDACTED]%26dn%3Da");
        check("q%3fr%3ds3cret%26x%3d1", "q%3fr%3d[REDACTED]%26x%3d1");
        check("u%253Dv%2526apikey%253Ds3cret%2526x", "u%253Dv%2526apikey%253D[REDACTED]%2526x");
        check("apikey%3As3cret&x=1", "apikey%3A[REDACTED]&x=1");
        check("Authorization%3A%20Bearer%20s3cret%0D%0AHost", "Authorization%3A%20[REDACTED]%0D%0AHost");
        // Behind a plain sign an encoded one belongs to the value.
        check("apikey=s3%26cret&x=1", "apikey=[REDACTED]&x=1");
        check("100%3Dall, 5% token count", "100%3Dall, 5% token count");
    }

    #[test]
    fn a_key_behind_a_percent_encoded_sign_goes() {
        let key = "0123456789abcdef0123456789ABCDEF";
        for sign in ["%3A", "%3a", "%2F", "%253A", "%25253A", "%", "%25"] {
            check(&format!("x{sign}{key}{sign}x"), &format!("x{sign}[REDACTED]{sign}x"));
        }
        // Part of a longer word, as before.
        check(&format!("%3A{key}00"), &format!("%3A{key}00"));
    }

    #[test]
    fn escaped_quotes_are_quotes() {
        check(
            r#"said: {\"apiKey\":\"s3 cret\",\"name\":\"x\"}"#,
            r#"said: {\"apiKey\":\"[REDACTED]\",\"name\":\"x\"}"#,
        );
        check(
            r#""{\\\"token\\\": \\\"s3 cret\\\", \\\"a\\\": 1}""#,
            r#""{\\\"token\\\": \\\"[REDACTED]\\\", \\\"a\\\": 1}""#,
        );
        check(r#"{"password":"s3\"cr\\et","a":1}"#, r#"{"password":"[REDACTED]","a":1}"#);
        check(r#"{"password":"s3cret\\","a":1}"#, r#"{"password":"[REDACTED]","a":1}"#);
        check(r#"{\"password\":\"s3\\\"cr et\",\"a\":1}"#, r#"{\"password\":\"[REDACTED]\",\"a\":1}"#);
        check(r#"{\"password\":s3cret\n"#, r#"{\"password\":[REDACTED]\n"#);
    }

    #[test]
    fn a_name_paired_with_a_value_tells_of_it_in_running_text_too() {
        check(
            r#"Invalid: [{"name":"apiKey","value":"s3cret"},{"name":"host","value":"x"}]"#,
            r#"Invalid: [{"name":"apiKey","value":"[REDACTED]"},{"name":"host","value":"x"}]"#,
        );
        check(
            r#"{\"key\": \"password\", \"value\": \"s3cret\"}, {\"value\": 4}"#,
            r#"{\"key\": \"password\", \"value\": \"[REDACTED]\"}, {\"value\": 4}"#,
        );
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

    #[test]
    fn a_long_text_takes_as_long_as_it_is_and_no_longer() {
        const N: usize = 1 << 17;
        // Looked through from each sign to the end or back to the beginning, each of these would take many minutes.
        for (unit, n_marks) in [("token=,", 0), ("token=s3cret ", N), ("?a%3Dtoken%3D,", 0), ("token: ;", 0)] {
            assert_eq!(redact_words(&unit.repeat(N)).matches(MARK).count(), n_marks, "{unit}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_to_its_end(text in r#"([a-c=:@/"'&? ü\n\\%]|%3D|%25|%2|token|Authorization|"name":"apikey"|"value":){0,30}"#) {
            let once = redact_words(&text);
            prop_assert_eq!(redact_words(&once), once);
        }

        #[test]
        fn a_secret_behind_its_name_never_stays(before in "[a-z ]{0,8}[ ?&]", name in "api_?key|API_KEY|ApiKey|passkey|Token|password", secret in "[A-Z0-9]{6,20}") {
            let text = format!("{before}{name}={secret}&more=1");
            prop_assert!(!redact_words(&text).contains(&secret));
        }
    }
}

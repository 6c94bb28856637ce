//! What may be shown of a service's refusal of a profile or a format.
//!
//! The application's rules say what is wrong in a sentence or two, and whoever asked for the change needs them. The body holds more: the value
//! that was tried, and whatever an odd build or a proxy puts there. So only two members of two known shapes are taken, all within narrow
//! bounds, and where anything does not fit, nothing is shown.

use std::collections::BTreeMap;

use secrecy::ExposeSecret;
use serde::Deserialize;

use super::redact::MARK;
use super::{ArrKey, BaseUrl, redact_text};

/// A longer body is not looked at.
pub(super) const MAX_BYTES: usize = 64 * 1024;

/// More issues are not shown.
const MAX_ISSUES: usize = 20;

/// No text of an issue is longer.
const MAX_TEXT_BYTES: usize = 512;

/// What an issue without a property is about.
const WHOLE: &str = "the settings object";

/// What stands nowhere in what is shown.
pub(super) struct Secrets<'a> {
    key: &'a str,
    /// With the port, where it has one.
    host: String,
    host_name: &'a str,
}

impl<'a> Secrets<'a> {
    pub(super) fn of(key: &'a ArrKey, base: &'a BaseUrl) -> Self {
        let host_name = base.url().host_str().unwrap_or_default();
        let host = base.url().port().map_or_else(|| host_name.to_owned(), |port| format!("{host_name}:{port}"));
        Self { key: key.secret().expose_secret(), host, host_name }
    }
}

/// `property: message`, one after the other; `None` where nothing may be shown.
pub(super) fn details(body: &[u8], secrets: &Secrets<'_>) -> Option<String> {
    if body.len() > MAX_BYTES {
        return None;
    }
    let issues = issues(std::str::from_utf8(body).ok()?)?;
    if issues.is_empty() || issues.len() > MAX_ISSUES {
        return None;
    }
    let said = |(property, message): (String, String)| {
        let property = tidied(&property)?;
        let message = tidied(&message).filter(|message| !message.is_empty())?;
        let property = if property.is_empty() { WHOLE.to_owned() } else { property };
        Some(format!("{property}: {message}"))
    };
    let said: Option<Vec<String>> = issues.into_iter().map(said).collect();
    Some(screened(&said?.join("; "), secrets))
}

/// Properties and messages of a body of one of the two shapes.
fn issues(body: &str) -> Option<Vec<(String, String)>> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Failed {
        #[serde(default)]
        property_name: Option<String>,
        error_message: String,
    }

    #[derive(Deserialize)]
    struct Problem {
        errors: BTreeMap<String, Vec<String>>,
    }

    match body.trim_start().chars().next()? {
        '[' => {
            let failed: Vec<Failed> = serde_json::from_str(body).ok()?;
            Some(failed.into_iter().map(|one| (one.property_name.unwrap_or_default(), one.error_message)).collect())
        }
        '{' => {
            let problem: Problem = serde_json::from_str(body).ok()?;
            let each = |(property, messages): (String, Vec<String>)| {
                messages.into_iter().map(move |message| (property.clone(), message))
            };
            Some(problem.errors.into_iter().flat_map(each).collect())
        }
        _ => None,
    }
}

/// On one line and without blanks that mean nothing; `None` where it is too long.
fn tidied(text: &str) -> Option<String> {
    if text.len() > MAX_TEXT_BYTES {
        return None;
    }
    let plain: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    Some(plain.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn screened(text: &str, secrets: &Secrets<'_>) -> String {
    let text = text.replace(secrets.key, MARK);
    let text = without_authorities(&text);
    let text = [secrets.host.as_str(), secrets.host_name, secrets.host_name.trim_matches(['[', ']'])]
        .into_iter()
        .fold(text, |text, host| without(&text, host));
    redact_text(&text)
}

/// Whatever stands where an address has its host: `//indexer.example:80/x` becomes `//[REDACTED]/x`.
fn without_authorities(text: &str) -> String {
    let mut clean = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("//") {
        let (before, authority) = rest.split_at(at + 2);
        clean.push_str(before);
        let is_end = |letter: char| {
            letter.is_whitespace()
                || matches!(letter, '/' | '\\' | '?' | '#' | '"' | '\'' | '<' | '>' | ')' | ']' | ',' | ';')
        };
        // The address of an IPv6 host has a bracket of its own.
        let begin = if authority.starts_with('[') { authority.find(']').map_or(0, |end| end + 1) } else { 0 };
        let end = authority[begin..].find(is_end).map_or(authority.len(), |end| begin + end);
        if end > 0 {
            clean.push_str(MARK);
        }
        rest = &authority[end..];
    }
    clean + rest
}

/// Without a host's name, which is the same in any case.
fn without(text: &str, host: &str) -> String {
    if host.is_empty() {
        return text.to_owned();
    }
    let (lower, host) = (text.to_ascii_lowercase(), host.to_ascii_lowercase());
    let mut clean = String::with_capacity(text.len());
    let mut begin = 0;
    for (at, found) in lower.match_indices(&host) {
        clean.push_str(&text[begin..at]);
        clean.push_str(MARK);
        begin = at + found.len();
    }
    clean + &text[begin..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(body: &str) -> Option<String> {
        let key = ArrKey::parse("f00dfeed").unwrap();
        let base = BaseUrl::parse("http://radarr.lan:7878/films").unwrap();
        details(body.as_bytes(), &Secrets::of(&key, &base))
    }

    fn one(property: &str, message: &str) -> Option<String> {
        shown(&serde_json::json!([{ "propertyName": property, "errorMessage": message }]).to_string())
    }

    #[test]
    fn both_shapes_are_told_as_property_and_message() {
        assert_eq!(
            shown(
                r#" [{"propertyName":"Items","errorMessage":"Must contain all qualities","severity":"error"},
                       {"propertyName":" ","errorMessage":"must have\n\t a condition"}, {"errorMessage":"x"}] "#
            )
            .as_deref(),
            Some(
                "Items: Must contain all qualities; the settings object: must have a condition; the settings object: x"
            )
        );
        assert_eq!(
            shown(r#"{"title":"t","status":400,"errors":{"$.b":["two","three"],"$.a":["one"]}}"#).as_deref(),
            Some("$.a: one; $.b: two; $.b: three")
        );
    }

    #[test]
    fn case_30_of_an_issue_only_property_and_message_are_shown() {
        let body = r#"[{"propertyName":"Fields","errorMessage":"is wrong","attemptedValue":"https://i.example/x?sig=s3cret"}]"#;
        assert_eq!(shown(body).as_deref(), Some("Fields: is wrong"));
    }

    #[test]
    fn case_31_host_and_key_in_a_message_are_replaced_and_the_rest_is_kept() {
        assert_eq!(
            one("Url", "RADARR.lan:7878 said no to f00dfeed at http://radarr.lan:7878/films?x=1, radarr.lan too")
                .as_deref(),
            Some("Url: [REDACTED] said no to [REDACTED] at http://[REDACTED]/films?x=1, [REDACTED] too")
        );
        assert_eq!(
            one("a", "see //other.example:1/x and http://[fd00::1]:80/y").as_deref(),
            Some("a: see //[REDACTED]/x and http://[REDACTED]/y")
        );
        assert_eq!(one("a", "password=hunter2 x").as_deref(), Some("a: password=[REDACTED] x"));
    }

    #[test]
    fn case_32_what_is_too_long_too_much_or_odd_is_not_shown_at_all() {
        let issue = r#"{"propertyName":"a","errorMessage":"b"}"#;
        let issues = |n: usize| format!("[{}]", vec![issue; n].join(","));
        assert!(shown(&issues(20)).is_some());
        assert_eq!(shown(&issues(21)), None);
        assert_eq!(shown(&format!("{}{}", issues(1), " ".repeat(70 * 1024))), None);
        assert_eq!(shown(&format!("{}{}", issues(1), issues(1))), None);
        assert!(one("a", &"b".repeat(512)).is_some());
        for body in [
            "",
            "[]",
            "{}",
            "null",
            "\"text\"",
            "<html>",
            r#"{"errors":{}}"#,
            r#"{"message":"no"}"#,
            r#"{"errors":{"a":"b"}}"#,
            r#"[{"propertyName":"a","errorMessage":7}]"#,
            r#"[{"propertyName":7,"errorMessage":"b"}]"#,
            r#"[{"propertyName":"a"}]"#,
            r#"[{"propertyName":"a","errorMessage":" \n "}]"#,
            r#"["a"]"#,
            r#"[{"propertyName":"a","errorMessage":"b"},7]"#,
        ] {
            assert_eq!(shown(body), None, "{body}");
        }
        assert_eq!(one("a", &"b".repeat(513)), None);
        assert_eq!(one(&"a".repeat(513), "b"), None);
        let key = ArrKey::parse("k").unwrap();
        let base = BaseUrl::parse("http://r").unwrap();
        assert_eq!(details(b"[{\"propertyName\":\"a\",\"errorMessage\":\"\xff\"}]", &Secrets::of(&key, &base)), None);
    }
}

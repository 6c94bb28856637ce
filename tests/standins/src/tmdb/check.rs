//! Whether a request is one that TMDB takes as it is meant.

use crate::loopback::{Incoming, KEY_PARAMETER, RequestViolation};

const SEARCH: [&str; 4] = ["query", "language", "include_adult", "page"];

/// The parameters of a call, beside the key; `None` when there is no such call.
pub(super) fn parameters_of(call: &[&str]) -> Option<Vec<&'static str>> {
    let search_and = |more: &[&'static str]| [&SEARCH, more].concat();
    Some(match *call {
        // No year: it would be passed over without a word.
        ["search", "multi"] => search_and(&[]),
        ["search", "movie"] => search_and(&["region", "year", "primary_release_year"]),
        ["search", "tv"] => search_and(&["first_air_date_year", "year"]),
        ["find", id] if !id.is_empty() => vec!["external_source", "language"],
        ["movie" | "tv", id] if is_id(id) => vec!["language", "append_to_response"],
        ["movie" | "tv", id, "external_ids"] | ["movie" | "tv", id, "watch", "providers"] if is_id(id) => vec![],
        ["tv", id, "season", season] if is_id(id) && is_id(season) => vec!["language", "append_to_response"],
        ["tv", id, "season", season, "episode", episode] if is_id(id) && is_id(season) && is_id(episode) => {
            vec!["language", "append_to_response"]
        }
        _ => return None,
    })
}

fn is_id(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// What is wrong with the parameters, of which the names in `known` are known.
pub(super) fn parameter_faults(request: &Incoming, known: &[&str]) -> Vec<RequestViolation> {
    let own = request.query.iter().filter(|(name, _)| name != KEY_PARAMETER);
    let faults = own.filter_map(|(name, value)| {
        let path = request.path.clone();
        if !known.contains(&&**name) {
            return Some(RequestViolation::UnknownParameter { path, name: name.clone() });
        }
        (!fits(name, value)).then(|| RequestViolation::Parameter { path, name: name.clone(), value: value.clone() })
    });
    let mut faults: Vec<RequestViolation> = faults.collect();
    if known.contains(&"external_source") && request.parameter("external_source").is_none() {
        let (path, name) = (request.path.clone(), "external_source".to_owned());
        faults.push(RequestViolation::Parameter { path, name, value: String::new() });
    }
    faults
}

fn fits(name: &str, value: &str) -> bool {
    match name {
        "language" => is_language(value),
        "region" => value.len() == 2 && value.bytes().all(|byte| byte.is_ascii_uppercase()),
        "include_adult" => matches!(value, "true" | "false"),
        "page" => value.parse::<u16>().is_ok_and(|page| (1..=500).contains(&page)),
        "year" | "primary_release_year" | "first_air_date_year" => is_year(value),
        "external_source" => matches!(value, "imdb_id" | "tvdb_id" | "wikidata_id"),
        "append_to_response" => {
            let parts: Vec<&str> = value.split(',').collect();
            // More than twenty are refused; these are all that there is to be asked here.
            let known = ["external_ids", "watch/providers", "alternative_titles", "translations", "content_ratings"];
            parts.len() <= 20 && parts.iter().all(|part| known.contains(part))
        }
        _ => true,
    }
}

/// `en` or `en-US`.
fn is_language(text: &str) -> bool {
    let (language, region) = text.split_once('-').unwrap_or((text, "US"));
    language.len() == 2
        && language.bytes().all(|byte| byte.is_ascii_lowercase())
        && (2..=4).contains(&region.len())
        && region.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

fn is_year(text: &str) -> bool {
    text.len() == 4 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// What is wrong with the credential, judged by its shape alone.
pub(super) fn credential_fault(request: &Incoming) -> Option<&'static str> {
    let bearer = request.authorization.as_deref();
    match (request.parameter(KEY_PARAMETER), bearer) {
        (None, None) => Some("there is none"),
        (Some(_), Some(_)) => Some("given twice, as `api_key` and as bearer"),
        (Some(key), None) if key.starts_with("eyJ") => {
            Some("a read access token belongs in the header, not into the address")
        }
        (Some(key), None) => {
            let is_key = key.len() == 32 && key.bytes().all(|byte| byte.is_ascii_hexdigit());
            (!is_key).then_some("`api_key` is not 32 hexadecimal digits")
        }
        (None, Some(header)) => {
            let token = header.strip_prefix("Bearer ").unwrap_or("");
            let is_token = token.starts_with("eyJ") && token.split('.').filter(|part| !part.is_empty()).count() == 3;
            (!is_token).then_some("the header holds no read access token")
        }
    }
}

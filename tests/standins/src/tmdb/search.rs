//! Searching: all words of the query in one of a title's names, the most popular first.

use serde_json::{Value, json};

use super::entry::Entry;
use crate::{
    loopback::Incoming,
    titles::{Kind, has_words},
};

/// Results on one page, as TMDB has it.
const PAGE_LENGTH: usize = 20;

/// An actress who shares her surname with a series: `search/multi` finds people, too. The id is not hers.
fn person() -> Value {
    json!({
        "adult": false, "gender": 1, "id": 1, "known_for": [], "known_for_department": "Acting", "media_type": "person",
        "name": "Joan Severance", "original_name": "Joan Severance", "popularity": 500.0, "profile_path": null,
    })
}

pub(super) fn page(entries: &[Entry], what: &str, request: &Incoming, language: &str) -> Value {
    let query = request.parameter("query").unwrap_or("");
    let is_mixed = what == "multi";
    let mut found: Vec<&Entry> = entries
        .iter()
        .filter(|entry| is_mixed || (entry.kind == Kind::Movie) == (what == "movie"))
        .filter(|entry| entry.names().iter().any(|name| has_words(name, query)))
        .filter(|entry| is_mixed || fits_year(entry, request))
        .collect();
    found.sort_by(|one, other| other.popularity().total_cmp(&one.popularity()));
    let mut results: Vec<Value> = found.iter().map(|entry| entry.result(language, is_mixed)).collect();
    let person = person();
    if is_mixed && person["name"].as_str().is_some_and(|name| has_words(name, query)) {
        results.insert(0, person);
    }
    let page: usize = request.parameter("page").and_then(|page| page.parse().ok()).unwrap_or(1).max(1);
    let n_results = results.len();
    let results: Vec<Value> = results.into_iter().skip((page - 1) * PAGE_LENGTH).take(PAGE_LENGTH).collect();
    json!({
        "page": page, "results": results, "total_pages": n_results.div_ceil(PAGE_LENGTH), "total_results": n_results,
    })
}

/// `year` means any release of a movie and any episode of a series; the other two mean the first.
fn fits_year(entry: &Entry, request: &Incoming) -> bool {
    let asked = |name: &str| request.parameter(name).and_then(|year| year.parse::<u16>().ok());
    let first = asked("primary_release_year").or_else(|| asked("first_air_date_year"));
    first.is_none_or(|first| entry.year() == Some(first))
        && asked("year").is_none_or(|any| entry.years().contains(&any))
}

//! Reads recorded answers of TMDB back into entries, and lets TMDB know the titles of JustWatch's recordings, too.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::entry::{Entry, Facts, Recorded};
use crate::{
    justwatch,
    titles::{Kind, Recordings},
};

type Known = BTreeMap<(Kind, u64), Recorded>;

pub(super) fn entries(recordings: &Recordings) -> Vec<Entry> {
    let mut known = Known::new();
    for (name, answer) in recordings.of("tmdb") {
        read(&mut known, &name, answer);
    }
    for (object_type, content, seasons) in justwatch::recorded_titles(&recordings.of("justwatch")) {
        read_from_justwatch(&mut known, &object_type, &content, &seasons);
    }
    let described = known.into_iter().filter(|(_, recorded)| recorded.result.is_object());
    described.map(|((kind, id), recorded)| Entry { kind, id, facts: Facts::Recorded(recorded) }).collect()
}

/// The files' names tell what they hold.
fn read(known: &mut Known, name: &str, answer: Value) {
    if let Some(results) = answer["results"].as_array().filter(|_| name.contains("search")) {
        let results =
            results.iter().filter_map(|result| Some((kind_of_result(result)?, result["id"].as_u64()?, result)));
        for (kind, id, result) in results {
            known.entry((kind, id)).or_default().result = result.clone();
        }
        return;
    }
    let kind = if name.contains("movie") { Kind::Movie } else { Kind::Series };
    if name.contains("season") || name.contains("episode") {
        // Whose season it is stands in its episodes; an episode alone does not say.
        let show = answer["episodes"][0]["show_id"].as_u64();
        if let Some((show, number)) = show.zip(answer["season_number"].as_u64()) {
            let seasons = &mut known.entry((Kind::Series, show)).or_default().seasons;
            if seasons.iter().all(|(known, _)| *known != number) {
                seasons.push((number, answer));
            }
        }
        return;
    }
    let Some(id) = answer["id"].as_u64() else { return };
    let title = known.entry((kind, id)).or_default();
    if name.contains("watch") {
        title.providers = Some(answer["results"].clone());
    } else if name.contains("external") {
        title.external_ids = Some(answer);
    } else if name.contains("details") {
        if title.result.is_null() {
            title.result = answer.clone();
        }
        title.details = Some(answer);
    }
}

fn kind_of_result(result: &Value) -> Option<Kind> {
    match result["media_type"].as_str() {
        Some("movie") => Some(Kind::Movie),
        Some("tv") => Some(Kind::Series),
        Some(_) => None,
        None if result["title"].is_string() => Some(Kind::Movie),
        None => Some(Kind::Series),
    }
}

fn read_from_justwatch(known: &mut Known, object_type: &str, content: &Value, seasons: &[Value]) {
    let id = content["externalIds"]["tmdbId"].as_str().and_then(|id| id.parse().ok());
    let Some(id) = id else { return };
    let (name, date) = (&content["title"], &content["originalReleaseDate"]);
    let (kind, mut result) = match object_type {
        "MOVIE" => (Kind::Movie, json!({ "title": name, "original_title": name, "release_date": date })),
        _ => (Kind::Series, json!({ "name": name, "original_name": name, "first_air_date": date })),
    };
    result["id"] = json!(id);
    result["popularity"] = json!(20.0);
    let title = known.entry((kind, id)).or_default();
    if !title.result.is_null() {
        return;
    }
    title.result = result;
    title.external_ids = Some(json!({ "imdb_id": content["externalIds"]["imdbId"] }));
    title.seasons = seasons.iter().filter_map(read_season).collect();
}

fn read_season(content: &Value) -> Option<(u64, Value)> {
    let number = content["seasonNumber"].as_u64()?;
    let n_episodes = content["episodes"].as_u64().unwrap_or(0);
    let episodes: Vec<Value> =
        (1..=n_episodes).map(|episode| json!({ "season_number": number, "episode_number": episode })).collect();
    let date = &content["originalReleaseDate"];
    Some((number, json!({ "season_number": number, "air_date": date, "episodes": episodes })))
}

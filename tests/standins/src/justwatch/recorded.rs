//! Reads recorded answers of JustWatch back into nodes.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::node::Node;

/// What the recordings know. `node`s come in files of their own; the names of the files say whose seasons, episodes and offers they hold:
/// `seasons-…-ts20054-US.json`.
pub(super) fn nodes(files: &[(String, Value)]) -> Vec<Node> {
    let mut titles: Vec<Node> = Vec::new();
    for (name, answer) in files {
        let data = &answer["data"];
        let edges = data["popularTitles"]["edges"].as_array().into_iter().flatten().map(|edge| &edge["node"]);
        let alone = Some(&data["node"]).filter(|node| node["id"].is_string());
        for node in edges.chain(alone).filter_map(|node| read(node, country_of(name))) {
            if titles.iter().all(|known| known.id != node.id) {
                titles.push(node);
            }
        }
        if let (Some(seasons), Some(show)) = (data["node"]["seasons"].as_array(), id_in(name, "ts")) {
            titles.extend(show_of(&show, name, seasons));
        }
    }
    for (name, answer) in files {
        let node = &answer["data"]["node"];
        if let (Some(episodes), Some(season)) = (node["episodes"].as_array(), id_in(name, "tss")) {
            let season = titles.iter_mut().flat_map(|title| &mut title.parts).find(|part| part.id == season);
            let episodes = episodes.iter().filter_map(|episode| read(episode, country_of(name)));
            season.into_iter().for_each(|season| season.parts.extend(episodes.clone()));
        }
        let title = id_in(name, "tm").and_then(|id| titles.iter_mut().find(|title| title.id == id));
        if let (true, Some(title)) = (name.starts_with("offers-"), title) {
            for (country, offers) in node.as_object().into_iter().flatten() {
                title.offers.extend(offers.as_array().map(|offers| (country.clone(), offers.clone())));
            }
        }
    }
    titles
}

/// The country a file speaks of where its answers do not say.
fn country_of(name: &str) -> &str {
    let stem = name.trim_end_matches(".json");
    stem.split('-').find(|part| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_uppercase())).unwrap_or("US")
}

fn id_in(name: &str, prefix: &str) -> Option<String> {
    let is_id = |part: &&str| {
        part.strip_prefix(prefix).is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
    };
    name.split(['-', '.']).find(is_id).map(str::to_owned)
}

fn read(node: &Value, country: &str) -> Option<Node> {
    let content = node["content"].clone();
    Some(Node {
        id: node["id"].as_str()?.to_owned(),
        object_type: node["objectType"].as_str()?.to_owned(),
        names: content["title"].as_str().map(str::to_owned).into_iter().collect(),
        content,
        translated: BTreeMap::new(),
        popularity: 10.0,
        offers: BTreeMap::from([(country.to_owned(), node["offers"].as_array().cloned().unwrap_or_default())]),
        parts: Vec::new(),
    })
}

/// A show of which only the seasons were recorded. Its name is in the file's, its id at TMDB in the seasons' ids.
fn show_of(id: &str, name: &str, seasons: &[Value]) -> Option<Node> {
    let seasons: Vec<Node> = seasons.iter().filter_map(|season| read(season, country_of(name))).collect();
    let words = name.trim_start_matches("seasons-").split(&format!("-{id}")).next()?.replace('-', " ");
    let first = &seasons.first()?.content;
    let tmdb_id = first["externalIds"]["tmdbId"].as_str()?.split(':').next()?;
    Some(Node {
        id: id.to_owned(),
        object_type: "SHOW".to_owned(),
        content: json!({
            "title": title_case(&words), "originalReleaseYear": first["originalReleaseYear"],
            "originalReleaseDate": first["originalReleaseDate"], "externalIds": { "imdbId": null, "tmdbId": tmdb_id },
        }),
        translated: BTreeMap::new(),
        names: vec![words],
        popularity: 10.0,
        offers: BTreeMap::new(),
        parts: seasons,
    })
}

fn title_case(words: &str) -> String {
    let capital = |word: &str| word[..1].to_uppercase() + &word[1..];
    words.split(' ').filter(|word| word.is_ascii() && !word.is_empty()).map(capital).collect::<Vec<_>>().join(" ")
}

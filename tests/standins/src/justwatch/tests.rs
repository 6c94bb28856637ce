use std::collections::BTreeSet;

use super::*;
use crate::{Misbehaviour, PLAYABLE, Recordings, content_id, loopback::testing::http};

const OFFERS: &str = "offers(country: $country, platform: ANDROID_TV, filter: $filter) { monetizationType presentationType type elementCount \
     availableTo standardWebURL deeplinkURL(platform: ANDROID_TV) package { packageId clearName technicalName shortName } }";
const IDENTITY: &str = "id objectType content(country: $country, language: $language) { title originalReleaseYear externalIds { imdbId tmdbId } }";

fn justwatch() -> JustWatchStandin {
    JustWatchStandin::start(&StandinSettings::default())
}

async fn post(justwatch: &JustWatchStandin, body: &Value) -> Value {
    let address = justwatch.url().join("graphql").unwrap();
    http().post(address).json(body).send().await.unwrap().json().await.unwrap()
}

fn search(name: &str, object_type: &str, country: &str) -> Value {
    json!({
        "operationName": "GetSearchTitles",
        "variables": {
            "searchTitlesFilter": { "searchQuery": name, "objectTypes": [object_type] },
            "country": country, "language": "en", "first": 10, "filter": { "bestOnly": true },
        },
        "query": format!(
            "query GetSearchTitles($searchTitlesFilter: TitleFilter!, $country: Country!, $language: Language!, $first: Int!, \
             $filter: OfferFilter!) {{ popularTitles(country: $country, filter: $searchTitlesFilter, first: $first, sortBy: POPULAR) \
             {{ edges {{ node {{ {IDENTITY} {OFFERS} }} }} }} }}"
        ),
    })
}

fn node(id: &str, parts: &str, country: &str) -> Value {
    json!({
        "operationName": "GetTitleNode",
        "variables": { "nodeId": id, "country": country, "language": "en", "filter": { "bestOnly": true } },
        "query": format!(
            "query GetTitleNode($nodeId: ID!, $country: Country!, $language: Language!, $filter: OfferFilter!) \
             {{ node(id: $nodeId) {{ {parts} }} }}"
        ),
    })
}

fn seasons(show: &str, country: &str) -> Value {
    let content = "content(country: $country, language: $language) { seasonNumber externalIds { tmdbId } }";
    node(show, &format!("... on Show {{ id seasons {{ id {content} {OFFERS} }} }}"), country)
}

fn episodes(season: &str, country: &str) -> Value {
    let content = "content(country: $country, language: $language) { seasonNumber episodeNumber }";
    node(season, &format!("... on Season {{ id episodes {{ id {content} {OFFERS} }} }}"), country)
}

/// The nodes of a search that nothing was wrong with.
async fn found(justwatch: &JustWatchStandin, name: &str, object_type: &str, country: &str) -> Vec<Value> {
    let answer = post(justwatch, &search(name, object_type, country)).await;
    assert_eq!(justwatch.violations(), [], "{name}");
    let edges = answer["data"]["popularTitles"]["edges"].as_array().unwrap_or_else(|| panic!("{answer}"));
    edges.iter().map(|edge| edge["node"].clone()).collect()
}

async fn offers(name: &str, country: &str) -> Vec<Value> {
    let titles = found(&justwatch(), name, "MOVIE", country).await;
    titles[0]["offers"].as_array().unwrap().clone()
}

async fn parts(justwatch: &JustWatchStandin, question: &Value, list: &str) -> Vec<Value> {
    let answer = post(justwatch, question).await;
    assert_eq!(justwatch.violations(), []);
    answer["data"]["node"][list].as_array().unwrap_or_else(|| panic!("{answer}")).clone()
}

/// First season's first episode of a series.
async fn first_episode(justwatch: &JustWatchStandin, series: &str, country: &str) -> Value {
    let show = found(justwatch, series, "SHOW", country).await.swap_remove(0);
    let seasons = parts(justwatch, &seasons(show["id"].as_str().unwrap(), country), "seasons").await;
    let season = seasons.iter().find(|season| season["content"]["seasonNumber"] == 1).unwrap();
    parts(justwatch, &episodes(season["id"].as_str().unwrap(), country), "episodes").await.swap_remove(0)
}

fn short_names(offers: &[Value]) -> Vec<&str> {
    offers.iter().map(|offer| offer["package"]["shortName"].as_str().unwrap_or("-")).collect()
}

fn number(node: &Value) -> u64 {
    node["id"].as_str().unwrap().trim_start_matches(char::is_alphabetic).parse().unwrap()
}

#[tokio::test]
async fn every_service_has_a_movie_and_an_episode_in_two_countries_with_links_into_its_app() {
    let justwatch = justwatch();
    for playable in PLAYABLE {
        for country in playable.countries {
            let movie = found(&justwatch, playable.movie, "MOVIE", country).await.swap_remove(0);
            let episode = first_episode(&justwatch, playable.series, country).await;
            for node in [movie, episode] {
                let id = content_id(playable.provider, number(&node));
                let links = node["offers"].as_array().unwrap().iter().map(|offer| {
                    (offer["standardWebURL"].as_str().unwrap_or(""), offer["deeplinkURL"].as_str().unwrap_or(""))
                });
                let has_link = |(web, android): (&str, &str)| {
                    if playable.links_name_titles {
                        (web.contains(&id) || android.contains(&id)) && android.starts_with("intent:")
                    } else {
                        android.starts_with("intent://#Intent;")
                    }
                };
                assert!(
                    links.clone().any(has_link),
                    "{} in {country}: {:?}",
                    playable.provider,
                    links.collect::<Vec<_>>()
                );
            }
        }
    }
}

#[tokio::test]
async fn only_what_was_asked_for_is_answered() {
    let question = node("tm90000129", "id ... on Movie { objectType } ... on Show { seasons { id } }", "US");
    assert_eq!(
        post(&justwatch(), &question).await,
        json!({ "data": { "node": { "id": "tm90000129", "objectType": "MOVIE" } } })
    );
    assert_eq!(post(&justwatch(), &node("tm1", "id", "US")).await, json!({ "data": { "node": null } }));
}

#[tokio::test]
async fn offers_of_several_countries_can_be_asked_for_at_once() {
    let part = |country| {
        format!(
            "{country}: offers(country: {country}, platform: ANDROID_TV, filter: {{ bestOnly: true }}) {{ package {{ shortName }} }}"
        )
    };
    let question = node("tm90000194", &format!("... on MovieOrShow {{ {} {} }}", part("US"), part("FR")), "US");
    let answer = post(&justwatch(), &question).await;
    assert_eq!(answer["data"]["node"]["US"][0]["package"]["shortName"], "amp");
    assert_eq!(answer["data"]["node"]["FR"][0]["package"]["shortName"], "prv");
}

#[tokio::test]
async fn titles_without_ids_or_under_their_original_name_only_are_there_to_be_stumbled_over() {
    let justwatch = justwatch();
    let chihiro = found(&justwatch, "Spirited Away", "MOVIE", "US").await.swap_remove(0);
    assert_eq!(chihiro["content"]["externalIds"], json!({ "imdbId": null, "tmdbId": null }));
    assert_eq!(chihiro["content"]["originalReleaseYear"], 2002);
    assert_eq!(found(&justwatch, "Amélie", "MOVIE", "US").await, Vec::<Value>::new().as_slice());
    let amelie = found(&justwatch, "Le Fabuleux Destin d'Amélie Poulain", "MOVIE", "US").await;
    assert_eq!(amelie[0]["content"]["externalIds"]["tmdbId"], "194");
    assert!(found(&justwatch, "Inception: The Cobol Job", "MOVIE", "US").await.is_empty());
}

#[tokio::test]
async fn resellers_stand_beside_the_service_before_it_and_alone() {
    assert_eq!(short_names(&offers("Zack Snyder's Justice League", "US").await), ["aho", "mxx"]);
    let justwatch = justwatch();
    let episode = first_episode(&justwatch, "Severance", "US").await;
    assert_eq!(short_names(episode["offers"].as_array().unwrap()), ["avl", "atp"]);
    let episode = first_episode(&justwatch, "Star Trek: Strange New Worlds", "FR").await;
    assert_eq!(short_names(episode["offers"].as_array().unwrap()), ["app"]);
}

#[tokio::test]
async fn what_cannot_be_played_is_listed_too() {
    let sorts: BTreeSet<String> = offers("Inception", "US")
        .await
        .iter()
        .map(|offer| offer["monetizationType"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(sorts, BTreeSet::from(["BUY".to_owned(), "RENT".to_owned()]));
    assert!(offers("Fargo", "FR").await.is_empty());
    let interstellar = offers("Interstellar", "US").await;
    assert_eq!(interstellar[0]["package"], Value::Null);
    assert_eq!(interstellar[1]["monetizationType"], "HOLOGRAM");
}

#[tokio::test]
async fn offers_end() {
    let settings = StandinSettings { today: "2026-02-28".parse().unwrap(), ..StandinSettings::default() };
    let justwatch = JustWatchStandin::start(&settings);
    let maverick = found(&justwatch, "Top Gun: Maverick", "MOVIE", "US").await.swap_remove(0);
    assert_eq!(maverick["offers"][0]["availableTo"], "2026-03-01");
    let fiction = found(&justwatch, "Pulp Fiction", "MOVIE", "GB").await.swap_remove(0);
    assert_eq!(fiction["offers"][0]["availableTo"], "2026-02-27");
}

#[tokio::test]
async fn shows_and_seasons_aggregate_and_some_have_nothing_further_down() {
    let justwatch = justwatch();
    let show = found(&justwatch, "The Last of Us", "SHOW", "US").await.swap_remove(0);
    assert_eq!((&show["offers"][0]["type"], &show["offers"][0]["elementCount"]), (&json!("AGGREGATED"), &json!(2)));
    let seasons_of_us = parts(&justwatch, &seasons(show["id"].as_str().unwrap(), "US"), "seasons").await;
    assert_eq!(seasons_of_us[0]["offers"][0]["elementCount"], 9);
    assert_eq!(seasons_of_us[2]["offers"], json!([]));
    assert_eq!(seasons_of_us[2]["content"]["externalIds"]["tmdbId"], Value::Null);

    let episode = first_episode(&justwatch, "Sherlock", "US").await;
    assert_eq!(episode["offers"], json!([]));
    let scrubs = found(&justwatch, "Scrubs", "SHOW", "US").await.swap_remove(0);
    let seasons_of_scrubs = parts(&justwatch, &seasons(scrubs["id"].as_str().unwrap(), "US"), "seasons").await;
    assert_eq!((scrubs["offers"].as_array().unwrap().len(), &seasons_of_scrubs[0]["offers"]), (1, &json!([])));
}

#[tokio::test]
async fn without_best_only_the_same_link_comes_in_each_quality() {
    let mut question = search("Moana", "MOVIE", "FR");
    question["variables"]["filter"]["bestOnly"] = json!(false);
    let answer = post(&justwatch(), &question).await;
    let offers = answer["data"]["popularTitles"]["edges"][0]["node"]["offers"].as_array().unwrap().clone();
    let qualities: Vec<&str> = offers.iter().map(|offer| offer["presentationType"].as_str().unwrap()).collect();
    assert_eq!(qualities, ["SD", "HD", "_4K"]);
}

#[tokio::test]
async fn a_package_code_that_is_not_known_is_no_filter() {
    for (code, expected) in [("mxx", vec!["mxx"]), ("zzz", vec!["aho", "mxx"])] {
        let mut question = search("Zack Snyder's Justice League", "MOVIE", "US");
        question["variables"]["filter"]["packages"] = json!([code]);
        let answer = post(&justwatch(), &question).await;
        let offers = answer["data"]["popularTitles"]["edges"][0]["node"]["offers"].as_array().unwrap().clone();
        assert_eq!(short_names(&offers), expected, "{code}");
    }
}

/// The one thing wrong with a question, and what the service says to it.
async fn refused(question: &Value) -> (String, String) {
    let justwatch = justwatch();
    let answer = post(&justwatch, question).await;
    let said = answer["errors"][0]["message"].as_str().unwrap_or("").to_owned();
    (justwatch.violations().iter().map(ToString::to_string).collect::<Vec<_>>().join("; "), said)
}

#[tokio::test]
async fn questions_that_are_too_complex_are_refused() {
    let mut nested = search("Severance", "SHOW", "US");
    let text = nested["query"]
        .as_str()
        .unwrap()
        .replace("objectType", "objectType ... on Show { seasons { episodes { id } } }");
    nested["query"] = json!(text);
    let mut many = search("Severance", "SHOW", "US");
    many["variables"]["first"] = json!(100);
    for question in [nested, many, node("ts1", "... on Show { seasons { id episodes { id } } }", "US")] {
        let (violation, said) = refused(&question).await;
        assert!(violation.contains("too complex") && said.contains("complexity"), "{violation} {said}");
    }
}

#[tokio::test]
async fn a_country_is_two_capitals_and_one_that_is_served() {
    let (violation, said) = refused(&search("Moana", "MOVIE", "us")).await;
    assert!(violation.contains("variable `country`") && said.contains("Country!"), "{violation} {said}");
    let (violation, said) = refused(&search("Moana", "MOVIE", "AQ")).await;
    assert_eq!((&*violation, &*said), ("", "country AQ is not supported"));
}

#[tokio::test]
async fn what_is_wrong_with_a_question_is_noted() {
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut question = search("Moana", "MOVIE", "US");
        change(&mut question);
        question
    };
    let text = |from: &'static str, to: &'static str| {
        changed(&|question| question["query"] = json!(question["query"].as_str().unwrap().replace(from, to)))
    };
    for (question, part) in [
        (changed(&|question| question["operationName"] = json!("Other")), "operationName"),
        (changed(&|question| question["variables"]["language"] = json!("english")), "variable `language`"),
        (changed(&|question| question["variables"]["first"] = json!("10")), "variable `first`"),
        (changed(&|question| question["variables"]["colour"] = json!("red")), "variable `colour`: is not declared"),
        (
            changed(&|question| question["variables"]["searchTitlesFilter"]["objectTypes"] = json!(["PERSON"])),
            "objectTypes",
        ),
        (changed(&|question| question["variables"] = json!([])), "`variables` is no object"),
        (changed(&|question| question["query"] = json!("{")), "cannot be read"),
        (text("$country: Country!, ", ""), "variable `country`: is not declared"),
        (text("platform: ANDROID_TV, ", ""), "Platform!"),
        (
            text("offers(country: $country, platform: ANDROID_TV", "offers(country: $country, platform: WEB"),
            "not ANDROID_TV",
        ),
        (text("deeplinkURL(platform: ANDROID_TV)", "deeplinkURL"), "deeplinkURL"),
        (text("originalReleaseYear", "year"), "Cannot query field \"year\""),
        (node("Moana", "id", "US"), "no id of"),
        (node("tm10", "offers { type }", "US"), "on type \"Node\""),
    ] {
        let (violation, _) = refused(&question).await;
        assert!(violation.contains(part), "{part}: {violation}");
    }
}

#[tokio::test]
async fn requests_are_remembered_by_operation_and_variables() {
    let justwatch = justwatch();
    found(&justwatch, "Moana", "MOVIE", "GB").await;
    let requests = justwatch.requests();
    assert_eq!((requests.len(), requests[0].operation()), (1, Some("GetSearchTitles")));
    assert_eq!(requests[0].variable("country"), Some(&json!("GB")));
    justwatch.forget_requests();
    assert_eq!(justwatch.n_requests(), 0);
}

#[tokio::test]
async fn errors_come_with_status_200() {
    let justwatch = justwatch();
    justwatch.behave(Misbehaviour::ErrorIn200);
    let answer = post(&justwatch, &search("Moana", "MOVIE", "GB")).await;
    assert!(answer["errors"].is_array() && answer["data"].is_null(), "{answer}");
    assert_eq!(justwatch.violations(), []);
}

/// Recordings are not part of the repository, so these are written as the real ones are.
#[tokio::test]
async fn recordings_are_served_beside_our_own_titles() {
    let folder = std::env::temp_dir().join(format!("playhouse-justwatch-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("justwatch")).unwrap();
    let write = |name: &str, node: Value| {
        std::fs::write(folder.join("justwatch").join(name), json!({ "data": { "node": node } }).to_string()).unwrap();
    };
    let offer =
        |service: &str| json!({ "monetizationType": "FLATRATE", "package": { "shortName": service, "packageId": 1 } });
    let season = json!({ "id": "tss20091", "objectType": "SHOW_SEASON", "offers": [offer("mxx")], "content": {
        "seasonNumber": 1, "originalReleaseYear": 2014, "originalReleaseDate": "2014-01-12", "externalIds": { "tmdbId": "46648:1" } } });
    let episode = json!({ "id": "tse1", "objectType": "SHOW_EPISODE", "offers": [offer("aho")], "content": { "episodeNumber": 1 } });
    write("seasons-true-detective-ts20054-US.json", json!({ "seasons": [season] }));
    write("episodes-true-detective-s1-tss20091-US.json", json!({ "episodes": [episode] }));

    let recordings = Some(Recordings::in_folder(&folder));
    let justwatch = JustWatchStandin::start(&StandinSettings { recordings, ..StandinSettings::default() });
    std::fs::remove_dir_all(&folder).unwrap();

    let show = found(&justwatch, "True Detective", "SHOW", "US").await.swap_remove(0);
    assert_eq!(show["content"]["externalIds"]["tmdbId"], "46648");
    let seasons = parts(&justwatch, &seasons("ts20054", "US"), "seasons").await;
    assert_eq!(short_names(seasons[0]["offers"].as_array().unwrap()), ["mxx"]);
    let episodes = parts(&justwatch, &episodes("tss20091", "US"), "episodes").await;
    assert_eq!(short_names(episodes[0]["offers"].as_array().unwrap()), ["aho"]);
    assert_eq!(found(&justwatch, "Moana", "MOVIE", "US").await.len(), 1);
}

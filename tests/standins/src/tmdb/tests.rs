use reqwest::StatusCode;

use super::*;
use crate::{Misbehaviour, PLAYABLE, loopback::testing::http};

const KEY: &str = "0123456789abcdef0123456789abcdef";
const TOKEN: &str = "eyJhbGciOiJIUzI1NiJ9.eyJhdWQiOiJ4In0.c2ln";

fn tmdb() -> TmdbStandin {
    TmdbStandin::start(&StandinSettings::default())
}

async fn answer(tmdb: &TmdbStandin, call: &str) -> (StatusCode, Value) {
    let address = format!("{}/{call}", tmdb.url());
    let response = http().get(address).bearer_auth(TOKEN).send().await.unwrap();
    (response.status(), response.json().await.unwrap())
}

async fn get(tmdb: &TmdbStandin, call: &str) -> Value {
    let (status, body) = answer(tmdb, call).await;
    assert_eq!(status, StatusCode::OK, "{call}: {body}");
    assert_eq!(tmdb.violations(), [], "{call}");
    body
}

fn ids(page: &Value) -> Vec<u64> {
    page["results"].as_array().unwrap().iter().map(|result| result["id"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn the_exact_title_is_not_always_first_and_the_older_film_of_that_name_comes_last() {
    let page = get(&tmdb(), "search/movie?query=Dune&language=en-US&include_adult=false&region=US").await;
    assert_eq!(ids(&page), [693_134, 438_631, 841]);
    assert_eq!(page["results"][1]["release_date"], "2021-10-22");
}

#[tokio::test]
async fn each_parameter_for_years_means_what_it_means_at_tmdb() {
    let tmdb = tmdb();
    assert_eq!(ids(&get(&tmdb, "search/movie?query=spirited+away&year=2002").await), [129]);
    assert!(ids(&get(&tmdb, "search/movie?query=spirited+away&primary_release_year=2002").await).is_empty());
    assert_eq!(ids(&get(&tmdb, "search/tv?query=stranger+things&year=2019").await), [66_732]);
    assert!(ids(&get(&tmdb, "search/tv?query=stranger+things&first_air_date_year=2019").await).is_empty());
    assert_eq!(ids(&get(&tmdb, "search/tv?query=the+office&first_air_date_year=2001").await), [2996]);
}

#[tokio::test]
async fn a_mixed_search_names_kinds_and_finds_people() {
    let tmdb = tmdb();
    let page = get(&tmdb, "search/multi?query=severance").await;
    let kinds: Vec<&str> =
        page["results"].as_array().unwrap().iter().map(|r| r["media_type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["person", "tv"]);
    assert_eq!(get(&tmdb, "search/multi?query=fargo").await["total_results"], 2);
}

#[tokio::test]
async fn details_come_with_what_was_asked_to_be_appended_and_nothing_else() {
    let tmdb = tmdb();
    let details = get(&tmdb, "tv/66732?language=en-US&append_to_response=external_ids,watch/providers").await;
    assert_eq!(details["external_ids"]["imdb_id"], "tt4574334");
    assert_eq!(details["seasons"][1]["episode_count"], 9);
    assert_eq!(details["watch/providers"]["results"]["US"]["flatrate"][0]["provider_id"], 8);
    let details = get(&tmdb, "movie/27205").await;
    assert_eq!((&details["imdb_id"], details.get("external_ids")), (&json!("tt1375666"), None));
    let providers = get(&tmdb, "movie/27205/watch/providers").await;
    assert_eq!(providers["results"]["US"]["rent"][0]["provider_id"], 2);
    assert_eq!(providers["results"]["US"].get("flatrate"), None);
}

#[tokio::test]
async fn titles_come_back_in_the_language_asked_for() {
    let details = get(&tmdb(), "movie/129?language=fr-FR").await;
    assert_eq!(details["title"], "Le Voyage de Chihiro");
    assert_eq!(details["original_title"], "千と千尋の神隠し");
}

#[tokio::test]
async fn seasons_specials_and_episodes_exist_or_are_not_found() {
    let tmdb = tmdb();
    for there in ["tv/19885/season/0", "tv/19885/season/0/episode/1", "tv/66732/season/2/episode/9"] {
        get(&tmdb, there).await;
    }
    for not_there in ["tv/66732/season/9", "tv/66732/season/1/episode/9", "tv/1", "movie/66732"] {
        let (status, body) = answer(&tmdb, not_there).await;
        assert_eq!((status, &body["status_code"]), (StatusCode::NOT_FOUND, &json!(34)), "{not_there}");
    }
    assert_eq!(tmdb.violations(), []);
}

#[tokio::test]
async fn a_title_is_found_by_its_imdb_id() {
    let found = get(&tmdb(), "find/tt4574334?external_source=imdb_id").await;
    assert_eq!(found["tv_results"][0]["id"], 66_732);
    assert_eq!(found["movie_results"], json!([]));
}

#[tokio::test]
async fn every_playable_title_is_found_by_its_year() {
    let tmdb = tmdb();
    for playable in PLAYABLE {
        let movie = get(&tmdb, &format!("search/movie?query={}&year={}", playable.movie, playable.movie_year)).await;
        let series = format!("search/tv?query={}&first_air_date_year={}", playable.series, playable.series_year);
        assert_eq!((ids(&movie).len(), ids(&get(&tmdb, &series).await).len()), (1, 1), "{playable:?}");
    }
}

#[tokio::test]
async fn the_credential_has_to_have_its_shape_and_its_place() {
    for (query, header, is_good) in [
        (format!("api_key={KEY}"), None, true),
        (String::new(), Some(TOKEN), true),
        (String::new(), None, false),
        (format!("api_key={TOKEN}"), None, false),
        ("api_key=short".to_owned(), None, false),
        (String::new(), Some(KEY), false),
        (format!("api_key={KEY}"), Some(TOKEN), false),
    ] {
        let tmdb = tmdb();
        let mut request = http().get(format!("{}/movie/129?{query}", tmdb.url()));
        if let Some(token) = header {
            request = request.bearer_auth(token);
        }
        let status = request.send().await.unwrap().status();
        let is_refused = matches!(&tmdb.violations()[..], [RequestViolation::Credential { .. }]);
        assert_eq!(
            (status.as_u16(), is_refused),
            if is_good { (200, false) } else { (401, true) },
            "{query} {header:?}"
        );
        assert_eq!(tmdb.requests()[0].query, [], "no credential is remembered");
    }
}

#[tokio::test]
async fn what_tmdb_would_pass_over_without_a_word_is_a_violation() {
    for (call, name) in [
        ("search/multi?query=dune&year=2021", "year"),
        ("search/tv?query=dune&primary_release_year=2021", "primary_release_year"),
        ("search/movie?query=dune&first_air_date_year=2021", "first_air_date_year"),
        ("search/movie?query=dune&region=us", "region"),
        ("search/movie?query=dune&language=english", "language"),
        ("search/movie?query=dune&page=501", "page"),
        ("movie/129?append_to_response=everything", "append_to_response"),
        ("find/tt4574334", "external_source"),
    ] {
        let tmdb = tmdb();
        answer(&tmdb, call).await;
        let violations = tmdb.violations();
        let [RequestViolation::UnknownParameter { name: found, .. } | RequestViolation::Parameter { name: found, .. }] =
            &violations[..]
        else {
            panic!("{call}: {violations:?}")
        };
        assert_eq!(found, name, "{call}");
    }
    let tmdb = tmdb();
    assert_eq!(answer(&tmdb, "discover/movie").await.0, StatusCode::NOT_FOUND);
    assert!(matches!(&tmdb.violations()[..], [RequestViolation::Unknown { .. }]));
}

#[tokio::test]
async fn a_search_for_nothing_is_refused_in_tmdbs_words() {
    let (status, body) = answer(&tmdb(), "search/movie?query=").await;
    assert_eq!((status.as_u16(), body), (422, json!({ "errors": ["query must be provided"] })));
}

#[tokio::test]
async fn misbehaviour_lasts_until_it_is_told_otherwise_and_prepared_misbehaviour_for_one_request() {
    let tmdb = tmdb();
    let retry_after = Some(std::time::Duration::from_secs(7));
    tmdb.prepare([
        Misbehaviour::None,
        Misbehaviour::RateLimited { retry_after },
        Misbehaviour::Failing { status: 503 },
    ]);
    tmdb.behave(Misbehaviour::Unauthorised);
    let mut statuses = Vec::new();
    for _ in 0..5 {
        let address = format!("{}/movie/129", tmdb.url());
        let response = http().get(address).bearer_auth(TOKEN).send().await.unwrap();
        let waits = response.headers().get("retry-after").map(|wait| wait.to_str().unwrap().to_owned());
        statuses.push((response.status().as_u16(), waits));
    }
    let plain = |status| (status, None);
    assert_eq!(statuses, [plain(200), (429, Some("7".to_owned())), plain(503), plain(401), plain(401)]);
    tmdb.behave(Misbehaviour::None);
    get(&tmdb, "movie/129").await;
    assert_eq!(tmdb.n_requests(), 6);
}

#[tokio::test]
async fn broken_answers_are_broken() {
    let tmdb = tmdb();
    let address = format!("{}/movie/129", tmdb.url());
    let ask = |misbehaviour| {
        tmdb.behave(misbehaviour);
        let request = http().get(&address).bearer_auth(TOKEN);
        async move { request.send().await.ok()?.bytes().await.ok() }
    };
    let right = ask(Misbehaviour::None).await.unwrap();
    assert_eq!(ask(Misbehaviour::HungUp).await, None);
    assert_eq!(ask(Misbehaviour::CutOff).await, None);
    assert!(ask(Misbehaviour::Html).await.unwrap().starts_with(b"<!doctype html>"));
    assert!(ask(Misbehaviour::Huge { n_bytes: 3_000_000 }).await.unwrap().len() >= 2_900_000);
    assert_eq!(ask(Misbehaviour::Nulls { below: 0 }).await.unwrap(), "null");
    assert!(serde_json::from_slice::<Value>(&ask(Misbehaviour::WrongTypes).await.unwrap()).unwrap()["id"].is_array());
    assert_eq!(ask(Misbehaviour::None).await.unwrap(), right);
}

#[tokio::test]
async fn what_is_slow_waits_to_be_released() {
    let tmdb = std::sync::Arc::new(tmdb());
    tmdb.behave(Misbehaviour::Slow);
    let asking: Vec<_> = (0..3)
        .map(|_| {
            let tmdb = std::sync::Arc::clone(&tmdb);
            tokio::spawn(async move { answer(&tmdb, "movie/129").await.0 })
        })
        .collect();
    tmdb.until_held(3).await;
    assert!(asking.iter().all(|asked| !asked.is_finished()));
    tmdb.release();
    for asked in asking {
        assert_eq!(asked.await.unwrap(), StatusCode::OK);
    }
}

/// Recordings are not part of the repository, so these are written as the real ones are.
#[tokio::test]
async fn recordings_are_served_beside_our_own_titles() {
    let folder = std::env::temp_dir().join(format!("playhouse-recordings-{}", std::process::id()));
    let write = |name: &str, answer: Value| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, answer.to_string()).unwrap();
    };
    let game = json!({ "id": 1399, "name": "Game of Thrones", "first_air_date": "2011-04-17", "popularity": 600.0 });
    write("tmdb/search-tv.json", json!({ "page": 1, "results": [game] }));
    write("tmdb/tv-watch-providers.json", json!({ "id": 1399, "results": { "FR": { "flatrate": [] } } }));
    let predator = json!({ "id": "tm19698", "objectType": "MOVIE", "offers": [], "content": {
        "title": "Predator", "originalReleaseDate": "1987-06-12", "externalIds": { "imdbId": "tt0093773", "tmdbId": "106" } } });
    write("justwatch/details-predator-tm19698-US.json", json!({ "data": { "node": predator } }));

    let recordings = Some(crate::Recordings::in_folder(&folder));
    let tmdb = TmdbStandin::start(&StandinSettings { recordings, ..StandinSettings::default() });
    std::fs::remove_dir_all(&folder).unwrap();

    assert_eq!(ids(&get(&tmdb, "search/tv?query=game+of+thrones&first_air_date_year=2011").await), [1399]);
    assert_eq!(get(&tmdb, "tv/1399/watch/providers").await["results"]["FR"], json!({ "flatrate": [] }));
    assert_eq!(get(&tmdb, "movie/106/external_ids").await["imdb_id"], "tt0093773");
    assert_eq!(ids(&get(&tmdb, "search/multi?query=moana").await), [277_834]);
}

//! The recorded answers of the real services, which are not part of this repository: put `tv-fixtures` into a folder that
//! `PLAYHOUSE_SHARED` names, or into a folder `shared` beside the repository, and run with `--ignored`.

use playhouse_standins::{JustWatchStandin, StandinSettings, TmdbStandin};
use serde_json::{Value, json};

fn settings() -> StandinSettings {
    let settings = StandinSettings::with_recordings_if_any();
    assert!(settings.recordings.is_some(), "no recordings at hand");
    settings
}

async fn tmdb(call: &str) -> Value {
    let tmdb = TmdbStandin::start(&settings());
    let address = format!("{}/{call}", tmdb.url());
    let request = reqwest::Client::new().get(address).bearer_auth("eyJhbGciOiJIUzI1NiJ9.eyJhdWQiOiJ4In0.c2ln");
    let response = request.send().await.expect("an answer").error_for_status().expect("one that is no refusal");
    let answer = response.json().await.expect("JSON");
    assert_eq!(tmdb.violations(), [], "{call}");
    answer
}

async fn offers_of(justwatch: &JustWatchStandin, id: &str, country: &str) -> usize {
    let body = json!({
        "operationName": "GetTitleOffers", "variables": { "nodeId": id },
        "query": format!(
            "query GetTitleOffers($nodeId: ID!) {{ node(id: $nodeId) {{ ... on MovieOrShowOrSeasonOrEpisode {{ \
             offers(country: {country}, platform: ANDROID_TV) {{ type }} }} }} }}"
        ),
    });
    let address = justwatch.url().join("graphql").expect("an address");
    let response = reqwest::Client::new().post(address).json(&body).send().await.expect("an answer");
    let answer: Value = response.json().await.expect("JSON");
    assert_eq!(justwatch.violations(), [], "{id}");
    answer["data"]["node"]["offers"].as_array().unwrap_or_else(|| panic!("{id}: {answer}")).len()
}

#[tokio::test]
#[ignore = "needs recordings that are not part of this repository"]
async fn tmdb_knows_what_was_recorded_of_it_and_of_justwatch() {
    assert_eq!(tmdb("search/tv?query=game+of+thrones&first_air_date_year=2011").await["results"][0]["id"], 1399);
    assert_eq!(tmdb("tv/1399").await["seasons"][0]["season_number"], 0);
    assert_eq!(tmdb("tv/1399/season/1/episode/1").await["name"], "Winter Is Coming");
    assert_eq!(tmdb("movie/550/external_ids").await["imdb_id"], "tt0137523");
    assert!(tmdb("movie/550/watch/providers").await["results"]["US"].is_object());
    assert_eq!(tmdb("search/movie?query=the+matrix&year=1999").await["results"][0]["id"], 603);
    assert_eq!(tmdb("tv/46648").await["seasons"][0]["episode_count"], 8);
}

#[tokio::test]
#[ignore = "needs recordings that are not part of this repository"]
async fn justwatch_knows_what_was_recorded_of_it() {
    let justwatch = JustWatchStandin::start(&settings());
    for (id, country) in
        [("tm10", "US"), ("tm10", "GB"), ("tm10", "FR"), ("tm19698", "US"), ("tss20091", "US"), ("tse334769", "US")]
    {
        assert!(offers_of(&justwatch, id, country).await > 0, "{id} in {country}");
    }
    assert_eq!(offers_of(&justwatch, "tss443471", "US").await, 0, "an announced season");
}

//! Details, seasons, providers and ids elsewhere.

use crate::support::{Tmdb, locale, recorded, soon};
use playhouse_catalog::Country;
use playhouse_catalog::tmdb::{
    CountryProviders, EpisodeFound, Listed, OtherId, TitleDetails, TitleId, TitleKind, TmdbError, TmdbId,
};
use serde_json::{Value, json};
use wiremock::ResponseTemplate;

fn series(id: u64) -> TitleId {
    TitleId { kind: TitleKind::Series, id: TmdbId(id) }
}

fn movie(id: u64) -> TitleId {
    TitleId { kind: TitleKind::Movie, id: TmdbId(id) }
}

fn country(letters: &str) -> Country {
    letters.parse().unwrap()
}

fn names(providers: &CountryProviders) -> Vec<&str> {
    providers.playable().map(|provider| provider.name.as_str()).collect()
}

async fn details_of(title: TitleId, answer: Value) -> TitleDetails {
    let tmdb = Tmdb::start().await;
    let path = if title.kind == TitleKind::Movie { "movie" } else { "tv" };
    tmdb.knows(&format!("{path}/{}", title.id), answer).await;
    tmdb.client.details(title, &locale().language, soon()).await.unwrap()
}

fn amber_falls() -> Value {
    json!({
        "id": 3, "name": "Amber Falls", "original_name": "Bernsteinfälle", "first_air_date": "2021-02-03", "last_air_date": "2024-06-01",
        "seasons": [
            {"season_number": 0, "episode_count": 2, "air_date": null, "name": "Specials"},
            {"season_number": 1, "episode_count": 8, "air_date": "2021-02-03"},
            {"season_number": 2, "air_date": ""},
            {"season_number": 4, "episode_count": 8, "air_date": "2026-01-10"},
            {"episode_count": 8},
        ],
        "external_ids": {"imdb_id": "tt7654321", "tvdb_id": 71, "wikidata_id": "", "facebook_id": "x"},
        "watch/providers": {"results": {
            "US": {"link": "https://example.org", "flatrate": [{"provider_id": 8, "provider_name": "Netflix"}],
                   "ads": [{"provider_id": 1796, "provider_name": "Netflix with Ads"}, {"provider_id": 8, "provider_name": "Netflix"}]},
            "GB": {"rent": [{"provider_id": 2, "provider_name": "Apple TV Store"}]},
        }},
    })
}

#[tokio::test]
async fn details_bring_external_ids_and_providers_in_one_request() {
    let tmdb = Tmdb::start().await;
    tmdb.knows("tv/3", amber_falls()).await;

    let details = tmdb.client.details(series(3), &locale().language, soon()).await.unwrap();

    assert_eq!(tmdb.asked().await, ["tv/3?append_to_response=external_ids,watch/providers"]);
    assert_eq!(
        (details.title.as_deref(), details.original_title.as_deref()),
        (Some("Amber Falls"), Some("Bernsteinfälle"))
    );
    assert_eq!(details.external_ids.imdb.as_ref().unwrap().as_str(), "tt7654321");
    assert_eq!((details.external_ids.tvdb, details.external_ids.wikidata.as_deref()), (Some(71), None));
    assert_eq!(names(&details.providers.in_country(country("US"))), ["Netflix", "Netflix with Ads"], "each once");
    assert!(details.providers.in_country(country("GB")).costs_extra_everywhere());
    assert_eq!(details.providers.in_country(country("FR")), CountryProviders::default());

    let kept: TitleDetails = serde_json::from_str(&serde_json::to_string(&details).unwrap()).unwrap();
    assert_eq!(kept, details, "what is stored reads back");
}

#[tokio::test]
async fn the_details_tell_most_seasons_and_episodes() {
    let details = details_of(series(3), amber_falls()).await;

    let check = |season, episode, listed| assert_eq!(details.lists(season, episode), listed, "{season} {episode:?}");
    check(1, None, Listed::Yes);
    check(1, Some(8), Listed::Yes);
    check(0, Some(1), Listed::Yes);
    check(3, None, Listed::No);
    check(3, Some(1), Listed::No);
    // Numbers may run on through all seasons, and a count may be missing.
    check(1, Some(9), Listed::Unclear);
    check(1, Some(0), Listed::Unclear);
    check(2, Some(1), Listed::Unclear);

    assert_eq!(details.seasons.len(), 4, "a season without a number is none");
    let unlisted = details_of(series(4), json!({"id": 4, "name": "New", "seasons": []})).await;
    assert_eq!(unlisted.lists(1, None), Listed::Unclear);
    assert_eq!(details_of(movie(4), json!({"id": 4, "title": "Film"})).await.lists(1, None), Listed::No);
}

#[tokio::test]
async fn the_year_of_any_season_fits_give_or_take_one() {
    let details = details_of(series(3), amber_falls()).await;

    let fitting: Vec<_> = (2018..=2028).filter(|year| details.fits_year(*year)).collect();

    assert_eq!(fitting, [2020, 2021, 2022, 2025, 2026, 2027]);
}

#[tokio::test]
async fn details_may_lack_everything_but_their_number() {
    let details =
        details_of(movie(5), json!({"id": 5, "external_ids": null, "watch/providers": null, "seasons": null})).await;

    assert_eq!((details.title.as_deref(), details.year(), details.external_ids.imdb.as_ref()), (None, None, None));
    assert_eq!(details.providers.countries().count(), 0);
}

#[tokio::test]
async fn a_movies_own_imdb_id_stands_in_for_a_missing_external_one() {
    for (own, external, expected) in [
        (json!("tt0000005"), json!(null), Some("tt0000005")),
        (json!("tt0000005"), json!("tt0000006"), Some("tt0000006")),
        (json!(""), json!(""), None),
        (json!("nm0000001"), json!(7), None),
    ] {
        let details =
            details_of(movie(5), json!({"id": 5, "imdb_id": own, "external_ids": {"imdb_id": external}})).await;
        assert_eq!(details.external_ids.imdb.as_ref().map(|id| id.as_str()), expected);
    }
}

#[tokio::test]
async fn odd_provider_lists_are_passed_over() {
    let tmdb = Tmdb::start().await;
    let results = json!({
        "US": {"flatrate": null, "free": [{"provider_id": 73}, {"provider_name": "No number"}, "odd"], "ads": {}},
        "Atlantis": {"flatrate": [{"provider_id": 8, "provider_name": "Netflix"}]},
        "FR": [],
    });
    tmdb.knows("movie/5/watch/providers", json!({"id": 5, "results": results})).await;
    tmdb.knows("movie/6/watch/providers", json!({"id": 6})).await;

    let providers = tmdb.client.watch_providers(movie(5), soon()).await.unwrap();

    let us = providers.in_country(country("US"));
    assert_eq!(us.playable().map(|provider| provider.id).collect::<Vec<_>>(), [73]);
    assert!(!us.costs_extra_everywhere());
    assert!(!providers.in_country(country("FR")).costs_extra_everywhere(), "nothing on offer is not for rent either");
    assert_eq!(tmdb.client.watch_providers(movie(6), soon()).await.unwrap().countries().count(), 0);
}

#[tokio::test]
async fn external_ids_can_be_asked_for_alone() {
    let tmdb = Tmdb::start().await;
    tmdb.knows("movie/5/external_ids", json!({"id": 5, "imdb_id": null, "wikidata_id": "Q5"})).await;

    let ids = tmdb.client.external_ids(movie(5), soon()).await.unwrap();

    assert_eq!((ids.imdb, ids.wikidata.as_deref()), (None, Some("Q5")));
}

#[tokio::test]
async fn a_season_or_an_episode_does_not_exist_when_tmdb_itself_says_so() {
    let tmdb = Tmdb::start().await;
    let unknown = json!({"success": false, "status_code": 34, "status_message": "The resource you requested could not be found."});
    tmdb.knows("tv/3/season/1", json!({"_id": "x", "season_number": 1})).await;
    tmdb.knows("tv/3/season/1/episode/2", json!({"id": 9})).await;
    tmdb.answers("tv/3/season/9", ResponseTemplate::new(404).set_body_json(&unknown)).await;
    tmdb.answers("tv/3/season/1/episode/99", ResponseTemplate::new(404).set_body_json(&unknown)).await;

    assert_eq!(tmdb.client.has_season(TmdbId(3), 1, soon()).await, Ok(true));
    assert_eq!(tmdb.client.has_episode(TmdbId(3), 1, 2, soon()).await, Ok(true));
    assert_eq!(tmdb.client.has_season(TmdbId(3), 9, soon()).await, Ok(false));
    assert_eq!(tmdb.client.has_episode(TmdbId(3), 1, 99, soon()).await, Ok(false));
}

#[tokio::test]
async fn a_404_from_something_in_between_says_nothing_about_the_season() {
    let tmdb = Tmdb::start().await;
    tmdb.answers("tv/3/season/1", ResponseTemplate::new(404).set_body_string("<html>no such page</html>")).await;

    let error = tmdb.client.has_season(TmdbId(3), 1, soon()).await.unwrap_err();

    assert!(matches!(error, TmdbError::Upstream { .. }), "{error}");
}

#[tokio::test]
async fn titles_are_found_by_their_ids_elsewhere() {
    let tmdb = Tmdb::start().await;
    let found = json!({
        "movie_results": [{"id": 5, "title": "Film", "media_type": "movie"}],
        "person_results": [{"id": 6, "name": "Somebody", "media_type": "person"}],
        "tv_results": [{"id": 3, "name": "Amber Falls"}],
        "tv_season_results": null,
        "tv_episode_results": [{"id": 9, "show_id": 3, "season_number": 1, "episode_number": 2}, {"id": 10}],
    });
    tmdb.knows("find/tt7654321", found).await;
    tmdb.knows("find/71", json!({})).await;

    let by_imdb = OtherId::Imdb("tt7654321".parse().unwrap());
    let found = tmdb.client.find(&by_imdb, &locale().language, soon()).await.unwrap();
    let nothing = tmdb.client.find(&OtherId::Tvdb(71), &locale().language, soon()).await.unwrap();

    assert_eq!(found.titles.iter().map(|title| title.id).collect::<Vec<_>>(), [movie(5), series(3)]);
    assert_eq!(found.episodes, [EpisodeFound { series: TmdbId(3), season: 1, episode: 2 }]);
    assert!(nothing.titles.is_empty() && nothing.seasons.is_empty() && nothing.episodes.is_empty());
    assert_eq!(tmdb.asked().await, ["find/tt7654321?external_source=imdb_id", "find/71?external_source=tvdb_id"]);
}

/// The dearest question there is: a year that fits nothing, and an episode whose number the details leave open.
#[tokio::test]
async fn the_longest_way_to_a_title_takes_no_more_requests_than_a_resolution_has() {
    use playhouse_catalog::tmdb::{REQUESTS_PER_RESOLVE, TitleQuestion};

    let tmdb = Tmdb::start().await;
    tmdb.knows_of_year("search/tv", &[], json!({"results": [{"id": 3, "name": "Amber Falls"}]})).await;
    tmdb.knows("search/tv", json!({"results": []})).await;
    tmdb.knows("tv/3", amber_falls()).await;
    let question =
        TitleQuestion { title: "Amber Falls".into(), year: Some(1950), season: Some(1), episode: Some(9), kind: None };

    let outcome = tmdb.client.search(&question, &locale(), soon()).await.unwrap();
    let details = tmdb.client.details(outcome.candidates[0].id, &locale().language, soon()).await.unwrap();

    assert_eq!(details.lists(1, Some(9)), Listed::Unclear);
    assert_eq!(outcome.n_requests + 1, REQUESTS_PER_RESOLVE);
    assert_eq!(tmdb.asked().await.len(), REQUESTS_PER_RESOLVE as usize);
}

#[tokio::test]
async fn recorded_details_are_read() {
    if let Some(answer) = recorded("tmdb-api-movie-details.json") {
        let details = details_of(movie(550), answer).await;
        assert_eq!((details.title.as_deref(), details.year()), (Some("Fight Club"), Some(1999)));
        assert_eq!(details.external_ids.imdb.unwrap().as_str(), "tt0137523");
    }
    if let Some(answer) = recorded("tmdb-api-tv-details.json") {
        let details = details_of(series(1399), answer).await;
        assert_eq!((details.lists(8, Some(6)), details.lists(9, None)), (Listed::Yes, Listed::No));
        assert_eq!(details.last_shown.unwrap().to_string(), "2019-05-19");
    }
    if let Some(answer) = recorded("cameo-tv_details.json") {
        assert_eq!(details_of(series(1396), answer).await.lists(5, Some(16)), Listed::Unclear);
    }
}

#[tokio::test]
async fn recorded_providers_seasons_and_ids_are_read() {
    let tmdb = Tmdb::start().await;
    if let Some(answer) = recorded("tmdb-api-movie-watch-providers.json") {
        tmdb.knows("movie/550/watch/providers", answer).await;
        let providers = tmdb.client.watch_providers(movie(550), soon()).await.unwrap();
        assert_eq!(names(&providers.in_country(country("AE"))), ["Netflix"]);
        assert_eq!(providers.in_country(country("AU")).flatrate[0].id, 337);
    }
    if let Some(answer) = recorded("tmdb-api-tv-watch-providers.json") {
        tmdb.knows("tv/1399/watch/providers", answer).await;
        let providers = tmdb.client.watch_providers(series(1399), soon()).await.unwrap();
        assert_eq!(names(&providers.in_country(country("AE"))), ["OSN"]);
    }
    if let Some(answer) = recorded("tmdb-api-movie-external-ids.json") {
        tmdb.knows("movie/550/external_ids", answer).await;
        let ids = tmdb.client.external_ids(movie(550), soon()).await.unwrap();
        assert_eq!((ids.imdb.unwrap().as_str(), ids.wikidata.as_deref()), ("tt0137523", Some("Q190050")));
    }
    for (name, path) in [
        ("tmdb-api-tv-season-details-trimmed.json", "tv/1399/season/1"),
        ("cameo-tv_season_details.json", "tv/1399/season/2"),
        ("tmdb-api-tv-episode-details.json", "tv/1399/season/1/episode/1"),
    ] {
        if let Some(answer) = recorded(name) {
            tmdb.knows(path, answer).await;
        }
    }
    if recorded("cameo-tv_season_details.json").is_some() {
        assert_eq!(tmdb.client.has_season(TmdbId(1399), 1, soon()).await, Ok(true));
        assert_eq!(tmdb.client.has_season(TmdbId(1399), 2, soon()).await, Ok(true));
        assert_eq!(tmdb.client.has_episode(TmdbId(1399), 1, 1, soon()).await, Ok(true));
    }
    if let Some(answer) = recorded("tmdb-api-resource-not-found.json") {
        tmdb.answers("tv/1399/season/99", ResponseTemplate::new(404).set_body_json(answer)).await;
        assert_eq!(tmdb.client.has_season(TmdbId(1399), 99, soon()).await, Ok(false));
    }
}

//! Which searches a question leads to, and what is read from their answers.

use crate::support::{Tmdb, locale, recorded, soon};
use playhouse_catalog::tmdb::{Candidate, SearchOutcome, TitleKind, TitleQuestion, TmdbError};
use serde_json::{Value, json};
use wiremock::ResponseTemplate;

fn page(results: &Value) -> Value {
    json!({"page": 1, "results": results, "total_pages": 1, "total_results": 1})
}

fn nothing() -> Value {
    page(&json!([]))
}

fn series(id: u64, name: &str, first_air_date: &str) -> Value {
    json!({"id": id, "name": name, "original_name": name, "first_air_date": first_air_date, "popularity": 7.5, "vote_count": 40})
}

fn movie(id: u64, title: &str, release_date: &str) -> Value {
    json!({"id": id, "title": title, "original_title": title, "release_date": release_date, "popularity": 3.0})
}

fn named(title: &str) -> TitleQuestion {
    TitleQuestion::named(title)
}

async fn search(tmdb: &Tmdb, question: &TitleQuestion) -> SearchOutcome {
    tmdb.client.search(question, &locale(), soon()).await.unwrap()
}

fn ids(outcome: &SearchOutcome) -> Vec<(TitleKind, u64)> {
    outcome.candidates.iter().map(|candidate| (candidate.id.kind, candidate.id.id.0)).collect()
}

#[tokio::test]
async fn without_a_year_all_kinds_are_searched_at_once_and_people_are_dropped() {
    let tmdb = Tmdb::start().await;
    let results = json!([
        {"id": 1, "media_type": "person", "name": "Amber Falls", "original_name": "Amber Falls"},
        {"id": 2, "media_type": "movie", "title": "Amber Falls", "release_date": "2019-05-01"},
        {"id": 3, "media_type": "tv", "name": "Amber Falls", "first_air_date": "2021-02-03"},
        {"id": 4, "media_type": "collection", "name": "Amber Falls"},
    ]);
    tmdb.knows("search/multi", page(&results)).await;

    let outcome = search(&tmdb, &named("  amber falls ")).await;

    assert_eq!(ids(&outcome), [(TitleKind::Movie, 2), (TitleKind::Series, 3)]);
    assert_eq!(outcome.candidates.iter().map(Candidate::year).collect::<Vec<_>>(), [Some(2019), Some(2021)]);
    assert_eq!(tmdb.asked().await, ["search/multi?query=amber falls"]);
    assert_eq!(outcome.n_requests, 1);
}

#[tokio::test]
async fn with_a_year_movies_and_series_are_searched_each_by_their_own() {
    let tmdb = Tmdb::start().await;
    tmdb.knows_of_year("search/movie", &[("year", "2019")], page(&json!([movie(2, "Amber Falls", "2019-05-01")])))
        .await;
    tmdb.knows_of_year(
        "search/tv",
        &[("first_air_date_year", "2019")],
        page(&json!([series(3, "Amber", "2019-01-01")])),
    )
    .await;

    let outcome = search(&tmdb, &TitleQuestion { year: Some(2019), ..named("Amber Falls") }).await;

    assert_eq!(ids(&outcome), [(TitleKind::Movie, 2), (TitleKind::Series, 3)]);
    let mut asked = tmdb.asked().await;
    asked.sort();
    assert_eq!(
        asked,
        ["search/movie?query=Amber Falls&year=2019", "search/tv?first_air_date_year=2019&query=Amber Falls"]
    );
    assert_eq!(outcome.n_requests, 2);
}

#[tokio::test]
async fn a_year_that_fits_neither_leads_to_a_search_without_it() {
    let tmdb = Tmdb::start().await;
    tmdb.knows("search/movie", nothing()).await;
    tmdb.knows("search/tv", page(&json!([series(9, "Amber Waves", "2019-01-01")]))).await;
    let results = json!([
        {"id": 3, "media_type": "tv", "name": "Amber Falls", "first_air_date": "2018-12-30"},
        {"id": 9, "media_type": "tv", "name": "Amber Waves", "first_air_date": "2019-01-01"},
    ]);
    tmdb.knows("search/multi", page(&results)).await;

    let outcome = search(&tmdb, &TitleQuestion { year: Some(2019), ..named("Amber Falls") }).await;

    assert_eq!(ids(&outcome), [(TitleKind::Series, 9), (TitleKind::Series, 3)], "each once");
    assert_eq!((outcome.n_requests, tmdb.asked().await.len()), (3, 3));
}

#[tokio::test]
async fn a_season_or_an_episode_means_a_series_whatever_else_was_said() {
    for question in [
        TitleQuestion { season: Some(0), ..named("Amber Falls") },
        TitleQuestion { episode: Some(4), ..named("Amber Falls") },
        TitleQuestion { season: Some(1), kind: Some(TitleKind::Movie), ..named("Amber Falls") },
        TitleQuestion { kind: Some(TitleKind::Series), ..named("Amber Falls") },
    ] {
        let tmdb = Tmdb::start().await;
        tmdb.knows("search/tv", page(&json!([series(3, "Amber Falls", "2021-02-03")]))).await;

        assert_eq!(ids(&search(&tmdb, &question).await), [(TitleKind::Series, 3)]);
        assert_eq!(tmdb.asked().await, ["search/tv?query=Amber Falls"]);
    }
}

#[tokio::test]
async fn a_movie_alone_can_be_asked_for() {
    let tmdb = Tmdb::start().await;
    tmdb.knows_of_year("search/movie", &[("year", "2020")], nothing()).await;
    tmdb.knows_of_year("search/movie", &[], page(&json!([movie(2, "Amber Falls", "2019-05-01")]))).await;
    let question = TitleQuestion { kind: Some(TitleKind::Movie), year: Some(2020), ..named("Amber Falls") };

    let outcome = search(&tmdb, &question).await;

    assert_eq!(ids(&outcome), [(TitleKind::Movie, 2)]);
    assert_eq!(tmdb.asked().await, ["search/movie?query=Amber Falls&year=2020", "search/movie?query=Amber Falls"]);
}

/// The remake is what the year is for: searched by the year of the first episode, the older series does not come up.
#[tokio::test]
async fn the_year_of_the_first_episode_tells_a_remake_from_its_model() {
    let tmdb = Tmdb::start().await;
    tmdb.knows_of_year(
        "search/tv",
        &[("first_air_date_year", "2021")],
        page(&json!([series(3, "Amber Falls", "2021-02-03")])),
    )
    .await;
    let question = TitleQuestion { year: Some(2021), season: Some(1), ..named("Amber Falls") };

    assert_eq!(ids(&search(&tmdb, &question).await), [(TitleKind::Series, 3)]);
    assert_eq!(tmdb.asked().await, ["search/tv?first_air_date_year=2021&query=Amber Falls"]);
}

#[tokio::test]
async fn the_year_of_a_later_season_is_understood() {
    let tmdb = Tmdb::start().await;
    // Another title of the right year must not end the walk.
    tmdb.knows_of_year(
        "search/tv",
        &[("first_air_date_year", "2024")],
        page(&json!([series(8, "Amber Alert", "2024-01-01")])),
    )
    .await;
    tmdb.knows_of_year("search/tv", &[("year", "2024")], page(&json!([series(3, "Amber Falls", "2021-02-03")]))).await;
    let question = TitleQuestion { year: Some(2024), season: Some(3), ..named("Amber Falls") };

    let outcome = search(&tmdb, &question).await;

    assert_eq!(ids(&outcome), [(TitleKind::Series, 8), (TitleKind::Series, 3)]);
    assert_eq!(
        tmdb.asked().await,
        ["search/tv?first_air_date_year=2024&query=Amber Falls", "search/tv?query=Amber Falls&year=2024"]
    );
}

#[tokio::test]
async fn a_wrong_year_costs_three_searches_at_most() {
    let tmdb = Tmdb::start().await;
    tmdb.knows("search/tv", nothing()).await;
    let question = TitleQuestion { year: Some(1950), season: Some(3), ..named("Amber Falls") };

    let outcome = search(&tmdb, &question).await;

    assert!(outcome.candidates.is_empty());
    assert_eq!(outcome.n_requests, 3);
    assert_eq!(
        tmdb.asked().await,
        [
            "search/tv?first_air_date_year=1950&query=Amber Falls",
            "search/tv?query=Amber Falls&year=1950",
            "search/tv?query=Amber Falls"
        ]
    );
}

#[tokio::test]
async fn the_callers_language_and_country_are_asked_for_and_nothing_for_adults() {
    let tmdb = Tmdb::start().await;
    tmdb.knows("search/movie", nothing()).await;
    let question = TitleQuestion { kind: Some(TitleKind::Movie), ..named("Ambre") };
    let mut locale = locale();
    (locale.language, locale.country) = ("fr-FR".parse().unwrap(), "FR".parse().unwrap());

    tmdb.client.search(&question, &locale, soon()).await.unwrap();

    let url = &tmdb.server.received_requests().await.unwrap()[0].url;
    for expected in ["language=fr-FR", "region=FR", "include_adult=false"] {
        assert!(url.query().unwrap().contains(expected), "{expected}");
    }
}

#[tokio::test]
async fn original_titles_are_kept_and_count() {
    let tmdb = Tmdb::start().await;
    let results = json!([
        {"id": 1, "media_type": "movie", "title": "Amber", "original_title": "Янтарь", "original_language": "ru"},
        {"id": 2, "media_type": "tv", "name": "Same", "original_name": "Same"},
        {"id": 3, "media_type": "tv", "name": null, "original_name": "Only Original"},
    ]);
    tmdb.knows("search/multi", page(&results)).await;

    let outcome = search(&tmdb, &named("янтарь")).await;

    let names: Vec<_> =
        outcome.candidates.iter().map(|found| (found.title.as_str(), found.original_title.as_deref())).collect();
    assert_eq!(names, [("Amber", Some("Янтарь")), ("Same", None), ("Only Original", None)]);
    assert!(outcome.candidates[0].is_called("ЯНТАРЬ") && outcome.candidates[0].is_called("amber!"));
    assert_eq!(outcome.candidates[0].original_language.as_deref(), Some("ru"));
}

#[tokio::test]
async fn what_is_missing_null_empty_or_odd_spoils_nothing() {
    let tmdb = Tmdb::start().await;
    let results = json!([
        {"id": 1, "media_type": "movie", "title": "No date"},
        {"id": 2, "media_type": "movie", "title": "Null date", "release_date": null, "popularity": null, "vote_count": -1},
        {"id": 3, "media_type": "tv", "name": "Empty date", "first_air_date": ""},
        {"id": 4, "media_type": "tv", "name": "Odd date", "first_air_date": "sometime", "popularity": "high"},
        {"id": "five", "media_type": "tv", "name": "No number"},
        {"media_type": "tv", "name": "No id"},
        {"id": 7, "media_type": "tv"},
        {"id": 8, "name": "No kind"},
        null,
    ]);
    tmdb.knows("search/multi", page(&results)).await;

    let outcome = search(&tmdb, &named("date")).await;

    assert_eq!(ids(&outcome).iter().map(|(_, id)| *id).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert!(
        outcome.candidates.iter().all(|found| found.year().is_none() && found.popularity == 0.0 && found.n_votes == 0)
    );
}

#[tokio::test]
async fn an_empty_title_is_not_sent() {
    let tmdb = Tmdb::start().await;

    let error = tmdb.client.search(&named(" \t"), &locale(), soon()).await.unwrap_err();

    assert_eq!(error.to_string(), "TMDB cannot answer this question: no title was given.");
    assert!(tmdb.asked().await.is_empty());
}

#[tokio::test]
async fn a_question_that_tmdb_refuses_is_told_with_its_reasons() {
    let tmdb = Tmdb::start().await;
    let refusal = json!({"errors": ["query must be provided", "page\u{7} must be less than 500"]});
    tmdb.answers("search/multi", ResponseTemplate::new(422).set_body_json(refusal)).await;

    let error = tmdb.client.search(&named("x"), &locale(), soon()).await.unwrap_err();

    assert!(matches!(error, TmdbError::BadQuestion { .. }));
    assert_eq!(
        error.to_string(),
        "TMDB cannot answer this question: query must be provided; page must be less than 500."
    );
}

#[tokio::test]
async fn half_an_answer_is_no_answer() {
    let tmdb = Tmdb::start().await;
    tmdb.knows("search/movie", page(&json!([movie(2, "Amber Falls", "2019-05-01")]))).await;
    tmdb.answers("search/tv", ResponseTemplate::new(501)).await;

    let question = TitleQuestion { year: Some(2019), ..named("Amber Falls") };
    let outcome = tmdb.client.search(&question, &locale(), soon()).await;

    assert!(outcome.is_err(), "the series might have been the better answer");
}

#[tokio::test]
async fn recorded_searches_are_read() {
    let check = async |name: &str, path: &str, question: TitleQuestion, expected: &[(&str, Option<i16>)]| {
        let Some(recorded) = recorded(name) else { return };
        let tmdb = Tmdb::start().await;
        tmdb.knows(path, recorded).await;
        let outcome = search(&tmdb, &question).await;
        let found: Vec<_> = outcome.candidates.iter().map(|found| (found.title.as_str(), found.year())).collect();
        assert!(found.starts_with(expected), "{name}: {found:?}");
    };
    let about = |kind| TitleQuestion { kind: Some(kind), ..named("anything") };

    let multi = [("Fight Club", Some(1999)), ("Dirty Linen", Some(2023))];
    check("cameo-search_multi.json", "search/multi", named("fight club"), &multi).await;
    check("cameo-search_movie.json", "search/movie", about(TitleKind::Movie), &[("Fight Club", Some(1999))]).await;
    check("cameo-search_tv.json", "search/tv", about(TitleKind::Series), &[("Breaking Bad", Some(2008))]).await;
    let rick = [("Rick and Morty", Some(2013)), ("Rick and Morty: The Anime", None)];
    check("tmdb-api-search-tv-rick-and-morty.json", "search/tv", about(TitleKind::Series), &rick).await;
    check("tmdb-api-search-movie.json", "search/movie", about(TitleKind::Movie), &[("RRRrrrr!!!", Some(2004))]).await;
    check("tmdb-api-search-tv.json", "search/tv", about(TitleKind::Series), &[("Game of Thrones", Some(2011))]).await;
    let watch = [("Game of Thrones: The Last Watch", Some(2019))];
    check("tmdb-api-tv-search-decoding-error.json", "search/movie", about(TitleKind::Movie), &watch).await;
}

//! `search_releases`

use playhouse_standins::{ArrKind, ArrStandin, BookFormat, Library, Misbehaviour};
use serde_json::{Value, json};

use crate::common::library::{LibraryHouse, prose_of};
use crate::{gives_no_guid_away, in_days, requests};

fn film() -> Library {
    let mut library = Library::empty(ArrKind::Radarr);
    library.movie(603, "The Lantern Keeper", 2019, Some(in_days(-400)));
    library
}

async fn with_film() -> (LibraryHouse, ArrStandin, String) {
    LibraryHouse::with(ArrKind::Radarr, film()).await
}

fn of_film() -> Value {
    json!({"media_type": "movie", "tmdb_id": 603})
}

#[actix_web::test]
async fn case_60_to_63_a_scope_that_is_not_exact_is_refused_before_anything_is_asked() {
    let (house, radarr, _) = with_film().await;
    for (arguments, code) in [
        (json!({"media_type": "movie", "tmdb_id": 603, "season_number": 1}), "scope_extraneous"),
        (json!({"media_type": "movie", "tmdb_id": 603, "season_number": 0}), "scope_extraneous"),
        (json!({"media_type": "movie"}), "scope_missing"),
        (json!({"media_type": "tv", "tmdb_id": 603}), "scope_missing"),
        (json!({"media_type": "tv", "tmdb_id": 603, "episode_number": 1}), "scope_missing"),
        (json!({"media_type": "book", "book_id": 1, "tmdb_id": 603}), "scope_extraneous"),
        (json!({"media_type": "music", "album_id": 1, "book_id": 1}), "scope_extraneous"),
        (json!({"media_type": "music"}), "scope_missing"),
    ] {
        let result = house.result("search_releases", arguments.clone()).await;
        assert_eq!(
            (&result["isError"], &result["structuredContent"]["code"]),
            (&json!(false), &json!(code)),
            "{arguments}"
        );
        assert!(prose_of(&result).ends_with("Nothing was sent."), "{result}");
    }
    assert_eq!(radarr.n_requests(), 0);
    house.town.stop().await;
}

#[actix_web::test]
async fn case_63_the_specials_are_a_season_that_can_be_searched() {
    let mut library = Library::empty(ArrKind::Sonarr);
    let series = library.series(1_396, 81_189, "Salt Flats", 2024);
    let episodes = library.season(series, 0, &[Some(in_days(-9)), Some(in_days(-2))]);
    let (house, sonarr, _) = LibraryHouse::with(ArrKind::Sonarr, library).await;
    let specials = json!({"media_type": "tv", "tmdb_id": 1_396, "season_number": 0});
    house.ask("search_releases", specials).await;
    let query = |n: usize| requests(&sonarr, "GET", "/release")[n].query.clone();
    assert_eq!(query(0), [("seriesId".to_owned(), series.to_string()), ("seasonNumber".to_owned(), "0".to_owned())]);
    let one = json!({"media_type": "tv", "tmdb_id": 1_396, "season_number": 0, "episode_number": 2});
    house.ask("search_releases", one).await;
    assert_eq!(query(1), [("episodeId".to_owned(), episodes[1].to_string())]);
    assert_eq!((sonarr.n_feeds(), sonarr.violations()), (0, vec![]));
    house.town.stop().await;
}

#[actix_web::test]
async fn case_64_releases_in_an_envelope_are_read() {
    let mut library = Library::empty(ArrKind::Chaptarr);
    let author = library.author("Ada Fenwick");
    let book = library.book(author, "Salt", BookFormat::Ebook, None);
    let (house, chaptarr, _) = LibraryHouse::with(ArrKind::Chaptarr, library).await;
    let found = house.ask("search_releases", json!({"media_type": "book", "book_id": book})).await;
    assert!(found["total"].as_u64().unwrap() > 3, "{found}");
    assert_eq!(found["scope"], "Ada Fenwick — Salt");
    assert_eq!(chaptarr.violations(), []);
    house.town.stop().await;
}

#[actix_web::test]
async fn case_65_66_and_67_releases_are_ranked_capped_and_give_no_guid_away() {
    let (house, radarr, _) = with_film().await;
    let result = house.result("search_releases", of_film()).await;
    gives_no_guid_away(&result.to_string());
    let found = &result["structuredContent"];
    let rejected: Vec<_> =
        found["releases"].as_array().unwrap().iter().map(|release| release["rejected"].as_bool().unwrap()).collect();
    assert!(rejected.is_sorted() && rejected.contains(&true) && rejected.contains(&false), "{rejected:?}");
    assert!(prose_of(&result).contains("grab_release"));
    assert!(!prose_of(&result).contains("instance_id radarr-"), "none was named: {result}");

    radarr.alter("GET */release", |list| {
        let first = list[0].clone();
        let forty = (0..40).map(|n| {
            let mut release = first.clone();
            (release["guid"], release["seeders"]) = (json!(format!("passkey-{n}")), json!(n));
            release["title"] = json!(format!("Release {n} passkey-{n} passkey-{}", 39 - n));
            release
        });
        *list = forty.collect();
    });
    let result = house.result("search_releases", of_film()).await;
    gives_no_guid_away(&result.to_string());
    let found = &result["structuredContent"];
    assert_eq!((&found["total"], &found["shown"]), (&json!(40), &json!(15)));
    let seeders: Vec<_> =
        found["releases"].as_array().unwrap().iter().map(|release| release["seeders"].as_i64().unwrap()).collect();
    assert_eq!(seeders, (25..40).rev().collect::<Vec<_>>());
    house.town.stop().await;
}

#[actix_web::test]
async fn case_68_a_look_up_that_answers_another_film_is_an_error_and_no_indexer_is_asked() {
    let (house, radarr, _) = with_film().await;
    radarr.alter("GET */movie", |list| list[0]["tmdbId"] = json!(604));
    let words = house.failure("search_releases", of_film()).await;
    assert!(words.contains("another movie"), "{words}");
    assert!(requests(&radarr, "GET", "/release").is_empty());
    house.town.stop().await;
}

#[actix_web::test]
async fn a_named_library_is_named_again_for_the_grab() {
    let (house, _radarr, id) = with_film().await;
    let mut arguments = of_film();
    arguments["instance_id"] = json!(id);
    let prose = house.prose("search_releases", arguments).await;
    assert!(prose.contains(&format!("with the same instance_id {id}")), "{prose}");
    house.town.stop().await;
}

#[actix_web::test]
async fn what_is_not_there_and_what_nobody_offers_are_answers() {
    let (house, radarr, _) = with_film().await;
    let absent = house.ask("search_releases", json!({"media_type": "movie", "tmdb_id": 5})).await;
    assert_eq!((&absent["outcome"], &absent["code"]), (&json!("refused"), &json!("not_in_library")));
    radarr.answer_instead("GET */release", 200, json!([]));
    let prose = house.prose("search_releases", of_film()).await;
    assert!(prose.contains("The Lantern Keeper (2019)") && prose.contains("no proof"), "{prose}");
    assert_eq!(radarr.n_feeds(), 0);
    house.town.stop().await;
}

#[actix_web::test]
async fn a_search_that_fails_is_an_error() {
    let (house, radarr, _) = with_film().await;
    for misbehaviour in [
        Misbehaviour::Failing { status: 400 },
        Misbehaviour::Failing { status: 504 },
        Misbehaviour::Html,
        Misbehaviour::LoginRedirect,
        Misbehaviour::Truncated,
        Misbehaviour::ErrorIn200,
        Misbehaviour::Huge { n_bytes: 65 << 20 },
    ] {
        radarr.misbehave_once("GET */release", misbehaviour);
        let words = house.failure("search_releases", of_film()).await;
        assert!(words.starts_with("Radarr GET /api/v3/release"), "{misbehaviour:?}: {words}");
        gives_no_guid_away(&words);
    }
    house.town.stop().await;
}

#[actix_web::test]
async fn a_search_that_hangs_holds_back_no_quick_read() {
    let (house, radarr, _) = with_film().await;
    radarr.misbehave("GET */release", Misbehaviour::Slow);
    let search = house.result("search_releases", of_film());
    let read = async {
        radarr.until_held(1).await;
        let history = house.ask("get_history", json!({"media_type": "movie"})).await;
        radarr.release();
        history
    };
    let (found, history) = futures_util::join!(search, read);
    assert_eq!((&found["isError"], &history["outcome"]), (&json!(false), &json!("answered")));
    house.town.stop().await;
}

//! `trigger_search`

use playhouse_standins::{ArrKind, ArrStandin, BookFormat, Library, Misbehaviour};
use serde_json::{Value, json};

use crate::common::Town;
use crate::common::library::{LibraryHouse, prose_of};
use crate::{commands, in_days, requests};

/// A series, and the ids of the episodes of its second season, by when they air.
async fn with_season(days: &[Option<i64>]) -> (LibraryHouse, ArrStandin, u32, Vec<u32>) {
    let mut library = Library::empty(ArrKind::Sonarr);
    let series = library.series(1_396, 81_189, "Salt Flats", 2024);
    let dates: Vec<_> = days.iter().map(|days| days.map(in_days)).collect();
    let episodes = library.season(series, 2, &dates);
    let (house, sonarr, _) = LibraryHouse::with(ArrKind::Sonarr, library).await;
    (house, sonarr, series, episodes)
}

fn tv(arguments: &Value) -> Value {
    let mut all = json!({"media_type": "tv", "tmdb_id": 1_396});
    for (name, value) in arguments.as_object().unwrap() {
        all[name] = value.clone();
    }
    all
}

#[actix_web::test]
async fn case_49_a_movie_is_searched_by_the_librarys_own_id() {
    let mut library = Library::empty(ArrKind::Radarr);
    library.movie(11, "Another Film", 2001, None);
    let film = library.movie(603, "The Lantern Keeper", 2019, None);
    let (house, radarr, _) = LibraryHouse::with(ArrKind::Radarr, library).await;
    let result = house.result("trigger_search", json!({"media_type": "movie", "tmdb_id": 603})).await;
    assert_eq!(commands(&radarr), [json!({"name": "MoviesSearch", "movieIds": [film]})]);
    let done = &result["structuredContent"];
    assert_eq!(
        (&done["outcome"], &done["command"], &done["targets"]),
        (&json!("done"), &json!("MoviesSearch"), &json!(1))
    );
    assert!(prose_of(&result).contains("Radarr instance \"Radarr\" accepted the search for The Lantern Keeper (2019)"));
    assert_eq!(radarr.violations(), []);
    house.town.stop().await;
}

#[actix_web::test]
async fn case_50_and_51_a_series_a_season_and_an_episode() {
    let (house, sonarr, series, episodes) = with_season(&[Some(-9), Some(-2)]).await;
    for (arguments, body) in [
        (json!({}), json!({"name": "SeriesSearch", "seriesId": series})),
        (json!({"season_number": 2}), json!({"name": "SeasonSearch", "seriesId": series, "seasonNumber": 2})),
        (
            json!({"season_number": 2, "episode_number": 2}),
            json!({"name": "EpisodeSearch", "episodeIds": [episodes[1]]}),
        ),
    ] {
        sonarr.forget_requests();
        house.ask("trigger_search", tv(&arguments)).await;
        assert_eq!(commands(&sonarr), [body]);
    }
    assert_eq!(sonarr.violations(), []);
    house.town.stop().await;
}

#[actix_web::test]
async fn case_52_a_book_wins_over_its_author_and_an_album_over_its_artist() {
    let mut library = Library::empty(ArrKind::Chaptarr);
    let author = library.author("Ada Fenwick");
    let book = library.book(author, "Salt", BookFormat::Ebook, None);
    let (house, chaptarr, _) = LibraryHouse::with(ArrKind::Chaptarr, library).await;
    let by_book = json!({"name": "BookSearch", "bookIds": [book]});
    for (arguments, body) in [
        (json!({"media_type": "book", "book_id": book}), by_book.clone()),
        (json!({"media_type": "book", "author_id": author}), json!({"name": "AuthorSearch", "authorId": author})),
        (json!({"media_type": "book", "author_id": author, "book_id": book}), by_book),
    ] {
        chaptarr.forget_requests();
        house.ask("trigger_search", arguments).await;
        assert_eq!(commands(&chaptarr), [body]);
    }
    house.town.stop().await;

    let mut library = Library::empty(ArrKind::Lidarr);
    let artist = library.artist("Nine Herons");
    let album = library.album(artist, "Low Water", None, 2);
    let (house, lidarr, _) = LibraryHouse::with(ArrKind::Lidarr, library).await;
    for (arguments, body) in [
        (
            json!({"media_type": "music", "album_id": album, "artist_id": artist}),
            json!({"name": "AlbumSearch", "albumIds": [album]}),
        ),
        (json!({"media_type": "music", "artist_id": artist}), json!({"name": "ArtistSearch", "artistId": artist})),
    ] {
        lidarr.forget_requests();
        house.ask("trigger_search", arguments).await;
        assert_eq!(commands(&lidarr), [body]);
    }
    house.town.stop().await;
}

#[actix_web::test]
async fn case_53_54_and_55_what_is_not_started_says_so_and_sends_nothing() {
    let (house, sonarr, ..) = with_season(&[Some(-9)]).await;
    for (arguments, code) in [
        (json!({"media_type": "book"}), "scope_missing"),
        (json!({"media_type": "music"}), "scope_missing"),
        (json!({"media_type": "movie"}), "scope_missing"),
        (tv(&json!({"episode_number": 1})), "scope_missing"),
        (tv(&json!({"aired_only": true})), "scope_extraneous"),
        (json!({"media_type": "movie", "tmdb_id": 1, "season_number": 1}), "scope_extraneous"),
        (json!({"media_type": "movie", "tmdb_id": 1}), "not_configured"),
    ] {
        let result = house.result("trigger_search", arguments.clone()).await;
        let content = &result["structuredContent"];
        assert_eq!(
            (&result["isError"], &content["outcome"], &content["code"]),
            (&json!(true), &json!("not_started"), &json!(code)),
            "{arguments}"
        );
    }
    assert_eq!(sonarr.n_requests(), 0);
    for (arguments, code) in [
        (json!({"media_type": "tv", "tmdb_id": 4}), "not_in_library"),
        (tv(&json!({"season_number": 9})), "season_unknown"),
        (tv(&json!({"season_number": 2, "episode_number": 7})), "no_episodes"),
    ] {
        let result = house.result("trigger_search", arguments).await;
        assert_eq!((&result["isError"], &result["structuredContent"]["code"]), (&json!(true), &json!(code)));
    }
    assert_eq!(commands(&sonarr), Vec::<Value>::new());
    house.town.stop().await;
}

#[actix_web::test]
async fn case_56_aired_only_searches_what_aired_and_is_missing_in_one_command() {
    let (house, sonarr, _, episodes) =
        with_season(&[Some(-30), Some(-23), Some(-16), Some(-9), Some(5), Some(12), None]).await;
    sonarr.shelve(|library| library.keep(episodes[3], in_days(-8)));
    let result = house.result("trigger_search", tv(&json!({"season_number": 2, "aired_only": true}))).await;
    assert_eq!(commands(&sonarr), [json!({"name": "EpisodeSearch", "episodeIds": episodes[..3]})]);
    let done = &result["structuredContent"];
    assert_eq!((&done["targets"], &done["skipped_unaired"]), (&json!(3), &json!(3)));
    assert!(prose_of(&result).contains("3 episodes that have not aired"), "{result}");
    house.town.stop().await;
}

#[actix_web::test]
async fn case_57_and_58_with_nothing_to_search_it_says_which_of_two_and_sends_nothing() {
    let (house, sonarr, _, episodes) = with_season(&[Some(5), None]).await;
    let asked = tv(&json!({"season_number": 2, "aired_only": true}));
    let result = house.result("trigger_search", asked.clone()).await;
    assert_eq!(
        (&result["isError"], &result["structuredContent"]["nothing_to_search"]),
        (&json!(false), &json!("nothing_aired"))
    );
    assert!(prose_of(&result).contains("has aired yet"), "{result}");
    house.town.stop().await;
    drop(episodes);

    let (house, second, _, episodes) = with_season(&[Some(-5), Some(5)]).await;
    second.shelve(|library| library.keep(episodes[0], in_days(-4)));
    let result = house.result("trigger_search", asked).await;
    assert_eq!(
        (&result["isError"], &result["structuredContent"]["nothing_to_search"]),
        (&json!(false), &json!("all_have_files"))
    );
    assert!(prose_of(&result).contains("must be deleted first"), "{result}");
    assert_eq!((commands(&sonarr), commands(&second)), (Vec::new(), Vec::new()));
    house.town.stop().await;
}

#[actix_web::test]
async fn case_59_what_airs_between_proposal_and_call_is_included() {
    let (house, sonarr, _, episodes) = with_season(&[Some(-5), Some(5)]).await;
    let asked = tv(&json!({"season_number": 2, "aired_only": true}));
    house.ask("trigger_search", asked.clone()).await;
    // Meanwhile the second one was put forward.
    let date = in_days(-1).to_string();
    let second = episodes[1];
    sonarr.alter("GET */episode", move |list| {
        for episode in list.as_array_mut().unwrap() {
            if episode["id"] == second {
                episode["airDateUtc"] = json!(date);
            }
        }
    });
    house.ask("trigger_search", asked).await;
    assert_eq!(commands(&sonarr)[1]["episodeIds"], json!(episodes));
    house.town.stop().await;
}

#[actix_web::test]
async fn a_command_whose_answer_is_lost_is_unknown_and_one_that_is_refused_is_not_started() {
    let (house, sonarr, ..) = with_season(&[Some(-9)]).await;
    for (misbehaviour, outcome) in [
        (Misbehaviour::DoneButLost, "unknown"),
        (Misbehaviour::DoneButFailing { status: 504 }, "unknown"),
        (Misbehaviour::Failing { status: 500 }, "unknown"),
        (Misbehaviour::Html, "unknown"),
        (Misbehaviour::Nothing, "unknown"),
        (Misbehaviour::Unauthorised, "not_started"),
        (Misbehaviour::Failing { status: 400 }, "not_started"),
    ] {
        sonarr.forget_requests();
        sonarr.misbehave_once("POST */command", misbehaviour);
        let result = house.result("trigger_search", tv(&json!({}))).await;
        let found = (&result["isError"], &result["structuredContent"]["outcome"]);
        assert_eq!(found, (&json!(true), &json!(outcome)), "{misbehaviour:?}: {result}");
        assert_eq!(requests(&sonarr, "POST", "/command").len(), 1, "{misbehaviour:?}: it is never repeated by itself");
        if outcome == "unknown" {
            assert!(prose_of(&result).contains("Do not repeat it"), "{result}");
        }
    }
    house.town.stop().await;
}

#[actix_web::test]
async fn a_look_up_that_fails_starts_nothing() {
    let (house, sonarr, ..) = with_season(&[Some(-9)]).await;
    sonarr.misbehave("GET */series", Misbehaviour::Failing { status: 502 });
    let result = house.result("trigger_search", tv(&json!({}))).await;
    assert_eq!((&result["isError"], &result["structuredContent"]["code"]), (&json!(true), &json!("upstream_status")));
    assert_eq!(commands(&sonarr), Vec::<Value>::new());
    house.town.stop().await;
}

#[actix_web::test]
async fn a_search_behind_another_change_or_behind_hanging_reads_is_told_in_time_that_it_was_not_started() {
    let town = Town::start_with(|config| config.bus.call_deadline_seconds = 6).await;
    let house = LibraryHouse::in_town(town).await;
    let mut library = Library::empty(ArrKind::Radarr);
    library.movie(603, "The Lantern Keeper", 2019, None);
    let radarr = ArrStandin::start(ArrKind::Radarr, library);
    house.add(&radarr, "Radarr").await;
    let search = json!({"media_type": "movie", "tmdb_id": 603});
    let not_started = |result: &Value| {
        let content = &result["structuredContent"];
        assert_eq!((&content["outcome"], &content["code"]), (&json!("not_started"), &json!("busy")), "{result}");
        assert!(!prose_of(result).contains("Do not repeat it"), "{result}");
    };

    // Behind a command that hangs.
    radarr.misbehave_once("POST */command", Misbehaviour::Slow);
    let first = house.result("trigger_search", search.clone());
    let second = async {
        radarr.until_held(1).await;
        house.result("trigger_search", search.clone()).await
    };
    let (first, second) = futures_util::join!(first, second);
    assert_eq!(first["structuredContent"]["outcome"], "unknown", "{first}");
    not_started(&second);
    assert_eq!(requests(&radarr, "POST", "/command").len(), 1);

    // Behind three reads that hang.
    radarr.forget_requests();
    radarr.misbehave("GET */history", Misbehaviour::Slow);
    let read = || house.result("get_history", json!({"media_type": "movie"}));
    let search = async {
        radarr.until_held(3).await;
        house.result("trigger_search", search).await
    };
    let (_, _, _, behind) = futures_util::join!(read(), read(), read(), search);
    not_started(&behind);
    assert!(commands(&radarr).is_empty());
    house.town.stop().await;
}

//! `get_calendar`

use jiff::Timestamp;
use playhouse_standins::{ArrKind, ArrStandin, Library, Misbehaviour};
use serde_json::json;

use crate::common::library::{LibraryHouse, prose_of};
use crate::{in_days, reads};

fn one_film() -> Library {
    let mut library = Library::empty(ArrKind::Radarr);
    library.movie(603, "The Lantern Keeper", 2026, Some(in_days(3)));
    library
}

fn one_season() -> Library {
    let mut library = Library::empty(ArrKind::Sonarr);
    let series = library.series(1_396, 81_189, "Salt Flats", 2024);
    library.season(series, 2, &[Some(in_days(2)), Some(in_days(9))]);
    library
}

fn one_album() -> Library {
    let mut library = Library::empty(ArrKind::Lidarr);
    let artist = library.artist("Nine Herons");
    library.album(artist, "Low Water", Some(in_days(4)), 3);
    library
}

#[actix_web::test]
async fn three_libraries_make_one_calendar_and_books_are_noted() {
    let house = LibraryHouse::empty().await;
    let radarr = ArrStandin::start(ArrKind::Radarr, one_film());
    let sonarr = ArrStandin::start(ArrKind::Sonarr, one_season());
    let lidarr = ArrStandin::start(ArrKind::Lidarr, one_album());
    let chaptarr = ArrStandin::start(ArrKind::Chaptarr, Library::empty(ArrKind::Chaptarr));
    for (arr, name) in [(&radarr, "Films"), (&sonarr, "Series"), (&lidarr, "Records"), (&chaptarr, "Shelf")] {
        house.add(arr, name).await;
    }

    let result = house.result("get_calendar", json!({})).await;

    let (calendar, prose) = (&result["structuredContent"], prose_of(&result));
    let kinds: Vec<_> =
        calendar["entries"].as_array().unwrap().iter().map(|entry| entry["kind"].as_str().unwrap()).collect();
    for kind in ["cinema", "episode", "album"] {
        assert!(kinds.contains(&kind), "{kind}: {calendar}");
    }
    let dates: Vec<_> =
        calendar["entries"].as_array().unwrap().iter().map(|entry| entry["date"].as_str().unwrap()).collect();
    assert!(dates.is_sorted(), "{dates:?}");
    for words in [
        "The Lantern Keeper (2026)",
        "Salt Flats S02E01",
        "Nine Herons — Low Water",
        "Radarr instance \"Films\"",
        "Books have no calendar",
    ] {
        assert!(prose.contains(words), "{words}: {prose}");
    }
    let states: Vec<_> =
        calendar["libraries"].as_array().unwrap().iter().map(|library| library["state"].clone()).collect();
    assert_eq!(states, [json!("read"), json!("read"), json!("read"), json!("unsupported")]);
    assert!(reads(&chaptarr, "/calendar").is_empty());
    assert_eq!(reads(&sonarr, "/calendar")[0].parameter("includeSeries"), Some("true"));
    assert_eq!(reads(&radarr, "/calendar")[0].parameter("unmonitored"), Some("false"));
    for arr in [&radarr, &sonarr, &lidarr, &chaptarr] {
        assert_eq!(arr.violations(), []);
    }
    house.town.stop().await;
}

#[actix_web::test]
async fn case_31_days_are_clamped_and_asked_for_in_utc() {
    let (house, radarr, _) = LibraryHouse::with(ArrKind::Radarr, one_film()).await;
    for (days, expected) in [(json!(0), 14), (json!(400), 60), (json!(-5), 14), (json!(7), 7), (json!(null), 14)] {
        radarr.forget_requests();
        let calendar = house.ask("get_calendar", json!({"media_type": "movie", "days": days})).await;
        assert_eq!(calendar["days"], expected, "{days}");
        let request = &reads(&radarr, "/calendar")[0];
        let instant = |name| request.parameter(name).unwrap().parse::<Timestamp>().unwrap();
        assert!(request.parameter("start").unwrap().ends_with('Z'));
        assert_eq!(instant("end").duration_since(instant("start")).as_hours(), 24 * expected, "{days}");
    }
    house.town.stop().await;
}

#[actix_web::test]
async fn case_34_an_episode_without_an_air_date_is_not_listed() {
    let (house, sonarr, _) = LibraryHouse::with(ArrKind::Sonarr, one_season()).await;
    sonarr.alter("GET */calendar", |list| {
        list[0].as_object_mut().unwrap().remove("airDateUtc");
    });
    let calendar = house.ask("get_calendar", json!({"media_type": "tv"})).await;
    assert_eq!(calendar["entries"].as_array().unwrap().len(), 1, "{calendar}");
    assert!(calendar["entries"][0]["title"].as_str().unwrap().contains("S02E02"));
    house.town.stop().await;
}

#[actix_web::test]
async fn case_35_a_calendar_of_books_is_explained_and_is_no_error() {
    let (house, chaptarr, _) = LibraryHouse::with(ArrKind::Chaptarr, Library::empty(ArrKind::Chaptarr)).await;
    let result = house.result("get_calendar", json!({"media_type": "book"})).await;
    assert_eq!((&result["isError"], &result["structuredContent"]["outcome"]), (&json!(false), &json!("refused")));
    assert_eq!(result["structuredContent"]["code"], "media_type_unsupported");
    assert!(prose_of(&result).contains("Books have no calendar"));
    assert_eq!(chaptarr.n_requests(), 0);
    house.town.stop().await;
}

#[actix_web::test]
async fn an_empty_calendar_says_for_how_long_nothing_is_scheduled() {
    let (house, _radarr, _) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let prose = house.prose("get_calendar", json!({"media_type": "movie", "days": 1})).await;
    assert_eq!(prose, "Radarr instance \"Radarr\": nothing is scheduled in the next day.");
    house.town.stop().await;
}

#[actix_web::test]
async fn of_several_libraries_one_that_fails_is_named_beside_the_others() {
    let house = LibraryHouse::empty().await;
    let radarr = ArrStandin::start(ArrKind::Radarr, one_film());
    let sonarr = ArrStandin::start(ArrKind::Sonarr, one_season());
    house.add(&radarr, "Films").await;
    house.add(&sonarr, "Series").await;
    sonarr.misbehave("GET */calendar", Misbehaviour::Failing { status: 502 });

    let prose = house.prose("get_calendar", json!({})).await;
    assert!(
        prose.contains("The Lantern Keeper") && prose.contains("Sonarr instance \"Series\" could not be read"),
        "{prose}"
    );
    // Asked for alone, it is an error: nothing may pass for an empty calendar.
    let words = house.failure("get_calendar", json!({"media_type": "tv"})).await;
    assert_eq!(words, "Sonarr GET /api/v3/calendar returned status 502");
    house.town.stop().await;
}

#[actix_web::test]
async fn a_house_without_libraries_is_told_so() {
    let house = LibraryHouse::empty().await;
    let result = house.result("get_calendar", json!({})).await;
    assert_eq!(result["isError"], false);
    assert_eq!(result["structuredContent"]["code"], "not_configured");
    house.town.stop().await;
}

#[actix_web::test]
async fn a_library_that_fails_is_an_error_although_another_service_has_none() {
    // The house has no Radarr, which is said first, and its Sonarr is down.
    let (house, sonarr, _) = LibraryHouse::with(ArrKind::Sonarr, one_season()).await;
    sonarr.misbehave("GET */calendar", Misbehaviour::Failing { status: 502 });
    let words = house.failure("get_calendar", json!({})).await;
    assert!(words.contains("Sonarr instance \"Sonarr\" could not be read") && words.contains("502"), "{words}");
    house.town.stop().await;
}

#[actix_web::test]
async fn entries_that_could_not_be_read_leave_no_empty_calendar() {
    let (house, radarr, _) = LibraryHouse::with(ArrKind::Radarr, one_film()).await;
    radarr.alter("GET */calendar", |list| *list = json!(["odd"]));
    let prose = house.prose("get_calendar", json!({"media_type": "movie"})).await;
    assert!(prose.contains("nothing that could be read") && prose.contains("1 record could not be read"), "{prose}");
    house.town.stop().await;
}

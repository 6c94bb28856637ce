//! `get_history`

use playhouse::config::Secret;
use playhouse_bus::{Deadline, HouseId};
use playhouse_library::answer::Scope;
use playhouse_library::reads::ReadHistory;
use playhouse_library::{ArrActor, InstanceId};
use playhouse_standins::{ArrKind, ArrStandin, Library, StandinSettings, TmdbStandin};
use serde_json::{Value, json};

use crate::common::library::{LibraryHouse, prose_of};
use crate::common::{PATIENCE, Town};
use crate::reads;

fn film() -> (Library, u32) {
    let mut library = Library::empty(ArrKind::Radarr);
    let film = library.movie(603, "The Lantern Keeper", 2019, None);
    (library, film)
}

fn series() -> (Library, u32) {
    let mut library = Library::empty(ArrKind::Sonarr);
    library.series(99, 70_001, "Another Show", 2001);
    let series = library.series(1_396, 81_189, "Salt Flats", 2024);
    (library, series)
}

fn event(film: u32, n: u32) -> Value {
    json!({
        "id": n, "movieId": film, "sourceTitle": format!("Release {n}"), "eventType": "grabbed",
        "date": format!("2024-01-{:02}T10:00:00Z", n % 28 + 1), "downloadId": format!("D{n}"),
        "data": {"downloadUrl": "https://secret.example/get?apikey=secret", "guid": "secret-guid"},
        "movie": {"id": film, "tmdbId": 603, "title": "The Lantern Keeper", "year": 2019},
    })
}

#[actix_web::test]
async fn case_42_a_film_last_touched_long_ago_is_found_by_its_own_history() {
    let (library, film) = film();
    let (house, radarr, _) = LibraryHouse::with(ArrKind::Radarr, library).await;
    radarr.answer_instead("GET */history/movie", 200, json!([event(film, 1)]));

    let result = house.result("get_history", json!({"media_type": "movie", "tmdb_id": 603})).await;

    let history = &result["structuredContent"];
    assert_eq!(history["window"], json!({"per_title": true, "fetched": 1, "matched": 1, "limit": 20}));
    assert_eq!(history["events"][0]["kind"], "grabbed");
    assert_eq!(history["events"][0]["media_title"], "The Lantern Keeper (2019)");
    assert!(!result.to_string().contains("secret"), "{result}");
    let request = &reads(&radarr, "/history/movie")[0];
    assert_eq!(request.parameter("movieId"), Some(film.to_string().as_str()));
    assert_eq!(request.parameter("includeMovie"), Some("true"));
    assert!(reads(&radarr, "/history").is_empty(), "the global history is not read");
    house.town.stop().await;
}

#[actix_web::test]
async fn a_title_without_events_is_definitively_without() {
    let (library, _) = film();
    let (house, _radarr, _) = LibraryHouse::with(ArrKind::Radarr, library).await;
    let prose = house.prose("get_history", json!({"media_type": "movie", "tmdb_id": 603})).await;
    assert!(prose.starts_with("Radarr instance \"Radarr\": No history for this title"), "{prose}");
    assert!(prose.contains("definitive"), "{prose}");
    house.town.stop().await;
}

#[actix_web::test]
async fn a_history_with_events_that_could_not_be_read_proves_nothing_absent() {
    let (library, film) = film();
    let (house, radarr, _) = LibraryHouse::with(ArrKind::Radarr, library).await;
    radarr.answer_instead("GET */history/movie", 200, json!(["odd"]));
    let result = house.result("get_history", json!({"media_type": "movie", "tmdb_id": 603})).await;
    let prose = prose_of(&result);
    assert!(prose.contains("inconclusive") && !prose.contains("definitive"), "{prose}");
    assert_eq!(result["structuredContent"]["window"]["per_title"], false);
    radarr.answer_instead("GET */history/movie", 200, json!([event(film, 1), "odd"]));
    let history = house.ask("get_history", json!({"media_type": "movie", "tmdb_id": 603})).await;
    assert_eq!(history["window"], json!({"per_title": false, "fetched": 1, "matched": 1, "limit": 20}));
    house.town.stop().await;
}

#[actix_web::test]
async fn a_look_up_that_could_not_be_read_does_not_say_that_the_library_has_no_such_film() {
    let (library, _) = film();
    let (house, radarr, _) = LibraryHouse::with(ArrKind::Radarr, library).await;
    radarr.alter("GET */movie", |list| *list = json!(["odd"]));
    for tool in ["get_history", "get_media_file_details"] {
        let words = house.failure(tool, json!({"media_type": "movie", "tmdb_id": 603})).await;
        assert!(words.contains("does not understand") && words.contains("not certain"), "{tool}: {words}");
    }
    house.town.stop().await;
}

#[actix_web::test]
async fn case_43_a_known_tvdb_id_is_looked_up_first_and_the_bridge_is_not_asked() {
    let tmdb = TmdbStandin::start(&StandinSettings::default());
    let (key, url) = (Secret::new("00000000000000000000000000000000"), tmdb.url());
    let town = Town::start_with(|config| (config.resolver.tmdb_api_key, config.resolver.tmdb_url) = (key, url)).await;
    let house = LibraryHouse::in_town(town).await;
    let sonarr = ArrStandin::start(ArrKind::Sonarr, series().0);
    let id: InstanceId = house.add(&sonarr, "Series").await.parse().unwrap();
    let owner: HouseId = house.house.parse().unwrap();
    let scope = Scope { tvdb_id: Some(81_189), tmdb_id: Some(1_396), ..Scope::default() };

    let read = ReadHistory { scope, limit: None };
    let actor = ArrActor::key(owner, id);
    let history = house.town.running.instance.bus.call(actor, read, Deadline::after(PATIENCE)).await.unwrap().unwrap();

    assert!(history.window.per_title);
    assert_eq!(tmdb.n_requests(), 0);
    let looked_up = reads(&sonarr, "/series");
    assert_eq!(looked_up.len(), 1);
    assert_eq!(looked_up[0].parameter("tvdbId"), Some("81189"));

    // Known by its TMDB id only, the catalogue is asked, and the whole list only where that leads nowhere.
    sonarr.forget_requests();
    let history = house.ask("get_history", json!({"media_type": "tv", "tmdb_id": 1_396})).await;
    assert_eq!(history["window"]["per_title"], true);
    assert!(tmdb.n_requests() >= 1);
    assert!(reads(&sonarr, "/series").len() <= 2);
    house.town.stop().await;
}

#[actix_web::test]
async fn without_a_catalogue_the_whole_list_of_series_is_matched() {
    let (library, id) = series();
    let (house, sonarr, _) = LibraryHouse::with(ArrKind::Sonarr, library).await;
    house.ask("get_history", json!({"media_type": "tv", "tmdb_id": 1_396})).await;
    assert_eq!(reads(&sonarr, "/series")[0].query, []);
    assert_eq!(reads(&sonarr, "/history/series")[0].parameter("seriesId"), Some(id.to_string().as_str()));
    house.town.stop().await;
}

#[actix_web::test]
async fn case_44_a_title_that_is_not_there_is_searched_in_the_newest_100_and_that_proves_nothing() {
    let (library, film) = film();
    let (house, radarr, _) = LibraryHouse::with(ArrKind::Radarr, library).await;
    radarr.answer_instead("GET */history", 200, json!({"page": 1, "totalRecords": 1, "records": [event(film, 1)]}));

    let result = house.result("get_history", json!({"media_type": "movie", "tmdb_id": 77})).await;

    let prose = prose_of(&result);
    assert!(prose.contains("inconclusive") && prose.contains("newest 100"), "{prose}");
    assert_eq!(result["structuredContent"]["events"], json!([]));
    assert_eq!(result["structuredContent"]["window"]["per_title"], false);
    assert_eq!(reads(&radarr, "/history")[0].parameter("pageSize"), Some("100"));
    house.town.stop().await;
}

#[actix_web::test]
async fn case_45_only_a_season_above_0_is_asked_for_and_0_is_filtered_here() {
    let (library, id) = series();
    let (house, sonarr, _) = LibraryHouse::with(ArrKind::Sonarr, library).await;
    let of_season = |n: u32, season: u32| {
        json!({
            "id": n, "seriesId": id, "sourceTitle": format!("Season {season}"), "eventType": "grabbed", "date": "2024-01-01T10:00:00Z",
            "series": {"id": id, "tmdbId": 1_396, "tvdbId": 81_189, "title": "Salt Flats"},
            "episode": {"seasonNumber": season, "episodeNumber": 1, "title": "Pilot"},
        })
    };
    sonarr.answer_instead("GET */history/series", 200, json!([of_season(1, 0), of_season(2, 1), of_season(3, 11)]));
    for (season, sent, found) in
        [(Some(11), Some("11"), "Season 11"), (Some(0), None, "Season 0"), (None, None, "Season 0")]
    {
        sonarr.forget_requests();
        let mut arguments = json!({"media_type": "tv", "tmdb_id": 1_396});
        if let Some(season) = season {
            arguments["season_number"] = json!(season);
        }
        let history = house.ask("get_history", arguments).await;
        assert_eq!(reads(&sonarr, "/history/series")[0].parameter("seasonNumber"), sent, "{season:?}");
        let titles: Vec<_> =
            history["events"].as_array().unwrap().iter().map(|event| &event["release_title"]).collect();
        assert_eq!(titles.len(), if season.is_some() { 1 } else { 3 }, "{titles:?}");
        assert!(titles.contains(&&json!(found)), "{titles:?}");
    }
    house.town.stop().await;
}

#[actix_web::test]
async fn case_46_more_events_than_asked_for_are_capped_here() {
    let (library, film) = film();
    let (house, radarr, _) = LibraryHouse::with(ArrKind::Radarr, library).await;
    let events: Vec<Value> = (1..=30).map(|n| event(film, n)).collect();
    radarr.answer_instead("GET */history/movie", 200, json!(events));
    let history = house.ask("get_history", json!({"media_type": "movie", "tmdb_id": 603})).await;
    assert_eq!(history["events"].as_array().unwrap().len(), 20);
    assert_eq!(history["window"]["matched"], 30);
    let dates: Vec<_> =
        history["events"].as_array().unwrap().iter().map(|event| event["date"].as_str().unwrap()).collect();
    assert!(dates.iter().rev().is_sorted(), "newest first: {dates:?}");
    house.town.stop().await;
}

#[actix_web::test]
async fn case_47_a_limit_of_500_asks_for_100() {
    let (library, _) = film();
    let (house, radarr, _) = LibraryHouse::with(ArrKind::Radarr, library).await;
    for (limit, sent) in [(500, "100"), (0, "20"), (-1, "20"), (7, "7")] {
        radarr.forget_requests();
        house.ask("get_history", json!({"media_type": "movie", "limit": limit})).await;
        assert_eq!(reads(&radarr, "/history")[0].parameter("pageSize"), Some(sent));
    }
    let prose = house.prose("get_history", json!({"media_type": "movie"})).await;
    assert!(prose.contains("newest 20 events of the whole library"), "{prose}");
    house.town.stop().await;
}

#[actix_web::test]
async fn case_48_another_titles_event_from_the_titles_own_call_is_dropped() {
    let (library, film) = film();
    let (house, radarr, _) = LibraryHouse::with(ArrKind::Radarr, library).await;
    let mut foreign = event(film + 1, 2);
    foreign["movie"]["tmdbId"] = json!(604);
    let mut without_number = event(film, 3);
    without_number.as_object_mut().unwrap().remove("movie");
    radarr.answer_instead("GET */history/movie", 200, json!([event(film, 1), foreign, without_number, "odd"]));
    let result = house.result("get_history", json!({"media_type": "movie", "tmdb_id": 603})).await;
    let titles: Vec<_> = result["structuredContent"]["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["release_title"].clone())
        .collect();
    assert_eq!(titles, ["Release 3", "Release 1"]);
    assert!(prose_of(&result).contains("1 record could not be read"), "{result}");
    house.town.stop().await;
}

#[actix_web::test]
async fn an_albums_history_is_read_by_its_artist_and_falls_back_where_a_build_has_no_such_call() {
    let mut library = Library::empty(ArrKind::Lidarr);
    let artist = library.artist("Nine Herons");
    let album = library.album(artist, "Low Water", None, 2);
    let (house, lidarr, _) = LibraryHouse::with(ArrKind::Lidarr, library).await;
    let asked = json!({"media_type": "music", "album_id": album});

    let history = house.ask("get_history", asked.clone()).await;
    assert_eq!(history["window"]["per_title"], true);
    let request = &reads(&lidarr, "/history/artist")[0];
    assert_eq!(request.parameter("artistId"), Some(artist.to_string().as_str()));
    assert_eq!(request.parameter("albumId"), Some(album.to_string().as_str()));

    // The paged history narrowed to the album is the album's own too, as long as the service narrows it and it fits.
    lidarr.answer_instead("GET */history/artist", 404, json!({}));
    let own = json!({"id": 1, "artistId": artist, "albumId": album, "eventType": "grabbed", "sourceTitle": "Own"});
    let foreign =
        json!({"id": 2, "artistId": artist, "albumId": album + 1, "eventType": "grabbed", "sourceTitle": "Foreign"});
    lidarr.answer_instead("GET */history", 200, json!({"totalRecords": 1, "records": [own]}));
    let history = house.ask("get_history", asked.clone()).await;
    assert_eq!(
        (&history["window"]["per_title"], &history["events"][0]["release_title"]),
        (&json!(true), &json!("Own"))
    );
    assert_eq!(reads(&lidarr, "/history")[0].parameter("albumId"), Some(album.to_string().as_str()));

    lidarr.answer_instead("GET */history", 200, json!({"totalRecords": 2, "records": [own, foreign]}));
    let result = house.result("get_history", asked).await;
    assert_eq!(result["structuredContent"]["window"]["per_title"], false);
    assert_eq!(result["structuredContent"]["events"].as_array().unwrap().len(), 1);
    assert!(prose_of(&result).contains("no history by title"), "{result}");
    house.town.stop().await;
}

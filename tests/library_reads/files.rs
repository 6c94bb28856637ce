//! `get_media_file_details`

use playhouse_standins::{ArrKind, Library};
use serde_json::{Value, json};

use crate::common::library::{LibraryHouse, prose_of};
use crate::in_days;

fn film_with_file() -> (Library, u32) {
    let mut library = Library::empty(ArrKind::Radarr);
    let film = library.movie(603, "The Lantern Keeper", 2019, None);
    library.keep(film, in_days(-3));
    (library, film)
}

fn film() -> Value {
    json!({"media_type": "movie", "tmdb_id": 603})
}

#[actix_web::test]
async fn what_is_inside_a_film_is_told() {
    let (house, radarr, _) = LibraryHouse::with(ArrKind::Radarr, film_with_file().0).await;
    let details = house.ask("get_media_file_details", film()).await;
    assert_eq!(details["title"], "The Lantern Keeper (2019)");
    let file = &details["files"][0];
    assert!(file["properties"]["video_codec"].is_string() && file["size_bytes"].as_i64().unwrap() > 0, "{file}");
    assert!(!file["name"].as_str().unwrap().contains('/'), "{file}");
    assert_eq!(radarr.violations(), []);
    house.town.stop().await;
}

#[actix_web::test]
async fn case_146_a_file_without_analysis_is_unknown() {
    let (house, radarr, _) = LibraryHouse::with(ArrKind::Radarr, film_with_file().0).await;
    radarr.alter("GET */moviefile/*", |file| {
        file.as_object_mut().unwrap().remove("mediaInfo");
    });
    let result = house.result("get_media_file_details", film()).await;
    assert!(result["structuredContent"]["files"][0].get("properties").is_none());
    assert!(prose_of(&result).contains("properties UNKNOWN"), "{result}");
    house.town.stop().await;
}

#[actix_web::test]
async fn case_147_a_film_without_file_is_a_genuine_absence() {
    let mut library = Library::empty(ArrKind::Radarr);
    library.movie(603, "The Lantern Keeper", 2019, None);
    let (house, _radarr, _) = LibraryHouse::with(ArrKind::Radarr, library).await;
    let prose = house.prose("get_media_file_details", film()).await;
    assert!(prose.contains("genuine absence"), "{prose}");
    house.town.stop().await;
}

#[actix_web::test]
async fn case_148_a_linked_file_that_is_gone_upstream_is_said_to_be() {
    let (house, radarr, _) = LibraryHouse::with(ArrKind::Radarr, film_with_file().0).await;
    radarr.answer_instead("GET */moviefile/*", 404, json!({"message": "NotFound"}));
    let result = house.result("get_media_file_details", film()).await;
    assert_eq!(result["structuredContent"]["files"][0]["record_found"], false);
    assert!(prose_of(&result).contains("its record is gone upstream"), "{result}");
    house.town.stop().await;
}

#[actix_web::test]
async fn a_season_lists_its_episodes_with_files_and_the_specials_are_a_season() {
    let mut library = Library::empty(ArrKind::Sonarr);
    let series = library.series(1_396, 81_189, "Salt Flats", 2024);
    for episode in library.season(series, 0, &[Some(in_days(-9)), Some(in_days(-8))]) {
        library.keep(episode, in_days(-7));
    }
    library.season(series, 1, &[Some(in_days(-9))]);
    let (house, _sonarr, _) = LibraryHouse::with(ArrKind::Sonarr, library).await;
    let season = |number: i64| json!({"media_type": "tv", "tmdb_id": 1_396, "season_number": number});
    let details = house.ask("get_media_file_details", season(0)).await;
    let episodes: Vec<_> = details["files"].as_array().unwrap().iter().map(|file| file["episode"].clone()).collect();
    assert_eq!(episodes, ["S00E01", "S00E02"]);
    assert!(house.prose("get_media_file_details", season(1)).await.contains("genuine absence"));
    let unknown = house.ask("get_media_file_details", season(4)).await;
    assert_eq!(unknown["code"], "season_unknown");
    house.town.stop().await;
}

#[actix_web::test]
async fn an_album_lists_its_own_tracks_whatever_the_service_answers() {
    let mut library = Library::empty(ArrKind::Lidarr);
    let artist = library.artist("Nine Herons");
    let (album, other) = (library.album(artist, "Low Water", None, 3), library.album(artist, "High Water", None, 2));
    library.keep(album, in_days(-3));
    library.keep(other, in_days(-3));
    let (house, lidarr, _) = LibraryHouse::with(ArrKind::Lidarr, library).await;
    lidarr.alter("GET */trackfile", |files| {
        let mut foreign = files[0].clone();
        (foreign["id"], foreign["albumId"]) = (json!(9_999), json!(9_999));
        files.as_array_mut().unwrap().push(foreign);
    });
    let details = house.ask("get_media_file_details", json!({"media_type": "music", "album_id": album})).await;
    assert_eq!(details["files"].as_array().unwrap().len(), 3);
    assert!(details["files"][0]["properties"]["audio_codec"].is_string(), "{details}");
    house.town.stop().await;
}

#[actix_web::test]
async fn books_are_refused_as_blindness_and_a_scope_must_be_whole() {
    let house = LibraryHouse::empty().await;
    for (arguments, code, words) in [
        (json!({"media_type": "book"}), "media_type_unsupported", "blindness"),
        (json!({"media_type": "movie"}), "scope_missing", "tmdb_id"),
        (json!({"media_type": "tv", "tmdb_id": 1}), "scope_missing", "season_number"),
        (json!({"media_type": "music"}), "scope_missing", "album_id"),
        (json!({"media_type": "movie", "tmdb_id": 1, "season_number": 1}), "scope_extraneous", "season_number"),
        (json!({"media_type": "music", "album_id": 1, "tmdb_id": 1}), "scope_extraneous", "tmdb_id"),
    ] {
        let result = house.result("get_media_file_details", arguments.clone()).await;
        assert_eq!((&result["isError"], &result["structuredContent"]["code"]), (&json!(false), &json!(code)), "{arguments}");
        assert!(prose_of(&result).contains(words), "{result}");
    }
    house.town.stop().await;
}

//! `get_service_config`

use playhouse_standins::{ArrKind, ArrStandin, Library};
use serde_json::{Value, json};

use crate::common::library::{KEY, LibraryHouse, prose_of};

async fn with_radarr() -> (LibraryHouse, ArrStandin, String) {
    LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await
}

fn section(name: &str) -> Value {
    json!({"service": "radarr", "section": name})
}

#[actix_web::test]
async fn case_153_nothing_secret_of_an_indexer_appears() {
    let (house, radarr, _) = with_radarr().await;
    radarr.answer_instead(
        "GET */indexer",
        200,
        json!([{
            "id": 1, "name": "Rookery", "protocol": "torrent", "enableRss": true, "priority": 25,
            "fields": [
                {"name": "apiKey", "value": "s3cret-key"}, {"name": "password", "value": "s3cret-password"},
                {"name": "cookie", "value": "s3cret-cookie"}, {"name": "username", "value": "s3cret-user"},
                {"name": "baseUrl", "value": "https://s3cret-host.example"}, {"name": "additionalParameters", "value": "&passkey=s3cret"},
                {"name": "minimumSeeders", "value": 3}, {"name": "seedCriteria.seedRatio", "value": 1.5},
            ],
        }]),
    );
    let result = house.result("get_service_config", section("indexers")).await;
    assert!(!result.to_string().contains("s3cret"), "{result}");
    let entry = &result["structuredContent"]["entries"][0];
    assert_eq!((&entry["name"], &entry["values"]["minimumSeeders"]), (&json!("Rookery"), &json!(3)));
    assert_eq!(entry["values"]["seedCriteria.seedRatio"], 1.5);
    let prose = prose_of(&result);
    assert!(prose.starts_with("Radarr instance \"Radarr\", indexers:"), "{prose}");
    assert!(prose.ends_with("Credentials and URLs are never included."), "{prose}");
    house.town.stop().await;
}

#[actix_web::test]
async fn case_154_a_record_that_does_not_read_is_skipped_and_counted() {
    let (house, radarr, _) = with_radarr().await;
    radarr.answer_instead("GET */delayprofile", 200, json!(["odd", {"id": 2, "usenetDelay": 30}]));
    let result = house.result("get_service_config", section("delay_profiles")).await;
    assert_eq!(result["structuredContent"]["entries"].as_array().unwrap().len(), 1);
    assert!(prose_of(&result).contains("1 record could not be read"));
    house.town.stop().await;
}

#[actix_web::test]
async fn case_155_terms_are_counted_and_not_shown() {
    let (house, radarr, _) = with_radarr().await;
    radarr.answer_instead(
        "GET */releaseprofile",
        200,
        json!([{"id": 1, "name": "A", "required": ["s3cret", "b", "c"]}, {"id": 2, "name": "B", "required": "s3cret\nb"}]),
    );
    let result = house.result("get_service_config", section("release_profiles")).await;
    let entries = &result["structuredContent"]["entries"];
    assert_eq!((&entries[0]["values"]["required"], &entries[1]["values"]["required"]), (&json!(3), &json!(2)));
    assert!(!result.to_string().contains("s3cret"), "{result}");
    house.town.stop().await;
}

#[actix_web::test]
async fn case_156_an_unknown_section_is_answered_with_the_five_names() {
    let (house, radarr, _) = with_radarr().await;
    let words = house.failure("get_service_config", section("notifications")).await;
    for name in ["indexers", "delay_profiles", "release_profiles", "download_clients", "remote_path_mappings"] {
        assert!(words.contains(name), "{name}: {words}");
    }
    let words = house.failure("get_service_config", json!({"service": "prowlarr", "section": "indexers"})).await;
    for name in ["radarr", "sonarr", "lidarr", "chaptarr"] {
        assert!(words.contains(name), "{name}: {words}");
    }
    assert_eq!(radarr.n_requests(), 0);
    house.town.stop().await;
}

#[actix_web::test]
async fn a_build_without_a_section_and_an_empty_section_are_told_apart() {
    let (house, radarr, _) = with_radarr().await;
    radarr.answer_instead("GET */releaseprofile", 404, json!({}));
    radarr.answer_instead("GET */remotepathmapping", 200, json!([]));
    let none = house.prose("get_service_config", section("release_profiles")).await;
    assert!(none.contains("this build has no release profiles"), "{none}");
    let empty = house.prose("get_service_config", section("remote_path_mappings")).await;
    assert!(empty.contains("genuine absence"), "{empty}");
    house.town.stop().await;
}

#[actix_web::test]
async fn no_service_gives_a_secret_of_its_own_settings_away() {
    let house = LibraryHouse::empty().await;
    for kind in ArrKind::ALL {
        let arr = ArrStandin::demo(kind);
        house.add(&arr, kind.name()).await;
        for section in ["indexers", "delay_profiles", "release_profiles", "download_clients", "remote_path_mappings"] {
            let service = crate::common::library::service(kind).key();
            let result = house.result("get_service_config", json!({"service": service, "section": section})).await;
            assert_eq!(result["isError"], false, "{service} {section}: {result}");
            let text = result.to_string().to_lowercase();
            for secret in ["0123456789abcdef", "hunter2", "passkey", "apikey", "api_key", "password", "https://", "http://", KEY] {
                assert!(!text.contains(secret), "{service} {section} says {secret}: {text}");
            }
        }
        assert_eq!(arr.violations(), []);
    }
    house.town.stop().await;
}

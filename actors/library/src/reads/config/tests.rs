use serde::de::DeserializeOwned;
use serde_json::json;

use super::*;
use crate::client::wire::Provider;

fn entry(section: ConfigSection, record: Value) -> ConfigEntry {
    fn read<T: DeserializeOwned>(record: Value) -> T {
        serde_json::from_value(record).expect("a record")
    }
    match section {
        ConfigSection::Indexers => summary::indexer(&read(record)),
        ConfigSection::DelayProfiles => summary::delay_profile(&read(record)),
        ConfigSection::ReleaseProfiles => summary::release_profile(&read(record)),
        ConfigSection::DownloadClients => summary::download_client(&read(record)),
        ConfigSection::RemotePathMappings => summary::remote_path_mapping(&read(record)),
    }
}

#[test]
fn case_153_nothing_secret_of_an_indexer_appears_while_its_name_and_what_is_allowed_do() {
    let record = json!({
        "id": 1, "name": "NZBgeek", "protocol": "usenet", "enableRss": true, "enableAutomaticSearch": false, "priority": 25,
        "infoLink": "https://wiki.example/secret-info",
        "fields": [
            {"name": "apiKey", "value": "secret-key"},
            {"name": "password", "value": "secret-password"},
            {"name": "cookie", "value": "secret-cookie"},
            {"name": "username", "value": "secret-user"},
            {"name": "baseUrl", "value": "https://secret-host.example"},
            {"name": "additionalParameters", "value": "&passkey=secret-parameter"},
            {"name": "minimumSeeders", "value": 3},
            {"name": "seedCriteria.seedRatio", "value": 1.5},
            {"name": "seedCriteria.seedTime"},
            {"name": "movieCategory", "value": ""},
            {"name": "tvCategory", "value": ["secret-list"]},
        ],
    });
    let entry = entry(ConfigSection::Indexers, record);
    assert_eq!(entry.name, "NZBgeek");
    assert_eq!(entry.detail, "usenet, RSS on, automatic search off, priority 25, minimum seeders 3, seed ratio 1.5");
    let whole = serde_json::to_string(&entry).unwrap();
    assert!(!whole.contains("secret"), "{whole}");
    assert_eq!(
        serde_json::to_value(&entry.values).unwrap(),
        json!({
            "protocol": "usenet", "enableRss": true, "enableAutomaticSearch": false, "priority": 25, "minimumSeeders": 3,
            "seedCriteria.seedRatio": 1.5,
        })
    );
}

#[test]
fn the_category_of_every_service_is_shown_and_its_priority() {
    for name in ["movieCategory", "tvCategory", "musicCategory", "bookCategory", "category"] {
        let record = json!({"name": "qBittorrent", "enable": true, "fields": [{"name": name, "value": "library"}]});
        assert_eq!(entry(ConfigSection::DownloadClients, record).detail, "client on, category library");
    }
    for name in ["recentMoviePriority", "recentTvPriority", "recentMusicPriority"] {
        let record = json!({"name": "SABnzbd", "fields": [{"name": name, "value": -100}]});
        assert_eq!(entry(ConfigSection::DownloadClients, record).values[name], json!(-100));
    }
}

#[test]
fn case_154_what_is_no_record_is_skipped() {
    // The client passes over every element that does not read, and counts it.
    for record in [json!(null), json!("indexer"), json!(7)] {
        assert!(serde_json::from_value::<Provider>(record).is_err());
    }
}

#[test]
fn an_unknown_shape_shows_its_name_only() {
    let unknown = json!({"name": "Soulseek", "priority": {"secret": 1}, "protocol": ["secret"], "fields": "secret"});
    let found = entry(ConfigSection::Indexers, unknown);
    assert_eq!(found, ConfigEntry { name: "Soulseek".into(), detail: String::new(), values: BTreeMap::new() });
    let plugins = json!({"id": 4, "items": [{"name": "secret", "delay": 5}]});
    assert_eq!(entry(ConfigSection::DelayProfiles, plugins).name, "delay profile 4");
}

#[test]
fn case_155_terms_of_a_release_profile_are_counted_and_not_shown() {
    for (required, expected) in [
        (json!(["secret", "b", "c"]), 3),
        (json!("secret\nb"), 2),
        (json!("secret\n\nb\n"), 2),
        (json!("secret,b, c"), 3),
        (json!(""), 0),
        (json!([]), 0),
    ] {
        let record = json!({"name": "No CAM", "enabled": true, "required": required, "ignored": ["secret"]});
        let entry = entry(ConfigSection::ReleaseProfiles, record);
        assert_eq!(entry.detail, format!("profile on, {expected} required terms, 1 ignored terms"));
        assert_eq!(entry.values["required"], json!(expected));
        assert!(!serde_json::to_string(&entry).unwrap().contains("secret"));
    }
}

#[test]
fn a_delay_profile_says_how_long_and_what_it_prefers() {
    let record = json!({
        "id": 1, "enableUsenet": true, "enableTorrent": false, "preferredProtocol": "usenet", "usenetDelay": 0, "torrentDelay": 90,
    });
    let entry = entry(ConfigSection::DelayProfiles, record);
    assert_eq!(entry.name, "delay profile 1");
    assert_eq!(
        entry.detail,
        "usenet delay 0 minutes, torrent delay 90 minutes, usenet on, torrent off, prefers usenet"
    );
}

#[test]
fn a_mapping_is_shown_from_remote_to_local() {
    let record = json!({"id": 2, "host": "transmission", "remotePath": "/remote/", "localPath": "/local/"});
    let entry = entry(ConfigSection::RemotePathMappings, record);
    assert_eq!(entry.detail, "host transmission, /remote/ → /local/");
}

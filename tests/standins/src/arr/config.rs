//! Sections of the settings, with secrets as each application shows them: behind stars, or in clear.

use serde_json::{Value, json};

use super::{
    ask::{Ask, listed},
    kind::ArrKind,
    wire::resource,
    world::World,
};
use crate::loopback::Reply;

/// What stands in place of a secret where there is a place for one.
const MASK: &str = "********";

impl World {
    /// A secret as this application shows it.
    fn secret(&self, plain: &str) -> String {
        // The oldest of the four has no mask.
        if self.kind == ArrKind::Chaptarr { plain.to_owned() } else { MASK.to_owned() }
    }
}

fn field(order: u32, name: &str, value: &Value, kind: &str, privacy: &str) -> Value {
    json!({ "order": order, "name": name, "label": name, "value": value, "type": kind, "advanced": false, "privacy": privacy,
        "isFloat": false })
}

pub(crate) fn indexers(world: &mut World, _: &Ask<'_>) -> Reply {
    let provider = |id: u32, name: &str, is_torrent: bool, fields: Vec<Value>| {
        resource(json!({ "id": id, "name": name, "fields": fields,
            "implementationName": if is_torrent { "Torznab" } else { "Newznab" },
            "implementation": if is_torrent { "Torznab" } else { "Newznab" },
            "configContract": if is_torrent { "TorznabSettings" } else { "NewznabSettings" },
            "infoLink": "https://wiki.servarr.com/", "tags": [], "enableRss": true, "enableAutomaticSearch": true,
            "enableInteractiveSearch": true, "supportsRss": true, "supportsSearch": true,
            "protocol": if is_torrent { "torrent" } else { "usenet" }, "priority": 25, "downloadClientId": 0 }))
    };
    let key = json!(world.secret("f00dfacef00dfacef00dfacef00dface"));
    let rookery = vec![
        field(0, "baseUrl", &json!("https://prowlarr.example.org/2/"), "textbox", "normal"),
        field(1, "apiPath", &json!("/api"), "textbox", "normal"),
        field(2, "apiKey", &key, "textbox", "apiKey"),
        field(3, "categories", &json!([2000, 2010]), "select", "normal"),
        field(4, "minimumSeeders", &json!(2), "number", "normal"),
        field(5, "seedCriteria.seedRatio", &json!(1.5), "number", "normal"),
        field(6, "cookie", &json!(world.secret("session=9f8e7d6c")), "textbox", "password"),
    ];
    let corncrake = vec![
        field(0, "baseUrl", &json!("https://prowlarr.example.org/7/"), "textbox", "normal"),
        field(1, "apiKey", &key, "textbox", "apiKey"),
        // Never set: there is no value at all.
        json!({ "order": 2, "name": "additionalParameters", "label": "Additional Parameters", "type": "textbox",
            "advanced": true, "privacy": "normal", "isFloat": false }),
    ];
    listed([provider(2, "Rookery (Prowlarr)", true, rookery), provider(7, "Corncrake (Prowlarr)", false, corncrake)])
}

pub(crate) fn download_clients(world: &mut World, _: &Ask<'_>) -> Reply {
    let (category, priority) = match world.kind {
        ArrKind::Radarr => ("movieCategory", "recentMoviePriority"),
        ArrKind::Sonarr => ("tvCategory", "recentTvPriority"),
        ArrKind::Lidarr | ArrKind::Chaptarr => ("musicCategory", "recentMusicPriority"),
    };
    let provider = |id: u32, name: &str, is_torrent: bool, fields: Vec<Value>| {
        json!({ "id": id, "name": name, "fields": fields, "implementationName": name, "implementation": name,
            "configContract": format!("{name}Settings"), "infoLink": "https://wiki.servarr.com/", "tags": [], "enable": true,
            "protocol": if is_torrent { "torrent" } else { "usenet" }, "priority": id, "removeCompletedDownloads": true,
            "removeFailedDownloads": true })
    };
    let fields = |login: &str| {
        vec![
            field(0, "host", &json!("qbittorrent.example.org"), "textbox", "normal"),
            field(1, "port", &json!(8080), "textbox", "normal"),
            field(2, "username", &json!(login), "textbox", "userName"),
            field(3, "password", &json!(world.secret("correct horse")), "password", "password"),
            field(4, category, &json!(world.kind.facts().category), "textbox", "normal"),
            field(5, priority, &json!(0), "select", "normal"),
        ]
    };
    let mut usenet = fields("sab");
    usenet.push(field(6, "apiKey", &json!(world.secret("deadbeefdeadbeefdeadbeefdeadbeef")), "textbox", "apiKey"));
    listed([provider(1, "qBittorrent", true, fields("house")), provider(2, "SABnzbd", false, usenet)])
}

pub(crate) fn delay_profiles(_: &mut World, _: &Ask<'_>) -> Reply {
    let profile = |id: u32, usenet: u32, torrent: u32, order: u64, tags: Value| {
        json!({ "id": id, "enableUsenet": true, "enableTorrent": true, "preferredProtocol": "usenet", "usenetDelay": usenet,
            "torrentDelay": torrent, "bypassIfHighestQuality": true, "bypassIfAboveCustomFormatScore": false,
            "minimumCustomFormatScore": 0, "order": order, "tags": tags })
    };
    listed([profile(2, 0, 120, 1, json!([1])), profile(1, 0, 0, 2_147_483_647, json!([]))])
}

pub(crate) fn release_profiles(world: &mut World, _: &Ask<'_>) -> Reply {
    let name = (world.kind == ArrKind::Radarr || world.kind == ArrKind::Sonarr).then_some("No recordings of a screen");
    let mut profile = json!({ "id": 1, "enabled": true, "required": [], "ignored": ["CAM", "TELESYNC", "HDTS"], "indexerId": 0,
        "tags": [] });
    if let Some(name) = name {
        profile["name"] = json!(name);
    }
    listed([profile])
}

pub(crate) fn remote_path_mappings(world: &mut World, _: &Ask<'_>) -> Reply {
    // The mapping that is missing until somebody sets the places right.
    let set = world.places_are_right.then(|| {
        json!({ "id": 2, "host": "qbittorrent.example.org", "remotePath": "/remote/downloads/", "localPath": "/downloads/" })
    });
    let known = json!({ "id": 1, "host": "sabnzbd.example.org", "remotePath": "/config/complete/", "localPath": "/downloads/" });
    listed([known].into_iter().chain(set))
}

pub(crate) fn indexer_status(world: &mut World, _: &Ask<'_>) -> Reply {
    let until = super::wire::date(world.now);
    listed([
        json!({ "id": 1, "indexerId": 9, "disabledTill": until, "mostRecentFailure": until, "initialFailure": until }),
    ])
}

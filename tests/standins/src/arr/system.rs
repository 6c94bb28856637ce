//! The application itself: its state, its folders, its words.

use serde_json::{Value, json};

use super::{
    ask::{Ask, created, done, found, listed, no_such_model, property, raised},
    kind::ArrKind,
    wire::date,
    world::World,
};
use crate::loopback::Reply;

pub(crate) fn status(world: &mut World, _: &Ask<'_>) -> Reply {
    let facts = world.kind.facts();
    let name = world.settings.app_name.as_deref().unwrap_or(facts.name);
    let version = world.settings.version.as_deref().unwrap_or(facts.version);
    found(json!({
        "appName": name, "instanceName": name, "version": version, "buildTime": "2026-07-12T15:09:31Z", "isDebug": false,
        "isProduction": true, "isAdmin": false, "isUserInteractive": true, "startupPath": "/app/bin", "appData": "/config",
        "osName": "alpine", "osVersion": "3.24.1", "isNetCore": true, "isLinux": true, "isOsx": false, "isWindows": false,
        "isDocker": true, "mode": "console", "branch": "master", "databaseType": "sqLite", "databaseVersion": "3.50.4",
        "authentication": "forms", "migrationVersion": 242, "urlBase": world.settings.url_base, "runtimeVersion": "8.0.27",
        "runtimeName": "netcore", "startTime": date(world.settings.now), "packageVersion": format!("{version}-ls312"),
        "packageUpdateMechanism": "docker",
    }))
}

pub(crate) fn health(world: &mut World, _: &Ask<'_>) -> Reply {
    let page = |topic: &str| format!("https://wiki.servarr.com/{}/system#{topic}", world.kind.name().to_lowercase());
    let mut checks = Vec::new();
    let mut check = |source: &str, severity: &str, message: &str, topic: &str| {
        checks.push(json!({ "source": source, "type": severity, "message": message, "wikiUrl": page(topic) }));
    };
    if !world.is_client_reachable
        && world.downloads.iter().any(|download| download.nature == super::download::Nature::OutOfReach)
    {
        let message = "Unable to communicate with SABnzbd. Connection refused (sabnzbd.example.org:8080)";
        check("DownloadClientCheck", "error", message, "unable-to-communicate-with-download-client");
    }
    if !world.places_are_right
        && world.downloads.iter().any(|download| download.nature == super::download::Nature::Misplaced)
    {
        let message = "You are using docker; download client qBittorrent places downloads in /remote/downloads but this directory \
                       does not appear to exist inside the container. Review your remote path mappings and container volume settings.";
        check("RemotePathMappingCheck", "error", message, "docker-bad-remote-path-mapping");
    }
    let message = "Indexers unavailable due to failures for more than 6 hours: Rookery (Prowlarr)";
    check("IndexerLongTermStatusCheck", "warning", message, "indexers-are-unavailable-due-to-failures");
    check("UpdateCheck", "notice", "Update ist verfügbar", "new-update-is-available");
    check("ApiKeyValidationCheck", "ok", "", "");
    listed(checks)
}

pub(crate) fn disk_space(world: &mut World, _: &Ask<'_>) -> Reply {
    let left: u64 = if world.places_are_right { 5_059_419_324_416 } else { 734_003_200 };
    listed([
        json!({ "path": "/", "label": "", "freeSpace": 154_006_458_368_u64, "totalSpace": 244_466_741_248_u64 }),
        json!({ "path": "/media", "label": "tank", "freeSpace": left, "totalSpace": 15_999_423_881_216_u64 }),
        // A mount that tells nothing about itself.
        json!({ "path": "/config", "label": "", "freeSpace": 0, "totalSpace": 0 }),
    ])
}

pub(crate) fn root_folders(world: &mut World, _: &Ask<'_>) -> Reply {
    let root = world.kind.facts().root;
    let extra = |mut folder: Value| {
        match world.kind {
            ArrKind::Radarr | ArrKind::Sonarr => folder["unmappedFolders"] = json!([]),
            ArrKind::Lidarr => {
                folder["name"] = json!("Shelf");
                folder["defaultTags"] = json!([]);
            }
            ArrKind::Chaptarr => {
                folder["name"] = json!("Shelf");
                folder["folderType"] = json!(0);
                folder["isCalibreLibrary"] = json!(false);
            }
        }
        folder
    };
    listed([
        // With a slash at its end, which other answers do not have.
        extra(json!({ "id": 1, "path": format!("{root}/"), "accessible": true, "freeSpace": 5_059_419_324_416_u64 })),
        // Not there, so that nothing is known of it.
        extra(json!({ "id": 2, "path": "/offline/", "accessible": false })),
    ])
}

pub(crate) fn tags(world: &mut World, _: &Ask<'_>) -> Reply {
    listed((1..).zip(&world.tags).map(|(id, label)| json!({ "id": id, "label": label })))
}

/// Looks the label up as it is written and stores it in lower case, so that `Anna` runs into `anna`.
pub(crate) fn add_tag(world: &mut World, ask: &Ask<'_>) -> Reply {
    let label = property(&ask.body, "label").and_then(Value::as_str).unwrap_or("").to_owned();
    let known = world.tags.iter().position(|known| *known == label);
    if known.is_none() && world.tags.contains(&label.to_lowercase()) {
        return raised(409, "constraint failed\r\nUNIQUE constraint failed: Tags.Label");
    }
    let at = known.unwrap_or_else(|| {
        world.tags.push(label.to_lowercase());
        world.tags.len() - 1
    });
    created(json!({ "id": at + 1, "label": world.tags[at] }))
}

/// Deletes a file of the library. What it was for stays wanted, and is fetched again.
pub(crate) fn delete_file(world: &mut World, ask: &Ask<'_>) -> Reply {
    let id = ask.id.unwrap_or(0);
    if world.library.files.iter().all(|file| file.id != id) {
        return no_such_model("MediaFile", id);
    }
    world.drop_file(id, "Manual");
    done()
}

//! What all four have alike.

use super::{
    super::{blocklist, commands, config, imports, profiles, queue, releases, removal, system},
    Call, Shape,
    Sort::{Flag, Text},
    call, get,
};

const REMOVAL: &[(&str, super::Sort)] =
    &[("removeFromClient", Flag), ("blocklist", Flag), ("skipRedownload", Flag), ("changeCategory", Flag)];

pub(super) static CALLS: &[Call] = &[
    get("system/status", &[], system::status),
    get("health", &[], system::health),
    get("diskspace", &[], system::disk_space),
    get("tag", &[], system::tags),
    call("POST", "tag", &[], system::add_tag).taking(Shape::Tag),
    get("language", &[], profiles::languages),
    get("qualityprofile/{id}", &[], profiles::profile),
    call("PUT", "qualityprofile/{id}", &[], profiles::put_profile).taking(Shape::Setting),
    get("customformat", &[], profiles::formats),
    get("customformat/{id}", &[], profiles::format),
    call("POST", "customformat", &[], profiles::post_format).taking(Shape::Setting),
    call("PUT", "customformat/{id}", &[], profiles::put_format).taking(Shape::Setting),
    get("indexer", &[], config::indexers),
    get("downloadclient", &[], config::download_clients),
    get("delayprofile", &[], config::delay_profiles),
    get("releaseprofile", &[], config::release_profiles),
    get("remotepathmapping", &[], config::remote_path_mappings),
    get("indexerstatus", &[], config::indexer_status),
    call("DELETE", "queue/{id}", REMOVAL, removal::one),
    call("DELETE", "queue/bulk", REMOVAL, removal::several).taking(Shape::Ids),
    call("POST", "queue/grab/{id}", &[], queue::grab_now),
    get("command", &[], commands::list),
    get("command/{id}", &[], commands::one),
    call("POST", "command", &[], commands::post).taking(Shape::Command),
    call("DELETE", "command/{id}", &[], commands::cancel),
    call("POST", "release", &[], releases::grab).taking(Shape::Release),
    call("POST", "history/failed/{id}", &[], removal::mark_failed),
    call("DELETE", "blocklist/{id}", &[], blocklist::remove),
    call("DELETE", "blocklist/bulk", &[], blocklist::remove_several).taking(Shape::Ids),
    call("POST", "manualimport", &[("mediaType", Text)], imports::reconsider).taking(Shape::Files),
];

//! The stand-ins beside the applications' own descriptions of themselves.

use super::*;
use crate::arr::description::Description;

/// The description, or a word that there is none.
fn description(kind: ArrKind) -> Option<std::sync::Arc<Description>> {
    let description = Description::of(kind);
    if description.is_none() {
        eprintln!(
            "NOT CHECKED: {} has no description at hand (arr-openapi, in `shared` beside the repository)",
            kind.name()
        );
    }
    description
}

/// Every reading call, with what it needs.
fn reading_calls(kind: ArrKind, arr: &ArrStandin) -> Vec<String> {
    let facts = kind.facts();
    let (parent, item) = (facts.parent, facts.item);
    let (some_parent, some_item, some_file) = arr.change(|world| {
        let file = world.library.files.first().cloned();
        let (parent, item) = file.as_ref().map_or((1, 1), |file| (file.parent, file.items[0]));
        (parent, item, file.map_or(0, |file| file.id))
    });
    let files = match kind {
        ArrKind::Radarr => "moviefile",
        ArrKind::Sonarr => "episodefile",
        ArrKind::Lidarr => "trackfile",
        ArrKind::Chaptarr => "bookfile",
    };
    let mut calls: Vec<String> = [
        "system/status",
        "health",
        "diskspace",
        "tag",
        "language",
        "qualityprofile",
        "qualityprofile/1",
        "customformat",
        "customformat/1",
        "indexer",
        "downloadclient",
        "delayprofile",
        "releaseprofile",
        "remotepathmapping",
        "rootfolder",
        "command",
        "queue/status",
        "queue/details",
        "wanted/missing?page=1&pageSize=50",
        "blocklist?page=1&pageSize=50",
    ]
    .map(str::to_owned)
    .to_vec();
    let includes = match kind {
        ArrKind::Radarr => format!("{}=true", parent.include),
        _ => format!("{}=true&{}=true", parent.include, item.include),
    };
    calls.push(format!("queue?page=1&pageSize=1000&{}=true&{includes}", facts.include_unknown));
    calls.push(format!("history?page=1&pageSize=100&{includes}"));
    calls.push(format!("history/since?date=2020-01-01T00:00:00Z&{includes}"));
    calls.push(format!("history/{}?{}={some_parent}&{includes}", parent.one, parent.id));
    calls.push(parent.one.to_owned());
    calls.push(format!("{}/{some_parent}", parent.one));
    calls.push(format!("{}?{}={some_parent}", item.one, if kind == ArrKind::Radarr { "tmdbId" } else { parent.id }));
    calls.push(format!("{}/{some_item}", item.one));
    calls.push(format!("{files}?{}={some_parent}", parent.id));
    calls.push(format!("{files}/{some_file}"));
    calls.push(format!("release?{}={some_item}", item.id));
    calls.push("calendar?start=2020-01-01T00:00:00Z&end=2030-01-01T00:00:00Z&unmonitored=true".to_owned());
    if kind == ArrKind::Lidarr {
        calls.push(format!("track?albumId={some_item}"));
    }
    for row in arr.queue().iter().filter_map(|row| row.download_id.as_ref()) {
        calls.push(format!("manualimport?downloadId={row}&filterExistingFiles=false"));
    }
    calls
}

#[tokio::test]
async fn what_is_answered_is_what_the_applications_describe() {
    for kind in ArrKind::ALL {
        let Some(description) = description(kind) else { continue };
        for arr in [ArrStandin::demo(kind), ArrStandin::with_every_ailment(kind).0] {
            post(&arr, "command", &serde_json::json!({ "name": "RssSync" })).await;
            for call in reading_calls(kind, &arr) {
                let body = get(&arr, &call).await;
                let path = format!("{}/{}", kind.api_base(), call.split('?').next().unwrap());
                let faults = description.answer_faults("GET", &path, &body);
                assert!(faults.is_empty(), "{} {call}: {:#?}", kind.name(), &faults[..faults.len().min(10)]);
            }
        }
    }
}

#[tokio::test]
async fn every_call_of_ours_is_described() {
    for kind in ArrKind::ALL {
        let Some(description) = description(kind) else { continue };
        for call in calls::table(kind) {
            let path = format!("{}/{}", kind.api_base(), call.path.replace("{id}", "7"));
            if call.path == "indexerstatus" {
                continue;
            }
            let operation = description.operation(call.method, &path);
            let operation = operation.unwrap_or_else(|| panic!("{} {} {path}", kind.name(), call.method));
            for (name, _) in call.query {
                let known = operation["parameters"].as_array().into_iter().flatten();
                let is_known = known.into_iter().any(|parameter| parameter["name"] == *name);
                assert!(is_known || call.path == "manualimport", "{} {path}: {name}", kind.name());
            }
        }
    }
}

#[tokio::test]
async fn settings_that_were_written_are_answered_as_described() {
    for kind in ArrKind::ALL {
        let Some(description) = description(kind) else { continue };
        let arr = ArrStandin::demo(kind);
        let mut format = get(&arr, "customformat/1").await;
        let profile = get(&arr, "qualityprofile/1").await;
        let written = [
            ("PUT", "qualityprofile/1".to_owned(), put(&arr, "qualityprofile/1", &profile).await),
            ("PUT", "customformat/1".to_owned(), put(&arr, "customformat/1", &format).await),
            ("POST", "customformat".to_owned(), {
                format["name"] = serde_json::json!("Another");
                post(&arr, "customformat", &format).await
            }),
        ];
        assert_eq!(arr.violations(), [], "what was answered can be sent");
        for (method, call, (status, body)) in written {
            assert!(status.is_success(), "{} {method} {call}: {body}", kind.name());
            let faults = description.answer_faults(method, &format!("{}/{call}", kind.api_base()), &body);
            assert_eq!(faults, [""; 0], "{} {method} {call}", kind.name());
        }
    }
}

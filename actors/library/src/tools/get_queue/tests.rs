use serde_json::json;

use super::*;
use crate::instance::Chosen;
use crate::queue::Downloads;

fn instance(service: Service) -> InstanceSummary {
    let id = format!("{}-00000001", service.key()).parse().unwrap();
    InstanceSummary { id, service, name: "4K".to_owned(), is_default: true, sort_order: 0 }
}

fn read(records: serde_json::Value) -> QueueRead {
    let rows: Vec<crate::client::wire::QueueRow> = serde_json::from_value(records).unwrap();
    let downloads = Downloads::of(&rows);
    let items = rows.iter().take(30).map(|row| QueueItem::of(row, Service::Radarr, &downloads)).collect();
    QueueRead { items, total: rows.len() }
}

fn answered(selection: MediaSelection, scope: &Scope, records: serde_json::Value) -> (serde_json::Value, String) {
    let chosen = Chosen { instance: instance(Service::Radarr), was_named: false };
    let answer = answer(selection, scope, vec![Ok((chosen, read(records)))]);
    (serde_json::to_value(&answer.output).unwrap(), answer.prose)
}

/// 16
#[test]
fn an_empty_unscoped_queue_says_that_nothing_is_downloading_and_no_more() {
    let (output, prose) = answered(MediaSelection::Movie, &Scope::default(), json!([]));
    assert_eq!(prose, "Radarr instance \"4K\": Nothing is downloading.");
    assert_eq!((&output["outcome"], &output["queues"][0]["total"]), (&json!("answered"), &json!(0)));
    assert_eq!(output["libraries"][0]["name"], "4K");
}

/// 17
#[test]
fn an_empty_queue_for_season_11_names_it_and_points_elsewhere() {
    let scope = Scope { season_number: Some(11), tmdb_id: Some(1), ..Scope::default() };
    let (_, prose) = answered(MediaSelection::Tv, &scope, json!([]));
    for part in ["season 11", "what to expect", "library", "history"] {
        assert!(prose.contains(part), "{part}: {prose}");
    }
}

/// 24
#[test]
fn what_the_service_thinks_is_printed_only_when_it_is_not_well() {
    let record = |status| {
        json!([{
            "id": 7, "title": "R", "trackedDownloadStatus": status, "trackedDownloadState": "importPending", "errorMessage": "Oh no",
            "statusMessages": [{"title": "a.mkv", "messages": ["Sample", "Too short"]}, {"title": "Alone", "messages": []}],
        }])
    };
    let (output, well) = answered(MediaSelection::Movie, &Scope::default(), record("ok"));
    assert!(!well.contains("importPending") && !well.contains("Oh no"), "{well}");
    assert_eq!(output["items"][0]["tracked_state"], "importPending", "the structured answer has it all the same");
    let (_, unwell) = answered(MediaSelection::Movie, &Scope::default(), record("warning"));
    for part in ["warning: importPending", "Oh no", "a.mkv: Sample; Too short", "Alone"] {
        assert!(unwell.contains(part), "{part}: {unwell}");
    }
}

/// 25
#[test]
fn a_verdict_is_given_for_one_queue_and_one_download_only() {
    let scope = Scope { queue_id: Some(7), ..Scope::default() };
    let verdict = |selection, scope: &Scope, records| answered(selection, scope, records).0["verification"].clone();
    assert_eq!(verdict(MediaSelection::All, &scope, json!([{"id": 7}])), json!(null));
    assert_eq!(verdict(MediaSelection::Movie, &Scope::default(), json!([{"id": 7}])), json!(null));
    let of = |target_present| json!({"kind": "queue_target", "exact_scope": true, "target_present": target_present});
    assert_eq!(verdict(MediaSelection::Movie, &scope, json!([{"id": 7}])), of(true));
    assert_eq!(verdict(MediaSelection::Movie, &scope, json!([])), of(false));
}

/// 27
#[test]
fn of_35_rows_30_are_shown() {
    let records: Vec<_> = (1..=35).map(|id| json!({"id": id, "title": format!("R{id}")})).collect();
    let (output, prose) = answered(MediaSelection::Movie, &Scope::default(), json!(records));
    assert_eq!((&output["queues"][0]["total"], &output["queues"][0]["shown"]), (&json!(35), &json!(30)));
    assert_eq!(output["items"].as_array().unwrap().len(), 30);
    assert!(prose.ends_with("…and 5 more (35 total)"), "{prose}");
}

#[test]
fn a_delayed_release_says_what_it_waits_for() {
    let (_, prose) = answered(
        MediaSelection::Movie,
        &Scope::default(),
        json!([{"id": 7, "title": "R", "status": "delay", "timeleft": "1.02:03:04", "size": 100.0, "sizeleft": 100.0}]),
    );
    assert!(
        prose.contains("delay")
            && prose.contains("1 d 02:03:04 left")
            && prose.contains("not handed to a download client"),
        "{prose}"
    );
}

#[test]
fn one_download_is_one_download_in_words() {
    let records: Vec<_> = (1..=12).map(|id| json!({"id": id, "title": "Pack", "downloadId": "ABC"})).collect();
    let (output, prose) = answered(MediaSelection::Movie, &Scope::default(), json!(records));
    assert!(prose.contains("one download with 2, 3, 4, 5, 6, 7, 8, 9, 3 more"), "{prose}");
    assert_eq!(output["items"][0]["same_download"].as_array().unwrap().len(), 11);
}

//! How the instance now compares with a recorded change.

use playhouse_library::settings::{
    CompareFormat, CompareProfile, ConfirmFormat, Digest, FieldState, FormatAction, GetConnection, JsonText, LiveState,
    PreparedFormat, ReadyProfile,
};
use playhouse_standins::{ArrKind, Misbehaviour};
use serde_json::json;

use crate::home::{Shelf, title_condition, title_format};

fn compare(profile_id: i64, ready: &ReadyProfile) -> CompareProfile {
    CompareProfile {
        profile_id,
        connection: ready.connection,
        applied: ready.desired_digest,
        dependencies: ready.dependencies,
        fields: ready.fields.clone(),
    }
}

#[actix_rt::test]
async fn a_profile_that_is_as_the_change_left_it_matches_in_every_service() {
    for kind in ArrKind::ALL {
        let shelf = Shelf::of(kind).await;
        let done = shelf.change(1, json!({ "cutoff_format_score": 77 })).await;
        let now = shelf.ask(compare(1, &done)).await;
        assert_eq!((now.state, now.note), (LiveState::MatchesApplied, None), "{kind:?}");
        assert_eq!(now.fields[0].current_state, Some(FieldState::MatchesApplied));
    }
}

#[actix_rt::test]
async fn each_value_says_whether_it_is_as_applied_as_before_or_something_else() {
    let shelf = Shelf::of(ArrKind::Sonarr).await;
    let changes = json!({ "upgrade_allowed": false, "min_format_score": -5,
        "custom_format_scores": [{ "format_name": "Season Pack", "score": 30 }, { "format_name": "Scene", "score": 1 }] });
    let done = shelf.change(4, changes).await;
    shelf.arr.edit_profile(4, |profile| {
        profile["upgradeAllowed"] = json!(true);
        profile["minFormatScore"] = json!(-9);
    });
    shelf.arr.remove_format(5);
    let now = shelf.ask(compare(4, &done)).await;
    let told: Vec<_> =
        now.fields.iter().map(|one| (one.key.as_str(), one.current.as_deref(), one.current_state)).collect();
    assert_eq!(
        told,
        [
            ("upgrade_allowed", Some("on"), Some(FieldState::MatchesBefore)),
            ("min_format_score", Some("-9"), Some(FieldState::Different)),
            ("custom_format_score:2", Some("+30"), Some(FieldState::MatchesApplied)),
            ("custom_format_score:5", Some("removed"), Some(FieldState::Different)),
        ]
    );
    assert_eq!(now.state, LiveState::Different);
}

#[actix_rt::test]
async fn what_moved_beside_the_change_is_explained() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let done = shelf.change(4, json!({ "upgrade_allowed": false })).await;
    let id = shelf.arr.add_format(title_format("Unrelated", "x"));
    let now = shelf.ask(compare(4, &done)).await;
    assert!(now.note.unwrap().contains("others of the profile"), "the profile lists the new format");
    shelf.arr.remove_format(id);
    shelf.arr.edit_format(1, |format| format["includeCustomFormatWhenRenaming"] = json!(true));
    let now = shelf.ask(compare(4, &done)).await;
    assert_eq!(now.state, LiveState::Different);
    assert!(now.note.unwrap().contains("custom formats or languages"));
    shelf.arr.prefer(|preferences| preferences.remove_profile(4));
    let now = shelf.ask(compare(4, &done)).await;
    assert_eq!((now.state, now.fields[0].current.as_deref()), (LiveState::Different, Some("removed")));
}

#[actix_rt::test]
async fn another_connection_or_a_service_that_is_down_leaves_nothing_to_compare_with() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let done = shelf.change(4, json!({ "upgrade_allowed": false })).await;
    shelf.arr.forget_requests();
    let moved = CompareProfile { connection: Digest([0; 32]), ..compare(4, &done) };
    let now = shelf.ask(moved).await;
    assert_eq!((now.state, shelf.arr.n_requests()), (LiveState::Unavailable, 0));
    shelf.arr.misbehave_once("GET */qualityprofile", Misbehaviour::Failing { status: 503 });
    let now = shelf.ask(compare(4, &done)).await;
    assert_eq!((now.state, now.fields), (LiveState::Unavailable, done.fields.clone()));
    assert!(now.note.is_some());
}

fn format(prepared: &PreparedFormat, id: Option<i64>, was_confirmed: bool, after: &str) -> CompareFormat {
    CompareFormat {
        id,
        name: prepared.name.clone(),
        connection: prepared.connection,
        after: JsonText::new(after).unwrap(),
        was_confirmed,
        fields: prepared.fields.clone(),
    }
}

#[actix_rt::test]
async fn case_101_a_write_that_was_lost_and_landed_is_found_by_what_was_to_be() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let payload = json!({ "name": "HDR10", "trash_id": "x", "specifications": [
        { "name": "HDR", "implementation": "ReleaseTitleSpecification", "fields": { "value": "HDR" } }] });
    let prepared = shelf.prepare_format(&payload).await.unwrap();
    let by_name = || format(&prepared, None, false, prepared.desired.as_str());
    let now = shelf.ask(by_name()).await;
    assert_eq!(now.state, LiveState::Different);
    assert_eq!(now.fields[0].current.as_deref(), Some("not present"));
    assert_eq!(now.fields[0].current_state, Some(FieldState::MatchesBefore));
    shelf.arr.misbehave_once("POST */customformat", Misbehaviour::DoneButLost);
    shelf.send_format(&prepared).await.unwrap_err();
    let now = shelf.ask(by_name()).await;
    assert_eq!((now.state, now.fields[0].current.as_deref()), (LiveState::MatchesApplied, Some("present")));
}

#[actix_rt::test]
async fn a_format_that_was_read_back_is_compared_as_a_whole() {
    let shelf = Shelf::of(ArrKind::Sonarr).await;
    let mut payload = title_format("Season Pack", "pack");
    payload["specifications"].as_array_mut().unwrap().push(title_condition("More", "more"));
    let prepared = shelf.prepare_format(&payload).await.unwrap();
    let FormatAction::Update { id } = prepared.action else { panic!("it is there: {:?}", prepared.action) };
    shelf.send_format(&prepared).await.unwrap();
    let PreparedFormat { action, name, before, desired, .. } = prepared.clone();
    let confirmed = shelf.ask(ConfirmFormat { action, name, before, desired, answered_id: Some(id) }).await.unwrap();
    let look = || shelf.ask(format(&prepared, Some(id), true, confirmed.after.as_str()));
    assert_eq!(look().await.state, LiveState::MatchesApplied);
    shelf
        .arr
        .edit_format(u32::try_from(id).unwrap(), |format| format["specifications"].as_array_mut().unwrap().reverse());
    assert_eq!(look().await.state, LiveState::MatchesApplied, "their order means nothing");
    shelf.arr.edit_format(u32::try_from(id).unwrap(), |format| format["specifications"][0]["negate"] = json!(true));
    let now = look().await;
    assert_eq!((now.state, now.fields[0].current_state), (LiveState::Different, Some(FieldState::Different)));
    shelf.arr.remove_format(u32::try_from(id).unwrap());
    assert!(look().await.note.unwrap().contains("not there any more"));
    let elsewhere = CompareFormat { connection: Digest([0; 32]), ..format(&prepared, Some(id), true, "{}") };
    assert_eq!(shelf.ask(elsewhere).await.state, LiveState::Unavailable);
    assert!(shelf.ask(GetConnection {}).await.digest.is_some());
}

#[actix_rt::test]
async fn a_format_is_found_by_its_own_name_where_the_record_shows_less_of_it() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let prepared = shelf.prepare_format(&title_format("token=abcdefgh", "x")).await.unwrap();
    shelf.send_format(&prepared).await.unwrap();
    let by_name = format(&prepared, None, false, prepared.desired.as_str());
    let now = shelf.ask(CompareFormat { name: "token=[REDACTED]".to_owned(), ..by_name }).await;
    assert_eq!((now.state, now.note), (LiveState::MatchesApplied, None));
}

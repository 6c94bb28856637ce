//! Working a prepared change out once more: what makes it stale and what does not.

use playhouse_library::instance::EditInstance;
use playhouse_library::settings::{GetConnection, NotReady};
use playhouse_standins::{ArrKind, Misbehaviour};
use serde_json::json;

use crate::home::{Shelf, title_format};

const HD: i64 = 4;

fn is_stale<T: std::fmt::Debug>(ready: Result<T, NotReady>, because_of_connection: bool) {
    match ready {
        Err(NotReady::Stale { connection, .. }) if connection == because_of_connection => {}
        other => panic!("it should be stale: {other:?}"),
    }
}

#[actix_rt::test]
async fn an_unchanged_instance_makes_the_same_of_it() {
    for kind in ArrKind::ALL {
        let shelf = Shelf::of(kind).await;
        let prepared = shelf.prepare(1, json!({ "cutoff_format_score": 77 })).await.unwrap();
        let one = shelf.rebuild(1, &prepared).await.unwrap();
        let other = shelf.rebuild(1, &prepared).await.unwrap();
        assert_eq!(one, other, "{kind:?}");
        assert_eq!(one.desired_digest, prepared.binding.desired);
        assert_eq!(one.before_digest, prepared.binding.profile);
        let field = &one.fields[0];
        assert_eq!(
            (field.key.as_str(), field.before.as_str(), field.after.as_str()),
            ("cutoff_format_score", "0", "77")
        );
        assert_eq!(shelf.n_writes(), 0);
    }
}

#[actix_rt::test]
async fn case_68_a_field_that_nobody_knows_yet_makes_it_stale() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let prepared = shelf.prepare(HD, json!({ "upgrade_allowed": false })).await.unwrap();
    shelf.arr.edit_profile(4, |profile| profile["futureField"] = json!({ "a": [1] }));
    is_stale(shelf.rebuild(HD, &prepared).await, false);
}

#[actix_rt::test]
async fn case_69_an_unrelated_new_format_makes_it_stale_and_so_does_an_edited_one() {
    let shelf = Shelf::of(ArrKind::Sonarr).await;
    let prepared = shelf.prepare(HD, json!({ "upgrade_allowed": false })).await.unwrap();
    shelf.arr.edit_format(2, |format| format["includeCustomFormatWhenRenaming"] = json!(true));
    is_stale(shelf.rebuild(HD, &prepared).await, false);
    let prepared = shelf.prepare(HD, json!({ "upgrade_allowed": false })).await.unwrap();
    shelf.arr.add_format(title_format("Unrelated", "x"));
    is_stale(shelf.rebuild(HD, &prepared).await, false);
}

#[actix_rt::test]
async fn case_70_and_71_a_renamed_language_makes_only_changes_stale_that_depend_on_languages() {
    let shelf = Shelf::of(ArrKind::Sonarr).await;
    let score = |name: &str| json!({ "custom_format_scores": [{ "format_name": name, "score": 7 }] });
    let about_language = shelf.prepare(HD, score("Language: Not English")).await.unwrap();
    let plain = shelf.prepare(HD, score("Season Pack")).await.unwrap();
    shelf.arr.rename_language(3, "Castellano");
    is_stale(shelf.rebuild(HD, &about_language).await, false);
    assert!(shelf.rebuild(HD, &plain).await.is_ok());
}

#[actix_rt::test]
async fn case_73_a_renamed_instance_makes_nothing_stale() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let prepared = shelf.prepare(HD, json!({ "upgrade_allowed": false })).await.unwrap();
    let connection = shelf.ask(GetConnection {}).await;
    let name = Some("Cinema".to_owned());
    shelf.home.edit(EditInstance { name, ..edit(shelf.id) }).await;
    let ready = shelf.rebuild(HD, &prepared).await.unwrap();
    assert_eq!(ready.instance.name, "Cinema");
    let renamed = shelf.ask(GetConnection {}).await;
    assert_eq!((renamed.digest, renamed.instance.name.as_str()), (connection.digest, "Cinema"));
}

#[actix_rt::test]
async fn case_74_another_connection_makes_it_stale_without_a_request() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let mut prepared = shelf.prepare(HD, json!({ "upgrade_allowed": false })).await.unwrap();
    let ready = shelf.rebuild(HD, &prepared).await.unwrap();
    let other = Shelf::of(ArrKind::Radarr).await;
    let base_url = Some(other.arr.url().to_string());
    shelf.home.edit(EditInstance { base_url, api_key: Some(other.arr.api_key().into()), ..edit(shelf.id) }).await;
    other.arr.forget_requests();
    is_stale(shelf.rebuild(HD, &prepared).await, true);
    let unfinished = shelf.put(HD, &ready).await.unwrap_err();
    assert_eq!(unfinished.code(), playhouse_library::answer::Code::InstanceChanged);
    assert_eq!((other.arr.n_requests(), shelf.n_writes()), (0, 0), "neither the old nor the new one is written to");
    // With everything else the same, the connection alone decides.
    prepared.binding.connection = shelf.ask(GetConnection {}).await.digest.unwrap();
    assert!(shelf.rebuild(HD, &prepared).await.is_ok());
}

fn edit(id: playhouse_library::InstanceId) -> EditInstance {
    EditInstance { id, service: None, name: None, base_url: None, api_key: None, sort_order: None, is_default: None }
}

#[actix_rt::test]
async fn case_75_radarrs_languages_are_needed_when_it_is_carried_out_and_not_before() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    shelf.arr.misbehave("GET */language", Misbehaviour::Failing { status: 500 });
    let prepared = shelf.prepare(HD, json!({ "upgrade_allowed": false })).await.unwrap();
    assert!(matches!(shelf.rebuild(HD, &prepared).await, Err(NotReady::Unread(_))));
}

#[actix_rt::test]
async fn a_profile_that_is_gone_makes_it_stale_and_a_service_that_is_down_does_not() {
    let shelf = Shelf::of(ArrKind::Lidarr).await;
    let prepared = shelf.prepare(2, json!({ "upgrade_allowed": false })).await.unwrap();
    shelf.arr.misbehave_once("GET */qualityprofile", Misbehaviour::HungUp);
    assert!(matches!(shelf.rebuild(2, &prepared).await, Err(NotReady::Unread(_))));
    shelf.arr.prefer(|preferences| preferences.remove_profile(2));
    is_stale(shelf.rebuild(2, &prepared).await, false);
}

#[actix_rt::test]
async fn a_plan_or_differences_that_are_not_those_prepared_are_stale() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let prepared = shelf.prepare(HD, json!({ "upgrade_allowed": false })).await.unwrap();
    let mut other = prepared.clone();
    other.plan.min_format_score = Some(3);
    is_stale(shelf.rebuild(HD, &other).await, false);
    let mut other = prepared;
    other.diff.push("more".to_owned());
    is_stale(shelf.rebuild(HD, &other).await, false);
}

#[actix_rt::test]
async fn lost_keys_leave_no_connection_and_nothing_is_sent() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let locked = Shelf { home: shelf.home.without_its_keys(), arr: shelf.arr, id: shelf.id };
    assert_eq!(locked.ask(GetConnection {}).await.digest, None);
    assert!(locked.prepare(HD, json!({ "upgrade_allowed": false })).await.is_err());
    assert_eq!(locked.arr.n_requests(), 0);
}

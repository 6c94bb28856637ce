//! Reading a profile back.

use playhouse_library::settings::ConfirmProfile;
use playhouse_standins::{ArrKind, Misbehaviour};
use serde_json::json;

use crate::home::Shelf;

const HD: i64 = 4;

#[actix_rt::test]
async fn case_79_another_order_of_formats_is_the_same_profile() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let ready = shelf.change(HD, json!({ "upgrade_allowed": false })).await;
    shelf.arr.alter("GET */qualityprofile", |profiles| {
        let profiles = profiles.as_array_mut().unwrap();
        profiles.reverse();
        profiles.iter_mut().for_each(|profile| profile["formatItems"].as_array_mut().unwrap().reverse());
    });
    let stored = shelf.ask(ConfirmProfile { profile_id: HD, desired: ready.desired_digest }).await.unwrap();
    assert!(stored.as_str().contains("HD-1080p"));
}

#[actix_rt::test]
async fn case_80_a_difference_anywhere_is_no_confirmation() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let ready = shelf.change(HD, json!({ "upgrade_allowed": false })).await;
    let confirm = || shelf.ask(ConfirmProfile { profile_id: HD, desired: ready.desired_digest });
    shelf.arr.alter_nth("GET */qualityprofile", 1, |profiles| profiles[1]["minFormatScore"] = json!(1));
    assert!(confirm().await.unwrap_err().words.contains("not what was sent"));
    shelf.arr.alter_nth("GET */qualityprofile", 1, |profiles| {
        let copy = profiles[1].clone();
        profiles.as_array_mut().unwrap().push(copy);
    });
    assert!(confirm().await.unwrap_err().words.contains("Two quality profiles"));
    shelf.arr.alter_nth("GET */qualityprofile", 1, |profiles| drop(profiles.as_array_mut().unwrap().remove(1)));
    assert!(confirm().await.unwrap_err().words.contains("There is no quality profile 4"));
    shelf.arr.misbehave_once("GET */qualityprofile", Misbehaviour::Failing { status: 500 });
    assert!(confirm().await.unwrap_err().words.contains("status 500"));
    assert!(confirm().await.is_ok(), "and nothing of that was remembered");
}

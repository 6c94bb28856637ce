//! Making ready to put a profile back.

use playhouse_library::settings::{ConfirmProfile, Digest, JsonText, NotReady, ReadyProfile, RebuildRestore};
use playhouse_standins::ArrKind;
use serde_json::json;

use crate::home::{Shelf, title_format};

fn restore(profile_id: i64, ready: &ReadyProfile) -> RebuildRestore {
    RebuildRestore {
        profile_id,
        connection: ready.connection,
        applied: ready.desired_digest,
        dependencies: ready.dependencies,
        before: ready.before.clone(),
        before_digest: ready.before_digest,
    }
}

#[actix_rt::test]
async fn what_was_before_is_sent_to_the_letter() {
    for kind in ArrKind::ALL {
        let shelf = Shelf::of(kind).await;
        let original = shelf.arr.profiles()[0].clone();
        let done = shelf.change(1, json!({ "cutoff_format_score": 77 })).await;
        let ready = shelf.ask(restore(1, &done)).await.unwrap();
        assert_eq!((&ready.desired, ready.desired_digest), (&done.before, done.before_digest));
        assert_eq!((&ready.fields[0].before, &ready.fields[0].after), (&"77".to_owned(), &"0".to_owned()));
        shelf.put(1, &ready).await.unwrap();
        shelf.ask(ConfirmProfile { profile_id: 1, desired: ready.desired_digest }).await.unwrap();
        assert_eq!((shelf.sent().as_str(), &shelf.arr.profiles()[0]), (done.before.as_str(), &original), "{kind:?}");
    }
}

#[actix_rt::test]
async fn whatever_moved_meanwhile_is_stale() {
    let shelf = Shelf::of(ArrKind::Radarr).await;
    let done = shelf.change(4, json!({ "upgrade_allowed": false })).await;
    let mut elsewhere = restore(4, &done);
    elsewhere.connection = Digest([0; 32]);
    assert!(matches!(shelf.ask(elsewhere).await, Err(NotReady::Stale { connection: true, .. })));
    let is_stale =
        async || matches!(shelf.ask(restore(4, &done)).await, Err(NotReady::Stale { connection: false, .. }));
    shelf.arr.edit_profile(4, |profile| profile["minFormatScore"] = json!(1));
    assert!(is_stale().await, "the profile");
    shelf.arr.edit_profile(4, |profile| profile["minFormatScore"] = json!(0));
    assert!(shelf.ask(restore(4, &done)).await.is_ok(), "it is back");
    shelf.arr.rename_language(3, "Castellano");
    assert!(is_stale().await, "the languages");
    shelf.arr.rename_language(3, "Spanish");
    let id = shelf.arr.add_format(title_format("Unrelated", "x"));
    assert!(is_stale().await, "the formats");
    shelf.arr.remove_format(id);
}

#[actix_rt::test]
async fn a_stored_state_that_does_not_fit_its_record_is_not_sent() {
    let shelf = Shelf::of(ArrKind::Sonarr).await;
    let done = shelf.change(4, json!({ "upgrade_allowed": false })).await;
    let mut damaged = restore(4, &done);
    damaged.before = JsonText::new(damaged.before.as_str().replace("HD-1080p", "HD-1081p")).unwrap();
    assert!(matches!(shelf.ask(damaged).await, Err(NotReady::Unread(_))));
    let mut of_another = restore(4, &done);
    of_another.before = JsonText::new(shelf.arr.profiles()[2].to_string()).unwrap();
    of_another.before_digest = Digest::of_profile(&of_another.before).unwrap();
    assert!(matches!(shelf.ask(of_another).await, Err(NotReady::Unread(_))));
}

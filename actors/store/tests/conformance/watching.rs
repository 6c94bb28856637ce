//! Hints.

use futures::{FutureExt, StreamExt};
use playhouse_store::{CommitError, Expect, Hint, Key, Op, RestoreEntry, WhenOccupied};

use crate::{
    records::put_one,
    subject::{Subject, house, key, path},
};

pub(crate) async fn watchers_hear_of_what_is_beneath_their_prefix(subject: impl Subject) {
    let store = &**subject.store();
    let mut tv = store.watch(&key(1, "tv"));
    let mut all = store.watch(&Key::all_of(house(1)));
    let refused =
        store.commit(house(1), vec![Op::delete(path("tv/a"), Expect::Version(playhouse_store::Version(9)))], None);
    assert!(matches!(refused.await, Err(CommitError::Conflict { .. })));
    put_one(store, house(2), "tv/a", "").await;
    put_one(store, house(1), "tvs", "").await;
    put_one(store, house(1), "tv/a", "").await;
    put_one(store, house(1), "tv", "").await;
    assert_eq!(tv.next().await, Some(Hint::Changed(key(1, "tv/a"))));
    assert_eq!(tv.next().await, Some(Hint::Changed(key(1, "tv"))));
    assert_eq!(all.next().await, Some(Hint::Changed(key(1, "tvs"))));

    let entry = RestoreEntry::Record { path: path("tv/b"), value: "".into() };
    let entries = futures::stream::iter([Ok(entry)]).boxed();
    store.restore(house(1), entries, WhenOccupied::Replace).await.unwrap();
    assert_eq!(tv.next().await, Some(Hint::Anything));
}

pub(crate) async fn a_slow_watcher_is_told_that_it_missed_something(subject: impl Subject) {
    let store = &**subject.store();
    let mut hints = store.watch(&key(1, "tv"));
    for _ in 0..2_000 {
        put_one(store, house(1), "tv/a", "").await;
    }
    let mut seen = Vec::new();
    while let Some(Some(hint)) = hints.next().now_or_never() {
        seen.push(hint);
    }
    assert!(seen.len() < 2_000 && seen.contains(&Hint::Anything), "{} hints", seen.len());
}

pub(crate) async fn watching_ends_when_the_store_closes(subject: impl Subject) {
    let store = &**subject.store();
    let mut hints = store.watch(&key(1, "tv"));
    store.close().await.unwrap();
    assert_eq!(hints.next().await, None);
    assert_eq!(store.watch(&key(1, "tv")).next().await, None);
}

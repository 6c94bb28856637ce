//! Replacing a whole house.

use futures::{FutureExt, StreamExt, stream};
use playhouse_store::{
    CommitError, Expect, IdemKey, LogEntry, LogId, MAX_VALUE_BYTES, Op, Refusal, RestoreEntries, RestoreEntry,
    RestoreError, Seq, WhenOccupied,
};

use crate::{
    records::{put_one, texts},
    subject::{Subject, house, path},
};

pub(crate) async fn a_restored_house_has_exactly_what_came_in(mut subject: impl Subject) {
    let store = &**subject.store();
    let log = LogId::new(house(1), path("audit"));
    put_one(store, house(1), "gone", "x").await;
    store.append(log.clone(), "old".into(), idem("k0"), None).await.unwrap();
    let entries = vec![record("b", "2"), entry("audit", 1, "k1"), record("a", "1"), entry("audit", 2, "k2")];
    store.restore(house(1), source(entries), WhenOccupied::Replace).await.unwrap();
    for _ in 0..2 {
        let store = &**subject.store();
        assert_eq!(texts(store, house(1)).await, ["a=1", "b=2"]);
        let entries = store.read_log(&log, Seq::FIRST, 10).await.unwrap();
        assert_eq!(entries.iter().map(|entry| entry.idem.as_str()).collect::<Vec<_>>(), ["k1", "k2"]);
        assert_eq!(store.append(log.clone(), "k1".into(), idem("k1"), None).await, Ok(Seq(1)));
        subject.open_again().await;
    }
    assert_eq!(subject.store().append(log, "old".into(), idem("k0"), None).await, Ok(Seq(3)));
    subject.store().restore(house(1), source(vec![]), WhenOccupied::Replace).await.unwrap();
    assert_eq!(subject.store().partitions(None, 10).await.unwrap(), []);
}

pub(crate) async fn an_occupied_house_is_replaced_only_when_asked(subject: impl Subject) {
    let store = &**subject.store();
    put_one(store, house(1), "a", "old").await;
    let refused = store.restore(house(1), source(vec![record("a", "new")]), WhenOccupied::Refuse).await;
    assert!(matches!(refused, Err(RestoreError::Occupied { .. })));
    assert_eq!(texts(store, house(1)).await, ["a=old"]);
    store.restore(house(2), source(vec![record("a", "new")]), WhenOccupied::Refuse).await.unwrap();
    store.restore(house(1), source(vec![record("a", "new")]), WhenOccupied::Replace).await.unwrap();
    assert_eq!(texts(store, house(1)).await, texts(store, house(2)).await);
}

pub(crate) async fn a_source_that_fails_leaves_the_house_as_it_was(mut subject: impl Subject) {
    let store = &**subject.store();
    put_one(store, house(1), "a", "old").await;
    let entries = (0..600).map(|number| Ok(record(&format!("b/{number}"), "new")));
    let failing = stream::iter(entries.chain([Err(RestoreError::Source("cut".to_owned()))])).boxed();
    assert!(matches!(store.restore(house(1), failing, WhenOccupied::Replace).await, Err(RestoreError::Source(_))));
    assert_eq!(texts(store, house(1)).await, ["a=old"]);
    subject.open_again().await;
    assert_eq!(texts(&**subject.store(), house(1)).await, ["a=old"]);
}

pub(crate) async fn a_restore_given_up_half_way_leaves_no_trace(mut subject: impl Subject) {
    for again in 0..2 {
        let store = subject.store().clone();
        let (n_taken, mut taken) = tokio::sync::watch::channel(0);
        let entries = stream::iter(0..).then(move |number: usize| {
            n_taken.send_replace(number);
            async move {
                // Some backends are always ready; without this pause the other branch below would never be asked.
                tokio::task::yield_now().await;
                Ok(record(&format!("half/{number}"), "x"))
            }
        });
        // Ends after a few rounds by its future being dropped, as when a caller goes away.
        tokio::select! {
            _ = store.restore(house(1), entries.boxed(), WhenOccupied::Refuse) => panic!("an endless source ended"),
            _ = taken.wait_for(|n_taken| *n_taken > 1_000) => {}
        }
        assert_eq!(store.partitions(None, 10).await.unwrap(), []);
        if again == 0 {
            subject.open_again().await;
        }
    }
    let store = &**subject.store();
    store.restore(house(1), source(vec![record("whole", "x")]), WhenOccupied::Refuse).await.unwrap();
    assert_eq!(texts(store, house(1)).await, ["whole=x"]);
}

pub(crate) async fn a_house_is_restored_by_one_at_a_time(subject: impl Subject) {
    let store = &**subject.store();
    let mut first = store.restore(house(1), stream::pending().boxed(), WhenOccupied::Refuse);
    assert!((&mut first).now_or_never().is_none());
    let second = store.restore(house(1), source(vec![]), WhenOccupied::Refuse).await;
    assert!(matches!(second, Err(RestoreError::UnderWay { .. })));
    drop(first);
    store.restore(house(1), source(vec![record("a", "x")]), WhenOccupied::Refuse).await.unwrap();
}

pub(crate) async fn entries_that_break_a_rule_stop_the_restore(subject: impl Subject) {
    let store = &**subject.store();
    let restore = async |entries| store.restore(house(1), source(entries), WhenOccupied::Refuse).await.unwrap_err();
    let out_of_order = restore(vec![entry("audit", 1, "k1"), entry("audit", 3, "k3")]).await;
    assert!(matches!(out_of_order, RestoreError::LogOutOfOrder { expected: Seq(2), found: Seq(3), .. }));
    let large = restore(vec![record("a", &"x".repeat(MAX_VALUE_BYTES + 1))]).await;
    assert!(matches!(large, RestoreError::Store(CommitError::Refused(Refusal::ValueTooLarge { .. }))));
    assert_eq!(store.partitions(None, 10).await.unwrap(), []);
}

pub(crate) async fn a_version_from_before_does_not_fit_after(subject: impl Subject) {
    let store = &**subject.store();
    let before = put_one(store, house(1), "a", "old").await;
    store.restore(house(1), source(vec![record("a", "new")]), WhenOccupied::Replace).await.unwrap();
    let stale = vec![Op::put(path("a"), "stale", Expect::Version(before))];
    assert!(matches!(store.commit(house(1), stale, None).await, Err(CommitError::Conflict { .. })));
    assert_eq!(texts(store, house(1)).await, ["a=new"]);
}

pub(crate) async fn more_than_one_round_of_entries_appears_at_once(subject: impl Subject) {
    let store = subject.store();
    put_one(&**store, house(1), "old", "x").await;
    let seen_meanwhile = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let entries = stream::iter(0..900).then({
        let (store, seen) = (store.clone(), seen_meanwhile.clone());
        move |number| {
            let (store, seen) = (store.clone(), seen.clone());
            async move {
                if number % 100 == 0 {
                    let texts = texts(&*store, house(1)).await;
                    seen.lock().unwrap().push(texts);
                }
                Ok(record(&format!("n/{number:04}"), "x"))
            }
        }
    });
    store.restore(house(1), entries.boxed(), WhenOccupied::Replace).await.unwrap();
    assert_eq!(*seen_meanwhile.lock().unwrap(), vec![vec!["old=x".to_owned()]; 9]);
    assert_eq!(texts(&**store, house(1)).await.len(), 900);
}

pub(crate) async fn a_write_before_the_end_of_a_refusing_restore_wins(subject: impl Subject) {
    let store = subject.store();
    let entries = stream::once({
        let store = store.clone();
        async move {
            put_one(&*store, house(1), "first", "x").await;
            Ok(record("second", "x"))
        }
    });
    let refused = store.restore(house(1), entries.boxed(), WhenOccupied::Refuse).await;
    assert!(matches!(refused, Err(RestoreError::Occupied { .. })));
    assert_eq!(texts(&**store, house(1)).await, ["first=x"]);
}

fn source(entries: Vec<RestoreEntry>) -> RestoreEntries<'static> {
    stream::iter(entries.into_iter().map(Ok)).boxed()
}

fn record(text: &str, value: &str) -> RestoreEntry {
    RestoreEntry::Record { path: path(text), value: value.to_owned().into() }
}

/// An entry whose bytes are its name.
fn entry(log: &str, seq: u64, name: &str) -> RestoreEntry {
    let entry = LogEntry { seq: Seq(seq), idem: idem(name), record: name.to_owned().into() };
    RestoreEntry::Log { log: path(log), entry }
}

fn idem(text: &str) -> IdemKey {
    IdemKey::new(text).unwrap()
}

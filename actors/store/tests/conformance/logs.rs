//! Append-only logs.

use playhouse_store::{CommitError, IdemKey, LogId, MAX_VALUE_BYTES, Path, Refusal, Seq, Store};

use crate::subject::{Subject, house, path};

pub(crate) async fn entries_are_numbered_from_one_without_holes(mut subject: impl Subject) {
    for number in 1..=3 {
        assert_eq!(append(&**subject.store(), "audit", &format!("k{number}"), "x").await, Ok(Seq(number)));
    }
    subject.open_again().await;
    let store = &**subject.store();
    assert_eq!(append(store, "audit", "k4", "four").await, Ok(Seq(4)));
    assert_eq!(read(store, "audit", Seq::FIRST, 100).await, ["1 k1 x", "2 k2 x", "3 k3 x", "4 k4 four"]);
    assert_eq!(read(store, "audit", Seq(0), 1).await, ["1 k1 x"]);
    assert_eq!(read(store, "audit", Seq(3), 1).await, ["3 k3 x"]);
    assert_eq!(read(store, "audit", Seq(5), 100).await, [""; 0]);
    assert_eq!(read(store, "other", Seq::FIRST, 100).await, [""; 0]);
}

pub(crate) async fn appending_again_answers_the_first_place(mut subject: impl Subject) {
    for _ in 0..2 {
        assert_eq!(append(&**subject.store(), "audit", "same", "x").await, Ok(Seq(1)));
        subject.open_again().await;
    }
    let store = &**subject.store();
    assert_eq!(append(store, "other", "same", "x").await, Ok(Seq(1)));
    assert_eq!(append(store, "audit", "next", "x").await, Ok(Seq(2)));
    assert_eq!(append(store, "audit", "same", "x").await, Ok(Seq(1)));
}

pub(crate) async fn the_same_name_for_other_bytes_is_refused(subject: impl Subject) {
    let store = &**subject.store();
    append(store, "audit", "same", "x").await.unwrap();
    assert_eq!(append(store, "audit", "same", "y").await, Err(Refusal::IdemKeyReused { seq: Seq(1) }.into()));
    let large = "x".repeat(MAX_VALUE_BYTES + 1);
    assert!(matches!(
        append(store, "audit", "large", &large).await,
        Err(CommitError::Refused(Refusal::ValueTooLarge { .. }))
    ));
    let root = LogId::new(house(1), Path::ROOT);
    let refused = store.append(root, "x".into(), IdemKey::new("k").unwrap(), None).await;
    assert_eq!(refused, Err(Refusal::RootPath.into()));
    assert_eq!(read(store, "audit", Seq::FIRST, 100).await, ["1 same x"]);
}

pub(crate) async fn logs_are_listed_and_apart_from_records(subject: impl Subject) {
    let store = &**subject.store();
    for log in ["b", "a/x", "a"] {
        append(store, log, "k", "x").await.unwrap();
    }
    let logs = |after: Option<&'static str>, limit| async move {
        let logs = store.logs(house(1), after.map(path).as_ref(), limit).await.unwrap();
        logs.into_iter().map(|log| log.path.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(logs(None, 100).await, ["a", "a/x", "b"]);
    assert_eq!(logs(None, 1).await, ["a"]);
    assert_eq!(logs(Some("a"), 100).await, ["a/x", "b"]);
    assert_eq!(store.partitions(None, 10).await.unwrap(), [house(1)]);
    assert_eq!(crate::records::texts(store, house(1)).await, [""; 0]);
    assert_eq!(store.logs(house(2), None, 100).await.unwrap(), []);
}

pub(crate) async fn logs_with_names_that_begin_alike_do_not_mix(subject: impl Subject) {
    let store = &**subject.store();
    for log in ["a", "ab", "a/b", "a "] {
        append(store, log, "k", log).await.unwrap();
    }
    for log in ["a", "ab", "a/b", "a "] {
        assert_eq!(read(store, log, Seq::FIRST, 100).await, [format!("1 k {log}")]);
    }
}

async fn append(store: &dyn Store, log: &str, idem: &str, record: &str) -> Result<Seq, CommitError> {
    let log = LogId::new(house(1), path(log));
    store.append(log, record.to_owned().into(), IdemKey::new(idem).unwrap(), None).await
}

async fn read(store: &dyn Store, log: &str, from: Seq, limit: u32) -> Vec<String> {
    let entries = store.read_log(&LogId::new(house(1), path(log)), from, limit).await.unwrap();
    let text = |entry: &playhouse_store::LogEntry| {
        format!("{} {} {}", entry.seq, entry.idem.as_str(), std::str::from_utf8(&entry.record).unwrap())
    };
    entries.iter().map(text).collect()
}

//! Records, conditions, pages.

use futures::future::join_all;
use playhouse_store::{
    CommitError, Expect, HouseId, Key, MAX_COMMIT_OPS, MAX_PAGE_BYTES, MAX_VALUE_BYTES, Op, Path, Refusal, Store,
    StoreError, Version,
};

use crate::subject::{Subject, house, key, path};

const ANY: Expect = Expect::Any;

pub(crate) async fn what_is_put_is_read_back_with_its_version(subject: impl Subject) {
    let store = subject.store();
    let put = [Op::put(path("tv/a"), "one", Expect::Absent), Op::put(path("tv/b"), "", ANY)];
    let versions = store.commit(house(1), put.to_vec(), None).await.unwrap();
    for (op, version) in put.iter().zip(versions) {
        let found = store.get(&Key::new(house(1), op.path.clone())).await.unwrap().unwrap();
        assert_eq!(playhouse_store::Change::Put(found.value), op.change);
        assert_eq!(found.version, version);
    }
    assert_eq!(store.get(&key(1, "tv")).await.unwrap(), None);
    assert_eq!(store.commit(house(1), vec![], None).await.unwrap(), []);
}

pub(crate) async fn a_condition_that_fails_names_the_record_and_stops_the_whole_commit(subject: impl Subject) {
    let store = subject.store();
    let version = put_one(&**store, house(1), "a", "old").await;
    for (expect, current) in [(Expect::Absent, Some(version)), (Expect::Version(Version(version.0 + 1)), Some(version))]
    {
        let ops = vec![
            Op::put(path("before"), "new", ANY),
            Op::put(path("a"), "new", expect),
            Op::delete(path("a2"), Expect::Version(version)),
        ];
        let refused = store.commit(house(1), ops, None).await;
        assert_eq!(refused, Err(CommitError::Conflict { key: key(1, "a"), current }));
    }
    let refused = store.commit(house(1), vec![Op::put(path("b"), "new", Expect::Version(version))], None).await;
    assert_eq!(refused, Err(CommitError::Conflict { key: key(1, "b"), current: None }));
    assert_eq!(texts(&**store, house(1)).await, ["a=old"]);
}

pub(crate) async fn absent_and_version_conditions_hold_for_deletes_too(subject: impl Subject) {
    let store = subject.store();
    store.commit(house(1), vec![Op::delete(path("a"), Expect::Absent)], None).await.unwrap();
    let version = put_one(&**store, house(1), "a", "x").await;
    let refused = store.commit(house(1), vec![Op::delete(path("a"), Expect::Absent)], None).await;
    assert_eq!(refused, Err(CommitError::Conflict { key: key(1, "a"), current: Some(version) }));
    store.commit(house(1), vec![Op::delete(path("a"), Expect::Version(version))], None).await.unwrap();
    assert_eq!(store.get(&key(1, "a")).await.unwrap(), None);
    store.commit(house(1), vec![Op::delete(path("a"), ANY)], None).await.unwrap();
}

pub(crate) async fn a_version_is_never_given_twice_even_after_a_delete(mut subject: impl Subject) {
    let first = put_one(&**subject.store(), house(1), "a", "x").await;
    subject.store().commit(house(1), vec![Op::delete(path("a"), ANY)], None).await.unwrap();
    subject.open_again().await;
    let second = put_one(&**subject.store(), house(1), "a", "x").await;
    assert!(second > first);
    let stale = vec![Op::put(path("a"), "y", Expect::Version(first))];
    assert!(matches!(subject.store().commit(house(1), stale, None).await, Err(CommitError::Conflict { .. })));
}

pub(crate) async fn houses_do_not_see_each_other(subject: impl Subject) {
    let store = subject.store();
    put_one(&**store, house(1), "a", "one").await;
    put_one(&**store, house(2), "a", "two").await;
    put_one(&**store, HouseId::INSTANCE, "waitlist/x", "mail").await;
    assert_eq!(texts(&**store, house(1)).await, ["a=one"]);
    assert_eq!(texts(&**store, house(2)).await, ["a=two"]);
    assert_eq!(store.partitions(None, 10).await.unwrap(), [HouseId::INSTANCE, house(1), house(2)]);
    assert_eq!(store.partitions(Some(HouseId::INSTANCE), 1).await.unwrap(), [house(1)]);
    store.commit(house(1), vec![Op::delete(path("a"), ANY)], None).await.unwrap();
    assert_eq!(store.partitions(Some(HouseId::INSTANCE), 10).await.unwrap(), [house(2)]);
}

pub(crate) async fn a_scan_goes_by_whole_segments_in_order(subject: impl Subject) {
    let store = subject.store();
    for text in ["tv/b", "tv", "tv-x", "tvs/a", "tv/a/deep", "tv/a", "su", "tv/é"] {
        put_one(&**store, house(1), text, "").await;
    }
    assert_eq!(paths(&**store, &key(1, "tv"), None).await, ["tv/a", "tv/a/deep", "tv/b", "tv/é"]);
    assert_eq!(paths(&**store, &key(1, "tv"), Some("tv/a")).await, ["tv/a/deep", "tv/b", "tv/é"]);
    assert_eq!(paths(&**store, &key(1, "tv"), Some("a")).await, ["tv/a", "tv/a/deep", "tv/b", "tv/é"]);
    assert_eq!(paths(&**store, &key(1, "tv"), Some("tvs/a")).await, [""; 0]);
    assert_eq!(
        paths(&**store, &Key::all_of(house(1)), None).await,
        ["su", "tv", "tv-x", "tv/a", "tv/a/deep", "tv/b", "tv/é", "tvs/a"]
    );
    assert_eq!(paths(&**store, &Key::all_of(house(2)), None).await, [""; 0]);
}

pub(crate) async fn a_page_ends_at_its_limit_and_says_whether_there_is_more(subject: impl Subject) {
    let store = subject.store();
    for text in ["l/a", "l/b", "l/c", "m"] {
        put_one(&**store, house(1), text, "").await;
    }
    for (limit, n_entries, more) in [(0, 0, true), (1, 1, true), (2, 2, true), (3, 3, false), (u32::MAX, 3, false)] {
        let page = store.scan(&key(1, "l"), None, limit).await.unwrap();
        assert_eq!((page.entries.len(), page.more), (n_entries, more), "limit {limit}");
    }
}

pub(crate) async fn a_page_of_large_values_ends_early(subject: impl Subject) {
    let store = subject.store();
    let n_records = MAX_PAGE_BYTES / MAX_VALUE_BYTES + 4;
    for number in 0..n_records {
        put_one(&**store, house(1), &format!("l/{number:03}"), &"x".repeat(MAX_VALUE_BYTES)).await;
    }
    let page = store.scan(&key(1, "l"), None, 1_000).await.unwrap();
    assert!(page.more && page.entries.len() < n_records, "{} of {n_records}", page.entries.len());
    let after = page.entries.last().unwrap().0.clone();
    let rest = store.scan(&key(1, "l"), Some(&after), 1_000).await.unwrap();
    assert_eq!((page.entries.len() + rest.entries.len(), rest.more), (n_records, false));
}

pub(crate) async fn what_breaks_a_rule_is_refused_and_changes_nothing(subject: impl Subject) {
    let store = subject.store();
    let large = vec![b'x'; MAX_VALUE_BYTES];
    let many = |n_ops| (0..n_ops).map(|number| Op::put(path(&format!("m/{number}")), large.clone(), ANY)).collect();
    let refused = |ops: Vec<Op>| async {
        match store.commit(house(1), ops, None).await {
            Err(CommitError::Refused(refusal)) => refusal,
            other => panic!("{other:?}"),
        }
    };
    let too_large = Op::put(path("a"), vec![b'x'; MAX_VALUE_BYTES + 1], ANY);
    assert!(matches!(refused(vec![too_large]).await, Refusal::ValueTooLarge { n_bytes: 65_537, .. }));
    assert!(matches!(refused(many(17)).await, Refusal::CommitTooLarge { n_ops: 17, .. }));
    let small = (0..=MAX_COMMIT_OPS).map(|number| Op::put(path(&format!("m/{number}")), "", ANY)).collect();
    assert!(matches!(refused(small).await, Refusal::CommitTooLarge { n_ops: 257, n_bytes: 0 }));
    let twice = vec![Op::put(path("a"), "", ANY), Op::put(path("b"), "", ANY), Op::delete(path("a"), ANY)];
    assert_eq!(refused(twice).await, Refusal::KeyTwice(key(1, "a")));
    assert_eq!(refused(vec![Op::put(Path::ROOT, "", ANY)]).await, Refusal::RootPath);
    assert_eq!(store.partitions(None, 10).await.unwrap(), []);
}

pub(crate) async fn the_largest_value_is_accepted(mut subject: impl Subject) {
    let text = "y".repeat(MAX_VALUE_BYTES);
    put_one(&**subject.store(), house(1), "a", &text).await;
    subject.open_again().await;
    assert_eq!(subject.store().get(&key(1, "a")).await.unwrap().unwrap().value, text.as_bytes());
}

pub(crate) async fn counting_together_loses_nothing(subject: impl Subject) {
    const N_TASKS: usize = 16;
    const N_EACH: usize = 8;
    put_one(&**subject.store(), house(1), "count", "0").await;
    let tasks = (0..N_TASKS).map(|_| {
        let store = subject.store().clone();
        tokio::spawn(async move {
            let mut n_done = 0;
            while n_done < N_EACH {
                let found = store.get(&key(1, "count")).await.unwrap().unwrap();
                let count: usize = std::str::from_utf8(&found.value).unwrap().parse().unwrap();
                let op = Op::put(path("count"), (count + 1).to_string(), Expect::Version(found.version));
                match store.commit(house(1), vec![op], None).await {
                    Ok(_) => n_done += 1,
                    Err(CommitError::Conflict { .. }) => {}
                    Err(other) => panic!("{other}"),
                }
            }
        })
    });
    for task in join_all(tasks).await {
        task.unwrap();
    }
    assert_eq!(texts(&**subject.store(), house(1)).await, [format!("count={}", N_TASKS * N_EACH)]);
}

pub(crate) async fn a_page_never_shows_half_of_a_commit(subject: impl Subject) {
    let both = |text: String| vec![Op::put(path("a"), text.clone(), ANY), Op::put(path("b"), text, ANY)];
    subject.store().commit(house(1), both("0".to_owned()), None).await.unwrap();
    let writer = tokio::spawn({
        let store = subject.store().clone();
        async move {
            for number in 1..=200 {
                store.commit(house(1), both(number.to_string()), None).await.unwrap();
            }
        }
    });
    let mut n_pages = 0;
    while !writer.is_finished() || n_pages == 0 {
        let page = subject.store().scan(&Key::all_of(house(1)), None, 10).await.unwrap();
        assert_eq!(page.entries[0].1, page.entries[1].1);
        n_pages += 1;
        tokio::task::yield_now().await;
    }
    writer.await.unwrap();
}

pub(crate) async fn everything_is_there_after_opening_again(mut subject: impl Subject) {
    let version = put_one(&**subject.store(), house(1), "a", "x").await;
    for _ in 0..3 {
        subject.open_again().await;
    }
    let found = subject.store().get(&key(1, "a")).await.unwrap().unwrap();
    assert_eq!((found.value.as_ref(), found.version), (b"x".as_slice(), version));
}

pub(crate) async fn a_closed_store_answers_unavailable(subject: impl Subject) {
    let store = subject.store();
    put_one(&**store, house(1), "a", "x").await;
    store.close().await.unwrap();
    store.close().await.unwrap();
    assert!(matches!(store.get(&key(1, "a")).await, Err(StoreError::Unavailable { .. })));
    let put = vec![Op::put(path("a"), "y", ANY)];
    assert!(matches!(store.commit(house(1), put, None).await, Err(CommitError::Unavailable { .. })));
}

pub(crate) async fn put_one(store: &dyn Store, house: HouseId, text: &str, value: &str) -> Version {
    store.commit(house, vec![Op::put(path(text), value.to_owned(), ANY)], None).await.unwrap()[0]
}

/// All records of a house as `path=value`.
pub(crate) async fn texts(store: &dyn Store, house: HouseId) -> Vec<String> {
    let page = store.scan(&Key::all_of(house), None, 1_000).await.unwrap();
    assert!(!page.more);
    let text = |(key, found): &(Key, playhouse_store::Versioned)| {
        format!("{}={}", key.path, std::str::from_utf8(&found.value).unwrap())
    };
    page.entries.iter().map(text).collect()
}

async fn paths(store: &dyn Store, prefix: &Key, after: Option<&str>) -> Vec<String> {
    let after = after.map(|after| Key::new(prefix.partition, path(after)));
    let page = store.scan(prefix, after.as_ref(), 100).await.unwrap();
    page.entries.into_iter().map(|(key, _)| key.path.to_string()).collect()
}

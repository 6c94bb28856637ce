//! Exports and imports, between both backends and out of damaged files.

#![expect(clippy::unwrap_used, reason = "a test may stop where it is surprised")]

use std::{io::Cursor, sync::Arc};

use jiff::Timestamp;
use playhouse_store::{
    Envelope, Expect, HouseId, IdemKey, ImportError, ImportSettings, Key, KnownKind, LogId, MemoryStore, Op, Path,
    Progress, Scope, Seq, SledSettings, SledStore, Stage, Store, StoreError, WhenOccupied, export, import,
};
use proptest::prelude::*;
use uuid::Uuid;

const AUDIT: Path = Path::literal("audit");

fn house(number: u128) -> HouseId {
    HouseId::from_uuid(Uuid::from_u128(number))
}

/// Two houses and the instance, with records of ours, other bytes, and a log longer than a page.
async fn filled(store: &dyn Store) {
    for number in 0..3 {
        let body = format!(r#"{{"name":"den {number}","note":"a\nb"}}"#);
        let record = Envelope { kind: "tv", format: 1, body: body.as_bytes() }.seal().unwrap();
        let strange = Envelope { kind: "tv", format: 1, body: b"{\n}" }.seal().unwrap();
        let mut ops = vec![
            Op::put(Path::literal("tv/a"), record.clone(), Expect::Any),
            Op::put(Path::literal("other"), vec![0, 1, 255], Expect::Any),
            Op::put(Path::literal("strange"), strange, Expect::Any),
            Op::put(Path::literal("empty"), "", Expect::Any),
        ];
        ops.extend((0..200).map(|at| Op::put(Path::literal("many").join(at).unwrap(), record.clone(), Expect::Any)));
        store.commit(house(number), ops, None).await.unwrap();
        for entry in 0..300 {
            let idem = IdemKey::new(format!("k{entry}")).unwrap();
            store.append(LogId::new(house(number), AUDIT), record.clone(), idem, None).await.unwrap();
        }
    }
}

async fn exported(store: &dyn Store, scope: Scope) -> Vec<u8> {
    let mut file = Vec::new();
    export(store, scope, Timestamp::UNIX_EPOCH, &mut file, &mut |_| {}).await.unwrap();
    file
}

async fn imported(store: &dyn Store, file: &[u8], settings: &ImportSettings) -> Result<Progress, ImportError> {
    import(store, &mut Cursor::new(file), settings, &mut |_| {}).await
}

fn everything() -> ImportSettings {
    ImportSettings { scope: Scope::All, when_occupied: WhenOccupied::Refuse, known_kinds: vec![] }
}

/// A small export, line by line without line breaks.
async fn small_export() -> Vec<String> {
    let store = MemoryStore::new();
    for (number, text) in [(1, "a"), (1, "b"), (2, "a")] {
        store.commit(house(number), vec![Op::put(Path::new(text).unwrap(), "x", Expect::Any)], None).await.unwrap();
    }
    store.append(LogId::new(house(1), AUDIT), "x".into(), IdemKey::new("k").unwrap(), None).await.unwrap();
    let file = String::from_utf8(exported(&store, Scope::All).await).unwrap();
    file.lines().map(str::to_owned).collect()
}

fn file_of(lines: &[String]) -> Vec<u8> {
    lines.iter().flat_map(|line| [line.as_bytes(), b"\n"].concat()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_instance_moves_between_backends_and_comes_out_the_same() {
    let dir = tempfile::tempdir().unwrap();
    let memory = MemoryStore::new();
    filled(&memory).await;
    let first = exported(&memory, Scope::All).await;
    let sled = SledStore::open(SledSettings::new(dir.path())).unwrap();
    let done = imported(&sled, &first, &everything()).await.unwrap();
    assert_eq!((done.n_houses, done.n_records, done.n_log_entries), (3, 3 * 204, 3 * 300));
    assert_eq!(exported(&sled, Scope::All).await, first);
    let log = LogId::new(house(1), AUDIT);
    let idem = IdemKey::new("k7").unwrap();
    let again = sled.read_log(&log, Seq(8), 1).await.unwrap().remove(0).record;
    assert_eq!(sled.append(log, again, idem, None).await, Ok(Seq(8)), "idempotency keys move too");
}

#[tokio::test]
async fn one_house_can_be_taken_out_and_put_in() {
    let store = MemoryStore::new();
    filled(&store).await;
    let all = exported(&store, Scope::All).await;
    let one = exported(&store, Scope::House(house(1))).await;
    let settings = ImportSettings { scope: Scope::House(house(1)), ..everything() };
    for file in [all, one.clone()] {
        let target = MemoryStore::new();
        imported(&target, &file, &settings).await.unwrap();
        assert_eq!(target.partitions(None, 10).await.unwrap(), [house(1)]);
        assert_eq!(exported(&target, Scope::House(house(1))).await, one);
    }
    let absent = ImportSettings { scope: Scope::House(house(9)), ..everything() };
    assert!(matches!(imported(&store, &one, &absent).await, Err(ImportError::NoSuchHouse { .. })));
    let nothing = export(&store, Scope::House(house(9)), Timestamp::UNIX_EPOCH, &mut Vec::new(), &mut |_| {}).await;
    assert!(nothing.is_err());
}

#[tokio::test]
async fn houses_with_data_are_replaced_only_when_asked() {
    let file = file_of(&small_export().await);
    let store = MemoryStore::new();
    let kept = Op::put(Path::literal("kept"), "x", Expect::Any);
    store.commit(house(2), vec![kept.clone()], None).await.unwrap();
    store.commit(house(3), vec![kept], None).await.unwrap();
    let before = exported(&store, Scope::All).await;
    match imported(&store, &file, &everything()).await {
        Err(ImportError::Occupied { houses }) => assert_eq!(houses, [house(2)]),
        other => panic!("{other:?}"),
    }
    assert_eq!(exported(&store, Scope::All).await, before);
    let replacing = ImportSettings { when_occupied: WhenOccupied::Replace, ..everything() };
    for _ in 0..2 {
        imported(&store, &file, &replacing).await.unwrap();
        let page = store.scan(&Key::all_of(house(2)), None, 10).await.unwrap();
        assert_eq!(page.entries.iter().map(|(key, _)| key.path.as_str()).collect::<Vec<_>>(), ["a"]);
    }
    assert!(store.get(&Key::new(house(3), Path::literal("kept"))).await.unwrap().is_some(), "not in the file");
}

#[tokio::test]
async fn a_file_cut_anywhere_is_refused_with_nothing_changed() {
    let file = file_of(&small_export().await);
    for end in 0..file.len() {
        let store = MemoryStore::new();
        assert!(imported(&store, &file[..end], &everything()).await.is_err(), "cut at {end}");
        assert_eq!(store.partitions(None, 10).await.unwrap(), []);
    }
    let whole_lines = file[..file.len() - 1].iter().rposition(|byte| *byte == b'\n').unwrap() + 1;
    let cut = imported(&MemoryStore::new(), &file[..whole_lines], &everything()).await.unwrap_err();
    assert!(cut.to_string().contains("it was cut"), "{cut}");
}

#[tokio::test]
async fn missing_doubled_swapped_and_foreign_lines_are_refused() {
    let lines = small_export().await;
    let refused = async |lines: &[String]| {
        let store = MemoryStore::new();
        let error = imported(&store, &file_of(lines), &everything()).await.unwrap_err();
        assert_eq!(store.partitions(None, 10).await.unwrap(), [], "{error}");
        error
    };
    for at in 0..lines.len() {
        let mut missing = lines.clone();
        missing.remove(at);
        refused(&missing).await;
        let mut doubled = lines.clone();
        doubled.insert(at, lines[at].clone());
        refused(&doubled).await;
    }
    let mut swapped = lines.clone();
    swapped.swap(2, 3);
    assert!(matches!(
        refused(&swapped).await,
        ImportError::Damaged { line: 3, .. } | ImportError::Damaged { line: 4, .. }
    ));
    assert!(matches!(refused(&["[1,2]".to_owned()]).await, ImportError::NotAnExport { .. }));
    assert!(matches!(refused(&[]).await, ImportError::NotAnExport { .. }));
    assert!(matches!(refused(&["x".repeat(1 << 20)]).await, ImportError::NotAnExport { .. }));
    let mut long = lines.clone();
    long.insert(2, "x".repeat(1 << 20));
    assert!(matches!(refused(&long).await, ImportError::Damaged { line: 3, .. }));
}

#[tokio::test]
async fn files_and_records_of_newer_programs_are_refused() {
    let mut lines = small_export().await;
    lines[0] = lines[0].replace("\"playhouse_export\":1", "\"playhouse_export\":2");
    let refused = imported(&MemoryStore::new(), &file_of(&lines), &everything()).await;
    assert!(matches!(refused, Err(ImportError::NewerFormat { found: 2, newest: 1 })));

    let store = MemoryStore::new();
    let record = Envelope { kind: "tv", format: 3, body: b"{}" }.seal().unwrap();
    store.commit(house(1), vec![Op::put(Path::literal("a"), record, Expect::Any)], None).await.unwrap();
    let file = exported(&store, Scope::All).await;
    let known = ImportSettings { known_kinds: vec![KnownKind { kind: "tv", newest_format: 2 }], ..everything() };
    let refused = imported(&MemoryStore::new(), &file, &known).await;
    assert!(matches!(refused, Err(ImportError::NewerRecord { line: 3, found: 3, newest: 2, .. })));
}

#[tokio::test]
async fn records_of_ours_are_readable_in_the_file() {
    let store = MemoryStore::new();
    let record = Envelope { kind: "tv", format: 1, body: br#"{"name":"den"}"# }.seal().unwrap();
    store.commit(house(1), vec![Op::put(Path::literal("tv/a"), record, Expect::Any)], None).await.unwrap();
    let file = String::from_utf8(exported(&store, Scope::All).await).unwrap();
    let line = r#"{"record":{"path":"tv/a","value":{"kind":"tv","format":1,"body":{"name":"den"}}}}"#;
    assert!(file.contains(line), "{file}");
    assert!(file.starts_with(r#"{"header":{"playhouse_export":1,"written_at":"1970-01-01T00:00:00Z","scope":"all"}}"#));
}

#[tokio::test]
async fn progress_goes_up_to_the_whole_file() {
    let store = MemoryStore::new();
    filled(&store).await;
    let file = exported(&store, Scope::All).await;
    let mut shown: Vec<Progress> = Vec::new();
    let target = MemoryStore::new();
    import(&target, &mut Cursor::new(&file), &everything(), &mut |progress| shown.push(*progress)).await.unwrap();
    let (checking, importing): (Vec<Progress>, Vec<Progress>) =
        shown.iter().partition(|progress| progress.stage == Stage::Checking);
    for stage in [checking, importing] {
        assert!(stage.len() > 3 && stage.is_sorted_by_key(|progress| progress.n_bytes));
        assert_eq!(stage.last().unwrap().total_bytes, Some(file.len() as u64));
        assert_eq!(stage.last().unwrap().n_records, 3 * 204);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_while_others_write_has_what_nobody_touched() {
    let store = Arc::new(MemoryStore::new());
    filled(&*store).await;
    let writer = tokio::spawn({
        let store = store.clone();
        async move {
            for number in 0_u32..2_000 {
                let both = ["x1", "x2"].map(|text| Op::put(Path::new(text).unwrap(), number.to_string(), Expect::Any));
                store.commit(house(1), both.to_vec(), None).await?;
                tokio::task::yield_now().await;
            }
            Ok::<(), playhouse_store::CommitError>(())
        }
    });
    let file = exported(&*store, Scope::All).await;
    writer.await.unwrap().unwrap();
    let target = MemoryStore::new();
    imported(&target, &file, &everything()).await.unwrap();
    let many = Key::new(house(1), Path::literal("many"));
    let same = |store: Arc<dyn Store>| {
        let many = many.clone();
        async move {
            let page = store.scan(&many, None, 1_000).await?;
            Ok::<_, StoreError>(page.entries.into_iter().map(|(key, found)| (key, found.value)).collect::<Vec<_>>())
        }
    };
    assert_eq!(same(Arc::new(target)).await, same(store).await);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_changed_byte_is_refused_with_nothing_changed(at in any::<prop::sample::Index>(), by in 1u8..) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let mut file = file_of(&small_export().await);
            let at = at.index(file.len());
            file[at] ^= by;
            let store = MemoryStore::new();
            assert!(imported(&store, &file, &everything()).await.is_err(), "changed at {at}");
            assert_eq!(store.partitions(None, 10).await.unwrap(), []);
        });
    }

    #[test]
    fn no_file_makes_the_import_panic(lines in proptest::collection::vec(".{0,40}", 0..6)) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let mut file = small_export().await;
            file.splice(1..1, lines);
            let _either = imported(&MemoryStore::new(), &file_of(&file), &everything()).await;
        });
    }
}

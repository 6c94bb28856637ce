//! A folder that has gone bad is refused, or it answers what was written; never something else.

#![expect(clippy::unwrap_used, reason = "a test may stop where it is surprised")]

use std::{fs, path::Path as FilePath};

use jiff::Timestamp;
use playhouse_store::{Expect, HouseId, Op, OpenError, Path, Scope, SledSettings, SledStore, Store, export};

const N_COMMITS: u64 = 400;
const N_RECORDS: u64 = 60;
const N_FLIPS: usize = 80;

/// A closed store whose records were overwritten many times, so that its file has several segments with dead and live
/// parts. Answers its folder and its export.
async fn written_folder() -> (tempfile::TempDir, Vec<u8>) {
    let dir = tempfile::tempdir().unwrap();
    let store = SledStore::open(SledSettings::new(dir.path())).unwrap();
    for number in 0..N_COMMITS {
        let path = Path::literal("a").join(number % N_RECORDS).unwrap();
        let value = format!("{number} ").repeat(100 + (number as usize * 37) % 700);
        store.commit(HouseId::INSTANCE, vec![Op::put(path, value, Expect::Any)], None).await.unwrap();
    }
    let file = exported(&store).await;
    store.close().await.unwrap();
    (dir, file)
}

async fn exported(store: &SledStore) -> Vec<u8> {
    let mut file = Vec::new();
    export(store, Scope::All, Timestamp::UNIX_EPOCH, &mut file, &mut |_| {}).await.unwrap();
    file
}

fn copy_of(dir: &FilePath) -> tempfile::TempDir {
    let copy = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(dir).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_file() {
            fs::copy(entry.path(), copy.path().join(entry.file_name())).unwrap();
        }
    }
    copy
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_byte_anywhere_is_refused_or_harmless() {
    let (dir, written) = written_folder().await;
    let db = fs::read(dir.path().join("db")).unwrap();
    let mut n_refused = 0;
    for flip in 0..N_FLIPS {
        let copy = copy_of(dir.path());
        let mut changed = db.clone();
        let at = flip * (db.len() / N_FLIPS) + flip * 31 % 1_000;
        changed[at] ^= 0x10;
        fs::write(copy.path().join("db"), changed).unwrap();
        match SledStore::open(SledSettings::new(copy.path())) {
            Ok(store) => {
                assert_eq!(exported(&store).await, written, "byte {at} was changed");
                store.close().await.unwrap();
            }
            Err(OpenError::Damaged { .. }) => n_refused += 1,
            Err(other) => panic!("byte {at} was changed: {other}"),
        }
    }
    assert!(n_refused > N_FLIPS / 4, "only {n_refused} were refused");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_lost_its_end_or_all_of_it_is_refused() {
    let (dir, _) = written_folder().await;
    let whole = fs::metadata(dir.path().join("db")).unwrap().len();
    for left in [0, 1, whole / 2, whole - 64 * 1024] {
        let copy = copy_of(dir.path());
        fs::File::options().write(true).open(copy.path().join("db")).unwrap().set_len(left).unwrap();
        // Twice: the first opening's recovery must not turn the loss into a state that the second one takes for good.
        for _ in 0..2 {
            let opened = SledStore::open(SledSettings::new(copy.path()));
            assert!(matches!(opened, Err(OpenError::Damaged { .. })), "{left} bytes of {whole} left");
        }
    }
    let copy = copy_of(dir.path());
    fs::remove_file(copy.path().join("db")).unwrap();
    assert!(matches!(SledStore::open(SledSettings::new(copy.path())), Err(OpenError::Damaged { .. })));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_that_is_gone_or_older_is_missed() {
    let (dir, _) = written_folder().await;
    let newest = newest_row(dir.path());
    for older in [None, Some(newest.1)] {
        let copy = copy_of(dir.path());
        let store = SledStore::open(SledSettings::new(copy.path())).unwrap();
        let path = Path::literal("a/1");
        store.commit(HouseId::INSTANCE, vec![Op::put(path, "newer", Expect::Any)], None).await.unwrap();
        store.close().await.unwrap();
        let db = bare(copy.path());
        match &older {
            Some(row) => db.insert(&newest.0, row.clone()).unwrap(),
            None => db.remove(&newest.0).unwrap(),
        };
        drop(db);
        let opened = SledStore::open(SledSettings::new(copy.path()));
        assert!(matches!(opened, Err(OpenError::Damaged { .. })));
    }
}

/// sled's own view of a folder. Its threads may keep the lock for a moment after a store has let go of it.
fn bare(dir: &FilePath) -> sled::Db {
    (0..u16::MAX).find_map(|_| sled::open(dir).ok()).expect("the lock comes free")
}

/// The row of `a/1` as it is now: key and bytes.
fn newest_row(dir: &FilePath) -> (sled::IVec, sled::IVec) {
    let db = bare(dir);
    db.scan_prefix("r").map(Result::unwrap).find(|(key, _)| key.ends_with(b"a/1")).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_witness_that_is_behind_or_unreadable_stops_nothing() {
    let (dir, written) = written_folder().await;
    let behind = copy_of(dir.path());
    let store = SledStore::open(SledSettings::new(behind.path())).unwrap();
    let early = fs::read(behind.path().join("witness")).unwrap();
    store.commit(HouseId::INSTANCE, vec![Op::put(Path::literal("b"), "x", Expect::Any)], None).await.unwrap();
    store.commit(HouseId::INSTANCE, vec![Op::delete(Path::literal("b"), Expect::Any)], None).await.unwrap();
    store.close().await.unwrap();
    for left in [Some(early.clone()), Some(early[..5].to_vec()), Some(vec![0; 12]), None] {
        let witness = behind.path().join("witness");
        match left {
            Some(bytes) => fs::write(witness, bytes).unwrap(),
            None => fs::remove_file(witness).unwrap(),
        }
        let store = SledStore::open(SledSettings::new(behind.path())).unwrap();
        assert_eq!(exported(&store).await, written);
        store.close().await.unwrap();
    }
}

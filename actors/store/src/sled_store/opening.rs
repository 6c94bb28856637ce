//! From a folder to rows that can be served: refuses what it does not understand, makes a new database durable,
//! verifies all rows.

use std::{
    any::Any,
    fs::{self, File},
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    path::{Path as FilePath, PathBuf},
    time::{Duration, Instant},
};

use super::{SledSettings, census::Census, scan, witness::Witness};
use crate::rows::{self, LAYOUT_FORMAT};

/// An opened database: everything in it is verified and on the disk.
pub(crate) struct Opened {
    pub(crate) tree: sled::Tree,
    /// A handle of our own to sled's `db` file, to sync it.
    pub(crate) db_file: File,
    pub(crate) census: Census,
    pub(crate) witness: Witness,
}

/// Why a folder could not be opened. Nothing in it was changed, except that sled's own recovery at each opening cuts
/// off what it takes for half-written.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// Another process has it open.
    #[error("{} is in use; is another playhouse running on this data folder?", .dir.display())]
    InUse {
        /// The data folder.
        dir: PathBuf,
    },
    /// What lies there does not match its check sums.
    #[error(
        "the data in {} is damaged ({cause}). It is not repaired, since a repair would hide what is lost: move the folder aside as \
         it is, start with an empty one and bring back the last export with `playhouse import`",
        .dir.display()
    )]
    Damaged {
        /// The data folder.
        dir: PathBuf,
        /// What was found.
        cause: String,
    },
    /// A newer program laid it out.
    #[error(
        "the data in {} has format {found}, and this program knows formats up to {newest}; run the newer playhouse, \
         or export there and import here",
        .dir.display()
    )]
    NewerFormat {
        /// The data folder.
        dir: PathBuf,
        /// The stored format.
        found: u32,
        /// The newest format this program knows.
        newest: u32,
    },
    /// A newer program wrote one of the records.
    #[error(
        "the data in {} holds a `{kind}` record of format {found}, and this program knows that kind up to format {newest}; \
         run the newer playhouse",
        .dir.display()
    )]
    NewerRecord {
        /// The data folder.
        dir: PathBuf,
        /// The record's kind.
        kind: String,
        /// The stored format.
        found: u16,
        /// The newest format this program knows.
        newest: u16,
    },
    /// There is a sled database, but not one of ours, or one of another version of sled.
    #[error("{} holds a database that is not this program's ({cause}); choose another data folder", .dir.display())]
    Foreign {
        /// The data folder.
        dir: PathBuf,
        /// What gave it away.
        cause: String,
    },
    /// The operating system refused something.
    #[error("could not {what}: {source}")]
    Io {
        /// What was tried.
        what: String,
        /// The reason.
        source: io::Error,
    },
}

pub(crate) fn open(settings: &SledSettings) -> Result<Opened, OpenError> {
    let dir = &settings.dir;
    let made = make_dir(dir)?;
    // sled answers some damage with a panic instead of an error.
    let opened = catch_unwind(AssertUnwindSafe(|| {
        let tree = open_tree(settings)?;
        check_format(&tree, dir)?;
        let census = scan::scan(&tree, stored_census(&tree, dir)?, settings)?;
        Ok((tree, census))
    }));
    let (tree, census) = opened.unwrap_or_else(|panic| Err(damaged(dir, panic_text(&*panic))))?;
    let (db_file, witness) = make_durable(&tree, dir, &made, census.n_rounds)?;
    Ok(Opened { tree, db_file, census, witness })
}

fn open_tree(settings: &SledSettings) -> Result<sled::Tree, OpenError> {
    // The two last lines are sled's defaults, spelled out because all we know of its crash behaviour was measured with
    // them.
    let config = sled::Config::new()
        .path(&settings.dir)
        .cache_capacity(settings.cache_bytes)
        .flush_every_ms(Some(500))
        .mode(sled::Mode::LowSpace);
    let patience = Instant::now() + LOCK_PATIENCE;
    loop {
        match config.open().map_err(|error| open_error(error, &settings.dir)) {
            Ok(db) => return Ok((*db).clone()),
            Err(OpenError::InUse { .. }) if Instant::now() < patience => pause(),
            Err(error) => return Err(error),
        }
    }
}

/// How long a held lock is waited for. A process that was told to stop may just be ending, and sled's own threads keep the lock for
/// a moment after the last handle of an earlier opening is gone.
const LOCK_PATIENCE: Duration = Duration::from_secs(2);

#[expect(clippy::disallowed_methods, reason = "opening blocks anyhow: see `SledStore::open`")]
fn pause() {
    std::thread::sleep(Duration::from_millis(20));
}

/// Turns sled's error while opening or reading into ours.
pub(crate) fn open_error(error: sled::Error, dir: &FilePath) -> OpenError {
    let dir = dir.to_owned();
    match error {
        // sled gives no other sign of a held lock than this text.
        sled::Error::Io(source) if source.to_string().contains("could not acquire lock") => OpenError::InUse { dir },
        sled::Error::Io(source) => OpenError::Io { what: format!("open the database in {}", dir.display()), source },
        sled::Error::Unsupported(cause) => OpenError::Foreign { dir, cause },
        error @ (sled::Error::Corruption { .. }
        | sled::Error::ReportableBug(_)
        | sled::Error::CollectionNotFound(_)) => OpenError::Damaged { dir, cause: error.to_string() },
    }
}

/// Accepts our own format, gives a new database its marks, refuses everything else before anything is changed.
///
/// There is one format so far. A program that brings the next one reads the older ones and rewrites them here.
fn check_format(tree: &sled::Tree, dir: &FilePath) -> Result<(), OpenError> {
    let key = rows::format_key();
    let Some(row) = tree.get(&key).map_err(|error| open_error(error, dir))? else {
        if !tree.is_empty() {
            return Err(OpenError::Foreign { dir: dir.to_owned(), cause: "it has rows and no format mark".to_owned() });
        }
        let mut marks = sled::Batch::default();
        let (census_key, census) = Census::default().row();
        marks.insert(census_key, census.as_ref());
        marks.insert(key.as_slice(), rows::seal(&key, &LAYOUT_FORMAT.to_be_bytes()).as_ref());
        return tree.apply_batch(marks).map_err(|error| open_error(error, dir));
    };
    let payload = rows::verify(&key, &row).map_err(|error| damaged(dir, error.to_string()))?;
    let found = payload.try_into().map(u32::from_be_bytes);
    let found = found.map_err(|_| damaged(dir, "its format mark is cut".to_owned()))?;
    if found > LAYOUT_FORMAT {
        return Err(OpenError::NewerFormat { dir: dir.to_owned(), found, newest: LAYOUT_FORMAT });
    }
    Ok(())
}

/// What the database says it holds, unless the witness knows that it has held more.
fn stored_census(tree: &sled::Tree, dir: &FilePath) -> Result<Census, OpenError> {
    let stored = Census::read(tree).map_err(|error| damaged(dir, error.to_string()))?;
    let stored = stored.ok_or_else(|| damaged(dir, "its census of rows is missing".to_owned()))?;
    let witnessed = Witness::read(dir)
        .map_err(|source| OpenError::Io { what: format!("read the witness file in {}", dir.display()), source })?;
    match witnessed {
        Some(n_rounds) if n_rounds > stored.n_rounds => {
            let cause = format!("{n_rounds} rounds of writes were on the disk and {} are left", stored.n_rounds);
            Err(damaged(dir, cause))
        }
        Some(_) | None => Ok(stored),
    }
}

fn damaged(dir: &FilePath, cause: String) -> OpenError {
    OpenError::Damaged { dir: dir.to_owned(), cause }
}

/// Makes the folder and answers the folders whose lists of entries changed by that.
fn make_dir(dir: &FilePath) -> Result<Vec<PathBuf>, OpenError> {
    let missing: Vec<_> = dir.ancestors().take_while(|part| !part.as_os_str().is_empty() && !part.exists()).collect();
    let changed = missing.iter().map(|part| parent_of(part)).collect();
    fs::create_dir_all(dir).map_err(|source| OpenError::Io { what: format!("make {}", dir.display()), source })?;
    Ok(changed)
}

fn parent_of(path: &FilePath) -> PathBuf {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Puts a new database on the disk: sled syncs neither its `conf` nor the folder, and without them a power cut
/// in the first seconds leaves a database that does not open.
///
/// Done at every opening and not only at the first: the process may have died between making the files and syncing
/// them.
fn make_durable(
    tree: &sled::Tree,
    dir: &FilePath,
    made: &[PathBuf],
    n_rounds: u64,
) -> Result<(File, Witness), OpenError> {
    tree.flush().map_err(|error| open_error(error, dir))?;
    let db_file = synced(&dir.join("db"), true)?;
    let witness = Witness::open(dir, n_rounds)
        .map_err(|source| OpenError::Io { what: format!("write the witness file in {}", dir.display()), source })?;
    synced(&dir.join("conf"), false)?;
    synced(dir, false)?;
    synced(&parent_of(dir), false)?;
    for changed in made {
        synced(changed, false)?;
    }
    Ok((db_file, witness))
}

fn synced(path: &FilePath, writable: bool) -> Result<File, OpenError> {
    let file = File::options().read(true).write(writable).open(path);
    file.and_then(|file| file.sync_all().map(|()| file))
        .map_err(|source| OpenError::Io { what: format!("sync {}", path.display()), source })
}

/// What a panic said.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without words".to_owned())
}

#[cfg(test)]
mod tests {
    use super::{FilePath, open_tree};
    use crate::{
        Envelope, Expect, HouseId, Key, KnownKind, Op, OpenError, Path, SledSettings, SledStore, Store,
        rows::{LAYOUT_FORMAT, format_key, seal},
    };

    fn refusal(settings: &SledSettings) -> OpenError {
        match SledStore::open(settings.clone()) {
            Ok(_) => panic!("it opened"),
            Err(error) => error,
        }
    }

    /// sled's own view of a folder that a store has let go of.
    fn bare(dir: &FilePath) -> sled::Tree {
        open_tree(&SledSettings::new(dir)).unwrap()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_folder_in_use_is_refused_until_it_is_closed() {
        let dir = tempfile::tempdir().unwrap();
        let settings = SledSettings::new(dir.path().join("made/on/the/way"));
        let store = SledStore::open(settings.clone()).unwrap();
        let refused = refusal(&settings);
        assert!(matches!(refused, OpenError::InUse { .. }));
        assert!(refused.to_string().contains("is another playhouse running on this data folder?"));
        store.close().await.unwrap();
        SledStore::open(settings).unwrap();
    }

    #[test]
    fn a_newer_layout_is_refused_and_left_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let newer = seal(&format_key(), &(LAYOUT_FORMAT + 1).to_be_bytes());
        bare(dir.path()).insert(format_key(), newer.as_ref()).unwrap();
        let refused = refusal(&SledSettings::new(dir.path()));
        assert!(matches!(refused, OpenError::NewerFormat { found: 2, newest: 1, .. }), "{refused}");
        assert_eq!(bare(dir.path()).get(format_key()).unwrap().unwrap(), newer.as_ref());
    }

    #[test]
    fn another_program_s_database_is_left_alone() {
        let dir = tempfile::tempdir().unwrap();
        bare(dir.path()).insert("theirs", "x").unwrap();
        assert!(matches!(refusal(&SledSettings::new(dir.path())), OpenError::Foreign { .. }));
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_record_of_a_newer_format_is_refused_before_anyone_reads_it() {
        let dir = tempfile::tempdir().unwrap();
        let mut settings = SledSettings::new(dir.path());
        let store = SledStore::open(settings.clone()).unwrap();
        let value = Envelope { kind: "tv", format: 3, body: b"{}" }.seal().unwrap();
        store.commit(HouseId::INSTANCE, vec![Op::put(Path::literal("a"), value, Expect::Any)], None).await.unwrap();
        store.close().await.unwrap();
        settings.known_kinds = vec![KnownKind { kind: "tv", newest_format: 2 }];
        let refused = refusal(&settings);
        assert!(matches!(refused, OpenError::NewerRecord { found: 3, newest: 2, .. }), "{refused}");
        settings.known_kinds = vec![KnownKind { kind: "tv", newest_format: 3 }];
        SledStore::open(settings).unwrap();
    }

    /// As a row whose bytes were changed where sled's own check sums do not look.
    #[tokio::test(flavor = "multi_thread")]
    async fn a_row_whose_check_sum_fails_stops_the_start() {
        let dir = tempfile::tempdir().unwrap();
        let settings = SledSettings::new(dir.path());
        let store = SledStore::open(settings.clone()).unwrap();
        store.commit(HouseId::INSTANCE, vec![Op::put(Path::literal("a"), "x", Expect::Any)], None).await.unwrap();
        store.close().await.unwrap();
        let tree = bare(dir.path());
        let (key, mut row) = tree.scan_prefix("r").next().unwrap().unwrap();
        *row.last_mut().unwrap() ^= 1;
        tree.insert(key, row).unwrap();
        tree.flush().unwrap();
        drop(tree);
        let refused = refusal(&settings);
        assert!(matches!(refused, OpenError::Damaged { .. }));
        assert!(refused.to_string().contains("move the folder aside"), "{refused}");
    }

    /// sled leaves such a file behind when the process dies while it takes a snapshot, and then refuses to open.
    #[tokio::test(flavor = "multi_thread")]
    async fn a_half_written_snapshot_is_not_repaired_in_place() {
        let dir = tempfile::tempdir().unwrap();
        let settings = SledSettings::new(dir.path());
        SledStore::open(settings.clone()).unwrap().close().await.unwrap();
        let snapshot = dir.path().join("snap.FFFFFFFFFFFFFFFF.generating");
        std::fs::write(&snapshot, "half").unwrap();
        let refused = refusal(&settings);
        assert!(matches!(refused, OpenError::Damaged { .. }), "{refused}");
        assert!(snapshot.exists());
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn rows_of_an_interrupted_restore_are_gone_after_the_next_start() {
        use futures::{StreamExt, stream};

        let dir = tempfile::tempdir().unwrap();
        let settings = SledSettings::new(dir.path());
        let store = SledStore::open(settings.clone()).unwrap();
        let key = Key::new(HouseId::INSTANCE, Path::literal("live"));
        store.commit(key.partition, vec![Op::put(key.path.clone(), "x", Expect::Any)], None).await.unwrap();
        let entry = |number: u32| crate::RestoreEntry::Record {
            path: Path::literal("aside").join(number).unwrap(),
            value: "x".into(),
        };
        let (reached, mut end) = tokio::sync::watch::channel(false);
        let then_silent = stream::once(async move { reached.send_replace(true) }).then(|_| std::future::pending());
        let entries = stream::iter((0..600).map(move |number| Ok(entry(number)))).chain(then_silent);
        tokio::select! {
            _ = store.restore(key.partition, entries.boxed(), crate::WhenOccupied::Replace) => panic!("it ended"),
            _ = end.wait_for(|reached| *reached) => {}
        }
        store.close().await.unwrap();
        let n_rows = || bare(dir.path()).scan_prefix("r").count();
        assert!(n_rows() > 500);
        let store = SledStore::open(settings).unwrap();
        assert!(store.get(&key).await.unwrap().is_some());
        store.close().await.unwrap();
        assert_eq!(n_rows(), 1);
    }
}

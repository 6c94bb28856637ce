use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use playhouse_store::{MemoryStore, SharedStore};
use proptest::prelude::*;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use super::*;

/// A store in a folder of its own, with a disk whose free space the test decides.
struct Shelf {
    store: MediaStore,
    free: Arc<AtomicU64>,
    folder: TempDir,
}

impl Shelf {
    fn new() -> Self {
        Self::with(MediaLimits { min_free_bytes: 1_000, ..MediaLimits::default() })
    }

    fn with(limits: MediaLimits) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let free = Arc::new(AtomicU64::new(u64::MAX));
        let seen = Arc::clone(&free);
        let free_space: FreeSpace = Arc::new(move |_| Ok(seen.load(Ordering::Relaxed)));
        let settings = MediaSettings { folder: folder.path().join("media"), limits, free_space };
        let store = MediaStore::new(settings);
        store.prepare().unwrap();
        Self { store, free, folder }
    }

    async fn receive(&self, chunks: &[&[u8]]) -> Result<Received, MediaError> {
        let mut intake = self.store.receive(FileName::parse("a.mov").unwrap());
        for chunk in chunks {
            intake.write(Bytes::copy_from_slice(chunk)).await?;
        }
        intake.finish().await
    }

    /// All files below the folder, as paths relative to it.
    fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        let root = self.folder.path().join("media");
        collect(&root, &root, &mut found);
        found.sort();
        found
    }

    /// Waits until the writers that nobody waits for have ended.
    async fn settled(&self) -> Vec<String> {
        for _ in 0..10_000 {
            if self.files().iter().all(|file| !file.starts_with("incoming")) {
                break;
            }
            tokio::task::yield_now().await;
            tokio::task::spawn_blocking(|| ()).await.unwrap();
        }
        self.files()
    }
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, found);
        } else {
            found.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
        }
    }
}

fn hash_of(bytes: &[u8]) -> ContentHash {
    ContentHash::from_bytes(Sha256::digest(bytes).into())
}

fn place_in_folder(bytes: &[u8]) -> String {
    let hash = hash_of(bytes).to_string();
    format!("{}/{hash}", &hash[..2])
}

#[tokio::test]
async fn a_file_lies_under_the_hash_of_its_bytes_once_it_is_placed() {
    let shelf = Shelf::new();
    let received = shelf.receive(&[b"one ", b"", b"two"]).await.unwrap();
    assert_eq!((received.hash, received.n_bytes), (hash_of(b"one two"), 7));

    shelf.store.place(vec![received]).unwrap().keep();

    assert_eq!(shelf.files(), [place_in_folder(b"one two")]);
    let mut read = String::new();
    std::io::Read::read_to_string(&mut shelf.store.read(hash_of(b"one two")).unwrap(), &mut read).unwrap();
    assert_eq!(read, "one two");
}

#[tokio::test]
async fn equal_bytes_are_stored_once() {
    let shelf = Shelf::new();
    for _ in 0..2 {
        let received = vec![shelf.receive(&[b"same"]).await.unwrap(), shelf.receive(&[b"same"]).await.unwrap()];
        shelf.store.place(received).unwrap().keep();
    }
    assert_eq!(shelf.files(), [place_in_folder(b"same")]);
}

#[tokio::test]
async fn a_file_that_is_broken_off_leaves_nothing() {
    let shelf = Shelf::new();
    let mut intake = shelf.store.receive(FileName::parse("a.mov").unwrap());
    for _ in 0..4 {
        intake.write(Bytes::from(vec![7; 1 << 20])).await.unwrap();
    }
    drop(intake);
    assert_eq!(shelf.settled().await, [""; 0]);
}

#[tokio::test]
async fn a_file_that_came_in_and_is_not_placed_leaves_nothing() {
    let shelf = Shelf::new();
    let received = shelf.receive(&[b"x"]).await.unwrap();
    assert_eq!(shelf.files().len(), 1);
    drop(received);
    assert_eq!(shelf.files(), [""; 0]);
}

#[tokio::test]
async fn an_empty_file_and_one_that_is_too_large_are_refused_and_leave_nothing() {
    let shelf = Shelf::with(MediaLimits { max_file_bytes: 20 << 20, min_free_bytes: 0, ..MediaLimits::default() });
    assert_eq!(shelf.receive(&[]).await.unwrap_err().to_string(), "a.mov is empty.");
    assert_eq!(
        shelf.receive(&[&vec![0; (20 << 20) + 1]]).await.unwrap_err().to_string(),
        "a.mov is larger than 20 MB."
    );
    assert!(shelf.receive(&[&vec![0; 20 << 20]]).await.is_ok());
    assert_eq!(shelf.settled().await, [""; 0]);
}

#[tokio::test]
async fn nothing_begins_that_would_take_the_disk_below_its_floor() {
    let shelf = Shelf::new();
    shelf.free.store(1_500, Ordering::Relaxed);
    assert!(shelf.store.admit(500).is_ok());
    assert!(matches!(shelf.store.admit(501), Err(MediaError::Full)));
    assert_eq!(MediaError::Full.to_string(), "Storage is full.");
}

#[tokio::test]
async fn a_disk_that_fills_up_meanwhile_ends_the_file_and_leaves_nothing() {
    let shelf = Shelf::new();
    let mut intake = shelf.store.receive(FileName::parse("a.mov").unwrap());
    intake.write(Bytes::from(vec![0; 1 << 20])).await.unwrap();
    shelf.free.store(0, Ordering::Relaxed);
    let mut refusal = None;
    for _ in 0..64 {
        if let Err(error) = intake.write(Bytes::from(vec![0; 1 << 20])).await {
            refusal = Some(error);
            break;
        }
    }
    let refusal = match refusal {
        Some(error) => error,
        None => intake.finish().await.unwrap_err(),
    };
    assert!(matches!(refusal, MediaError::Full), "{refusal:?}");
    assert_eq!(shelf.settled().await, [""; 0]);
}

#[tokio::test]
async fn only_so_many_come_in_at_once() {
    let shelf = Shelf::with(MediaLimits { max_uploads: 2, min_free_bytes: 0, ..MediaLimits::default() });
    let (first, _second) = (shelf.store.admit(0).unwrap(), shelf.store.admit(0).unwrap());
    assert!(matches!(shelf.store.admit(0), Err(MediaError::Busy)));
    drop(first);
    assert!(shelf.store.admit(0).is_ok());
}

#[tokio::test]
async fn what_the_office_does_not_take_is_taken_away_again() {
    let shelf = Shelf::new();
    let placement = shelf.store.place(vec![shelf.receive(&[b"new"]).await.unwrap()]).unwrap();
    assert_eq!(shelf.files(), [place_in_folder(b"new")]);
    drop(placement);
    assert_eq!(shelf.files(), [""; 0]);
}

#[tokio::test]
async fn bytes_that_were_there_before_are_never_taken_away() {
    let shelf = Shelf::new();
    shelf.store.place(vec![shelf.receive(&[b"old"]).await.unwrap()]).unwrap().keep();
    drop(shelf.store.place(vec![shelf.receive(&[b"old"]).await.unwrap()]).unwrap());
    assert_eq!(shelf.files(), [place_in_folder(b"old")]);
}

#[tokio::test]
async fn of_two_who_bring_the_same_bytes_at_once_one_taken_keeps_them() {
    for first_is_taken in [true, false] {
        let shelf = Shelf::new();
        let one = shelf.store.place(vec![shelf.receive(&[b"both"]).await.unwrap()]).unwrap();
        let other = shelf.store.place(vec![shelf.receive(&[b"both"]).await.unwrap()]).unwrap();
        let (taken, refused) = if first_is_taken { (one, other) } else { (other, one) };
        drop(refused);
        assert_eq!(shelf.files(), [place_in_folder(b"both")]);
        taken.keep();
        assert_eq!(shelf.files(), [place_in_folder(b"both")]);
    }
    let shelf = Shelf::new();
    let one = shelf.store.place(vec![shelf.receive(&[b"both"]).await.unwrap()]).unwrap();
    let other = shelf.store.place(vec![shelf.receive(&[b"both"]).await.unwrap()]).unwrap();
    drop((one, other));
    assert_eq!(shelf.files(), [""; 0], "neither was taken");
}

#[tokio::test]
async fn the_sweep_takes_what_was_left_half_written_a_day_ago() {
    let shelf = Shelf::new();
    std::fs::write(shelf.folder.path().join("media/incoming/upload-left"), "half").unwrap();
    shelf.store.place(vec![shelf.receive(&[b"whole"]).await.unwrap()]).unwrap().keep();
    let after = |hours: u64| SystemTime::now() + Duration::from_secs(hours * 3_600);

    assert_eq!(shelf.store.sweep(after(23)).unwrap(), 0);
    assert_eq!(shelf.store.sweep(after(25)).unwrap(), 1);
    assert_eq!(shelf.files(), [place_in_folder(b"whole")]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn however_the_bytes_are_cut_the_hash_is_that_of_the_whole(
        bytes in prop::collection::vec(any::<u8>(), 1..3_000),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
        repeat in 1_usize..600,
    ) {
        let bytes = bytes.repeat(repeat);
        let mut at: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len())).collect();
        at.extend([0, bytes.len()]);
        at.sort_unstable();
        let chunks: Vec<&[u8]> = at.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let received = runtime.block_on(Shelf::new().receive(&chunks)).unwrap();
        prop_assert_eq!((received.hash, received.n_bytes), (hash_of(&bytes), bytes.len() as u64));
    }
}

#[tokio::test]
async fn a_file_that_cannot_be_removed_does_not_end_the_sweep() {
    let shelf = Shelf::new();
    let incoming = shelf.folder.path().join("media/incoming");
    // A folder is none of ours, and cannot be removed as a file.
    for number in 0..4 {
        std::fs::create_dir(incoming.join(format!("upload-{number}"))).unwrap();
        std::fs::write(incoming.join(format!("upload-{number}x")), "half").unwrap();
    }
    assert_eq!(shelf.store.sweep(SystemTime::now() + Duration::from_secs(25 * 3_600)).unwrap(), 4);
}

#[tokio::test]
async fn a_sweep_takes_old_files_that_no_record_names_and_nothing_that_is_brought_meanwhile() {
    let shelf = Shelf::new();
    for bytes in [&b"named"[..], b"unnamed", b"brought", b"kept"] {
        shelf.store.place(vec![shelf.receive(&[bytes]).await.unwrap()]).unwrap().keep();
    }
    std::fs::write(shelf.folder.path().join("media").join(&place_in_folder(b"named")[..2]).join("notes.txt"), "x")
        .unwrap();
    // One that was under way when the sweep began, and is recorded while it goes on.
    let under_way = shelf.store.place(vec![shelf.receive(&[b"kept"]).await.unwrap()]).unwrap();
    let sweep = shelf.store.begin_sweep();
    let named = std::iter::once(hash_of(b"named")).collect();
    under_way.keep();
    drop(shelf.store.place(vec![shelf.receive(&[b"brought"]).await.unwrap()]).unwrap());
    let after = |hours: u64| SystemTime::now() + Duration::from_secs(hours * 3_600);

    assert_eq!(sweep.remove_unnamed(&named, after(23)).unwrap(), 0);
    assert_eq!(sweep.remove_unnamed(&named, after(25)).unwrap(), 1);
    let left = shelf.files();
    assert!(!left.contains(&place_in_folder(b"unnamed")) && left.len() == 4, "{left:?}");

    drop(sweep);
    assert_eq!(shelf.store.begin_sweep().remove_unnamed(&named, after(25)).unwrap(), 2, "the next one takes the rest");
}

#[tokio::test]
async fn a_store_that_names_no_file_at_all_takes_none_away() {
    let shelf = Shelf::new();
    shelf.store.place(vec![shelf.receive(&[b"frames"]).await.unwrap()]).unwrap().keep();
    let records: SharedStore = Arc::new(MemoryStore::default());
    let in_two_days = SystemTime::now() + Duration::from_secs(48 * 3_600);

    assert_eq!(shelf.store.sweep_unnamed(&records, in_two_days).await, Ok(0));

    assert_eq!(shelf.files().len(), 1);
}

#[tokio::test]
async fn where_the_disk_does_not_say_whether_a_file_is_there_nobody_else_does() {
    let shelf = Shelf::new();
    let received = shelf.receive(&[b"frames"]).await.unwrap();
    let hash = received.hash;
    assert!(!shelf.store.has(hash).unwrap());
    shelf.store.place(vec![received]).unwrap().keep();
    assert!(shelf.store.has(hash).unwrap());

    let folder = shelf.folder.path().join("media").join(&hash.to_string()[..2]);
    std::fs::remove_dir_all(&folder).unwrap();
    std::fs::write(&folder, b"in the way").unwrap();
    assert!(shelf.store.has(hash).is_err());
}

//! The sync of the `db` file comes before the acknowledgement, as the kernel sees it.

use std::{collections::HashMap, fs, path::Path};

use crate::{
    traced::{may_trace, traced},
    writer::{self, Acknowledged},
};

const N_GROUPS: u64 = 30;

#[test]
fn each_acknowledgement_comes_after_a_sync_of_what_was_written() {
    if !may_trace("each_acknowledgement_comes_after_a_sync_of_what_was_written") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("data");
    let calls = calls_until(&data, N_GROUPS);
    let db = data.join("db").canonicalize().unwrap();
    let n_acknowledged = check(calls.lines(), db.to_str().unwrap());
    assert!(n_acknowledged >= N_GROUPS, "{n_acknowledged} acknowledgements in the trace");
}

#[test]
fn a_new_database_and_the_way_to_it_are_synced_before_it_serves() {
    if !may_trace("a_new_database_and_the_way_to_it_are_synced_before_it_serves") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("new/data");
    let calls = calls_until(&data, 1);
    let before_serving = calls.split("\"ack ").next().unwrap();
    let data = data.canonicalize().unwrap();
    let new = data.parent().unwrap();
    for path in [data.join("conf"), data.join("db"), data.clone(), new.to_owned(), new.parent().unwrap().to_owned()] {
        let synced = format!("<{}>", path.display());
        let is_synced = before_serving.lines().any(|call| call.contains("fsync(") && call.contains(&synced));
        assert!(is_synced, "no fsync of {}", path.display());
    }
}

/// The calls of a process that writes into the new folder `data` until so many groups are acknowledged.
fn calls_until(data: &Path, n_groups: u64) -> String {
    let log = tempfile::NamedTempFile::new().unwrap();
    let log_text = log.path().to_str().unwrap();
    // -y names the file behind each descriptor; the calls are logged in the order in which they began and ended.
    let calls = "trace=pwrite64,fdatasync,fsync,write";
    let options = ["-y", "-s", "1000000", "-e", calls, "-e", "signal=none", "-o", log_text];
    let mut child = writer::start(&traced(&options, writer::arguments()), data, 1, 1);
    let mut acknowledged = Acknowledged::default();
    for word in writer::words(&mut child) {
        acknowledged.take(&word);
        if acknowledged.n_groups() >= n_groups {
            break;
        }
    }
    // The writer ends when nobody reads what it says. It is not killed, so that the trace has all its calls.
    child.wait().unwrap();
    fs::read_to_string(log.path()).unwrap()
}

/// Walks through the calls; answers how many acknowledgements there were. Before the one of a group, the bytes of its
/// commit and of its log entry must have been written to `db`, and a sync that began after that must have ended.
fn check<'a>(calls: impl Iterator<Item = &'a str>, db: &str) -> u64 {
    let mut disk = Disk::default();
    let mut group = 1;
    let mut written = Written::default();
    for call in calls {
        let (thread, call) = call.split_once(' ').unwrap();
        let call = call.trim_start();
        let on_db = call.contains(&format!("<{db}>"));
        if on_db && call.starts_with("pwrite64(") {
            disk.n_writes += 1;
            written.look(call, group, disk.n_writes);
        } else if on_db && call.starts_with("fdatasync(") {
            disk.under_way.insert(thread.to_owned(), disk.n_writes);
            if call.ends_with("= 0") {
                disk.sync_ended(thread);
            }
        } else if call.starts_with("<... fdatasync resumed>") && call.ends_with("= 0") {
            disk.sync_ended(thread);
        } else if call.starts_with("write(1<") && call.contains("\"ack ") {
            let (Some(commit), Some(entry)) = (written.commit, written.entry) else {
                panic!("group {group} was acknowledged before it was written")
            };
            assert!(commit.max(entry) <= disk.n_synced, "group {group} was acknowledged before it was synced");
            group += 1;
            written = Written::default();
        }
    }
    group - 1
}

#[derive(Default)]
struct Disk {
    n_writes: u64,
    /// Each thread's sync under way, with the number of writes before it.
    under_way: HashMap<String, u64>,
    /// So many of the writes are on the disk.
    n_synced: u64,
}

impl Disk {
    fn sync_ended(&mut self, thread: &str) {
        if let Some(n_writes) = self.under_way.remove(thread) {
            self.n_synced = self.n_synced.max(n_writes);
        }
    }
}

/// Which write first held the bytes of a group.
#[derive(Default)]
struct Written {
    commit: Option<u64>,
    entry: Option<u64>,
}

impl Written {
    fn look(&mut self, call: &str, group: u64, write: u64) {
        if call.contains(&writer::value(group)) {
            self.commit.get_or_insert(write);
        }
        if call.contains(&writer::entry(group)) {
            self.entry.get_or_insert(write);
        }
    }
}

#[test]
fn the_check_notices_a_missing_or_early_sync() {
    let commit = r#"8 pwrite64(5</d/db>, "\1group 1.\0"..., 64, 0) = 64"#;
    let entry = r#"8 pwrite64(5</d/db>, "\1entry 1.\0"..., 64, 64) = 64"#;
    let ack = r#"7 write(1<pipe:[1]>, "ack 0 1 1\n", 10) = 10"#;
    let sync = "9 fdatasync(6</d/db>) = 0";
    let began = "9 fdatasync(6</d/db> <unfinished ...>";
    let ended = "9 <... fdatasync resumed>) = 0";
    let failed = "9 fdatasync(6</d/db>) = -1 EIO (Input/output error)";
    let other_file = "9 fdatasync(6</d/witness>) = 0";
    let good: [&[&str]; 3] =
        [&[commit, sync, entry, sync, ack], &[commit, entry, sync, commit, ack], &[commit, entry, began, ended, ack]];
    for calls in good {
        assert_eq!(check(calls.iter().copied(), "/d/db"), 1, "{calls:?}");
    }
    let bad: [&[&str]; 8] = [
        &[ack],
        &[commit, entry, ack],
        &[commit, sync, entry, ack, sync],
        &[commit, sync, ack, entry, sync],
        &[sync, commit, entry, ack],
        &[commit, began, entry, ended, ack],
        &[commit, entry, began, ack, ended],
        &[commit, entry, failed, other_file, ack],
    ];
    for calls in bad {
        let checked = std::panic::catch_unwind(|| check(calls.iter().copied(), "/d/db"));
        assert!(checked.is_err(), "{calls:?}");
    }
}

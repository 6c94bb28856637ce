//! The sync of the `db` file comes before the acknowledgement, as the kernel sees it.

use std::{collections::HashMap, fs};

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
    let (data, log) = (dir.path().join("data"), dir.path().join("calls"));
    let log_text = log.to_str().unwrap();
    // -y names the file behind each descriptor; the calls are logged in the order in which they began and ended.
    let options = ["-y", "-s", "64", "-e", "trace=pwrite64,fdatasync,write", "-e", "signal=none", "-o", log_text];
    let mut child = writer::start(&traced(&options, writer::arguments()), &data, 1, 1);
    let mut acknowledged = Acknowledged::default();
    for word in writer::words(&mut child) {
        acknowledged.take(&word);
        if acknowledged.n_groups() >= N_GROUPS {
            break;
        }
    }
    child.kill().unwrap();
    child.wait().unwrap();

    let calls = fs::read_to_string(log).unwrap();
    let db = data.join("db").canonicalize().unwrap();
    let n_acknowledged = check(calls.lines(), db.to_str().unwrap());
    assert!(n_acknowledged >= N_GROUPS, "{n_acknowledged} acknowledgements in the trace");
}

/// Walks through the calls; answers how many acknowledgements there were.
fn check<'a>(calls: impl Iterator<Item = &'a str>, db: &str) -> u64 {
    let mut state = State::default();
    let mut n_acknowledged = 0;
    for call in calls {
        let (thread, call) = call.split_once(' ').unwrap();
        let call = call.trim_start();
        let on_db = call.contains(&format!("<{db}>"));
        if on_db && call.starts_with("pwrite64(") {
            state.written();
        } else if on_db && call.starts_with("fdatasync(") {
            state.sync_began(thread);
            if call.ends_with("= 0") {
                state.sync_ended(thread);
            }
        } else if call.starts_with("<... fdatasync resumed>") && call.ends_with("= 0") {
            state.sync_ended(thread);
        } else if call.starts_with("write(1<") && call.contains("\"ack ") {
            assert!(state.is_synced, "no sync between the last write and: {call}");
            n_acknowledged += 1;
            // The next acknowledgement needs a write and a sync of its own.
            state = State::default();
        }
    }
    n_acknowledged
}

#[derive(Default)]
struct State {
    n_writes: u64,
    /// Each thread's sync under way, with the number of writes before it.
    under_way: HashMap<String, u64>,
    /// A sync has ended that began after the commit's data had been written.
    is_synced: bool,
}

impl State {
    /// sled's background thread may write between our sync and the acknowledgement; that takes nothing back.
    fn written(&mut self) {
        self.n_writes += 1;
    }

    fn sync_began(&mut self, thread: &str) {
        self.under_way.insert(thread.to_owned(), self.n_writes);
    }

    fn sync_ended(&mut self, thread: &str) {
        let covered = self.under_way.remove(thread);
        self.is_synced |= covered.is_some_and(|n_writes| n_writes > 0);
    }
}

#[test]
fn the_check_notices_a_missing_sync() {
    let ack = r#"7 write(1<pipe:[1]>, "ack 0 1 1\n", 10) = 10"#;
    let write = "8 pwrite64(5</d/db>, \"\"..., 64, 0) = 64";
    let sync = "9 fdatasync(6</d/db>) = 0";
    let began = "9 fdatasync(6</d/db> <unfinished ...>";
    let ended = "9 <... fdatasync resumed>) = 0";
    assert_eq!(check([write, sync, ack, write, began, ended, ack].into_iter(), "/d/db"), 2);
    let bad: [&[&str]; 6] = [
        &[write, ack],
        &[sync, write, ack],
        &[sync, ack],
        &[began, write, ended, ack],
        &[write, began, ack, ended],
        &[write, sync, ack, ack],
    ];
    for calls in bad {
        let checked = std::panic::catch_unwind(|| check(calls.iter().copied(), "/d/db"));
        assert!(checked.is_err(), "{calls:?}");
    }
}

//! A sync that fails ends the process, and nothing that was not on the disk had been acknowledged.

use playhouse_store::{SledSettings, SledStore};

use crate::{
    traced::{may_trace, traced},
    writer::{self, Acknowledged},
};

/// Which sync fails, counted from 1. The writer makes two a group: one for the commit, one for the log entry.
const FAILING_SYNC: u64 = 11;

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_sync_ends_the_process_and_acknowledges_nothing_more() {
    if !may_trace("a_failing_sync_ends_the_process_and_acknowledges_nothing_more") {
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let calls = dir.path().join("calls");
    let inject = format!("inject=fdatasync:error=EIO:when={FAILING_SYNC}+");
    let options = ["-e", "trace=fdatasync", "-e", &inject, "-o", calls.to_str().unwrap()];
    let data = dir.path().join("data");
    let mut child = writer::start(&traced(&options, writer::arguments()), &data, 1, 1);
    let mut acknowledged = Acknowledged::default();
    for word in writer::words(&mut child) {
        acknowledged.take(&word);
        if acknowledged.n_groups() > FAILING_SYNC {
            // The writer ends when nobody reads what it says, and the checks below say what was wrong.
            break;
        }
    }
    let ended = child.wait_with_output().unwrap();

    assert!(!ended.status.success(), "{}", ended.status);
    let stderr = String::from_utf8_lossy(&ended.stderr);
    assert!(stderr.contains("playhouse: the store has failed and the process ends: syncing the database"), "{stderr}");
    assert_eq!(acknowledged.n_groups(), (FAILING_SYNC - 1) / 2);
    let n_syncs = std::fs::read_to_string(calls).unwrap().matches("fdatasync(").count() as u64;
    assert_eq!(n_syncs, FAILING_SYNC, "a failed sync is never tried again");

    let store = SledStore::open(SledSettings::new(data)).unwrap();
    writer::verify(&store, 1, &acknowledged, 1).await;
}

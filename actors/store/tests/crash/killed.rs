//! SIGKILL in the middle of concurrent writes.

use playhouse_store::{SledSettings, SledStore, Store};

use crate::writer::{self, Acknowledged};

const N_ROUNDS: u128 = 20;
const N_WRITERS: u64 = 8;

#[tokio::test(flavor = "multi_thread")]
async fn what_was_acknowledged_survives_twenty_kills() {
    let dir = tempfile::tempdir().unwrap();
    let mut rounds = Vec::new();
    for round in 0..N_ROUNDS {
        // A kill while it opens what the last kill left must do no harm either.
        let mut opening = writer::start(&writer::arguments(), dir.path(), round, N_WRITERS);
        assert_eq!(writer::words(&mut opening).next().as_deref(), Some(writer::OPENING));
        opening.kill().unwrap();
        opening.wait().unwrap();

        let mut child = writer::start(&writer::arguments(), dir.path(), round, N_WRITERS);
        let mut acknowledged = Acknowledged::default();
        // Another number each time, so that the kills meet the writers, the flusher and sled's cleaning at different
        // points.
        let n_groups = 40 + (round as u64 * 97) % 400;
        let mut words = writer::words(&mut child);
        for word in words.by_ref() {
            assert!(!word.starts_with(writer::FAILED), "{word}");
            acknowledged.take(&word);
            if acknowledged.n_groups() >= n_groups {
                break;
            }
        }
        child.kill().unwrap();
        // What was said before the kill and still lies in the pipe was acknowledged as well.
        words.for_each(|word| acknowledged.take(&word));
        child.wait().unwrap();
        assert!(acknowledged.n_groups() >= n_groups, "the writer ended by itself");

        rounds.push(acknowledged);
        let store = SledStore::open(SledSettings::new(dir.path())).unwrap();
        let of_this_round = &rounds[rounds.len() - 1];
        writer::verify(&store, round, of_this_round, N_WRITERS).await;
        store.close().await.unwrap();
    }
    let store = SledStore::open(SledSettings::new(dir.path())).unwrap();
    for (round, acknowledged) in rounds.iter().enumerate() {
        writer::verify(&store, round as u128, acknowledged, N_WRITERS).await;
    }
}

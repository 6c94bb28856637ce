//! Idempotency keys.

use playhouse_house::Scopes;

use crate::messages::{AddNote, Idempotency, NewNote, OfficeRefusal, Question, Writer, Written};
use crate::testing::{Bed, all_scopes, each};

async fn note(bed: &Bed, writer: &Writer, key: &str, text: &str) -> Result<Written, OfficeRefusal> {
    let note = NewNote { body: text.to_owned(), visibility: None };
    let idempotency = Some(Idempotency { key: key.to_owned(), request_sha256: text.to_owned() });
    bed.call(AddNote { writer: writer.clone(), node_id: 14, note, idempotency }).await
}

async fn n_notes(bed: &Bed) -> usize {
    each(&bed.see(Question::GetAsset { node_id: 14 }).await["notes"], "id").len()
}

#[actix_rt::test]
async fn the_same_key_and_body_replay_the_first_reply_for_a_day_and_over_a_restart() {
    let bed = Bed::kestrel().await;
    let writer = bed.key("Pipeline", None, all_scopes()).await;
    let first = note(&bed, &writer, "n1", "Dented.").await.unwrap();
    for bed in [&bed, &bed.restarted()] {
        let again = note(bed, &writer, "n1", "Dented.").await.unwrap();
        assert_eq!(again, Written { replayed: true, ..first.clone() });
        assert_eq!(n_notes(bed).await, 1);
    }
    bed.set_clock("2026-10-08T11:00:00Z");
    assert!(!note(&bed, &writer, "n1", "Dented.").await.unwrap().replayed);
    assert_eq!(n_notes(&bed).await, 2);
}

#[actix_rt::test]
async fn the_same_key_with_another_body_is_a_conflict() {
    let bed = Bed::kestrel().await;
    let writer = bed.key("Pipeline", None, all_scopes()).await;
    note(&bed, &writer, "n1", "Dented.").await.unwrap();
    assert_eq!(note(&bed, &writer, "n1", "Shiny.").await.unwrap_err().status, 409);
    assert_eq!(n_notes(&bed).await, 1);
}

#[actix_rt::test]
async fn two_holders_may_use_the_same_key() {
    let bed = Bed::kestrel().await;
    for label in ["One", "Two"] {
        let writer = bed.key(label, None, all_scopes()).await;
        assert!(!note(&bed, &writer, "n1", "Dented.").await.unwrap().replayed);
    }
    assert_eq!(n_notes(&bed).await, 2);
}

#[actix_rt::test]
async fn a_refusal_is_not_replayed() {
    let bed = Bed::kestrel().await;
    let writer = bed.key("Pipeline", None, Scopes::NONE).await;
    assert_eq!(note(&bed, &writer, "n1", "Dented.").await.unwrap_err().status, 403);
    let Writer::Key { credential, .. } = writer else { panic!("no key") };
    let reader = crate::Reader::wide(all_scopes());
    let allowed = Writer::Key { credential, reader };
    assert!(!note(&bed, &allowed, "n1", "Dented.").await.unwrap().replayed);
}

#[actix_rt::test]
async fn replies_older_than_a_day_are_removed_from_the_store() {
    let bed = Bed::kestrel().await;
    let writer = bed.key("Pipeline", None, all_scopes()).await;
    let kept = playhouse_store::Key::new(bed.house, playhouse_store::Path::literal("office/reply"));
    note(&bed, &writer, "n1", "Dented.").await.unwrap();
    bed.set_clock("2026-10-09T11:00:00Z");
    note(&bed, &writer, "n2", "Shiny.").await.unwrap();
    assert_eq!(bed.store.scan(&kept, None, 10).await.unwrap().entries.len(), 1);
}

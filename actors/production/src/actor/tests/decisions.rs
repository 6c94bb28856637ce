//! Decisions on approvals and what follows from them.

use playhouse_house::{Scope, Scopes};
use serde_json::json;

use crate::messages::{Decide, NewDecision, OfficeRefusal, PutProduction, Question, SetUpStep, Writer, Written};
use crate::model::{ApprovalId, ApprovalStatus, Asset, AssetStatus, EngagementId, OrderStatus, SubjectType};
use crate::testing::{Bed, all_scopes, body, person};

async fn decide(bed: &Bed, writer: Writer, id: i64, word: &str, note: Option<&str>) -> Result<Written, OfficeRefusal> {
    let decision = NewDecision { decision: word.to_owned(), note: note.map(str::to_owned) };
    bed.call(Decide { writer, approval_id: id, decision, idempotency: None }).await
}

fn refusal(reply: Result<Written, OfficeRefusal>) -> (u16, String) {
    let refusal = reply.unwrap_err();
    (refusal.status, refusal.detail)
}

/// Edge case 36.
#[actix_rt::test]
async fn approved_twice_is_one_decision_and_rejected_afterwards_is_a_conflict() {
    let bed = Bed::kestrel().await;
    let first = decide(&bed, person(), 1, "approved", Some("Go.")).await.unwrap();
    let revision = bed.stored().await.revision();
    bed.set_clock("2026-10-19T12:00:00Z");
    let again = decide(&bed, person(), 1, "approved", Some("Go on.")).await.unwrap();
    assert_eq!((again.status, body(&again)), (200, body(&first)));
    assert_eq!(bed.stored().await.revision(), revision, "nothing was written");
    let other = refusal(decide(&bed, person(), 1, "rejected", Some("No.")).await);
    assert_eq!(other, (409, "Approval 1 was already approved on 2026-10-07.".to_owned()));
}

#[actix_rt::test]
async fn a_decision_is_answered_with_its_history() {
    let bed = Bed::kestrel().await;
    let key = bed.key("Line producer", None, all_scopes()).await;
    let decided = body(&decide(&bed, key, 1, "approved", None).await.unwrap());
    assert_eq!(decided["subject"], json!({"type": "purchase_order", "id": 3, "title": "PO-1003"}));
    assert_eq!(decided["decided_by"], json!({"kind": "key", "label": "Line producer"}));
    let steps: Vec<_> = decided["history"].as_array().unwrap().iter().map(|step| step["status"].clone()).collect();
    assert_eq!(steps, ["pending", "approved"]);
    let order = bed.stored().await.order_numbered("PO-1003").unwrap().clone();
    assert_eq!((order.status, order.approved_by.as_deref()), (OrderStatus::Approved, Some("Line producer")));
}

#[actix_rt::test]
async fn an_order_that_is_not_approved_is_void() {
    let bed = Bed::kestrel().await;
    decide(&bed, person(), 1, "rejected", Some("Too dear.")).await.unwrap();
    assert_eq!(bed.stored().await.order_numbered("PO-1003").unwrap().status, OrderStatus::Void);
}

/// Edge case 37, and other bodies that are wrong.
#[actix_rt::test]
async fn a_note_is_needed_unless_approved() {
    let bed = Bed::kestrel().await;
    let needed = (422, "note is needed unless the decision is 'approved'.".to_owned());
    for (word, note) in [("rejected", None), ("changes_requested", None), ("rejected", Some("  "))] {
        assert_eq!(refusal(decide(&bed, person(), 1, word, note).await), needed, "{word}");
    }
    let unknown = refusal(decide(&bed, person(), 1, "maybe", None).await);
    assert_eq!(unknown, (422, "Unknown decision 'maybe'. One of: approved, changes_requested, rejected.".to_owned()));
    assert_eq!(refusal(decide(&bed, person(), 99, "approved", None).await), (404, "Approval not found.".to_owned()));
}

#[actix_rt::test]
async fn deciding_takes_the_scope_and_a_production_wide_key() {
    let bed = Bed::kestrel().await;
    let reader = bed.key("Reader", None, Scopes::of(&[Scope::Read])).await;
    assert_eq!(refusal(decide(&bed, reader, 1, "approved", None).await).0, 403);
    let vendor = bed.key("Vendor", Some(EngagementId(1)), all_scopes()).await;
    let door = "This key is bound to an engagement and cannot use this endpoint.";
    assert_eq!(refusal(decide(&bed, vendor, 1, "approved", None).await), (403, door.to_owned()));
}

#[actix_rt::test]
async fn with_four_eyes_the_key_that_asked_cannot_decide() {
    let bed = Bed::kestrel().await;
    let Some(SetUpStep::PutProduction(production)) = crate::kestrel::kestrel().unwrap().before.into_iter().next()
    else {
        panic!("no production")
    };
    bed.set_up(SetUpStep::PutProduction(PutProduction { four_eyes: true, ..production })).await.unwrap();
    let asker = bed.key("Asker", None, all_scopes()).await;
    let asset = crate::messages::NewAsset {
        name: "Bell".to_owned(),
        kind: "prop".to_owned(),
        department: "props".to_owned(),
        status: Some("in_review".to_owned()),
        ..crate::messages::NewAsset::default()
    };
    bed.call(crate::messages::CreateAsset { writer: asker.clone(), asset, idempotency: None }).await.unwrap();
    let own = refusal(decide(&bed, asker, 2, "approved", None).await);
    assert_eq!(own, (403, "The key that asked for this approval cannot decide it.".to_owned()));
    let other = bed.key("Other", None, all_scopes()).await;
    assert_eq!(decide(&bed, other, 2, "changes_requested", Some("Louder.")).await.unwrap().status, 200);
    assert_eq!(bed.see(Question::GetAsset { node_id: 17 }).await["status"], "in_progress");
}

#[actix_rt::test]
async fn what_was_withdrawn_cannot_be_decided_and_names_the_newer() {
    let bed = Bed::kestrel().await;
    bed.set_up(SetUpStep::WithdrawApproval { id: ApprovalId(1) }).await.unwrap();
    assert_eq!(
        refusal(decide(&bed, person(), 1, "approved", None).await),
        (409, "Approval 1 was withdrawn.".to_owned())
    );
    let ask = SetUpStep::AskApproval { subject_type: SubjectType::PurchaseOrder, id: 3, due_on: None };
    assert_eq!(bed.set_up(ask).await, Ok(2));
    let newer = (409, "Approval 1 was withdrawn; the newer one is approval 2.".to_owned());
    assert_eq!(refusal(decide(&bed, person(), 1, "approved", None).await), newer);
    assert_eq!(bed.stored().await.approvals().get(&ApprovalId(2)).unwrap().status, ApprovalStatus::Pending);
}

#[actix_rt::test]
async fn of_two_decisions_at_once_one_wins() {
    let bed = Bed::kestrel().await;
    let (yes, no) = futures::join!(
        decide(&bed, person(), 1, "approved", None),
        decide(&bed, person(), 1, "rejected", Some("No.")),
    );
    assert_eq!(yes.unwrap().status, 200);
    assert_eq!(refusal(no), (409, "Approval 1 was already approved on 2026-10-07.".to_owned()));
}

#[actix_rt::test]
async fn a_draft_can_be_approved() {
    let bed = Bed::kestrel().await;
    let ask = SetUpStep::AskApproval { subject_type: SubjectType::Draft, id: 2, due_on: None };
    let id = bed.set_up(ask).await.unwrap();
    decide(&bed, person(), id.into(), "approved", None).await.unwrap();
    assert!(bed.stored().await.drafts().get(&crate::model::DraftId(2)).unwrap().approved);
}

#[actix_rt::test]
async fn a_change_of_the_thing_leaves_an_approval_alone_that_somebody_asked_for() {
    let bed = Bed::kestrel().await;
    let ask = SetUpStep::AskApproval { subject_type: SubjectType::Asset, id: 14, due_on: None };
    let by_hand = ApprovalId(bed.set_up(ask).await.unwrap());
    let status = async || bed.stored().await.approvals().get(&by_hand).unwrap().status;
    for next in [None, Some(AssetStatus::InReview), Some(AssetStatus::InProgress)] {
        bed.put(|office, changes| {
            let creature = office.asset_coded("creature").unwrap().clone();
            let name = format!("{} again", creature.name);
            changes.put(Asset { name, status: next.unwrap_or(creature.status), ..creature });
        })
        .await;
        assert_eq!(status().await, ApprovalStatus::Pending, "{next:?}");
    }
}

#[actix_rt::test]
async fn an_approval_that_a_state_asked_for_goes_with_the_state() {
    let bed = Bed::kestrel().await;
    let put = async |status, description: &str| {
        bed.put(|office, changes| {
            let creature = office.asset_coded("creature").unwrap().clone();
            changes.put(Asset { status, description: Some(description.to_owned()), ..creature });
        })
        .await;
        bed.stored().await.approvals().get(&ApprovalId(2)).map(|approval| approval.status)
    };
    assert_eq!(put(AssetStatus::InReview, "one").await, Some(ApprovalStatus::Pending));
    assert_eq!(put(AssetStatus::InReview, "two").await, Some(ApprovalStatus::Pending));
    assert_eq!(put(AssetStatus::InProgress, "two").await, Some(ApprovalStatus::Withdrawn));
}

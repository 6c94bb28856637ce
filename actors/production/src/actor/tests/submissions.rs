//! What vendors send back.

use playhouse_house::{Scope, Scopes};
use serde_json::{Value, json};

use crate::messages::{BeginSubmission, Decide, NewDecision, OfficeRefusal, Question, Reader, SetUpStep, Writer};
use crate::model::{
    ApprovalId, ApprovalStatus, DeliveryId, DeliveryStatus, EngagementId, SubjectType, SubmissionId, SubmissionStatus,
};
use crate::testing::{Bed, body, each, file, person, submit};

const SHOT: &str = "KST_101_003_0010_comp_NLT_v001.mov";

async fn vendor(bed: &Bed, engagement: u32) -> Writer {
    let scopes = Scopes::of(&[Scope::Read, Scope::SubmitTurnover]);
    bed.key("Northlight pipeline", Some(EngagementId(engagement)), scopes).await
}

async fn decide(bed: &Bed, approval_id: &Value, word: &str) {
    let decision = NewDecision { decision: word.to_owned(), note: Some("Seen.".to_owned()) };
    let approval_id = approval_id.as_i64().unwrap();
    bed.call(Decide { writer: person(), approval_id, decision, idempotency: None }).await.unwrap();
}

fn refusal<T: std::fmt::Debug>(reply: Result<T, OfficeRefusal>) -> (u16, String) {
    let refusal = reply.unwrap_err();
    (refusal.status, refusal.detail)
}

#[actix_rt::test]
async fn a_submission_is_answered_and_leaves_its_marks_everywhere() {
    let bed = Bed::kestrel().await;
    let northlight = vendor(&bed, 1).await;
    let written = submit(&bed, &northlight, vec![file(SHOT, 'a')]).await.unwrap();
    let by = json!({"kind": "key", "label": "Northlight pipeline"});
    let expected = json!({
        "id": 1, "delivery_id": 1, "version": 1, "title": "Creature turnover 101 v001", "note": null, "status": "received",
        "submitted_at": "2026-10-07T11:00:00Z", "submitted_by": by, "via": "rest", "approval_id": 2,
        "files": [{"media_id": 2, "filename": SHOT, "size_bytes": 41_231, "sha256": "a".repeat(64), "content_type": "video/quicktime"}],
        "warnings": ["no file names shot KST_101_003_0020", "no file names shot KST_101_006_0010"],
    });
    assert_eq!((written.status, body(&written)), (201, expected));
    let turnover = bed.see(Question::ListTurnovers).await;
    let turnover = turnover.as_array().unwrap().iter().find(|it| it["id"] == 1).unwrap().clone();
    assert_eq!((&turnover["status"], &turnover["outstanding"]), (&json!("submitted"), &json!(false)));
    assert_eq!(each(&turnover["submissions"], "file_count"), [1]);
    let pending = bed.see(Question::ListApprovals { status: Some("pending".to_owned()) }).await;
    assert_eq!(pending[0]["subject"], json!({"type": "submission", "id": 1, "title": "Creature turnover 101 v001"}));
    let newest = &bed.see(Question::ListActivity { limit: Some(1), before_id: None }).await[0];
    assert_eq!(
        (&newest["verb"], &newest["summary"]),
        (&json!("submission.received"), &json!("v001 received: 1 file, 41 kB"))
    );
    let reader = *northlight.reader().unwrap();
    let media = bed.ask(reader, Question::GetMedia { id: 2 }).await.unwrap();
    assert_eq!(media["linked"], json!([{"type": "submission", "id": 1}]));
}

/// Edge case 33.
#[actix_rt::test]
async fn the_same_files_twice_are_one_submission_and_one_byte_changed_is_the_next_version() {
    let bed = Bed::kestrel().await;
    let northlight = vendor(&bed, 1).await;
    let first = submit(&bed, &northlight, vec![file(SHOT, 'a')]).await.unwrap();
    let again = submit(&bed, &northlight, vec![file(SHOT, 'a')]).await.unwrap();
    assert_eq!((first.status, again.status, body(&again)), (201, 200, body(&first)));
    let second = submit(&bed, &northlight, vec![file(SHOT, 'b')]).await.unwrap();
    assert_eq!((second.status, &body(&second)["version"]), (201, &json!(2)));
    let office = bed.stored().await;
    assert_eq!(office.submissions().get(&SubmissionId(1)).unwrap().status, SubmissionStatus::Superseded);
    let overtaken = decide_reply(&bed, 2).await;
    assert_eq!(overtaken, (409, "Approval 2 was superseded; the newer one is approval 3.".to_owned()));
    let verbs = each(&bed.see(Question::ListActivity { limit: Some(2), before_id: None }).await, "verb");
    assert_eq!(verbs, ["submission.received", "submission.superseded"]);
}

async fn decide_reply(bed: &Bed, approval_id: i64) -> (u16, String) {
    let decision = NewDecision { decision: "approved".to_owned(), note: None };
    refusal(bed.call(Decide { writer: person(), approval_id, decision, idempotency: None }).await)
}

/// Edge case 35.
#[actix_rt::test]
async fn two_submissions_at_once_are_versions_1_and_2() {
    let bed = Bed::kestrel().await;
    let northlight = vendor(&bed, 1).await;
    let (one, two) = futures::join!(
        submit(&bed, &northlight, vec![file(SHOT, 'a')]),
        submit(&bed, &northlight, vec![file(SHOT, 'b')]),
    );
    let mut versions =
        [&body(&one.unwrap())["version"], &body(&two.unwrap())["version"]].map(|it| it.as_i64().unwrap());
    versions.sort_unstable();
    assert_eq!(versions, [1, 2]);
}

/// Edge cases 24 and 25, and other turnovers one may not submit to.
#[actix_rt::test]
async fn a_turnover_out_of_reach_is_not_found() {
    let bed = Bed::kestrel().await;
    let tideline = vendor(&bed, 2).await;
    let not_found = (404, "Turnover not found.".to_owned());
    for (case, turnover_id) in
        [("another engagement's", 1), ("unknown", 99), ("not a turnover", 3), ("nothing's id", -1)]
    {
        let begin = BeginSubmission { writer: tideline.clone(), turnover_id, idempotency_key: None };
        assert_eq!(refusal(bed.call(begin).await), not_found, "{case}");
    }
    assert_eq!(refusal(submit(&bed, &tideline, vec![file(SHOT, 'a')]).await), not_found);
    let reader = bed.key("Reader", None, Scopes::of(&[Scope::Read])).await;
    let scope = (403, "This key does not have the 'submit:turnover' scope.".to_owned());
    assert_eq!(refusal(submit(&bed, &reader, Vec::new()).await), scope);
    let wide = bed.key("Post house", None, Scopes::of(&[Scope::SubmitTurnover])).await;
    let begin = BeginSubmission { writer: wide, turnover_id: 1, idempotency_key: None };
    assert_eq!(bed.call(begin).await.unwrap().code, "TO-101-01");
}

/// Edge case 26.
#[actix_rt::test]
async fn a_submission_needs_at_least_one_file() {
    let bed = Bed::kestrel().await;
    let northlight = vendor(&bed, 1).await;
    let needed = (422, "A submission needs at least one file.".to_owned());
    assert_eq!(refusal(submit(&bed, &northlight, Vec::new()).await), needed);
}

#[actix_rt::test]
async fn a_turnovers_state_may_refuse() {
    let bed = Bed::kestrel().await;
    let northlight = vendor(&bed, 1).await;
    let set = |status| SetUpStep::SetDeliveryStatus { code: "TO-101-01".to_owned(), status };
    bed.set_up(set(DeliveryStatus::Planned)).await.unwrap();
    let early = (409, "This turnover is not open yet.".to_owned());
    assert_eq!(refusal(submit(&bed, &northlight, vec![file(SHOT, 'a')]).await), early);
    bed.set_up(set(DeliveryStatus::Open)).await.unwrap();
    let written = submit(&bed, &northlight, vec![file(SHOT, 'a')]).await.unwrap();
    decide(&bed, &body(&written)["approval_id"], "approved").await;
    let late = (409, "This turnover was accepted; ask production to reopen it.".to_owned());
    assert_eq!(refusal(submit(&bed, &northlight, vec![file(SHOT, 'b')]).await), late);
    bed.set_up(set(DeliveryStatus::Open)).await.unwrap();
    assert_eq!(submit(&bed, &northlight, vec![file(SHOT, 'b')]).await.unwrap().status, 201);
    bed.set_up(set(DeliveryStatus::Cancelled)).await.unwrap();
    let never = (409, "This turnover was cancelled.".to_owned());
    assert_eq!(refusal(submit(&bed, &northlight, vec![file(SHOT, 'c')]).await), never);
}

#[actix_rt::test]
async fn a_decision_on_a_submission_moves_its_turnover() {
    for (word, submission, delivery) in [
        ("approved", SubmissionStatus::Accepted, DeliveryStatus::Accepted),
        ("changes_requested", SubmissionStatus::ChangesRequested, DeliveryStatus::ChangesRequested),
        ("rejected", SubmissionStatus::Rejected, DeliveryStatus::ChangesRequested),
    ] {
        let bed = Bed::kestrel().await;
        let northlight = vendor(&bed, 1).await;
        let written = submit(&bed, &northlight, vec![file(SHOT, 'a')]).await.unwrap();
        decide(&bed, &body(&written)["approval_id"], word).await;
        let office = bed.stored().await;
        assert_eq!(office.submissions().get(&SubmissionId(1)).unwrap().status, submission, "{word}");
        assert_eq!(office.deliveries().get(&DeliveryId(1)).unwrap().status, delivery, "{word}");
        // The same files after a decision are a new submission, not the old one again.
        if delivery != DeliveryStatus::Accepted {
            assert_eq!(submit(&bed, &northlight, vec![file(SHOT, 'a')]).await.unwrap().status, 201);
        }
    }
}

#[actix_rt::test]
async fn a_vendor_sees_that_production_decided_and_not_who() {
    let bed = Bed::kestrel().await;
    let northlight = vendor(&bed, 1).await;
    let written = submit(&bed, &northlight, vec![file(SHOT, 'a')]).await.unwrap();
    decide(&bed, &body(&written)["approval_id"], "changes_requested").await;
    let reader: Reader = *northlight.reader().unwrap();
    let bundle = bed.ask(reader, Question::SceneBundle { node_id: 6 }).await.unwrap();
    let approval = &bundle["approvals"][0];
    assert_eq!(approval["decided_by"], json!({"kind": "person", "label": "Production"}));
    assert_eq!((&approval["note"], &approval["status"]), (&json!("Seen."), &json!("changes_requested")));
    assert_eq!(bundle["outstanding"][1], "turnover TO-101-01 needs changes to v001, due 2026-10-20");
}

/// How the submission with this number and its turnover stand, and which submission settled the turnover.
async fn standing(bed: &Bed, submission: u32) -> (SubmissionStatus, DeliveryStatus, Option<SubmissionId>) {
    let office = bed.stored().await;
    let delivery = office.deliveries().get(&DeliveryId(1)).unwrap();
    let submission = office.submissions().get(&SubmissionId(submission)).unwrap();
    (submission.status, delivery.status, delivery.accepted_submission_id)
}

fn ask_about(submission: u32) -> SetUpStep {
    SetUpStep::AskApproval { subject_type: SubjectType::Submission, id: submission, due_on: None }
}

#[actix_rt::test]
async fn a_submission_that_is_withdrawn_leaves_its_turnover_open() {
    let bed = Bed::kestrel().await;
    let northlight = vendor(&bed, 1).await;
    submit(&bed, &northlight, vec![file(SHOT, 'a')]).await.unwrap();
    bed.set_up(SetUpStep::WithdrawApproval { id: ApprovalId(2) }).await.unwrap();
    assert_eq!(standing(&bed, 1).await, (SubmissionStatus::Withdrawn, DeliveryStatus::Open, None));
    assert_eq!(bed.stored().await.approvals().get(&ApprovalId(2)).unwrap().status, ApprovalStatus::Withdrawn);
    let verbs = each(&bed.see(Question::ListActivity { limit: Some(2), before_id: None }).await, "verb");
    assert_eq!(verbs, ["turnover.opened", "approval.decided"]);
    let revision = bed.stored().await.revision();
    bed.set_up(SetUpStep::WithdrawApproval { id: ApprovalId(2) }).await.unwrap();
    assert_eq!(bed.stored().await.revision(), revision, "once is enough");
    let asked = refusal(bed.set_up(ask_about(1)).await);
    assert_eq!(asked, (409, "v001 was withdrawn.".to_owned()));
    // The same files are the next version now.
    assert_eq!(body(&submit(&bed, &northlight, vec![file(SHOT, 'a')]).await.unwrap())["version"], 2);
}

#[actix_rt::test]
async fn withdrawing_what_was_asked_once_more_takes_no_decision_back() {
    let bed = Bed::kestrel().await;
    let northlight = vendor(&bed, 1).await;
    let written = submit(&bed, &northlight, vec![file(SHOT, 'a')]).await.unwrap();
    decide(&bed, &body(&written)["approval_id"], "approved").await;
    let again = bed.set_up(ask_about(1)).await.unwrap();
    bed.set_up(SetUpStep::WithdrawApproval { id: ApprovalId(again) }).await.unwrap();
    let accepted = (SubmissionStatus::Accepted, DeliveryStatus::Accepted, Some(SubmissionId(1)));
    assert_eq!(standing(&bed, 1).await, accepted);
}

#[actix_rt::test]
async fn a_decision_that_was_asked_for_again_moves_submission_and_turnover_together() {
    let bed = Bed::kestrel().await;
    let northlight = vendor(&bed, 1).await;
    let written = submit(&bed, &northlight, vec![file(SHOT, 'a')]).await.unwrap();
    decide(&bed, &body(&written)["approval_id"], "approved").await;
    for (word, submission, delivery, settled_by) in [
        ("changes_requested", SubmissionStatus::ChangesRequested, DeliveryStatus::ChangesRequested, None),
        ("approved", SubmissionStatus::Accepted, DeliveryStatus::Accepted, Some(SubmissionId(1))),
        ("rejected", SubmissionStatus::Rejected, DeliveryStatus::ChangesRequested, None),
        ("approved", SubmissionStatus::Accepted, DeliveryStatus::Accepted, Some(SubmissionId(1))),
    ] {
        let again = bed.set_up(ask_about(1)).await.unwrap();
        decide(&bed, &json!(again), word).await;
        assert_eq!(standing(&bed, 1).await, (submission, delivery, settled_by), "{word}");
    }
    let code = "TO-101-01".to_owned();
    bed.set_up(SetUpStep::SetDeliveryStatus { code, status: DeliveryStatus::Open }).await.unwrap();
    let reopened = (SubmissionStatus::Accepted, DeliveryStatus::Open, None);
    assert_eq!(standing(&bed, 1).await, reopened, "nothing settles what is open again");
}

#[actix_rt::test]
async fn only_the_newest_submission_can_be_approved() {
    let bed = Bed::kestrel().await;
    let northlight = vendor(&bed, 1).await;
    let first = submit(&bed, &northlight, vec![file(SHOT, 'a')]).await.unwrap();
    decide(&bed, &body(&first)["approval_id"], "changes_requested").await;
    let again = bed.set_up(ask_about(1)).await.unwrap();
    submit(&bed, &northlight, vec![file(SHOT, 'b')]).await.unwrap();
    // What was asked about the first is overtaken, though that was judged already.
    let newer = format!("Approval {again} was superseded; the newer one is approval {}.", again + 1);
    assert_eq!(decide_reply(&bed, again.into()).await, (409, newer));
    let asked = refusal(bed.set_up(ask_about(1)).await);
    assert_eq!(asked, (409, "v002 came in after v001; ask about that one.".to_owned()));
    assert_eq!(standing(&bed, 1).await.0, SubmissionStatus::ChangesRequested);
    assert_eq!(bed.set_up(ask_about(2)).await, Ok(again + 1), "that one is asked about already");
}

#[actix_rt::test]
async fn a_file_that_was_purged_is_not_the_same_file_sent_again() {
    let bed = Bed::kestrel().await;
    let northlight = vendor(&bed, 1).await;
    submit(&bed, &northlight, vec![file(SHOT, 'a')]).await.unwrap();
    bed.set_up(SetUpStep::PurgeMedia { sha256: "a".repeat(64) }).await.unwrap();
    let again = submit(&bed, &northlight, vec![file(SHOT, 'a')]).await.unwrap();
    assert_eq!((again.status, &body(&again)["version"]), (201, &json!(2)));
    let named = crate::office::named_files(&*bed.store).await.unwrap();
    assert!(named.contains(&"a".repeat(64).parse().unwrap()), "it is here again");
}

#[actix_rt::test]
async fn a_repeated_submission_is_welcome_whatever_became_of_its_turnover() {
    let bed = Bed::kestrel().await;
    let northlight = vendor(&bed, 1).await;
    let order = |content: char, key: &str, sum: &str| crate::messages::CommitSubmission {
        writer: northlight.clone(),
        turnover_id: 1,
        title: None,
        note: None,
        via: crate::model::Via::Rest,
        files: vec![file(SHOT, content)],
        idempotency: Some(crate::messages::Idempotency { key: key.to_owned(), request_sha256: sum.to_owned() }),
    };
    let first = bed.call(order('a', "k", "one")).await.unwrap();
    decide(&bed, &body(&first)["approval_id"], "approved").await;
    let begin = |writer: &Writer, key: &str| BeginSubmission {
        writer: writer.clone(),
        turnover_id: 1,
        idempotency_key: Some(key.to_owned()),
    };
    let accepted = (409, "This turnover was accepted; ask production to reopen it.".to_owned());
    assert_eq!(refusal(bed.call(begin(&northlight, "another")).await), accepted);
    let other = vendor(&bed, 1).await;
    assert_eq!(refusal(bed.call(begin(&other, "k")).await), accepted, "another holder's key");
    assert!(bed.call(begin(&northlight, "k")).await.is_ok());
    let again = bed.call(order('a', "k", "one")).await.unwrap();
    assert_eq!((again.replayed, again.document), (true, first.document));
    let changed = refusal(bed.call(order('b', "k", "two")).await);
    assert_eq!(changed.0, 409);
    assert!(changed.1.starts_with("This Idempotency-Key was used for another request"), "{changed:?}");
    bed.set_clock("2026-10-09T11:00:00Z");
    assert_eq!(refusal(bed.call(begin(&northlight, "k")).await), accepted, "after a day it is forgotten");
}

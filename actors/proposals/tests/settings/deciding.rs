//! Approvals and refusals, and everything that comes between.

use jiff::SignedDuration;
use playhouse_house::{HouseActor, RevokeKey, Role, Scope, SetRole};
use playhouse_proposals::{
    ApproveProposal, ChangeId, ChangeSource, ChangeStatus, Decider, Operation, ProposalError, ProposalId,
    ProposalStatus, RejectProposal, ResourceType,
};
use playhouse_standins::{ArrKind, ArrStandin, Library, Misbehaviour};
use serde_json::json;

use crate::town::{PROFILE, Town, min_score, score};

const PUT: &str = "PUT */qualityprofile/*";

#[actix_rt::test]
async fn case_87_another_admins_yes_applies_it_in_the_proposers_name() {
    let town = Town::open().await;
    let (ada, eve) = (town.account("Ada", Role::Admin).await, town.account("Eve", Role::Admin).await);
    let proposing = town.key("Claude", &[Scope::MediaAdmin], Some(&ada)).await;
    let deciding = town.key("console", &[Scope::HouseAdmin], Some(&eve)).await;
    let preview = playhouse_proposals::PreviewProfileChange {
        caller: town.caller(proposing),
        ..town.preview(score("Repack/Proper", 25))
    };
    town.ask(preview).await.unwrap();

    let decider = Decider::Key { credential: deciding };
    let applied = town.ask(ApproveProposal { id: ProposalId(1), decider }).await.unwrap();

    assert_eq!((applied.status, applied.decided_by_name.as_deref()), (ProposalStatus::Applied, Some("Eve")));
    assert_eq!(applied.setting_change_id, Some(ChangeId(1)));
    assert_eq!(town.profile()["formatItems"][3]["score"], 25);
    assert_eq!(town.arr.n_settings_writes().n_accepted, 1);
    let change = town.change(ChangeId(1)).await;
    assert_eq!((change.actor_name.as_str(), change.actor_user_id), ("Ada", Some(ada.id)));
    assert_eq!((change.source, change.status), (ChangeSource::ExternalMcp, ChangeStatus::Applied));
    assert_eq!((change.operation, change.resource_type), (Operation::Update, ResourceType::QualityProfile));
    assert_eq!((change.resource_id.as_str(), change.resource_name.as_str()), ("4", "HD-1080p"));
    let fields: Vec<_> =
        change.changes.iter().map(|field| (field.key.as_str(), &*field.before, &*field.after)).collect();
    assert_eq!(fields, [("custom_format_score:4", "+5", "+25")]);
    assert!(change.can_revert);
    assert_eq!(town.told().await, ["pending 1 (1)", "decided 1 (0)"]);
    assert_eq!(town.get(ProposalId(1)).await, applied);
}

#[actix_rt::test]
async fn case_88_a_second_yes_is_too_late() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    town.approve(proposal.id).await.unwrap();
    let again = town.approve(proposal.id).await.unwrap_err();
    assert!(matches!(again, ProposalError::NotPending { .. }), "{again}");
    assert!(matches!(town.reject(proposal.id, "").await, Err(ProposalError::NotPending { .. })));
    assert_eq!(town.n_writes(), 1);
}

#[actix_rt::test]
async fn case_89_after_a_drift_it_fails_and_writes_nothing() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    town.arr.add_format(crate::town::hdr());

    let stale = town.approve(proposal.id).await.unwrap_err();

    assert!(matches!(stale, ProposalError::Stale { .. }), "{stale}");
    let failed = town.get(proposal.id).await;
    assert_eq!((failed.status, failed.setting_change_id), (ProposalStatus::Failed, None));
    assert_eq!(failed.decided_by_name.as_deref(), Some("the key \"kitchen\""));
    assert_eq!((town.n_writes(), town.changes().await.len()), (0, 0));
    assert_eq!(town.told().await, ["pending 1 (1)", "decided 1 (0)"]);
}

#[actix_rt::test]
async fn case_90_while_the_apply_tool_is_switched_off_it_waits_on() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    town.switch("apply_profile_change", false).await;
    assert_eq!(town.approve(proposal.id).await, Err(ProposalError::SwitchedOff));
    assert_eq!(
        (town.get(proposal.id).await.status, town.arr.n_settings_writes().n_all()),
        (ProposalStatus::Pending, 0)
    );
    town.switch("apply_profile_change", true).await;
    // Switching off what only previews stops no approval.
    town.switch("preview_profile_change", false).await;
    assert_eq!(town.approve(proposal.id).await.unwrap().status, ProposalStatus::Applied);
}

#[actix_rt::test]
async fn case_91_while_the_library_does_not_answer_it_waits_on() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    town.arr.misbehave("GET */qualityprofile", Misbehaviour::Failing { status: 503 });

    let unavailable = town.approve(proposal.id).await.unwrap_err();

    assert!(matches!(unavailable, ProposalError::Unavailable { .. }), "{unavailable}");
    let pending = &town.list(false).await[0];
    assert_eq!((pending.status, pending.decided_by_name.as_ref()), (ProposalStatus::Pending, None));
    assert_eq!(town.told().await, ["pending 1 (1)"]);
    town.arr.forget_rules();
    assert_eq!(town.approve(proposal.id).await.unwrap().status, ProposalStatus::Applied);
}

#[actix_rt::test]
async fn case_92_after_seven_days_nobody_can_approve_it_swept_or_not() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    town.advance(SignedDuration::from_hours(7 * 24));
    let late = town.approve(proposal.id).await.unwrap_err();
    assert!(matches!(late, ProposalError::NotPending { .. }), "{late}");
    assert_eq!(town.get(proposal.id).await.status, ProposalStatus::Expired);
    assert_eq!((town.told().await, town.n_writes()), (vec!["pending 1 (1)".to_owned(), "decided 1 (0)".to_owned()], 0));
}

#[actix_rt::test]
async fn a_moment_before_it_expires_it_can_be_approved() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    town.advance(SignedDuration::from_hours(7 * 24) - SignedDuration::from_nanos(1));
    assert_eq!(town.approve(proposal.id).await.unwrap().status, ProposalStatus::Applied);
}

#[actix_rt::test]
async fn case_93_a_no_after_seven_days_finds_it_expired() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    town.advance(SignedDuration::from_hours(7 * 24));
    let late = town.reject(proposal.id, "no").await.unwrap_err();
    assert!(matches!(late, ProposalError::NotPending { .. }), "{late}");
    let expired = town.get(proposal.id).await;
    assert_eq!((expired.status, expired.reject_note, expired.decided_by_name), (ProposalStatus::Expired, None, None));
}

#[actix_rt::test]
async fn a_no_is_kept_with_its_note_and_touches_no_library() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    town.arr.forget_requests();
    let note = format!("  not now http://x/?apikey=abc {}", "ä".repeat(3_000));

    let rejected = town.reject(proposal.id, &note).await.unwrap();

    assert_eq!((rejected.status, rejected.decided_at), (ProposalStatus::Rejected, Some(town.now())));
    assert_eq!(rejected.decided_by_name.as_deref(), Some("the key \"kitchen\""));
    let kept = rejected.reject_note.clone().unwrap();
    assert!(kept.starts_with("not now http://x/?apikey=[REDACTED]") && kept.len() <= 4_096, "{kept}");
    assert_eq!(town.arr.n_requests(), 0);
    assert_eq!(town.told().await, ["pending 1 (1)", "decided 1 (0)"]);
    assert!(matches!(town.reject(proposal.id, "").await, Err(ProposalError::NotPending { .. })));
    assert!(matches!(town.approve(proposal.id).await, Err(ProposalError::NotPending { .. })));
}

#[actix_rt::test]
async fn case_94_a_write_without_an_answer_is_not_called_either_and_never_repeated() {
    for lost in [Misbehaviour::DoneButLost, Misbehaviour::Failing { status: 500 }, Misbehaviour::HungUp] {
        let town = Town::open().await;
        let proposal = town.propose(min_score(1)).await;
        town.arr.misbehave(PUT, lost);

        let failed = town.approve(proposal.id).await.unwrap_err();

        assert!(matches!(failed, ProposalError::Failed { .. }), "{failed}");
        let proposal = town.get(proposal.id).await;
        assert_eq!(
            (proposal.status, proposal.setting_change_id),
            (ProposalStatus::Failed, Some(ChangeId(1))),
            "{lost:?}"
        );
        assert_eq!(town.changes().await[0].status, ChangeStatus::OutcomeUnknown, "{lost:?}");
        town.arr.forget_rules();
        assert!(matches!(town.approve(proposal.id).await, Err(ProposalError::NotPending { .. })));
        town.sweep().await;
        let n_puts = town.arr.requests().iter().filter(|request| request.method == "PUT").count();
        assert_eq!(n_puts, 1, "{lost:?}");
        let comparison = town.change(ChangeId(1)).await;
        assert!(!comparison.can_revert && comparison.current_status.is_some());
    }
}

#[actix_rt::test]
async fn case_78_a_refusal_of_the_service_is_certain_and_says_why() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    let refusal = json!([{"propertyName": "MinFormatScore", "errorMessage": "'Min Format Score' must be attainable"}]);
    town.arr.answer_instead(PUT, 400, refusal);

    let failed = town.approve(proposal.id).await.unwrap_err();

    let ProposalError::Failed { words } = failed else { panic!("{failed}") };
    assert!(words.contains("must be attainable"), "{words}");
    let change = &town.changes().await[0];
    assert_eq!(change.status, ChangeStatus::Failed);
    assert!(change.error_text.as_ref().unwrap().contains("must be attainable"));
    assert_eq!(town.get(proposal.id).await.setting_change_id, Some(ChangeId(1)));
}

#[actix_rt::test]
async fn case_79_what_is_read_back_in_another_order_is_the_same() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    town.arr.prefer_after(PUT, 1, |preferences| {
        preferences.edit_profile(4, |profile| profile["formatItems"].as_array_mut().unwrap().reverse());
    });
    assert_eq!(town.approve(proposal.id).await.unwrap().status, ProposalStatus::Applied);
}

#[actix_rt::test]
async fn case_80_what_is_read_back_otherwise_is_unknown() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    town.arr.prefer_after(PUT, 1, |preferences| {
        preferences.edit_profile(4, |profile| profile["cutoffFormatScore"] = 7.into());
    });
    let failed = town.approve(proposal.id).await.unwrap_err();
    assert!(matches!(failed, ProposalError::Failed { .. }), "{failed}");
    assert_eq!(town.changes().await[0].status, ChangeStatus::OutcomeUnknown);
    assert_eq!(town.get(proposal.id).await.status, ProposalStatus::Failed);
}

#[actix_rt::test]
async fn case_96_of_a_yes_and_a_no_at_once_exactly_one_wins() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    let (yes, no) = tokio::join!(town.approve(proposal.id), town.reject(proposal.id, "no"));
    assert!(yes.is_ok() != no.is_ok(), "{yes:?} {no:?}");
    let status = town.get(proposal.id).await.status;
    assert_eq!(status, if yes.is_ok() { ProposalStatus::Applied } else { ProposalStatus::Rejected });
    assert_eq!(town.n_writes(), usize::from(yes.is_ok()));
}

#[actix_rt::test]
async fn of_many_who_approve_at_once_one_does() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    let approvals = (0..16).map(|_| town.approve(proposal.id));
    let ended = futures_util::future::join_all(approvals).await;
    assert_eq!(ended.iter().filter(|ended| ended.is_ok()).count(), 1);
    assert_eq!(town.n_writes(), 1);
}

#[actix_rt::test]
async fn case_98_with_its_library_gone_it_is_stale() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    town.remove(town.library).await;
    let stale = town.approve(proposal.id).await.unwrap_err();
    assert!(matches!(stale, ProposalError::Stale { .. }), "{stale}");
    assert_eq!(town.get(proposal.id).await.status, ProposalStatus::Failed);
}

#[actix_rt::test]
async fn case_73_and_74_another_name_matters_nothing_and_another_connection_everything() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    town.rename(town.library, "Cinema").await;
    let applied = town.approve(proposal.id).await.unwrap();
    assert_eq!(applied.instance_name, "Films", "as it was called then");
    assert_eq!(town.changes().await[0].instance_name, "Cinema");

    let proposal = town.propose(min_score(2)).await;
    let other = ArrStandin::start(ArrKind::Radarr, Library::empty(ArrKind::Radarr));
    town.move_to(town.library, &other).await;
    assert!(matches!(town.approve(proposal.id).await, Err(ProposalError::Stale { .. })));
    assert_eq!((town.n_writes(), other.n_settings_writes().n_all()), (1, 0));
}

#[actix_rt::test]
async fn case_72_the_library_it_was_worked_out_for_is_written_though_another_is_the_default() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    let other = ArrStandin::start(ArrKind::Radarr, Library::empty(ArrKind::Radarr));
    let other_id = town.add(&other, "4K").await;
    town.make_default(other_id).await;
    town.approve(proposal.id).await.unwrap();
    assert_eq!((town.n_writes(), other.n_settings_writes().n_all()), (1, 0));
}

#[actix_rt::test]
async fn case_75_radarr_needs_its_languages_to_be_written_to() {
    let town = Town::open().await;
    town.arr.misbehave("GET */language", Misbehaviour::Failing { status: 503 });
    let proposal = town.propose(min_score(1)).await;
    let unavailable = town.approve(proposal.id).await.unwrap_err();
    assert!(matches!(unavailable, ProposalError::Unavailable { .. }), "{unavailable}");
    assert_eq!(town.n_writes(), 0);
}

#[actix_rt::test]
async fn case_76_a_decider_who_lost_the_right_in_the_meantime_writes_nothing() {
    let town = Town::open().await;
    let eve = town.account("Eve", Role::Admin).await;
    let credential = town.key("console", &[Scope::HouseAdmin], Some(&eve)).await;
    let proposal = town.propose(min_score(1)).await;
    let decider = Decider::Key { credential };
    // Her role is taken away while the library is being read for the second time.
    let (bus, house) = (town.bus.clone(), town.house);
    let key_ring = town.key_ring.clone();
    town.arr.before("GET */qualityprofile", 2, move || key_ring.set_role(house, eve.id, Role::User));

    let forbidden = town.ask(ApproveProposal { id: proposal.id, decider: decider.clone() }).await.unwrap_err();

    assert!(matches!(forbidden, ProposalError::Forbidden { .. }), "{forbidden}");
    assert_eq!((town.get(proposal.id).await.status, town.n_writes()), (ProposalStatus::Pending, 0));
    let order = SetRole { account: eve.id, role: Role::Admin };
    bus.call(HouseActor::key(house), order, crate::town::in_time()).await.unwrap().unwrap();
    town.call(HouseActor::key(house), RevokeKey { id: credential }).await.unwrap();
    for ended in [
        town.ask(ApproveProposal { id: proposal.id, decider: decider.clone() }).await,
        town.ask(RejectProposal { id: proposal.id, decider, note: None }).await,
    ] {
        assert!(matches!(ended, Err(ProposalError::Forbidden { .. })), "{ended:?}");
    }
    let no_admin = Decider::Key { credential: town.proposer };
    let forbidden = town.ask(ApproveProposal { id: proposal.id, decider: no_admin }).await;
    assert!(matches!(forbidden, Err(ProposalError::Forbidden { .. })), "{forbidden:?}");
}

#[actix_rt::test]
async fn case_77_a_switch_turned_off_right_before_the_write_stops_it() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    let (switches, house) = (town.switches.clone(), town.house);
    town.arr.before("GET */qualityprofile", 2, move || {
        switches.set(house, ["apply_profile_change".to_owned()].into());
    });
    assert_eq!(town.approve(proposal.id).await, Err(ProposalError::SwitchedOff));
    assert_eq!((town.get(proposal.id).await.status, town.n_writes()), (ProposalStatus::Pending, 0));
}

#[actix_rt::test]
async fn an_edit_between_the_two_looks_is_noticed() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    town.arr.prefer_after("GET */qualityprofile", 1, |preferences| {
        preferences.edit_profile(4, |profile| profile["minFormatScore"] = (-3).into());
    });
    assert!(matches!(town.approve(proposal.id).await, Err(ProposalError::Stale { .. })));
    assert_eq!(town.n_writes(), 0);
}

#[actix_rt::test]
async fn the_operator_decides_without_a_key() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    let applied = town.ask(ApproveProposal { id: proposal.id, decider: Decider::Operator }).await.unwrap();
    assert_eq!(applied.decided_by_name.as_deref(), Some("the operator (command line)"));
}

#[actix_rt::test]
async fn an_unknown_proposal_is_decided_by_nobody() {
    let town = Town::open().await;
    assert_eq!(town.approve(ProposalId(7)).await, Err(ProposalError::NotFound));
    assert_eq!(town.reject(ProposalId(7), "").await, Err(ProposalError::NotFound));
}

#[actix_rt::test]
async fn a_caller_who_hangs_up_takes_no_write_back() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    town.arr.misbehave(PUT, Misbehaviour::SlowToStart);
    let bus = town.bus.clone();
    let key = playhouse_proposals::ProposalQueueActor::key(town.house);
    let order = ApproveProposal { id: proposal.id, decider: town.by_admin() };
    let call = actix_rt::spawn(async move { bus.call(key, order, crate::town::in_time()).await.map(drop) });
    town.arr.until_held(1).await;
    assert_eq!(town.observe().await.n_executing, 2);
    call.abort();
    // Nothing that still runs is taken for left behind, not by a sweep and not by another incarnation.
    town.sweep().await;
    town.bus.put_away_actor(key);
    assert_eq!(town.get(proposal.id).await.status, ProposalStatus::Executing);
    assert_eq!(town.changes().await[0].status, ChangeStatus::Executing);

    town.arr.forget_rules();
    town.arr.release();
    while town.changes().await[0].status == ChangeStatus::Executing {
        tokio::task::yield_now().await;
    }

    assert_eq!(town.changes().await[0].status, ChangeStatus::Applied);
    assert_eq!(town.get(proposal.id).await.status, ProposalStatus::Applied);
    assert_eq!((town.profile()["minFormatScore"].clone(), town.n_writes()), (json!(1), 1));
    assert_eq!(PROFILE, 4);
}

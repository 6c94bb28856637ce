//! Proposals on their way in.

use playhouse_bus::CallError;
use playhouse_house::{Role, Scope};
use playhouse_library::answer::Code;
use playhouse_library::settings::ProfileChanges;
use playhouse_proposals::{
    Caller, EventId, EventKind, GetProposal, ListEvents, ListProposals, Origin, PreviewProfileChange, Previewed,
    ProposalError, ProposalId, ProposalQueueActor, ProposalState, ProposalStatus, SettingsFailure,
};
use playhouse_standins::{ArrKind, ArrStandin, Library};

use crate::town::{PROFILE, Town, in_time, min_score, score};

fn code(failure: &SettingsFailure) -> Option<Code> {
    match failure {
        SettingsFailure::Refused { code, .. }
        | SettingsFailure::NotStarted { code, .. }
        | SettingsFailure::Definite { code, .. } => Some(*code),
        SettingsFailure::Partial { .. } | SettingsFailure::AuthorisationLost { .. } => None,
    }
}

#[actix_rt::test]
async fn case_83_a_preview_from_outside_waits_and_writes_nothing_and_pages_once() {
    let town = Town::open().await;
    let mut heard = town.events.listen(town.house);

    let proposal = town.propose(score("Repack/Proper", 6)).await;

    assert_eq!((proposal.id, proposal.status), (ProposalId(1), ProposalStatus::Pending));
    assert_eq!(proposal.diff, ["custom format \"Repack/Proper\" [4]: +5 -> +6"]);
    assert_eq!(proposal.proposed_by_name, "the key \"laptop\"");
    assert_eq!(proposal.source_client.as_deref(), Some("MCP: laptop"));
    assert_eq!((proposal.profile_name.as_str(), proposal.instance_name.as_str()), ("HD-1080p", "Films"));
    assert_eq!(proposal.expires_at.duration_since(proposal.created_at).as_hours(), 7 * 24);
    assert_eq!(town.n_writes(), 0);
    assert_eq!(town.told().await, ["pending 1 (1)"]);
    let event = heard.recv().await.unwrap();
    let EventKind::ProfileChangePending { profile_id, ref profile_name, pending_count, .. } = event.kind else {
        panic!("{event:?}")
    };
    assert_eq!((event.id, profile_id, profile_name.as_str(), pending_count), (EventId(1), PROFILE, "HD-1080p", 1));
    assert_eq!(town.list(false).await, [proposal]);
}

#[actix_rt::test]
async fn case_84_a_newer_proposal_for_the_profile_takes_the_place_of_the_older_one() {
    let town = Town::open().await;
    let first = town.propose(min_score(1)).await;
    let second = town.propose(min_score(2)).await;

    let first = town.get(first.id).await;
    assert_eq!((first.status, first.decided_at), (ProposalStatus::Superseded, Some(town.now())));
    assert_eq!(first.decided_by_name, None);
    let pending: Vec<_> = town.list(false).await.into_iter().map(|proposal| proposal.id).collect();
    let all: Vec<_> = town.list(true).await.into_iter().map(|proposal| proposal.id).collect();
    assert_eq!((pending, all), (vec![second.id], vec![second.id, first.id]));
    assert_eq!(town.told().await, ["pending 1 (1)", "decided 1 (1)", "pending 2 (1)"]);
}

#[actix_rt::test]
async fn the_same_proposal_again_is_the_one_that_waits_and_pages_nobody() {
    let town = Town::open().await;
    let first = town.propose(min_score(1)).await;
    town.advance(jiff::SignedDuration::from_hours(1));

    let again = town.ask(town.preview(min_score(1))).await.unwrap();

    assert_eq!(again, Previewed::Parked { proposal: first, was_there: true });
    assert_eq!(town.told().await.len(), 1);
    assert_eq!(town.list(true).await.len(), 1);
}

#[actix_rt::test]
async fn proposals_for_two_profiles_wait_side_by_side() {
    let town = Town::open().await;
    town.propose(min_score(1)).await;
    let other = PreviewProfileChange { profile_id: 5, ..town.preview(min_score(1)) };
    town.ask(other).await.unwrap();
    assert_eq!((town.list(false).await.len(), town.observe().await.n_pending), (2, 2));
}

#[actix_rt::test]
async fn case_86_who_is_no_admin_proposes_nothing() {
    let town = Town::open().await;
    let bob = town.account("Bob", Role::User).await;
    let key = town.key("bob's", &[Scope::MediaAdmin], Some(&bob)).await;
    let preview = PreviewProfileChange { caller: town.caller(key), ..town.preview(min_score(1)) };
    assert_eq!(code(&town.ask(preview).await.unwrap_err()), Some(Code::RoleDenied));

    let other_scope = town.key("tv only", &[Scope::Tv], None).await;
    let preview = PreviewProfileChange { caller: town.caller(other_scope), ..town.preview(min_score(1)) };
    let failure = town.ask(preview).await.unwrap_err();
    assert!(matches!(failure, SettingsFailure::AuthorisationLost { .. }), "{failure}");

    assert_eq!((town.list(true).await, town.arr.n_requests()), (Vec::new(), 0));
}

#[actix_rt::test]
async fn an_account_is_named_in_its_own_name() {
    let town = Town::open().await;
    let ada = town.account("Ada", Role::Admin).await;
    let key = town.key(&"Claude ".repeat(11), &[Scope::MediaAdmin], Some(&ada)).await;
    let caller = town.caller(key);
    town.ask(PreviewProfileChange { caller, ..town.preview(min_score(1)) }).await.unwrap();
    let proposal = &town.list(false).await[0];
    assert_eq!(proposal.proposed_by_name, "Ada");
    let client = proposal.source_client.as_ref().unwrap();
    assert!(client.starts_with("MCP: Claude Claude") && client.chars().count() <= 5 + 64, "{client}");
}

#[actix_rt::test]
async fn a_switched_off_preview_parks_nothing() {
    let town = Town::open().await;
    let preview = town.preview(min_score(1));
    town.switch("preview_profile_change", false).await;
    assert_eq!(code(&town.ask(preview).await.unwrap_err()), Some(Code::DisabledBeforeWrite));
    assert_eq!(town.arr.n_requests(), 0);
}

#[actix_rt::test]
async fn a_change_that_changes_nothing_or_breaks_a_rule_parks_nothing() {
    let town = Town::open().await;
    let nothing = town.ask(town.preview(score("Repack/Proper", 5))).await.unwrap_err();
    assert!(matches!(nothing, SettingsFailure::NotStarted { .. }), "{nothing}");
    let unknown = ProfileChanges { quality_cutoff_id: Some(1), ..ProfileChanges::default() };
    let refused = town.ask(town.preview(unknown)).await.unwrap_err();
    assert!(matches!(refused, SettingsFailure::NotStarted { .. }), "{refused}");
    let missing = PreviewProfileChange { profile_id: 77, ..town.preview(min_score(1)) };
    assert_eq!(code(&town.ask(missing).await.unwrap_err()), Some(Code::ObjectMissing));
    let elsewhere =
        PreviewProfileChange { instance_id: Some("radarr-99999999".to_owned()), ..town.preview(min_score(1)) };
    assert_eq!(code(&town.ask(elsewhere).await.unwrap_err()), Some(Code::InstanceUnknown));
    assert_eq!((town.list(true).await, town.told().await), (Vec::new(), Vec::new()));
}

#[actix_rt::test]
async fn a_library_that_does_not_answer_is_an_error_and_nothing_waits() {
    let town = Town::open().await;
    town.arr.misbehave("GET */customformat", playhouse_standins::Misbehaviour::Failing { status: 503 });
    let failure = town.ask(town.preview(min_score(1))).await.unwrap_err();
    assert!(matches!(failure, SettingsFailure::NotStarted { code: Code::UpstreamStatus, .. }), "{failure:?}");
    assert!(town.list(true).await.is_empty());
}

#[actix_rt::test]
async fn case_60_without_words_of_an_admin_in_this_turn_nothing_is_previewed() {
    let town = Town::open().await;
    for origin in [
        town.chatting(town.proposer, "turn", "  ").origin,
        town.chatting(town.proposer, "", "do it").origin,
        Origin::Internal,
    ] {
        let caller = Caller { origin, ..town.caller(town.proposer) };
        let preview = PreviewProfileChange { caller, ..town.preview(min_score(1)) };
        assert_eq!(code(&town.ask(preview).await.unwrap_err()), Some(Code::InAppOnly));
    }
    assert_eq!(town.arr.n_requests(), 0);
}

#[actix_rt::test]
async fn a_proposal_of_another_house_and_one_of_no_house_are_unknown_alike() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    let clock: playhouse_house::Clock = std::sync::Arc::new(jiff::Timestamp::now);
    let neighbours = playhouse_house::open_house(&town.store, "Next door", &clock).await.unwrap().id;
    let key = ProposalQueueActor::key(neighbours);
    for id in [proposal.id, ProposalId(99)] {
        assert_eq!(town.call(key, GetProposal { id }).await, Err(ProposalError::NotFound));
    }
    assert_eq!(town.call(key, ListProposals { all: true }).await.unwrap(), "[]");
    assert_eq!(town.call(key, ListEvents { after: EventId(0) }).await, Ok(Vec::new()));
    // A caller of one house is nobody in another.
    let failure = town.call(key, town.preview(min_score(2))).await.unwrap_err();
    assert!(matches!(failure, SettingsFailure::AuthorisationLost { .. }));

    let nowhere = playhouse_bus::HouseId::from_uuid(uuid::Uuid::now_v7());
    let called = town.bus.call(ProposalQueueActor::key(nowhere), ListProposals { all: true }, in_time()).await;
    assert_eq!(called, Err(CallError::NotFound));
}

#[actix_rt::test]
async fn case_97_a_pending_proposal_shows_whether_it_could_be_carried_out() {
    let town = Town::open().await;
    let proposal = town.propose(min_score(1)).await;
    let standing = async || town.get(proposal.id).await.current_status;
    assert_eq!(standing().await, Some(ProposalState::Applicable));

    town.arr.misbehave("*", playhouse_standins::Misbehaviour::Failing { status: 503 });
    assert_eq!(standing().await, Some(ProposalState::Unavailable));
    town.arr.forget_rules();

    town.arr.edit_profile(4, |profile| profile["minFormatScore"] = (-9).into());
    assert_eq!(standing().await, Some(ProposalState::Stale));

    let other = ArrStandin::start(ArrKind::Radarr, Library::empty(ArrKind::Radarr));
    town.move_to(town.library, &other).await;
    other.forget_requests();
    assert_eq!(standing().await, Some(ProposalState::Stale));
    assert_eq!(other.n_requests(), 0, "another connection is known without asking it");
}

#[actix_rt::test]
async fn the_default_library_is_taken_where_none_is_named() {
    let town = Town::open().await;
    let other = ArrStandin::start(ArrKind::Radarr, Library::empty(ArrKind::Radarr));
    let other_id = town.add(&other, "4K").await;
    town.make_default(other_id).await;
    town.ask(PreviewProfileChange { instance_id: None, ..town.preview(min_score(1)) }).await.unwrap();
    assert_eq!(town.list(false).await[0].instance_id, other_id);
}

#[actix_rt::test]
async fn lists_show_the_newest_200_and_events_are_read_in_order_after_one() {
    let town = Town::open().await;
    for n in 1..=205 {
        town.propose(min_score(n)).await;
    }
    let all = town.list(true).await;
    assert_eq!((all.len(), all[0].id, all[199].id), (200, ProposalId(205), ProposalId(6)));
    assert_eq!(town.get(ProposalId(3)).await.status, ProposalStatus::Superseded);
    // Each superseded one is told of, and each new one.
    let after = town.ask(ListEvents { after: EventId(400) }).await.unwrap();
    let numbers: Vec<u64> = after.iter().map(|event| event.id.0).collect();
    assert_eq!(numbers, (401..=409).collect::<Vec<_>>());
    assert_eq!(town.events().await.len(), 200);

    // A queue that is started anew shows the same.
    town.bus.put_away_actor(ProposalQueueActor::key(town.house));
    assert_eq!(town.list(true).await, all);
}

//! Changes that are applied in the turn of the app's own chat in which they were previewed.

use jiff::SignedDuration;
use playhouse_house::Role;
use playhouse_library::answer::Code;
use playhouse_proposals::{
    ApplyProfileChange, Armed, Caller, ChangeRecord, ChangeSource, ChangeStatus, PreviewProfileChange, Previewed,
    SettingsFailure,
};
use playhouse_standins::Misbehaviour;

use crate::town::{Town, hdr, min_score};

const PUT: &str = "PUT */qualityprofile/*";

async fn arm(town: &Town, turn: &str) -> Armed {
    let caller = town.chatting(town.proposer, turn, "Lower the least score.");
    match town.ask(PreviewProfileChange { caller, ..town.preview(min_score(1)) }).await.unwrap() {
        Previewed::Armed(armed) => armed,
        Previewed::Parked { .. } => panic!("parked"),
    }
}

async fn apply(town: &Town, turn: &str, reference: &str) -> Result<ChangeRecord, SettingsFailure> {
    apply_as(town, town.chatting(town.proposer, turn, "Lower the least score."), reference).await
}

async fn apply_as(town: &Town, caller: Caller, reference: &str) -> Result<ChangeRecord, SettingsFailure> {
    town.ask(ApplyProfileChange { caller, reference: reference.to_owned() }).await
}

fn refusal(ended: Result<ChangeRecord, SettingsFailure>) -> Code {
    match ended.unwrap_err() {
        SettingsFailure::Refused { code, .. } => code,
        other => panic!("{other:?}"),
    }
}

#[actix_rt::test]
async fn a_change_is_applied_once_in_the_turn_in_which_it_was_previewed() {
    let town = Town::open().await;
    let armed = arm(&town, "a").await;
    assert_eq!((armed.diff.len(), town.n_writes(), town.observe().await.n_armed), (1, 0, 1));
    assert!(town.list(true).await.is_empty() && town.told().await.is_empty());

    let change = apply(&town, "a", &armed.reference).await.unwrap();

    assert_eq!((change.source, change.status), (ChangeSource::AiChat, ChangeStatus::Applied));
    assert_eq!(town.profile()["minFormatScore"], 1);
    assert_eq!(refusal(apply(&town, "a", &armed.reference).await), Code::NoPendingReference);
    assert_eq!(town.n_writes(), 1);
}

#[actix_rt::test]
async fn case_61_another_turn_is_refused_and_the_rightful_one_still_works() {
    let town = Town::open().await;
    let armed = arm(&town, "a").await;
    assert_eq!(refusal(apply(&town, "b", &armed.reference).await), Code::NoPendingReference);
    let external = town.caller(town.proposer);
    assert_eq!(refusal(apply_as(&town, external, &armed.reference).await), Code::InAppOnly);
    let silent = town.chatting(town.proposer, "a", " ");
    assert_eq!(refusal(apply_as(&town, silent, &armed.reference).await), Code::InAppOnly);
    let other = town.chatting(town.key("other", &[playhouse_house::Scope::MediaAdmin], None).await, "a", "yes");
    assert_eq!(refusal(apply_as(&town, other, &armed.reference).await), Code::NoPendingReference);
    assert!(apply(&town, "a", &armed.reference).await.is_ok());
}

#[actix_rt::test]
async fn case_65_after_a_quarter_of_an_hour_it_is_void() {
    let town = Town::open().await;
    let armed = arm(&town, "a").await;
    town.advance(SignedDuration::from_mins(15));
    assert_eq!(refusal(apply(&town, "a", &armed.reference).await), Code::NoPendingReference);
    assert_eq!(town.observe().await.n_armed, 0);
}

#[actix_rt::test]
async fn case_69_what_it_depends_on_must_not_have_moved() {
    let town = Town::open().await;
    let armed = arm(&town, "a").await;
    town.arr.add_format(hdr());
    assert_eq!(refusal(apply(&town, "a", &armed.reference).await), Code::StaleSpent);
    assert_eq!(refusal(apply(&town, "a", &armed.reference).await), Code::NoPendingReference, "it is spent");
    assert_eq!((town.n_writes(), town.changes().await.len()), (0, 0));
}

#[actix_rt::test]
async fn case_75_a_library_that_does_not_answer_spends_it() {
    let town = Town::open().await;
    let armed = arm(&town, "a").await;
    town.arr.misbehave("GET */language", Misbehaviour::Failing { status: 503 });
    let failure = apply(&town, "a", &armed.reference).await.unwrap_err();
    assert!(matches!(&failure, SettingsFailure::NotStarted { words, .. } if words.contains("spent")), "{failure:?}");
    town.arr.forget_rules();
    assert_eq!(refusal(apply(&town, "a", &armed.reference).await), Code::NoPendingReference);
}

#[actix_rt::test]
async fn case_76_a_role_lost_between_claim_and_write_spends_it() {
    let town = Town::open().await;
    let ada = town.account("Ada", Role::Admin).await;
    let key = town.key("chat", &[playhouse_house::Scope::MediaAdmin], Some(&ada)).await;
    let caller = town.chatting(key, "a", "Lower it.");
    let preview = PreviewProfileChange { caller: caller.clone(), ..town.preview(min_score(1)) };
    let Previewed::Armed(armed) = town.ask(preview).await.unwrap() else { panic!("parked") };
    let (key_ring, house, account) = (town.key_ring.clone(), town.house, ada.id);
    town.arr.before("GET */qualityprofile", 2, move || key_ring.set_role(house, account, Role::User));

    let lost = apply_as(&town, caller, &armed.reference).await.unwrap_err();

    assert!(matches!(lost, SettingsFailure::AuthorisationLost { .. }), "{lost:?}");
    assert_eq!((town.n_writes(), town.observe().await.n_armed), (0, 0));
}

#[actix_rt::test]
async fn case_77_a_switch_turned_off_spends_it() {
    let town = Town::open().await;
    let armed = arm(&town, "a").await;
    let (switches, house) = (town.switches.clone(), town.house);
    town.arr.before("GET */qualityprofile", 2, move || {
        switches.set(house, ["apply_profile_change".to_owned()].into());
    });
    assert_eq!(refusal(apply(&town, "a", &armed.reference).await), Code::DisabledSpent);
    assert_eq!((town.n_writes(), town.changes().await.len()), (0, 0));
}

#[actix_rt::test]
async fn case_78_a_refusal_is_certain_and_spends_it() {
    let town = Town::open().await;
    let armed = arm(&town, "a").await;
    town.arr.misbehave(PUT, Misbehaviour::Failing { status: 409 });
    let failure = apply(&town, "a", &armed.reference).await.unwrap_err();
    assert!(matches!(&failure, SettingsFailure::Definite { words, .. } if words.contains("spent")), "{failure:?}");
    assert_eq!((town.changes().await[0].status, town.n_writes()), (ChangeStatus::Failed, 1));
    assert_eq!(refusal(apply(&town, "a", &armed.reference).await), Code::NoPendingReference);
}

#[actix_rt::test]
async fn case_80_what_cannot_be_read_back_is_partial() {
    let town = Town::open().await;
    let armed = arm(&town, "a").await;
    town.arr.after(PUT, 1, {
        let rules = std::sync::Arc::new(());
        move || drop(rules)
    });
    town.arr.prefer_after(PUT, 1, |preferences| preferences.remove_profile(4));
    let failure = apply(&town, "a", &armed.reference).await.unwrap_err();
    assert!(matches!(failure, SettingsFailure::Partial { was_accepted: true, .. }), "{failure:?}");
    assert_eq!(town.changes().await[0].status, ChangeStatus::OutcomeUnknown);
}

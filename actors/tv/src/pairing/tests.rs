use std::sync::Arc;
use std::time::Duration;

use playhouse_bus::HouseId;
use playhouse_house::{Caller, CredentialUse, KeyRefusal, KeyText};
use playhouse_store::{Expect, Key, MemoryStore, put, read};
use uuid::Uuid;

use super::record::{PairingRecord, pairing_path};
use super::*;
use crate::devices::{DevicesActor, ListDevices};
use crate::testing::{HOUSE, Stage, settle};

impl Stage {
    async fn start_pairing(&self) -> StartedPairing {
        self.call(PairingActor::KEY, StartPairing {}).await.unwrap()
    }

    async fn poll(&self, token: &PlainKey) -> Polled {
        let token = KeyText::parse(token.reveal()).unwrap();
        self.call(PairingActor::KEY, NotePoll { token: token.id, secret_hash: token.secret_hash }).await
    }

    async fn claim(&self, code: PairingCode, name: Option<&str>, into: ClaimInto) -> Result<ClaimedTv, ClaimError> {
        let name = name.map(|name| name.parse().unwrap());
        self.call(PairingActor::KEY, ClaimTv { code, name, into }).await
    }

    async fn names_in(&self, house: HouseId) -> Vec<String> {
        let devices = self.call(DevicesActor::key(house), ListDevices {}).await.unwrap();
        devices.iter().map(|device| device.name.to_string()).collect()
    }

    async fn stored(&self, started: &StartedPairing) -> Option<PairingRecord> {
        let id = KeyText::parse(started.token.reveal()).unwrap().id;
        read(&*self.store, &Key::new(HouseId::INSTANCE, pairing_path(id))).await.unwrap().map(|(record, _)| record)
    }

    /// Has the store hold a pairing as it was when the relay crashed.
    async fn put_back(&self, record: &PairingRecord) {
        let put = put(pairing_path(record.bridge.id), record, Expect::Any).unwrap();
        self.store.commit(HouseId::INSTANCE, vec![put], None).await.unwrap();
    }
}

async fn minutes(minutes: u64) {
    tokio::time::advance(Duration::from_secs(60 * minutes)).await;
}

#[actix::test]
async fn a_claimed_tv_is_in_the_house_with_a_token_for_its_bridge_and_another_for_the_assistant() {
    let stage = Stage::with_house().await;
    let started = stage.start_pairing().await;
    assert_eq!(
        stage.opens(&started.token, CredentialUse::Bridge),
        Err(KeyRefusal::Invalid),
        "not before it is claimed"
    );

    let claimed = stage.claim(started.code, Some("den"), ClaimInto::House(HOUSE)).await.unwrap();

    assert_eq!((claimed.house, claimed.house_name.as_str(), claimed.name.as_str()), (HOUSE, "The Lovelaces", "den"));
    assert_eq!(stage.names_in(HOUSE).await, ["den"]);
    let own = Caller::Tv(claimed.tv);
    assert_eq!(stage.opens(&started.token, CredentialUse::Bridge).unwrap().caller, own);
    assert_eq!(stage.opens(&claimed.token, CredentialUse::Assistant).unwrap().caller, own);
    assert_eq!(stage.opens(&claimed.token, CredentialUse::Bridge), Err(KeyRefusal::Invalid));
    assert_eq!(stage.stored(&started).await, None);
}

#[actix::test]
async fn an_unknown_code_claims_nothing() {
    let stage = Stage::with_house().await;
    let started = stage.start_pairing().await;
    let other = if started.code.digits() == "00000000" { "00000001" } else { "00000000" };
    let refused = stage.claim(other.parse().unwrap(), None, ClaimInto::House(HOUSE)).await;
    assert_eq!(refused.unwrap_err(), ClaimError::UnknownCode);
    assert!(stage.names_in(HOUSE).await.is_empty());
}

#[actix::test]
async fn a_code_with_spaces_claims_like_one_without() {
    let stage = Stage::with_house().await;
    let started = stage.start_pairing().await;
    let typed = format!(" {} ", started.code).parse().unwrap();
    assert!(stage.claim(typed, None, ClaimInto::House(HOUSE)).await.is_ok());
}

#[actix::test]
async fn a_claimed_code_cannot_be_claimed_again() {
    let stage = Stage::with_house().await;
    let started = stage.start_pairing().await;
    stage.claim(started.code, None, ClaimInto::House(HOUSE)).await.unwrap();
    for into in [ClaimInto::House(HOUSE), ClaimInto::NewHouse] {
        assert_eq!(stage.claim(started.code, None, into).await.unwrap_err(), ClaimError::AlreadyClaimed);
    }
    assert_eq!(stage.names_in(HOUSE).await, ["living-room"]);
}

#[actix::test]
async fn of_two_claims_at_once_one_gets_the_tv() {
    let stage = Stage::with_house().await;
    let other = HouseId::from_uuid(Uuid::from_u128(0xB));
    stage.open_house(other).await;
    let code = stage.start_pairing().await.code;
    let (one, two) = futures_util::join!(
        stage.claim(code, None, ClaimInto::House(HOUSE)),
        stage.claim(code, None, ClaimInto::House(other)),
    );
    let refused = if one.is_ok() { two.unwrap_err() } else { one.unwrap_err() };
    assert_eq!(refused, ClaimError::AlreadyClaimed);
    assert_eq!(stage.names_in(HOUSE).await.len() + stage.names_in(other).await.len(), 1);
}

#[actix::test]
async fn a_name_that_is_taken_leaves_the_code_to_be_claimed_under_another() {
    let stage = Stage::with_house().await;
    let (first, second) = (stage.start_pairing().await, stage.start_pairing().await);
    stage.claim(first.code, Some("den"), ClaimInto::House(HOUSE)).await.unwrap();

    let taken = stage.claim(second.code, Some("den"), ClaimInto::House(HOUSE)).await.unwrap_err();
    assert!(
        matches!(&taken, ClaimError::NameTaken { suggestion, .. } if suggestion.as_str() == "living-room"),
        "{taken}"
    );

    assert!(stage.claim(second.code, Some("attic"), ClaimInto::House(HOUSE)).await.is_ok());
    assert_eq!(stage.names_in(HOUSE).await, ["attic", "den"]);
}

#[actix::test]
async fn a_tv_that_is_claimed_between_two_polls_gets_in_with_the_next() {
    let stage = Stage::with_house().await;
    let started = stage.start_pairing().await;
    assert_eq!(stage.poll(&started.token).await, Polled::Waiting);
    stage.claim(started.code, None, ClaimInto::House(HOUSE)).await.unwrap();
    assert!(stage.opens(&started.token, CredentialUse::Bridge).is_ok());
    assert_eq!(stage.poll(&started.token).await, Polled::Unknown);
}

#[actix::test]
async fn a_claim_without_a_house_opens_one_for_the_tv() {
    let stage = Stage::with_house().await;
    let (first, second) = (stage.start_pairing().await, stage.start_pairing().await);
    let first = stage.claim(first.code, Some("den"), ClaimInto::NewHouse).await.unwrap();
    let second = stage.claim(second.code, Some("den"), ClaimInto::NewHouse).await.unwrap();
    assert_ne!(first.house, second.house);
    assert_eq!(stage.names_in(first.house).await, ["den"]);
    assert_eq!(stage.opens(&first.token, CredentialUse::Assistant).unwrap().house, first.house);
    assert!(stage.names_in(HOUSE).await.is_empty());
}

#[actix::test]
async fn a_house_that_does_not_exist_claims_nothing_and_leaves_the_code() {
    let stage = Stage::with_house().await;
    let started = stage.start_pairing().await;
    let nowhere = ClaimInto::House(HouseId::from_uuid(Uuid::from_u128(0xC)));
    assert!(matches!(stage.claim(started.code, None, nowhere).await, Err(ClaimError::Store { .. })));
    assert!(stage.claim(started.code, None, ClaimInto::House(HOUSE)).await.is_ok());
}

#[actix::test]
async fn a_tv_that_was_reset_is_paired_again_in_its_old_place() {
    let stage = Stage::with_house().await;
    let first = stage.start_pairing().await;
    let den = stage.claim(first.code, Some("den"), ClaimInto::House(HOUSE)).await.unwrap();
    let reset = stage.start_pairing().await;

    let unnamed = stage.claim(reset.code, Some("attic"), ClaimInto::Again(HOUSE)).await.unwrap_err();
    assert_eq!(unnamed, ClaimError::NoSuchTv);
    let again = stage.claim(reset.code, Some("den"), ClaimInto::Again(HOUSE)).await.unwrap();

    assert_eq!(again.tv, den.tv);
    assert_eq!(stage.opens(&first.token, CredentialUse::Bridge), Err(KeyRefusal::Revoked));
    assert_eq!(stage.opens(&reset.token, CredentialUse::Bridge).unwrap().caller, Caller::Tv(den.tv));
    assert!(stage.opens(&den.token, CredentialUse::Assistant).is_ok(), "assistants keep their tokens");
    assert_eq!(stage.names_in(HOUSE).await, ["den"]);
}

#[actix::test]
async fn a_restart_does_not_kill_a_code_on_a_screen() {
    let stage = Stage::with_house().await;
    let started = stage.start_pairing().await;
    let restarted = stage.restarted().await;
    assert_eq!(restarted.poll(&started.token).await, Polled::Waiting);
    assert!(restarted.claim(started.code, None, ClaimInto::House(HOUSE)).await.is_ok());
}

#[actix::test]
async fn a_crash_after_the_house_has_the_tv_does_not_give_it_away_twice() {
    let stage = Stage::with_house().await;
    let started = stage.start_pairing().await;
    let waiting = stage.stored(&started).await.unwrap();
    stage.claim(started.code, None, ClaimInto::House(HOUSE)).await.unwrap();
    stage.put_back(&PairingRecord { claiming: Some(HOUSE), ..waiting }).await;

    let restarted = stage.restarted().await;

    assert_eq!(restarted.claim(started.code, None, ClaimInto::NewHouse).await.unwrap_err(), ClaimError::AlreadyClaimed);
    assert_eq!(restarted.names_in(HOUSE).await, ["living-room"]);
    assert!(restarted.opens(&started.token, CredentialUse::Bridge).is_ok());
    assert_eq!(restarted.stored(&started).await, None);
}

#[actix::test]
async fn a_crash_before_the_house_has_the_tv_leaves_the_code_to_be_claimed() {
    let stage = Stage::with_house().await;
    let started = stage.start_pairing().await;
    let waiting = stage.stored(&started).await.unwrap();
    stage.put_back(&PairingRecord { claiming: Some(HOUSE), ..waiting }).await;

    let restarted = stage.restarted().await;

    assert_eq!(restarted.poll(&started.token).await, Polled::Waiting);
    assert!(restarted.claim(started.code, None, ClaimInto::House(HOUSE)).await.is_ok());
}

#[actix::test]
async fn a_code_that_nobody_polls_for_ends_after_a_quarter_of_an_hour() {
    let stage = Stage::with_house().await;
    let started = stage.start_pairing().await;
    minutes(14).await;
    assert_eq!(stage.poll(&started.token).await, Polled::Waiting);
    minutes(15).await;
    assert_eq!(stage.poll(&started.token).await, Polled::Unknown);
    let refused = stage.claim(started.code, None, ClaimInto::House(HOUSE)).await.unwrap_err();
    assert_eq!(refused, ClaimError::UnknownCode);
    stage.start_pairing().await;
    assert_eq!(stage.stored(&started).await, None, "the next pairing takes it out of the store");
}

#[actix::test]
async fn a_code_lives_as_long_as_its_token_polls() {
    let stage = Stage::with_house().await;
    let started = stage.start_pairing().await;
    for _ in 0..200 {
        minutes(10).await;
        assert_eq!(stage.poll(&started.token).await, Polled::Waiting);
    }
    assert!(stage.claim(started.code, None, ClaimInto::House(HOUSE)).await.is_ok());
}

#[actix::test]
async fn a_wrong_secret_does_not_keep_a_code_alive() {
    let stage = Stage::with_house().await;
    let started = stage.start_pairing().await;
    let token = KeyText::parse(started.token.reveal()).unwrap().id;
    minutes(10).await;
    let guess = NotePoll { token, secret_hash: [7; 32] };
    assert_eq!(stage.call(PairingActor::KEY, guess).await, Polled::Unknown);
    minutes(5).await;
    assert_eq!(stage.poll(&started.token).await, Polled::Unknown);
}

#[actix::test]
async fn the_oldest_code_that_never_polled_makes_room_and_one_that_polls_does_not() {
    tokio::time::pause();
    let settings = PairingSettings { max_unpolled: 2, max_codes: 4, ..PairingSettings::default() };
    let stage = Stage::with_settings(Arc::new(MemoryStore::new()), settings);
    let polling = stage.start_pairing().await;
    stage.poll(&polling.token).await;
    minutes(1).await;
    let oldest = stage.start_pairing().await;
    minutes(1).await;
    let newer = stage.start_pairing().await;
    minutes(1).await;
    let newest = stage.start_pairing().await;

    let status = stage.call(PairingActor::KEY, ObservePairing {}).await;
    assert_eq!(status, PairingStatus { n_codes: 3, n_unpolled: 2 });
    assert_eq!(stage.poll(&oldest.token).await, Polled::Unknown);
    for kept in [&polling, &newer, &newest] {
        assert_eq!(stage.poll(&kept.token).await, Polled::Waiting);
    }

    stage.poll(&stage.start_pairing().await.token).await;
    let full = stage.call(PairingActor::KEY, StartPairing {}).await.unwrap_err();
    assert_eq!(full, StartPairingError::TooMany);
}

#[actix::test]
async fn a_claim_whose_caller_has_gone_is_finished() {
    let stage = Stage::with_house().await;
    let code = stage.start_pairing().await.code;
    let bus = stage.bus.clone();
    let claim = ClaimTv { code, name: None, into: ClaimInto::House(HOUSE) };
    let caller =
        actix_rt::spawn(async move { bus.call(PairingActor::KEY, claim, crate::testing::in_seconds(5)).await });
    tokio::task::yield_now().await;
    caller.abort();
    settle().await;
    let names = stage.names_in(HOUSE).await;
    let second = stage.claim(code, None, ClaimInto::House(HOUSE)).await;
    // Whether the call was begun before its caller went is the bus's affair; there is one TV either way.
    assert_eq!(second.is_ok(), names.is_empty());
    assert_eq!(stage.names_in(HOUSE).await.len(), 1);
}

#[actix::test]
async fn a_house_that_tries_codes_is_stopped_and_others_are_not() {
    let stage = Stage::with_house().await;
    let other = HouseId::from_uuid(Uuid::from_u128(0xB));
    stage.open_house(other).await;
    let right = stage.start_pairing().await.code;
    let wrong: PairingCode = if right.digits() == "00000000" { "00000001" } else { "00000000" }.parse().unwrap();
    for _ in 0..PairingSettings::default().max_wrong_codes {
        let refused = stage.claim(wrong, None, ClaimInto::House(HOUSE)).await.unwrap_err();
        assert_eq!(refused, ClaimError::UnknownCode);
    }

    let stopped = stage.claim(right, None, ClaimInto::House(HOUSE)).await.unwrap_err();
    assert_eq!(stopped, ClaimError::TooManyWrongCodes { retry_after_seconds: 600 });
    assert_eq!(stage.claim(wrong, None, ClaimInto::House(other)).await.unwrap_err(), ClaimError::UnknownCode);
    minutes(10).await;
    assert!(stage.claim(right, None, ClaimInto::House(HOUSE)).await.is_ok());
}

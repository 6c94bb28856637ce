//! The actor: one an instance.

use std::cell::RefCell;
use std::rc::Rc;

use playhouse_bus::{ActorKey, ActorKind, Answer, Behaviour, Bus, CallInfo, Handle, HouseId, Message, StartError};
use playhouse_house::{CredentialKind, Minted, Scopes, TvId, mint};
use playhouse_store::{Clock, Expect, Op, SharedStore, put, scan_all};
use uuid::Uuid;

use super::claim;
use super::desk::Desk;
use super::record::{PairingRecord, pairing_path, pairings_key};
use super::wrong_codes::WrongCodes;
use super::{
    ClaimError, ClaimInto, ClaimTv, ClaimedTv, NotePoll, ObservePairing, PairingSettings, PairingStatus, Polled,
    StartPairing, StartPairingError, StartedPairing,
};

/// Most ended pairings that one new pairing deletes along with its own commit; a commit holds 256 changes.
const MAX_DELETED_AT_ONCE: usize = 200;

/// What pairing is started with.
#[derive(Clone)]
pub struct PairingServices {
    /// Where pairings are kept.
    pub store: SharedStore,
    /// The way to the houses' lists of TVs.
    pub bus: Bus,
    /// The time of day.
    pub clock: Clock,
    /// Bounds.
    pub settings: PairingSettings,
}

/// All pairings of the instance.
pub struct PairingActor {
    services: PairingServices,
    /// Shared with the claims at work. All of them run on the actor's thread.
    desk: Rc<RefCell<Desk>>,
    wrong_codes: WrongCodes,
}

impl PairingActor {
    /// The address of pairing.
    pub const KEY: ActorKey = ActorKey::only(HouseId::INSTANCE, ActorKind::Pairing);

    fn begin_claim(&mut self, order: &ClaimTv) -> Result<PairingRecord, ClaimError> {
        let now = (self.services.clock)();
        let house = match order.into {
            ClaimInto::House(house) | ClaimInto::Again(house) => Some(house),
            // Nobody with a key; the door counts these by address.
            ClaimInto::NewHouse => None,
        };
        if let Some(house) = house {
            self.wrong_codes.check(house, now)?;
        }
        let begun = self.desk.borrow_mut().begin_claim(order.code, now);
        if let (Some(house), Err(ClaimError::UnknownCode)) = (house, &begun) {
            self.wrong_codes.note(house, now);
        }
        begun
    }
}

impl Behaviour for PairingActor {
    const KIND: ActorKind = ActorKind::Pairing;
    type Services = PairingServices;

    async fn start(_: ActorKey, services: PairingServices) -> Result<Self, StartError> {
        let now = (services.clock)();
        let mut desk = Desk::new(services.settings, now);
        let records = scan_all::<PairingRecord>(&*services.store, &pairings_key()).await;
        for (_, record, _) in records.map_err(|error| StartError::unavailable(&error))? {
            let is_claimed = claim::is_in_its_house(&services, &record).await;
            if is_claimed.map_err(|error| StartError::unavailable(&error))? {
                // The relay ended in the middle of that claim.
                claim::delete(&services, record.bridge.id).await;
                desk.remember_claimed(record.code);
                continue;
            }
            // Whether the TV still polls is not stored; it has as long to show as a new one.
            desk.put(record, now);
        }
        let wrong_codes = WrongCodes::new(&services.settings);
        Ok(Self { services, desk: Rc::new(RefCell::new(desk)), wrong_codes })
    }
}

impl Message for StartPairing {
    type Actor = PairingActor;
    type Reply = Result<StartedPairing, StartPairingError>;
}

impl Handle<StartPairing> for PairingActor {
    fn handle(&mut self, _: StartPairing, _: CallInfo) -> Answer<Self, Result<StartedPairing, StartPairingError>> {
        let now = (self.services.clock)();
        let mut desk = self.desk.borrow_mut();
        let Some(gone) = desk.make_room(now) else { return Answer::now(Err(StartPairingError::TooMany)) };
        // The operating system's generator, not one passed in: codes and secrets must never come from a seed.
        let mut rng = rand::rng();
        let code = desk.free_code(&mut rng);
        let tv = TvId::from_uuid(Uuid::now_v7());
        let kind = CredentialKind::TvBridge { tv };
        let Minted { credential, plain } = mint(kind, "bridge".to_owned(), Scopes::NONE, now, &mut rng);
        let record = PairingRecord { code, tv, bridge: credential, begun_at: now, claiming: None };
        // Before it is stored, so that no second pairing draws the same code. It is not told to anybody until it is.
        desk.put(record.clone(), now);
        drop(desk);
        let (store, desk) = (self.services.store.clone(), Rc::clone(&self.desk));
        let expires_at = now.saturating_add(self.services.settings.unpolled_for).unwrap_or(now);
        Answer::to_the_end(async move {
            let id = record.bridge.id;
            let stored = async {
                let mut ops = vec![put(pairing_path(id), &record, Expect::Absent)?];
                ops.extend(
                    gone.iter().take(MAX_DELETED_AT_ONCE).map(|gone| Op::delete(pairing_path(*gone), Expect::Any)),
                );
                store.commit(HouseId::INSTANCE, ops, None).await
            };
            match stored.await {
                Ok(_) => Ok(StartedPairing { code, token: plain, expires_at }),
                Err(error) => {
                    desk.borrow_mut().remove(id);
                    Err(StartPairingError::Store { words: error.to_string() })
                }
            }
        })
    }
}

impl Message for NotePoll {
    type Actor = PairingActor;
    type Reply = Polled;
}

impl Handle<NotePoll> for PairingActor {
    fn handle(&mut self, poll: NotePoll, _: CallInfo) -> Answer<Self, Polled> {
        let now = (self.services.clock)();
        Answer::now(self.desk.borrow_mut().poll(poll.token, &poll.secret_hash, now))
    }
}

impl Message for ObservePairing {
    type Actor = PairingActor;
    type Reply = PairingStatus;
}

impl Handle<ObservePairing> for PairingActor {
    fn handle(&mut self, _: ObservePairing, _: CallInfo) -> Answer<Self, PairingStatus> {
        Answer::now(self.desk.borrow().status())
    }
}

impl Message for ClaimTv {
    type Actor = PairingActor;
    type Reply = Result<ClaimedTv, ClaimError>;
}

impl Handle<ClaimTv> for PairingActor {
    fn handle(&mut self, order: ClaimTv, call: CallInfo) -> Answer<Self, Result<ClaimedTv, ClaimError>> {
        let record = match self.begin_claim(&order) {
            Ok(record) => record,
            Err(refusal) => return Answer::now(Err(refusal)),
        };
        let at_work = claim::AtWork::new(Rc::clone(&self.desk), record.bridge.id);
        let services = self.services.clone();
        Answer::to_the_end(claim::claim(services, at_work, record, order, call.deadline))
    }
}

//! The proposal queue of one house.

use playhouse_bus::{ActorKey, ActorKind, Answer, Behaviour, Bus, CallInfo, Handle, HouseId, StartError};
use playhouse_house::{Clock, KeyRing, ToolSwitches};
use playhouse_library::answer::Code;
use playhouse_store::SharedStore;

use crate::*;

/// What every house's queue is started with.
#[derive(Clone)]
pub struct ProposalServices {
    /// Where proposals and history are kept.
    pub store: SharedStore,
    /// The way to the libraries.
    pub bus: Bus,
    /// The credentials in memory, for checking them again.
    pub key_ring: KeyRing,
    /// What houses have switched off, in memory.
    pub switches: ToolSwitches,
    /// Where listeners hear of what happens.
    pub events: EventHub,
    /// The time of day.
    pub clock: Clock,
}

/// Changes of one house's library settings that wait, those under way, and their history.
pub struct ProposalQueueActor {
    _services: ProposalServices,
}

impl ProposalQueueActor {
    /// The address of `house`'s queue.
    pub const fn key(house: HouseId) -> ActorKey {
        ActorKey::only(house, ActorKind::Proposals)
    }
}

impl Behaviour for ProposalQueueActor {
    const KIND: ActorKind = ActorKind::Proposals;
    type Services = ProposalServices;

    async fn start(_: ActorKey, services: ProposalServices) -> Result<Self, StartError> {
        Ok(Self { _services: services })
    }
}

const WORDS: &str = "not built yet";

fn refused() -> SettingsFailure {
    SettingsFailure::Refused { code: Code::NotConfigured, words: WORDS.to_owned() }
}

macro_rules! handle {
    ($($message:ident => $reply:ty: $value:expr),* $(,)?) => {
        $(impl Handle<$message> for ProposalQueueActor {
            fn handle(&mut self, _: $message, _: CallInfo) -> Answer<Self, $reply> {
                Answer::now($value)
            }
        })*
    };
}

handle! {
    UpsertCustomFormat => Result<Upserted, SettingsFailure>: Err(refused()),
    PreviewProfileChange => Result<Previewed, SettingsFailure>: Err(refused()),
    ApplyProfileChange => Result<ChangeRecord, SettingsFailure>: Err(refused()),
    ListProposals => Result<Vec<Proposal>, ProposalError>: Ok(Vec::new()),
    GetProposal => Result<Proposal, ProposalError>: Err(ProposalError::NotFound),
    ApproveProposal => Result<Proposal, ProposalError>: Err(ProposalError::NotFound),
    RejectProposal => Result<Proposal, ProposalError>: Err(ProposalError::NotFound),
    SweepProposals => (): (),
    ListChanges => Result<Vec<ChangeRecord>, ChangeError>: Ok(Vec::new()),
    GetChange => Result<ChangeRecord, ChangeError>: Err(ChangeError::NotFound),
    RestoreChange => Result<ChangeRecord, ChangeError>: Err(ChangeError::NotFound),
    ListEvents => Result<Vec<AdminEvent>, ProposalError>: Ok(Vec::new()),
    ObserveProposals => ProposalsStatus: ProposalsStatus { n_pending: 0, n_executing: 0, n_armed: 0 },
}

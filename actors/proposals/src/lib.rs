//! Changes of a house's library settings: worked out, proposed, decided, written once, recorded, and put back once.
//!
//! [`ProposalQueueActor`] is one a house and the only writer of its proposals and of its configuration history. What is stored at an instance it
//! learns and changes by messages to that instance's `ArrActor`; the order of those messages, what is checked between them and what is
//! written down before and after is decided here.
//!
//! # What is said is true
//!
//! Nothing is sent before the history says that it is about to be, and nothing is sent twice. A change says `applied` once it was read back,
//! `failed` once it is certain that nothing was changed, and `outcome_unknown` otherwise. A crash leaves entries that say `executing`. They are
//! recognised exactly: the next start of the house's queue, or the next sweep, finds that nobody is at them ([`WorkBook`]) and settles them as unknown;
//! an approved proposal without an entry waits again, because nothing was sent. There is no time after which something that still runs would be
//! taken for left behind, and none for which something left behind would be taken for running.
//!
//! # What cannot be promised
//!
//! The services have no compare-and-swap. Between the last look and the write somebody else may change the same object, and the write then takes
//! that change back. Everything a change was worked out against is compared right before it is sent, so that moment is short. For Radarr
//! that includes the catalogue of languages, also where a change touches no language: while it cannot be read, nothing is applied there.

mod actor;
mod apply;
mod armed;
mod caller;
mod change;
mod clean;
mod desk;
mod event;
mod expiry;
mod failures;
mod gate;
mod history;
mod ledger;
mod messages;
mod proposal;
mod queue;
mod records;
mod state;
mod target;
mod tools;
mod upsert;
mod who;
mod works;
mod write;

pub use actor::{ProposalQueueActor, ProposalServices};
pub use armed::ArmedBook;
pub use caller::{Caller, ChatTurn, Decider, Origin};
pub use change::{ChangeId, ChangeRecord, ChangeSource, ChangeStatus, Operation, ResourceType};
pub use event::{AdminEvent, EventHub, EventId, EventKind};
pub use expiry::Expiries;
pub use messages::*;
pub use proposal::{Proposal, ProposalId, ProposalState, ProposalStatus};
pub use records::known_kinds;
pub use tools::add_tools;
pub use works::WorkBook;

//! Changes of a house's library settings: worked out, proposed, decided, written once, recorded, and put back once.
//!
//! [`ProposalQueueActor`] is one a house and the only writer of its proposals and of its configuration history. What is stored at an instance it
//! learns and changes by messages to that instance's `ArrActor`; the order of those messages, what is checked between them and what is
//! written down before and after is decided here.

mod actor;
mod caller;
mod change;
mod event;
mod messages;
mod proposal;

pub use actor::{ProposalQueueActor, ProposalServices};
pub use caller::{Caller, ChatTurn, Decider, Origin};
pub use change::{ChangeId, ChangeRecord, ChangeSource, ChangeStatus, Operation, ResourceType};
pub use event::{AdminEvent, EventHub, EventId, EventKind};
pub use messages::*;
pub use proposal::{Proposal, ProposalId, ProposalState, ProposalStatus};

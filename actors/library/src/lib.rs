//! A household's media libraries, operated for real: Radarr, Sonarr, Lidarr and Chaptarr.
//!
//! [`InstancesActor`] keeps which libraries a house has; one [`ArrActor`] each holds the way to it and the order of what is sent. A
//! capability is a message to that actor with its rules beside it, in the folder of the capability; a tool chooses the library, asks its
//! actor and puts the answer into words.

mod actor;
pub mod answer;
pub mod client;
pub mod doctor;
pub mod instance;
mod queue;
pub mod reads;
mod repair;
pub mod search;
mod service;
pub mod settings;
#[cfg(test)]
mod testing;
mod tools;
pub mod upkeep;
mod words;

pub use actor::{ArrActor, ArrServices, ArrStatus, Hands, InstanceLabel, LaneBook, ObserveArr};
pub use instance::{InstanceId, InstanceSummary, InstancesActor, InstancesServices};
pub use playhouse_upstream::{AddressPolicy, CircuitState};
pub use service::{Facts, HistoryKind, MediaSelection, MediaType, Service};
pub use tools::add_tools;

/// The records this crate knows, for the store to check at its start.
pub fn known_kinds() -> Vec<playhouse_store::KnownKind> {
    vec![playhouse_store::KnownKind::of::<instance::InstanceRecord>(), repair::known_kind()]
}

//! A household's media libraries, operated for real: Radarr, Sonarr, Lidarr and Chaptarr.
//!
//! [`InstancesActor`] keeps which libraries a house has; one [`ArrActor`] each holds the way to it and the order of what is sent. A
//! capability is a message to that actor with its rules beside it, in the folder of the capability; a tool chooses the library, asks its
//! actor and puts the answer into words.

mod actor;
pub mod answer;
pub mod client;
pub mod instance;
mod service;
mod tools;

pub use actor::{ArrActor, ArrServices, ArrStatus, Hands, InstanceLabel, LaneBook, ObserveArr};
pub use instance::{InstanceId, InstanceSummary, InstancesActor, InstancesServices};
pub use service::{Facts, HistoryKind, MediaSelection, MediaType, Service};

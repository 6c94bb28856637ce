//! Addressing, supervision, deadlines, back-pressure and health for every actor of Playhouse.

mod admission;
mod answer;
mod backoff;
mod bus;
mod cell;
mod clock;
mod deadline;
mod error;
mod exchange;
mod guarded;
mod health;
mod ids;
mod kinds;
mod latency;
mod message;
mod running;
mod seats;
mod served;
mod settings;
mod shared;
mod sweeper;
mod watch;

pub use answer::Answer;
pub use bus::Bus;
pub use deadline::Deadline;
pub use error::{BusyScope, CallError, Cause, Failure};
pub use health::{ActorHealth, ActorState, ArbiterHealth, ArbiterState, HealthReport, KindHealth, Latency};
pub use ids::{ActorId, ActorKey, HouseId};
pub use kinds::{ActorKind, KindSettings, RestartLimit};
pub use message::{Behaviour, CallInfo, Handle, Message, StartError};
pub use settings::{BusSettings, Placement};

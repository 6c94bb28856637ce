//! Addressing, supervision, deadlines, back-pressure and health for every actor of Playhouse. Knows no domain.
//!
//! A wing writes *behaviours*: plain values that are read from the store and handle one message at a time. The [`Bus`] puts
//! each behind an [`ActorKey`] and answers for everything else.
//!
//! ```
//! use std::time::Duration;
//!
//! use playhouse_bus::{
//!     ActorKey, ActorKind, Answer, Behaviour, Bus, BusSettings, CallInfo, Deadline, Handle, HouseId, Message, Placement,
//!     StartError,
//! };
//! use serde::{Deserialize, Serialize};
//!
//! /// Puts a name on the list. Repeating it changes nothing. Replies with how many names there are.
//! #[derive(Serialize, Deserialize)]
//! struct AddName(String);
//!
//! struct Waitlist(Vec<String>);
//!
//! impl Message for AddName {
//!     type Actor = Waitlist;
//!     type Reply = usize;
//! }
//!
//! impl Behaviour for Waitlist {
//!     const KIND: ActorKind = ActorKind::Waitlist;
//!     type Services = ();
//!
//!     async fn start(_key: ActorKey, _services: ()) -> Result<Self, StartError> {
//!         Ok(Self(Vec::new()))
//!     }
//! }
//!
//! impl Handle<AddName> for Waitlist {
//!     fn handle(&mut self, AddName(name): AddName, _call: CallInfo) -> Answer<Self, usize> {
//!         if !self.0.contains(&name) {
//!             self.0.push(name);
//!         }
//!         Answer::now(self.0.len())
//!     }
//! }
//!
//! # #[actix::main]
//! # async fn main() {
//! let bus = Bus::new(BusSettings::new(Placement::Arbiters(0)));
//! bus.serve::<Waitlist>(());
//!
//! let waitlist = ActorKey::only(HouseId::INSTANCE, ActorKind::Waitlist);
//! let in_time = Deadline::after(Duration::from_secs(5));
//! assert_eq!(bus.call(waitlist, AddName("Ada".into()), in_time).await, Ok(1));
//! assert_eq!(bus.call(waitlist, AddName("Ada".into()), in_time).await, Ok(1));
//! bus.close(Duration::from_secs(5)).await;
//! # }
//! ```
//!
//! # The way of a call
//!
//! 1. The caller finds the actor's *cell* in a sharded map. The cell is all the bus remembers of one actor, and outlives it.
//! 2. The call is *admitted*: counted at the instance, the house and the actor, or refused as busy before anything is queued.
//! 3. The message is laid into an *exchange*, and a pointer to it into the mailbox of the actor, which is started if need be.
//! 4. The actor takes the message, unless its deadline passed or its caller took it back, and has the behaviour handle it under
//!    a *watch*, where panics are caught.
//! 5. The reply is laid into the exchange, the place is given back, and the caller woken.
//!
//! # What can go wrong, and what happens then
//!
//! | what | the call | the actor |
//! |---|---|---|
//! | a panic in a handler, or in the future it returned | [`CallError::Panicked`] | read again after a back-off; queued calls wait, those in flight finish |
//! | a panic or an error while starting | waits | tried again, further and further apart |
//! | more failures than [`RestartLimit`] allows | [`CallError::Parked`], at once | rests; the first call after its rest tries again |
//! | nothing is stored under the key | [`CallError::NotFound`] | forgotten |
//! | the deadline passes in the queue | [`CallError::Deadline`] with `started: false` | never handles the message |
//! | the deadline passes, or the caller goes, while it is handled | [`CallError::Deadline`] with `started: true` | [`Answer::later`] and the first part of [`Answer::prepared`] are dropped; its second part, [`Answer::to_the_end`] and [`Answer::alone`] are finished, or given up as unknown after a grace |
//! | a handler blocks its thread | by its deadline | counts as failed; its neighbours move to a fresh thread with their queues, what they had in flight waits |
//! | a thread ends, or the bus has a bug | queued: handled by the next actor; begun: [`CallError::Panicked`] | replaced, found by the next call and by the sweeper |
//!
//! A panic while a panic unwinds ends the process, as Rust has it: destructors inside handlers must not panic.
//!
//! # No cycles
//!
//! Calls run one way: doors → `mcp` (the router) → wings → `house`, and everybody → store. Within a wing, what stands for many
//! calls what stands for one (`pairing` → `tv_devices` → `tv`) and never the reverse. No actor waits for its own caller, directly or
//! by others: with [`Answer::alone`] the two would wait for each other. Each call hands on the deadline it was given
//! ([`CallInfo::deadline`]), so even a cycle by mistake ends, as a time-out, with its caller's.
//!
//! # One owner
//!
//! Of all that ever ran under one key, one *generation* is in charge, and only that one takes messages. An actor that was moved
//! away from a blocked thread may still be in the middle of its last call when the next generation starts: that is why
//! writes carry the version they read (`playhouse-store`).

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
mod slot;
mod sweeper;
#[cfg(test)]
mod testing;
mod ticket;
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

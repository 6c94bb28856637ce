//! Televisions: pairing them, steering them, and the `tv_*` tools.
//!
//! The way of a command, from the outside in: a tool (`tools`) reads its arguments and sends a message to the [`TvActor`] of the TV it
//! is about; the actor writes a frame ([`wire`]) to the TV's present socket ([`Links`]) and waits there for the reply, which the
//! bridge session hands to the [`Link`]. What may be opened on a TV is decided by [`launch`].
//!
//! The way of a TV into a house: [`PairingActor`] gives it a code and a token, somebody claims the code, and the house's
//! [`DevicesActor`] writes the TV and its tokens in one commit. [`TvDirectory`] knows every TV's name in memory.

pub mod answers;
mod code;
mod devices;
mod directory;
mod error;
pub mod launch;
mod links;
mod name;
mod pairing;
mod record;
mod remote_key;
mod schema;
#[cfg(test)]
mod testing;
mod tools;
mod tv;
pub mod wire;

pub use code::{MalformedPairingCode, PairingCode};
pub use devices::*;
pub use directory::{HouseTvs, PairedTv, TvDirectory};
pub use error::TvError;
pub use links::{CloseReason, InFlight, Link, LinkFrames, LinkId, LinkSettings, Links, Outgoing, SendRefusal};
pub use name::{DEVICE_NAME_PATTERN, DeviceName, DeviceNameFault};
pub use pairing::*;
pub use record::TvRecord;
pub use remote_key::RemoteKey;
pub use tools::{Tvs, add_tools};
pub use tv::*;

/// The records this crate knows, for the store to check at its start.
pub fn known_kinds() -> Vec<playhouse_store::KnownKind> {
    record::KNOWN_KINDS.into_iter().chain(pairing::KNOWN_KINDS).collect()
}

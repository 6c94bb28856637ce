//! Paired TVs: pairing, the bridge's wire protocol, TvActor and the tv_* tools.

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
#[cfg(test)]
mod testing;
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
pub use tv::*;

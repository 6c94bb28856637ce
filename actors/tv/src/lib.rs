//! Paired TVs: pairing, the bridge's wire protocol, TvActor and the tv_* tools.

pub mod answers;
mod code;
pub mod launch;
mod name;
mod remote_key;
pub mod wire;

pub use code::{MalformedPairingCode, PairingCode};
pub use name::{DEVICE_NAME_PATTERN, DeviceName, DeviceNameFault};
pub use remote_key::RemoteKey;

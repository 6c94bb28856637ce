//! Pairing: codes on screens, the TVs that wait behind them, and claims.
//!
//! A TV that wants to be paired gets a code to show and a token to dial in with. The app never asks for another code, so a code lives as
//! long as its token keeps polling; one that nobody polls for ends after a while. Codes are kept in the store: a restart of the
//! relay must not kill a code on a screen.
//!
//! A claim writes to two places, the house and the list of codes. What it is about to do is noted with the code first, so that a crash
//! in between is found out at the next start, and the TV is in the house and off the list, or neither.

mod actor;
mod claim;
mod desk;
mod record;
mod wrong_codes;

#[cfg(test)]
mod tests;

use std::time::Duration;

use jiff::Timestamp;
use playhouse_bus::HouseId;
use playhouse_house::{CredentialId, PlainKey, TvId};
use serde::{Deserialize, Serialize};

pub use actor::{PairingActor, PairingServices};
pub(crate) use record::KNOWN_KINDS;

use crate::code::PairingCode;
use crate::name::DeviceName;

/// Bounds of pairing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairingSettings {
    /// How long a code lives without a poll of its token.
    pub unpolled_for: Duration,
    /// Codes that may be without a poll so far. Beyond that the oldest of them goes: a TV polls within seconds of getting its code.
    pub max_unpolled: usize,
    /// Codes altogether. Beyond that no TV gets one.
    pub max_codes: usize,
    /// Wrong codes that may be tried for one house within [`PairingSettings::wrong_codes_within`]. Whoever may pair TVs into one house
    /// must not find out the codes of others by trying.
    pub max_wrong_codes: u32,
    /// The time over which wrong codes are counted.
    pub wrong_codes_within: Duration,
}

impl Default for PairingSettings {
    fn default() -> Self {
        Self {
            unpolled_for: Duration::from_secs(15 * 60),
            max_unpolled: 1_000,
            max_codes: 20_000,
            max_wrong_codes: 10,
            wrong_codes_within: Duration::from_secs(10 * 60),
        }
    }
}

/// Asks for a code for one TV. Repeating it starts another pairing.
#[derive(Debug, Serialize, Deserialize)]
pub struct StartPairing {}

/// A pairing that has begun.
#[derive(Debug, Serialize, Deserialize)]
pub struct StartedPairing {
    /// The code to show.
    pub code: PairingCode,
    /// The token to dial in with. Nobody else ever gets it.
    pub token: PlainKey,
    /// When the code ends if the token never polls. Each poll puts it off.
    pub expires_at: Timestamp,
}

/// Why no pairing was begun. A TV shows the words, so they are short.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum StartPairingError {
    /// Too many TVs wait to be claimed.
    #[error("too many TVs are waiting to be paired; try again later")]
    TooMany,
    /// The store did not take it.
    #[error("{words}")]
    Store {
        /// What the store says.
        words: String,
    },
}

/// A TV dialled in with a token that opens no door (yet). Keeps its code alive, if it has one.
#[derive(Debug, Serialize, Deserialize)]
pub struct NotePoll {
    /// The token's public part.
    pub token: CredentialId,
    /// SHA-256 of its secret.
    pub secret_hash: [u8; 32],
}

/// What is known of a token that polled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Polled {
    /// Its TV waits to be claimed.
    Waiting,
    /// There is no pairing with this token.
    Unknown,
}

/// Asks how many TVs wait to be claimed.
#[derive(Debug, Serialize, Deserialize)]
pub struct ObservePairing {}

/// How many TVs wait to be claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairingStatus {
    /// Codes that are out; ended ones are counted until they are next looked through.
    pub n_codes: usize,
    /// Those of them whose token has not polled since the relay started.
    pub n_unpolled: usize,
}

/// Claims the TV that shows a code. Repeating it is [`ClaimError::AlreadyClaimed`]: the assistant's token is shown once.
#[derive(Debug, Serialize, Deserialize)]
pub struct ClaimTv {
    /// The code.
    pub code: PairingCode,
    /// The TV's name; the house's first free default when absent. With [`ClaimInto::Again`], the TV that is paired again.
    pub name: Option<DeviceName>,
    /// Where the TV goes.
    pub into: ClaimInto,
}

/// Where a claimed TV goes. Who may send it there is the door's to check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClaimInto {
    /// Into this house, as a new TV.
    House(HouseId),
    /// Into this house in place of its TV of that name: the app on it was reset. Its id and its assistants' tokens stay.
    Again(HouseId),
    /// Into a house of its own, opened for it.
    NewHouse,
}

/// A claimed TV and an assistant's token for it, shown this once. The bridge has another.
#[derive(Debug, Serialize, Deserialize)]
pub struct ClaimedTv {
    /// The house it is in.
    pub house: HouseId,
    /// What that house is called.
    pub house_name: String,
    /// The TV.
    pub tv: TvId,
    /// Its name.
    pub name: DeviceName,
    /// The assistant's token.
    pub token: PlainKey,
}

/// Why a TV was not claimed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
pub enum ClaimError {
    /// No TV shows that code (any more).
    #[error(
        "no TV shows that code; check the eight digits on its screen, and if they are right, press Reset in the app on the TV"
    )]
    UnknownCode,
    /// The TV was claimed with that code, or is being claimed this moment.
    #[error(
        "the TV with that code was claimed already; to claim it again, press Reset in the app on the TV and use the new code"
    )]
    AlreadyClaimed,
    /// Another TV of the house has the name.
    #[error(
        "this house has a TV called `{name}` already; `{suggestion}` is free, or remove the old TV first if this is the same one"
    )]
    NameTaken {
        /// The name.
        name: DeviceName,
        /// A name that is free.
        suggestion: DeviceName,
    },
    /// There is no TV of that name to pair again.
    #[error("this house has no TV of that name to pair again; claim it as a new one instead")]
    NoSuchTv,
    /// Too many codes were tried for this house that no TV shows.
    #[error(
        "too many wrong codes were tried for this house; wait {} minutes, and read the eight digits off the TV's screen",
        .retry_after_seconds.div_ceil(60)
    )]
    TooManyWrongCodes {
        /// When a code may be tried again.
        retry_after_seconds: u64,
    },
    /// House or TV is full.
    #[error("{words}")]
    Full {
        /// What is full, and what to do.
        words: String,
    },
    /// It could not be stored, or not found out whether it was.
    #[error("{words}")]
    Store {
        /// What happened, and what to do.
        words: String,
    },
}

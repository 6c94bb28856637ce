//! Identifiers of credentials, accounts, engagements and paired TVs.

use std::fmt;
use std::str::FromStr;

use playhouse_bus::ActorId;
use rand::{Rng, RngExt};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uuid::Uuid;

/// Crockford's base 32 in lower case: no `i`, `l`, `o`, `u`, so that an id can be read aloud.
const CROCKFORD: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The public part of a key: ten characters of Crockford base 32. Safe to show in lists and logs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CredentialId([u8; Self::LENGTH]);

impl CredentialId {
    /// Characters in an id.
    pub const LENGTH: usize = 10;

    /// Draws a new id: 50 random bits.
    pub fn draw(rng: &mut impl Rng) -> Self {
        Self(std::array::from_fn(|_| CROCKFORD[rng.random_range(0..CROCKFORD.len())]))
    }

    /// The id as it stands in the key.
    pub fn as_str(&self) -> &str {
        // Only ASCII is ever put in, by `draw` and by `from_str`.
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

impl fmt::Display for CredentialId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for CredentialId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CredentialId({})", self.as_str())
    }
}

/// The text is not ten characters of Crockford base 32.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a key id is ten characters of 0-9 and a-z without i, l, o and u")]
pub struct MalformedCredentialId;

impl FromStr for CredentialId {
    type Err = MalformedCredentialId;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let bytes: [u8; Self::LENGTH] = text.as_bytes().try_into().map_err(|_| MalformedCredentialId)?;
        if bytes.iter().all(|byte| CROCKFORD.contains(byte)) { Ok(Self(bytes)) } else { Err(MalformedCredentialId) }
    }
}

impl Serialize for CredentialId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for CredentialId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// One paired TV. It stays the same when the TV is renamed or paired again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TvId(Uuid);

impl TvId {
    /// A TV id made of `id`.
    pub const fn from_uuid(id: Uuid) -> Self {
        Self(id)
    }

    /// The bare id.
    pub const fn as_uuid(self) -> Uuid {
        self.0
    }

    /// The address of this TV's actor within its house.
    pub fn actor_id(self) -> ActorId {
        ActorId::from_uuid(self.0)
    }
}

impl fmt::Display for TvId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for TvId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// A person of a house.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AccountId(Uuid);

impl AccountId {
    /// A new id, which sorts behind the older ones.
    pub fn new() -> Self {
        Self(Uuid::now_v7())
    }

    /// An account id made of `id`.
    pub const fn from_uuid(id: Uuid) -> Self {
        Self(id)
    }
}

impl Default for AccountId {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Display for AccountId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for AccountId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// The hiring of one company or person by a production, within its house. A key bound to one reaches what it reaches and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EngagementId(pub u32);

impl fmt::Display for EngagementId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for EngagementId {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_survives_its_own_text() {
        let id = CredentialId::draw(&mut rand::rng());
        assert_eq!(id.to_string().parse(), Ok(id));
    }

    #[test]
    fn letters_outside_crockford_base_32_are_refused() {
        for text in ["", "9f3k2m7qx", "9f3k2m7qx1a", "9F3K2M7QX1", "9f3k2m7qxi", "9f3k2m7qxé"] {
            assert_eq!(text.parse::<CredentialId>(), Err(MalformedCredentialId), "{text}");
        }
    }
}

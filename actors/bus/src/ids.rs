//! Who is meant: the house, the actor of that house, and the key under which the bus finds it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::{Builder, Uuid};

use crate::ActorKind;

/// A tenant. Everything stored, and every actor, belongs to exactly one house.
///
/// Written as a hyphenated UUID, in text and in JSON.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HouseId(Uuid);

impl HouseId {
    /// What belongs to the operator's instance and to no house: pairing codes, the waiting list.
    pub const INSTANCE: HouseId = HouseId(Uuid::nil());

    /// The house that was stored under this UUID.
    pub const fn from_uuid(uuid: Uuid) -> Self {
        Self(uuid)
    }

    /// A new house: a version 7 UUID, so that houses sort by the time they were opened.
    ///
    /// The caller brings the clock (milliseconds since 1970) and the randomness.
    pub const fn new_v7(unix_milliseconds: u64, random: [u8; 10]) -> Self {
        Self(Builder::from_unix_timestamp_millis(unix_milliseconds, &random).into_uuid())
    }

    /// The UUID inside.
    pub const fn as_uuid(&self) -> &Uuid {
        &self.0
    }
}

impl fmt::Display for HouseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_hyphenated().fmt(f)
    }
}

impl FromStr for HouseId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// One actor among those of its kind in its house: for kind `tv`, the TV's own id.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ActorId(Uuid);

impl ActorId {
    /// The id of an actor of which its house has one only.
    pub const ONLY: ActorId = ActorId(Uuid::nil());

    /// The actor that stands for the thing with this UUID.
    pub const fn from_uuid(uuid: Uuid) -> Self {
        Self(uuid)
    }

    /// The UUID inside.
    pub const fn as_uuid(&self) -> &Uuid {
        &self.0
    }
}

impl fmt::Display for ActorId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.as_hyphenated().fmt(f)
    }
}

impl FromStr for ActorId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// The address of an actor: all a caller needs to know about it, on this machine or another.
///
/// Displayed as `kind/house/id`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct ActorKey {
    /// The house it belongs to, or [`HouseId::INSTANCE`].
    pub house: HouseId,
    /// What sort of actor it is.
    pub kind: ActorKind,
    /// Which one of its kind in its house, or [`ActorId::ONLY`].
    pub id: ActorId,
}

impl ActorKey {
    /// The actor `id` of `kind` in `house`.
    pub const fn new(house: HouseId, kind: ActorKind, id: ActorId) -> Self {
        Self { house, kind, id }
    }

    /// The one actor of `kind` in `house`.
    pub const fn only(house: HouseId, kind: ActorKind) -> Self {
        Self { house, kind, id: ActorId::ONLY }
    }
}

impl fmt::Display for ActorKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.kind, self.house, self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_reads_as_kind_house_and_id() {
        let house = HouseId::new_v7(1, [7; 10]);

        let shown = ActorKey::only(house, ActorKind::TvDevices).to_string();

        assert_eq!(shown, format!("tv_devices/{house}/00000000-0000-0000-0000-000000000000"));
    }

    #[test]
    fn a_house_survives_text_and_json() {
        let house = HouseId::new_v7(1_700_000_000_000, [9; 10]);

        assert_eq!(house.to_string().parse(), Ok(house));
        assert_eq!(serde_json::to_string(&house).unwrap(), format!("\"{house}\""));
        assert_eq!(serde_json::from_str::<HouseId>(&format!("\"{house}\"")).unwrap(), house);
    }

    #[test]
    fn houses_sort_by_the_time_they_were_opened() {
        assert!(HouseId::new_v7(1, [255; 10]) < HouseId::new_v7(2, [0; 10]));
    }
}

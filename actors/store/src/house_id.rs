//! Temporary stand-in until `playhouse_bus::HouseId` is merged; same shape.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Which house something belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HouseId(Uuid);

impl HouseId {
    /// What belongs to the operator's instance, not to a house.
    pub const INSTANCE: HouseId = HouseId(Uuid::nil());

    /// Wraps an id that was made elsewhere.
    pub const fn from_uuid(id: Uuid) -> Self {
        Self(id)
    }

    /// The id itself.
    pub const fn as_uuid(&self) -> &Uuid {
        &self.0
    }
}

impl fmt::Display for HouseId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for HouseId {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

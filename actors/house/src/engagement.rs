//! Whether the keys of an engagement open doors at present.

use playhouse_store::{Path, Record};
use serde::{Deserialize, Serialize};

use crate::ids::EngagementId;

/// The part of an engagement that every check of its keys needs. The production's actor writes it in the commit that changes the
/// engagement, and tells the [`KeyRing`](crate::KeyRing) before it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngagementStanding {
    /// Which engagement of the house.
    pub id: EngagementId,
    /// Whether its keys open doors.
    pub active: bool,
}

impl Record for EngagementStanding {
    const FORMAT: u16 = 1;
    const KIND: &'static str = "engagement_standing";
}

/// Where a house keeps how its engagements stand; [`engagement_path`] names one of them.
pub const ENGAGEMENTS: Path = Path::literal("engagement");

/// Where the standing of engagement `id` lies in its house.
pub fn engagement_path(id: EngagementId) -> Path {
    ENGAGEMENTS.join(id).expect("a number is a segment")
}

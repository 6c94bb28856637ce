//! The production itself, its episodes and departments, and who works for it.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::ids::{EngagementId, EpisodeId, NodeId, PersonId, VendorId};
use super::kinds::{ProductionKind, ScriptAccess};
use super::states::{EngagementStatus, EpisodeStatus, ProductionStatus};

/// One film, series season or commercial: what a house that makes films makes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Production {
    /// Its number in the API. A house has one production, so it is 1.
    pub id: u32,
    /// What it is called.
    pub title: String,
    /// Three or four letters that names of shots and files start with.
    pub code: String,
    /// What is being made.
    pub kind: ProductionKind,
    /// How far it is.
    pub status: ProductionStatus,
    /// IANA name of the time zone in which its days begin, such as `Europe/London`.
    pub timezone: String,
    /// ISO 4217 code of the currency it counts in.
    pub currency: String,
    /// Frames a second as a fraction or a whole number: `25`, `24000/1001`.
    pub fps: String,
    /// First day.
    pub start_date: Option<Date>,
    /// Last day.
    pub wrap_date: Option<Date>,
    /// Whether the key that asked for an approval is barred from deciding it.
    pub four_eyes: bool,
}

/// One instalment of a series. A film has none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Episode {
    /// Its id.
    pub id: EpisodeId,
    /// Season and order as one number: 101, 102.
    pub number: u32,
    /// What it is called.
    pub title: String,
    /// How far it is.
    pub status: EpisodeStatus,
}

/// A department, known by its slug.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Department {
    /// Lower case and hyphens: `vfx`, `set-dressing`.
    pub slug: String,
    /// What people call it.
    pub name: String,
    /// Its colour on boards, as `#rrggbb`.
    pub colour: Option<String>,
    /// Who leads it.
    pub head: Option<PersonId>,
}

/// Somebody who works for the production or for one of its vendors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// Their id.
    pub id: PersonId,
    /// Their name.
    pub name: String,
    /// What they do.
    pub role: Option<String>,
    /// Slug of their department.
    pub department: Option<String>,
    /// The vendor they work for.
    pub vendor: Option<VendorId>,
    /// Where to write to.
    pub email: Option<String>,
    /// Kept, and never shown by the API.
    pub phone: Option<String>,
}

/// An outside company.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vendor {
    /// Its id.
    pub id: VendorId,
    /// A few letters that file names carry: `NLT`.
    pub code: String,
    /// What it is called.
    pub name: String,
}

/// The hiring of one vendor for one scope of work: the limit of what its keys reach.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Engagement {
    /// Its id.
    pub id: EngagementId,
    /// What papers call it: `NLT-101`.
    pub code: String,
    /// What the work is.
    pub title: String,
    /// Who was hired.
    pub vendor: VendorId,
    /// Whether its keys work.
    pub status: EngagementStatus,
    /// Slug of the department that hired.
    pub department: Option<String>,
    /// First day.
    pub starts_on: Option<Date>,
    /// Last day.
    pub ends_on: Option<Date>,
    /// How much of the script it may read.
    pub script_access: ScriptAccess,
    /// What was assigned to it. Its reach is this, the assets that name it, and every scene that those assets or its turnovers' shots
    /// stand in.
    pub assigned: Vec<Assigned>,
}

/// One thing that was assigned to an engagement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Assigned {
    /// A scene, a character or an asset.
    Node(NodeId),
    /// All scenes of an episode and their characters; not its assets.
    Episode(EpisodeId),
}

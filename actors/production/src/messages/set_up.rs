//! What the command line, the admin page and the demo set up: no key can.

use jiff::civil::Date;
use playhouse_bus::Message;
use playhouse_house::{CredentialId, Scopes};
use serde::{Deserialize, Serialize};

use super::OfficeRefusal;
use crate::actor::ProductionActor;
use crate::model::{
    ApprovalId, DeliverySpec, EngagementId, EngagementStatus, EpisodeStatus, ProductionKind, ProductionStatus,
    ScriptAccess, SubjectType,
};

/// One step of setting a production up. Each makes the thing or changes the one of that code, number or slug, so repeating one
/// changes nothing further. An archived production takes no step.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SetUp {
    /// Who does it, as the activity list will have it.
    pub by: String,
    /// What.
    pub step: SetUpStep,
}

impl Message for SetUp {
    type Actor = ProductionActor;
    /// The number of the thing; 0 for departments, which have slugs; of files, how many they are.
    type Reply = Result<u32, OfficeRefusal>;
}

/// What is set up. Names of other things are codes, slugs and numbers as people use them.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SetUpStep {
    /// The production itself.
    PutProduction(PutProduction),
    /// An episode, by its number.
    PutEpisode(PutEpisode),
    /// A department, by its slug.
    PutDepartment(PutDepartment),
    /// A vendor, by its code.
    PutVendor(PutVendor),
    /// An engagement, by its code.
    PutEngagement(PutEngagement),
    /// Whether an engagement's keys work; bites on their next call.
    SetEngagementStatus {
        /// The engagement's code.
        code: String,
        /// What it becomes.
        status: EngagementStatus,
    },
    /// How far the production is. `archived` closes it for writes.
    SetProductionStatus {
        /// What it becomes.
        status: ProductionStatus,
    },
    /// How what comes back for a turnover is to be made and named.
    SetDeliverySpec {
        /// The delivery's code.
        code: String,
        /// How.
        spec: DeliverySpec,
    },
    /// Opens a turnover, or cancels or reopens a delivery, as its states allow.
    SetDeliveryStatus {
        /// The delivery's code.
        code: String,
        /// What it becomes.
        status: crate::model::DeliveryStatus,
    },
    /// Asks for an approval, also again after a decision: both stay.
    AskApproval {
        /// What sort of thing: a submission, an asset, an order or a draft.
        subject_type: SubjectType,
        /// Its number.
        id: u32,
        /// When an answer is owed.
        due_on: Option<Date>,
    },
    /// Says that a file is removed for good; what is known of it stays. The bytes are the media store's to remove, if no other house has the same.
    /// Answers how many files had these bytes.
    PurgeMedia {
        /// SHA-256 of the bytes, in hex.
        sha256: String,
    },
    /// Takes an approval back that is still pending.
    WithdrawApproval {
        /// Which.
        id: ApprovalId,
    },
}

/// Says in the activity list that a key of an engagement was made or revoked. The house made it so already: this is the note of it, without
/// anything of the secret. Repeating it changes nothing further, and an archived production takes it too.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct NoteKey {
    /// Who did it, as the activity list will have it.
    pub by: String,
    /// The key.
    pub credential: CredentialId,
    /// What people call it.
    pub label: String,
    /// The engagement it is bound to.
    pub engagement: EngagementId,
    /// What it may do.
    pub scopes: Scopes,
    /// What happened to it.
    pub change: KeyChange,
}

/// What happened to a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyChange {
    /// It was made.
    Created,
    /// It was revoked.
    Revoked,
}

impl Message for NoteKey {
    type Actor = ProductionActor;
    type Reply = Result<(), OfficeRefusal>;
}

/// The production's own fields.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PutProduction {
    /// What it is called.
    pub title: String,
    /// Three or four capital letters or digits.
    pub code: String,
    /// What is being made.
    pub kind: ProductionKind,
    /// How far it is.
    pub status: ProductionStatus,
    /// IANA name of its time zone.
    pub timezone: String,
    /// ISO 4217 code.
    pub currency: String,
    /// Frames a second: `25`, `24000/1001`.
    pub fps: String,
    /// First day.
    #[serde(default)]
    pub start_date: Option<Date>,
    /// Last day.
    #[serde(default)]
    pub wrap_date: Option<Date>,
    /// Whether the key that asked for an approval is barred from deciding it.
    #[serde(default)]
    pub four_eyes: bool,
}

/// An episode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PutEpisode {
    /// Season and order as one number: 101.
    pub number: u32,
    /// What it is called.
    pub title: String,
    /// How far it is; `planned` for a new one and unchanged for a known one when absent.
    #[serde(default)]
    pub status: Option<EpisodeStatus>,
}

/// A department.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PutDepartment {
    /// Lower case letters, digits and hyphens.
    pub slug: String,
    /// What people call it; made from the slug when absent and new.
    #[serde(default)]
    pub name: Option<String>,
    /// Its colour on boards, as `#rrggbb`.
    #[serde(default)]
    pub colour: Option<String>,
    /// Name of the person who leads it.
    #[serde(default)]
    pub head: Option<String>,
}

/// A vendor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PutVendor {
    /// A few letters that file names carry.
    pub code: String,
    /// What it is called.
    pub name: String,
}

/// An engagement with its reach.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PutEngagement {
    /// What papers call it.
    pub code: String,
    /// What the work is.
    pub title: String,
    /// The vendor's code.
    pub vendor: String,
    /// Whether its keys work.
    pub status: EngagementStatus,
    /// Slug of the department that hires.
    #[serde(default)]
    pub department: Option<String>,
    /// First day.
    #[serde(default)]
    pub starts_on: Option<Date>,
    /// Last day.
    #[serde(default)]
    pub ends_on: Option<Date>,
    /// How much of the script it may read; `text` when absent.
    #[serde(default)]
    pub script_access: Option<ScriptAccess>,
    /// What is assigned to it: `scene:4A`, `scene:101/4A`, `character:MARA`, `asset:creature`, `episode:101`. It replaces what was
    /// assigned; absent leaves that alone.
    #[serde(default)]
    pub reach: Option<Vec<String>>,
}

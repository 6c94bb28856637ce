//! What may be asked of a production: one variant a read endpoint.

use playhouse_bus::Message;
use serde::{Deserialize, Serialize};

use super::{Document, OfficeRefusal, Reader};
use crate::actor::ProductionActor;

/// Asks the office something. Answered from memory.
#[derive(Debug, Serialize, Deserialize)]
pub struct Read {
    /// Who asks.
    pub reader: Reader,
    /// What.
    pub question: Question,
}

impl Message for Read {
    type Actor = ProductionActor;
    type Reply = Result<Document, OfficeRefusal>;
}

/// One read endpoint with its parameters. Ids are whole numbers as the caller wrote them: what no record has is simply not found.
/// Filter words are checked by the office, which knows departments and words.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// `GET /production`.
    GetProduction,
    /// `GET /departments`.
    ListDepartments,
    /// `GET /departments/{slug}`.
    GetDepartment {
        /// Which.
        slug: String,
    },
    /// `GET /scenes`.
    ListScenes,
    /// `GET /assets`.
    ListAssets {
        /// Slug of a department.
        department: Option<String>,
        /// A kind of asset.
        kind: Option<String>,
        /// A status of assets.
        status: Option<String>,
    },
    /// `GET /assets/{node_id}`.
    GetAsset {
        /// Which.
        node_id: i64,
    },
    /// `GET /schedule`.
    GetSchedule {
        /// That episode only.
        episode_id: Option<i64>,
    },
    /// `GET /deliveries`.
    ListDeliveries,
    /// `GET /approvals`.
    ListApprovals {
        /// A status of approvals.
        status: Option<String>,
    },
    /// `GET /activity`.
    ListActivity {
        /// 1 to 200; 50 when absent.
        limit: Option<i64>,
        /// Older than this entry only.
        before_id: Option<i64>,
    },
    /// `GET /purchase-orders`.
    ListPurchaseOrders,
    /// `GET /bundles/scene/{node_id}`.
    SceneBundle {
        /// Which.
        node_id: i64,
    },
    /// `GET /bundles/character/{node_id}`.
    CharacterBundle {
        /// Which.
        node_id: i64,
    },
    /// `GET /turnovers`.
    ListTurnovers,
    /// `GET /script-changes`.
    ScriptChanges {
        /// That episode only.
        episode_id: Option<i64>,
        /// That draft against the one before it; the newest of each episode when absent.
        draft_id: Option<i64>,
    },
    /// `GET /people`.
    ListPeople {
        /// Slug of a department.
        department: Option<String>,
    },
    /// `GET /jobs`.
    ListJobs {
        /// A status of jobs.
        status: Option<String>,
    },
    /// `GET /media/{id}`.
    GetMedia {
        /// Which.
        id: i64,
    },
}

impl Question {
    /// Whether the answer grows with the production, so that it is long where the production is large.
    pub(crate) fn is_about_much(&self) -> bool {
        match self {
            Question::ListScenes
            | Question::ListAssets { .. }
            | Question::GetSchedule { .. }
            | Question::ListDepartments
            | Question::GetDepartment { .. }
            | Question::ListDeliveries
            | Question::ListApprovals { .. }
            | Question::ListTurnovers
            | Question::ScriptChanges { .. }
            | Question::ListPurchaseOrders
            | Question::CharacterBundle { .. }
            | Question::ListPeople { .. } => true,
            Question::GetProduction
            | Question::GetAsset { .. }
            | Question::ListActivity { .. }
            | Question::SceneBundle { .. }
            | Question::ListJobs { .. }
            | Question::GetMedia { .. } => false,
        }
    }
}

/// Asks for the file behind a media id, to send its bytes. 404 when it is out of reach, 410 when staff removed it.
#[derive(Debug, Serialize, Deserialize)]
pub struct FindMedia {
    /// Who asks.
    pub reader: Reader,
    /// Which.
    pub id: i64,
}

impl Message for FindMedia {
    type Actor = ProductionActor;
    type Reply = Result<MediaFile, OfficeRefusal>;
}

/// What is needed to send a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MediaFile {
    /// The name it came with.
    pub filename: String,
    /// What it says it is.
    pub content_type: String,
    /// Its length in bytes.
    pub size_bytes: u64,
    /// SHA-256 of its bytes in hex: its name on the disk.
    pub sha256: String,
}

/// Asks how the actor is.
#[derive(Debug, Serialize, Deserialize)]
pub struct Observe {}

impl Message for Observe {
    type Actor = ProductionActor;
    type Reply = OfficeState;
}

/// How a production's actor is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfficeState {
    /// Whether a production was set up in this house.
    pub has_production: bool,
    /// How many changes were committed over its life.
    pub revision: u64,
    /// Scenes, omitted ones included.
    pub n_scenes: usize,
    /// Characters.
    pub n_characters: usize,
    /// Assets.
    pub n_assets: usize,
    /// Entries of the activity list.
    pub n_activity: u32,
    /// Answers that are kept encoded.
    pub n_cached_answers: usize,
}

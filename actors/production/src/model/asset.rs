//! Things that must be made or found for the picture, and notes about nodes.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::ids::{EngagementId, NodeId, NoteId};
use super::kinds::{AssetKind, Visibility};
use super::states::AssetStatus;

/// Something that must be made or found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asset {
    /// Its id.
    pub node_id: NodeId,
    /// Its own short name, one of a kind in the production: `metal-case`.
    pub code: String,
    /// What it is called.
    pub name: String,
    /// What it is.
    pub kind: AssetKind,
    /// Slug of the department that makes it.
    pub department: Option<String>,
    /// How far it is.
    pub status: AssetStatus,
    /// What it looks like and must do.
    pub description: Option<String>,
    /// The engagement that makes it. It is then in that engagement's reach.
    pub engagement_id: Option<EngagementId>,
    /// The scenes it stands in, in no order.
    pub scenes: Vec<NodeId>,
    /// The characters it belongs to: costume, make-up, effects.
    pub characters: Vec<NodeId>,
    /// When it was made known.
    pub created_at: Timestamp,
    /// When anything of it last changed.
    pub updated_at: Timestamp,
}

/// A note on a scene, a character or an asset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Its id.
    pub id: NoteId,
    /// What it is about.
    pub node_id: NodeId,
    /// Who wrote it.
    pub author: String,
    /// The words, as they were written.
    pub body: String,
    /// Who may read it.
    pub visibility: Visibility,
    /// When it was written.
    pub created_at: Timestamp,
}

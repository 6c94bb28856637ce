//! Drafts, scenes and characters.

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::ids::{DraftId, EpisodeId, NodeId};
use super::kinds::{DraftSource, IntExt, SceneChange};

/// One version of the script of a film or of an episode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draft {
    /// Its id; a later draft of the same episode has a larger one.
    pub id: DraftId,
    /// The episode, for a series.
    pub episode_id: Option<EpisodeId>,
    /// The colour of its pages: `white`, `blue`, `second blue`.
    pub colour: String,
    /// What its title page calls it.
    pub label: Option<String>,
    /// The day its title page bears.
    pub dated: Option<Date>,
    /// When it was imported.
    pub imported_at: Timestamp,
    /// What it was read from.
    pub source: DraftSource,
    /// SHA-256 of the file, in hex: the same file again makes no new draft.
    pub sha256: String,
    /// Whether it was approved.
    pub approved: bool,
}

/// A scene as the newest draft has it. It keeps its node id for life, and stays when it is omitted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scene {
    /// Its id.
    pub node_id: NodeId,
    /// The episode, for a series.
    pub episode_id: Option<EpisodeId>,
    /// Its number in the script: `4A`. Empty while the script is not numbered.
    pub number: String,
    /// The whole heading: `INT. BOATHOUSE - DAWN`.
    pub heading: String,
    /// Inside or outside, where the heading says.
    pub int_ext: Option<IntExt>,
    /// The place in the heading.
    pub set_name: Option<String>,
    /// The time in the heading.
    pub time_of_day: Option<String>,
    /// Its length in eighths of a page.
    pub page_eighths: Option<u32>,
    /// Whether the length was estimated from laid-out lines.
    pub eighths_estimated: bool,
    /// Its place within the script of its episode, from 0.
    pub script_order: u32,
    /// A sentence on what happens.
    pub synopsis: Option<String>,
    /// Whether the newest draft has it as OMITTED.
    pub omitted: bool,
    /// The draft that last changed it; its text is that draft's [`SceneText`].
    pub draft_id: Option<DraftId>,
    /// Colour of the page it stands on: that of the draft that last changed it.
    pub colour: Option<String>,
    /// Who appears in it, in the order of their first word.
    pub characters: Vec<NodeId>,
}

/// What one draft made of one scene. Kept only where the draft changed the scene: in the drafts between, it is as before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SceneVersion {
    /// The draft.
    pub draft_id: DraftId,
    /// The scene.
    pub node_id: NodeId,
    /// How it differs from the draft before.
    pub change: SceneChange,
    /// Its number then.
    pub number: String,
    /// Its heading then.
    pub heading: String,
    /// Its length then, in eighths of a page.
    pub page_eighths: Option<u32>,
    /// Who appeared in it.
    pub characters: Vec<NodeId>,
}

/// The words of one scene in one draft: action and dialogue, without the heading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SceneText {
    /// The draft.
    pub draft_id: DraftId,
    /// The scene.
    pub node_id: NodeId,
    /// The words.
    pub text: String,
}

/// A speaking or named part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Character {
    /// Its id.
    pub node_id: NodeId,
    /// Its name, in capitals as scripts have it.
    pub name: String,
    /// Its number in the cast list.
    pub cast_number: Option<u32>,
    /// Who plays it.
    pub actor: Option<String>,
    /// Who it is.
    pub description: Option<String>,
}

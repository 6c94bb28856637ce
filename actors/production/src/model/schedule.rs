//! The stripboard and its milestones.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use super::ids::{DayId, EpisodeId, MilestoneId, NodeId};
use super::kinds::{DayKind, MilestoneKind};

/// One day of one unit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShootDay {
    /// Its id.
    pub id: DayId,
    /// Its number among the shoot days; none for days off.
    pub day_number: Option<u32>,
    /// The date.
    pub date: Date,
    /// Which unit: `main`, `second`.
    pub unit: String,
    /// What happens.
    pub kind: DayKind,
    /// When people are called, as `HH:MM`.
    pub call_time: Option<String>,
    /// Where.
    pub location: Option<String>,
    /// Anything else worth knowing.
    pub note: Option<String>,
    /// The scenes of the day, in the order they are shot.
    pub strips: Vec<Strip>,
}

/// One scene on one day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Strip {
    /// The scene.
    pub node_id: NodeId,
    /// Whether only part of the scene is shot.
    pub part: bool,
    /// How much of it, in eighths of a page; the scene's own length when absent.
    pub page_eighths: Option<u32>,
}

/// A date by which something is to happen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Milestone {
    /// Its id.
    pub id: MilestoneId,
    /// What is to happen.
    pub name: String,
    /// What it is about.
    pub kind: MilestoneKind,
    /// The date.
    #[schemars(with = "crate::reads::shapes::Day")]
    pub date: Date,
    /// The episode, if it is about one.
    pub episode_id: Option<EpisodeId>,
}

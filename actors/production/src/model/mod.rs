//! What a production consists of: the records, their numbers, their states and the words they use.
//!
//! Plain data without behaviour of its own. Times are UTC, days are calendar days in the production's time zone, money is whole
//! numbers of a currency's smallest unit.

mod activity;
mod asset;
mod delivery;
mod entity;
mod ids;
mod kinds;
mod production;
mod schedule;
mod script;
mod states;

pub use activity::{ActivityEntry, Actor, Approval, ApprovalStep, Job, OrderLine, PurchaseOrder, Subject};
pub use asset::{Asset, Note};
pub use delivery::{Delivery, DeliverySpec, Link, Media, Shot, Submission};
pub use entity::{Entity, EntityKey};
pub use ids::{
    ActivityId, ApprovalId, Counter, Counters, DayId, DeliveryId, DraftId, EngagementId, EpisodeId, Id, JobId, MediaId,
    MilestoneId, NodeId, NoteId, OrderId, PersonId, SubmissionId, VendorId,
};
pub use kinds::{
    ActorKind, AssetKind, DayKind, DeliveryKind, DraftSource, ImportKind, IntExt, MediaKind, MilestoneKind,
    ProductionKind, SceneChange, ScriptAccess, SubjectType, Verb, Via, Visibility,
};
pub use production::{Assigned, Department, Engagement, Episode, Person, Production, Vendor};
pub use schedule::{Milestone, ShootDay, Strip};
pub use script::{Character, Draft, Scene, SceneText, SceneVersion};
pub use states::{
    ApprovalStatus, AssetStatus, DeliveryStatus, EngagementStatus, EpisodeStatus, JobStatus, OrderStatus,
    ProductionStatus, SubmissionStatus, Words,
};

//! Every record of a production under one type, with the key it is kept under.

use serde::{Deserialize, Serialize};

use super::{
    Approval, ApprovalId, Asset, Character, DayId, Delivery, DeliveryId, Department, Draft, DraftId, Engagement,
    EngagementId, Episode, EpisodeId, Job, JobId, Media, MediaId, Milestone, MilestoneId, NodeId, Note, NoteId,
    OrderId, Person, PersonId, Production, PurchaseOrder, Scene, SceneText, SceneVersion, ShootDay, Shot, Submission,
    SubmissionId, Vendor, VendorId,
};

macro_rules! entities {
    ($($name:ident by $key:ty = |$it:ident| $of:expr;)*) => {
        /// One record of a production.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[expect(missing_docs, reason = "each variant holds the record of its name")]
        pub enum Entity {
            $($name($name),)*
        }

        /// Which record. Ordered by type, then by number.
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[expect(missing_docs, reason = "each variant is the key of the record of its name")]
        pub enum EntityKey {
            $($name($key),)*
        }

        impl Entity {
            /// The key it is kept under.
            pub fn key(&self) -> EntityKey {
                match self {
                    $(Entity::$name($it) => EntityKey::$name($of),)*
                }
            }
        }

        $(
            impl From<$name> for Entity {
                fn from(record: $name) -> Self {
                    Entity::$name(record)
                }
            }
        )*
    };
}

entities! {
    Production by () = |_it| ();
    Episode by EpisodeId = |it| it.id;
    Department by String = |it| it.slug.clone();
    Vendor by VendorId = |it| it.id;
    Person by PersonId = |it| it.id;
    Engagement by EngagementId = |it| it.id;
    Draft by DraftId = |it| it.id;
    Scene by NodeId = |it| it.node_id;
    SceneVersion by (NodeId, DraftId) = |it| (it.node_id, it.draft_id);
    SceneText by (NodeId, DraftId) = |it| (it.node_id, it.draft_id);
    Character by NodeId = |it| it.node_id;
    Asset by NodeId = |it| it.node_id;
    Note by NoteId = |it| it.id;
    ShootDay by DayId = |it| it.id;
    Milestone by MilestoneId = |it| it.id;
    Delivery by DeliveryId = |it| it.id;
    Shot by (DeliveryId, u32) = |it| (it.delivery_id, it.position);
    Submission by SubmissionId = |it| it.id;
    Media by MediaId = |it| it.id;
    Approval by ApprovalId = |it| it.id;
    PurchaseOrder by OrderId = |it| it.id;
    Job by JobId = |it| it.id;
}

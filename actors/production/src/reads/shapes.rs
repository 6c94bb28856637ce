//! The shapes of the office's documents, for the tools' output schemas and the OpenAPI document.
//!
//! The types that are encoded stay this module's own; what others get is a name that stands for a type's schema.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use super::{
    approvals, assets, bundles, deliveries, departments, media, orders, production, scenes, schedule, script_changes,
    turnovers,
};

macro_rules! shapes {
    ($($(#[$doc:meta])* $name:ident = $type:ty;)*) => {
        $(
            $(#[$doc])*
            pub struct $name;

            impl JsonSchema for $name {
                fn inline_schema() -> bool {
                    <$type>::inline_schema()
                }

                fn schema_name() -> Cow<'static, str> {
                    stringify!($name).into()
                }

                fn schema_id() -> Cow<'static, str> {
                    <$type>::schema_id()
                }

                fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                    <$type>::json_schema(generator)
                }
            }
        )*
    };
}

shapes! {
    /// `GET /production`.
    Production = production::ProductionAnswer<'static>;
    /// `GET /departments`.
    Departments = Vec<departments::DepartmentRow<'static>>;
    /// `GET /departments/{slug}`.
    DepartmentInFull = departments::DepartmentAnswer<'static>;
    /// `GET /scenes`.
    Scenes = Vec<scenes::SceneRow<'static>>;
    /// `GET /assets`.
    Assets = Vec<assets::AssetRow<'static>>;
    /// `GET /assets/{node_id}`.
    AssetInFull = assets::AssetDetail<'static>;
    /// `GET /schedule`.
    Schedule = schedule::ScheduleAnswer<'static>;
    /// `GET /deliveries`.
    Deliveries = Vec<deliveries::DeliveryRow<'static>>;
    /// `GET /approvals`.
    Approvals = Vec<approvals::ApprovalRow<'static>>;
    /// `GET /activity`.
    ActivityEntries = Vec<crate::model::ActivityEntry>;
    /// `GET /purchase-orders`.
    PurchaseOrders = Vec<orders::OrderRow<'static>>;
    /// `GET /bundles/scene/{node_id}`.
    SceneBundle = bundles::SceneBundle<'static>;
    /// `GET /bundles/character/{node_id}`.
    CharacterBundle = bundles::CharacterBundle<'static>;
    /// `GET /turnovers`.
    Turnovers = Vec<turnovers::TurnoverRow<'static>>;
    /// `POST /turnovers/{id}/submissions`.
    Submission = turnovers::SubmissionReply<'static>;
    /// `GET /script-changes`.
    ScriptChanges = Vec<script_changes::EpisodeChanges<'static>>;
    /// `GET /people`.
    People = Vec<departments::PersonRow<'static>>;
    /// `GET /jobs`.
    Jobs = Vec<crate::model::Job>;
    /// `GET /media/{id}`.
    Media = media::MediaAnswer<'static>;
    /// `POST /assets/{node_id}/notes`.
    Note = assets::NoteRow<'static>;
    /// `POST /approvals/{id}/decide`.
    DecidedApproval = approvals::Decided<'static>;
    /// `POST /imports/{kind}`.
    ImportAnswer = crate::messages::ImportAnswer;
}

/// A time as RFC 3339 in UTC.
pub(crate) struct Moment;

/// A date as ISO 8601.
pub(crate) struct Day;

impl JsonSchema for Moment {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Moment".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date-time" })
    }
}

impl JsonSchema for Day {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Day".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "format": "date" })
    }
}

//! The fourteen tools that read. Each is a row: its words, its scope and door, and the question it asks.

use std::marker::PhantomData;

use playhouse_house::Scope;
use playhouse_tools::{Answer, Descriptor, DuplicateTool, Effect, Failure, Manner, Registry, Tool, ToolCall};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::ask;
use super::document::{OfficeDocument, one_of};
use crate::Question;
use crate::model::{ApprovalStatus, AssetKind, AssetStatus};
use crate::shapes;

/// A tool that asks one question. `A` are its arguments, `T` is the shape of its answer.
struct ReadTool<A, T> {
    descriptor: Descriptor,
    question: fn(A) -> Question,
    shape: PhantomData<fn() -> T>,
}

impl<A: DeserializeOwned + JsonSchema + 'static, T: JsonSchema + 'static> Tool for ReadTool<A, T> {
    type Arguments = A;
    type Output = OfficeDocument<T>;

    fn descriptor(&self) -> Descriptor {
        self.descriptor.clone()
    }

    async fn call(&self, call: ToolCall, arguments: A) -> Result<Answer<OfficeDocument<T>>, Failure> {
        let document = ask(&call.bus, &call.principal, (self.question)(arguments), call.deadline).await?;
        Ok(Answer::new(document.into(), ""))
    }
}

/// No arguments.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DepartmentArguments {
    /// The department's short name, as list_departments gives it: `vfx`.
    slug: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AssetFilters {
    /// Only those of one department, by its slug.
    department: Option<String>,
    /// Only those of one kind.
    #[schemars(schema_with = "one_of::<AssetKind>")]
    #[serde(default)]
    kind: Option<String>,
    /// Only those in one status.
    #[schemars(schema_with = "one_of::<AssetStatus>")]
    #[serde(default)]
    status: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NodeArguments {
    /// The number of the scene, character or asset, as lists give it.
    node_id: i64,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct EpisodeArguments {
    /// Only one episode, by its id; all of them when left out.
    episode_id: Option<i64>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ApprovalFilters {
    /// Only those in one status.
    #[schemars(schema_with = "one_of::<ApprovalStatus>")]
    #[serde(default)]
    status: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ActivityArguments {
    /// How many entries, newest first; 50 when left out.
    #[schemars(range(min = 1, max = 200))]
    limit: Option<i64>,
}

/// What the reads have in common: `read`, and production-wide keys only.
const WIDE: Descriptor = Descriptor {
    scope: Scope::Read,
    effect: Effect::Reads,
    closed_world: true,
    manner: Manner::Office,
    ..Descriptor::DEFAULT
};

/// Those that keys bound to an engagement may call too; they are shown their engagement's part.
const EITHER: Descriptor = Descriptor { open_to_engagements: true, ..WIDE };

/// Adds the reads.
pub(super) fn add(registry: &mut Registry) -> Result<(), DuplicateTool> {
    registry.add(reads::<_, shapes::Production>(
        Descriptor {
            name: "get_production",
            title: "The production",
            description: "What is being made and how far it is: title, status, episodes with their newest draft, counts of scenes, assets, open \
                          turnovers and pending approvals, and the shoot day. Start here.",
            ..WIDE
        },
        |Nothing {}| Question::GetProduction,
    ))?;
    registry.add(reads::<_, shapes::Departments>(
        Descriptor {
            name: "list_departments",
            title: "Departments",
            description: "All departments with their heads and how many of their assets are not approved and deliveries overdue.",
            ..WIDE
        },
        |Nothing {}| Question::ListDepartments,
    ))?;
    registry.add(reads::<_, shapes::DepartmentInFull>(
        Descriptor {
            name: "get_department",
            title: "One department",
            description: "One department with its people, assets and deliveries.",
            ..WIDE
        },
        |DepartmentArguments { slug }| Question::GetDepartment { slug },
    ))?;
    registry.add(reads::<_, shapes::Scenes>(
        Descriptor {
            name: "list_scenes",
            title: "Scenes in script order",
            description: "Every scene of every episode: number, heading, length in eighths of a page, colour of its last change, characters, asset \
                          count and shoot dates. Omitted scenes stay in the list. get_scene_bundle tells all about one.",
            ..WIDE
        },
        |Nothing {}| Question::ListScenes,
    ))?;
    registry.add(reads::<_, shapes::Assets>(
        Descriptor {
            name: "list_assets",
            title: "Assets",
            description: "What must be made or found for the picture, by department and code, with status and scenes. Filters can be combined.",
            ..WIDE
        },
        |AssetFilters { department, kind, status }| Question::ListAssets { department, kind, status },
    ))?;
    registry.add(reads::<_, shapes::AssetInFull>(
        Descriptor {
            name: "get_asset",
            title: "One asset",
            description: "One asset with its description, scenes, notes (newest first), files and approvals.",
            ..WIDE
        },
        |NodeArguments { node_id }| Question::GetAsset { node_id },
    ))?;
    registry.add(reads::<_, shapes::Schedule>(
        Descriptor {
            name: "get_schedule",
            title: "The schedule",
            description: "Shoot days with their strips, milestones, and the scenes that are on no day yet.",
            ..WIDE
        },
        |EpisodeArguments { episode_id }| Question::GetSchedule { episode_id },
    ))?;
    registry.add(reads::<_, shapes::Deliveries>(
        Descriptor {
            name: "list_deliveries",
            title: "Deliveries",
            description: "Everything that is owed by a date, by that date, with its engagement and how much was submitted.",
            ..WIDE
        },
        |Nothing {}| Question::ListDeliveries,
    ))?;
    registry.add(reads::<_, shapes::Approvals>(
        Descriptor {
            name: "list_approvals",
            title: "Approvals",
            description: "What waits for a decision, then what was decided, newest first. Deciding is not a tool: it is done by people.",
            ..WIDE
        },
        |ApprovalFilters { status }| Question::ListApprovals { status },
    ))?;
    registry.add(reads::<_, shapes::ActivityEntries>(
        Descriptor {
            name: "list_activity",
            title: "What happened",
            description: "The activity list, newest first: who did what to what, in a sentence each.",
            ..WIDE
        },
        |ActivityArguments { limit }| Question::ListActivity { limit, before_id: None },
    ))?;
    registry.add(reads::<_, shapes::PurchaseOrders>(
        Descriptor {
            name: "get_purchase_orders",
            title: "Purchase orders",
            description: "Purchase orders by number, with amounts in minor units (pence, cents) and their currency. A vendor's key sees its own \
                          engagement's orders only.",
            scope: Scope::ReadMoney,
            ..EITHER
        },
        |Nothing {}| Question::ListPurchaseOrders,
    ))?;
    registry.add(reads::<_, shapes::SceneBundle>(
        Descriptor {
            name: "get_scene_bundle",
            title: "All about one scene",
            description: "One scene in one place: script text, changes, characters, assets, shoot dates, deliveries, notes, files, approvals and \
                          what is outstanding. `view` says whether this is the production's view or one engagement's part.",
            ..EITHER
        },
        |NodeArguments { node_id }| Question::SceneBundle { node_id },
    ))?;
    registry.add(reads::<_, shapes::CharacterBundle>(
        Descriptor {
            name: "get_character_bundle",
            title: "All about one character",
            description: "One character in one place: scenes in script order with dates, costume, make-up and effects, deliveries, notes, files, \
                          approvals and what is outstanding. `view` says whether this is the production's view or one engagement's part.",
            ..EITHER
        },
        |NodeArguments { node_id }| Question::CharacterBundle { node_id },
    ))?;
    registry.add(reads::<_, shapes::Turnovers>(
        Descriptor {
            name: "list_turnovers",
            title: "Turnovers",
            description: "What was handed over to be worked on, outstanding first: shots, package, how the return is to be made and named, and \
                          what was submitted. A vendor's key sees its own engagement's only.",
            ..EITHER
        },
        |Nothing {}| Question::ListTurnovers,
    ))
}

fn reads<A, T>(descriptor: Descriptor, question: fn(A) -> Question) -> ReadTool<A, T> {
    ReadTool { descriptor, question, shape: PhantomData }
}

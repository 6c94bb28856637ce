//! The production office's endpoints, one row each. Routing, the order of checks and the OpenAPI document all come from here.

use playhouse_house::Scope;
use playhouse_production::messages::{NewAsset, NewDecision, NewNote};
use playhouse_production::model::{ApprovalStatus, AssetKind, AssetStatus, ImportKind, JobStatus, Words};
use playhouse_production::{Question, shapes};
use schemars::{JsonSchema, Schema, SchemaGenerator};

use super::parameters::{Form, Parameters, QueryParameter};

/// One endpoint.
#[derive(Debug)]
pub struct Endpoint {
    /// `GET` or `POST`.
    pub method: Method,
    /// Below the base path, with at most one parameter in braces.
    pub path: &'static str,
    /// The scope a key needs.
    pub scope: Scope,
    /// One more scope that a key needs where this word stands in the path.
    pub scope_of_word: Option<(&'static str, Scope)>,
    /// Whose keys may use it.
    pub door: Door,
    /// What it is for, in the OpenAPI document.
    pub summary: &'static str,
    /// The tool that does the same, where there is one.
    pub tool: Option<&'static str>,
    pub(super) path_form: PathForm,
    pub(super) query: &'static [QueryParameter],
    pub(super) body: Body,
    pub(super) answer: Shape,
    pub(super) work: Work,
}

/// The methods that the office takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Writes.
    Post,
}

impl Method {
    /// As it stands in a request.
    pub const fn as_str(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Post => "POST",
        }
    }
}

/// Whose keys may use an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Door {
    /// Production-wide keys only.
    Production,
    /// Also keys bound to an engagement, which are shown their engagement's part.
    Either,
}

/// What stands in the braces of a path.
#[derive(Debug, Clone, Copy)]
pub(super) enum PathForm {
    Plain,
    /// The number of a record.
    Id(&'static str),
    /// A word.
    Text(&'static str),
}

/// What a request brings.
#[derive(Debug, Clone, Copy)]
pub(super) enum Body {
    None,
    /// A small JSON object of this shape.
    Json(Shape),
    /// A form whose files stream to the disk.
    Submission,
    /// One file of any kind that the importers read.
    File,
}

/// The shape of a JSON document.
#[derive(Clone, Copy)]
pub(super) struct Shape(pub(super) fn(&mut SchemaGenerator) -> Schema);

impl std::fmt::Debug for Shape {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Shape")
    }
}

const fn shape<T: JsonSchema>() -> Shape {
    Shape(SchemaGenerator::subschema_for::<T>)
}

/// What an endpoint does once all checks before its parameters have passed.
#[derive(Debug)]
pub(super) enum Work {
    /// Asks the office.
    Read(fn(Given) -> Question),
    /// Sends a file.
    Content,
    CreateAsset,
    AddNote,
    Decide,
    Submit,
    Import,
}

/// What a request gave: the parameter of its path, read by its form, and those of its query.
#[derive(Debug, Default)]
pub(super) struct Given {
    /// The number in the path.
    pub(super) id: i64,
    /// The word in the path.
    pub(super) word: String,
    /// The query.
    pub(super) query: Parameters,
}

impl Given {
    fn text(&self, name: &str) -> Option<String> {
        self.query.text(name).map(str::to_owned)
    }
}

fn words<W: Words>() -> Vec<&'static str> {
    W::ALL.iter().map(|word| word.as_str()).collect()
}

const fn read(path: &'static str, summary: &'static str, answer: Shape, question: fn(Given) -> Question) -> Endpoint {
    Endpoint {
        method: Method::Get,
        path,
        scope: Scope::Read,
        scope_of_word: None,
        door: Door::Production,
        summary,
        tool: None,
        path_form: PathForm::Plain,
        query: &[],
        body: Body::None,
        answer,
        work: Work::Read(question),
    }
}

const fn write(path: &'static str, summary: &'static str, body: Body, answer: Shape, work: Work) -> Endpoint {
    Endpoint {
        method: Method::Post,
        path,
        scope: Scope::Write,
        scope_of_word: None,
        door: Door::Production,
        summary,
        tool: None,
        path_form: PathForm::Plain,
        query: &[],
        body,
        answer,
        work,
    }
}

const DEPARTMENT: QueryParameter =
    QueryParameter { name: "department", form: Form::Text, about: "Only those of this department, by its slug." };
const EPISODE: QueryParameter =
    QueryParameter { name: "episode_id", form: Form::Id, about: "Only this episode; all of them when left out." };

/// All endpoints of the office, in the order of its documentation.
pub static ENDPOINTS: [Endpoint; 24] = [
    Endpoint {
        tool: Some("get_production"),
        ..read("/production", "The production and how far it is", shape::<shapes::Production>(), |_| {
            Question::GetProduction
        })
    },
    Endpoint {
        tool: Some("list_departments"),
        ..read("/departments", "All departments", shape::<shapes::Departments>(), |_| Question::ListDepartments)
    },
    Endpoint {
        tool: Some("get_department"),
        path_form: PathForm::Text("slug"),
        ..read(
            "/departments/{slug}",
            "One department with people, assets and deliveries",
            shape::<shapes::DepartmentInFull>(),
            |given| Question::GetDepartment { slug: given.word },
        )
    },
    Endpoint {
        tool: Some("list_scenes"),
        ..read("/scenes", "All scenes in script order, omitted ones too", shape::<shapes::Scenes>(), |_| {
            Question::ListScenes
        })
    },
    Endpoint {
        tool: Some("list_assets"),
        query: &[
            DEPARTMENT,
            QueryParameter { name: "kind", form: Form::OneOf(words::<AssetKind>), about: "Only those of this kind." },
            QueryParameter {
                name: "status",
                form: Form::OneOf(words::<AssetStatus>),
                about: "Only those in this status.",
            },
        ],
        ..read("/assets", "Assets by department and code", shape::<shapes::Assets>(), |given| Question::ListAssets {
            department: given.text("department"),
            kind: given.text("kind"),
            status: given.text("status"),
        })
    },
    Endpoint {
        tool: Some("get_asset"),
        path_form: PathForm::Id("node_id"),
        ..read(
            "/assets/{node_id}",
            "One asset with scenes, notes, files and approvals",
            shape::<shapes::AssetInFull>(),
            |given| Question::GetAsset { node_id: given.id },
        )
    },
    Endpoint {
        tool: Some("get_schedule"),
        query: &[EPISODE],
        ..read("/schedule", "Shoot days, milestones and unscheduled scenes", shape::<shapes::Schedule>(), |given| {
            Question::GetSchedule { episode_id: given.query.number("episode_id") }
        })
    },
    Endpoint {
        tool: Some("list_deliveries"),
        ..read("/deliveries", "Everything owed by a date, by that date", shape::<shapes::Deliveries>(), |_| {
            Question::ListDeliveries
        })
    },
    Endpoint {
        tool: Some("list_approvals"),
        query: &[QueryParameter {
            name: "status",
            form: Form::OneOf(words::<ApprovalStatus>),
            about: "Only those in this status.",
        }],
        ..read("/approvals", "Approvals, pending first, then newest", shape::<shapes::Approvals>(), |given| {
            Question::ListApprovals { status: given.text("status") }
        })
    },
    Endpoint {
        tool: Some("list_activity"),
        query: &[
            QueryParameter { name: "limit", form: Form::Between(1, 200), about: "How many entries; 50 when left out." },
            QueryParameter { name: "before_id", form: Form::Id, about: "Only entries older than this one." },
        ],
        ..read("/activity", "What happened, newest first", shape::<shapes::ActivityEntries>(), |given| {
            Question::ListActivity { limit: given.query.number("limit"), before_id: given.query.number("before_id") }
        })
    },
    Endpoint {
        tool: Some("get_purchase_orders"),
        scope: Scope::ReadMoney,
        door: Door::Either,
        ..read("/purchase-orders", "Purchase orders by number", shape::<shapes::PurchaseOrders>(), |_| {
            Question::ListPurchaseOrders
        })
    },
    Endpoint {
        tool: Some("get_scene_bundle"),
        door: Door::Either,
        path_form: PathForm::Id("node_id"),
        ..read("/bundles/scene/{node_id}", "All about one scene", shape::<shapes::SceneBundle>(), |given| {
            Question::SceneBundle { node_id: given.id }
        })
    },
    Endpoint {
        tool: Some("get_character_bundle"),
        door: Door::Either,
        path_form: PathForm::Id("node_id"),
        ..read("/bundles/character/{node_id}", "All about one character", shape::<shapes::CharacterBundle>(), |given| {
            Question::CharacterBundle { node_id: given.id }
        })
    },
    Endpoint {
        tool: Some("list_turnovers"),
        door: Door::Either,
        ..read("/turnovers", "Turnovers, outstanding first", shape::<shapes::Turnovers>(), |_| Question::ListTurnovers)
    },
    Endpoint {
        tool: Some("submit_turnover"),
        scope: Scope::SubmitTurnover,
        door: Door::Either,
        path_form: PathForm::Id("id"),
        ..write(
            "/turnovers/{id}/submissions",
            "Sends files back for a turnover; sending the same set again answers the first submission",
            Body::Submission,
            shape::<shapes::Submission>(),
            Work::Submit,
        )
    },
    Endpoint {
        query: &[
            EPISODE,
            QueryParameter {
                name: "draft_id",
                form: Form::Id,
                about: "This draft against the one before it; the newest of each episode when left out.",
            },
        ],
        ..read("/script-changes", "What a draft changed, scene by scene", shape::<shapes::ScriptChanges>(), |given| {
            Question::ScriptChanges {
                episode_id: given.query.number("episode_id"),
                draft_id: given.query.number("draft_id"),
            }
        })
    },
    Endpoint {
        query: &[DEPARTMENT],
        ..read("/people", "People by name", shape::<shapes::People>(), |given| Question::ListPeople {
            department: given.text("department"),
        })
    },
    Endpoint {
        query: &[QueryParameter {
            name: "status",
            form: Form::OneOf(words::<JobStatus>),
            about: "Only those in this status.",
        }],
        ..read("/jobs", "Background work, newest first", shape::<shapes::Jobs>(), |given| Question::ListJobs {
            status: given.text("status"),
        })
    },
    Endpoint {
        door: Door::Either,
        path_form: PathForm::Id("id"),
        ..read("/media/{id}", "What is known of a file", shape::<shapes::Media>(), |given| Question::GetMedia {
            id: given.id,
        })
    },
    Endpoint {
        door: Door::Either,
        path_form: PathForm::Id("id"),
        work: Work::Content,
        // Never asked: the work is another.
        ..read(
            "/media/{id}/content",
            "A file's bytes; also HEAD, and single ranges",
            shape::<shapes::Media>(),
            |given| Question::GetMedia { id: given.id },
        )
    },
    write(
        "/assets",
        "Adds an asset",
        Body::Json(shape::<NewAsset>()),
        shape::<shapes::AssetInFull>(),
        Work::CreateAsset,
    ),
    Endpoint {
        path_form: PathForm::Id("node_id"),
        ..write(
            "/assets/{node_id}/notes",
            "Adds a note to an asset, a scene or a character",
            Body::Json(shape::<NewNote>()),
            shape::<shapes::Note>(),
            Work::AddNote,
        )
    },
    Endpoint {
        path_form: PathForm::Id("id"),
        ..write(
            "/approvals/{id}/decide",
            "Decides an approval; deciding the same way twice answers the first outcome",
            Body::Json(shape::<NewDecision>()),
            shape::<shapes::DecidedApproval>(),
            Work::Decide,
        )
    },
    Endpoint {
        path_form: PathForm::Text("kind"),
        // The word of `ImportKind::PurchaseOrders`.
        scope_of_word: Some(("purchase-orders", Scope::ReadMoney)),
        query: &[
            QueryParameter { name: "dry_run", form: Form::Flag, about: "Answers the report and writes nothing." },
            QueryParameter { name: "episode_id", form: Form::Id, about: "The episode of a script." },
            QueryParameter { name: "colour", form: Form::Text, about: "The colour of a script's pages." },
            QueryParameter { name: "dated", form: Form::Date, about: "The date of a script." },
            QueryParameter { name: "delivery", form: Form::Text, about: "The code of the delivery whose cut this is." },
            QueryParameter { name: "pattern", form: Form::Text, about: "How the clips of a cut are named." },
        ],
        ..write(
            "/imports/{kind}",
            "Imports a script, a sheet or a cut: all of it or nothing",
            Body::File,
            shape::<shapes::ImportAnswer>(),
            Work::Import,
        )
    },
];

/// The kinds that stand in the path of imports.
pub(super) fn import_kinds() -> Vec<&'static str> {
    words::<ImportKind>()
}

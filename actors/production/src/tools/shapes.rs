//! The shapes of the office's documents, for the tools' output schemas and the OpenAPI document.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

/// An object whose members are not told.
pub struct AnyObject;

/// A list whose entries are not told.
pub struct AnyList;

impl JsonSchema for AnyObject {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Object".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object" })
    }
}

impl JsonSchema for AnyList {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "List".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "array" })
    }
}

pub type Production = AnyObject;
pub type Departments = AnyList;
pub type DepartmentInFull = AnyObject;
pub type Scenes = AnyList;
pub type Assets = AnyList;
pub type AssetInFull = AnyObject;
pub type Schedule = AnyObject;
pub type Deliveries = AnyList;
pub type Approvals = AnyList;
pub type ActivityEntries = AnyList;
pub type PurchaseOrders = AnyList;
pub type SceneBundle = AnyObject;
pub type CharacterBundle = AnyObject;
pub type Turnovers = AnyList;
pub type Submission = AnyObject;
pub type ScriptChanges = AnyList;
pub type People = AnyList;
pub type Jobs = AnyList;
pub type Media = AnyObject;
pub type Note = AnyObject;
pub type DecidedApproval = AnyObject;
pub type ImportAnswer = AnyObject;

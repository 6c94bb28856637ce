//! A document of the office as a tool's answer, and the schemas that go with it.

use std::borrow::Cow;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::Document;
use crate::model::Words;

/// A document that is encoded already and has the shape of `T`.
pub struct OfficeDocument<T> {
    document: Document,
    shape: PhantomData<fn() -> T>,
}

impl<T> From<Document> for OfficeDocument<T> {
    fn from(document: Document) -> Self {
        Self { document, shape: PhantomData }
    }
}

impl<T> Serialize for OfficeDocument<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(self.document.json()).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

impl<T: JsonSchema> JsonSchema for OfficeDocument<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// The schema of one of the words of `W`, as a plain list: hosts drop tools whose schemas are composed of alternatives.
pub fn one_of<W: Words>(_: &mut SchemaGenerator) -> Schema {
    let words: Vec<&str> = W::ALL.iter().map(|word| word.as_str()).collect();
    json_schema!({ "type": "string", "enum": words })
}

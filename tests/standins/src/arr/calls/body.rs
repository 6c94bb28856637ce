//! What may be posted.

use serde_json::Value;

use super::super::{ask::property, commands::names, kind::ArrKind};
use crate::loopback::RequestViolation;

/// What a call reads of its body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// There is none.
    None,
    /// A command by its name, with its parameters beside it.
    Command,
    /// A release, by what it was found with.
    Release,
    /// `ids`
    Ids,
    /// `label`
    Tag,
    /// A list of files.
    Files,
    /// A profile or a custom format, whose rules are the application's: what breaks them is its user's wish, not a mistake in the call.
    Setting,
}

/// What is wrong with a body for anyone who means what it says.
pub(crate) fn faults(kind: ArrKind, shape: Shape, body: &Value) -> Vec<RequestViolation> {
    let mut reasons = Vec::new();
    match shape {
        Shape::None => {}
        Shape::Command => names::faults(kind, body, &mut reasons),
        Shape::Release => {
            need(body, "guid", "text", Value::is_string, &mut reasons);
            need(body, "indexerId", "a number", Value::is_u64, &mut reasons);
        }
        Shape::Ids => need(body, "ids", "a list of numbers", is_ids, &mut reasons),
        Shape::Tag => need(body, "label", "text", Value::is_string, &mut reasons),
        Shape::Setting => {
            if !body.is_object() {
                reasons.push("no object".to_owned());
            }
        }
        Shape::Files => {
            if !body.is_array() {
                reasons.push("not a list of files".to_owned());
            }
        }
    }
    reasons.into_iter().map(|reason| RequestViolation::Body { reason }).collect()
}

fn need(body: &Value, name: &str, what: &str, fits: impl Fn(&Value) -> bool, reasons: &mut Vec<String>) {
    if !property(body, name).is_some_and(fits) {
        reasons.push(format!("`{name}` must be {what}"));
    }
}

/// A list that says something.
pub(crate) fn is_ids(value: &Value) -> bool {
    value.as_array().is_some_and(|ids| !ids.is_empty() && ids.iter().all(Value::is_u64))
}

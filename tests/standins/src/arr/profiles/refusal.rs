//! What the application says when a rule of its own forbids something: a list with an entry for each rule.

use serde_json::{Value, json};

use super::bind::Misfit;
use crate::{arr::ask::unbindable, loopback::Reply};

/// Rules that something breaks, in the order in which they are looked at.
#[derive(Debug, Default)]
pub(super) struct Refusals(Vec<Value>);

impl Refusals {
    /// A rule about one property, by the name that it has there: in capitals.
    pub(super) fn add(&mut self, property: &str, message: &str, code: &str, attempted: &Value) {
        let mut entry = json!({ "propertyName": property, "errorMessage": message, "severity": "error", "errorCode": code,
            "formattedMessageArguments": [],
            "formattedMessagePlaceholderValues": { "propertyName": property, "propertyValue": attempted } });
        if !attempted.is_null() {
            entry["attemptedValue"] = attempted.clone();
        }
        self.0.push(entry);
    }

    /// A rule about the whole thing: it has no property and no code.
    pub(super) fn add_of_the_whole(&mut self, message: &str) {
        self.0.push(json!({ "propertyName": "", "errorMessage": message, "severity": "error" }));
    }

    /// As [`Refusals::add`], where the rule is broken.
    pub(super) fn unless(&mut self, is_kept: bool, property: &str, message: &str, code: &str, attempted: &Value) {
        if !is_kept {
            self.add(property, message, code, attempted);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The answer, or nothing where no rule is broken.
    pub(super) fn check(self) -> Result<(), Reply> {
        if self.is_empty() { Ok(()) } else { Err(Reply::new(400, Value::Array(self.0))) }
    }
}

/// What the framework says before any rule is looked at.
pub(super) fn misfit(misfit: &Misfit) -> Reply {
    let Misfit { path, wanted } = misfit;
    let message = format!(
        "The JSON value could not be converted to {wanted}. Path: {path} | LineNumber: 0 | BytePositionInLine: 29."
    );
    unbindable(path, &message)
}

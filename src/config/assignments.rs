//! One assignment is one key, one value and where they stand. The file and the environment are both turned into a list
//! of them, so that a value is checked in one way wherever it was written.

use std::path::Path;

use serde::Deserialize;
use serde::de::IntoDeserializer;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

use super::Config;
use super::keys::{self, Key, Keys};
use super::problems::{Origin, Problem};

/// How much of a wrong value is shown.
const MAX_SHOWN_CHARS: usize = 60;

pub(super) struct Assignment {
    pub(super) section: String,
    pub(super) key: String,
    pub(super) value: Value,
    pub(super) origin: Origin,
}

impl Assignment {
    /// Reads this value alone, everything else left at its default, so that each mistake is found and has a place.
    pub(super) fn check(&self) -> Result<(), Problem> {
        let entries = Table::from_iter([(self.key.clone(), self.value.clone())]);
        let alone = Table::from_iter([(self.section.clone(), Value::Table(entries))]);
        match alone.try_into::<Config>() {
            Ok(_) => Ok(()),
            Err(error) => {
                let Assignment { section, key, value, origin } = self;
                let value =
                    if keys::is_secret(section, key) { "set to something else".to_owned() } else { shown(value) };
                let message = format!("`{section}.{key}` is {value}; {}", error.message());
                Err(Problem { origin: origin.clone(), message })
            }
        }
    }
}

/// Takes the file apart. Names that are no keys become problems; values are left to [`Assignment::check`].
pub(super) fn from_file(
    keys: &Keys,
    path: &Path,
    text: &str,
    assignments: &mut Vec<Assignment>,
    problems: &mut Vec<Problem>,
) {
    let origin_at =
        |offset: usize| Origin::File { path: path.to_owned(), line: 1 + text[..offset].matches('\n').count() };
    let document = match DeTable::parse(text) {
        Ok(document) => document.into_inner(),
        Err(error) => {
            let origin = origin_at(error.span().map_or(0, |span| text.floor_char_boundary(span.start)));
            problems.push(Problem { origin, message: format!("this is not TOML: {}", error.message()) });
            return;
        }
    };
    for (section, entries) in document {
        let (section, origin) = (section.get_ref().to_string(), origin_at(section.span().start));
        let entries = match entries.into_inner() {
            DeValue::Table(entries) if keys.has_section(&section) => entries,
            _ if keys.has_section(&section) => {
                let message = format!("`{section}` is a section; write it as a line `[{section}]` with its keys below");
                problems.push(Problem { origin, message });
                continue;
            }
            DeValue::Table(_) => {
                let message = format!("there is no section `[{section}]`; {}", keys.hint_for_section(&section));
                problems.push(Problem { origin, message });
                continue;
            }
            _ => {
                let hint = keys.hint_for_key("", &section);
                let hint = if hint.starts_with("did") { hint } else { keys.hint_for_section(&section) };
                let message = format!("`{section}` stands outside any section; {hint}");
                problems.push(Problem { origin, message });
                continue;
            }
        };
        for (key, value) in entries {
            let (key, origin) = (key.get_ref().to_string(), origin_at(key.span().start));
            if keys.find(&section, &key).is_none() {
                let message = format!("`{section}.{key}` is not a key; {}", keys.hint_for_key(&section, &key));
                problems.push(Problem { origin, message });
                continue;
            }
            match plain_value(value) {
                Ok(value) => assignments.push(Assignment { section: section.clone(), key, value, origin }),
                Err(message) => problems.push(Problem { origin, message: format!("`{section}.{key}`: {message}") }),
            }
        }
    }
}

/// Takes the variables that start with `PLAYHOUSE_` and the plain ones, those first since a later one wins, in the order of their names so that reports are the same each time.
pub(super) fn from_environment(
    keys: &Keys,
    environment: impl Iterator<Item = (String, String)>,
    assignments: &mut Vec<Assignment>,
    problems: &mut Vec<Problem>,
) {
    let concerning_us = environment.filter(|(variable, _)| keys::is_ours(variable) && !keys::is_not_a_key(variable));
    let (mut ours, mut plain): (Vec<_>, Vec<_>) =
        concerning_us.partition(|(variable, _)| variable.starts_with(keys::PREFIX));
    ours.sort();
    plain.sort();
    for (variable, text) in plain.into_iter().filter(|(_, text)| !text.trim().is_empty()) {
        if let Some(key) = keys.by_plain_variable(&variable) {
            let (section, name) = (key.section.clone(), key.name.clone());
            let value = value_of_variable(key, text);
            assignments.push(Assignment { section, key: name, value, origin: Origin::Environment { variable } });
        }
    }
    for (variable, text) in ours {
        let origin = Origin::Environment { variable: variable.clone() };
        match keys.by_variable(&variable) {
            Some(key) => assignments.push(Assignment {
                section: key.section.clone(),
                key: key.name.clone(),
                value: value_of_variable(key, text),
                origin,
            }),
            None => {
                let message = format!("this is not a key; {}", keys.hint_for_variable(&variable));
                problems.push(Problem { origin, message });
            }
        }
    }
}

/// A variable holds text; what kind of value it means follows from the key's default. Lists are separated by commas.
/// A text that does not fit stays text, so that its check says what was expected.
fn value_of_variable(key: &Key, text: String) -> Value {
    match &key.value {
        Value::Integer(_) => text.trim().parse().map_or(Value::String(text), Value::Integer),
        Value::Boolean(_) => text.trim().parse().map_or(Value::String(text), Value::Boolean),
        Value::Array(_) => {
            let entries = text.split(',').map(str::trim).filter(|entry| !entry.is_empty());
            Value::Array(entries.map(|entry| Value::String(entry.to_owned())).collect())
        }
        _ => Value::String(text),
    }
}

fn plain_value(value: Spanned<DeValue<'_>>) -> Result<Value, String> {
    Value::deserialize(value.into_deserializer()).map_err(|error| error.message().to_owned())
}

fn shown(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(MAX_SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

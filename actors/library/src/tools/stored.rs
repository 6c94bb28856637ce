//! Objects of a service's settings, as they are stored.

use serde_json::value::RawValue;

use crate::settings::JsonText;

pub(super) use crate::settings::quoted;

/// The object to the byte behind a line that says what it is, and for programs.
pub(super) fn as_stored(head: &str, json: &JsonText) -> (String, Option<Box<RawValue>>) {
    let prose = format!("{head}, as it is stored:\n{}", json.as_str());
    // It is JSON: it was cut out of a document.
    (prose, RawValue::from_string(json.as_str().to_owned()).ok())
}

/// Lines about objects of a shape that this version does not know.
pub(super) fn unreadable(what: &str, argument: &str, ids: &[i64], n_without_id: usize) -> Vec<String> {
    let mut lines: Vec<String> = ids
        .iter()
        .map(|id| format!("- {id}: this {what} cannot be summarised; read it whole with {argument} {id}."))
        .collect();
    match n_without_id {
        0 => {}
        1 => lines.push(format!("- 1 {what} of which not even the id can be read.")),
        n => lines.push(format!("- {n} {what}s of which not even the id can be read.")),
    }
    lines
}

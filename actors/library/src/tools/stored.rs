//! Objects of a service's settings, as they are stored.

use serde_json::value::RawValue;

use crate::settings::StoredObject;

pub(super) use crate::settings::quoted;

/// The object to the byte behind a line that says what it is, and for programs, unless a number of it would not reach them as it is.
pub(super) fn as_stored(head: &str, stored: &StoredObject) -> (String, Option<Box<RawValue>>) {
    let json = stored.json.as_str();
    let prose = format!("{head}, as it is stored:\n{json}");
    let for_programs = stored.survives_doubles.then(|| json.to_owned());
    // It is JSON: it was cut out of a document.
    (prose, for_programs.and_then(|json| RawValue::from_string(json).ok()))
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

//! The differences between two states of a format, for the record.

use std::collections::BTreeSet;

use super::{Exact, Members, SPECIFICATIONS, is_same};
use crate::settings::profile::MAX_NAME_BYTES;
use crate::settings::{FieldChange, FieldState};

/// A value that takes more room is told by its size.
const MAX_SHOWN_BYTES: usize = 512;

/// A record has no more of them. What is sent has fewer members; what a service stores may have any number.
const MAX_FIELDS: usize = 512;

/// The key of a format's being there at all.
const PRESENCE: &str = "presence";

/// The key of a member, before its name.
const MEMBER: &str = "field:";

/// The label of [`PRESENCE`].
const PRESENCE_LABEL: &str = "custom format";

const PRESENT: &str = "present";
const NOT_PRESENT: &str = "not present";
const NOT_SET: &str = "not set";

/// What making a format does.
pub(super) fn of_creation(after: &Members) -> Vec<FieldChange> {
    let presence = FieldChange {
        key: PRESENCE.to_owned(),
        label: PRESENCE_LABEL.to_owned(),
        before: NOT_PRESENT.to_owned(),
        after: PRESENT.to_owned(),
        current: None,
        current_state: None,
    };
    std::iter::once(presence).chain(differences(&Members::new(), after)).take(MAX_FIELDS).collect()
}

/// The members that say something else, by name. The id is no setting.
pub(super) fn differences(before: &Members, after: &Members) -> Vec<FieldChange> {
    let is_told = |name: &&String| *name != "id" && name.len() <= MAX_NAME_BYTES;
    let names = before.keys().chain(after.keys()).filter(is_told).cloned().collect();
    differences_in(&names, before, after)
}

/// The same, looked for in these members only.
pub(super) fn differences_in(names: &BTreeSet<String>, before: &Members, after: &Members) -> Vec<FieldChange> {
    let change = |name: &String| {
        let (before, after) = (before.get(name), after.get(name));
        let same = match (before, after) {
            (Some(before), Some(after)) => is_same(before, after),
            _ => false,
        };
        (!same).then(|| FieldChange {
            key: format!("{MEMBER}{name}"),
            label: name.clone(),
            before: shown(name, before),
            after: shown(name, after),
            current: None,
            current_state: None,
        })
    };
    names.iter().filter_map(change).take(MAX_FIELDS).collect()
}

/// The recorded differences with the values of `live`; `after` is what the change left, or was to leave, behind.
pub(super) fn with_current(fields: Vec<FieldChange>, live: Option<&Members>, after: &Members) -> Vec<FieldChange> {
    let now = |mut change: FieldChange| {
        let (current, is_as_applied) = match change.key.strip_prefix(MEMBER) {
            Some(name) => {
                let current = live.and_then(|live| live.get(name));
                let same = match (current, after.get(name)) {
                    (Some(current), Some(after)) => is_same(current, after),
                    (None, None) => true,
                    _ => false,
                };
                (shown(name, current), same)
            }
            None if change.key == PRESENCE => {
                let current = if live.is_some() { PRESENT } else { NOT_PRESENT };
                (current.to_owned(), change.after == current)
            }
            // A later version's field, in a record that an earlier one reads.
            None => return change,
        };
        change.current_state = Some(match is_as_applied {
            true => FieldState::MatchesApplied,
            // Sizes tell nothing of what was there before.
            false if current == change.before && !is_size(&current) => FieldState::MatchesBefore,
            false => FieldState::Different,
        });
        change.current = Some(current);
        change
    };
    fields.into_iter().map(now).collect()
}

/// A value for people, of a length that a page has room for.
fn shown(name: &str, value: Option<&Exact>) -> String {
    match value {
        None | Some(Exact::Null) => NOT_SET.to_owned(),
        Some(Exact::Switch(true)) => "on".to_owned(),
        Some(Exact::Switch(false)) => "off".to_owned(),
        Some(Exact::Text(text)) => cut(text),
        Some(other) => {
            let text = other.canonical();
            match (text.len() > MAX_SHOWN_BYTES, other.elements()) {
                (false, _) => text,
                (true, Some(rules)) if name == SPECIFICATIONS => format!("{} rules{}", rules.len(), size(&text)),
                (true, _) => format!("a value{}", size(&text)),
            }
        }
    }
}

fn size(text: &str) -> String {
    format!(" ({} bytes)", text.len())
}

fn is_size(shown: &str) -> bool {
    shown.ends_with(" bytes)")
}

/// At most 512 bytes of a text, whole characters, with a sign where something is missing.
fn cut(text: &str) -> String {
    const ELLIPSIS: &str = "…";
    if text.len() <= MAX_SHOWN_BYTES {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(MAX_SHOWN_BYTES - ELLIPSIS.len());
    format!("{}{ELLIPSIS}", &text[..end])
}

//! Frames as the app reads and writes them.

use std::collections::{BTreeMap, VecDeque};

use serde::Serialize;
use serde_json::Value;

use crate::{ops::Answer, violation::Violation};

/// One operation as the relay asked for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Command {
    /// The relay's own id, given back with the answer.
    pub id: String,
    /// The operation's name.
    pub op: String,
    /// Its parameters, all of them text.
    pub params: BTreeMap<String, String>,
}

impl Command {
    pub(crate) fn param(&self, name: &str) -> Option<&str> {
        self.params.get(name).map(String::as_str)
    }
}

/// Reads one frame. `None` is a frame that the app drops without an answer. Violations are noted either way.
pub(crate) fn read(text: &str, violations: &mut Vec<Violation>) -> Option<Command> {
    let Ok(Value::Object(frame)) = serde_json::from_str::<Value>(text) else {
        violations.push(Violation::NotAnObject { frame: shortened(text) });
        return None;
    };
    let mut field = |field: &'static str| match frame.get(field) {
        Some(Value::String(value)) if !value.is_empty() => Some(value.clone()),
        _ => {
            violations.push(Violation::FieldMissing { field, frame: shortened(text) });
            None
        }
    };
    let (id, op) = (field("id"), field("op"));
    let (id, op) = (id?, op?);
    let mut params = BTreeMap::new();
    match frame.get("params") {
        Some(Value::Object(given)) => {
            for (name, value) in given {
                params.insert(name.clone(), text_of(&op, name, value, violations));
            }
        }
        // An operation without parameters may leave the object out.
        None => {}
        Some(_) => violations.push(Violation::ParamsNotAnObject { op: op.clone() }),
    }
    Some(Command { id, op, params })
}

/// A parameter as the app sees it. Its JSON library makes text of anything, of a null too.
fn text_of(op: &str, name: &str, value: &Value, violations: &mut Vec<Violation>) -> String {
    let (op, name) = (op.to_owned(), name.to_owned());
    match value {
        Value::String(text) => return text.clone(),
        Value::Null => violations.push(Violation::NullParam { op, name }),
        _ => violations.push(Violation::ParamNotText { op, name }),
    }
    value.to_string()
}

fn shortened(text: &str) -> String {
    text.chars().take(200).collect()
}

/// Writes an answer: `message` and `data` are left out when there is nothing in them.
pub(crate) fn write(id: &str, answer: &Answer) -> String {
    #[derive(Serialize)]
    struct Frame<'a> {
        id: &'a str,
        ok: bool,
        #[serde(skip_serializing_if = "str::is_empty")]
        message: &'a str,
        #[serde(skip_serializing_if = "BTreeMap::is_empty")]
        data: &'a BTreeMap<String, String>,
    }
    let frame = Frame { id, ok: answer.ok, message: &answer.message, data: &answer.data };
    // A struct of strings cannot fail to serialise; an empty frame would be noticed by any test.
    serde_json::to_string(&frame).unwrap_or_default()
}

/// The ids that a socket has brought lately, to notice one that is used twice.
#[derive(Debug, Default)]
pub(crate) struct RecentIds(VecDeque<String>);

impl RecentIds {
    /// Ids further back than this are forgotten: their answers are long gone.
    const KEPT: usize = 256;

    /// False when the id was used before.
    pub(crate) fn add(&mut self, id: &str) -> bool {
        if self.0.iter().any(|seen| seen == id) {
            return false;
        }
        if self.0.len() == Self::KEPT {
            self.0.pop_front();
        }
        self.0.push_back(id.to_owned());
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    type Wanted<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)]);

    fn check(frame: &str, wanted: Option<Wanted<'_>>, wanted_violations: &[&str]) {
        let mut violations = Vec::new();
        let command = read(frame, &mut violations);
        let wanted = wanted.map(|(id, op, params)| Command {
            id: id.into(),
            op: op.into(),
            params: params.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
        });
        assert_eq!(command, wanted, "{frame}");
        let violations: Vec<String> = violations.iter().map(ToString::to_string).collect();
        assert_eq!(violations, wanted_violations, "{frame}");
    }

    #[test]
    fn a_frame_of_strings_is_a_command() {
        check(r#"{"id":"1","op":"key","params":{"key":"OK"}}"#, Some(("1", "key", &[("key", "OK")])), &[]);
        check(r#"{"id":"1","op":"list_apps"}"#, Some(("1", "list_apps", &[])), &[]);
    }

    #[test]
    fn other_params_become_text_and_are_noted() {
        check(
            r#"{"id":"1","op":"volume","params":{"level":40}}"#,
            Some(("1", "volume", &[("level", "40")])),
            &["parameter `level` of op `volume` was not a string"],
        );
        check(
            r#"{"id":"1","op":"key","params":{"key":null}}"#,
            Some(("1", "key", &[("key", "null")])),
            &["parameter `key` of op `key` was null"],
        );
        check(
            r#"{"id":"1","op":"key","params":[]}"#,
            Some(("1", "key", &[])),
            &["`params` of op `key` was not an object"],
        );
    }

    #[test]
    fn frames_without_id_or_op_are_dropped() {
        check("nonsense", None, &["a frame was not a JSON object: nonsense"]);
        check("[]", None, &["a frame was not a JSON object: []"]);
        check(
            r#"{"id":7,"op":""}"#,
            None,
            &[
                r#"a frame had no `id`, or it was not a non-empty string: {"id":7,"op":""}"#,
                r#"a frame had no `op`, or it was not a non-empty string: {"id":7,"op":""}"#,
            ],
        );
    }

    #[test]
    fn an_answer_leaves_out_what_is_empty() {
        assert_eq!(write("7", &Answer::ok()), r#"{"id":"7","ok":true}"#);
        let full = Answer::failed("could not dispatch MUTE").with("key", "MUTE");
        assert_eq!(
            write("7", &full),
            r#"{"id":"7","ok":false,"message":"could not dispatch MUTE","data":{"key":"MUTE"}}"#
        );
    }

    #[test]
    fn an_id_counts_as_repeated_while_it_is_recent() {
        let mut ids = RecentIds::default();
        assert!(ids.add("a"));
        assert!(!ids.add("a"));
        for n in 0..RecentIds::KEPT {
            assert!(ids.add(&n.to_string()));
        }
        assert!(ids.add("a"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_a_panic(text in ".*") {
            read(&text, &mut Vec::new());
        }

        #[test]
        fn a_frame_is_dropped_or_has_id_and_op(id in "[a-z]{0,2}", op in "[a-z]{0,2}", extra in ".{0,20}") {
            let frame = serde_json::json!({ "id": id, "op": op, "params": { "x": extra } }).to_string();
            let command = read(&frame, &mut Vec::new());
            prop_assert_eq!(command.is_some(), !id.is_empty() && !op.is_empty());
        }
    }
}

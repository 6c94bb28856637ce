//! A JSON value that keeps the text of its numbers.
//!
//! A PUT replaces the whole object, so whatever this program does not know has to come back as it was: `0.10` stays `0.10`, a number beyond
//! 64 bits stays whole, a `null` stays where it stood. `serde_json::Value` would round them. Its feature `arbitrary_precision` is no way
//! out: it holds for the whole program and breaks numbers in flattened and untagged types elsewhere.

mod matching;
mod number;
mod same;

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;

pub(super) use matching::{Budget, Containment};
pub(super) use same::is_same;

/// Deeper nesting is refused. What the services store is five deep.
const MAX_DEPTH: usize = 64;

/// More values in one document are refused: each costs some fifty bytes, and 4 MiB of `0,` would be two million of them.
const MAX_VALUES: usize = 1 << 19;

/// One JSON value. The order of an object's members is not kept; that of lists is.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Exact {
    Null,
    Switch(bool),
    /// As it was written.
    Number(Box<str>),
    Text(String),
    List(Vec<Exact>),
    Object(Members),
}

/// The members of an object, by name.
pub(super) type Members = BTreeMap<String, Exact>;

/// Why a text is not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotExact {
    #[error("it is not exactly one JSON document")]
    NotJson,
    #[error("it is nested more than {MAX_DEPTH} levels deep")]
    TooDeep,
    #[error("it has more than {MAX_VALUES} values")]
    TooMany,
}

impl Exact {
    /// Reads exactly one document. A name that stands twice in an object is refused: what is sent back could hold one of the two only.
    pub(super) fn parse(text: &str) -> Result<Self, NotExact> {
        let mut n_values = 0;
        let raw: &RawValue = serde_json::from_str(text).map_err(|_| NotExact::NotJson)?;
        read(raw.get(), 1, &mut n_values)
    }

    /// An integer.
    pub(super) fn integer(value: i64) -> Self {
        Exact::Number(value.to_string().into())
    }

    /// A text.
    pub(super) fn text(text: impl Into<String>) -> Self {
        Exact::Text(text.into())
    }

    /// The members, where it is an object.
    pub(super) fn members(&self) -> Option<&Members> {
        match self {
            Exact::Object(members) => Some(members),
            _ => None,
        }
    }

    /// The member of this name, where it is an object that has it.
    pub(super) fn member(&self, name: &str) -> Option<&Exact> {
        self.members()?.get(name)
    }

    /// The elements, where it is a list.
    pub(super) fn elements(&self) -> Option<&[Exact]> {
        match self {
            Exact::List(elements) => Some(elements),
            _ => None,
        }
    }

    /// The text, where it is one.
    pub(super) fn as_text(&self) -> Option<&str> {
        match self {
            Exact::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The switch, where it is one.
    pub(super) fn as_switch(&self) -> Option<bool> {
        match self {
            Exact::Switch(on) => Some(*on),
            _ => None,
        }
    }

    /// The number, where it is a whole one of 64 bits: `10`, `10.0` and `1e1` are 10.
    pub(super) fn as_integer(&self) -> Option<i64> {
        match self {
            Exact::Number(text) => number::integer(text),
            _ => None,
        }
    }

    /// Whether a program that reads numbers as 64-bit integers or doubles, as most do, reads each of its numbers as what it is.
    pub(super) fn survives_doubles(&self) -> bool {
        match self {
            Exact::Number(text) => number::survives_doubles(text),
            Exact::List(elements) => elements.iter().all(Exact::survives_doubles),
            Exact::Object(members) => members.values().all(Exact::survives_doubles),
            Exact::Null | Exact::Switch(_) | Exact::Text(_) => true,
        }
    }

    /// Whether it says as much as nothing: false, 0, an empty text, list or object, `null`.
    pub(super) fn is_falsy(&self) -> bool {
        match self {
            Exact::Null => true,
            Exact::Switch(on) => !on,
            Exact::Number(text) => number::is_zero(text),
            Exact::Text(text) => text.is_empty(),
            Exact::List(elements) => elements.is_empty(),
            Exact::Object(members) => members.is_empty(),
        }
    }

    /// The canonical form: members by name, lists in their order, numbers as they were written, no blanks.
    pub(super) fn canonical(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }

    fn write(&self, out: &mut String) {
        match self {
            Exact::Null => out.push_str("null"),
            Exact::Switch(true) => out.push_str("true"),
            Exact::Switch(false) => out.push_str("false"),
            Exact::Number(text) => out.push_str(text),
            Exact::Text(text) => write_text(text, out),
            Exact::List(elements) => {
                out.push('[');
                for (n, element) in elements.iter().enumerate() {
                    if n > 0 {
                        out.push(',');
                    }
                    element.write(out);
                }
                out.push(']');
            }
            Exact::Object(members) => {
                out.push('{');
                for (n, (name, member)) in members.iter().enumerate() {
                    if n > 0 {
                        out.push(',');
                    }
                    write_text(name, out);
                    out.push(':');
                    member.write(out);
                }
                out.push('}');
            }
        }
    }
}

impl fmt::Debug for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.canonical())
    }
}

fn write_text(text: &str, out: &mut String) {
    // A text is always JSON.
    out.push_str(&serde_json::to_string(text).unwrap_or_default());
}

/// Reads a value whose grammar was checked as a part of the whole.
fn read(raw: &str, depth: usize, n_values: &mut usize) -> Result<Exact, NotExact> {
    if depth > MAX_DEPTH {
        return Err(NotExact::TooDeep);
    }
    *n_values += 1;
    if *n_values > MAX_VALUES {
        return Err(NotExact::TooMany);
    }
    Ok(match raw.as_bytes().first() {
        Some(b'{') => {
            let Pieces(pieces) = serde_json::from_str(raw).map_err(|_| NotExact::NotJson)?;
            let mut members = Members::new();
            for (name, piece) in pieces {
                members.insert(name, read(piece.get(), depth + 1, n_values)?);
            }
            Exact::Object(members)
        }
        Some(b'[') => {
            let pieces: Vec<&RawValue> = serde_json::from_str(raw).map_err(|_| NotExact::NotJson)?;
            let elements = pieces.into_iter().map(|piece| read(piece.get(), depth + 1, n_values));
            Exact::List(elements.collect::<Result<_, _>>()?)
        }
        Some(b'"') => Exact::Text(serde_json::from_str(raw).map_err(|_| NotExact::NotJson)?),
        Some(b't') => Exact::Switch(true),
        Some(b'f') => Exact::Switch(false),
        Some(b'n') => Exact::Null,
        Some(_) => Exact::Number(raw.into()),
        None => return Err(NotExact::NotJson),
    })
}

/// An object's members as they were written, none of them twice.
struct Pieces<'a>(BTreeMap<String, &'a RawValue>);

impl<'de: 'a, 'a> Deserialize<'de> for Pieces<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Once;

        impl<'de> Visitor<'de> for Once {
            type Value = BTreeMap<String, &'de RawValue>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = BTreeMap::new();
                while let Some((name, piece)) = map.next_entry::<String, &RawValue>()? {
                    if members.insert(name, piece).is_some() {
                        return Err(A::Error::custom("a name stands twice"));
                    }
                }
                Ok(members)
            }
        }

        deserializer.deserialize_map(Once).map(Pieces)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn numbers_keep_their_text_and_members_are_sorted() {
        let text = r#" { "b": [1.0, 1, 0.10, -0, 1E+2, 123456789012345678901234567890], "a": null, "ü": "\u00fc\n" } "#;
        let exact = Exact::parse(text).unwrap();
        assert_eq!(
            exact.canonical(),
            r#"{"a":null,"b":[1.0,1,0.10,-0,1E+2,123456789012345678901234567890],"ü":"ü\n"}"#
        );
    }

    #[test]
    fn what_is_not_one_document_is_refused() {
        for text in [
            "",
            " ",
            "{",
            "[1,]",
            "{} {}",
            "1 2",
            "nul",
            "01",
            r#"{"a":1,"a":2}"#,
            r#"{"a":1,"\u0061":2}"#,
            r#""\ud800""#,
        ] {
            assert_eq!(Exact::parse(text), Err(NotExact::NotJson), "{text}");
        }
    }

    #[test]
    fn depth_and_number_of_values_are_bounded() {
        let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert!(Exact::parse(&nested(64)).is_ok());
        assert_eq!(Exact::parse(&nested(65)), Err(NotExact::TooDeep));
        assert_eq!(Exact::parse(&nested(500_000)), Err(NotExact::TooDeep), "and no stack overflows");
        let many = |n: usize| format!("[{}0]", "0,".repeat(n - 2));
        assert!(Exact::parse(&many(MAX_VALUES)).is_ok());
        assert_eq!(Exact::parse(&many(MAX_VALUES + 1)), Err(NotExact::TooMany));
    }

    #[test]
    fn whole_numbers_are_whole_however_they_are_written() {
        for (text, integer) in [
            ("10", Some(10)),
            ("10.0", Some(10)),
            ("1e1", Some(10)),
            ("-0.0", Some(0)),
            ("-2", Some(-2)),
            ("9223372036854775807", Some(i64::MAX)),
            ("-9223372036854775808", Some(i64::MIN)),
            ("9223372036854775808", None),
            ("9007199254740993.0", Some(9_007_199_254_740_993)),
            ("1.5", None),
            ("1e400", None),
            ("\"10\"", None),
        ] {
            assert_eq!(Exact::parse(text).unwrap().as_integer(), integer, "{text}");
        }
    }

    fn any_json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(serde_json::Value::from),
            any::<i64>().prop_map(serde_json::Value::from),
            r#"[\\"\[\]{},a ü]{0,8}"#.prop_map(serde_json::Value::from),
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::from),
                prop::collection::hash_map(r#"["\\,a]{0,3}"#, inner, 0..4)
                    .prop_map(|entries| serde_json::Value::from(serde_json::Map::from_iter(entries))),
            ]
        })
    }

    proptest! {
        #[test]
        fn the_canonical_form_says_the_same_and_is_its_own(value in any_json(), pretty in any::<bool>()) {
            let text = if pretty { serde_json::to_string_pretty(&value) } else { serde_json::to_string(&value) };
            let exact = Exact::parse(&text.unwrap()).unwrap();
            let canonical = exact.canonical();
            prop_assert_eq!(serde_json::from_str::<serde_json::Value>(&canonical).unwrap(), value);
            prop_assert_eq!(Exact::parse(&canonical).unwrap().canonical(), canonical);
        }
    }
}

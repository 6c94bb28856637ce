//! Query strings and numbers in paths, read by what the route table declares.
//!
//! An agent that misspells a filter must not get the whole list, so a name that is not declared is refused.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use playhouse_production::OfficeRefusal;
use playhouse_production::messages::whole_number;

/// One parameter of a query string.
#[derive(Debug, Clone, Copy)]
pub(super) struct QueryParameter {
    /// Its name.
    pub(super) name: &'static str,
    /// What may stand behind it.
    pub(super) form: Form,
    /// What it is for, in the OpenAPI document.
    pub(super) about: &'static str,
}

/// What may stand behind a name.
#[derive(Debug, Clone, Copy)]
pub(super) enum Form {
    /// Any text; the office says whether it knows it.
    Text,
    /// One of these words, for whoever reads the OpenAPI document. The office says whether it knows it.
    OneOf(fn() -> Vec<&'static str>),
    /// The number of a record.
    Id,
    /// A whole number within bounds.
    Between(i64, i64),
    /// `true` or `false`.
    Flag,
    /// A date as `2026-10-18`.
    Date,
}

/// The parameters of one request, all of them declared and in order.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Parameters(BTreeMap<&'static str, Given>);

#[derive(Debug, Clone, PartialEq)]
enum Given {
    Text(String),
    Number(i64),
    Flag(bool),
    Date(jiff::civil::Date),
}

impl Parameters {
    /// Reads `query`, the part behind the question mark.
    ///
    /// # Errors
    /// 422 for a name that is not declared or stands there twice, and for a value that is not of its form.
    pub(super) fn read(query: &str, declared: &[QueryParameter]) -> Result<Self, OfficeRefusal> {
        let mut found = BTreeMap::new();
        for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
            let parameter = declared
                .iter()
                .find(|parameter| parameter.name == name)
                .ok_or_else(|| invalid(format!("Unknown query parameter '{}'.", shown(&name))))?;
            if found.insert(parameter.name, parameter.form.read(parameter.name, &value)?).is_some() {
                return Err(invalid(format!("Query parameter '{name}' is given twice.")));
            }
        }
        Ok(Self(found))
    }

    /// The text behind a name that was declared as text or one of some words.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        match self.0.get(name)? {
            Given::Text(text) => Some(text),
            Given::Number(_) | Given::Flag(_) | Given::Date(_) => None,
        }
    }

    /// The number behind a name.
    pub(super) fn number(&self, name: &str) -> Option<i64> {
        match self.0.get(name)? {
            Given::Number(number) => Some(*number),
            Given::Text(_) | Given::Flag(_) | Given::Date(_) => None,
        }
    }

    /// Whether a flag is up; it is not where it was left out.
    pub(super) fn flag(&self, name: &str) -> bool {
        matches!(self.0.get(name), Some(Given::Flag(true)))
    }

    /// The date behind a name.
    pub(super) fn date(&self, name: &str) -> Option<jiff::civil::Date> {
        match self.0.get(name)? {
            Given::Date(date) => Some(*date),
            Given::Text(_) | Given::Flag(_) | Given::Number(_) => None,
        }
    }
}

impl Form {
    fn read(self, name: &str, value: &str) -> Result<Given, OfficeRefusal> {
        match self {
            Form::Text | Form::OneOf(_) => Ok(Given::Text(value.to_owned())),
            Form::Id => whole_number(name, value).map(Given::Number),
            Form::Between(least, most) => match value.parse() {
                Ok(number) if (least..=most).contains(&number) => Ok(Given::Number(number)),
                _ => Err(invalid(format!("{name} must be between {least} and {most}."))),
            },
            Form::Flag => match value {
                "true" => Ok(Given::Flag(true)),
                "false" => Ok(Given::Flag(false)),
                _ => Err(invalid(format!("{name} must be true or false."))),
            },
            Form::Date => {
                let date = value.parse().map_err(|_| invalid(format!("{name} must be a date such as 2026-10-18.")))?;
                Ok(Given::Date(date))
            }
        }
    }

    /// The parameter's schema in the OpenAPI document.
    pub(super) fn schema(self) -> Value {
        match self {
            Form::Text => json!({ "type": "string" }),
            Form::OneOf(words) => json!({ "type": "string", "enum": words() }),
            Form::Id => json!({ "type": "integer" }),
            Form::Between(least, most) => json!({ "type": "integer", "minimum": least, "maximum": most }),
            Form::Flag => json!({ "type": "boolean", "default": false }),
            Form::Date => json!({ "type": "string", "format": "date" }),
        }
    }
}

/// A refusal of the parameters or the body.
fn invalid(detail: impl Into<String>) -> OfficeRefusal {
    OfficeRefusal::invalid(detail)
}

/// What came from outside, short enough to repeat.
pub(super) fn shown(text: &str) -> String {
    const MAX_SHOWN: usize = 60;
    text.chars().filter(|character| !character.is_control()).take(MAX_SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const DECLARED: [QueryParameter; 5] = [
        QueryParameter { name: "department", form: Form::Text, about: "" },
        QueryParameter { name: "status", form: Form::OneOf(|| vec!["planned", "final"]), about: "" },
        QueryParameter { name: "episode_id", form: Form::Id, about: "" },
        QueryParameter { name: "limit", form: Form::Between(1, 200), about: "" },
        QueryParameter { name: "dry_run", form: Form::Flag, about: "" },
    ];

    fn refused(query: &str) -> String {
        Parameters::read(query, &DECLARED).expect_err(query).to_string()
    }

    #[test]
    fn declared_parameters_are_read_by_their_form() {
        let read =
            Parameters::read("department=set%20dressing&status=final&episode_id=11&limit=200&dry_run=true", &DECLARED)
                .unwrap();
        assert_eq!((read.text("department"), read.text("status")), (Some("set dressing"), Some("final")));
        assert_eq!(
            (read.number("episode_id"), read.number("limit"), read.flag("dry_run")),
            (Some(11), Some(200), true)
        );
        assert_eq!(Parameters::read("", &DECLARED).unwrap(), Parameters::default());
    }

    #[test]
    fn what_is_not_in_order_is_named() {
        for (query, detail) in [
            ("state=approved", "Unknown query parameter 'state'."),
            ("limit=0", "limit must be between 1 and 200."),
            ("limit=201", "limit must be between 1 and 200."),
            ("limit=50.5", "limit must be between 1 and 200."),
            ("limit=x", "limit must be between 1 and 200."),
            ("episode_id=abc", "episode_id must be a whole number."),
            ("episode_id=99999999999999999999", "episode_id must be a whole number."),
            ("dry_run=yes", "dry_run must be true or false."),
            ("limit=1&limit=2", "Query parameter 'limit' is given twice."),
        ] {
            assert_eq!(refused(query), detail, "{query}");
        }
    }

    proptest! {
        #[test]
        fn any_query_is_read_or_refused(query in "\\PC{0,60}|[a-z_=&%0-9]{0,40}") {
            let _ = Parameters::read(&query, &DECLARED);
        }
    }
}

//! Why the office said no, in the words and with the status that every door gives it.

use playhouse_house::{KeyRefusal, Scope};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::model::Words;

/// What the office refuses. Nothing was changed, except where it says that this is in doubt.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{detail}")]
pub struct OfficeRefusal {
    /// The HTTP status.
    pub status: u16,
    /// One sentence: the `detail` of the body.
    pub detail: String,
    /// What stands beside `detail` in the body, such as `errors` or `rows`.
    pub members: Map<String, Value>,
    /// Seconds after which to try again, for the `Retry-After` header.
    pub retry_after_seconds: Option<u32>,
    /// Whether the change may have been made all the same: the store did not say. Bodies do not tell; whoever sends the request again finds out.
    #[serde(default)]
    pub in_doubt: bool,
}

/// One field that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldError {
    /// Which.
    pub field: String,
    /// What is wrong with it.
    pub message: String,
}

impl OfficeRefusal {
    /// A refusal with this status and sentence.
    pub fn new(status: u16, detail: impl Into<String>) -> Self {
        Self { status, detail: detail.into(), members: Map::new(), retry_after_seconds: None, in_doubt: false }
    }

    /// The same, with a member beside `detail`.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.members.insert(name.to_owned(), value.into());
        self
    }

    /// 403: the key lacks a scope.
    pub fn scope(scope: Scope) -> Self {
        Self::new(403, KeyRefusal::Scope(scope).to_string())
    }

    /// 403: the endpoint speaks of the whole production, and the key is bound to an engagement.
    pub fn door() -> Self {
        Self::new(403, "This key is bound to an engagement and cannot use this endpoint.")
    }

    /// 403: the key's engagement is over, suspended or not begun.
    pub fn engagement_not_active() -> Self {
        Self::new(403, "This key's engagement is not active.")
    }

    /// 404: no such thing, or one of another production, or one out of reach. One text for all three: `Scene not found.`
    pub fn not_found(what: &str) -> Self {
        Self::new(404, format!("{what} not found."))
    }

    /// 409: what is there does not allow it.
    pub fn conflict(detail: impl Into<String>) -> Self {
        Self::new(409, detail)
    }

    /// 409: the production takes no more writes.
    pub fn archived() -> Self {
        Self::conflict("This production is archived.")
    }

    /// 422: a parameter or a field is wrong.
    pub fn invalid(detail: impl Into<String>) -> Self {
        Self::new(422, detail)
    }

    /// 422 naming each field of a body that is wrong, in order. The sentence is the first one's.
    pub fn fields(errors: &[FieldError]) -> Self {
        let detail = errors.first().map_or_else(|| "The body is not as expected.".to_owned(), |e| e.message.clone());
        Self::invalid(detail).with("errors", serde_json::json!(errors))
    }

    /// 422: a word that is none of `W`, with the words that are: `Unknown status 'done'. One of: planned, …`.
    pub fn unknown_word<W: Words>(what: &str, text: &str) -> Self {
        Self::invalid(format!("Unknown {what} '{}'. One of: {}.", shown(text), W::list()))
    }

    /// 422: no department has this slug.
    pub fn unknown_department(slug: &str) -> Self {
        Self::invalid(format!("Unknown department '{}'.", shown(slug)))
    }

    /// 422: not a whole number: `node_id must be a whole number.`
    pub fn not_whole(name: &str) -> Self {
        Self::invalid(format!("{name} must be a whole number."))
    }

    /// 503: the store does not take or give anything at present.
    pub fn unavailable() -> Self {
        Self { retry_after_seconds: Some(2), ..Self::new(503, "Try again shortly.") }
    }

    /// 503: the store broke off in the middle, and it is unknown whether the change is in it.
    pub fn in_doubt() -> Self {
        Self { in_doubt: true, ..Self::unavailable() }
    }

    /// The body: `detail`, then the members.
    pub fn body(&self) -> Value {
        let mut body = Map::new();
        body.insert("detail".to_owned(), self.detail.clone().into());
        body.extend(self.members.clone());
        Value::Object(body)
    }
}

impl FieldError {
    /// That `field` is wrong, and how.
    pub fn new(field: &str, message: impl Into<String>) -> Self {
        Self { field: field.to_owned(), message: message.into() }
    }
}

/// What a caller sent, short enough for a sentence.
fn shown(text: &str) -> String {
    text.chars().take(60).collect()
}

/// Reads a whole number from a path or a query: `0` and `-1` are numbers (of nothing), `abc` and what fits no 64 bits are not.
///
/// # Errors
/// 422 naming the parameter.
pub fn whole_number(name: &str, text: &str) -> Result<i64, OfficeRefusal> {
    text.parse().map_err(|_| OfficeRefusal::not_whole(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ApprovalStatus;

    #[test]
    fn members_stand_beside_the_detail() {
        let refusal = OfficeRefusal::conflict("An asset with code 'creature' already exists.").with("node_id", 301);
        let body = serde_json::to_string(&refusal.body()).unwrap();
        assert_eq!(body, r#"{"detail":"An asset with code 'creature' already exists.","node_id":301}"#);
    }

    #[test]
    fn an_unknown_word_is_answered_with_the_known_ones() {
        let refusal = OfficeRefusal::unknown_word::<ApprovalStatus>("status", "x");
        let expected =
            "Unknown status 'x'. One of: pending, approved, changes_requested, rejected, superseded, withdrawn.";
        assert_eq!((refusal.status, refusal.detail.as_str()), (422, expected));
    }

    #[test]
    fn a_whole_number_has_no_letters_no_fraction_and_fits() {
        assert_eq!(whole_number("node_id", "-1"), Ok(-1));
        for text in ["abc", "99999999999999999999", "50.5", ""] {
            assert_eq!(
                whole_number("node_id", text).unwrap_err().detail,
                "node_id must be a whole number.",
                "{text:?}"
            );
        }
    }
}

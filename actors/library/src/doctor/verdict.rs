//! What the Doctor says of one row, and by what.

use serde::{Deserialize, Serialize};

use super::cause::{CauseCode, Severity, Verb};
use super::table::Cause;

/// What the Doctor says of one row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// The cause.
    pub code: CauseCode,
    /// How bad it is.
    pub severity: Severity,
    /// What can be done, best first; empty where nothing is to be done here.
    pub verbs: Vec<Verb>,
    /// What it means, for a person.
    pub explanation: String,
    /// What the verdict rests on; empty only where nothing is wrong.
    pub evidence: Vec<Evidence>,
}

/// One thing that a verdict rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema)]
#[schemars(inline)]
pub struct Evidence {
    /// Where it stands in the service's answer, such as `statusMessages[0].messages[1]`.
    pub field: String,
    /// What stands there, in the service's words.
    pub text: String,
    /// The words in it that were recognised; left out where the field's state decided, or where the words are not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fragment: Option<String>,
    /// The row of the Doctor's table that recognised them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
}

impl Evidence {
    pub(super) fn state(field: &str, text: &str) -> Self {
        Self { field: field.to_owned(), text: text.trim().to_owned(), fragment: None, rule: None }
    }

    fn recognised(field: String, text: &str, fragment: &str, rule: &str) -> Self {
        Self { field, text: text.trim().to_owned(), fragment: Some(fragment.to_owned()), rule: Some(rule.to_owned()) }
    }
}

impl Verdict {
    pub(super) fn new(code: CauseCode, severity: Severity, verbs: &[Verb], explanation: impl Into<String>) -> Self {
        Self { code, severity, verbs: verbs.to_vec(), explanation: explanation.into(), evidence: Vec::new() }
    }

    /// The verdict of the first of `causes` that `text`, which stands in `field`, hits.
    pub(super) fn of_text(field: String, text: &str, causes: &[Cause]) -> Option<Self> {
        // Some services write the typographic apostrophe.
        let lower = text.to_lowercase().replace('\u{2019}', "'");
        let (cause, fragment) = causes.iter().find_map(|cause| Some((cause, cause.fragment_in(&lower)?)))?;
        let verdict = Self::new(cause.code, cause.severity, cause.verbs, cause.meaning);
        Some(verdict.resting_on(Evidence::recognised(field, text, fragment, cause.rule)))
    }

    #[must_use]
    pub(super) fn resting_on(mut self, evidence: Evidence) -> Self {
        self.evidence.push(evidence);
        self
    }

    /// Whether nothing is wrong.
    pub fn is_healthy(&self) -> bool {
        self.code == CauseCode::Healthy
    }

    /// Whether the words that it rests on were recognised, rather than a state field alone.
    pub fn is_recognised(&self) -> bool {
        self.evidence.iter().any(|evidence| evidence.rule.is_some())
    }
}

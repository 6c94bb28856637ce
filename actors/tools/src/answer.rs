//! How a call ends: an answer, what the world refused, or a refusal of the caller.

use playhouse_bus::CallError;
use playhouse_house::KeyRefusal;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A tool's answer: the structured value and the same facts as prose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer<T> {
    /// The structured value, matching the tool's `outputSchema`.
    pub output: T,
    /// The same facts in a sentence or a short list.
    pub prose: String,
    /// Whether it tells that something was not done, or not surely: the result is then marked `isError`.
    pub is_error: bool,
}

impl<T> Answer<T> {
    /// An answer of `output`, said as `prose`.
    pub fn new(output: T, prose: impl Into<String>) -> Self {
        Self { output, prose: prose.into(), is_error: false }
    }

    /// What was not done, or not surely, told in the tool's own shape: `isError` and a structured value that a program can read.
    pub fn failed(output: T, prose: impl Into<String>) -> Self {
        Self { output, prose: prose.into(), is_error: true }
    }
}

/// Why a tool did not answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// What the world refused: TV off, service down, nothing found. The words tell a model what to do next.
    World(String),
    /// The caller may not do this, or names something out of its reach: the REST door's own status and detail.
    Refused(Refusal),
}

impl Failure {
    /// A failure in the world, in words that a model can act on.
    pub fn world(words: impl Into<String>) -> Self {
        Failure::World(words.into())
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        Failure::Refused(refusal)
    }
}

impl From<KeyRefusal> for Failure {
    fn from(refusal: KeyRefusal) -> Self {
        Failure::Refused(refusal.into())
    }
}

impl From<CallError> for Failure {
    /// The bus's own refusals are the world's: the call was in order, only it could not be served now.
    fn from(error: CallError) -> Self {
        Failure::World(error.to_string())
    }
}

/// A refusal of key, scope, engagement or tenancy, with the status and the sentence that every door gives it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// The HTTP status.
    pub status: u16,
    /// The sentence that goes out as `detail`.
    pub detail: String,
    /// What stands beside `detail` for programs, such as `errors`.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub members: Map<String, Value>,
    /// Seconds after which trying again is worth it, for the `Retry-After` header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after_seconds: Option<u32>,
}

impl Refusal {
    /// A refusal under `status`, in one sentence.
    pub fn new(status: u16, detail: impl Into<String>) -> Self {
        Self { status, detail: detail.into(), members: Map::new(), retry_after_seconds: None }
    }

    /// The same refusal with a fact for programs beside the sentence.
    #[must_use]
    pub fn with(mut self, name: &str, value: Value) -> Self {
        self.members.insert(name.to_owned(), value);
        self
    }

    /// The body that the REST door sends: `{"detail": …}` and what stands beside it.
    pub fn body(&self) -> String {
        let mut body = Map::with_capacity(1 + self.members.len());
        body.insert("detail".to_owned(), Value::from(self.detail.as_str()));
        body.extend(self.members.clone());
        Value::Object(body).to_string()
    }
}

impl From<KeyRefusal> for Refusal {
    fn from(refusal: KeyRefusal) -> Self {
        Refusal::new(refusal.status(), refusal.to_string())
    }
}

/// How a call ended, ready for the door to encode.
///
/// An answer may hold a token that is shown once, so `Debug` prints how a call ended and nothing of what was answered.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// The tool answered.
    Answered {
        /// The structured value as JSON text, encoded once.
        structured: String,
        /// The same facts as prose.
        prose: String,
        /// Whether it tells of something that was not done, or not surely.
        is_error: bool,
    },
    /// A document of the production office, as its REST door sends it.
    Document {
        /// Compact JSON.
        json: String,
        /// Whether it is an object, and so structured content too.
        is_object: bool,
    },
    /// The arguments of an office tool do not fit its schema: invalid parameters.
    Malformed {
        /// Which, and what is wrong with them.
        words: String,
    },
    /// What the world refused, or arguments that do not fit: a tool result with `isError`, which every client hands to the model.
    Failed {
        /// What went wrong and what to do next.
        words: String,
    },
    /// The caller may not.
    Refused(Refusal),
    /// The production office refused: the REST door's own status and bytes, with nothing round them.
    RefusedByOffice(Refusal),
    /// There is no tool of that name.
    NoSuchTool {
        /// The listed name that comes nearest, if one is near.
        nearest: Option<String>,
    },
}

impl std::fmt::Debug for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Outcome::Answered { .. } => "Answered",
            Outcome::Document { .. } => "Document",
            Outcome::Malformed { .. } => "Malformed",
            Outcome::RefusedByOffice(_) => "RefusedByOffice",
            Outcome::Failed { .. } => "Failed",
            Outcome::Refused(_) => "Refused",
            Outcome::NoSuchTool { .. } => "NoSuchTool",
        })
    }
}

//! How a call ends: an answer, what the world refused, or a refusal of the caller.

use playhouse_bus::CallError;
use playhouse_house::KeyRefusal;
use serde::{Deserialize, Serialize};

/// A tool's answer: the structured value and the same facts as prose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer<T> {
    /// The structured value, matching the tool's `outputSchema`.
    pub output: T,
    /// The same facts in a sentence or a short list.
    pub prose: String,
}

impl<T> Answer<T> {
    /// An answer of `output`, said as `prose`.
    pub fn new(output: T, prose: impl Into<String>) -> Self {
        Self { output, prose: prose.into() }
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
}

impl From<KeyRefusal> for Refusal {
    fn from(refusal: KeyRefusal) -> Self {
        Refusal { status: refusal.status(), detail: refusal.to_string() }
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
    },
    /// What the world refused, or arguments that do not fit: a tool result with `isError`, which every client hands to the model.
    Failed {
        /// What went wrong and what to do next.
        words: String,
    },
    /// The caller may not.
    Refused(Refusal),
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
            Outcome::Failed { .. } => "Failed",
            Outcome::Refused(_) => "Refused",
            Outcome::NoSuchTool { .. } => "NoSuchTool",
        })
    }
}

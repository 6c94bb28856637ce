//! Why an `ArrActor` did not answer a read.

use playhouse_bus::CallError;
use playhouse_tools::{Answer, Failure};
use serde::{Deserialize, Serialize};

use super::{Code, Envelope, Library};
use crate::client::ArrError;
use crate::instance::InstanceId;

/// Why an [`ArrActor`](crate::ArrActor) did not answer a read. `Display` is for the assistant and names no host, address or key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArrFailure {
    /// The service gave no usable answer.
    #[error(transparent)]
    Upstream(#[from] ArrError),
    /// What was asked cannot be answered, and the service is not at fault: the title is not in the library, the item is gone …
    #[error("{words}")]
    Refused {
        /// Its stable name.
        code: Code,
        /// What is the case and what to do next.
        words: String,
    },
    /// The read succeeded and proves itself incomplete or wrong, so nothing of it is answered.
    #[error("{words}")]
    Unproven {
        /// Its stable name.
        code: Code,
        /// What does not fit.
        words: String,
    },
    /// The instance is there, and its credentials cannot be opened.
    #[error(
        "The instance {instance} exists, but its stored credentials could not be opened; the server's log says why. Nothing was sent. \
         Entering its API key again repairs it."
    )]
    Unopened {
        /// Which.
        instance: InstanceId,
    },
    /// The instance was removed since it was chosen.
    #[error(
        "There is no such library any more: it was removed a moment ago. list_arr_instances shows those there are."
    )]
    Removed,
    /// The call did not get through to the instance's actor.
    #[error("{words}")]
    NotServed {
        /// Why and what to do next.
        words: String,
    },
}

impl ArrFailure {
    /// That what was asked cannot be answered.
    pub fn refused(code: Code, words: impl Into<String>) -> Self {
        ArrFailure::Refused { code, words: words.into() }
    }

    /// That a read does not prove itself whole.
    pub fn unproven(code: Code, words: impl Into<String>) -> Self {
        ArrFailure::Unproven { code, words: words.into() }
    }

    /// Its stable name.
    pub fn code(&self) -> Code {
        match self {
            ArrFailure::Upstream(error) => error.into(),
            ArrFailure::Refused { code, .. } | ArrFailure::Unproven { code, .. } => *code,
            ArrFailure::Unopened { .. } => Code::InstanceUnreadable,
            ArrFailure::Removed => Code::InstanceUnknown,
            ArrFailure::NotServed { .. } => Code::Busy,
        }
    }

    /// Whether this is an answer ("not in the library") rather than an error of the tool.
    pub fn is_refusal(&self) -> bool {
        match self {
            ArrFailure::Refused { .. } | ArrFailure::Unopened { .. } | ArrFailure::Removed => true,
            ArrFailure::Upstream(_) | ArrFailure::Unproven { .. } | ArrFailure::NotServed { .. } => false,
        }
    }

    /// How a reading tool ends over it: a refusal is an answer under the tool's own schema, everything else an error.
    ///
    /// # Errors
    /// The failure in words, where it is no refusal.
    pub fn into_answer<O: From<Envelope>>(self, libraries: Vec<Library>) -> Result<Answer<O>, Failure> {
        let words = self.to_string();
        match self.is_refusal() {
            true => Ok(Answer::new(Envelope::refused(self.code(), libraries).into(), words)),
            false => Err(Failure::World(words)),
        }
    }
}

impl From<CallError> for ArrFailure {
    fn from(error: CallError) -> Self {
        match error {
            CallError::NotFound => ArrFailure::Removed,
            other => ArrFailure::NotServed { words: other.to_string() },
        }
    }
}

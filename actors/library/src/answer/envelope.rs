//! The members that every structured answer begins with.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Code;
use crate::instance::InstanceSummary;
use crate::service::Service;
use crate::words::words;

/// The members that every structured answer of a library tool has; flattened into the tool's own output.
///
/// A tool's output implements `From<Envelope>` (its own members empty), so that refusals are made in one place.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Envelope {
    /// How the call ended.
    pub outcome: Outcome,
    /// Why it did not answer: a stable name. Absent when it answered or did what was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<Code>,
    /// The libraries that the answer is about, each with what became of reading it.
    pub libraries: Vec<Library>,
    /// A verdict of its own, for whoever closes an issue by it. Never to be derived from the prose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
}

words! {
    /// How a call ended.
    #[derive(Default)]
    pub enum Outcome {
        /// A read was answered, be it with "nothing there".
        #[default]
        Answered = "answered",
        /// A read was not possible as asked; nothing is wrong with the service.
        Refused = "refused",
        /// A change was not begun: nothing was sent.
        NotStarted = "not_started",
        /// A first change was made, a later one failed.
        Partial = "partial",
        /// A change was sent and its answer was lost: it may have happened. Read before repeating it.
        Unknown = "unknown",
        /// A change was made.
        Done = "done",
    }
}

/// One library of the answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Library {
    /// Its service.
    pub service: Service,
    /// Its id, for `instance_id`. Absent where the house has none of the service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance_id: Option<String>,
    /// What the house calls it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Whether calls without `instance_id` go to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_default: Option<bool>,
    /// What became of reading it.
    pub state: LibraryState,
    /// In a sentence, what a reader must know of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

words! {
    /// What became of reading a library.
    pub enum LibraryState {
        /// It was read, or written to.
        Read = "read",
        /// The house has none of the service.
        NotConfigured = "not_configured",
        /// It could not be read.
        Unreadable = "unreadable",
        /// What was asked of it was refused before it was called.
        Refused = "refused",
        /// Its service does not offer what was asked.
        Unsupported = "unsupported",
    }
}

/// A verdict on the one thing that was asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Verification {
    /// What was verified.
    pub kind: VerificationKind,
    /// Always true: no verdict is given for anything wider than what was named.
    pub exact_scope: bool,
    /// Whether what was looked for is (still) there.
    pub target_present: bool,
}

words! {
    /// What a verdict is about.
    pub enum VerificationKind {
        /// Whether the named download is in the queue.
        QueueTarget = "queue_target",
        /// Whether the named season still holds files from before its episodes aired.
        SeasonClean = "season_clean",
    }
}

impl Envelope {
    /// Answered, from these libraries.
    pub fn answered(libraries: Vec<Library>) -> Self {
        Self { libraries, ..Self::default() }
    }

    /// Done, in these libraries.
    pub fn done(libraries: Vec<Library>) -> Self {
        Self { outcome: Outcome::Done, libraries, ..Self::default() }
    }

    /// Refused as a read.
    pub fn refused(code: Code, libraries: Vec<Library>) -> Self {
        Self { outcome: Outcome::Refused, code: Some(code), libraries, ..Self::default() }
    }

    /// With a verdict.
    #[must_use]
    pub fn with_verification(mut self, kind: VerificationKind, target_present: bool) -> Self {
        self.verification = Some(Verification { kind, exact_scope: true, target_present });
        self
    }
}

impl Library {
    /// A library that was read.
    pub fn read(instance: &InstanceSummary) -> Self {
        Self::of(instance, LibraryState::Read, None)
    }

    /// A library that could not be read, and why.
    pub fn unreadable(instance: &InstanceSummary, note: impl Into<String>) -> Self {
        Self::of(instance, LibraryState::Unreadable, Some(note.into()))
    }

    /// A library that was not asked, and why.
    pub fn refused(instance: &InstanceSummary, note: impl Into<String>) -> Self {
        Self::of(instance, LibraryState::Refused, Some(note.into()))
    }

    /// A library whose service does not offer what was asked.
    pub fn unsupported(instance: &InstanceSummary, note: impl Into<String>) -> Self {
        Self::of(instance, LibraryState::Unsupported, Some(note.into()))
    }

    /// No library: the house has none of `service`, or the one asked for is not there.
    pub fn absent(service: Service, state: LibraryState, note: impl Into<String>) -> Self {
        Self { service, instance_id: None, name: None, is_default: None, state, note: Some(note.into()) }
    }

    fn of(instance: &InstanceSummary, state: LibraryState, note: Option<String>) -> Self {
        Self {
            service: instance.service,
            instance_id: Some(instance.id.to_string()),
            name: Some(instance.name.clone()),
            is_default: Some(instance.is_default),
            state,
            note,
        }
    }
}

//! Why a change did not end as asked, and what is known of its effect.

use playhouse_bus::CallError;
use playhouse_tools::Answer;
use serde::{Deserialize, Serialize};

use super::{ArrFailure, Code, Envelope, Library, Outcome};
use crate::client::{ArrError, WriteError};

/// Why a change did not end as asked. The variant is what is known of its effect, and survives on its way to the caller.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unfinished {
    /// Nothing happened: nothing was sent, or the service refused it.
    #[error("{words}")]
    NotStarted {
        /// Its stable name.
        code: Code,
        /// Why, and what to do next.
        words: String,
    },
    /// The first of several changes was made, a later one was not.
    #[error("{done}; {pending} failed: {cause}. Do not repeat the whole: read the present state first.")]
    Partial {
        /// The stable name of what failed.
        code: Code,
        /// What was done.
        done: String,
        /// What was still to be done.
        pending: String,
        /// Why it was not.
        cause: String,
    },
    /// The change was sent and its answer was lost: it may have happened.
    #[error(
        "{what} was sent, and whether it took effect is unknown: {cause}. Do not repeat it: read the present state first."
    )]
    Unknown {
        /// The stable name of what went wrong.
        code: Code,
        /// What was sent, such as `The removal of queue item 7`.
        what: String,
        /// How the answer was lost.
        cause: String,
    },
}

impl Unfinished {
    /// That nothing was begun.
    pub fn not_started(code: Code, words: impl Into<String>) -> Self {
        Unfinished::NotStarted { code, words: words.into() }
    }

    /// How the write `what` ended, such as `The removal of queue item 7`.
    pub fn of_write(what: &str, error: WriteError) -> Self {
        match error {
            WriteError::NotSent(error) => Unfinished::not_sent(what, &error),
            WriteError::Refused(error) => Unfinished::NotStarted {
                code: (&error).into(),
                words: format!("{what} was refused by the service, so nothing happened: {}.", without_stop(&error)),
            },
            WriteError::Unknown(error) => {
                Unfinished::Unknown { code: (&error).into(), what: what.to_owned(), cause: without_stop(&error) }
            }
        }
    }

    /// How the last part of a change ended after `done`. A part whose outcome is unknown leaves the whole unknown.
    pub fn after(done: &str, pending: &str, error: WriteError) -> Self {
        match error {
            WriteError::NotSent(error) | WriteError::Refused(error) => Unfinished::Partial {
                code: (&error).into(),
                done: done.to_owned(),
                pending: pending.to_owned(),
                cause: without_stop(&error),
            },
            WriteError::Unknown(error) => Unfinished::Unknown {
                code: (&error).into(),
                what: format!("{done}; {pending}"),
                cause: without_stop(&error),
            },
        }
    }

    fn not_sent(what: &str, error: &ArrError) -> Self {
        Unfinished::NotStarted {
            code: error.into(),
            words: format!("{what} was not sent, so nothing happened: {}.", without_stop(error)),
        }
    }

    /// Its stable name.
    pub fn code(&self) -> Code {
        match self {
            Unfinished::NotStarted { code, .. }
            | Unfinished::Partial { code, .. }
            | Unfinished::Unknown { code, .. } => *code,
        }
    }

    /// How the call ended.
    pub fn outcome(&self) -> Outcome {
        match self {
            Unfinished::NotStarted { .. } => Outcome::NotStarted,
            Unfinished::Partial { .. } => Outcome::Partial,
            Unfinished::Unknown { .. } => Outcome::Unknown,
        }
    }

    /// How a writing tool ends over it: an error that carries the structured value too.
    pub fn into_answer<O: From<Envelope>>(self, libraries: Vec<Library>) -> Answer<O> {
        let envelope = Envelope { outcome: self.outcome(), code: Some(self.code()), libraries, ..Envelope::default() };
        Answer::failed(envelope.into(), self.to_string())
    }
}

/// What a writing tool found out before it wrote anything.
impl From<ArrFailure> for Unfinished {
    fn from(failure: ArrFailure) -> Self {
        Unfinished::NotStarted { code: failure.code(), words: format!("Nothing was changed: {failure}") }
    }
}

/// A read before the write that did not succeed.
impl From<ArrError> for Unfinished {
    fn from(error: ArrError) -> Self {
        ArrFailure::from(error).into()
    }
}

/// The bus knows whether the actor had begun: what was begun and not answered may have happened.
impl From<CallError> for Unfinished {
    fn from(error: CallError) -> Self {
        match &error {
            CallError::Deadline { started: true } | CallError::Panicked { .. } => Unfinished::Unknown {
                // Not `Busy`, which says that nothing was sent.
                code: Code::UpstreamUnreachable,
                what: "The change".to_owned(),
                cause: "no answer came in time".to_owned(),
            },
            _ => ArrFailure::from(error).into(),
        }
    }
}

/// An error's words for the middle of a sentence.
fn without_stop(error: &ArrError) -> String {
    error.to_string().trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client::ArrFault;
    use crate::service::Service;

    fn status_500() -> ArrError {
        let fault = ArrFault::Status { status: 500 };
        ArrError { service: Service::Radarr, method: "DELETE".to_owned(), path: "/api/v3/queue/7".to_owned(), fault }
    }

    #[test]
    fn what_is_known_of_a_write_is_kept_on_its_way() {
        const WHAT: &str = "The removal of queue item 7";
        let outcome = |error| Unfinished::of_write(WHAT, error).outcome();
        assert_eq!(outcome(WriteError::NotSent(status_500())), Outcome::NotStarted);
        assert_eq!(outcome(WriteError::Refused(status_500())), Outcome::NotStarted);
        assert_eq!(outcome(WriteError::Unknown(status_500())), Outcome::Unknown);
        let words = Unfinished::of_write(WHAT, WriteError::Unknown(status_500())).to_string();
        assert!(
            words.starts_with("The removal of queue item 7 was sent") && words.contains("Do not repeat it"),
            "{words}"
        );
    }

    #[test]
    fn a_later_part_that_was_lost_leaves_the_whole_unknown_and_one_that_was_refused_leaves_it_partial() {
        let outcome = |error| Unfinished::after("it was removed", "the new search", error).outcome();
        assert_eq!(outcome(WriteError::Refused(status_500())), Outcome::Partial);
        assert_eq!(outcome(WriteError::Unknown(status_500())), Outcome::Unknown);
    }

    #[test]
    fn what_the_actor_had_begun_may_have_happened_and_what_it_had_not_did_not() {
        let outcome = |error| Unfinished::from(error).outcome();
        assert_eq!(outcome(CallError::Deadline { started: true }), Outcome::Unknown);
        assert_eq!(outcome(CallError::Deadline { started: false }), Outcome::NotStarted);
        assert_eq!(outcome(CallError::NotFound), Outcome::NotStarted);
        let lost = Unfinished::from(CallError::Deadline { started: true });
        assert_eq!(lost.code(), Code::UpstreamUnreachable, "busy would say that nothing was sent");
        assert_eq!(Unfinished::from(CallError::Deadline { started: false }).code(), Code::Busy);
        assert_eq!(Unfinished::from(CallError::NotFound).code(), Code::InstanceUnknown);
    }
}

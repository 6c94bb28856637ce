//! What assistants may do in a production office: fifteen tools, six resources and four prompts, under the names of the system that this
//! wing comes from.
//!
//! A tool translates its arguments into a message of the office and hands its document on. What a key may see, and in which words it is
//! refused, is the office's: the REST door sends the same messages and gets the same bytes.

mod document;
mod prompts;
mod reads;
mod resources;
mod submit;

use playhouse_bus::{Bus, CallError, Deadline};
use playhouse_house::{Principal, Scope};
use playhouse_tools::{Audience, DuplicateTool, Failure, Refusal, Registry};

use crate::actor::ProductionActor;
use crate::media::SubmissionDesk;
use crate::{Document, OfficeRefusal, Question, Read, Reader};

pub use document::{OfficeDocument, one_of};

/// Whom the office's resources and prompts are listed to.
const OFFICE: Audience = Audience(&[Scope::Read, Scope::Write, Scope::ReadMoney, Scope::SubmitTurnover]);

/// Adds the office's tools, resources and prompts.
///
/// # Errors
/// [`DuplicateTool`].
pub fn add_tools(registry: &mut Registry, desk: SubmissionDesk) -> Result<(), DuplicateTool> {
    reads::add(registry)?;
    registry.add(submit::SubmitTurnover(desk))?;
    resources::add(registry)?;
    prompts::add(registry)
}

/// Asks the office of the caller's house.
///
/// # Errors
/// What the office says, and 503 where it does not answer.
pub async fn ask(
    bus: &Bus,
    principal: &Principal,
    question: Question,
    deadline: Deadline,
) -> Result<Document, OfficeRefusal> {
    let read = Read { reader: Reader::from(principal), question };
    bus.call(ProductionActor::key(principal.house), read, deadline).await?
}

impl From<CallError> for OfficeRefusal {
    /// The office did not answer. Both doors say so alike; whether a write took effect is found out by sending it again, as the office
    /// answers a repeated one with what the first one made.
    fn from(error: CallError) -> Self {
        match error {
            CallError::NotFound => OfficeRefusal::not_found("Production"),
            CallError::NotServed { .. } => OfficeRefusal::new(501, "This instance has no production office."),
            CallError::Busy { retry_after, .. } | CallError::Parked { retry_after, .. } => {
                // Whole seconds, rounded up: who comes a moment early is refused again.
                let seconds = u32::try_from(retry_after.as_millis().div_ceil(1_000)).unwrap_or(u32::MAX).max(1);
                OfficeRefusal { retry_after_seconds: Some(seconds), ..OfficeRefusal::unavailable() }
            }
            CallError::Deadline { .. } | CallError::Panicked { .. } | CallError::Closing => {
                OfficeRefusal::unavailable()
            }
        }
    }
}

impl From<OfficeRefusal> for Refusal {
    fn from(refusal: OfficeRefusal) -> Self {
        let OfficeRefusal { status, detail, members, retry_after_seconds, in_doubt: _ } = refusal;
        Refusal { status, detail, members, retry_after_seconds }
    }
}

impl From<OfficeRefusal> for Failure {
    fn from(refusal: OfficeRefusal) -> Self {
        Failure::Refused(refusal.into())
    }
}

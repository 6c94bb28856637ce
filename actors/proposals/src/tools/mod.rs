//! The tools of settings changes: arguments, a message to the house's queue, the answer in words.

mod apply_profile_change;
mod preview_profile_change;
mod upsert_custom_format;

use std::time::Duration;

use playhouse_bus::{CallError, Message};
use playhouse_library::InstanceLabel;
use playhouse_library::answer::{Code, Envelope, Library, LibraryState, Outcome};
use playhouse_library::tooling::Redacted;
use playhouse_tools::{Answer, DuplicateTool, Registry, ToolCall};

use crate::{Caller, Origin, ProposalQueueActor, SettingsFailure};

/// The name of the tool that makes and changes custom formats.
pub(crate) const UPSERT: &str = "upsert_custom_format";
/// The name of the tool that works a change of a profile out.
pub(crate) const PREVIEW: &str = "preview_profile_change";
/// The name of the tool that carries one out; its switch is asked for approvals too.
pub(crate) const APPLY: &str = "apply_profile_change";

/// How long a call may take: it waits for its turn at the library, which may be slow, reads it twice and writes once.
const WITHIN: Duration = Duration::from_secs(180);

/// Adds the tools, each behind the library tools' screen for secrets.
///
/// # Errors
/// [`DuplicateTool`].
pub fn add_tools(registry: &mut Registry) -> Result<(), DuplicateTool> {
    registry.add(Redacted(upsert_custom_format::UpsertCustomFormatTool))?;
    registry.add(Redacted(preview_profile_change::PreviewProfileChangeTool))?;
    registry.add(Redacted(apply_profile_change::ApplyProfileChangeTool))
}

/// Who calls a tool from outside.
fn caller(call: &ToolCall) -> Caller {
    Caller { principal: call.principal.clone(), origin: Origin::ExternalMcp }
}

/// Asks the queue of the calling house. What did not end as asked comes as the tool's answer.
async fn ask<M, T, O>(call: &ToolCall, message: M) -> Result<T, Answer<O>>
where
    M: Message<Actor = ProposalQueueActor, Reply = Result<T, SettingsFailure>>,
    O: From<Envelope>,
{
    match call.bus.call(ProposalQueueActor::key(call.principal.house), message, call.deadline).await {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(failure)) => Err(answer_of(&failure)),
        Err(error) => Err(unserved(&error)),
    }
}

/// The bus knows whether anything was begun.
fn unserved<O: From<Envelope>>(error: &CallError) -> Answer<O> {
    let (outcome, code) = match error {
        CallError::Deadline { started: true } | CallError::Panicked { .. } => {
            (Outcome::Unknown, Code::UpstreamUnreachable)
        }
        _ => (Outcome::NotStarted, Code::Busy),
    };
    failed(outcome, Some(code), error.to_string())
}

/// A refusal is an answer; everything else is an error that says what is known of its effect.
fn answer_of<O: From<Envelope>>(failure: &SettingsFailure) -> Answer<O> {
    let words = failure.to_string();
    match failure {
        SettingsFailure::Refused { code, .. } => Answer::new(Envelope::refused(*code, Vec::new()).into(), words),
        SettingsFailure::NotStarted { code, .. } | SettingsFailure::Definite { code, .. } => {
            failed(Outcome::NotStarted, Some(*code), words)
        }
        SettingsFailure::Partial { was_accepted, change, .. } => {
            let (outcome, code) = match was_accepted {
                true => (Outcome::Partial, None),
                false => (Outcome::Unknown, Some(Code::UpstreamUnreachable)),
            };
            let entry =
                change.map(|id| format!(" It is change {id} in the configuration history.")).unwrap_or_default();
            let words = format!("{words}. Do not repeat it: look at what is stored first.{entry}");
            failed(outcome, code, words)
        }
        SettingsFailure::AuthorisationLost { .. } => failed(Outcome::NotStarted, Some(Code::AuthorisationLost), words),
    }
}

fn failed<O: From<Envelope>>(outcome: Outcome, code: Option<Code>, words: String) -> Answer<O> {
    Answer::failed(Envelope { outcome, code, ..Envelope::default() }.into(), words)
}

/// How structured answers list a library that a change was about.
fn library(instance: &InstanceLabel) -> Library {
    Library {
        service: instance.service,
        instance_id: Some(instance.id.to_string()),
        name: Some(instance.name.clone()),
        is_default: None,
        state: LibraryState::Read,
        note: None,
    }
}

/// A line for each difference.
fn bullets(diff: &[String]) -> String {
    diff.iter().map(|line| format!("\n- {line}")).collect()
}

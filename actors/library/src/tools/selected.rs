//! Reads one library, or the default one of each service, of which none may be missing from the answer unnoticed.

use futures_util::future::try_join_all;
use playhouse_bus::Message;
use playhouse_tools::{Answer, Failure, ToolCall};

use super::{Libraries, ask};
use crate::ArrActor;
use crate::answer::{ArrFailure, Envelope, Library};
use crate::instance::{ChooseRefusal, Chosen, InstanceSummary};
use crate::service::MediaSelection;

/// What a library answered, or why it was not asked.
pub(super) type Section<T> = Result<(Chosen, T), ChooseRefusal>;

/// Asks the libraries of `selection` at once. A library that cannot be read fails the whole: a part of the queues would look like healthy queues.
/// One that the house does not have is a section that says so.
///
/// # Errors
/// How the tool ends instead: with a refusal that is an answer, or with a failure.
pub(super) async fn read_selected<M, T, O>(
    call: &ToolCall,
    selection: MediaSelection,
    asked: Option<&str>,
    message: impl Fn(&Chosen) -> M,
) -> Result<Vec<Section<T>>, Result<Answer<O>, Failure>>
where
    M: Message<Actor = ArrActor, Reply = Result<T, ArrFailure>>,
    O: From<Envelope>,
{
    let libraries = Libraries::of(call).await.map_err(Err)?;
    let (libraries, message) = (&libraries, &message);
    let read = selection.services().into_iter().map(|service| async move {
        let chosen = match libraries.to_read(service, asked) {
            Ok(chosen) => chosen,
            Err(refusal) => return Ok(Err(refusal)),
        };
        match ask(call, &chosen.instance, message(&chosen)).await {
            Ok(answered) => Ok(Ok((chosen, answered))),
            Err(failure) => Err((chosen.instance, failure)),
        }
    });
    let mut sections = try_join_all(read).await.map_err(|(instance, failure)| failed(selection, &instance, failure))?;
    match sections.pop() {
        // Of a single library, the refusal is the whole answer.
        Some(Err(refusal)) if sections.is_empty() => Err(Ok(refusal.into_answer())),
        Some(last) => {
            sections.push(last);
            Ok(sections)
        }
        None => Ok(sections),
    }
}

fn failed<O: From<Envelope>>(
    selection: MediaSelection,
    instance: &InstanceSummary,
    failure: ArrFailure,
) -> Result<Answer<O>, Failure> {
    let title = instance.title();
    match selection.one() {
        Some(_) if failure.is_refusal() => {
            let library = Library::unreadable(instance, failure.to_string());
            failure.into_answer(vec![library])
        }
        Some(_) => Err(Failure::world(format!("{title}: {failure}"))),
        None => Err(Failure::world(format!(
            "{title}: {failure}\nNo queue is shown, because the others alone would look like all there is. With another media_type they can be read \
             one by one."
        ))),
    }
}

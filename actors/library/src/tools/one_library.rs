//! What every tool that reads or changes one library does alike: choose it, ask its actor, and put into the answer which library it was.

use playhouse_bus::Message;
use playhouse_tools::{Answer, Failure, ToolCall};

use super::{Libraries, ask, ask_to_write};
use crate::ArrActor;
use crate::answer::{ArrFailure, Envelope, Library, Outcome, Unfinished};
use crate::instance::Chosen;
use crate::service::Service;

/// What a library's actor answered, with the library; or the tool's answer where there is nothing to go on with.
pub(super) type Asked<T, O> = Result<(Chosen, T), Answer<O>>;

/// Reads one library of `service`: the one that `asked` names, else the default.
///
/// # Errors
/// What is an error of the tool: the service's own failure. A refusal is an answer, and comes as the inner error.
pub(super) async fn read_one<M, T, O>(
    call: &ToolCall,
    service: Service,
    asked: Option<&str>,
    message: M,
) -> Result<Asked<T, O>, Failure>
where
    M: Message<Actor = ArrActor, Reply = Result<T, ArrFailure>>,
    O: From<Envelope>,
{
    let chosen = match Libraries::of(call).await?.to_read(service, asked) {
        Ok(chosen) => chosen,
        Err(refusal) => return Ok(Err(refusal.into_answer())),
    };
    match ask(call, &chosen.instance, message).await {
        Ok(found) => Ok(Ok((chosen, found))),
        Err(failure) => {
            let instance = &chosen.instance;
            let library = match &failure {
                // The library was read; what was asked for is not in it.
                ArrFailure::Refused { .. } => Library::read(instance),
                ArrFailure::Unopened { .. } => Library::unreadable(instance, failure.to_string()),
                _ => Library::refused(instance, failure.to_string()),
            };
            let mut answer = failure.into_answer(vec![library])?;
            answer.prose = format!("{}: {}", instance.title(), answer.prose);
            Ok(Err(answer))
        }
    }
}

/// Has one library of `service` make a change: the one that `asked` names, else the default. What was not done, or not surely, comes as the
/// inner error.
///
/// # Errors
/// That the house's libraries could not be listed.
pub(super) async fn change_one<M, T, O>(
    call: &ToolCall,
    service: Service,
    asked: Option<&str>,
    message: M,
) -> Result<Asked<T, O>, Failure>
where
    M: Message<Actor = ArrActor, Reply = Result<T, Unfinished>>,
    O: From<Envelope>,
{
    change_and_look(call, service, asked, "", message).await
}

/// As [`change_one`], where it can be said which read shows what became of a change that may have happened: `look` is that sentence.
///
/// # Errors
/// As [`change_one`].
pub(super) async fn change_and_look<M, T, O>(
    call: &ToolCall,
    service: Service,
    asked: Option<&str>,
    look: &str,
    message: M,
) -> Result<Asked<T, O>, Failure>
where
    M: Message<Actor = ArrActor, Reply = Result<T, Unfinished>>,
    O: From<Envelope>,
{
    let chosen = match Libraries::of(call).await?.to_write(service, asked) {
        Ok(chosen) => chosen,
        Err(refusal) => {
            let library = refusal.library();
            return Ok(Err(Unfinished::from(refusal).into_answer(library.into_iter().collect())));
        }
    };
    match ask_to_write(call, &chosen.instance, message).await {
        Ok(done) => Ok(Ok((chosen, done))),
        Err(unfinished) => {
            let library = Library::refused(&chosen.instance, unfinished.to_string());
            let may_have_happened = matches!(unfinished.outcome(), Outcome::Partial | Outcome::Unknown);
            let mut answer: Answer<O> = unfinished.into_answer(vec![library]);
            answer.prose = format!("{}: {}", chosen.instance.title(), answer.prose);
            if may_have_happened && !look.is_empty() {
                answer.prose = format!("{} {look}", answer.prose);
            }
            Ok(Err(answer))
        }
    }
}

/// A line about records that could not be read, so that a list that lacks some does not pass for whole; empty where there were none.
pub(super) fn about_skipped(n_skipped: usize) -> String {
    match n_skipped {
        0 => String::new(),
        1 => "\n1 record could not be read and is missing here.".to_owned(),
        n => format!("\n{n} records could not be read and are missing here."),
    }
}

/// The arguments that were given though the media type has no use for them; the first is named in a refusal, because dropping one would widen
/// the read.
pub(super) fn first_given<'n>(arguments: &[(&'n str, Option<i64>)]) -> Option<&'n str> {
    arguments.iter().find(|(_, value)| value.is_some()).map(|(name, _)| *name)
}

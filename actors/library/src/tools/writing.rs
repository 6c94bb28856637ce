//! What the tools that change something do alike: choose the library, ask its actor, and say what is known of the effect.

use playhouse_bus::Message;
use playhouse_tools::{Answer, Failure, ToolCall};

use super::{Libraries, ask_to_write};
use crate::ArrActor;
use crate::answer::{Envelope, Library, Outcome, Unfinished};
use crate::instance::{Chosen, InstanceSummary};
use crate::service::MediaType;

/// A change that was made, and where.
pub(super) struct Made<T> {
    /// The library.
    pub(super) instance: InstanceSummary,
    /// What its actor answers.
    pub(super) done: T,
}

/// Has the library of `media_type` make the change `message`. Where it did not end as asked, the inner error is the answer; `look` is the sentence
/// that says which read shows what became of it.
pub(super) async fn change<M, T, O>(
    call: &ToolCall,
    media_type: MediaType,
    asked: Option<&str>,
    look: &str,
    message: M,
) -> Result<Result<Made<T>, Answer<O>>, Failure>
where
    M: Message<Actor = ArrActor, Reply = Result<T, Unfinished>>,
    O: From<Envelope>,
{
    let libraries = Libraries::of(call).await?;
    let Chosen { instance, .. } = match libraries.to_write(media_type.service(), asked) {
        Ok(chosen) => chosen,
        Err(refusal) => {
            let library = refusal.library().into_iter().collect();
            return Ok(Err(Unfinished::from(refusal).into_answer(library)));
        }
    };
    Ok(match ask_to_write(call, &instance, message).await {
        Ok(done) => Ok(Made { instance, done }),
        Err(unfinished) => Err(unfinished_answer(unfinished, &instance, look)),
    })
}

/// That nothing was begun, because an argument is missing or belongs to another media type.
pub(super) fn not_begun<O: From<Envelope>>(unfinished: Unfinished) -> Answer<O> {
    unfinished.into_answer(Vec::new())
}

fn unfinished_answer<O: From<Envelope>>(unfinished: Unfinished, instance: &InstanceSummary, look: &str) -> Answer<O> {
    let library = match unfinished.code().is_upstream_failure() {
        true => Library::unreadable(instance, unfinished.to_string()),
        false => Library::read(instance),
    };
    let may_have_happened = matches!(unfinished.outcome(), Outcome::Partial | Outcome::Unknown);
    let mut answer = unfinished.into_answer(vec![library]);
    answer.prose = format!("{}: {}", instance.title(), answer.prose);
    if may_have_happened {
        answer.prose.push(' ');
        answer.prose.push_str(look);
    }
    answer
}

/// Which read shows whether a queue item is still there.
pub(super) fn still_there(queue_id: i64, media_type: MediaType, instance_id: Option<&str>) -> String {
    let mut args = serde_json::json!({ "media_type": media_type });
    if let Some(instance_id) = instance_id {
        args["instance_id"] = instance_id.into();
    }
    format!("get_queue {args} shows whether item {queue_id} is still there.")
}

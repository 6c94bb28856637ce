//! What a wing writes: its messages, its actors, and how an actor answers.

use std::future::Future;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{ActorKey, ActorKind, Answer, Deadline};

/// A message names its actor and its reply. Both are plain data that could cross a network: no channels, no closures.
pub trait Message: Serialize + DeserializeOwned + Send + 'static {
    /// The actor that handles it.
    type Actor: Handle<Self>;
    /// What comes back, often a `Result<T, SomeError>`: what the domain refuses is a reply, not a [`CallError`](crate::CallError).
    type Reply: Serialize + DeserializeOwned + Send + 'static;
}

/// Ties the messages of one actor to it, and each to its reply.
///
/// ```text
/// messages! { Waitlist: AddName => usize, ListNames => Vec<String> }
/// ```
#[macro_export]
macro_rules! messages {
    ($actor:ty: $($message:ty => $reply:ty),* $(,)?) => {
        $(impl $crate::Message for $message {
            type Actor = $actor;
            type Reply = $reply;
        })*
    };
}

/// An actor as its wing sees it: a value that is read from the store, answers messages one at a time and may be dropped
/// and read again whenever the bus sees fit.
///
/// It lives on one thread and need not be `Send`. It must not block that thread, nor keep anything in memory that a
/// caller was promised: after a panic it is rebuilt from what the store holds.
pub trait Behaviour: Sized + 'static {
    /// The kind whose actors behave so. One kind, one behaviour.
    const KIND: ActorKind;

    /// What every actor of this kind is handed at its start: store, clock, clients. Cloned for each start.
    type Services: Clone + Send + Sync + 'static;

    /// Reads the state of the actor `key`. It runs before any message is handled, and again after every failure.
    fn start(key: ActorKey, services: Self::Services) -> impl Future<Output = Result<Self, StartError>> + 'static;
}

/// That a behaviour understands `M`.
pub trait Handle<M: Message>: Behaviour {
    /// Begins to answer `message`. Whatever waits belongs into the [`Answer`], not here.
    fn handle(&mut self, message: M, call: CallInfo) -> Answer<Self, M::Reply>;
}

/// What a handler knows about the call besides its message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CallInfo {
    /// When the caller stops waiting. Hand it on to every call made on behalf of this one.
    pub deadline: Deadline,
    /// The actor's own address.
    pub key: ActorKey,
}

/// Why an actor could not start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StartError {
    /// Nothing is stored under this key. Callers get [`CallError::NotFound`](crate::CallError::NotFound), and the bus
    /// forgets that it was ever asked.
    #[error("nothing is stored under this key")]
    NotFound,
    /// The state could not be read for now. The bus tries again, further and further apart.
    #[error("could not start: {reason}")]
    Unavailable {
        /// For the operator's health page; no secrets.
        reason: String,
    },
}

impl StartError {
    /// That the state could not be read, with the error and everything that caused it.
    pub fn unavailable(error: &(dyn std::error::Error + 'static)) -> Self {
        let mut reason = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            reason.push_str(": ");
            reason.push_str(&cause.to_string());
            source = cause.source();
        }
        Self::Unavailable { reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("could not read the record")]
    struct Unreadable(#[source] std::fmt::Error);

    #[test]
    fn an_unavailable_state_says_the_whole_chain() {
        let error = StartError::unavailable(&Unreadable(std::fmt::Error));

        let expected = format!("could not start: could not read the record: {}", std::fmt::Error);
        assert_eq!(error.to_string(), expected);
    }
}

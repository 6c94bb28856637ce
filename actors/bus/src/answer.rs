//! The five ways in which a handler may answer.

use std::future::Future;
use std::pin::Pin;

/// A future that stays on its actor's thread.
pub(crate) type LocalFuture<T> = Pin<Box<dyn Future<Output = T>>>;

/// The second half of [`Answer::alone`]: puts what the future found into the behaviour, and makes the reply.
pub(crate) type Finish<B, R> = Box<dyn FnOnce(&mut B) -> R>;

/// What a handler returns: the reply, or the work that will produce it.
#[must_use = "a dropped answer leaves the caller without a reply"]
pub struct Answer<B, R>(pub(crate) Work<B, R>);

pub(crate) enum Work<B, R> {
    Now(R),
    Later(LocalFuture<R>),
    ToTheEnd(LocalFuture<R>),
    Prepared(LocalFuture<Result<LocalFuture<R>, R>>),
    Alone(LocalFuture<Finish<B, R>>),
}

impl<B: 'static, R: 'static> Answer<B, R> {
    /// The reply is known.
    pub fn now(reply: R) -> Self {
        Self(Work::Now(reply))
    }

    /// Waits beside other messages, and is dropped at its next await once nobody waits for the reply any more. For
    /// reading and asking.
    pub fn later(future: impl Future<Output = R> + 'static) -> Self {
        Self(Work::Later(Box::pin(future)))
    }

    /// Waits beside other messages, and is finished even when the caller has gone. For side effects elsewhere, which must
    /// not be cut off half way. After [`KindSettings::finish_grace`](crate::KindSettings::finish_grace) it is given up
    /// and its outcome counts as unknown.
    pub fn to_the_end(future: impl Future<Output = R> + 'static) -> Self {
        Self(Work::ToTheEnd(Box::pin(future)))
    }

    /// As [`Answer::later`] while it prepares, and as [`Answer::to_the_end`] from then on: `prepare` is dropped when nobody waits any more, and
    /// what it hands over, holding whatever it has taken (a lock, a place), is finished. An error is the reply, and nothing is begun. For side
    /// effects that wait for their turn first.
    pub fn prepared<W>(prepare: impl Future<Output = Result<W, R>> + 'static) -> Self
    where
        W: Future<Output = R> + 'static,
    {
        Self(Work::Prepared(Box::pin(async move {
            let work: LocalFuture<R> = Box::pin(prepare.await?);
            Ok(work)
        })))
    }

    /// Takes no other message until `finish` has run. For read, modify, commit, apply: `future` commits to the store, and
    /// `finish` takes the outcome over into the behaviour. Finished even when the caller has gone.
    ///
    /// Given up after the same grace as [`Answer::to_the_end`]; as the behaviour may then differ from the store, it is
    /// read anew.
    pub fn alone<T: 'static>(
        future: impl Future<Output = T> + 'static,
        finish: impl FnOnce(&mut B, T) -> R + 'static,
    ) -> Self {
        Self(Work::Alone(Box::pin(async move {
            let found = future.await;
            let finish: Finish<B, R> = Box::new(move |behaviour| finish(behaviour, found));
            finish
        })))
    }
}

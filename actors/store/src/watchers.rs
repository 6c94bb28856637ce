//! Tells watchers what changed.

use std::sync::{Arc, PoisonError, RwLock};

use futures::{StreamExt, stream, stream::BoxStream};
use tokio::sync::broadcast::{self, error::RecvError};

use crate::{Hint, Key, round::Touched};

/// How many rounds a slow watcher may be behind before its hints are merged into [`Hint::Anything`].
const KEPT_ROUNDS: usize = 256;

/// All who watch one store.
pub struct Watchers {
    /// `None` once the store is closed, which ends the streams.
    rounds: RwLock<Option<broadcast::Sender<Arc<[Touched]>>>>,
}

impl Watchers {
    pub(crate) fn new() -> Self {
        Self { rounds: RwLock::new(Some(broadcast::channel(KEPT_ROUNDS).0)) }
    }

    /// Tells what a durable round touched. Never waits for a watcher.
    pub(crate) fn tell(&self, touched: Vec<Touched>) {
        let rounds = self.rounds.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(rounds) = &*rounds
            && rounds.receiver_count() > 0
            && !touched.is_empty()
        {
            // Fails only when the last watcher has just gone.
            let _gone = rounds.send(touched.into());
        }
    }

    pub(crate) fn close(&self) {
        *self.rounds.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    pub(crate) fn watch(&self, prefix: Key) -> BoxStream<'static, Hint> {
        let rounds = self.rounds.read().unwrap_or_else(PoisonError::into_inner);
        let Some(receiver) = rounds.as_ref().map(broadcast::Sender::subscribe) else {
            return stream::empty().boxed();
        };
        stream::unfold((receiver, prefix), |(mut receiver, prefix)| async {
            let hints = match receiver.recv().await {
                Ok(touched) => touched.iter().filter_map(|touched| hint_about(touched, &prefix)).collect(),
                Err(RecvError::Lagged(_)) => vec![Hint::Anything],
                Err(RecvError::Closed) => return None,
            };
            Some((stream::iter(hints), (receiver, prefix)))
        })
        .flatten()
        .boxed()
    }
}

fn hint_about(touched: &Touched, prefix: &Key) -> Option<Hint> {
    match touched {
        Touched::Record(key) if key == prefix || key.is_beneath(prefix) => Some(Hint::Changed(key.clone())),
        Touched::House(house) if *house == prefix.partition => Some(Hint::Anything),
        Touched::Record(_) | Touched::House(_) => None,
    }
}

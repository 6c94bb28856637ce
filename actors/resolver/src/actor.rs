//! Resolves titles for the whole instance.
//!
//! It owns what no house does: the pace of the catalogues, the questions in flight and the answers that are kept. Equal questions share one
//! walk, and an answer is kept before anybody who asked for it goes on.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::{FutureExt, Shared};
use jiff::tz::TimeZone;
use playhouse_bus::{ActorKey, ActorKind, Answer, Behaviour, CallInfo, Deadline, Handle, HouseId, Message, StartError};
use playhouse_catalog::tmdb::TmdbClient;
use playhouse_store::{Clock, SharedStore};
use playhouse_upstream::CircuitState;
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use crate::cache::Cache;
use crate::justwatch::JustWatchClient;
use crate::question::Question;
use crate::resolution::{Resolution, ResolveError};
use crate::walk::Walker;

/// How long a walk may take, whoever waits for it. It goes on when the first caller has gone, for those who joined it and for the next who
/// asks. Below the bus's grace for work that is finished without its caller.
const WALK_WITHIN: Duration = Duration::from_secs(22);

/// Answers a question from what is kept, or walks. Asking again changes nothing.
#[derive(Debug, Serialize, Deserialize)]
pub struct ResolveTitle {
    /// The question.
    pub question: Question,
}

/// Asks how the resolver is. Nobody is asked for it.
#[derive(Debug, Serialize, Deserialize)]
pub struct ObserveResolver {}

/// How the resolver is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResolverStatus {
    /// Whether there is a key.
    pub enabled: bool,
    /// Answers that are kept, those included that are too old.
    pub n_kept: usize,
    /// Walks under way.
    pub n_walks: usize,
    /// Whether TMDB is asked at present.
    pub tmdb: Option<CircuitState>,
    /// Whether JustWatch is asked at present; `None` where it is switched off.
    pub justwatch: Option<CircuitState>,
}

impl Message for ResolveTitle {
    type Actor = ResolverActor;
    type Reply = Result<Resolution, ResolveError>;
}

impl Message for ObserveResolver {
    type Actor = ResolverActor;
    type Reply = ResolverStatus;
}

/// What the resolver is started with.
#[derive(Clone)]
pub struct ResolverServices {
    /// Where answers are kept.
    pub store: SharedStore,
    /// The time of day.
    pub clock: Clock,
    /// TMDB; `None` without a key, which switches the resolver off.
    pub tmdb: Option<TmdbClient>,
    /// JustWatch; `None` where the operator switched it off.
    pub justwatch: Option<JustWatchClient>,
    /// Most answers that are kept.
    pub max_kept: usize,
}

/// Answers that are kept unless the operator says otherwise. One takes about two kilobytes.
pub const MAX_KEPT: usize = 20_000;

/// Resolves titles.
pub struct ResolverActor {
    inner: Rc<Inner>,
}

struct Inner {
    walker: Option<Walker>,
    cache: Cache,
    clock: Clock,
    /// Invariant: an entry's sender is held by a future that takes the entry out when it ends, however it ends.
    walks: RefCell<HashMap<String, Follow>>,
}

/// The end of a walk, for everybody who waits for it.
type Follow = Shared<oneshot::Receiver<Result<Resolution, ResolveError>>>;

impl ResolverActor {
    /// Its address: there is one for the instance.
    pub const fn key() -> ActorKey {
        ActorKey::only(HouseId::INSTANCE, ActorKind::Resolver)
    }
}

impl Behaviour for ResolverActor {
    const KIND: ActorKind = ActorKind::Resolver;
    type Services = ResolverServices;

    async fn start(_: ActorKey, services: ResolverServices) -> Result<Self, StartError> {
        let ResolverServices { store, clock, tmdb, justwatch, max_kept } = services;
        let cache = Cache::open(store, max_kept).await.map_err(|error| StartError::unavailable(&error))?;
        let walker = tmdb.map(|tmdb| Walker { tmdb, justwatch });
        Ok(Self { inner: Rc::new(Inner { walker, cache, clock, walks: RefCell::default() }) })
    }
}

impl Handle<ResolveTitle> for ResolverActor {
    fn handle(
        &mut self,
        ResolveTitle { question }: ResolveTitle,
        _: CallInfo,
    ) -> Answer<Self, Result<Resolution, ResolveError>> {
        if self.inner.walker.is_none() {
            return Answer::now(Err(ResolveError::Disabled));
        }
        let key = question.key();
        if let Some(walk) = self.inner.walks.borrow().get(&key) {
            let walk = walk.clone();
            return Answer::later(async move { walk.await.unwrap_or(Err(ResolveError::BrokenOff)) });
        }
        let (ended, follow) = oneshot::channel();
        self.inner.walks.borrow_mut().insert(key.clone(), follow.shared());
        let under_way = UnderWay { inner: Rc::clone(&self.inner), key };
        Answer::to_the_end(async move {
            let answer = under_way.inner.answer(&question, &under_way.key).await;
            // Nobody may have joined.
            let _ = ended.send(answer.clone());
            answer
        })
    }
}

/// A walk's place among those under way, given back when it ends, be it by a panic.
struct UnderWay {
    inner: Rc<Inner>,
    key: String,
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.inner.walks.borrow_mut().remove(&self.key);
    }
}

impl Inner {
    async fn answer(&self, question: &Question, key: &str) -> Result<Resolution, ResolveError> {
        if let Some(kept) = self.cache.get(key, (self.clock)()).await {
            return kept;
        }
        let Some(walker) = &self.walker else { return Err(ResolveError::Disabled) };
        let today = (self.clock)().to_zoned_datetime(TimeZone::UTC).date();
        let walked = walker.walk(question, today, Deadline::after(WALK_WITHIN)).await;
        self.cache.put(key, &walked, (self.clock)()).await;
        walked.answer
    }
}

impl Handle<ObserveResolver> for ResolverActor {
    fn handle(&mut self, _: ObserveResolver, _: CallInfo) -> Answer<Self, ResolverStatus> {
        let walker = self.inner.walker.as_ref();
        Answer::now(ResolverStatus {
            enabled: walker.is_some(),
            n_kept: self.inner.cache.n_entries(),
            n_walks: self.inner.walks.borrow().len(),
            tmdb: walker.map(|walker| walker.tmdb.circuit()),
            justwatch: walker.and_then(|walker| Some(walker.justwatch.as_ref()?.circuit())),
        })
    }
}

#[cfg(test)]
mod tests;

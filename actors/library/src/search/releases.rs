//! Asks the indexers what there is.

use std::time::Duration;

use playhouse_bus::{Answer, CallInfo, Handle, Message};
use serde::{Deserialize, Serialize};

use super::offers::{ReleaseRow, rank, shown};
use super::resolved::{Certainty, ask_indexers, not_shown, resolve_scope};
use super::scope::ReleaseScope;
use crate::ArrActor;
use crate::actor::kept_back;
use crate::answer::ArrFailure;
use crate::client::scrub;

/// Asks every indexer of the library for releases of exactly one thing. Takes minutes; changes nothing.
#[derive(Debug, Serialize, Deserialize)]
pub struct SearchReleases {
    /// For what.
    pub scope: ReleaseScope,
}

/// What the indexers offer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Releases {
    /// What was searched for, as the library calls it.
    pub title: String,
    /// The best of them, best first. No guid leaves the actor.
    pub releases: Vec<ReleaseRow>,
    /// How many there are in all.
    pub total: usize,
    /// Releases that could not be read or cannot be fetched.
    pub n_skipped: usize,
}

/// Of the caller's time, what is kept back so that a search that takes too long is told as such.
const FOR_THE_ANSWER: Duration = Duration::from_secs(2);

impl Message for SearchReleases {
    type Actor = ArrActor;
    type Reply = Result<Releases, ArrFailure>;
}

impl Handle<SearchReleases> for ArrActor {
    fn handle(&mut self, message: SearchReleases, call: CallInfo) -> Answer<Self, Result<Releases, ArrFailure>> {
        self.answer_search(|hands| async move {
            let search_by = kept_back(call.deadline, FOR_THE_ANSWER);
            let found = resolve_scope(&hands, message.scope, Certainty::LookUp, search_by).await?;
            let (mut offers, n_skipped) = ask_indexers(&hands, found.scope, search_by).await?;
            // Every guid is looked for in every text that is shown; of thousands of offers that is work for another thread.
            let showing = tokio::task::spawn_blocking(move || {
                rank(&mut offers);
                let guids: Vec<&str> = offers.iter().map(|offer| offer.guid.as_str()).collect();
                let title = scrub(&found.title, &guids);
                Releases { title, releases: shown(&offers), total: offers.len(), n_skipped }
            });
            showing.await.map_err(|_| not_shown(hands.service))
        })
    }
}

//! Reads the history of one library, or of one title in it.

use std::collections::HashMap;

use playhouse_bus::{Answer, CallInfo, Deadline, Handle, Message};
use serde::{Deserialize, Serialize};

use super::record::identity;
use super::sources::{Fetched, NoOwnHistory, newest_of_all, own_history};
use super::{History, HistoryEvent, HistoryWindow, SEARCHED_EVENTS, clamped, newest_first};
use crate::answer::{ArrFailure, Scope};
use crate::client::wire::{HistoryEvent as Record, Movie, Series};
use crate::reads::identity::{Fit, RowIdentity};
use crate::reads::resolve::record;
use crate::service::{MediaType, Service};
use crate::{ArrActor, Hands};

/// Reads what happened, newest first: to everything, or to what the scope names.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReadHistory {
    /// What it is narrowed to.
    pub scope: Scope,
    /// How many events are answered; clamped to 1 to 100, 20 unless given.
    pub limit: Option<i64>,
}

impl Message for ReadHistory {
    type Actor = ArrActor;
    type Reply = Result<History, ArrFailure>;
}

impl Handle<ReadHistory> for ArrActor {
    fn handle(&mut self, message: ReadHistory, call: CallInfo) -> Answer<Self, Result<History, ArrFailure>> {
        self.answer_read(|hands| async move {
            let ReadHistory { scope, limit } = message;
            read(&hands, &scope, clamped(limit), call.deadline).await
        })
    }
}

async fn read(hands: &Hands, scope: &Scope, limit: usize, deadline: Deadline) -> Result<History, ArrFailure> {
    if scope.is_empty() {
        let (fetched, _) = newest_of_all(hands, limit, None, deadline).await?;
        let n_fetched = fetched.records.len();
        let window = HistoryWindow { per_title: false, fetched: n_fetched, matched: n_fetched, limit };
        return Ok(history(hands, fetched.records, fetched.n_skipped, window));
    }
    let (fetched, whole, fallback) = match own_history(hands, scope, deadline).await? {
        Ok(fetched) => {
            let is_whole = fetched.n_skipped == 0;
            (fetched, is_whole, None)
        }
        Err(NoOwnHistory(why)) => {
            let (fetched, whole) = newest_for(hands, scope, deadline).await?;
            (fetched, whole, (!whole).then_some(why))
        }
    };
    let n_fetched = fetched.records.len();
    let records = matching(hands, scope, fetched.records, fetched.title_id, deadline).await?;
    let window = HistoryWindow { per_title: whole, fetched: n_fetched, matched: records.len(), limit };
    Ok(History { fallback, ..history(hands, records, fetched.n_skipped, window) })
}

/// The newest events, narrowed by the service itself where it can be. Whether they are all that there are about the scope is the second.
async fn newest_for(hands: &Hands, scope: &Scope, deadline: Deadline) -> Result<(Fetched, bool), ArrFailure> {
    let only = match hands.service {
        Service::Lidarr => scope.album_id.map(|id| ("albumId", id)),
        Service::Chaptarr => scope.book_id.map(|id| ("bookId", id)),
        Service::Radarr | Service::Sonarr => None,
    };
    let (fetched, total) = newest_of_all(hands, SEARCHED_EVENTS, only, deadline).await?;
    let media_type = hands.service.media_type();
    // A filter that the service did not know shows by another title among the events: then this was a page of everything.
    let was_narrowed = only.is_some()
        && fetched.records.iter().all(|record| identity(record).fit(media_type, scope, None) == Fit::Fits);
    let n_read = fetched.records.len() + fetched.n_skipped;
    let has_all = total.is_some_and(|total| usize::try_from(total).is_ok_and(|total| total <= n_read));
    // Of what could not be read nobody knows what it is about.
    let is_whole = was_narrowed && has_all && fetched.n_skipped == 0;
    Ok((fetched, is_whole))
}

/// Those of `records` that are about the scope. A record without the catalogue's number is compared by its title's own record, read once each.
async fn matching(
    hands: &Hands,
    scope: &Scope,
    records: Vec<Record>,
    title_id: Option<i64>,
    deadline: Deadline,
) -> Result<Vec<Record>, ArrFailure> {
    let media_type = hands.service.media_type();
    let mut looked_up: HashMap<i64, Option<RowIdentity>> = HashMap::new();
    let mut kept = Vec::new();
    for record in records {
        let identity = identity(&record);
        let fit = match identity.fit(media_type, scope, title_id) {
            Fit::Unproven if identity.title_id > 0 => {
                let known = match looked_up.get(&identity.title_id) {
                    Some(known) => *known,
                    None => {
                        let found = look_up(hands, media_type, identity.title_id, deadline).await?;
                        looked_up.insert(identity.title_id, found);
                        found
                    }
                };
                let completed =
                    known.map(|known| RowIdentity { tmdb_id: known.tmdb_id, tvdb_id: known.tvdb_id, ..identity });
                completed.map_or(Fit::Differs, |identity| identity.fit(media_type, scope, title_id))
            }
            fit => fit,
        };
        if fit == Fit::Fits {
            kept.push(record);
        }
    }
    Ok(kept)
}

/// The numbers of a title, by its own record; `None` where the library has it no more.
async fn look_up(
    hands: &Hands,
    media_type: MediaType,
    title_id: i64,
    deadline: Deadline,
) -> Result<Option<RowIdentity>, ArrFailure> {
    Ok(match media_type {
        MediaType::Movie => {
            let found = record(hands, "movie", title_id, |movie: &Movie| movie.id, deadline).await?;
            found.map(|movie| RowIdentity { tmdb_id: movie.tmdb_id, ..RowIdentity::default() })
        }
        MediaType::Tv => {
            let found = record(hands, "series", title_id, |series: &Series| series.id, deadline).await?;
            let ids = |series: Series| (series.tmdb_id, series.tvdb_id);
            found.map(ids).map(|(tmdb_id, tvdb_id)| RowIdentity { tmdb_id, tvdb_id, ..RowIdentity::default() })
        }
        // Their rows carry the ids that are asked for themselves.
        MediaType::Book | MediaType::Music => None,
    })
}

fn history(hands: &Hands, mut records: Vec<Record>, n_skipped: usize, window: HistoryWindow) -> History {
    newest_first(&mut records);
    let shown = records.iter().take(window.limit);
    History {
        events: shown.map(|record| HistoryEvent::of(hands.service, record)).collect(),
        window,
        fallback: None,
        n_skipped,
    }
}

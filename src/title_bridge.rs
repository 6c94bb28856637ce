//! What the library wing asks of a catalogue: a series' number at TVDB.

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, Instant};

use moka::Expiry;
use moka::sync::Cache;
use playhouse_bus::Deadline;
use playhouse_catalog::tmdb::{TitleId, TitleKind, TmdbClient, TmdbError, TmdbId};
use playhouse_library::reads::TitleBridge;

/// How many series are remembered.
const MAX_SERIES: u64 = 10_000;

/// TMDB as the bridge between a series' numbers. What it says is remembered: a conversation about a series asks for it at every step.
pub(crate) struct TmdbBridge {
    tmdb: TmdbClient,
    known: Cache<i64, Option<i64>>,
}

impl TmdbBridge {
    pub(crate) fn new(tmdb: TmdbClient) -> Self {
        Self { tmdb, known: Cache::builder().max_capacity(MAX_SERIES).expire_after(Remembered).build() }
    }

    async fn ask(&self, tmdb_id: i64, deadline: Deadline) -> Result<Option<i64>, TmdbError> {
        let Ok(id) = u64::try_from(tmdb_id) else { return Ok(None) };
        match self.tmdb.external_ids(TitleId { kind: TitleKind::Series, id: TmdbId(id) }, deadline).await {
            Ok(ids) => Ok(ids.tvdb.and_then(|tvdb| i64::try_from(tvdb).ok())),
            Err(TmdbError::NotFound) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl TitleBridge for TmdbBridge {
    fn tvdb_id(&self, tmdb_id: i64, deadline: Deadline) -> Pin<Box<dyn Future<Output = Option<i64>> + '_>> {
        Box::pin(async move {
            if let Some(known) = self.known.get(&tmdb_id) {
                return known;
            }
            // A catalogue that does not answer costs time only: the library's whole list is read instead. It is asked again the next time.
            let found = self.ask(tmdb_id, deadline).await.ok()?;
            self.known.insert(tmdb_id, found);
            found
        })
    }
}

/// For how long an answer is remembered: a number hardly ever changes, and one that is missing may be filled in at any moment.
struct Remembered;

impl Expiry<i64, Option<i64>> for Remembered {
    fn expire_after_create(&self, _: &i64, found: &Option<i64>, _: Instant) -> Option<Duration> {
        Some(match found {
            Some(_) => Duration::from_secs(24 * 60 * 60),
            None => Duration::from_secs(60),
        })
    }
}

#[cfg(test)]
mod tests {
    use playhouse_catalog::tmdb::TmdbSettings;
    use playhouse_standins::{Misbehaviour, StandinSettings, TmdbStandin};

    use super::*;

    #[tokio::test]
    async fn an_answer_is_asked_for_once_and_a_failure_is_forgotten() {
        let tmdb = TmdbStandin::start(&StandinSettings::default());
        tmdb.alter("GET */tv/66732/external_ids", |ids| ids["tvdb_id"] = serde_json::json!(305_288));
        let key = "00000000000000000000000000000000".parse().unwrap();
        let bridge = TmdbBridge::new(TmdbClient::new(TmdbSettings { base: tmdb.url(), key }).unwrap());
        let soon = || Deadline::after(Duration::from_secs(20));

        tmdb.behave(Misbehaviour::Failing { status: 400 });
        assert_eq!(bridge.tvdb_id(66_732, soon()).await, None);
        tmdb.behave(Misbehaviour::None);
        let known = bridge.tvdb_id(66_732, soon()).await;
        assert!(known.is_some());
        let n_asked = tmdb.n_requests();
        assert_eq!(bridge.tvdb_id(66_732, soon()).await, known);
        for _ in 0..2 {
            assert_eq!(bridge.tvdb_id(1, soon()).await, None, "no such series");
        }
        assert_eq!(tmdb.n_requests(), n_asked + 1);
    }

    #[test]
    fn what_was_found_is_kept_for_a_day_and_what_was_not_for_a_minute() {
        let kept = |found| Remembered.expire_after_create(&1, &found, Instant::now()).unwrap().as_secs();
        assert_eq!((kept(Some(81_189)), kept(None)), (86_400, 60));
    }
}

//! What the library wing asks of a catalogue: a series' number at TVDB.

use std::future::Future;
use std::pin::Pin;

use playhouse_bus::Deadline;
use playhouse_catalog::tmdb::{TitleId, TitleKind, TmdbClient, TmdbId};
use playhouse_library::reads::TitleBridge;

/// TMDB as the bridge between a series' numbers.
pub(crate) struct TmdbBridge(pub(crate) TmdbClient);

impl TitleBridge for TmdbBridge {
    fn tvdb_id(&self, tmdb_id: i64, deadline: Deadline) -> Pin<Box<dyn Future<Output = Option<i64>> + '_>> {
        Box::pin(async move {
            let series = TitleId { kind: TitleKind::Series, id: TmdbId(u64::try_from(tmdb_id).ok()?) };
            // A catalogue that does not answer costs time only: the library's whole list is read instead.
            let ids = self.0.external_ids(series, deadline).await.ok()?;
            i64::try_from(ids.tvdb?).ok()
        })
    }
}

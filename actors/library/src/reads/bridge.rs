//! From a series' number at TMDB to its number at TVDB.
//!
//! Sonarr finds a series by its TVDB number at once and by any other only by reading its whole list. Which TVDB number belongs to a TMDB number
//! is a catalogue's knowledge, so it is asked through this trait, and this crate knows no catalogue.

use std::future::Future;
use std::pin::Pin;

use playhouse_bus::Deadline;

/// Knows a series' other numbers.
pub trait TitleBridge: Send + Sync {
    /// The TVDB number of the series with this TMDB number; `None` where it is unknown or the catalogue does not answer. Then the whole list is
    /// read, so nothing is lost but time.
    fn tvdb_id(&self, tmdb_id: i64, deadline: Deadline) -> Pin<Box<dyn Future<Output = Option<i64>> + '_>>;
}

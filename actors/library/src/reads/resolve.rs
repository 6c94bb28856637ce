//! From a catalogue's number to the library's own record.
//!
//! A record counts only if it carries the number that was asked for: a service that ignores a filter answers its whole library, and a wrong
//! record would make every later call be about another title.

use std::time::Duration;

use playhouse_bus::Deadline;
use serde::de::DeserializeOwned;

use crate::Hands;
use crate::answer::{ArrFailure, Code};
use crate::client::wire::{Listed, Movie, Series};
use crate::client::{ArrError, Patience};

/// How long the catalogue may take to translate a number before the whole list is read instead.
const BRIDGE_WITHIN: Duration = Duration::from_secs(5);

/// Which series is meant, by what is known of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SeriesIds {
    pub(crate) tmdb_id: Option<i64>,
    /// Tried first where it is known.
    pub(crate) tvdb_id: Option<i64>,
}

impl SeriesIds {
    /// A series that is known by its TMDB number only.
    pub(crate) const fn tmdb(tmdb_id: i64) -> Self {
        Self { tmdb_id: Some(tmdb_id), tvdb_id: None }
    }

    /// How it is said in a sentence.
    pub(crate) fn words(&self) -> String {
        match (self.tmdb_id, self.tvdb_id) {
            (Some(tmdb_id), _) => format!("TMDB id {tmdb_id}"),
            (None, Some(tvdb_id)) => format!("TVDB id {tvdb_id}"),
            (None, None) => "no id".to_owned(),
        }
    }

    /// Whether a record carries a number that was asked for and none that differs. `bridged` is the TVDB number that the catalogue named: it
    /// decides only where the record carries no number that was asked for, because catalogues err too.
    fn match_record(&self, record: &Series, bridged: Option<i64>) -> bool {
        let pairs = [(self.tmdb_id, record.tmdb_id), (self.tvdb_id, record.tvdb_id)];
        let mut known =
            pairs.iter().filter_map(|(asked, own)| Some(((*asked)?, *own))).filter(|(_, own)| *own > 0).peekable();
        if known.peek().is_none() {
            return bridged.is_some_and(|bridged| bridged == record.tvdb_id);
        }
        known.all(|(asked, own)| asked == own)
    }
}

/// The film with this TMDB number; `None` when the library has none.
///
/// # Errors
/// [`ArrFailure::Unproven`] when the service answers with other films than the one asked for.
pub(crate) async fn movie(hands: &Hands, tmdb_id: i64, deadline: Deadline) -> Result<Option<Movie>, ArrFailure> {
    let tmdb = tmdb_id.to_string();
    let query = [("tmdbId", tmdb.as_str())];
    let Listed { items: mut found, n_skipped } =
        hands.client.read_list::<Movie>("movie", &query, Patience::Quick30s, deadline).await?;
    if found.is_empty() && n_skipped > 0 {
        return Err(not_whole(hands, "movies", n_skipped));
    }
    if found.is_empty() {
        return Ok(None);
    }
    match found.iter().position(|movie| movie.tmdb_id == tmdb_id && movie.id > 0) {
        Some(place) => Ok(Some(found.swap_remove(place))),
        None => Err(ArrFailure::unproven(
            Code::UpstreamBody,
            format!(
                "{} answered a look-up of the movie with TMDB id {tmdb_id} with another movie, so nothing further was asked.",
                hands.service
            ),
        )),
    }
}

/// The series with these numbers; `None` when the library has none. The known TVDB number is tried first, then the catalogue's, then the
/// whole list.
pub(crate) async fn series(hands: &Hands, ids: SeriesIds, deadline: Deadline) -> Result<Option<Series>, ArrFailure> {
    let tvdb_id = match ids.tvdb_id {
        Some(known) => Some(known),
        None => bridged(hands, ids, deadline).await,
    };
    if let Some(tvdb_id) = tvdb_id
        && let Some(found) = series_by_tvdb(hands, ids, tvdb_id, deadline).await?
    {
        return Ok(Some(found));
    }
    if ids.tmdb_id.is_none() {
        return Ok(None);
    }
    let Listed { items: matching, n_skipped } = series_of_list(hands, ids, None, deadline).await?;
    match (matching.into_iter().next(), n_skipped) {
        (None, 1..) => Err(not_whole(hands, "series", n_skipped)),
        (found, _) => Ok(found),
    }
}

/// The record of this id; `None` where the service has none. `own_id` tells whose it is.
///
/// # Errors
/// [`ArrFailure::Unproven`] when something else is answered, such as an error with status 200: that must not pass for "not there".
pub(crate) async fn record<T: DeserializeOwned + Send + 'static>(
    hands: &Hands,
    what: &str,
    id: i64,
    own_id: fn(&T) -> i64,
    deadline: Deadline,
) -> Result<Option<T>, ArrFailure> {
    let path = format!("{what}/{id}");
    let found = hands.client.read_optional::<T>(&path, &[], Patience::Quick30s, deadline).await?;
    match found {
        Some(record) if own_id(&record) != id => {
            let words =
                format!("{} answered something else than {what} {id}, so nothing is known of it.", hands.service);
            Err(ArrFailure::unproven(Code::UpstreamBody, words))
        }
        found => Ok(found),
    }
}

/// That records of a list could not be read, so that what is not among the others may still be there.
pub(crate) fn not_whole(hands: &Hands, what: &str, n_skipped: usize) -> ArrFailure {
    let words = format!(
        "{} answered {n_skipped} {what} in a shape that this version does not understand, so it is not certain which there are. Nothing further was \
         asked.",
        hands.service
    );
    ArrFailure::unproven(Code::UpstreamBody, words)
}

/// That the library has no such item of its own.
pub(crate) fn no_item(what: &str, id: i64) -> ArrFailure {
    ArrFailure::refused(
        Code::NotInLibrary,
        format!(
            "The library has no {what} with the id {id}. get_library lists the ids there are; they hold for this library only."
        ),
    )
}

/// That the library has no such film.
pub(crate) fn no_movie(tmdb_id: i64) -> ArrFailure {
    ArrFailure::refused(
        Code::NotInLibrary,
        format!("The library has no movie with TMDB id {tmdb_id}. get_library lists what it has."),
    )
}

/// That the library has no such series.
pub(crate) fn no_series(ids: SeriesIds) -> ArrFailure {
    ArrFailure::refused(
        Code::NotInLibrary,
        format!("The library has no series with {}. get_library lists what it has.", ids.words()),
    )
}

/// The one series with this TMDB number in the whole list: the proof that a grab needs. An older Sonarr knows no TMDB numbers; there the
/// catalogue's TVDB number decides.
///
/// # Errors
/// [`ArrFailure::Unproven`] when several have it.
pub(crate) async fn only_series(hands: &Hands, tmdb_id: i64, deadline: Deadline) -> Result<Option<Series>, ArrFailure> {
    let ids = SeriesIds::tmdb(tmdb_id);
    let bridged = bridged(hands, ids, deadline).await;
    let matching = series_of_list(hands, ids, bridged, deadline).await?;
    only(hands, matching, "series", tmdb_id)
}

/// The one film with this TMDB number in the whole list.
///
/// # Errors
/// [`ArrFailure::Unproven`] when several have it.
pub(crate) async fn only_movie(hands: &Hands, tmdb_id: i64, deadline: Deadline) -> Result<Option<Movie>, ArrFailure> {
    let mut matching = Vec::new();
    let keep = |movie: Movie| {
        if movie.tmdb_id == tmdb_id && movie.id > 0 {
            matching.push(movie);
        }
    };
    let n_skipped = hands.client.stream_list::<Movie>("movie", &[], Patience::Slow120s, deadline, keep).await?;
    only(hands, Listed { items: matching, n_skipped }, "movies", tmdb_id)
}

/// The only one. A list with records that could not be read does not prove that there is none; but a service keeps a number for one record, so
/// that one odd record somewhere does not make the one that was found doubtful.
fn only<T>(hands: &Hands, found: Listed<T>, what: &str, tmdb_id: i64) -> Result<Option<T>, ArrFailure> {
    let Listed { items: mut matching, n_skipped } = found;
    if matching.is_empty() && n_skipped > 0 {
        return Err(not_whole(hands, what, n_skipped));
    }
    if matching.len() > 1 {
        let words = format!(
            "{} holds {} {what} with TMDB id {tmdb_id}, so it is not certain which is meant.",
            hands.service,
            matching.len()
        );
        return Err(ArrFailure::unproven(Code::UpstreamBody, words));
    }
    Ok(matching.pop())
}

async fn bridged(hands: &Hands, ids: SeriesIds, deadline: Deadline) -> Option<i64> {
    let bridge = hands.bridge.as_ref()?;
    let within = Deadline::after(BRIDGE_WITHIN).earlier(deadline);
    bridge.tvdb_id(ids.tmdb_id?, within).await.filter(|tvdb_id| *tvdb_id > 0)
}

async fn series_by_tvdb(
    hands: &Hands,
    ids: SeriesIds,
    tvdb_id: i64,
    deadline: Deadline,
) -> Result<Option<Series>, ArrFailure> {
    let tvdb = tvdb_id.to_string();
    let query = [("tvdbId", tvdb.as_str())];
    let found = hands.client.read_list::<Series>("series", &query, Patience::Quick30s, deadline).await?;
    let is_it = |record: &Series| record.id > 0 && record.tvdb_id == tvdb_id && ids.match_record(record, Some(tvdb_id));
    let it = found.items.into_iter().find(is_it);
    // Where another look-up follows, that one decides.
    if it.is_none() && ids.tmdb_id.is_none() && found.n_skipped > 0 {
        return Err(not_whole(hands, "series", found.n_skipped));
    }
    Ok(it)
}

async fn series_of_list(
    hands: &Hands,
    ids: SeriesIds,
    bridged: Option<i64>,
    deadline: Deadline,
) -> Result<Listed<Series>, ArrError> {
    let mut matching = Vec::new();
    let keep = |record: Series| {
        if record.id > 0 && ids.match_record(&record, bridged) {
            matching.push(record);
        }
    };
    let n_skipped = hands.client.stream_list::<Series>("series", &[], Patience::Slow120s, deadline, keep).await?;
    Ok(Listed { items: matching, n_skipped })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_series_matches_when_a_number_agrees_and_none_differs() {
        let record = |tmdb_id, tvdb_id| Series { id: 1, tmdb_id, tvdb_id, ..Series::default() };
        let tmdb = SeriesIds::tmdb(1_396);
        let both = SeriesIds { tmdb_id: Some(1_396), tvdb_id: Some(81_189) };
        for (case, ids, bridged, record, expected) in [
            ("the number asked for", tmdb, None, record(1_396, 81_189), true),
            ("another number", tmdb, None, record(99, 81_189), false),
            ("no number to compare", tmdb, None, record(0, 81_189), false),
            ("no number, but the catalogue's", tmdb, Some(81_189), record(0, 81_189), true),
            ("the catalogue's, and another TMDB number", tmdb, Some(81_189), record(99, 81_189), false),
            ("the number, and another than the catalogue's", tmdb, Some(5), record(1_396, 81_189), true),
            ("both", both, None, record(1_396, 81_189), true),
            ("one of both differs", both, None, record(99, 81_189), false),
            ("one of both is unknown", both, None, record(0, 81_189), true),
            ("neither is known", both, None, record(0, 0), false),
        ] {
            assert_eq!(ids.match_record(&record, bridged), expected, "{case}");
        }
    }
}

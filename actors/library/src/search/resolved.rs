//! From a scope to the service's own ids, and from those to the one call that asks the indexers.
//!
//! Without a full set of ids the service answers the newest releases of everything, as if they belonged here. So the call can only be made
//! from a [`ResolvedScope`], which has them all.

use playhouse_bus::Deadline;

use super::offers::{MAX_GUID_BYTES, Offer};
use super::scope::ReleaseScope;
use crate::Hands;
use crate::answer::{ArrFailure, Code};
use crate::client::wire::{Album, Book, Episode, Listed, Release, Series};
use crate::client::{ArrError, ArrFault, Id, Patience};
use crate::reads::resolve::{self, SeriesIds};
use crate::reads::{of_creator, with_year};
use crate::service::Service;

/// What a release search is about, by the service's own ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ResolvedScope {
    Movie(Id),
    Season { series: Id, season_number: i64 },
    Episode(Id),
    Book(Id),
    Album(Id),
}

/// A scope that was found in the library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) scope: ResolvedScope,
    /// What it is called there.
    pub(crate) title: String,
}

/// How surely a title has to be found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Certainty {
    /// By the service's own look-up, compared with what was asked for.
    LookUp,
    /// As the only one of the whole library: for what is then downloaded.
    Only,
}

/// Finds what `scope` names in the library.
///
/// # Errors
/// [`ArrFailure::Refused`] when the library does not have it, [`ArrFailure::Unproven`] when it is not certain which is meant.
pub(crate) async fn resolve_scope(
    hands: &Hands,
    scope: ReleaseScope,
    certainty: Certainty,
    deadline: Deadline,
) -> Result<Found, ArrFailure> {
    match scope {
        ReleaseScope::Movie { tmdb_id } => {
            let movie = match certainty {
                Certainty::LookUp => resolve::movie(hands, tmdb_id, deadline).await?,
                Certainty::Only => resolve::only_movie(hands, tmdb_id, deadline).await?,
            };
            let movie = movie.ok_or_else(|| resolve::no_movie(tmdb_id))?;
            let scope = ResolvedScope::Movie(own_id(hands, movie.id)?);
            Ok(Found { scope, title: with_year(movie.title.as_deref(), movie.year) })
        }
        ReleaseScope::Season { tmdb_id, season_number } => {
            let series = the_series(hands, tmdb_id, certainty, deadline).await?;
            check_season(&series, season_number)?;
            let scope = ResolvedScope::Season { series: own_id(hands, series.id)?, season_number };
            let title = with_year(series.title.as_deref(), series.year);
            Ok(Found { scope, title: format!("{title}, season {season_number}") })
        }
        ReleaseScope::Episode { tmdb_id, season_number, episode_number } => {
            let series = the_series(hands, tmdb_id, certainty, deadline).await?;
            let id = only_episode(hands, own_id(hands, series.id)?, season_number, episode_number, deadline).await?;
            let title = with_year(series.title.as_deref(), series.year);
            let title = format!("{title} S{season_number:02}E{episode_number:02}");
            Ok(Found { scope: ResolvedScope::Episode(id), title })
        }
        ReleaseScope::Book { book_id } => {
            let book = resolve::record(hands, "book", book_id, |book: &Book| book.id, deadline).await?;
            let book = book.ok_or_else(|| resolve::no_item("book", book_id))?;
            let author = book.author.as_ref().and_then(|author| author.author_name.as_deref());
            let title = of_creator(author, book.title.as_deref());
            Ok(Found { scope: ResolvedScope::Book(own_id(hands, book_id)?), title })
        }
        ReleaseScope::Album { album_id } => {
            let album = resolve::record(hands, "album", album_id, |album: &Album| album.id, deadline).await?;
            let album = album.ok_or_else(|| resolve::no_item("album", album_id))?;
            let artist = album.artist.as_ref().and_then(|artist| artist.artist_name.as_deref());
            let title = of_creator(artist, album.title.as_deref());
            Ok(Found { scope: ResolvedScope::Album(own_id(hands, album_id)?), title })
        }
    }
}

async fn the_series(
    hands: &Hands,
    tmdb_id: i64,
    certainty: Certainty,
    deadline: Deadline,
) -> Result<Series, ArrFailure> {
    let ids = SeriesIds::tmdb(tmdb_id);
    let series = match certainty {
        Certainty::LookUp => resolve::series(hands, ids, deadline).await?,
        Certainty::Only => resolve::only_series(hands, tmdb_id, deadline).await?,
    };
    series.ok_or_else(|| resolve::no_series(ids))
}

/// That a series has a season, as far as its record says which it has.
pub(crate) fn check_season(series: &Series, season_number: i64) -> Result<(), ArrFailure> {
    let known: Vec<i64> = series.seasons.iter().filter_map(|season| season.season_number).collect();
    if known.is_empty() || known.contains(&season_number) {
        return Ok(());
    }
    let listed: Vec<String> = known.iter().map(i64::to_string).collect();
    let title = series.title.as_deref().unwrap_or("The series");
    let words =
        format!("{title} has no season {season_number} in this library; it has the seasons {}.", listed.join(", "));
    Err(ArrFailure::refused(Code::SeasonUnknown, words))
}

/// The one episode of this season and number.
pub(crate) async fn only_episode(
    hands: &Hands,
    series: Id,
    season_number: i64,
    episode_number: i64,
    deadline: Deadline,
) -> Result<Id, ArrFailure> {
    let episodes = season_episodes(hands, series, season_number, deadline).await?;
    let mut matching = episodes.iter().filter(|episode| episode.episode_number == Some(episode_number));
    match (matching.next(), matching.next()) {
        (Some(episode), None) => own_id(hands, episode.id),
        (None, _) => Err(ArrFailure::refused(
            Code::NoEpisodes,
            format!("The series has no season {season_number} episode {episode_number} in this library."),
        )),
        (Some(_), Some(_)) => Err(ArrFailure::unproven(
            Code::UpstreamBody,
            format!(
                "{} answered season {season_number} episode {episode_number} more than once, so it is not certain which is meant.",
                hands.service
            ),
        )),
    }
}

/// All episodes of one season, whatever else the service answers.
///
/// # Errors
/// [`ArrFailure::Unproven`] when some could not be read: the one that is meant, or a second one of its number, might be among them.
pub(crate) async fn season_episodes(
    hands: &Hands,
    series: Id,
    season_number: i64,
    deadline: Deadline,
) -> Result<Vec<Episode>, ArrFailure> {
    let (series_text, season_text) = (series.get().to_string(), season_number.to_string());
    let query = [("seriesId", series_text.as_str()), ("seasonNumber", season_text.as_str())];
    let Listed { items: mut episodes, n_skipped } =
        hands.client.read_list::<Episode>("episode", &query, Patience::Quick30s, deadline).await?;
    if n_skipped > 0 {
        return Err(resolve::not_whole(hands, "episodes", n_skipped));
    }
    episodes.retain(|episode| {
        episode.season_number == Some(season_number) && (episode.series_id == 0 || episode.series_id == series.get())
    });
    Ok(episodes)
}

/// Asks every indexer for `scope`. Offers without a guid cannot be fetched and are counted as the second.
pub(crate) async fn ask_indexers(
    hands: &Hands,
    scope: ResolvedScope,
    deadline: Deadline,
) -> Result<(Vec<Offer>, usize), ArrFailure> {
    let query = scope.query();
    let query: Vec<(&str, &str)> = query.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let read = hands.client.read_list::<Release>("release", &query, Patience::Search180s, deadline).await;
    let read = read.map_err(still_running)?;
    let n_read = read.items.len();
    let offers: Vec<Offer> = read.items.into_iter().filter_map(offer).collect();
    let n_skipped = read.n_skipped + n_read - offers.len();
    Ok((offers, n_skipped))
}

impl ResolvedScope {
    /// The query of the call, complete by construction.
    fn query(self) -> Vec<(&'static str, String)> {
        match self {
            ResolvedScope::Movie(id) => vec![("movieId", id.get().to_string())],
            ResolvedScope::Season { series, season_number } => {
                vec![("seriesId", series.get().to_string()), ("seasonNumber", season_number.to_string())]
            }
            ResolvedScope::Episode(id) => vec![("episodeId", id.get().to_string())],
            ResolvedScope::Book(id) => vec![("bookId", id.get().to_string())],
            ResolvedScope::Album(id) => vec![("albumId", id.get().to_string())],
        }
    }
}

/// A search that nobody waited for to its end goes on over there, and a second one beside it only makes both slower.
fn still_running(error: ArrError) -> ArrFailure {
    match error.fault {
        ArrFault::TimedOut { .. } | ArrFault::Slow { .. } => ArrFailure::unproven(
            Code::UpstreamUnreachable,
            format!(
                "The release search did not end in time: {error}. It may still be running there; wait a few minutes before starting it again."
            ),
        ),
        _ => error.into(),
    }
}

/// That the offers were read and the work on them ended early: it panicked, or the process is ending.
pub(crate) fn not_shown(service: Service) -> ArrFailure {
    let words =
        format!("The releases that {service} found could not be looked through, so none is shown. Search again.");
    ArrFailure::unproven(Code::UpstreamBody, words)
}

fn own_id(hands: &Hands, id: i64) -> Result<Id, ArrFailure> {
    Id::new(id).ok_or_else(|| {
        ArrFailure::unproven(Code::UpstreamBody, format!("{} answered a record without an id.", hands.service))
    })
}

fn offer(release: Release) -> Option<Offer> {
    let guid = release.guid.as_ref()?.as_str();
    let guid = (guid.len() <= MAX_GUID_BYTES).then(|| guid.to_owned())?;
    Some(Offer {
        guid,
        indexer_id: release.indexer_id,
        is_rejected: release.is_rejected() || !release.rejections.is_empty(),
        quality: release.quality.as_ref().and_then(|quality| quality.name()).unwrap_or_default().to_owned(),
        title: release.title.unwrap_or_default(),
        size_bytes: release.size.unwrap_or_default(),
        protocol: release.protocol.unwrap_or_default(),
        seeders: release.seeders,
        leechers: release.leechers,
        indexer: release.indexer.unwrap_or_default(),
        age_days: release.age.unwrap_or_default(),
        rejections: release.rejections.into_iter().map(|rejection| rejection.reason).collect(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn id(id: i64) -> Id {
        Id::new(id).unwrap()
    }

    #[test]
    fn the_call_to_the_indexers_always_has_all_its_ids() {
        let text = |scope: ResolvedScope| {
            let query = scope.query();
            query.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&")
        };
        assert_eq!(text(ResolvedScope::Movie(id(7))), "movieId=7");
        assert_eq!(text(ResolvedScope::Season { series: id(3), season_number: 0 }), "seriesId=3&seasonNumber=0");
        assert_eq!(text(ResolvedScope::Episode(id(55))), "episodeId=55");
        assert_eq!(text(ResolvedScope::Book(id(5))), "bookId=5");
        assert_eq!(text(ResolvedScope::Album(id(6))), "albumId=6");
    }

    #[test]
    fn a_release_with_any_reason_against_it_is_rejected_and_one_without_guid_is_none() {
        let read = |value| offer(serde_json::from_value(value).unwrap());
        assert!(!read(json!({"guid": "a", "approved": true, "rejected": false})).unwrap().is_rejected);
        for value in [
            json!({"guid": "a", "rejected": true}),
            json!({"guid": "a", "temporarilyRejected": true}),
            json!({"guid": "a", "rejections": ["Unknown Movie"]}),
            json!({"guid": "a", "rejections": [{"reason": "Quality", "type": "permanent"}]}),
        ] {
            assert!(read(value.clone()).unwrap().is_rejected, "{value}");
        }
        assert_eq!(read(json!({"title": "no guid"})), None);
        assert_eq!(read(json!({"guid": "g".repeat(MAX_GUID_BYTES + 1)})), None);
    }

    #[test]
    fn a_season_is_checked_against_the_series_record_where_it_lists_any() {
        let series = |value| serde_json::from_value::<Series>(value).unwrap();
        let listing = series(json!({"title": "Show", "seasons": [{"seasonNumber": 0}, {"seasonNumber": 1}]}));
        assert!(check_season(&listing, 0).is_ok());
        assert_eq!(check_season(&listing, 9).unwrap_err().code(), Code::SeasonUnknown);
        assert!(check_season(&series(json!({"title": "Show"})), 9).is_ok());
    }
}

//! From which of a service's calls a history is read.

use playhouse_bus::Deadline;

use crate::Hands;
use crate::answer::{ArrFailure, Scope};
use crate::client::wire::{Album, Book, HistoryEvent as Record, Listed, Page};
use crate::client::{ArrError, ArrFault, Patience};
use crate::reads::resolve::{SeriesIds, movie, record, series};
use crate::service::Service;

/// Events as a call answered them, not yet compared with what was asked.
pub(super) struct Fetched {
    pub(super) records: Vec<Record>,
    /// Records of a shape that this version does not know.
    pub(super) n_skipped: usize,
    /// The service's own id of the title, where it was looked up.
    pub(super) title_id: Option<i64>,
}

/// Why there is no history of the title's own.
pub(super) struct NoOwnHistory(pub(super) String);

/// The whole history of what `scope` names, by the service's own call for it.
///
/// The outer error is a read that failed; the inner one says why there is no such call to make.
pub(super) async fn own_history(
    hands: &Hands,
    scope: &Scope,
    deadline: Deadline,
) -> Result<Result<Fetched, NoOwnHistory>, ArrFailure> {
    match hands.service {
        Service::Radarr => of_movie(hands, scope, deadline).await,
        Service::Sonarr => of_series(hands, scope, deadline).await,
        Service::Lidarr => of_album_or_artist(hands, scope, deadline).await,
        Service::Chaptarr => of_book_or_author(hands, scope, deadline).await,
    }
}

async fn of_movie(
    hands: &Hands,
    scope: &Scope,
    deadline: Deadline,
) -> Result<Result<Fetched, NoOwnHistory>, ArrFailure> {
    let Some(tmdb_id) = scope.tmdb_id else { return Ok(Err(no_such_scope("movie"))) };
    let Some(movie) = movie(hands, tmdb_id, deadline).await? else {
        return Ok(Err(NoOwnHistory(format!("the library has no movie with TMDB id {tmdb_id}"))));
    };
    let id = movie.id.to_string();
    let query = [("movieId", id.as_str()), ("includeMovie", "true")];
    whole_list(hands, "history/movie", &query, Some(movie.id), deadline).await
}

async fn of_series(
    hands: &Hands,
    scope: &Scope,
    deadline: Deadline,
) -> Result<Result<Fetched, NoOwnHistory>, ArrFailure> {
    if !scope.names_a_title() {
        return Ok(Err(no_such_scope("series")));
    }
    let ids = SeriesIds { tmdb_id: scope.tmdb_id, tvdb_id: scope.tvdb_id };
    let Some(series) = series(hands, ids, deadline).await? else {
        return Ok(Err(NoOwnHistory(format!("the library has no series with {}", ids.words()))));
    };
    let (id, season) = (series.id.to_string(), scope.season_number.unwrap_or(0).to_string());
    let mut query = vec![("seriesId", id.as_str()), ("includeSeries", "true"), ("includeEpisode", "true")];
    // Season 0 is asked for by filtering: several versions read a 0 as "not given".
    if scope.season_number.is_some_and(|season| season > 0) {
        query.push(("seasonNumber", season.as_str()));
    }
    whole_list(hands, "history/series", &query, Some(series.id), deadline).await
}

async fn of_album_or_artist(
    hands: &Hands,
    scope: &Scope,
    deadline: Deadline,
) -> Result<Result<Fetched, NoOwnHistory>, ArrFailure> {
    // The call needs the artist, which the album's own record names.
    let artist_id = match (scope.album_id, scope.artist_id) {
        (Some(album_id), _) => match record(hands, "album", album_id, |album: &Album| album.id, deadline).await? {
            Some(album) if album.artist_id > 0 => album.artist_id,
            _ => return Ok(Err(NoOwnHistory(format!("the library has no album {album_id}")))),
        },
        (None, Some(artist_id)) => artist_id,
        (None, None) => return Ok(Err(no_such_scope("album or artist"))),
    };
    let (artist, album) = (artist_id.to_string(), scope.album_id.unwrap_or(0).to_string());
    let mut query = vec![("artistId", artist.as_str()), ("includeArtist", "true"), ("includeAlbum", "true")];
    if scope.album_id.is_some() {
        query.push(("albumId", album.as_str()));
    }
    whole_list(hands, "history/artist", &query, None, deadline).await
}

async fn of_book_or_author(
    hands: &Hands,
    scope: &Scope,
    deadline: Deadline,
) -> Result<Result<Fetched, NoOwnHistory>, ArrFailure> {
    let author_id = match (scope.book_id, scope.author_id) {
        (Some(book_id), _) => match record(hands, "book", book_id, |book: &Book| book.id, deadline).await? {
            Some(book) if book.author_id > 0 => book.author_id,
            _ => return Ok(Err(NoOwnHistory(format!("the library has no book {book_id}")))),
        },
        (None, Some(author_id)) => author_id,
        (None, None) => return Ok(Err(no_such_scope("book or author"))),
    };
    let (author, book) = (author_id.to_string(), scope.book_id.unwrap_or(0).to_string());
    let mut query = vec![("authorId", author.as_str()), ("includeAuthor", "true"), ("includeBook", "true")];
    if scope.book_id.is_some() {
        query.push(("bookId", book.as_str()));
    }
    whole_list(hands, "history/author", &query, None, deadline).await
}

fn no_such_scope(what: &str) -> NoOwnHistory {
    NoOwnHistory(format!("no {what} was named by id"))
}

/// A history that is answered as one list. An older build that has no such call answers 404.
async fn whole_list(
    hands: &Hands,
    path: &str,
    query: &[(&str, &str)],
    title_id: Option<i64>,
    deadline: Deadline,
) -> Result<Result<Fetched, NoOwnHistory>, ArrFailure> {
    match hands.client.read_list::<Record>(path, query, Patience::Quick30s, deadline).await {
        Ok(read) => Ok(Ok(Fetched { records: read.items, n_skipped: read.n_skipped, title_id })),
        Err(ArrError { fault: ArrFault::NotFound, .. }) => {
            Ok(Err(NoOwnHistory(format!("this build of {} has no history by title", hands.service))))
        }
        Err(error) => Err(error.into()),
    }
}

/// The newest events of everything, or of what `only` narrows the page to; and how many there are in all, where the service says so.
pub(super) async fn newest_of_all(
    hands: &Hands,
    n_events: usize,
    only: Option<(&str, i64)>,
    deadline: Deadline,
) -> Result<(Fetched, Option<i64>), ArrFailure> {
    let size = n_events.to_string();
    let mut query =
        vec![("page", "1"), ("pageSize", size.as_str()), ("sortKey", "date"), ("sortDirection", "descending")];
    query.extend(includes(hands.service).iter().map(|name| (*name, "true")));
    let only_id = only.map(|(_, id)| id.to_string()).unwrap_or_default();
    query.extend(only.map(|(name, _)| (name, only_id.as_str())));
    let page: Page<Record> = hands.client.read("history", &query, Patience::Quick30s, deadline).await?;
    let Listed { items: records, n_skipped } = page.records;
    Ok((Fetched { records, n_skipped, title_id: None }, page.total_records))
}

const fn includes(service: Service) -> &'static [&'static str] {
    match service {
        Service::Radarr => &["includeMovie"],
        Service::Sonarr => &["includeSeries", "includeEpisode"],
        Service::Lidarr => &["includeArtist", "includeAlbum"],
        Service::Chaptarr => &["includeAuthor", "includeBook"],
    }
}

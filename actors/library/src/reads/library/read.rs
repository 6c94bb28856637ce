//! Reads one library, or one corner of it.

use playhouse_bus::{Answer, CallInfo, Deadline, Handle, Message};
use serde::{Deserialize, Serialize};

use super::row::{
    album_row, album_standing, artist_row, artist_standing, author_row, author_standing, book_row, book_standing,
    movie_row, movie_standing, series_row, series_standing,
};
use super::{Keeper, LibraryFilter, LibraryRows};
use crate::answer::{ArrFailure, Code};
use crate::client::Patience;
use crate::client::wire::{Album, Artist, Author, Book, MovieSummary, SeriesSummary};
use crate::reads::resolve;
use crate::service::Service;
use crate::{ArrActor, Hands};

/// Reads what a library holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadLibrary {
    /// Which part of it.
    pub shelf: Shelf,
    /// Which records are kept.
    pub filter: LibraryFilter,
    /// A part of the title or name, without regard to case. Empty keeps all.
    pub query: String,
}

/// A part of a library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shelf {
    /// All of it: films, series, authors or artists.
    Whole,
    /// The books of an author, by the service's own id.
    BooksOf(i64),
    /// One book, whatever the filter.
    Book(i64),
    /// The albums of an artist, by the service's own id.
    AlbumsOf(i64),
    /// One album, whatever the filter.
    Album(i64),
}

impl Message for ReadLibrary {
    type Actor = ArrActor;
    type Reply = Result<LibraryRows, ArrFailure>;
}

impl Handle<ReadLibrary> for ArrActor {
    fn handle(&mut self, message: ReadLibrary, call: CallInfo) -> Answer<Self, Result<LibraryRows, ArrFailure>> {
        self.answer_read(|hands| async move { read(&hands, message, call.deadline).await })
    }
}

async fn read(hands: &Hands, message: ReadLibrary, deadline: Deadline) -> Result<LibraryRows, ArrFailure> {
    let ReadLibrary { shelf, filter, query } = message;
    let keeper = Keeper::new(filter, &query);
    let one = Keeper::new(LibraryFilter::All, "");
    match (shelf, hands.service) {
        (Shelf::Whole, Service::Radarr) => movies(hands, keeper, deadline).await,
        (Shelf::Whole, Service::Sonarr) => series(hands, keeper, deadline).await,
        (Shelf::Whole, Service::Lidarr) => artists(hands, keeper, deadline).await,
        (Shelf::Whole, Service::Chaptarr) => authors(hands, keeper, deadline).await,
        (Shelf::BooksOf(author), Service::Chaptarr) => books_of(hands, author, keeper, deadline).await,
        (Shelf::Book(book), Service::Chaptarr) => one_book(hands, book, one, deadline).await,
        (Shelf::AlbumsOf(artist), Service::Lidarr) => albums_of(hands, artist, keeper, deadline).await,
        (Shelf::Album(album), Service::Lidarr) => one_album(hands, album, one, deadline).await,
        (Shelf::BooksOf(_) | Shelf::Book(_), _) => Err(foreign("author_id and book_id", hands)),
        (Shelf::AlbumsOf(_) | Shelf::Album(_), _) => Err(foreign("artist_id and album_id", hands)),
    }
}

fn foreign(arguments: &str, hands: &Hands) -> ArrFailure {
    let words = format!("{arguments} do not belong to {}. Nothing was read.", hands.service);
    ArrFailure::refused(Code::ScopeExtraneous, words)
}

async fn movies(hands: &Hands, mut keeper: Keeper, deadline: Deadline) -> Result<LibraryRows, ArrFailure> {
    let keep = |movie: MovieSummary| match movie.id {
        1.. => keeper.take(movie.title.as_deref().unwrap_or_default(), movie_standing(&movie), || movie_row(&movie)),
        _ => keeper.skip(),
    };
    let n_skipped = hands.client.stream_list("movie", &[], Patience::Slow120s, deadline, keep).await?;
    Ok(keeper.finish(n_skipped))
}

async fn series(hands: &Hands, mut keeper: Keeper, deadline: Deadline) -> Result<LibraryRows, ArrFailure> {
    let keep = |series: SeriesSummary| match series.id {
        1.. => {
            keeper.take(series.title.as_deref().unwrap_or_default(), series_standing(&series), || series_row(&series))
        }
        _ => keeper.skip(),
    };
    let n_skipped = hands.client.stream_list("series", &[], Patience::Slow120s, deadline, keep).await?;
    Ok(keeper.finish(n_skipped))
}

async fn authors(hands: &Hands, mut keeper: Keeper, deadline: Deadline) -> Result<LibraryRows, ArrFailure> {
    let keep = |author: Author| match author.id {
        1.. => {
            keeper.take(author.author_name.as_deref().unwrap_or_default(), author_standing(&author), || {
                author_row(&author)
            });
        }
        _ => keeper.skip(),
    };
    let n_skipped = hands.client.stream_list("author", &[], Patience::Slow120s, deadline, keep).await?;
    Ok(keeper.finish(n_skipped))
}

async fn artists(hands: &Hands, mut keeper: Keeper, deadline: Deadline) -> Result<LibraryRows, ArrFailure> {
    let keep = |artist: Artist| match artist.id {
        1.. => {
            keeper.take(artist.artist_name.as_deref().unwrap_or_default(), artist_standing(&artist), || {
                artist_row(&artist)
            });
        }
        _ => keeper.skip(),
    };
    let n_skipped = hands.client.stream_list("artist", &[], Patience::Slow120s, deadline, keep).await?;
    Ok(keeper.finish(n_skipped))
}

/// Some builds pass over the author in the query and answer every book: those of others are left out here.
async fn books_of(
    hands: &Hands,
    author_id: i64,
    mut keeper: Keeper,
    deadline: Deadline,
) -> Result<LibraryRows, ArrFailure> {
    let author = author_id.to_string();
    let keep = |book: Book| match book.id {
        1.. if book.author_id != author_id => {}
        1.. => keeper.take(book.title.as_deref().unwrap_or_default(), book_standing(&book), || book_row(&book)),
        _ => keeper.skip(),
    };
    let query = [("authorId", author.as_str())];
    let n_skipped = hands.client.stream_list("book", &query, Patience::Slow120s, deadline, keep).await?;
    let rows = keeper.finish(n_skipped);
    if rows.total == 0 && exists(hands, &format!("author/{author_id}"), deadline).await? {
        return Ok(rows);
    }
    found(rows, || format!("{} has no author with author_id {author_id}.", hands.service))
}

async fn albums_of(
    hands: &Hands,
    artist_id: i64,
    mut keeper: Keeper,
    deadline: Deadline,
) -> Result<LibraryRows, ArrFailure> {
    let artist = artist_id.to_string();
    let keep = |album: Album| match album.id {
        1.. if album.artist_id != artist_id => {}
        1.. => keeper.take(album.title.as_deref().unwrap_or_default(), album_standing(&album), || album_row(&album)),
        _ => keeper.skip(),
    };
    let query = [("artistId", artist.as_str())];
    let n_skipped = hands.client.stream_list("album", &query, Patience::Slow120s, deadline, keep).await?;
    let rows = keeper.finish(n_skipped);
    if rows.total == 0 && exists(hands, &format!("artist/{artist_id}"), deadline).await? {
        return Ok(rows);
    }
    found(rows, || format!("{} has no artist with artist_id {artist_id}.", hands.service))
}

async fn one_book(
    hands: &Hands,
    book_id: i64,
    mut keeper: Keeper,
    deadline: Deadline,
) -> Result<LibraryRows, ArrFailure> {
    if let Some(book) = resolve::record(hands, "book", book_id, |book: &Book| book.id, deadline).await? {
        keeper.take("", book_standing(&book), || book_row(&book));
    }
    found(keeper.finish(0), || format!("{} has no book with book_id {book_id}.", hands.service))
}

async fn one_album(
    hands: &Hands,
    album_id: i64,
    mut keeper: Keeper,
    deadline: Deadline,
) -> Result<LibraryRows, ArrFailure> {
    if let Some(album) = resolve::record(hands, "album", album_id, |album: &Album| album.id, deadline).await? {
        keeper.take("", album_standing(&album), || album_row(&album));
    }
    found(keeper.finish(0), || format!("{} has no album with album_id {album_id}.", hands.service))
}

/// Whether there is a record of this id at all, so that "has none" is told apart from "is none".
async fn exists(hands: &Hands, path: &str, deadline: Deadline) -> Result<bool, ArrFailure> {
    let record = hands.client.read_optional::<serde::de::IgnoredAny>(path, &[], Patience::Quick30s, deadline).await?;
    Ok(record.is_some())
}

fn found(rows: LibraryRows, absent: impl FnOnce() -> String) -> Result<LibraryRows, ArrFailure> {
    if rows.total > 0 || rows.n_skipped > 0 {
        return Ok(rows);
    }
    let words =
        format!("{} The id was looked up exactly, so this is certain; get_library lists what there is.", absent());
    Err(ArrFailure::refused(Code::NotInLibrary, words))
}

//! One line of a library, from each kind of record.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::super::instants::day;
use super::LibraryFilter;
use crate::client::wire::{Album, Artist, Author, Book, EpisodeStatistics, MovieSummary, SeriesSummary};

crate::words::words! {
    /// How complete a record is.
    pub enum RowState {
        /// All that could be there is there.
        Downloaded = "downloaded",
        /// It is looked for, and a file that could be there is not.
        Missing = "missing",
        /// It is not looked for, and a file that could be there is not.
        Unmonitored = "unmonitored",
    }
}

/// What filters look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Standing {
    /// Whether it is looked for.
    pub(crate) monitored: bool,
    /// Whether all that could be there is there.
    pub(crate) complete: bool,
}

impl Standing {
    fn of(monitored: Option<bool>, complete: bool) -> Self {
        Self { monitored: monitored == Some(true), complete }
    }

    pub(crate) const fn state(self) -> RowState {
        match self {
            Standing { complete: true, .. } => RowState::Downloaded,
            Standing { monitored: true, .. } => RowState::Missing,
            Standing { monitored: false, .. } => RowState::Unmonitored,
        }
    }

    pub(crate) const fn is_kept_by(self, filter: LibraryFilter) -> bool {
        match filter {
            LibraryFilter::All => true,
            LibraryFilter::Missing => matches!(self.state(), RowState::Missing),
            LibraryFilter::Unmonitored => !self.monitored,
        }
    }
}

/// One film, series, author, book, artist or album. Members that do not belong to its kind are absent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LibraryRow {
    /// The title, or the name of an author or artist.
    pub title: String,
    /// Films and series.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<i64>,
    /// Films and series, at TMDB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tmdb_id: Option<i64>,
    /// Series, at TVDB.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tvdb_id: Option<i64>,
    /// Authors and books; holds for this library only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author_id: Option<i64>,
    /// Books; holds for this library only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub book_id: Option<i64>,
    /// Artists and albums; holds for this library only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artist_id: Option<i64>,
    /// Albums; holds for this library only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub album_id: Option<i64>,
    /// Whether it is looked for.
    pub monitored: bool,
    /// How complete it is.
    pub state: RowState,
    /// Series: episodes with a file. Authors: books with one. Artists and albums: tracks with one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<i64>,
    /// What `files` is counted against. Series: every episode that is known, announced ones included, without the specials.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<i64>,
    /// Series: episodes that are monitored and have aired, or have a file: what `missing` is judged by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aired: Option<i64>,
    /// Artists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub albums: Option<i64>,
    /// Books: `ebook` or `audiobook`. Both of one work are two books.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Albums: `Album`, `EP`, `Single` …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub album_type: Option<String>,
    /// Books and albums.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release_date: Option<String>,
}

impl LibraryRow {
    fn new(title: &str, standing: Standing) -> Self {
        Self {
            title: title.to_owned(),
            year: None,
            tmdb_id: None,
            tvdb_id: None,
            author_id: None,
            book_id: None,
            artist_id: None,
            album_id: None,
            monitored: standing.monitored,
            state: standing.state(),
            files: None,
            total: None,
            aired: None,
            albums: None,
            format: None,
            album_type: None,
            release_date: None,
        }
    }
}

/// An id or year, unless it stands for "unknown".
fn known(id: i64) -> Option<i64> {
    (id > 0).then_some(id)
}

pub(crate) fn movie_standing(movie: &MovieSummary) -> Standing {
    Standing::of(movie.monitored, movie.is_on_disk())
}

pub(crate) fn movie_row(movie: &MovieSummary) -> LibraryRow {
    LibraryRow {
        year: movie.year.and_then(known),
        tmdb_id: known(movie.tmdb_id),
        ..LibraryRow::new(movie.title.as_deref().unwrap_or("Untitled"), movie_standing(movie))
    }
}

/// Episodes of a series in numbers, without the specials.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Episodes {
    /// With a file.
    pub(crate) files: i64,
    /// All that are known.
    pub(crate) total: i64,
    /// Monitored and aired, or with a file.
    pub(crate) aired: i64,
}

impl Episodes {
    fn of(statistics: &EpisodeStatistics) -> Self {
        let aired = statistics.episode_count.or(statistics.total_episode_count).unwrap_or(0);
        Self {
            files: statistics.episode_file_count.unwrap_or(0),
            total: statistics.total_episode_count.unwrap_or(aired),
            aired,
        }
    }

    fn and(self, other: Self) -> Self {
        Self { files: self.files + other.files, total: self.total + other.total, aired: self.aired + other.aired }
    }
}

/// Summed over the seasons; from the series' own numbers only where no season has any. `None` where nothing is counted.
pub(crate) fn episodes(series: &SeriesSummary) -> Option<Episodes> {
    let seasons = series.seasons.iter().filter(|season| season.season_number != Some(0));
    let of_seasons = seasons.filter_map(|season| season.statistics.as_ref()).map(Episodes::of).reduce(Episodes::and);
    of_seasons.or_else(|| series.statistics.as_ref().map(Episodes::of))
}

pub(crate) fn series_standing(series: &SeriesSummary) -> Standing {
    // Announced episodes are nobody's fault: only what has aired can be missing.
    let complete = episodes(series).is_none_or(|episodes| episodes.files >= episodes.aired);
    Standing::of(series.monitored, complete)
}

pub(crate) fn series_row(series: &SeriesSummary) -> LibraryRow {
    let episodes = episodes(series);
    LibraryRow {
        year: series.year.and_then(known),
        tmdb_id: known(series.tmdb_id),
        tvdb_id: known(series.tvdb_id),
        files: episodes.map(|episodes| episodes.files),
        total: episodes.map(|episodes| episodes.total),
        aired: episodes.map(|episodes| episodes.aired),
        ..LibraryRow::new(series.title.as_deref().unwrap_or("Untitled"), series_standing(series))
    }
}

/// Whether a share of what is wanted is the whole of it. Where the service gives no share, its counts decide.
fn is_whole(percent: Option<f64>, files: Option<i64>, wanted: Option<i64>) -> bool {
    percent.map_or_else(|| files.unwrap_or(0) >= wanted.unwrap_or(0), |percent| percent >= 100.0)
}

pub(crate) fn author_standing(author: &Author) -> Standing {
    let complete = author.statistics.as_ref().is_none_or(|statistics| {
        is_whole(statistics.percent_of_books, statistics.book_file_count, statistics.book_count)
    });
    Standing::of(author.monitored, complete)
}

pub(crate) fn author_row(author: &Author) -> LibraryRow {
    LibraryRow {
        author_id: known(author.id),
        files: author.statistics.as_ref().and_then(|statistics| statistics.book_file_count),
        total: author.statistics.as_ref().and_then(|statistics| statistics.book_count),
        ..LibraryRow::new(author.author_name.as_deref().unwrap_or("Unnamed author"), author_standing(author))
    }
}

pub(crate) fn book_standing(book: &Book) -> Standing {
    let n_files = book.statistics.as_ref().and_then(|statistics| statistics.book_file_count).unwrap_or(0);
    Standing::of(book.monitored, n_files > 0)
}

pub(crate) fn book_row(book: &Book) -> LibraryRow {
    LibraryRow {
        author_id: known(book.author_id),
        book_id: known(book.id),
        format: book.format().map(str::to_owned),
        release_date: book.release_date.map(day),
        ..LibraryRow::new(book.title.as_deref().unwrap_or("Untitled"), book_standing(book))
    }
}

pub(crate) fn artist_standing(artist: &Artist) -> Standing {
    let complete = artist.statistics.as_ref().is_none_or(|statistics| {
        is_whole(statistics.percent_of_tracks, statistics.track_file_count, statistics.track_count)
    });
    Standing::of(artist.monitored, complete)
}

pub(crate) fn artist_row(artist: &Artist) -> LibraryRow {
    let statistics = artist.statistics.as_ref();
    LibraryRow {
        artist_id: known(artist.id),
        albums: statistics.and_then(|statistics| statistics.album_count),
        files: statistics.and_then(|statistics| statistics.track_file_count),
        total: statistics.and_then(|statistics| statistics.track_count),
        ..LibraryRow::new(artist.artist_name.as_deref().unwrap_or("Unnamed artist"), artist_standing(artist))
    }
}

pub(crate) fn album_standing(album: &Album) -> Standing {
    let statistics = album.statistics.as_ref();
    let files = statistics.and_then(|statistics| statistics.track_file_count).unwrap_or(0);
    let tracks = statistics.and_then(|statistics| statistics.track_count).unwrap_or(0);
    // An album whose tracks are not known yet has none of them.
    Standing::of(album.monitored, tracks > 0 && files >= tracks)
}

pub(crate) fn album_row(album: &Album) -> LibraryRow {
    let statistics = album.statistics.as_ref();
    LibraryRow {
        artist_id: known(album.artist_id),
        album_id: known(album.id),
        album_type: album.album_type.clone(),
        release_date: album.release_date.map(day),
        files: statistics.and_then(|statistics| statistics.track_file_count),
        total: statistics.and_then(|statistics| statistics.track_count),
        ..LibraryRow::new(album.title.as_deref().unwrap_or("Untitled"), album_standing(album))
    }
}

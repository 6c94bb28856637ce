//! What a row says of itself, in the terms of its service.

use crate::client::wire::QueueRow;
use crate::doctor::LibraryFile;
use crate::reads::identity::RowIdentity;
use crate::service::Service;

/// What it is for, as people name it; the release's name where it belongs to no item of the library.
pub(crate) fn item_title(row: &QueueRow, service: Service) -> String {
    library_title(row, service).unwrap_or_else(|| release_title(row).to_owned())
}

/// The release's name.
pub(crate) fn release_title(row: &QueueRow) -> &str {
    named(row.title.as_ref()).unwrap_or("(a release without a name)")
}

/// The client's id of the download; `None` where the release was not handed to a client yet.
pub(crate) fn download_id(row: &QueueRow) -> Option<&str> {
    named(row.download_id.as_ref())
}

fn library_title(row: &QueueRow, service: Service) -> Option<String> {
    match service {
        Service::Radarr => {
            let title = owner_title(row, service)?;
            let year = row.movie.as_ref()?.year.filter(|year| *year > 0);
            Some(year.map_or_else(|| title.to_owned(), |year| format!("{title} ({year})")))
        }
        Service::Sonarr => {
            let series = owner_title(row, service)?;
            let numbered = row.episode.as_ref().and_then(|episode| {
                let number = format!("S{:02}E{:02}", episode.season_number?, episode.episode_number?);
                let title = named(episode.title.as_ref()).map(|title| format!(" \"{title}\""));
                Some(format!(" {number}{}", title.unwrap_or_default()))
            });
            Some(format!("{series}{}", numbered.unwrap_or_default()))
        }
        Service::Lidarr => {
            of_two(owner_title(row, service), row.album.as_ref().and_then(|album| named(album.title.as_ref())))
        }
        Service::Chaptarr => {
            of_two(owner_title(row, service), row.book.as_ref().and_then(|book| named(book.title.as_ref())))
        }
    }
}

/// What a person would look for in the library: the movie, series, artist or author.
pub(crate) fn owner_title(row: &QueueRow, service: Service) -> Option<&str> {
    named(match service {
        Service::Radarr => row.movie.as_ref()?.title.as_ref(),
        Service::Sonarr => row.series.as_ref()?.title.as_ref(),
        Service::Lidarr => row.artist.as_ref()?.artist_name.as_ref(),
        Service::Chaptarr => row.author.as_ref()?.author_name.as_ref(),
    })
}

/// The id by which a rescan names the owner: the TMDB id of a movie or series, the service's own of an artist or author.
pub(crate) fn owner_id(row: &QueueRow, service: Service) -> Option<i64> {
    let id = match service {
        Service::Radarr => row.movie.as_ref()?.tmdb_id,
        Service::Sonarr => row.series.as_ref()?.tmdb_id,
        Service::Lidarr => row.artist_id,
        Service::Chaptarr => row.author_id,
    };
    Some(id).filter(|id| *id > 0)
}

/// Whose it is, for comparison with a scope.
pub(crate) fn identity(row: &QueueRow) -> RowIdentity {
    let series = row.series.as_ref();
    let episode = row.episode.as_ref();
    let tmdb_id = row.movie.as_ref().map(|movie| movie.tmdb_id).or(series.map(|series| series.tmdb_id));
    RowIdentity {
        title_id: row.movie_id.max(row.series_id),
        tmdb_id: tmdb_id.unwrap_or_default(),
        tvdb_id: series.map(|series| series.tvdb_id).unwrap_or_default(),
        season_number: episode.and_then(|episode| episode.season_number),
        episode_number: episode.and_then(|episode| episode.episode_number),
        author_id: row.author_id,
        book_id: row.book_id,
        artist_id: row.artist_id,
        album_id: row.album_id,
    }
}

/// Whether the library has a file of its item: only told by a row whose own ids agree.
pub(crate) fn library_file(row: &QueueRow, service: Service) -> LibraryFile {
    let known = match service {
        Service::Radarr => movie_file(row),
        Service::Sonarr => episode_file(row),
        // That some tracks are there is known; that none is there is also said of an album whose tracks were never counted.
        Service::Lidarr => row.track_has_file_count.filter(|n| *n > 0).map(|_| true),
        Service::Chaptarr => None,
    };
    match known {
        None => LibraryFile::Unknown,
        Some(true) => LibraryFile::Present,
        Some(false) => LibraryFile::Absent,
    }
}

fn movie_file(row: &QueueRow) -> Option<bool> {
    let movie = row.movie.as_ref()?;
    let file_id = movie.movie_file_id.filter(|id| *id >= 0)?;
    let consistent = row.movie_id > 0 && row.movie_id == movie.id && movie.tmdb_id > 0;
    consistent.then_some(file_id > 0)
}

fn episode_file(row: &QueueRow) -> Option<bool> {
    let (series, episode) = (row.series.as_ref()?, row.episode.as_ref()?);
    let has_file = episode.episode_file_id.filter(|id| *id >= 0)? > 0;
    let consistent = row.series_id > 0
        && row.series_id == series.id
        && row.series_id == episode.series_id
        && row.episode_id > 0
        && row.episode_id == episode.id
        && series.tvdb_id > 0
        && episode.episode_number.is_some_and(|number| number > 0)
        && [episode.has_file, row.episode_has_file].into_iter().flatten().all(|flag| flag == has_file);
    consistent.then_some(has_file)
}

/// The parameter and the id by which its item is named in the history.
pub(crate) fn history_item(row: &QueueRow, service: Service) -> Option<(&'static str, i64)> {
    let (name, id) = match service {
        Service::Radarr => ("movieIds", row.movie_id),
        Service::Sonarr => ("episodeId", row.episode_id),
        Service::Lidarr => ("albumId", row.album_id),
        Service::Chaptarr => ("bookId", row.book_id),
    };
    (id > 0).then_some((name, id))
}

fn named(text: Option<&String>) -> Option<&str> {
    text.map(|text| text.trim()).filter(|text| !text.is_empty())
}

fn of_two(first: Option<&str>, second: Option<&str>) -> Option<String> {
    match (first, second) {
        (Some(first), Some(second)) => Some(format!("{first} — {second}")),
        (first, second) => first.or(second).map(str::to_owned),
    }
}

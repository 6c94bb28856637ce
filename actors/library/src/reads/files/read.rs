//! Reads the files of one movie, season or album.

use std::collections::HashMap;

use playhouse_bus::{Answer, CallInfo, Deadline, Handle, Message};
use serde::{Deserialize, Serialize};

use super::{FileDetails, FileProperties, FileRow, MAX_FILES, file_name};
use crate::answer::{ArrFailure, Code};
use crate::client::Patience;
use crate::client::wire::{Album, Episode, EpisodeFile, Listed, MovieFile, TrackFile};
use crate::reads::history::{of_creator, with_year};
use crate::reads::resolve::{self, SeriesIds};
use crate::{ArrActor, Hands};

/// Whose files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum FileTarget {
    /// One film.
    Movie {
        /// Its id at TMDB.
        tmdb_id: i64,
    },
    /// One season of a series.
    Season {
        /// The series' id at TMDB.
        tmdb_id: Option<i64>,
        /// The series' id at TVDB, where it is known.
        tvdb_id: Option<i64>,
        /// The season; 0 holds the specials.
        season_number: i64,
    },
    /// One album.
    Album {
        /// Lidarr's own id.
        album_id: i64,
    },
}

/// Reads what is inside the files of one movie, season or album.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReadFileDetails {
    /// Whose files.
    pub target: FileTarget,
}

impl Message for ReadFileDetails {
    type Actor = ArrActor;
    type Reply = Result<FileDetails, ArrFailure>;
}

impl Handle<ReadFileDetails> for ArrActor {
    fn handle(&mut self, message: ReadFileDetails, call: CallInfo) -> Answer<Self, Result<FileDetails, ArrFailure>> {
        self.answer_read(|hands| async move {
            match message.target {
                FileTarget::Movie { tmdb_id } => of_movie(&hands, tmdb_id, call.deadline).await,
                FileTarget::Season { tmdb_id, tvdb_id, season_number } => {
                    of_season(&hands, SeriesIds { tmdb_id, tvdb_id }, season_number, call.deadline).await
                }
                FileTarget::Album { album_id } => of_album(&hands, album_id, call.deadline).await,
            }
        })
    }
}

async fn of_movie(hands: &Hands, tmdb_id: i64, deadline: Deadline) -> Result<FileDetails, ArrFailure> {
    let movie = resolve::movie(hands, tmdb_id, deadline).await?.ok_or_else(|| resolve::no_movie(tmdb_id))?;
    let title = with_year(movie.title.as_deref(), movie.year);
    let embedded = movie.movie_file.as_ref().map(|file| file.id);
    let linked = [movie.movie_file_id, embedded].into_iter().flatten().find(|id| *id > 0);
    let (files, n_skipped) = match linked {
        Some(id) => {
            let found = resolve::record(hands, "moviefile", id, |file: &MovieFile| file.id, deadline).await?;
            (vec![found.map_or_else(|| FileRow::gone(None), |file| movie_row(&file))], 0)
        }
        // The link may be missing on a film that has a file all the same; its numbers know better.
        None if movie.is_on_disk() == Some(true) => {
            let id = movie.id.to_string();
            let query = [("movieId", id.as_str())];
            let read = hands.client.read_list::<MovieFile>("moviefile", &query, Patience::Quick30s, deadline).await?;
            let own = read.items.iter().filter(|file| file.movie_id == movie.id);
            (own.map(movie_row).take(MAX_FILES).collect(), read.n_skipped)
        }
        None => (Vec::new(), 0),
    };
    Ok(FileDetails { title, files, n_more: 0, n_skipped })
}

fn movie_row(file: &MovieFile) -> FileRow {
    FileRow {
        episode: None,
        record_found: true,
        name: file_name(file.relative_path.as_deref().or(file.path.as_deref())),
        release: file.scene_name.clone().filter(|name| !name.is_empty()),
        size_bytes: file.size.unwrap_or_default(),
        quality: file.quality.as_ref().and_then(|quality| quality.name()).map(str::to_owned),
        imported_utc: file.date_added,
        properties: file.media_info.as_ref().map(FileProperties::of_video),
    }
}

async fn of_season(
    hands: &Hands,
    ids: SeriesIds,
    season_number: i64,
    deadline: Deadline,
) -> Result<FileDetails, ArrFailure> {
    let series = resolve::series(hands, ids, deadline).await?.ok_or_else(|| resolve::no_series(ids))?;
    let (id, season) = (series.id.to_string(), season_number.to_string());
    let (of_series, client) = ([("seriesId", id.as_str())], &hands.client);
    let files = client.read_list::<EpisodeFile>("episodefile", &of_series, Patience::Quick30s, deadline).await?;
    let query = [("seriesId", id.as_str()), ("seasonNumber", season.as_str())];
    let Listed { mut items, n_skipped } =
        client.read_list::<Episode>("episode", &query, Patience::Quick30s, deadline).await?;
    items.retain(|episode| episode.season_number == Some(season_number));
    if items.is_empty() && n_skipped > 0 {
        return Err(resolve::not_whole(hands, "episodes", n_skipped));
    }
    if items.is_empty() {
        let words = format!("{} has no season {season_number} in this library.", series.title.unwrap_or_default());
        return Err(ArrFailure::refused(Code::SeasonUnknown, words));
    }
    items.sort_by_key(|episode| episode.episode_number);
    let by_id: HashMap<i64, &EpisodeFile> = files.items.iter().map(|file| (file.id, file)).collect();
    let mut rows: Vec<FileRow> = items
        .iter()
        .filter(|episode| episode.has_file == Some(true))
        .map(|episode| {
            let name = format!("S{season_number:02}E{:02}", episode.episode_number.unwrap_or_default());
            match episode.episode_file_id.and_then(|id| by_id.get(&id)) {
                Some(file) => episode_row(name, file),
                None => FileRow::gone(Some(name)),
            }
        })
        .collect();
    let n_more = rows.len().saturating_sub(MAX_FILES);
    rows.truncate(MAX_FILES);
    let title = format!("{}, season {season_number}", with_year(series.title.as_deref(), series.year));
    Ok(FileDetails { title, files: rows, n_more, n_skipped: n_skipped + files.n_skipped })
}

fn episode_row(episode: String, file: &EpisodeFile) -> FileRow {
    FileRow {
        episode: Some(episode),
        record_found: true,
        name: file_name(file.relative_path.as_deref().or(file.path.as_deref())),
        release: file.scene_name.clone().filter(|name| !name.is_empty()),
        size_bytes: file.size.unwrap_or_default(),
        quality: file.quality.as_ref().and_then(|quality| quality.name()).map(str::to_owned),
        imported_utc: file.date_added,
        properties: file.media_info.as_ref().map(FileProperties::of_video),
    }
}

async fn of_album(hands: &Hands, album_id: i64, deadline: Deadline) -> Result<FileDetails, ArrFailure> {
    let album = resolve::record(hands, "album", album_id, |album: &Album| album.id, deadline).await?;
    let album = album.ok_or_else(|| resolve::no_item("album", album_id))?;
    let id = album_id.to_string();
    let query = [("albumId", id.as_str())];
    let read = hands.client.read_list::<TrackFile>("trackfile", &query, Patience::Quick30s, deadline).await?;
    let mut files: Vec<FileRow> = read.items.iter().filter(|file| file.album_id == album_id).map(track_row).collect();
    files.sort_by(|one, other| one.name.cmp(&other.name));
    let n_more = files.len().saturating_sub(MAX_FILES);
    files.truncate(MAX_FILES);
    let artist = album.artist.as_ref().and_then(|artist| artist.artist_name.as_deref());
    let title = of_creator(artist, album.title.as_deref());
    Ok(FileDetails { title, files, n_more, n_skipped: read.n_skipped })
}

fn track_row(file: &TrackFile) -> FileRow {
    FileRow {
        episode: None,
        record_found: true,
        name: file_name(file.path.as_deref()),
        release: file.scene_name.clone().filter(|name| !name.is_empty()),
        size_bytes: file.size.unwrap_or_default(),
        quality: file.quality.as_ref().and_then(|quality| quality.name()).map(str::to_owned),
        imported_utc: file.date_added,
        properties: file.media_info.as_ref().map(FileProperties::of_track),
    }
}

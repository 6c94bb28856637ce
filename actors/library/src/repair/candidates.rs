//! The files of a download, and what the service takes each for.

use playhouse_bus::{Answer, CallInfo, Deadline, Handle, Message};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::removal::missing_words;
use crate::ArrActor;
use crate::actor::Hands;
use crate::answer::{ArrFailure, Code, Scope};
use crate::client::Patience;
use crate::client::wire::{ImportCandidate, QueueRow};
use crate::queue::{narrow, read_queue, row, short};
use crate::service::Service;

/// Most files that an answer shows.
const MAX_FILES: usize = 100;

/// Reads what could be imported of one row's download. Changes nothing.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ReadCandidates {
    /// The row.
    pub(crate) queue_id: i64,
    /// What the row must be about.
    pub(crate) scope: Scope,
}

/// The files of a download.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Candidates {
    /// What the download is for.
    pub(crate) title: String,
    /// At most [`MAX_FILES`] of them.
    pub(crate) files: Vec<CandidateFile>,
    /// How many there are.
    pub(crate) n_files: usize,
    /// Those of a shape that this version does not know.
    pub(crate) n_skipped: usize,
}

/// A file of a download.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct CandidateFile {
    /// Its name, without its folders.
    pub(crate) name: String,
    /// Its size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) size_bytes: Option<i64>,
    /// What the service takes it for, in the service's own ids.
    pub(crate) mapping: Mapping,
    /// What the service would have to know and does not: ids, and the file's path and quality. While anything is missing, the file cannot be
    /// imported.
    pub(crate) missing_ids: Vec<String>,
    /// Whether execute_manual_import takes it without `force`.
    pub(crate) importable: bool,
    /// Why the service does not import it by itself.
    pub(crate) rejections: Vec<FileRejection>,
}

/// What a file is taken for. What does not belong to the media type, or is not known, is left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
#[serde(default)]
pub(crate) struct Mapping {
    /// The title of the movie, series, album or book.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    /// The movie.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) movie_id: Option<i64>,
    /// The series.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) series_id: Option<i64>,
    /// Its episodes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) episodes: Vec<MappedEpisode>,
    /// The author.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) author_id: Option<i64>,
    /// The book.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) book_id: Option<i64>,
    /// The artist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) artist_id: Option<i64>,
    /// The album.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) album_id: Option<i64>,
    /// The release of the album.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) album_release_id: Option<i64>,
    /// The tracks.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) track_ids: Vec<i64>,
}

/// An episode that a file is taken for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct MappedEpisode {
    /// Its season; 0 is the specials.
    pub(crate) season: i64,
    /// Its number.
    pub(crate) episode: i64,
    /// Its id.
    pub(crate) id: i64,
}

/// Why a file is not imported by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct FileRejection {
    /// The service's words.
    pub(crate) reason: String,
    /// `permanent`: only with `force`; or `temporary`.
    #[serde(rename = "type")]
    pub(crate) kind: String,
}

impl Message for ReadCandidates {
    type Actor = ArrActor;
    type Reply = Result<Candidates, ArrFailure>;
}

impl Handle<ReadCandidates> for ArrActor {
    fn handle(&mut self, asked: ReadCandidates, call: CallInfo) -> Answer<Self, Result<Candidates, ArrFailure>> {
        match self.hands() {
            Err(failure) => Answer::now(Err(failure)),
            Ok(hands) => Answer::later(async move { read(&hands, &asked, call.deadline).await }),
        }
    }
}

async fn read(hands: &Hands, asked: &ReadCandidates, deadline: Deadline) -> Result<Candidates, ArrFailure> {
    let download = Download::find(hands, asked.queue_id, &asked.scope, deadline).await?;
    let service = hands.service;
    Ok(Candidates {
        title: short(&row::item_title(&download.row, service)),
        files: download.files.iter().take(MAX_FILES).map(|file| CandidateFile::of(file, service)).collect(),
        n_files: download.files.len(),
        n_skipped: download.n_skipped,
    })
}

/// A row and the files of its download, read just now.
pub(super) struct Download {
    pub(super) row: QueueRow,
    pub(super) id: String,
    pub(super) files: Vec<ImportCandidate>,
    pub(super) n_skipped: usize,
}

impl Download {
    /// Reads row and files, each in the lane it belongs to: the caller must be in none.
    pub(super) async fn find(
        hands: &Hands,
        queue_id: i64,
        scope: &Scope,
        deadline: Deadline,
    ) -> Result<Self, ArrFailure> {
        let row = hands.quick_by(deadline, Box::pin(Self::row(hands, queue_id, scope, deadline))).await?;
        let Some(row) = row else {
            return Err(ArrFailure::refused(Code::QueueItemMissing, missing_words(queue_id)));
        };
        let Some(id) = row::download_id(&row).map(str::to_owned) else {
            let words = format!(
                "Queue item {queue_id} was not handed to a download client yet, so it has no files. It waits for its delay or for the client."
            );
            return Err(ArrFailure::refused(Code::NoDownloadId, words));
        };
        let query = [("downloadId", id.as_str()), ("filterExistingFiles", "false")];
        let files = async |patience| {
            let read = hands.client.read_list("manualimport", &query, patience, deadline).await;
            read.map_err(ArrFailure::from)
        };
        let read = match hands.service {
            Service::Radarr | Service::Sonarr => hands.quick_by(deadline, files(Patience::Quick30s)).await,
            // These two identify every file when they are asked, which takes minutes.
            Service::Lidarr | Service::Chaptarr => hands.slow_by(deadline, files(Patience::Slow120s)).await,
        }?;
        Ok(Self { row, id, files: read.items, n_skipped: read.n_skipped })
    }

    async fn row(
        hands: &Hands,
        queue_id: i64,
        scope: &Scope,
        deadline: Deadline,
    ) -> Result<Option<QueueRow>, ArrFailure> {
        let rows = read_queue(hands, deadline).await?.into_iter().filter(|row| row.id == queue_id).collect();
        Ok(narrow(rows, scope, hands, deadline).await?.pop())
    }
}

impl CandidateFile {
    pub(super) fn of(file: &ImportCandidate, service: Service) -> Self {
        let mapping = Mapping::of(file, service);
        let mut missing_ids = mapping.missing(service);
        // A file without a quality would be imported as unknown, or fail the whole command.
        let also_needed = [("path", path(file).is_some()), ("quality", file.quality.is_some())];
        missing_ids.extend(also_needed.iter().filter(|(_, known)| !known).map(|(name, _)| (*name).to_owned()));
        let rejections: Vec<FileRejection> = file
            .rejections
            .iter()
            .map(|rejection| FileRejection {
                reason: short(&rejection.reason),
                kind: if rejection.is_permanent() { "permanent" } else { "temporary" }.to_owned(),
            })
            .collect();
        let importable = missing_ids.is_empty() && !file.rejections.iter().any(|rejection| rejection.is_permanent());
        Self { name: file_name(file), size_bytes: file.size, mapping, missing_ids, importable, rejections }
    }
}

impl Mapping {
    pub(super) fn of(file: &ImportCandidate, service: Service) -> Self {
        let known = |id: i64| Some(id).filter(|id| *id > 0);
        let title = |title: Option<&String>| title.map(|title| short(title)).filter(|title| !title.is_empty());
        match service {
            Service::Radarr => Self {
                title: file.movie.as_ref().and_then(|movie| title(movie.title.as_ref())),
                movie_id: file.movie.as_ref().and_then(|movie| known(movie.id)),
                ..Self::default()
            },
            Service::Sonarr => Self {
                title: file.series.as_ref().and_then(|series| title(series.title.as_ref())),
                series_id: file.series.as_ref().and_then(|series| known(series.id)),
                episodes: file
                    .episodes
                    .iter()
                    .filter(|episode| episode.id > 0)
                    .map(|episode| MappedEpisode {
                        season: episode.season_number.or(file.season_number).unwrap_or_default(),
                        episode: episode.episode_number.unwrap_or_default(),
                        id: episode.id,
                    })
                    .collect(),
                ..Self::default()
            },
            Service::Lidarr => Self {
                title: file.album.as_ref().and_then(|album| title(album.title.as_ref())),
                artist_id: file.artist.as_ref().and_then(|artist| known(artist.id)),
                album_id: file.album.as_ref().and_then(|album| known(album.id)),
                album_release_id: known(file.album_release_id),
                track_ids: file.tracks.iter().map(|track| track.id).filter(|id| *id > 0).collect(),
                ..Self::default()
            },
            Service::Chaptarr => Self {
                title: file.book.as_ref().and_then(|book| title(book.title.as_ref())),
                author_id: file.author.as_ref().and_then(|author| known(author.id)),
                book_id: file.book.as_ref().and_then(|book| known(book.id)),
                ..Self::default()
            },
        }
    }

    /// The ids without which the service would import nothing, or fail over it.
    pub(super) fn missing(&self, service: Service) -> Vec<String> {
        let needed: &[(&str, bool)] = match service {
            Service::Radarr => &[("movie_id", self.movie_id.is_some())],
            Service::Sonarr => &[("series_id", self.series_id.is_some()), ("episode_ids", !self.episodes.is_empty())],
            Service::Lidarr => &[
                ("artist_id", self.artist_id.is_some()),
                ("album_id", self.album_id.is_some()),
                ("album_release_id", self.album_release_id.is_some()),
                ("track_ids", !self.track_ids.is_empty()),
            ],
            Service::Chaptarr => &[("author_id", self.author_id.is_some()), ("book_id", self.book_id.is_some())],
        };
        needed.iter().filter(|(_, known)| !known).map(|(name, _)| (*name).to_owned()).collect()
    }
}

/// Where a file is, by which it is imported.
pub(super) fn path(file: &ImportCandidate) -> Option<&str> {
    file.path.as_deref().filter(|path| !path.trim().is_empty())
}

/// A file's name without its folders: those are the house's own affair.
pub(super) fn file_name(file: &ImportCandidate) -> String {
    let whole =
        [&file.path, &file.relative_path, &file.name].into_iter().flatten().find(|text| !text.trim().is_empty());
    let last = whole.and_then(|whole| whole.rsplit(['/', '\\']).find(|part| !part.trim().is_empty()));
    last.map_or_else(|| "(a file without a name)".to_owned(), short)
}

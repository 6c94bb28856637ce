//! Which files of a download are imported, and as what.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::candidates::{CandidateFile, Mapping, path};
use crate::answer::{Code, Scope, Unfinished};
use crate::client::wire::{ImportCandidate, IndexerFlags, Verbatim};
use crate::client::{Id, Ids, ImportFile};
use crate::reads::identity::{Fit, RowIdentity};
use crate::service::Service;

/// A file that is not imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct SkippedFile {
    /// Its name.
    pub(crate) name: String,
    /// Why not.
    pub(crate) reason: String,
}

/// What is sent and what is not.
#[derive(Debug, Default)]
pub(super) struct Selection {
    pub(super) files: Vec<ImportFile>,
    /// The names of `files`.
    pub(super) names: Vec<String>,
    /// Lidarr: whether files of the album that are there already go. The service says it with each candidate.
    pub(super) replace_existing_files: Option<bool>,
    pub(super) skipped: Vec<SkippedFile>,
    n_rejected: usize,
    n_beyond_scope: usize,
}

/// What may be imported.
pub(super) struct Rules<'a> {
    pub(super) service: Service,
    pub(super) download_id: &'a str,
    /// Whether files that the service rejected for good are imported all the same.
    pub(super) force: bool,
    /// Only files that lie wholly inside it are imported.
    pub(super) scope: &'a Scope,
}

impl Rules<'_> {
    /// Chooses among `candidates`. What is not mapped is never imported: the service would import nothing, or fail over it.
    pub(super) fn select(&self, candidates: &[ImportCandidate]) -> Selection {
        let mut selection = Selection::default();
        for candidate in candidates {
            let file = CandidateFile::of(candidate, self.service);
            match self.import_file(candidate, &file) {
                Ok(import) => {
                    selection.files.push(import);
                    selection.names.push(file.name);
                    if self.service == Service::Lidarr {
                        let replace = candidate.replace_existing_files;
                        selection.replace_existing_files = selection.replace_existing_files.or(replace);
                    }
                }
                Err(refused) => {
                    match refused {
                        Refused::Rejected(_) => selection.n_rejected += 1,
                        Refused::BeyondScope => selection.n_beyond_scope += 1,
                        Refused::Unmapped(_) => {}
                    }
                    selection.skipped.push(SkippedFile { name: file.name, reason: refused.to_string() });
                }
            }
        }
        selection
    }

    fn import_file(&self, candidate: &ImportCandidate, file: &CandidateFile) -> Result<ImportFile, Refused> {
        if !file.missing_ids.is_empty() {
            return Err(Refused::Unmapped(file.missing_ids.join(", ")));
        }
        if !is_inside(candidate, self.service, self.scope) {
            return Err(Refused::BeyondScope);
        }
        if !self.force {
            let permanent = file.rejections.iter().filter(|rejection| rejection.kind == "permanent");
            let reasons: Vec<&str> = permanent.map(|rejection| rejection.reason.as_str()).collect();
            if !reasons.is_empty() {
                return Err(Refused::Rejected(reasons.join("; ")));
            }
        }
        // Both are there, or they would be among what is missing.
        let path = path(candidate).ok_or_else(|| Refused::Unmapped("path".to_owned()))?.to_owned();
        let quality = candidate.quality.as_ref().ok_or_else(|| Refused::Unmapped("quality".to_owned()))?;
        let common = ImportFile {
            path,
            quality: Some(quality.json().to_owned()),
            download_id: Some(self.download_id.to_owned()),
            indexer_flags: bits(candidate.indexer_flags.as_ref()),
            ..ImportFile::default()
        };
        Ok(self.of_service(common, candidate, &file.mapping))
    }

    fn of_service(&self, common: ImportFile, candidate: &ImportCandidate, mapping: &Mapping) -> ImportFile {
        let id = |id: Option<i64>| id.and_then(Id::new);
        match self.service {
            Service::Radarr => ImportFile {
                folder_name: candidate.folder_name.clone(),
                movie_id: id(mapping.movie_id),
                languages: Some(languages(candidate.languages.as_ref())),
                release_group: candidate.release_group.clone(),
                ..common
            },
            Service::Sonarr => ImportFile {
                folder_name: candidate.folder_name.clone(),
                series_id: id(mapping.series_id),
                episode_ids: Ids::new(mapping.episodes.iter().map(|episode| episode.id)),
                languages: Some(languages(candidate.languages.as_ref())),
                release_group: candidate.release_group.clone(),
                release_type: candidate.release_type.clone(),
                ..common
            },
            Service::Lidarr => ImportFile {
                artist_id: id(mapping.artist_id),
                album_id: id(mapping.album_id),
                album_release_id: id(mapping.album_release_id),
                track_ids: Ids::new(mapping.track_ids.iter().copied()),
                // True would pin the album to this release for good.
                disable_release_switching: Some(candidate.disable_release_switching.unwrap_or(false)),
                ..common
            },
            Service::Chaptarr => ImportFile {
                author_id: id(mapping.author_id),
                book_id: id(mapping.book_id),
                foreign_edition_id: candidate.foreign_edition_id.clone(),
                disable_release_switching: candidate.disable_release_switching,
                ..common
            },
        }
    }
}

/// Exactly what came; an empty list where nothing came, because Sonarr fails over a list that is missing.
fn languages(sent: Option<&Verbatim>) -> Box<RawValue> {
    sent.map_or_else(
        || serde_json::value::to_raw_value(&[(); 0]).unwrap_or_else(|_| RawValue::NULL.to_owned()),
        |sent| sent.json().to_owned(),
    )
}

fn bits(flags: Option<&IndexerFlags>) -> Option<i64> {
    match flags? {
        IndexerFlags::Bits(bits) => Some(*bits),
        IndexerFlags::Names(_) => None,
    }
}

/// Whether all that the file is taken for lies inside the scope: a file that reaches beyond it is somebody else's too.
fn is_inside(candidate: &ImportCandidate, service: Service, scope: &Scope) -> bool {
    let fits = |identity: RowIdentity| identity.fit(service.media_type(), scope, None) == Fit::Fits;
    match service {
        Service::Radarr => candidate.movie.as_ref().is_some_and(|movie| {
            fits(RowIdentity { title_id: movie.id, tmdb_id: movie.tmdb_id, ..RowIdentity::default() })
        }),
        Service::Sonarr => candidate.series.as_ref().is_some_and(|series| {
            candidate.episodes.iter().all(|episode| {
                fits(RowIdentity {
                    title_id: series.id,
                    tmdb_id: series.tmdb_id,
                    tvdb_id: series.tvdb_id,
                    season_number: episode.season_number,
                    episode_number: episode.episode_number,
                    ..RowIdentity::default()
                })
            })
        }),
        Service::Lidarr => fits(RowIdentity {
            artist_id: candidate.artist.as_ref().map_or(0, |artist| artist.id),
            album_id: candidate.album.as_ref().map_or(0, |album| album.id),
            ..RowIdentity::default()
        }),
        Service::Chaptarr => fits(RowIdentity {
            author_id: candidate.author.as_ref().map_or(0, |author| author.id),
            book_id: candidate.book.as_ref().map_or(0, |book| book.id),
            ..RowIdentity::default()
        }),
    }
}

/// Why a file is not imported.
#[derive(Debug, thiserror::Error)]
enum Refused {
    #[error("cannot be imported without mapping: the service does not know its {0}")]
    Unmapped(String),
    #[error("rejected by the service: {0}")]
    Rejected(String),
    #[error("belongs to something else than what this is about")]
    BeyondScope,
}

impl Selection {
    /// Why nothing is imported.
    pub(super) fn nothing(&self) -> Unfinished {
        const SHOWN: usize = 12;
        let listed: Vec<String> =
            self.skipped.iter().take(SHOWN).map(|file| format!("- {}: {}", file.name, file.reason)).collect();
        let more = self.skipped.len().saturating_sub(SHOWN);
        let more = if more > 0 { format!("\n…and {more} more") } else { String::new() };
        let list = format!("\n{}{more}", listed.join("\n"));
        if self.n_beyond_scope > 0 && self.n_rejected == 0 {
            let words =
                format!("Nothing was imported: no file of the download lies wholly inside what this is about.{list}");
            return Unfinished::not_started(Code::ScopeMismatch, words);
        }
        let hint = match self.n_rejected {
            0 => "",
            _ => {
                "\nRejected files can be imported all the same with \"force\": true, once it is certain that they are what they are mapped to."
            }
        };
        Unfinished::not_started(
            Code::NothingImportable,
            format!("Nothing was imported: none of the files can be.{list}{hint}"),
        )
    }
}

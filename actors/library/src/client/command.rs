//! What an instance can be told to do, typed.
//!
//! A missing or misspelt parameter is no error to these services but widens the command, up to the whole library. So every command is a
//! variant with all it needs, and a list of ids cannot be empty.

use serde::Serialize;
use serde_json::value::RawValue;

/// Ids of one instance's records: at least one, each above zero.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Ids(Vec<i64>);

impl Ids {
    /// These ids; `None` when there is none, or one of them is not above zero.
    pub fn new(ids: impl IntoIterator<Item = i64>) -> Option<Self> {
        let ids: Vec<i64> = ids.into_iter().collect();
        (!ids.is_empty() && ids.iter().all(|id| *id > 0)).then_some(Self(ids))
    }

    /// The ids.
    pub fn as_slice(&self) -> &[i64] {
        &self.0
    }
}

/// One id of an instance's record, above zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Id(i64);

impl Id {
    /// This id; `None` when it is not above zero, which the services read as "none" or "all".
    pub fn new(id: i64) -> Option<Self> {
        (id > 0).then_some(Self(id))
    }

    /// The number.
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl From<Id> for Ids {
    fn from(id: Id) -> Self {
        Self(vec![id.0])
    }
}

/// A list that has at least one element.
#[derive(Debug, Clone, Serialize)]
#[serde(transparent)]
pub struct NonEmpty<T>(Vec<T>);

impl<T> NonEmpty<T> {
    /// These elements; `None` when there is none.
    pub fn new(elements: Vec<T>) -> Option<Self> {
        (!elements.is_empty()).then_some(Self(elements))
    }

    /// The elements.
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }
}

/// What an instance can be told to do: the body of `POST {B}/command`. Its own parameters stand beside `name`.
///
/// Which service knows which command is the caller's to get right; [`Command::service`] tells, and the client refuses to send another's.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "name", rename_all_fields = "camelCase")]
pub enum Command {
    /// Radarr: search for these films.
    MoviesSearch {
        /// Radarr's own ids.
        movie_ids: Ids,
    },
    /// Sonarr: search for a whole series.
    SeriesSearch {
        /// Sonarr's own id.
        series_id: Id,
    },
    /// Sonarr: search for one season.
    SeasonSearch {
        /// Sonarr's own id.
        series_id: Id,
        /// 0 is the specials.
        season_number: u32,
    },
    /// Sonarr: search for these episodes.
    EpisodeSearch {
        /// Sonarr's own ids.
        episode_ids: Ids,
    },
    /// Lidarr: search for these albums.
    AlbumSearch {
        /// Lidarr's own ids.
        album_ids: Ids,
    },
    /// Lidarr: search for everything of an artist.
    ArtistSearch {
        /// Lidarr's own id.
        artist_id: Id,
    },
    /// Chaptarr: search for these books.
    BookSearch {
        /// Chaptarr's own ids.
        book_ids: Ids,
    },
    /// Chaptarr: search for everything of an author.
    AuthorSearch {
        /// Chaptarr's own id.
        author_id: Id,
    },
    /// Radarr: read one film's folder again. Without the id it would read every film's.
    RescanMovie {
        /// Radarr's own id.
        movie_id: Id,
    },
    /// Sonarr: read one series' folder again.
    RescanSeries {
        /// Sonarr's own id.
        series_id: Id,
    },
    /// Lidarr: read these folders again.
    #[serde(rename = "RescanFolders")]
    RescanArtistFolders {
        /// The artists' folders; without them all root folders would be read.
        folders: NonEmpty<String>,
        /// Which files are looked at.
        filter: RescanFilter,
        /// Whether unknown artists found there are added. The service's own default is yes.
        add_new_artists: bool,
        /// Lidarr's own ids.
        artist_ids: Ids,
    },
    /// Chaptarr: read these folders again.
    #[serde(rename = "RescanFolders")]
    RescanAuthorFolders {
        /// The authors' folders; without them all root folders would be read.
        folders: NonEmpty<String>,
        /// Which files are looked at.
        filter: RescanFilter,
        /// Whether unknown authors found there are added. The service's own default is yes.
        add_new_authors: bool,
        /// Chaptarr's own ids.
        author_ids: Ids,
    },
    /// All four: import what is finished.
    ProcessMonitoredDownloads {},
    /// All four: ask the download clients again.
    RefreshMonitoredDownloads {},
    /// All four: import these files as they are mapped here. Rejections are not looked at again.
    ManualImport {
        /// What becomes of the file in the download folder.
        import_mode: ImportMode,
        /// The files.
        files: NonEmpty<ImportFile>,
        /// Lidarr: whether files of the album that are there already go. Pass the candidate's own value.
        #[serde(skip_serializing_if = "Option::is_none")]
        replace_existing_files: Option<bool>,
    },
}

/// Which files a rescan of folders looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RescanFilter {
    /// All of them.
    None,
    /// Those that changed since they were last matched.
    Matched,
    /// Those that are not known yet.
    Known,
}

/// What becomes of an imported file in the download folder. Lower case, as the services want it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ImportMode {
    /// The service decides: copy what seeds, move the rest.
    Auto,
    /// It stays.
    Copy,
    /// It goes; a torrent stops seeding.
    Move,
}

/// One file of a [`Command::ManualImport`]. What is `None` is left out; which parts a service needs, `missing ids` included, is checked where
/// the candidates are read.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ImportFile {
    /// Where the service sees the file.
    pub path: String,
    /// The folder of its download.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder_name: Option<String>,
    /// Radarr.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub movie_id: Option<Id>,
    /// Sonarr.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub series_id: Option<Id>,
    /// Sonarr.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub episode_ids: Option<Ids>,
    /// Lidarr.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artist_id: Option<Id>,
    /// Lidarr.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub album_id: Option<Id>,
    /// Lidarr.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub album_release_id: Option<Id>,
    /// Lidarr.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub track_ids: Option<Ids>,
    /// Chaptarr.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author_id: Option<Id>,
    /// Chaptarr.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub book_id: Option<Id>,
    /// Chaptarr.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub foreign_edition_id: Option<String>,
    /// Exactly the JSON that the candidate carried, quality and revision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quality: Option<Box<RawValue>>,
    /// Exactly the JSON that the candidate carried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub languages: Option<Box<RawValue>>,
    /// Of the release.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release_group: Option<String>,
    /// A set of bits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexer_flags: Option<i64>,
    /// Sonarr: one episode, several, a season.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub release_type: Option<String>,
    /// What clears the queue item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub download_id: Option<String>,
    /// Lidarr and Chaptarr: pins the album or book to the release or edition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disable_release_switching: Option<bool>,
}

impl Command {
    /// The one service that knows this command; `None` when all four do.
    pub const fn service(&self) -> Option<crate::Service> {
        use crate::Service::{Chaptarr, Lidarr, Radarr, Sonarr};
        match self {
            Command::MoviesSearch { .. } | Command::RescanMovie { .. } => Some(Radarr),
            Command::SeriesSearch { .. }
            | Command::SeasonSearch { .. }
            | Command::EpisodeSearch { .. }
            | Command::RescanSeries { .. } => Some(Sonarr),
            Command::AlbumSearch { .. } | Command::ArtistSearch { .. } | Command::RescanArtistFolders { .. } => {
                Some(Lidarr)
            }
            Command::BookSearch { .. } | Command::AuthorSearch { .. } | Command::RescanAuthorFolders { .. } => {
                Some(Chaptarr)
            }
            Command::ProcessMonitoredDownloads {}
            | Command::RefreshMonitoredDownloads {}
            | Command::ManualImport { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{json, to_value};

    use super::*;

    fn id(id: i64) -> Id {
        Id::new(id).unwrap()
    }

    #[test]
    fn parameters_stand_beside_the_name_in_camel_case() {
        let cases = [
            (Command::MoviesSearch { movie_ids: id(7).into() }, json!({"name": "MoviesSearch", "movieIds": [7]})),
            (
                Command::SeasonSearch { series_id: id(3), season_number: 0 },
                json!({"name": "SeasonSearch", "seriesId": 3, "seasonNumber": 0}),
            ),
            (Command::ProcessMonitoredDownloads {}, json!({"name": "ProcessMonitoredDownloads"})),
        ];
        for (command, expected) in cases {
            assert_eq!(to_value(command).unwrap(), expected);
        }
    }

    #[test]
    fn rescan_movie_body_carries_movie_id_because_a_body_with_movie_ids_would_rescan_everything() {
        let body = to_value(Command::RescanMovie { movie_id: id(7) }).unwrap();

        assert_eq!(body, json!({"name": "RescanMovie", "movieId": 7}));
    }

    #[test]
    fn a_rescan_of_folders_names_them_and_adds_nobody_new() {
        let body = to_value(Command::RescanAuthorFolders {
            folders: NonEmpty::new(vec!["/books/Le Guin".to_owned()]).unwrap(),
            filter: RescanFilter::Matched,
            add_new_authors: false,
            author_ids: id(4).into(),
        });

        assert_eq!(
            body.unwrap(),
            json!({"name": "RescanFolders", "folders": ["/books/Le Guin"], "filter": "matched", "addNewAuthors": false, "authorIds": [4]})
        );
    }

    #[test]
    fn a_list_of_ids_is_never_empty_and_no_id_is_zero() {
        assert_eq!(Ids::new([]), None);
        assert_eq!(Ids::new([4, 0]), None);
        assert_eq!(Id::new(-1), None);
        assert!(NonEmpty::<ImportFile>::new(Vec::new()).is_none());
    }

    #[test]
    fn quality_and_languages_go_back_byte_for_byte() {
        let quality = r#"{"quality":{"id":7,"name":"Bluray-1080p"},"revision":{"version":1,"real":0,"isRepack":false},"odd":1.50}"#;
        let file = ImportFile {
            path: "/downloads/a.mkv".into(),
            movie_id: Some(id(7)),
            quality: Some(RawValue::from_string(quality.into()).unwrap()),
            ..ImportFile::default()
        };
        let command = Command::ManualImport {
            import_mode: ImportMode::Copy,
            files: NonEmpty::new(vec![file]).unwrap(),
            replace_existing_files: None,
        };

        assert_eq!(
            serde_json::to_string(&command).unwrap(),
            format!(
                r#"{{"name":"ManualImport","importMode":"copy","files":[{{"path":"/downloads/a.mkv","movieId":7,"quality":{quality}}}]}}"#
            )
        );
    }
}

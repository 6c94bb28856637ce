//! What differs between the four applications by name and number only.

/// One of the four applications.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ArrKind {
    /// Movies.
    Radarr,
    /// Series.
    Sonarr,
    /// Music.
    Lidarr,
    /// Books, ebook and audiobook apart.
    Chaptarr,
}

/// How a sort of thing is called in paths, parameters and bodies.
pub(crate) struct Noun {
    /// `movie`
    pub(crate) one: &'static str,
    /// `movieId`
    pub(crate) id: &'static str,
    /// `movieIds`
    pub(crate) ids: &'static str,
    /// The parameter that swells a record by it.
    pub(crate) include: &'static str,
}

/// The facts of one application.
pub(crate) struct Facts {
    /// As it calls itself.
    pub(crate) name: &'static str,
    /// `v3`: what it answers on `/api`, and what its paths begin with.
    pub(crate) api: &'static str,
    /// Four numbers, and no semantic version.
    pub(crate) version: &'static str,
    /// What others belong to: movie, series, artist, author.
    pub(crate) parent: &'static Noun,
    /// What is searched and imported: movie, episode, album, book.
    pub(crate) item: &'static Noun,
    /// What a queue leaves out unless this parameter is true.
    pub(crate) include_unknown: &'static str,
    /// Events of the history by number: the same number means a deletion here and a renaming there.
    pub(crate) events: &'static [(i64, &'static str)],
    /// The command that searches for items, with the list it takes.
    pub(crate) search: &'static str,
    /// Where its library lies.
    pub(crate) root: &'static str,
    /// The category its download client sorts by, and the one that it hands over to after the import.
    pub(crate) category: &'static str,
}

impl ArrKind {
    /// All four, in the order in which they are listed everywhere.
    pub const ALL: [Self; 4] = [Self::Radarr, Self::Sonarr, Self::Lidarr, Self::Chaptarr];

    /// As the application calls itself: `Radarr`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// Where its API begins: `/api/v3`.
    #[must_use]
    pub fn api_base(self) -> String {
        format!("/api/{}", self.facts().api)
    }

    pub(crate) fn facts(self) -> &'static Facts {
        match self {
            Self::Radarr => &RADARR,
            Self::Sonarr => &SONARR,
            Self::Lidarr => &LIDARR,
            Self::Chaptarr => &CHAPTARR,
        }
    }

    /// The name of an event of the history, by what happened rather than by what it is called here.
    pub(crate) fn event(self, happening: Happening) -> &'static str {
        match (happening, self) {
            (Happening::Grabbed, _) => "grabbed",
            (Happening::Failed, _) => "downloadFailed",
            (Happening::Ignored, _) => "downloadIgnored",
            (Happening::Imported, Self::Radarr | Self::Sonarr) => "downloadFolderImported",
            (Happening::Imported, Self::Lidarr) => "trackFileImported",
            (Happening::Imported, Self::Chaptarr) => "bookFileImported",
            (Happening::FileDeleted, Self::Radarr) => "movieFileDeleted",
            (Happening::FileDeleted, Self::Sonarr) => "episodeFileDeleted",
            (Happening::FileDeleted, Self::Lidarr) => "trackFileDeleted",
            (Happening::FileDeleted, Self::Chaptarr) => "bookFileDeleted",
        }
    }

    /// Whether it knows the two levels of music and books, where a download is said to be done beside its files.
    pub(crate) fn says_downloads_imported(self) -> bool {
        matches!(self, Self::Lidarr | Self::Chaptarr)
    }
}

/// What happened, whatever an application calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Happening {
    Grabbed,
    Imported,
    Failed,
    FileDeleted,
    Ignored,
}

macro_rules! noun {
    ($one:literal, $ids:literal, $include:literal) => {
        &Noun { one: $one, id: concat!($one, "Id"), ids: $ids, include: $include }
    };
}

static RADARR: Facts = Facts {
    name: "Radarr",
    api: "v3",
    version: "6.3.0.10514",
    parent: noun!("movie", "movieIds", "includeMovie"),
    item: noun!("movie", "movieIds", "includeMovie"),
    include_unknown: "includeUnknownMovieItems",
    events: &[
        (0, "unknown"),
        (1, "grabbed"),
        (3, "downloadFolderImported"),
        (4, "downloadFailed"),
        (6, "movieFileDeleted"),
        (7, "movieFolderImported"),
        (8, "movieFileRenamed"),
        (9, "downloadIgnored"),
    ],
    search: "MoviesSearch",
    root: "/media/movies",
    category: "radarr",
};

static SONARR: Facts = Facts {
    name: "Sonarr",
    api: "v3",
    version: "4.0.19.2979",
    parent: noun!("series", "seriesIds", "includeSeries"),
    item: noun!("episode", "episodeIds", "includeEpisode"),
    include_unknown: "includeUnknownSeriesItems",
    events: &[
        (0, "unknown"),
        (1, "grabbed"),
        (2, "seriesFolderImported"),
        (3, "downloadFolderImported"),
        (4, "downloadFailed"),
        (5, "episodeFileDeleted"),
        (6, "episodeFileRenamed"),
        (7, "downloadIgnored"),
    ],
    search: "EpisodeSearch",
    root: "/media/tv",
    category: "tv-sonarr",
};

static LIDARR: Facts = Facts {
    name: "Lidarr",
    api: "v1",
    version: "3.1.2.4913",
    parent: noun!("artist", "artistIds", "includeArtist"),
    item: noun!("album", "albumIds", "includeAlbum"),
    include_unknown: "includeUnknownArtistItems",
    events: &[
        (0, "unknown"),
        (1, "grabbed"),
        (2, "artistFolderImported"),
        (3, "trackFileImported"),
        (4, "downloadFailed"),
        (5, "trackFileDeleted"),
        (6, "trackFileRenamed"),
        (7, "albumImportIncomplete"),
        (8, "downloadImported"),
        (9, "trackFileRetagged"),
        (10, "downloadIgnored"),
    ],
    search: "AlbumSearch",
    root: "/media/music",
    category: "lidarr",
};

static CHAPTARR: Facts = Facts {
    name: "Chaptarr",
    api: "v1",
    version: "0.9.925.0",
    parent: noun!("author", "authorIds", "includeAuthor"),
    item: noun!("book", "bookIds", "includeBook"),
    include_unknown: "includeUnknownAuthorItems",
    events: &[
        (0, "unknown"),
        (1, "grabbed"),
        (3, "bookFileImported"),
        (4, "downloadFailed"),
        (5, "bookFileDeleted"),
        (6, "bookFileRenamed"),
        (7, "bookImportIncomplete"),
        (8, "downloadImported"),
        (9, "bookFileRetagged"),
        (10, "downloadIgnored"),
        (11, "bookFileConverted"),
        (12, "bookFileConversionFailed"),
    ],
    search: "BookSearch",
    root: "/media/books",
    category: "chaptarr",
};

//! What a verdict can say: codes, severities and verbs.

use crate::words::words;

words! {
    /// The cause of a verdict.
    ///
    /// Codes are kept: incidents and standing rules refer to them. **Never rename one**; only labels and explanations may change.
    pub enum CauseCode {
        /// Nothing is wrong.
        Healthy = "healthy",
        /// The torrent makes no progress.
        DownloadStalled = "download_stalled",
        /// The client cannot fetch what the magnet link stands for.
        MagnetUnresolvable = "magnet_unresolvable",
        /// The service does not reach its download client.
        ClientUnreachable = "client_unreachable",
        /// The client reports an error on this download.
        ClientError = "client_error",
        /// The client lost the data.
        ClientFilesMissing = "client_files_missing",
        /// The release wants a password.
        DownloadEncrypted = "download_encrypted",
        /// The download failed in a way that no row of the table knows.
        DownloadError = "download_error",
        /// The client is still fetching a torrent's metadata.
        DownloadingMetadata = "downloading_metadata",
        /// The client adds a remark to a download that goes on.
        ClientNote = "client_note",
        /// An executable file.
        DangerousFile = "dangerous_file",
        /// TheXEM numbers the episodes otherwise.
        XemMapping = "xem_mapping",
        /// An archive that nobody unpacked.
        ArchiveUnextracted = "archive_unextracted",
        /// No file in the download can be imported.
        NothingImportable = "nothing_importable",
        /// It could not be told whether a file is a sample.
        SampleUnverified = "sample_unverified",
        /// A file is taken for a sample.
        Sample = "sample",
        /// A kind of file that the service does not take.
        UnsupportedFile = "unsupported_file",
        /// Not a video file, whatever its name says.
        InvalidVideo = "invalid_video",
        /// The names say nothing that the service understands.
        Unparsable = "unparsable",
        /// The download does not hold what its name promises.
        ContentsMismatch = "contents_mismatch",
        /// No such episode.
        EpisodeMapping = "episode_mapping",
        /// The library's artist, series or movie has another title.
        TitleMismatch = "title_mismatch",
        /// No item of the library was found for it.
        NotIdentified = "not_identified",
        /// An item was found, but not surely enough.
        WeakMatch = "weak_match",
        /// The tracks are not those of the album.
        TrackMismatch = "track_mismatch",
        /// The library's file is as good.
        NotUpgrade = "not_upgrade",
        /// The library's file has as good a custom format score.
        NotCfUpgrade = "not_cf_upgrade",
        /// It is in the library already.
        AlreadyImported = "already_imported",
        /// Only the client's id tells what it is.
        MatchedById = "matched_by_id",
        /// The item is not monitored.
        Unmonitored = "unmonitored",
        /// The disk is full.
        NoSpace = "no_space",
        /// The client's path is none for the service.
        PathMapping = "path_mapping",
        /// The service may not read or write there.
        PathPermission = "path_permission",
        /// The path does not exist for the service.
        PathMissing = "path_missing",
        /// The root folder is not there.
        RootFolder = "root_folder",
        /// There is a file of that name already.
        DestinationExists = "destination_exists",
        /// The service did not order this download.
        ForeignDownload = "foreign_download",
        /// The episode has no title yet.
        WaitingForTitle = "waiting_for_title",
        /// The files are still being worked on.
        Busy = "busy",
        /// Downloaded, not imported yet.
        ImportWaiting = "import_waiting",
        /// The download failed.
        DownloadFailed = "download_failed",
        /// The import is held up, for a cause that no row of the table knows.
        ImportBlocked = "import_blocked",
    }
}

words! {
    /// How bad it is, from nothing to bad.
    pub enum Severity {
        /// Nothing is wrong.
        Ok = "ok",
        /// Worth knowing; nobody needs to do anything.
        Info = "info",
        /// It will stay where it is until somebody decides.
        Warning = "warning",
        /// It has failed, or is dangerous.
        Error = "error",
    }
}

words! {
    /// What can be done about it.
    pub enum Verb {
        /// Have the service look again at what is downloaded.
        Process = "process",
        /// The same, after what is outside the service was put right.
        Rescan = "rescan",
        /// Import chosen files.
        ManualImport = "manual_import",
        /// Import files that the service rejected.
        ForceImport = "force_import",
        /// Remove the download.
        Remove = "remove",
        /// Remove it, have its release avoided and a replacement found.
        BlocklistSearch = "blocklist_search",
        /// Remove it and have its release avoided; what the library holds stays.
        BlocklistOnly = "blocklist_only",
        /// Leave it to the client, in its category for what was imported.
        ChangeCategory = "change_category",
    }
}

impl CauseCode {
    /// A few words for a list. Display text: no program may depend on it.
    pub const fn label(self) -> &'static str {
        match self {
            CauseCode::Healthy => "healthy",
            CauseCode::DownloadStalled => "download stalled",
            CauseCode::MagnetUnresolvable => "magnet link cannot be resolved",
            CauseCode::ClientUnreachable => "download client out of reach",
            CauseCode::ClientError => "download client reports an error",
            CauseCode::ClientFilesMissing => "download client lost the files",
            CauseCode::DownloadEncrypted => "release is password-protected",
            CauseCode::DownloadError => "download in trouble",
            CauseCode::DownloadingMetadata => "fetching the torrent's metadata",
            CauseCode::ClientNote => "remark of the download client",
            CauseCode::DangerousFile => "dangerous file",
            CauseCode::XemMapping => "episode numbers need confirming",
            CauseCode::ArchiveUnextracted => "archive not unpacked",
            CauseCode::NothingImportable => "nothing to import",
            CauseCode::SampleUnverified => "may be a sample",
            CauseCode::Sample => "taken for a sample",
            CauseCode::UnsupportedFile => "unsupported kind of file",
            CauseCode::InvalidVideo => "not a video file",
            CauseCode::Unparsable => "name not understood",
            CauseCode::ContentsMismatch => "contents differ from the name",
            CauseCode::EpisodeMapping => "no such episode",
            CauseCode::TitleMismatch => "title differs from the library's",
            CauseCode::NotIdentified => "not identified",
            CauseCode::WeakMatch => "match not close enough",
            CauseCode::TrackMismatch => "tracks differ from the album's",
            CauseCode::NotUpgrade => "no upgrade",
            CauseCode::NotCfUpgrade => "no better custom format score",
            CauseCode::AlreadyImported => "already imported",
            CauseCode::MatchedById => "identified by id only",
            CauseCode::Unmonitored => "not monitored",
            CauseCode::NoSpace => "not enough space",
            CauseCode::PathMapping => "path mapping missing",
            CauseCode::PathPermission => "no access to the path",
            CauseCode::PathMissing => "path out of reach",
            CauseCode::RootFolder => "root folder missing",
            CauseCode::DestinationExists => "file exists already",
            CauseCode::ForeignDownload => "not ordered by this service",
            CauseCode::WaitingForTitle => "episode has no title yet",
            CauseCode::Busy => "files still in use",
            CauseCode::ImportWaiting => "waiting for its import",
            CauseCode::DownloadFailed => "download failed",
            CauseCode::ImportBlocked => "import held up",
        }
    }

    /// Whether the disk, the rights, the paths or the client are at fault rather than this one download: `get_arr_health` tells more.
    pub const fn concerns_the_service(self) -> bool {
        matches!(
            self,
            CauseCode::ClientUnreachable
                | CauseCode::ClientError
                | CauseCode::ClientFilesMissing
                | CauseCode::MagnetUnresolvable
                | CauseCode::NoSpace
                | CauseCode::PathMapping
                | CauseCode::PathPermission
                | CauseCode::PathMissing
                | CauseCode::RootFolder
        )
    }
}

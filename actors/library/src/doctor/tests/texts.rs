//! Every row of the table, by the words that hit it.

use super::*;

#[test]
fn each_complaint_of_the_client_is_recognised() {
    let replace = &[BlocklistSearch][..];
    for (text, expected) in [
        ("The download is stalled with no connections", found(C::DownloadStalled, Error, replace, "E1")),
        (
            "qBittorrent cannot resolve magnet link with DHT disabled",
            found(C::MagnetUnresolvable, Error, replace, "E2"),
        ),
        ("Unable to communicate with SABnzbd", found(C::ClientUnreachable, Error, &[], "E3")),
        ("qBittorrent is reporting an error", found(C::ClientError, Error, replace, "E4")),
        ("Deluge is reporting an error", found(C::ClientError, Error, replace, "E4")),
        ("qBittorrent is reporting missing files", found(C::ClientFilesMissing, Error, replace, "E5")),
        ("Encrypted, password needed", found(C::DownloadEncrypted, Error, replace, "E6")),
    ] {
        assert_eq!(Found::from(complained(text)), expected, "{text}");
    }
}

#[test]
fn each_finding_of_the_service_is_recognised() {
    let import = &[ManualImport][..];
    let import_or_replace = &[ManualImport, BlocklistSearch][..];
    let replace_or_import = &[BlocklistSearch, ManualImport][..];
    let dismiss_or_force = &[Remove, ForceImport][..];
    let force_or_replace = &[ForceImport, BlocklistSearch][..];
    for (text, expected) in [
        (
            "Caution: Found executable file with extension: '.exe'",
            found(C::DangerousFile, Error, &[BlocklistSearch], "M1"),
        ),
        (
            "This show has individual episode mappings on TheXEM",
            found(C::XemMapping, Warning, &[ManualImport, ForceImport], "M2"),
        ),
        (
            "Found archive file, might need to be extracted",
            found(C::ArchiveUnextracted, Warning, &[ChangeCategory, ManualImport], "M3"),
        ),
        (
            "No files found are eligible for import in /downloads/x",
            found(C::NothingImportable, Warning, import_or_replace, "M4"),
        ),
        ("Unable to determine if file is a sample", found(C::SampleUnverified, Warning, force_or_replace, "M5")),
        ("Sample", found(C::Sample, Warning, force_or_replace, "M6")),
        (
            "Invalid video file, unsupported extension: '.lnk'",
            found(C::UnsupportedFile, Warning, replace_or_import, "M7"),
        ),
        ("Invalid video file, filename starts with '._'", found(C::InvalidVideo, Warning, import_or_replace, "M8")),
        ("Unable to parse file", found(C::Unparsable, Warning, import_or_replace, "M9")),
        (
            "One or more episodes expected in this release were not imported or missing from the release",
            found(C::ContentsMismatch, Warning, import_or_replace, "M10"),
        ),
        (
            "Episode 3x04 was not found in the grabbed release: X",
            found(C::ContentsMismatch, Warning, import_or_replace, "M11"),
        ),
        (
            "Episodes 3x04 and 3x05 were not found in the grabbed release: X",
            found(C::ContentsMismatch, Warning, import_or_replace, "M11"),
        ),
        ("Invalid season or episode", found(C::EpisodeMapping, Warning, import, "M12")),
        (
            "Series title mismatch; automatic import is not possible.",
            found(C::TitleMismatch, Warning, import_or_replace, "A1"),
        ),
        ("Unable to parse albums from title", found(C::Unparsable, Warning, import_or_replace, "A2")),
        ("Couldn't find similar book for Author - Book", found(C::NotIdentified, Warning, import, "A3")),
        ("Couldn\u{2019}t find similar album for x", found(C::NotIdentified, Warning, import, "A3")),
        ("Unknown Artist", found(C::NotIdentified, Warning, import, "A3")),
        ("Unknown Author", found(C::NotIdentified, Warning, import, "A3")),
        (
            "Album match is not close enough: 73.5% vs 80%",
            found(C::WeakMatch, Warning, &[ManualImport, ForceImport], "A4"),
        ),
        ("Has missing tracks", found(C::TrackMismatch, Warning, import_or_replace, "A5")),
        ("Has the same filesize as existing file", found(C::NotUpgrade, Info, dismiss_or_force, "A6")),
        ("No audio tracks detected", found(C::UnsupportedFile, Warning, replace_or_import, "A7")),
        ("File is still being unpacked", found(C::Busy, Info, &[Process], "A8")),
        ("Series folder is not in a root folder", found(C::RootFolder, Error, &[Rescan], "A9")),
        ("Failed to import, Destination already exists.", found(C::DestinationExists, Warning, import, "A10")),
        ("Album already imported at 2026-01-01", found(C::AlreadyImported, Info, &[Remove], "M15")),
        (
            "Download wasn't grabbed by Radarr and not in a category, Skipping.",
            found(C::ForeignDownload, Info, &[], "A12"),
        ),
        (
            "Download has failed, but wasn't grabbed by Sonarr, skipping",
            found(C::ForeignDownload, Info, &[Remove], "A12"),
        ),
        ("Download is encrypted and wasn't grabbed by Sonarr", found(C::ForeignDownload, Info, &[Remove], "A12")),
        ("Download doesn't contain intermediate path, Skipping.", found(C::PathMapping, Error, &[Rescan], "A13")),
        (
            "Episode 3 was unexpected considering the X folder name",
            found(C::ContentsMismatch, Warning, import_or_replace, "A14"),
        ),
        ("Episode has a TBA title and recently aired", found(C::WaitingForTitle, Info, &[Process], "A15")),
        ("Single episode file contains all episodes in seasons", found(C::ContentsMismatch, Warning, import, "A16")),
        ("Not an upgrade for existing track file(s)", found(C::NotUpgrade, Info, dismiss_or_force, "M13")),
        (
            "Not a Custom Format upgrade for existing movie file(s)",
            found(C::NotCfUpgrade, Info, dismiss_or_force, "M14"),
        ),
        (
            "Found matching series via grab history, but release was matched to series by ID.",
            found(C::MatchedById, Warning, import, "M16"),
        ),
        ("Movie is not monitored", found(C::Unmonitored, Info, &[], "M17")),
        ("Not enough free space", found(C::NoSpace, Error, &[Rescan], "M18")),
        (
            "[/remote/x] is not a valid local path. You may need a Remote Path Mapping.",
            found(C::PathMapping, Error, &[Rescan], "M19"),
        ),
        ("Permissions error while importing", found(C::PathPermission, Error, &[Rescan], "M20")),
        ("Unable to move existing file to the Recycle Bin", found(C::PathPermission, Error, &[Rescan], "M20")),
        ("Import failed, path does not exist or is not accessible: /x", found(C::PathMissing, Error, &[Rescan], "M21")),
    ] {
        assert_eq!(Found::from(said(text)), expected, "{text}");
    }
}

//! What the application finds when it wants to import.

use super::{Ailment, Cure, Folder, Is, OLD, Say, Sonarr, VIDEO, ailment};
use crate::arr::kind::ArrKind::{Lidarr, Radarr};

pub(super) static AILMENTS: &[Ailment] = &[
    ailment("xem", "xem_mapping").on(&[Sonarr]).blocked().says(&[Say::File(
        "{release}.mkv",
        "This show has individual episode mappings on TheXEM but the mapping for this episode has not been confirmed yet by \
         their administrators. TheXEM needs manual input.",
    )]),
    Ailment {
        cure: Cure::ChangeCategory,
        is: Is::Packed,
        folder: Folder::Empty,
        ..ailment("archive", "archive_unextracted")
            .says(&[Say::File("{release}.rar", "Found archive file, might need to be extracted")])
    },
    ailment("nothing-eligible", "nothing_importable")
        .says(&[Say::Release("No files found are eligible for import in {folder}")]),
    ailment("sample-unsure", "sample_unverified")
        .on(VIDEO)
        .says(&[Say::File("{release}.mkv", "Unable to determine if file is a sample")])
        .rejected("Unable to determine if file is a sample"),
    ailment("sample", "sample").on(VIDEO).says(&[Say::File("{release}.mkv", "Sample")]).rejected("Sample"),
    Ailment {
        folder: Folder::Unsound("{release}.lnk", "Invalid video file, unsupported extension: '.lnk'"),
        ..ailment("shortcut", "unsupported_file")
            .on(VIDEO)
            .says(&[Say::File("{release}.lnk", "Invalid video file, unsupported extension: '.lnk'")])
            .hopeless()
    },
    ailment("resource-fork", "invalid_video")
        .on(VIDEO)
        .says(&[Say::File("._{release}.mkv", "Invalid video file, filename starts with '._'")]),
    ailment("unparsable", "unparsable").on(VIDEO).says(&[Say::File("a1b2c3d4.mkv", "Unable to parse file")]),
    ailment("not-all-imported", "contents_mismatch").blocked().pack().says(&[
        Say::Bare("One or more {item}s expected in this release were not imported or missing from the release"),
        Say::File("{release}.mkv", ""),
    ]),
    ailment("not-in-the-grab", "contents_mismatch")
        .on(&[Sonarr])
        .blocked()
        .says(&[Say::File("{release}.mkv", "Episode 1x03 was not found in the grabbed release: {release}")]),
    ailment("unexpected", "contents_mismatch").on(&[Sonarr]).blocked().says(&[Say::File(
        "{release}.mkv",
        "Episode 3 was unexpected considering the {release} folder name",
    )]),
    ailment("whole-season-in-one", "contents_mismatch").on(&[Sonarr]).blocked().says(&[Say::File(
        "{release}.mkv",
        "Single episode file contains all episodes in seasons. Review file name or manually import",
    )]),
    ailment("absolute-number", "episode_mapping")
        .on(&[Sonarr])
        .blocked()
        .says(&[Say::File("{release}.mkv", "Invalid season or episode")]),
    ailment("series-title", "title_mismatch").on(&[Sonarr]).blocked().says(&[Say::Release(
        "Series title mismatch; automatic import is not possible. Check the download troubleshooting entry on the wiki for \
         common causes.",
    )]),
    ailment("movie-title", "title_mismatch")
        .on(&[Radarr])
        .blocked()
        .says(&[Say::Release("Movie title mismatch, automatic import is not possible. Manual Import required.")]),
    ailment("movie-by-id", "matched_by_id").on(&[Radarr]).blocked().says(&[Say::Release(
        "Found matching movie via grab history, but release was matched to movie by ID. Manual Import required.",
    )]),
    ailment("series-by-id", "matched_by_id").on(&[Sonarr]).blocked().says(&[Say::Release(
        "Found matching series via grab history, but release was matched to series by ID. Automatic import is not possible. \
         See the FAQ for details.",
    )]),
    ailment("not-an-upgrade", "not_upgrade")
        .says(&[Say::File("{release}.mkv", "Not an upgrade for existing {item} file(s). New Quality is lower")])
        .superfluous("Not an upgrade for existing {item} file(s). New Quality is lower"),
    ailment("not-a-format-upgrade", "not_cf_upgrade")
        .on(VIDEO)
        .says(&[Say::File(
            "{release}.mkv",
            "Not a Custom Format upgrade for existing {item} file(s). New: [] (0) do not improve on Existing: [WEB] (100)",
        )])
        .superfluous("Not a Custom Format upgrade for existing {item} file(s)"),
    ailment("already-there", "already_imported")
        .says(&[Say::File("{release}.mkv", "{Item} file already imported at 11/28/2026 9:14:02 PM")])
        .superfluous("{Item} file already imported at 11/28/2026 9:14:02 PM"),
    Ailment {
        cure: Cure::Operator,
        is: Is::Unwanted,
        ..ailment("unmonitored", "unmonitored").says(&[Say::File("{release}.mkv", "{Item} is not monitored")])
    },
    ailment("no-space", "no_space").says(&[Say::File("{release}.mkv", "Not enough free space")]).misplaced(),
    ailment("mapping", "path_mapping").says(&[Say::Release(
        "[/remote/downloads/{release}] is not a valid local path. You may need a Remote Path Mapping.",
    )])
    .misplaced(),
    ailment("client-folder", "path_mapping")
        .says(&[Say::Release("Download doesn't contain intermediate path, Skipping.")])
        .misplaced(),
    ailment("rights", "path_permission").says(&[Say::File(
        "{release}.mkv",
        "Access to the path '{folder}' is denied. Permission denied",
    )])
    .misplaced(),
    ailment("gone", "path_missing")
        .says(&[Say::Release("Import failed, path does not exist or is not accessible by {app}: {folder}. Path {folder} does not exist")])
        .misplaced(),
    ailment("no-root", "root_folder")
        .says(&[Say::Release("Destination folder /offline is not in a Root Folder")])
        .misplaced(),
    ailment("in-the-way", "destination_exists")
        .says(&[Say::File("{release}.mkv", "Failed to import, Destination already exists.")]),
    Ailment {
        folder: Folder::Unsound("{release}.wma", "Invalid audio file, unsupported extension: '.wma'"),
        ..ailment("odd-audio", "unsupported_file")
            .on(&[Lidarr])
            .says(&[Say::File("{release}.wma", "Invalid audio file, unsupported extension: '.wma'")])
            .hopeless()
    },
    ailment("unpacking", "busy").says(&[Say::File("{release}.mkv", "File is still being unpacked")]).waiting(5),
    ailment("locked", "busy").on(OLD).says(&[Say::Release("Locked file, try again later")]).waiting(5),
    ailment("tba", "waiting_for_title")
        .on(&[Sonarr])
        .says(&[Say::File("{release}.mkv", "Episode has a TBA title and recently aired")])
        .waiting(60),
];

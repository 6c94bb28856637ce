//! The causes that are recognised by words, in reading order.
//!
//! Fragments are lower case; a text hits a row when it contains one of them, whatever its case. The rows' order decides: "unable to determine
//! if file is a sample" stands before "sample". The words are the services' own, in English; those about imports are English in every
//! language of the interface, the client's complaints are not.

use super::cause::CauseCode::{self, *};
use super::cause::Severity::{self, *};
use super::cause::Verb::{self, *};

/// One row.
#[derive(Debug)]
pub(super) struct Cause {
    /// The row's name, carried into the evidence: E of the client's complaints, M and A of what the service found.
    pub(super) rule: &'static str,
    /// The text contains one of these.
    pub(super) fragments: &'static [&'static str],
    /// And one of these too, where there are any.
    pub(super) also: &'static [&'static str],
    pub(super) code: CauseCode,
    pub(super) severity: Severity,
    /// What can be done, best first.
    pub(super) verbs: &'static [Verb],
    /// What it means.
    pub(super) meaning: &'static str,
}

impl Cause {
    /// The fragment by which `text`, lower case, hits this row.
    pub(super) fn fragment_in(&self, text: &str) -> Option<&'static str> {
        let found =
            |fragments: &'static [&'static str]| fragments.iter().copied().find(|fragment| text.contains(fragment));
        let hit = found(self.fragments)?;
        (self.also.is_empty() || found(self.also).is_some()).then_some(hit)
    }
}

const fn row(
    rule: &'static str,
    fragments: &'static [&'static str],
    (code, severity): (CauseCode, Severity),
    verbs: &'static [Verb],
    meaning: &'static str,
) -> Cause {
    Cause { rule, fragments, also: &[], code, severity, verbs, meaning }
}

const IMPORT_OR_REPLACE: &[Verb] = &[ManualImport, BlocklistSearch];
const REPLACE_OR_IMPORT: &[Verb] = &[BlocklistSearch, ManualImport];
const REPLACE: &[Verb] = &[BlocklistSearch];
const DISMISS_OR_FORCE: &[Verb] = &[Remove, ForceImport];

/// What `errorMessage` says.
pub(super) const COMPLAINTS: &[Cause] = &[
    row(
        "E1",
        &["stalled", "no connections"],
        (DownloadStalled, Error),
        REPLACE,
        "The torrent makes no progress and the client finds nobody to load it from.",
    ),
    row(
        "E2",
        &["cannot resolve magnet"],
        (MagnetUnresolvable, Error),
        REPLACE,
        "The client cannot fetch what the magnet link stands for, often because its DHT is switched off. A usenet release, or one with a torrent \
         file, does without; get_arr_health may name the client.",
    ),
    row(
        "E3",
        &["unable to communicate with"],
        (ClientUnreachable, Error),
        &[],
        "The service does not reach its download client, so its whole queue stands still, not only this release. See get_arr_health, and put the \
         client right.",
    ),
    row(
        "E4",
        &["is reporting an error"],
        (ClientError, Error),
        REPLACE,
        "The download client failed on this download.",
    ),
    row(
        "E5",
        &["missing files"],
        (ClientFilesMissing, Error),
        REPLACE,
        "The download client no longer has the data of this download.",
    ),
    row(
        "E6",
        &["encrypted"],
        (DownloadEncrypted, Error),
        REPLACE,
        "The release is protected by a password that nobody has.",
    ),
];

/// The row that must not be shadowed by a harmless one: it is looked for in every text before the others are.
pub(super) const DANGER: Cause = row(
    "M1",
    &["caution: found"],
    (DangerousFile, Error),
    REPLACE,
    "The download holds an executable or otherwise dangerous file. It must not be imported.",
);

/// What `statusMessages` say, and the rejections of a manual import.
pub(super) const FINDINGS: &[Cause] = &[
    DANGER,
    row(
        "M2",
        &["individual episode mappings"],
        (XemMapping, Warning),
        &[ManualImport, ForceImport],
        "TheXEM numbers this series otherwise than its release does. Which episode a file is has to be confirmed.",
    ),
    row(
        "M3",
        &["found archive file"],
        (ArchiveUnextracted, Warning),
        &[ChangeCategory, ManualImport],
        "The files are still packed; something has to unpack them first. In the client's category for what was imported, an unpacker can take \
         them over.",
    ),
    row(
        "M4",
        &["no files found are eligible for import"],
        (NothingImportable, Warning),
        IMPORT_OR_REPLACE,
        "The service finds no file to import: there are only samples or archives, or it looks at the wrong path.",
    ),
    row(
        "M5",
        &["unable to determine if file is a sample"],
        (SampleUnverified, Warning),
        &[ForceImport, BlocklistSearch],
        "The file's running time could not be read, so it may be a sample or the whole thing.",
    ),
    row(
        "M6",
        &["sample"],
        (Sample, Warning),
        &[ForceImport, BlocklistSearch],
        "A file looks like a short clip of the real thing.",
    ),
    row(
        "M7",
        &["invalid video file, unsupported extension"],
        (UnsupportedFile, Warning),
        REPLACE_OR_IMPORT,
        "The file is of a kind that the service does not import.",
    ),
    row(
        "M8",
        &["invalid video file"],
        (InvalidVideo, Warning),
        IMPORT_OR_REPLACE,
        "The file is no video, such as the \"._\" companions that macOS writes.",
    ),
    row(
        "M9",
        &["unable to parse file"],
        (Unparsable, Warning),
        IMPORT_OR_REPLACE,
        "The file's name does not say what it is.",
    ),
    row(
        "M10",
        &["expected in this release were not imported"],
        (ContentsMismatch, Warning),
        IMPORT_OR_REPLACE,
        "The release holds less than its name promises, or part of it was not imported.",
    ),
    row(
        "M11",
        &["was not found in the grabbed release", "were not found in the grabbed release"],
        (ContentsMismatch, Warning),
        IMPORT_OR_REPLACE,
        "Something that the release was ordered for is not in it.",
    ),
    row(
        "M12",
        &["invalid season or episode"],
        (EpisodeMapping, Warning),
        &[ManualImport],
        "The numbers in the name belong to no episode of this series.",
    ),
    row(
        "A1",
        &["artist name mismatch", "series title mismatch", "movie title mismatch"],
        (TitleMismatch, Warning),
        IMPORT_OR_REPLACE,
        "The title in the release's name is not the library's title for it.",
    ),
    row(
        "A2",
        &["unable to parse download", "unable to parse albums from title"],
        (Unparsable, Warning),
        IMPORT_OR_REPLACE,
        "The release's name does not say what it is.",
    ),
    row(
        "A3",
        &[
            "couldn't find similar album",
            "couldn't find similar book",
            "couldn't parse album",
            "couldn't parse track",
            "couldn't parse book",
            "unable to import automatically, found multiple artists",
            "unknown artist",
            "unknown author",
        ],
        (NotIdentified, Warning),
        &[ManualImport],
        "The service found nothing in the library that these files are.",
    ),
    row(
        "A4",
        &[
            "album match is not close enough",
            "track match is not close enough",
            "worst track match",
            "book match is not close enough",
        ],
        (WeakMatch, Warning),
        &[ManualImport, ForceImport],
        "The files resemble an item of the library, but not closely enough to be taken for it unasked.",
    ),
    row(
        "A5",
        &[
            "no tracks matched",
            "has unmatched tracks",
            "has missing tracks",
            "track file on disk contains more tracks",
            "multiple versions of an album",
        ],
        (TrackMismatch, Warning),
        IMPORT_OR_REPLACE,
        "The tracks are not those of the album's release in the library.",
    ),
    row(
        "A6",
        &["has fewer tracks than existing release", "has the same filesize as existing", "album release not requested"],
        (NotUpgrade, Info),
        DISMISS_OR_FORCE,
        "What the library has is as good or better.",
    ),
    row(
        "A7",
        &["invalid music file", "invalid audio file, unsupported extension", "no audio tracks detected"],
        (UnsupportedFile, Warning),
        REPLACE_OR_IMPORT,
        "The file is no music that the service imports.",
    ),
    row(
        "A8",
        &["file is still being unpacked", "locked file, try again later"],
        (Busy, Info),
        &[Process],
        "The files are still being unpacked or are in use. The service tries again by itself.",
    ),
    row(
        "A9",
        &["is not in a root folder", "root folder missing"],
        (RootFolder, Error),
        &[Rescan],
        "The library's root folder is missing, or the item lies outside every root folder.",
    ),
    row(
        "A10",
        &["destination already exists"],
        (DestinationExists, Warning),
        &[ManualImport],
        "There is a file at the place where it should go.",
    ),
    // The service has no grab to mark as failed, so there is nothing to blocklist.
    Cause {
        rule: "A12",
        fragments: &["wasn't grabbed by"],
        also: &["has failed", "encrypted"],
        code: ForeignDownload,
        severity: Info,
        verbs: &[Remove],
        meaning: "The download failed, but this service did not order it: it can be removed, and there is nothing to put on the blocklist.",
    },
    row(
        "A12",
        &["wasn't grabbed by"],
        (ForeignDownload, Info),
        &[],
        "This service did not order the download, so it leaves it alone. Whoever added it to the client decides about it.",
    ),
    row(
        "A13",
        &["doesn't contain intermediate path", "path matches client base download directory"],
        (PathMapping, Error),
        &[Rescan],
        "The client's path does not lead the service to this download. See get_service_config, section remote_path_mappings, and get_arr_health.",
    ),
    row(
        "A14",
        &["was unexpected considering the"],
        (ContentsMismatch, Warning),
        IMPORT_OR_REPLACE,
        "A file is of something else than the release's name says.",
    ),
    row(
        "A15",
        &["has a tba title"],
        (WaitingForTitle, Info),
        &[Process],
        "The episode has no title yet. The service waits for one, for some days at most.",
    ),
    row(
        "A16",
        &["single episode file contains all episodes", "suspected multi-part"],
        (ContentsMismatch, Warning),
        &[ManualImport],
        "One file seems to hold several episodes, or one part of one.",
    ),
    row(
        "M13",
        &["not an upgrade for existing"],
        (NotUpgrade, Info),
        DISMISS_OR_FORCE,
        "What the library has is as good or better.",
    ),
    row(
        "M14",
        &["not a custom format upgrade for existing"],
        (NotCfUpgrade, Info),
        DISMISS_OR_FORCE,
        "Its custom format score is no better than that of what the library has.",
    ),
    row(
        "M15",
        &["already imported"],
        (AlreadyImported, Info),
        &[Remove],
        "It was imported before; nothing is left to do.",
    ),
    row(
        "M16",
        &["matched to series by id", "matched to movie by id"],
        (MatchedById, Warning),
        &[ManualImport],
        "Only the order that the service remembers tells what this is; its name does not. The match has to be confirmed.",
    ),
    row(
        "M17",
        &["is not monitored"],
        (Unmonitored, Info),
        &[],
        "The item is not monitored, so nothing is imported for it. Monitor it first.",
    ),
    row(
        "M18",
        &["not enough free space"],
        (NoSpace, Error),
        &[Rescan],
        "The library's disk has no room for it. Make room first (get_disk_space shows the disks); then the import can run again.",
    ),
    row(
        "M19",
        &["is not a valid local path. you may need a remote path mapping"],
        (PathMapping, Error),
        &[Rescan],
        "The path that the client names is none on the service's machine. Confirm with get_arr_health and get_service_config, section \
         remote_path_mappings; put it right, then the import can run again.",
    ),
    row(
        "M20",
        &["permission", "unable to move existing file to the recycle bin"],
        (PathPermission, Error),
        &[Rescan],
        "The service may not read or write there. Put the rights right first; then the import can run again.",
    ),
    row(
        "M21",
        &["does not exist"],
        (PathMissing, Error),
        &[Rescan],
        "The service cannot see the path, usually because the client's path has to be mapped or a disk is not mounted.",
    ),
];

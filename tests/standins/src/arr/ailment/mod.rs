//! Every way in which a download can be stuck, and what heals it.

mod errors;
mod fine;
mod importing;
mod many;
mod states;

use super::kind::ArrKind;

/// One way in which a download can be stuck, or fine although it looks stuck.
#[derive(Debug)]
pub struct Ailment {
    /// Its own.
    pub name: &'static str,
    /// The cause, by the code of the Import Doctor; `ok` for what is fine.
    pub code: &'static str,
    /// Where it occurs.
    pub kinds: &'static [ArrKind],
    /// What heals it.
    pub cure: Cure,
    pub(super) status: &'static str,
    pub(super) tracked: Option<(&'static str, State)>,
    /// What the client says is wrong.
    pub(super) error: Option<&'static str>,
    pub(super) says: &'static [Say],
    pub(super) is: Is,
    pub(super) folder: Folder,
    pub(super) is_torrent: bool,
    /// Added to the client by hand: nobody knows what it is.
    pub(super) is_unknown: bool,
    /// For several items at once.
    pub(super) is_pack: bool,
    /// Whether the library has a file of it already.
    pub(super) is_there: bool,
    /// Nothing is known of its size yet.
    pub(super) is_without_size: bool,
    /// What the thing is called that it is a release of, where that matters.
    pub(super) of_title: Option<&'static str>,
}

/// What heals a download, in the order of how much it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cure {
    /// Nothing need be done.
    None,
    /// A pass over the completed downloads, for what only waited for it.
    Process,
    /// The same, but only once the operator has set the places right.
    ProcessOnceRight,
    /// Importing by hand, which nothing speaks against.
    Import,
    /// Importing by hand in spite of what speaks against it.
    ForceImport,
    /// Taking it out of the client, and leaving the library as it is.
    Remove,
    /// Marking it as failed, so that another release is found.
    BlocklistSearch,
    /// Handing it to what unpacks it.
    ChangeCategory,
    /// What only a person can do, outside the application.
    Operator,
}

/// The states of a download, by what they mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Downloading,
    ImportPending,
    ImportBlocked,
    ImportFailed,
    Importing,
    Imported,
    FailedPending,
    Failed,
}

impl State {
    /// What an application calls it.
    pub(super) fn name(self, kind: ArrKind) -> &'static str {
        let is_old = matches!(kind, ArrKind::Lidarr | ArrKind::Chaptarr);
        match self {
            Self::Downloading => "downloading",
            Self::ImportPending => "importPending",
            Self::ImportBlocked => "importBlocked",
            Self::ImportFailed if kind == ArrKind::Lidarr => "importFailed",
            Self::ImportFailed => "importBlocked",
            Self::Importing => "importing",
            Self::Imported => "imported",
            Self::FailedPending if is_old => "downloadFailedPending",
            Self::FailedPending => "failedPending",
            Self::Failed if is_old => "downloadFailed",
            Self::Failed => "failed",
        }
    }
}

/// A status message. `{app}`, `{release}`, `{folder}`, `{item}` and `{parent}` stand for what they say.
#[derive(Debug, Clone, Copy)]
pub(super) enum Say {
    /// Of the whole release.
    Release(&'static str),
    /// Of a file in it.
    File(&'static str, &'static str),
    /// The title is all that is said.
    Bare(&'static str),
}

/// What is really the matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Is {
    Moving,
    /// For so many minutes more.
    Pending(u32),
    Hopeless,
    Unmapped,
    Misplaced,
    /// For so many minutes more.
    Waiting(u32),
    Packed,
    Superfluous,
    OutOfReach,
    Unwanted,
}

/// What lies in the download's folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Folder {
    /// What the release promised, and nothing speaks against it.
    Sound,
    Empty,
    /// What the release promised, with a reason against it that will stay.
    Rejected(&'static str),
    /// A file that is no media.
    Unsound(&'static str, &'static str),
}

use ArrKind::{Chaptarr, Lidarr, Radarr, Sonarr};

const ALL: &[ArrKind] = &ArrKind::ALL;
const VIDEO: &[ArrKind] = &[Radarr, Sonarr];
const OLD: &[ArrKind] = &[Lidarr, Chaptarr];

/// A completed torrent that waits for somebody to say what it is.
const fn ailment(name: &'static str, code: &'static str) -> Ailment {
    Ailment {
        name,
        code,
        kinds: ALL,
        cure: Cure::Import,
        status: "completed",
        tracked: Some(("warning", State::ImportPending)),
        error: None,
        says: &[],
        is: Is::Unmapped,
        folder: Folder::Sound,
        is_torrent: true,
        is_unknown: false,
        is_pack: false,
        is_there: false,
        is_without_size: false,
        of_title: None,
    }
}

impl Ailment {
    const fn on(self, kinds: &'static [ArrKind]) -> Self {
        Self { kinds, ..self }
    }

    const fn says(self, says: &'static [Say]) -> Self {
        Self { says, ..self }
    }

    const fn in_state(self, tracked: &'static str, state: State) -> Self {
        Self { tracked: Some((tracked, state)), ..self }
    }

    const fn blocked(self) -> Self {
        self.in_state("warning", State::ImportBlocked)
    }

    /// The release will never become anything.
    const fn hopeless(self) -> Self {
        Self { is: Is::Hopeless, folder: Folder::Empty, cure: Cure::BlocklistSearch, ..self }
    }

    /// The client says that something is wrong.
    const fn failing(self, error: &'static str) -> Self {
        Self { status: "warning", tracked: Some(("warning", State::Downloading)), error: Some(error), ..self }
            .hopeless()
    }

    /// Only to be imported in spite of this reason.
    const fn rejected(self, reason: &'static str) -> Self {
        Self { folder: Folder::Rejected(reason), cure: Cure::ForceImport, ..self }
    }

    const fn misplaced(self) -> Self {
        Self { is: Is::Misplaced, cure: Cure::ProcessOnceRight, ..self }
    }

    /// The library has it already, as good or better.
    const fn superfluous(self, reason: &'static str) -> Self {
        Self { is: Is::Superfluous, folder: Folder::Rejected(reason), is_there: true, cure: Cure::Remove, ..self }
    }

    const fn waiting(self, n_minutes: u32) -> Self {
        Self { is: Is::Waiting(n_minutes), cure: Cure::Process, ..self }
    }

    const fn fine(self, status: &'static str, is: Is) -> Self {
        Self { status, is, cure: Cure::None, folder: Folder::Empty, ..self }
    }

    const fn usenet(self) -> Self {
        Self { is_torrent: false, ..self }
    }

    const fn pack(self) -> Self {
        Self { is_pack: true, ..self }
    }
}

/// Every ailment.
pub fn ailments() -> impl Iterator<Item = &'static Ailment> {
    [errors::AILMENTS, importing::AILMENTS, many::AILMENTS, states::AILMENTS, fine::AILMENTS].into_iter().flatten()
}

/// The ailments of one application.
pub(super) fn of(kind: ArrKind) -> impl Iterator<Item = &'static Ailment> {
    ailments().filter(move |ailment| ailment.kinds.contains(&kind))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_ailment_has_a_name_of_its_own() {
        let names: Vec<&str> = ailments().map(|ailment| ailment.name).collect();
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    }

    #[test]
    fn every_cause_that_the_import_doctor_names_occurs() {
        let causes = "download_stalled magnet_unresolvable client_unreachable client_error client_files_missing download_encrypted \
            download_error dangerous_file xem_mapping archive_unextracted nothing_importable sample_unverified sample \
            unsupported_file invalid_video unparsable contents_mismatch episode_mapping not_upgrade not_cf_upgrade \
            already_imported matched_by_id unmonitored no_space path_mapping path_permission path_missing title_mismatch \
            not_identified weak_match track_mismatch busy root_folder destination_exists foreign_download waiting_for_title \
            import_waiting download_failed import_blocked ok";
        let expected: BTreeSet<&str> = causes.split_whitespace().collect();
        assert_eq!(ailments().map(|ailment| ailment.code).collect::<BTreeSet<_>>(), expected);
    }

    #[test]
    fn each_application_has_more_than_a_dozen() {
        for kind in ArrKind::ALL {
            let stuck = of(kind).filter(|ailment| ailment.cure != Cure::None).count();
            assert!(stuck > 12, "{stuck} on {}", kind.name());
        }
    }
}

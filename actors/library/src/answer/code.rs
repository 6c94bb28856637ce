//! The stable names of everything that keeps a library tool from answering.

use crate::client::ArrError;
use crate::words::words;

words! {
    /// Why a tool did not answer, as a name that never changes. Assistants and standing rules are keyed on it; the words beside it may change.
    pub enum Code {
        /// No such media type.
        BadMediaType = "bad_media_type",
        /// The service cannot do this for that media type.
        MediaTypeUnsupported = "media_type_unsupported",
        /// The house has no instance of the service.
        NotConfigured = "not_configured",
        /// The house has no instance of that id.
        InstanceUnknown = "instance_unknown",
        /// The instance is there, and its stored credentials cannot be opened.
        InstanceUnreadable = "instance_unreadable",
        /// The instance belongs to another service than the media type asks for.
        InstanceWrongService = "instance_wrong_service",
        /// An argument is missing that says what is meant.
        ScopeMissing = "scope_missing",
        /// An argument does not go with the media type.
        ScopeExtraneous = "scope_extraneous",
        /// The library does not have the title.
        NotInLibrary = "not_in_library",
        /// The series has no such season.
        SeasonUnknown = "season_unknown",
        /// The season has no such episode, or none at all.
        NoEpisodes = "no_episodes",
        /// The queue has no such item.
        QueueItemMissing = "queue_item_missing",
        /// The queue item was not yet handed to a download client.
        NoDownloadId = "no_download_id",
        /// The download holds nothing that could be imported.
        NoCandidates = "no_candidates",
        /// None of the files found may be imported.
        NothingImportable = "nothing_importable",
        /// What was found is not what the caller's scope allows.
        ScopeMismatch = "scope_mismatch",
        /// No such action.
        UnknownAction = "unknown_action",
        /// The release reference has not the form of one.
        ReferenceMalformed = "reference_malformed",
        /// A fresh search does not offer the release any more.
        ReferenceNotFound = "reference_not_found",
        /// A fresh search offers several releases under the reference.
        ReferenceAmbiguous = "reference_ambiguous",
        /// No such settings section.
        SectionUnknown = "section_unknown",
        /// No such service.
        ServiceUnknown = "service_unknown",
        /// The queue is larger than one read can prove complete.
        SnapshotOversized = "snapshot_oversized",
        /// The queue read is not complete.
        SnapshotIncomplete = "snapshot_incomplete",
        /// The queue read contradicts itself.
        SnapshotInvalid = "snapshot_invalid",
        /// No object of that kind and id.
        ObjectMissing = "object_missing",
        /// The service's list of custom formats is not where it should be.
        FormatsUnavailable = "formats_unavailable",
        /// The service's settings of that kind cannot be changed from here.
        WritesUnsupported = "writes_unsupported",
        /// What is stored breaks a rule that a change depends on, or the change breaks one itself.
        ChangeRefused = "change_refused",
        /// There is nothing to change.
        AlreadyMatches = "already_matches",
        /// The default library kept changing while the call waited.
        DefaultMoved = "default_moved",
        /// The tool was switched off while the call waited; nothing was written.
        DisabledBeforeWrite = "disabled_before_write",
        /// The library's address or key changed while the call was prepared; nothing was written.
        InstanceChanged = "instance_changed",
        /// The object changed while the call was prepared; nothing was written.
        ObjectChanged = "object_changed",
        /// The role of the person does not allow it any more; nothing was written.
        RoleDenied = "role_denied",
        /// The key does not hold any more; nothing was written.
        AuthorisationLost = "authorisation_lost",
        /// Only in the app's own chat.
        InAppOnly = "in_app_only",
        /// Proposals cannot be kept now; nothing was written.
        ProposalsUnavailable = "proposals_unavailable",
        /// No change that could be applied is behind that reference.
        NoPendingReference = "no_pending_reference",
        /// The tool was switched off; the reference is spent and nothing was written.
        DisabledSpent = "disabled_spent",
        /// The library's address or key changed; the reference is spent and nothing was written.
        InstanceChangedSpent = "instance_changed_spent",
        /// Something changed since the preview; the reference is spent and nothing was written.
        StaleSpent = "stale_spent",
        /// What is to be recorded cannot be named; the reference is spent and nothing was written.
        IdentityLostSpent = "identity_lost_spent",
        /// Air dates that the answer depends on could not be read.
        AirDatesUnverified = "air_dates_unverified",
        /// The service answered with a status that is not success.
        UpstreamStatus = "upstream_status",
        /// The service did not answer.
        UpstreamUnreachable = "upstream_unreachable",
        /// The service's answer could not be read.
        UpstreamBody = "upstream_body",
        /// Too much is waiting for the instance, or its turn did not come in time. Nothing was sent.
        Busy = "busy",
    }
}

impl Code {
    /// Whether the service itself is at fault: a read that ends so is an error of the tool, every other end is an answer.
    pub const fn is_upstream_failure(self) -> bool {
        matches!(
            self,
            Code::SnapshotOversized
                | Code::SnapshotIncomplete
                | Code::SnapshotInvalid
                | Code::UpstreamStatus
                | Code::UpstreamUnreachable
                | Code::UpstreamBody
                | Code::Busy
        )
    }
}

impl From<&ArrError> for Code {
    fn from(error: &ArrError) -> Self {
        match error.code() {
            "upstream_unreachable" => Code::UpstreamUnreachable,
            "upstream_body" => Code::UpstreamBody,
            _ => Code::UpstreamStatus,
        }
    }
}

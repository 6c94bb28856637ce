//! The stable names of everything that keeps a library tool from answering.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::client::ArrError;

/// Why a tool did not answer, as a name that never changes. Assistants and standing rules are keyed on it; the words beside it may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// No such media type.
    BadMediaType,
    /// The service cannot do this for that media type.
    MediaTypeUnsupported,
    /// The house has no instance of the service.
    NotConfigured,
    /// The house has no instance of that id.
    InstanceUnknown,
    /// The instance is there, and its stored credentials cannot be opened.
    InstanceUnreadable,
    /// The instance belongs to another service than the media type asks for.
    InstanceWrongService,
    /// An argument is missing that says what is meant.
    ScopeMissing,
    /// An argument does not go with the media type.
    ScopeExtraneous,
    /// The library does not have the title.
    NotInLibrary,
    /// The series has no such season.
    SeasonUnknown,
    /// The season has no such episode, or none at all.
    NoEpisodes,
    /// The queue has no such item.
    QueueItemMissing,
    /// The queue item was not yet handed to a download client.
    NoDownloadId,
    /// The download holds nothing that could be imported.
    NoCandidates,
    /// None of the files found may be imported.
    NothingImportable,
    /// What was found is not what the caller's scope allows.
    ScopeMismatch,
    /// No such action.
    UnknownAction,
    /// The release reference has not the form of one.
    ReferenceMalformed,
    /// A fresh search does not offer the release any more.
    ReferenceNotFound,
    /// A fresh search offers several releases under the reference.
    ReferenceAmbiguous,
    /// No such settings section.
    SectionUnknown,
    /// No such service.
    ServiceUnknown,
    /// The queue is larger than one read can prove complete.
    SnapshotOversized,
    /// The queue read is not complete.
    SnapshotIncomplete,
    /// The queue read contradicts itself.
    SnapshotInvalid,
    /// Air dates that the answer depends on could not be read.
    AirDatesUnverified,
    /// The service answered with a status that is not success.
    UpstreamStatus,
    /// The service did not answer.
    UpstreamUnreachable,
    /// The service's answer could not be read.
    UpstreamBody,
    /// Too much is waiting for the instance, or its turn did not come in time. Nothing was sent.
    Busy,
}

impl Code {
    /// The name in structured answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Code::BadMediaType => "bad_media_type",
            Code::MediaTypeUnsupported => "media_type_unsupported",
            Code::NotConfigured => "not_configured",
            Code::InstanceUnknown => "instance_unknown",
            Code::InstanceUnreadable => "instance_unreadable",
            Code::InstanceWrongService => "instance_wrong_service",
            Code::ScopeMissing => "scope_missing",
            Code::ScopeExtraneous => "scope_extraneous",
            Code::NotInLibrary => "not_in_library",
            Code::SeasonUnknown => "season_unknown",
            Code::NoEpisodes => "no_episodes",
            Code::QueueItemMissing => "queue_item_missing",
            Code::NoDownloadId => "no_download_id",
            Code::NoCandidates => "no_candidates",
            Code::NothingImportable => "nothing_importable",
            Code::ScopeMismatch => "scope_mismatch",
            Code::UnknownAction => "unknown_action",
            Code::ReferenceMalformed => "reference_malformed",
            Code::ReferenceNotFound => "reference_not_found",
            Code::ReferenceAmbiguous => "reference_ambiguous",
            Code::SectionUnknown => "section_unknown",
            Code::ServiceUnknown => "service_unknown",
            Code::SnapshotOversized => "snapshot_oversized",
            Code::SnapshotIncomplete => "snapshot_incomplete",
            Code::SnapshotInvalid => "snapshot_invalid",
            Code::AirDatesUnverified => "air_dates_unverified",
            Code::UpstreamStatus => "upstream_status",
            Code::UpstreamUnreachable => "upstream_unreachable",
            Code::UpstreamBody => "upstream_body",
            Code::Busy => "busy",
        }
    }

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

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_reads_the_same_in_text_and_in_json() {
        for code in [Code::BadMediaType, Code::NoDownloadId, Code::InstanceWrongService, Code::UpstreamBody, Code::Busy]
        {
            assert_eq!(serde_json::to_value(code).unwrap(), code.as_str());
        }
    }
}

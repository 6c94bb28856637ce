//! What an instance's actor is asked about its profiles and formats.
//!
//! Objects are carried whole, as text: the largest (4 MiB) are the exception from the size of ordinary messages, because the one who records a
//! change keeps what was before and what came after, to the byte.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Digest, JsonText, WriteLease};
use crate::ArrActor;
use crate::actor::InstanceLabel;
use crate::answer::{ArrFailure, Unfinished};

/// What a quality profile can be asked to become. Nothing else has a representation: no profile is made, deleted or renamed, no quality is
/// switched or moved.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ProfileChanges {
    /// Whether better releases replace files that are there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upgrade_allowed: Option<bool>,
    /// The quality or group (by id, at the top level of the profile, and allowed in it) at which upgrading stops.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    pub quality_cutoff_id: Option<i64>,
    /// The least custom-format score that a release needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = i32::MIN, max = i32::MAX))]
    pub min_format_score: Option<i32>,
    /// The custom-format score at which upgrading stops.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = i32::MIN, max = i32::MAX))]
    pub cutoff_format_score: Option<i32>,
    /// By how much a release's score must be better to replace a file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = i32::MAX))]
    pub min_upgrade_format_score: Option<i32>,
    /// Scores of custom formats, each by its exact name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = 256))]
    pub custom_format_scores: Option<Vec<FormatScore>>,
    /// Radarr only: the language of the profile, by its exact name from get_quality_profiles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1, max = 256))]
    pub language_name: Option<String>,
}

/// The score that a custom format is to have in a profile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FormatScore {
    /// The format, by its exact name.
    #[schemars(length(min = 1, max = 256))]
    pub format_name: String,
    /// Its score.
    #[schemars(range(min = i32::MIN, max = i32::MAX))]
    pub score: i32,
}

/// A change with its names resolved to ids of the instance: what is kept and rebuilt from later, so that a format renamed meanwhile is not
/// mistaken for another.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProfilePlan {
    /// As asked.
    pub upgrade_allowed: Option<bool>,
    /// As asked.
    pub quality_cutoff_id: Option<i64>,
    /// As asked.
    pub min_format_score: Option<i32>,
    /// As asked.
    pub cutoff_format_score: Option<i32>,
    /// As asked.
    pub min_upgrade_format_score: Option<i32>,
    /// By ascending id.
    pub format_scores: Vec<PlannedScore>,
    /// Radarr only.
    pub language: Option<PlannedLanguage>,
}

/// A custom format of the instance and the score it is to have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedScore {
    /// The instance's own.
    pub format_id: i64,
    /// The score.
    pub score: i32,
}

/// A language of the instance's catalogue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedLanguage {
    /// The instance's own: the same number means another language in another service.
    pub id: i64,
    /// As the catalogue has it.
    pub name: String,
}

/// All that must still be so when a change is carried out. Any difference makes it stale.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binding {
    /// Which connection was read: SHA-256 over service, id, address and API key. The instance's name is not in it.
    pub connection: Digest,
    /// The whole profile, with members this program does not know.
    pub profile: Digest,
    /// All custom formats of the instance.
    pub formats: Digest,
    /// The catalogue of languages, where the change depends on it.
    pub languages: Option<Digest>,
    /// The whole profile as it is to be.
    pub desired: Digest,
}

/// One difference, for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FieldChange {
    /// A stable name: `upgrade_allowed`, `quality_cutoff`, `min_format_score`, `cutoff_format_score`, `min_upgrade_format_score`,
    /// `custom_format_score:<format id>`, `language`; of formats `presence` and `field:<member>`.
    pub key: String,
    /// What people call it.
    pub label: String,
    /// The value before.
    pub before: String,
    /// The value after.
    pub after: String,
    /// The value now; only in a comparison.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current: Option<String>,
    /// How the value now compares; only in a comparison.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub current_state: Option<FieldState>,
}

crate::words::words! {
    /// How a value now compares with a recorded change.
    pub enum FieldState {
        /// It is as the change left it.
        MatchesApplied = "matches_applied",
        /// It is as it was before the change.
        MatchesBefore = "matches_before",
        /// It is neither.
        Different = "different",
    }
}

crate::words::words! {
    /// How the instance now compares with a recorded change.
    pub enum LiveState {
        /// As the change left it, with everything that it depends on.
        MatchesApplied = "matches_applied",
        /// Something is different.
        Different = "different",
        /// It cannot be compared: another connection, or the service cannot be read.
        Unavailable = "unavailable",
    }
}

/// Works out a change of one profile against what is stored, and changes nothing. Repeating it reads anew.
///
/// Refusals (`ArrFailure::Refused`) say which rule the change breaks.
#[derive(Debug, Serialize, Deserialize)]
pub struct PrepareProfileChange {
    /// The profile, by its id in the instance.
    pub profile_id: i64,
    /// What is asked for.
    pub changes: ProfileChanges,
}

/// A change that could be made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreparedProfile {
    /// Where.
    pub instance: InstanceLabel,
    /// The profile's name.
    pub profile_name: String,
    /// The change with its names resolved.
    pub plan: ProfilePlan,
    /// The real differences in lines for people: `upgrade policy: on -> off`.
    pub diff: Vec<String>,
    /// What it was worked out against.
    pub binding: Binding,
}

/// Works a prepared change out once more, from what is stored now, and says what would be sent. Sends nothing.
///
/// Anything bound that has changed is [`NotReady::Stale`].
#[derive(Debug, Serialize, Deserialize)]
pub struct RebuildProfile {
    /// The profile.
    pub profile_id: i64,
    /// The change as it was prepared.
    pub plan: ProfilePlan,
    /// Its differences as they were shown.
    pub diff: Vec<String>,
    /// What it was prepared against.
    pub binding: Binding,
}

/// Makes ready to put a profile back to what it was before a recorded change.
///
/// The live profile must be exactly what the change left, its dependencies and the connection the same; else [`NotReady::Stale`].
#[derive(Debug, Serialize, Deserialize)]
pub struct RebuildRestore {
    /// The profile.
    pub profile_id: i64,
    /// The connection the change was made over.
    pub connection: Digest,
    /// The profile as the change left it.
    pub applied: Digest,
    /// What it depended on then.
    pub dependencies: Digest,
    /// The stored object from before the change.
    pub before: JsonText,
    /// Its digest.
    pub before_digest: Digest,
}

/// A write that could be sent now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadyProfile {
    /// Where; the name as it is now.
    pub instance: InstanceLabel,
    /// The profile's name.
    pub profile_name: String,
    /// The connection that was read.
    pub connection: Digest,
    /// The stored object now.
    pub before: JsonText,
    /// Its digest.
    pub before_digest: Digest,
    /// The whole object that would be sent.
    pub desired: JsonText,
    /// Its digest: what must be stored afterwards.
    pub desired_digest: Digest,
    /// All formats, and the languages where they were read (Radarr: always). Must be equal at two readings in a row.
    pub dependencies: Digest,
    /// The differences, for the record.
    pub fields: Vec<FieldChange>,
}

/// Why a prepared change cannot be carried out. Nothing was sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotReady {
    /// Something that it was bound to has changed. Words say what, as far as that is known.
    #[error("{words}")]
    Stale {
        /// Another connection (address or API key) rather than another state of the settings.
        connection: bool,
        /// What.
        words: String,
    },
    /// The service could not be read, or what it answered makes no sense.
    #[error(transparent)]
    Unread(ArrFailure),
}

/// Sends one profile, once, over exactly this connection, and waits for the answer to its end.
///
/// It waits for no turn: `lease` holds it. Refused as not started when the lease is not, or no longer, the one that holds the lane for writes, and when
/// the instance's address or key is another one. A refusal of the service carries its checked details (status 400). Never repeated by itself.
#[derive(Debug, Serialize, Deserialize)]
pub struct PutProfile {
    /// The lane for writes, taken before the last look.
    pub lease: WriteLease,
    /// The connection that was read.
    pub connection: Digest,
    /// The profile.
    pub profile_id: i64,
    /// The whole object.
    pub body: JsonText,
}

/// Reads the profiles and says whether the stored one is what was sent.
#[derive(Debug, Serialize, Deserialize)]
pub struct ConfirmProfile {
    /// The profile.
    pub profile_id: i64,
    /// The digest that it must have.
    pub desired: Digest,
}

/// Works out what making or changing a custom format would do, against what is stored, and changes nothing.
///
/// Done twice in a row before a write; both must be equal.
#[derive(Debug, Serialize, Deserialize)]
pub struct PrepareFormat {
    /// A custom format in the service's own shape, or in that of the TRaSH guides.
    pub payload: JsonText,
}

/// What making or changing a custom format would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PreparedFormat {
    /// Where.
    pub instance: InstanceLabel,
    /// The connection that was read.
    pub connection: Digest,
    /// What would be done.
    pub action: FormatAction,
    /// The format's exact name.
    pub name: String,
    /// The stored object, or `null`.
    pub before: JsonText,
    /// Its digest.
    pub before_digest: Digest,
    /// The whole object that would be sent.
    pub desired: JsonText,
    /// Its digest.
    pub desired_digest: Digest,
    /// The differences, for the record.
    pub fields: Vec<FieldChange>,
}

/// What becomes of a format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "action")]
pub enum FormatAction {
    /// The stored one has everything that was asked for.
    Unchanged {
        /// Its id.
        id: i64,
    },
    /// A new one is made.
    Create,
    /// The stored one is changed.
    Update {
        /// Its id.
        id: i64,
    },
}

/// Sends one custom format, once, over exactly this connection. Answers the id in the service's answer, where that names the right format.
///
/// As [`PutProfile`] in everything else.
#[derive(Debug, Serialize, Deserialize)]
pub struct SendFormat {
    /// The lane for writes, taken before the last look.
    pub lease: WriteLease,
    /// The connection that was read.
    pub connection: Digest,
    /// Create or update; [`FormatAction::Unchanged`] is refused.
    pub action: FormatAction,
    /// Its exact name.
    pub name: String,
    /// The whole object.
    pub body: JsonText,
}

/// Reads the formats and says whether the stored one has everything that was sent.
#[derive(Debug, Serialize, Deserialize)]
pub struct ConfirmFormat {
    /// What was done.
    pub action: FormatAction,
    /// Its exact name.
    pub name: String,
    /// The object from before, or `null`.
    pub before: JsonText,
    /// The object that was sent.
    pub desired: JsonText,
    /// The id in the answer to the write, where it had one.
    pub answered_id: Option<i64>,
}

/// A format as it was read back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfirmedFormat {
    /// Its id.
    pub id: i64,
    /// The stored object.
    pub after: JsonText,
    /// Its digest.
    pub after_digest: Digest,
    /// The real differences between what was before and what is stored now; empty where the service stored none.
    pub fields: Vec<FieldChange>,
}

/// Reads all profiles and says whether each lists the new format exactly once, at score 0.
#[derive(Debug, Serialize, Deserialize)]
pub struct ConfirmFormatInProfiles {
    /// The format's id.
    pub id: i64,
}

/// Why a written object is not confirmed: what was sent may be stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{words}")]
pub struct NotConfirmed {
    /// What does not fit, or why it could not be read.
    pub words: String,
}

/// Compares the profile now with a recorded change of it.
#[derive(Debug, Serialize, Deserialize)]
pub struct CompareProfile {
    /// The profile.
    pub profile_id: i64,
    /// The connection that the change was made over.
    pub connection: Digest,
    /// The profile as the change left it.
    pub applied: Digest,
    /// What it depended on then.
    pub dependencies: Digest,
    /// The recorded differences.
    pub fields: Vec<FieldChange>,
}

/// Compares a custom format now with a recorded change of it.
#[derive(Debug, Serialize, Deserialize)]
pub struct CompareFormat {
    /// Its id, where the change got that far.
    pub id: Option<i64>,
    /// Its name as it was recorded; where `after` says the name, that is looked for.
    pub name: String,
    /// The connection that the change was made over.
    pub connection: Digest,
    /// The object as the change left it or, where that is not known, as it was to be.
    pub after: JsonText,
    /// Whether `after` was read back. If not, the live object has to contain it only.
    pub was_confirmed: bool,
    /// The recorded differences.
    pub fields: Vec<FieldChange>,
}

/// How the instance compares with a recorded change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// In a word.
    pub state: LiveState,
    /// What a reader must know of it.
    pub note: Option<String>,
    /// The recorded differences with the values now.
    pub fields: Vec<FieldChange>,
}

/// Asks over which connection the instance is called at present, without calling it.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetConnection {}

/// The connection at present.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Connection {
    /// The instance, with its name as it is now.
    pub instance: InstanceLabel,
    /// Its address and key, as a digest; `None` where the key cannot be opened.
    pub digest: Option<Digest>,
}

playhouse_bus::messages! { ArrActor:
    PrepareProfileChange => Result<PreparedProfile, ArrFailure>,
    RebuildProfile => Result<ReadyProfile, NotReady>,
    RebuildRestore => Result<ReadyProfile, NotReady>,
    PutProfile => Result<(), Unfinished>,
    ConfirmProfile => Result<JsonText, NotConfirmed>,
    PrepareFormat => Result<PreparedFormat, ArrFailure>,
    SendFormat => Result<Option<i64>, Unfinished>,
    ConfirmFormat => Result<ConfirmedFormat, NotConfirmed>,
    ConfirmFormatInProfiles => Result<(), NotConfirmed>,
    CompareProfile => Comparison,
    CompareFormat => Comparison,
    GetConnection => Connection,
}

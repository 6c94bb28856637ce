//! From what the bus, the store, the libraries and the gate say to what a tool's caller is told.

use playhouse_library::answer::{ArrFailure, Code};
use playhouse_library::instance::ChooseRefusal;
use playhouse_library::settings::NotReady;

use crate::SettingsFailure;
use crate::clean::clean;
use crate::gate::Lost;

impl SettingsFailure {
    pub(crate) fn refused(code: Code, words: impl AsRef<str>) -> Self {
        SettingsFailure::Refused { code, words: clean(words.as_ref()) }
    }

    pub(crate) fn not_started(code: Code, words: impl AsRef<str>) -> Self {
        SettingsFailure::NotStarted { code, words: clean(words.as_ref()) }
    }

    /// That the store did not take what is to be known before anything is sent.
    pub(crate) fn not_recorded(error: &dyn std::fmt::Display) -> Self {
        let words = format!(
            "Nothing was sent: what is about to be done could not be recorded ({error}). Try again in a minute."
        );
        SettingsFailure::not_started(Code::Busy, words)
    }
}

/// The gate was lost before anything was written.
impl From<Lost> for SettingsFailure {
    fn from(lost: Lost) -> Self {
        match lost {
            Lost::Key(refusal) => SettingsFailure::AuthorisationLost { words: refusal.to_string() },
            Lost::Role(_) => {
                SettingsFailure::refused(Code::RoleDenied, format!("{lost} Nothing was written. Ask an admin."))
            }
            Lost::SwitchedOff(_) => SettingsFailure::refused(
                Code::DisabledBeforeWrite,
                format!("{lost} Nothing was written. An admin of the house can switch it on."),
            ),
        }
    }
}

impl From<ChooseRefusal> for SettingsFailure {
    fn from(refusal: ChooseRefusal) -> Self {
        SettingsFailure::refused(refusal.code(), refusal.to_string())
    }
}

impl From<ArrFailure> for SettingsFailure {
    /// What the caller can go on with is an answer; what broke a rule, and what could not be read, is an error.
    fn from(failure: ArrFailure) -> Self {
        let code = failure.code();
        match failure.is_refusal() && !matches!(code, Code::ChangeRefused | Code::AlreadyMatches) {
            true => SettingsFailure::refused(code, failure.to_string()),
            false => SettingsFailure::not_started(code, failure.to_string()),
        }
    }
}

/// How the rebuilding of a change says that what it was bound to is not so any more.
pub(crate) enum Unready {
    /// Something it depends on has changed, or is gone.
    Stale {
        /// The connection rather than the settings.
        connection: bool,
        /// What.
        words: String,
    },
    /// It cannot be told now.
    Unread(ArrFailure),
}

impl From<NotReady> for Unready {
    fn from(not_ready: NotReady) -> Self {
        match not_ready {
            NotReady::Stale { connection, words } => Unready::Stale { connection, words: clean(&words) },
            NotReady::Unread(failure) if is_gone(&failure) => Unready::Stale {
                connection: matches!(failure, ArrFailure::Removed),
                words: clean(&failure.to_string()),
            },
            NotReady::Unread(failure) => Unready::Unread(failure),
        }
    }
}

/// Whether this proves that what a change was worked out against is not there any more, rather than that it cannot be seen.
fn is_gone(failure: &ArrFailure) -> bool {
    match failure {
        ArrFailure::Removed => true,
        ArrFailure::Refused { code, .. } => matches!(
            code,
            Code::ObjectMissing
                | Code::ChangeRefused
                | Code::AlreadyMatches
                | Code::ObjectChanged
                | Code::InstanceChanged
                | Code::WritesUnsupported
        ),
        _ => false,
    }
}

//! What an instance itself complains about.

use playhouse_bus::{Answer, CallInfo, Handle, Message};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::ArrActor;
use crate::answer::ArrFailure;
use crate::client::wire::HealthCheck;
use crate::client::{Patience, redact_text};
use crate::words::words;

/// Reads what the instance complains about.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReadHealth {}

/// What an instance complains about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Health {
    /// Each complaint, in the instance's own order; what is in order is left out.
    pub checks: Vec<Check>,
    /// Those of a shape that this version does not know.
    pub n_skipped: usize,
}

/// One complaint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Check {
    /// How bad it is.
    #[serde(rename = "type")]
    pub level: CheckLevel,
    /// What it says, in the language of the instance.
    pub message: String,
    /// The check that found it, such as `IndexerStatusCheck`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// A page that explains it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wiki_url: Option<String>,
}

words! {
    /// How bad a complaint is.
    pub enum CheckLevel {
        /// Worth knowing.
        Notice = "notice",
        /// Something works less well.
        Warning = "warning",
        /// Something does not work.
        Error = "error",
    }
}

impl CheckLevel {
    /// Reads the service's word in any case; `None` for what is in order. A word that this version does not know is a warning: it was worth
    /// a line to the service.
    fn of(word: &str) -> Option<Self> {
        match word.to_ascii_lowercase().as_str() {
            "ok" => None,
            "notice" => Some(CheckLevel::Notice),
            "error" => Some(CheckLevel::Error),
            _ => Some(CheckLevel::Warning),
        }
    }
}

impl Message for ReadHealth {
    type Actor = ArrActor;
    type Reply = Result<Health, ArrFailure>;
}

impl Handle<ReadHealth> for ArrActor {
    fn handle(&mut self, _: ReadHealth, call: CallInfo) -> Answer<Self, Result<Health, ArrFailure>> {
        self.answer_read(|hands| async move {
            let read = hands.client.read_list::<HealthCheck>("health", &[], Patience::Quick30s, call.deadline).await?;
            Ok(Health { checks: read.items.into_iter().filter_map(check).collect(), n_skipped: read.n_skipped })
        })
    }
}

fn check(found: HealthCheck) -> Option<Check> {
    let level = CheckLevel::of(found.r#type.as_deref().unwrap_or_default())?;
    Some(Check {
        level,
        message: redact_text(&found.message.unwrap_or_default()),
        source: found.source.filter(|source| !source.is_empty()),
        wiki_url: found.wiki_url.filter(|url| !url.is_empty()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_in_order_is_left_out_in_any_case() {
        for word in ["ok", "Ok", "OK"] {
            assert_eq!(CheckLevel::of(word), None);
        }
        assert_eq!(CheckLevel::of("Notice"), Some(CheckLevel::Notice));
        assert_eq!(CheckLevel::of("WARNING"), Some(CheckLevel::Warning));
        assert_eq!(CheckLevel::of("error"), Some(CheckLevel::Error));
    }

    #[test]
    fn a_word_of_a_newer_version_is_not_dropped() {
        assert_eq!(CheckLevel::of("critical"), Some(CheckLevel::Warning));
    }
}

//! What happened in a library: grabs, imports, failures.
//!
//! A title that is asked for is looked up by its own history, however long ago its events are. Only where that is not possible are the newest
//! events of everything searched for it, and then the answer says that an older one would not show.

mod read;
mod record;
mod sources;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::client::wire::HistoryEvent as Record;
use crate::service::{HistoryKind, Service};

pub use read::ReadHistory;
pub(crate) use record::{of_creator, with_year};

/// Events answered when no number is asked for.
const DEFAULT_LIMIT: i64 = 20;
/// Most events answered.
const MAX_LIMIT: i64 = 100;
/// How many events of everything are searched for a title whose own history cannot be read.
pub const SEARCHED_EVENTS: usize = 100;
/// Longest text of an event that is answered.
const MAX_TEXT: usize = 400;

/// How many events are answered: twenty unless asked for, at most a hundred.
pub(crate) fn clamped(limit: Option<i64>) -> usize {
    let limit = limit.filter(|limit| *limit >= 1).unwrap_or(DEFAULT_LIMIT).min(MAX_LIMIT);
    usize::try_from(limit).unwrap_or_default()
}

/// One event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct HistoryEvent {
    /// When, in UTC; left out where the service gives no date.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "Option<String>")]
    pub date: Option<Timestamp>,
    /// What happened, by the service's own name.
    pub event: String,
    /// What happened, by one name for all services; left out for an event that only this service knows.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub kind: Option<HistoryKind>,
    /// What it is about.
    pub media_title: String,
    /// The release.
    pub release_title: String,
    /// Name of its quality.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub quality: Option<String>,
    /// The download client's id of the download: events of one download share it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub download_id: Option<String>,
    /// Why, where the service says so.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

/// How far a history was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct HistoryWindow {
    /// Whether the title's own history was read whole. Otherwise further events may exist.
    pub per_title: bool,
    /// How many events were read.
    pub fetched: usize,
    /// How many of those are about what was asked.
    pub matched: usize,
    /// How many are answered at most.
    pub limit: usize,
}

/// A history as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct History {
    /// Newest first.
    pub events: Vec<HistoryEvent>,
    /// How far it was read.
    pub window: HistoryWindow,
    /// Why the title's own history was not read, where it was asked for.
    pub fallback: Option<String>,
    /// Records of a shape that this version does not know.
    pub n_skipped: usize,
}

impl HistoryEvent {
    /// The event as answers show it.
    pub(crate) fn of(service: Service, record: &Record) -> Self {
        let short = |text: &str| -> String { text.chars().take(MAX_TEXT).collect() };
        let event = record.event_type.as_deref().unwrap_or_default();
        Self {
            date: record.date,
            event: short(event),
            kind: service.history_kind(event),
            media_title: short(&record::media_title(record)),
            release_title: short(record.source_title.as_deref().unwrap_or_default()),
            quality: record.quality.as_ref().and_then(|quality| quality.name()).map(short),
            download_id: record.download_id.as_deref().filter(|id| !id.is_empty()).map(short),
            reason: record::reason(record).map(short),
        }
    }

    /// The event in a line.
    pub(crate) fn line(&self) -> String {
        let date = self.date.map_or_else(|| "undated".to_owned(), super::instants::minute);
        let media = match (self.media_title.as_str(), self.release_title.as_str()) {
            ("", release) => release.to_owned(),
            (media, "") => media.to_owned(),
            (media, release) => format!("{media}: {release}"),
        };
        let quality = self.quality.as_deref().map(|quality| format!(" [{quality}]")).unwrap_or_default();
        let reason = self.reason.as_deref().map(|reason| format!(" — {reason}")).unwrap_or_default();
        let download = self.download_id.as_deref().map(|id| format!(" (download {id})")).unwrap_or_default();
        format!("- {date} {}: {media}{quality}{reason}{download}", self.event)
    }
}

/// Orders events newest first; undated ones come last.
pub(crate) fn newest_first(records: &mut [Record]) {
    records.sort_by_key(|record| std::cmp::Reverse(record.date));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn case_47_the_limit_is_clamped() {
        for (asked, expected) in
            [(None, 20), (Some(0), 20), (Some(-1), 20), (Some(1), 1), (Some(100), 100), (Some(500), 100)]
        {
            assert_eq!(clamped(asked), expected, "{asked:?}");
        }
    }

    #[test]
    fn an_event_is_told_in_a_line() {
        let record: Record = serde_json::from_value(json!({
            "date": "2026-11-01T10:20:30.1234567Z", "eventType": "downloadFailed", "sourceTitle": "Dune.2026.1080p",
            "quality": {"quality": {"name": "Bluray-1080p"}}, "downloadId": "ABC", "data": {"message": "Aborted"},
            "movie": {"title": "Dune", "year": 2026},
        }))
        .unwrap();
        let event = HistoryEvent::of(Service::Radarr, &record);
        assert_eq!(event.kind, Some(HistoryKind::Failed));
        assert_eq!(
            event.line(),
            "- 2026-11-01 10:20 UTC downloadFailed: Dune (2026): Dune.2026.1080p [Bluray-1080p] — Aborted (download ABC)"
        );
    }

    #[test]
    fn undated_events_come_last() {
        let mut records: Vec<Record> = serde_json::from_value(json!([
            {"sourceTitle": "undated"},
            {"sourceTitle": "old", "date": "2024-11-01T10:20:30Z"},
            {"sourceTitle": "new", "date": "2026-11-01T10:20:30Z"},
        ]))
        .unwrap();
        newest_first(&mut records);
        let order: Vec<&str> = records.iter().filter_map(|record| record.source_title.as_deref()).collect();
        assert_eq!(order, ["new", "old", "undated"]);
    }
}

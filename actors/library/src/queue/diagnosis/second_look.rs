//! What the queue alone does not tell: where a release came from, and what a manual import says of its files.
//!
//! Both are asked for rarely, for a few downloads, and within a time of their own: a verdict without them is still a verdict.

use std::time::Duration;

use playhouse_bus::Deadline;

use crate::actor::Hands;
use crate::client::wire::{HistoryEvent, ImportCandidate, Page, QueueRow};
use crate::client::{ArrError, Patience};
use crate::doctor::{
    GrabSource, Symptoms, Verdict, from_rejections, spare_the_owner, wants_provenance, wants_rejections,
};
use crate::queue::row;
use crate::queue::text::clean;
use crate::service::HistoryKind;

/// Downloads whose files are looked at. The service reads the files for it, which takes seconds.
const MAX_FILES_READ: usize = 3;

/// Downloads whose history is looked at.
const MAX_HISTORIES_READ: usize = 10;

/// How long one of these reads may take.
const READ_WITHIN: Duration = Duration::from_secs(6);

/// What is left of the caller's time for the answer itself.
const KEPT_BACK: Duration = Duration::from_secs(4);

/// The second looks of one diagnosis, counted.
pub(super) struct SecondLook<'a> {
    hands: &'a Hands,
    deadline: Deadline,
    n_files_read: usize,
    n_histories_read: usize,
}

impl<'a> SecondLook<'a> {
    pub(super) fn new(hands: &'a Hands, deadline: Deadline) -> Self {
        Self { hands, deadline, n_files_read: 0, n_histories_read: 0 }
    }

    /// `verdict`, or a better one where the files or the history of the download tell more. What cannot be read changes nothing.
    pub(super) async fn at(&mut self, row: &QueueRow, symptoms: &Symptoms<'_>, verdict: Verdict) -> Verdict {
        let Some(download_id) = row::download_id(row) else { return verdict };
        let verdict = match wants_rejections(&verdict, symptoms) {
            true => self.by_files(download_id, verdict).await,
            false => verdict,
        };
        if !wants_provenance(&verdict, symptoms.library_file) {
            return verdict;
        }
        let source = self.source(row, download_id).await;
        spare_the_owner(verdict, symptoms.library_file, &source)
    }

    async fn by_files(&mut self, download_id: &str, verdict: Verdict) -> Verdict {
        let Some(deadline) = self.time_for_one(self.n_files_read < MAX_FILES_READ) else { return verdict };
        self.n_files_read += 1;
        let query = [("downloadId", download_id), ("filterExistingFiles", "false")];
        let read = self.hands.client.read_list::<ImportCandidate>("manualimport", &query, Patience::Quick30s, deadline);
        match read.await {
            // Of a file that could not be read, the reasons might be worse than those of the others.
            Ok(candidates) if candidates.n_skipped > 0 => verdict,
            Ok(candidates) => {
                let reasons = |file: &'_ ImportCandidate| -> Vec<String> {
                    file.rejections.iter().map(|rejection| clean(&rejection.reason)).collect()
                };
                let reasons: Vec<Vec<String>> = candidates.items.iter().map(reasons).collect();
                from_rejections(verdict, reasons.iter().map(|file| file.iter().map(String::as_str).collect()))
            }
            Err(error) => {
                self.note(&error);
                verdict
            }
        }
    }

    async fn source(&mut self, row: &QueueRow, download_id: &str) -> GrabSource {
        let service = self.hands.service;
        let item = row::history_item(row, service);
        let grabbed = service.history_event(HistoryKind::Grabbed).map(|number| number.to_string());
        let (Some((item, id)), Some(grabbed)) = (item, grabbed) else { return GrabSource::Unknown };
        let Some(deadline) = self.time_for_one(self.n_histories_read < MAX_HISTORIES_READ) else {
            return GrabSource::Unknown;
        };
        self.n_histories_read += 1;
        let id = id.to_string();
        let query = [
            ("page", "1"),
            ("pageSize", "10"),
            ("sortKey", "date"),
            ("sortDirection", "descending"),
            ("eventType", grabbed.as_str()),
            (item, id.as_str()),
            ("downloadId", download_id),
        ];
        let read = self.hands.client.read::<Page<HistoryEvent>>("history", &query, Patience::Quick30s, deadline);
        match read.await {
            // A grab that could not be read might be the newest.
            Ok(page) if page.records.n_skipped > 0 => GrabSource::Unknown,
            Ok(page) => newest_source(&page.records.items, download_id),
            Err(error) => {
                self.note(&error);
                GrabSource::Unknown
            }
        }
    }

    /// The deadline of one more read; `None` when there is no time or no room for it.
    fn time_for_one(&self, has_room: bool) -> Option<Deadline> {
        let left = self.deadline.remaining().checked_sub(KEPT_BACK)?;
        (has_room && !left.is_zero()).then(|| Deadline::after(left.min(READ_WITHIN)))
    }

    fn note(&self, error: &ArrError) {
        tracing::debug!(instance = %self.hands.instance.id, %error, "a diagnosis does without a second look");
    }
}

/// Where the newest grab of the download came from. The service is not trusted to have filtered.
fn newest_source(events: &[HistoryEvent], download_id: &str) -> GrabSource {
    let of_the_download = events.iter().filter(|event| {
        event.download_id.as_deref().is_some_and(|id| id.eq_ignore_ascii_case(download_id))
            && event.event_type.as_deref().is_none_or(|kind| kind.eq_ignore_ascii_case("grabbed"))
    });
    // Of equal dates the first is the newest: that is how the service sorts.
    let newest = of_the_download.rev().max_by_key(|event| event.date);
    let word = newest.and_then(|event| {
        event.data.iter().find(|(name, _)| name.eq_ignore_ascii_case("releaseSource")).map(|(_, value)| value.as_str())
    });
    GrabSource::of(word)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_newest_grab_of_this_download_decides_and_the_name_may_be_in_any_case() {
        let events: Vec<HistoryEvent> = serde_json::from_value(json!([
            {"eventType": "grabbed", "downloadId": "other", "date": "2026-03-09T00:00:00Z", "data": {"releaseSource": "Search"}},
            {"eventType": "grabbed", "downloadId": "abc", "date": "2026-03-01T00:00:00Z", "data": {"releaseSource": "Search"}},
            {"eventType": "grabbed", "downloadId": "ABC", "date": "2026-03-02T00:00:00Z", "data": {"ReleaseSource": "Rss"}},
        ]))
        .unwrap();
        assert_eq!(newest_source(&events, "abc"), GrabSource::Rss);
        assert_eq!(newest_source(&events, "none"), GrabSource::Unknown);
        assert_eq!(newest_source(&events[..1], "other"), GrabSource::Other("Search".into()));
    }
}

//! One row as answers show it.

use std::collections::HashMap;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::row;
use super::text::{MAX_GROUPS, MAX_LINES, short};
use crate::client::wire::{QueueRow, StatusMessage};
use crate::service::{MediaType, Service};

/// One item of a queue.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct QueueItem {
    /// By which other tools name it. Valid while the item is in the queue.
    pub(crate) queue_id: i64,
    /// Whose queue it is in.
    pub(crate) media_type: MediaType,
    /// What it is for; the release's name where it belongs to nothing in the library.
    pub(crate) title: String,
    /// The release.
    pub(crate) release_title: String,
    /// What the download client says: `downloading`, `paused`, `completed`, `warning`, `delay` (held back for now) …
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<String>,
    /// `torrent` or `usenet`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) protocol: Option<String>,
    /// The download client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) download_client: Option<String>,
    /// Time left, as hours, minutes and seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) time_left: Option<String>,
    /// When it is expected to be complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub(crate) estimated_completion: Option<Timestamp>,
    /// How much of the whole download has arrived, in percent; left out while its size is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) percent: Option<f64>,
    /// Size of the whole download.
    pub(crate) size_bytes: i64,
    /// How much of it is still to come.
    pub(crate) left_bytes: i64,
    /// What the service thinks of it: `ok`, `warning` or `error`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tracked_status: Option<String>,
    /// How far the service is with it, such as `importPending`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tracked_state: Option<String>,
    /// What the download client complains about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
    /// What the service found when it tried to import.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) issues: Vec<QueueMessages>,
    /// Whether it was handed to a download client.
    pub(crate) download_id_present: bool,
    /// Other items of the same download: a season pack or a discography. They have one size together, and removing one removes all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) same_download: Vec<i64>,
    /// Music: how many tracks the release should have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tracks_total: Option<i64>,
    /// Music: how many of them the library has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tracks_have: Option<i64>,
}

/// Messages about one file, or about the whole release.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct QueueMessages {
    /// The file or the release; the message itself where there are no others.
    pub(crate) title: String,
    /// The messages.
    pub(crate) messages: Vec<String>,
}

/// Most rows of one download that are named; a whole label's catalogue may be one.
const MAX_NAMED: usize = 200;

/// Which rows are one download.
pub(crate) struct Downloads(HashMap<String, Vec<i64>>);

impl Downloads {
    pub(crate) fn of(rows: &[QueueRow]) -> Self {
        let mut by_download: HashMap<String, Vec<i64>> = HashMap::new();
        for row in rows {
            if let Some(download) = row::download_id(row) {
                by_download.entry(download.to_owned()).or_default().push(row.id);
            }
        }
        Self(by_download)
    }

    /// The other rows of the row's download, at most [`MAX_NAMED`].
    pub(crate) fn beside(&self, row: &QueueRow) -> Vec<i64> {
        let together = row::download_id(row).and_then(|download| self.0.get(download));
        together.into_iter().flatten().copied().filter(|id| *id != row.id).take(MAX_NAMED).collect()
    }
}

impl QueueItem {
    pub(crate) fn of(row: &QueueRow, service: Service, downloads: &Downloads) -> Self {
        let text = |text: &Option<String>| text.as_deref().map(short).filter(|text| !text.is_empty());
        let (size, left) = (row.size.unwrap_or_default(), row.sizeleft.unwrap_or_default());
        let is_music = service == Service::Lidarr;
        Self {
            queue_id: row.id,
            media_type: service.media_type(),
            title: short(&row::item_title(row, service)),
            release_title: short(row::release_title(row)),
            status: text(&row.status),
            protocol: text(&row.protocol),
            download_client: text(&row.download_client),
            time_left: row.timeleft.map(|span| span.to_string()),
            estimated_completion: row.estimated_completion_time,
            percent: percent(size, left),
            size_bytes: bytes(size),
            left_bytes: bytes(left),
            tracked_status: text(&row.tracked_download_status),
            tracked_state: text(&row.tracked_download_state),
            error: text(&row.error_message),
            issues: messages(&row.status_messages),
            download_id_present: row::download_id(row).is_some(),
            same_download: downloads.beside(row),
            tracks_total: row.track_file_count.filter(|_| is_music),
            tracks_have: row.track_has_file_count.filter(|_| is_music),
        }
    }

    /// Whether the service sees something wrong with it: only then is what it says worth a line.
    pub(crate) fn is_noted(&self) -> bool {
        self.tracked_status.as_deref().is_some_and(|status| !status.eq_ignore_ascii_case("ok"))
    }
}

/// With one decimal; `None` while the size is unknown.
fn percent(size: f64, left: f64) -> Option<f64> {
    (size > 0.0).then(|| ((size - left) / size * 1_000.0).round() / 10.0)
}

#[expect(clippy::cast_possible_truncation, reason = "a size with a fraction; the cast saturates")]
fn bytes(size: f64) -> i64 {
    size.max(0.0) as i64
}

/// The messages, as many as an answer has room for; a pack may have hundreds of them.
fn messages(sent: &[StatusMessage]) -> Vec<QueueMessages> {
    let group = |sent: &StatusMessage| QueueMessages {
        title: sent.title.as_deref().map(short).unwrap_or_default(),
        messages: sent
            .messages
            .iter()
            .map(|line| short(line))
            .filter(|line| !line.is_empty())
            .take(MAX_LINES)
            .collect(),
    };
    let said = sent.iter().map(group).filter(|group| !(group.title.is_empty() && group.messages.is_empty()));
    said.take(MAX_GROUPS).collect()
}

//! What `get_book_timeline` and `get_album_timeline` answer.

use playhouse_tools::{Answer, Failure, ToolCall};
use schemars::JsonSchema;
use serde::Serialize;

use super::one_library::{about_skipped, read_one};
use crate::answer::{Envelope, Library};
use crate::reads::{HistoryEvent, HistoryState, ReadReceipts, ReceiptFile, ReceiptItem};
use crate::service::Service;

/// Files and history of one book or album.
#[derive(Default, Serialize, JsonSchema)]
pub(super) struct Output {
    #[serde(flatten)]
    envelope: Envelope,
    /// Author and book, or artist and album.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// What the library holds.
    files: Vec<ReceiptFile>,
    /// How many files more there are.
    n_more_files: usize,
    /// What happened, newest first.
    events: Vec<HistoryEvent>,
    /// How many events more were read.
    n_more_events: usize,
    /// Which halves of the history could be read. What was not read is unknown, not absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    history_state: Option<HistoryState>,
    /// Why a half could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    faults: Vec<String>,
}

impl From<Envelope> for Output {
    fn from(envelope: Envelope) -> Self {
        Self { envelope, ..Self::default() }
    }
}

/// Reads the receipts of `item` and puts them into words, in which it is called `one`.
pub(super) async fn answer(
    call: &ToolCall,
    instance_id: Option<&str>,
    item: ReceiptItem,
) -> Result<Answer<Output>, Failure> {
    let (service, one) = match item {
        ReceiptItem::Book(_) => (Service::Chaptarr, "book"),
        ReceiptItem::Album(_) => (Service::Lidarr, "album"),
    };
    let (chosen, receipts) = match read_one(call, service, instance_id, ReadReceipts { item }).await? {
        Err(answer) => return Ok(answer),
        Ok(found) => found,
    };
    let prose = format!(
        "{}, {}:\n{}\n{}{}",
        chosen.instance.title(),
        receipts.title,
        receipts.files_prose(one),
        receipts.history_prose(one),
        about_skipped(receipts.n_skipped)
    );
    let output = Output {
        envelope: Envelope::answered(vec![Library::read(&chosen.instance)]),
        title: Some(receipts.title),
        files: receipts.files,
        n_more_files: receipts.n_more_files,
        events: receipts.events,
        n_more_events: receipts.n_more_events,
        history_state: Some(receipts.history_state),
        faults: receipts.faults,
    };
    Ok(Answer::new(output, prose))
}

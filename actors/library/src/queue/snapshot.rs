//! One read of the whole queue, which proves itself whole.
//!
//! The services rebuild their queues about once a minute, so two pages are not one picture, and a page beyond the end is answered with an
//! earlier one. So the queue is read as a single page, and refused when that page does not hold all there is: a partial queue would look
//! like a healthy one.

use std::collections::HashSet;

use playhouse_bus::Deadline;

use crate::actor::Hands;
use crate::answer::{ArrFailure, Code};
use crate::client::Patience;
use crate::client::wire::{Page, QueueRow};

/// The rows that one page holds, as the queue queries of the service table ask for.
const PAGE_SIZE: i64 = 1_000;

/// Reads the whole queue.
pub(crate) async fn read_queue(hands: &Hands, deadline: Deadline) -> Result<Vec<QueueRow>, ArrFailure> {
    let query = hands.service.facts().queue_query;
    let page = hands.client.read("queue", query, Patience::Quick30s, deadline).await?;
    prove(page, &hands.instance.title())
}

/// The rows of `page`, if it proves to hold the whole queue of `library`.
pub(super) fn prove(page: Page<QueueRow>, library: &str) -> Result<Vec<QueueRow>, ArrFailure> {
    let unproven = |code, words: String| Err(ArrFailure::unproven(code, words));
    let rows = page.records.items;
    let n_sent = rows.len() + page.records.n_skipped;
    let Some(total) = page.total_records else {
        let words =
            format!("The queue of {library} does not say how many items it has, so nothing of it is shown. Try again.");
        return unproven(Code::SnapshotIncomplete, words);
    };
    if !(0..=PAGE_SIZE).contains(&total) {
        let words = format!(
            "The queue of {library} has {total} items, and at most {PAGE_SIZE} can be read in one picture. Nothing of it is shown, because a part \
             would look like the whole; thin it out in the service first."
        );
        return unproven(Code::SnapshotOversized, words);
    }
    if i64::try_from(n_sent) != Ok(total) {
        let words = format!(
            "The queue of {library} has {total} items, and {n_sent} of them were sent. Nothing of it is shown, because a part would look like the \
             whole. Try again in a minute."
        );
        return unproven(Code::SnapshotIncomplete, words);
    }
    let mut seen = HashSet::with_capacity(rows.len());
    let what = if page.records.n_skipped > 0 || rows.iter().any(|row| row.id <= 0) {
        "an item without an id"
    } else if rows.iter().any(|row| !seen.insert(row.id)) {
        "two items of one id"
    } else {
        return Ok(rows);
    };
    let words = format!(
        "The queue of {library} contradicts itself: it has {what}. Nothing of it is shown. Try again in a minute."
    );
    unproven(Code::SnapshotInvalid, words)
}

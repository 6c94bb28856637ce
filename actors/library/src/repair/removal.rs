//! Removing a download from the queue.

use playhouse_bus::{Answer, CallInfo, Deadline, Handle, Message};
use serde::{Deserialize, Serialize};

use crate::ArrActor;
use crate::actor::Hands;
use crate::answer::{Code, Unfinished};
use crate::client::{ArrError, ArrFault, WriteError};

/// What becomes of a download that leaves the queue. All four are always sent: what is left out means something else to each version.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RemovalFlags {
    /// The client deletes the download and its data.
    pub(super) remove_from_client: bool,
    /// The release counts as failed and is not taken again.
    pub(super) blocklist: bool,
    /// No replacement is searched for.
    pub(super) skip_redownload: bool,
    /// The client keeps it, in its category for what was imported.
    pub(super) change_category: bool,
}

impl RemovalFlags {
    fn query(self) -> [(&'static str, &'static str); 4] {
        let word = |flag: bool| if flag { "true" } else { "false" };
        [
            ("removeFromClient", word(self.remove_from_client)),
            ("blocklist", word(self.blocklist)),
            ("skipRedownload", word(self.skip_redownload)),
            ("changeCategory", word(self.change_category)),
        ]
    }
}

/// Removes one row, and with it the whole download, from queue and client. Nothing is read before. Repeating it is refused by the service,
/// which no longer has the row.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RemoveQueueItem {
    /// The row.
    pub(crate) queue_id: i64,
    /// Whether its release is not to be taken again. The service then decides whether to search for another.
    pub(crate) blocklist: bool,
}

/// That it was removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Removed {}

impl Message for RemoveQueueItem {
    type Actor = ArrActor;
    type Reply = Result<Removed, Unfinished>;
}

impl Handle<RemoveQueueItem> for ArrActor {
    fn handle(&mut self, order: RemoveQueueItem, call: CallInfo) -> Answer<Self, Result<Removed, Unfinished>> {
        let RemoveQueueItem { queue_id, blocklist } = order;
        let flags =
            RemovalFlags { remove_from_client: true, blocklist, skip_redownload: false, change_category: false };
        self.answer_change(call, |hands, deadline| async move {
            hands.write(deadline, || remove(&hands, queue_id, flags, deadline)).await?;
            Ok(Removed {})
        })
    }
}

/// Sends the one DELETE.
pub(super) async fn remove(
    hands: &Hands,
    queue_id: i64,
    flags: RemovalFlags,
    deadline: Deadline,
) -> Result<(), Unfinished> {
    let sent = hands.client.delete(&format!("queue/{queue_id}"), &flags.query(), deadline).await;
    sent.map_err(|error| match error {
        WriteError::Refused(ArrError { fault: ArrFault::NotFound, .. }) => gone(queue_id),
        error => {
            tracing::warn!(instance = %hands.instance.id, queue_id, %error, "a removal from a queue did not end well");
            Unfinished::of_write(&format!("The removal of queue item {queue_id}"), error)
        }
    })
}

/// That the queue has no such row.
pub(super) fn gone(queue_id: i64) -> Unfinished {
    Unfinished::not_started(Code::QueueItemMissing, missing_words(queue_id))
}

/// The words for a row that is not there.
pub(super) fn missing_words(queue_id: i64) -> String {
    format!(
        "The queue has no item {queue_id} any more, so nothing was done. Ids end when an item leaves the queue or is matched anew: read them \
         again with get_queue or diagnose_queue."
    )
}

//! The four remedies for a stuck download.

use playhouse_bus::{Answer, CallInfo, Deadline, Handle, Message};
use serde::{Deserialize, Serialize};

use super::air_dates::{self, Unaired};
use super::journal::Intent;
use super::removal::{RemovalFlags, gone, remove};
use crate::ArrActor;
use crate::actor::{Hands, has_time_to_write};
use crate::answer::{Code, Unfinished};
use crate::queue::{Downloads, read_queue, row, short};
use crate::service::Service;
use crate::words::words;

words! {
    /// What is done to a stuck download.
    pub(crate) enum Remedy {
        /// It is removed with its data.
        Remove = "remove",
        /// It is removed, its release avoided, and the service searches for a replacement if its settings say so.
        BlocklistSearch = "blocklist_search",
        /// It is removed and its release avoided; no replacement is searched for.
        BlocklistOnly = "blocklist_only",
        /// It leaves the queue and stays in the client, in the category for what was imported.
        ChangeCategory = "change_category",
    }
}

impl Remedy {
    const fn flags(self) -> RemovalFlags {
        let (remove_from_client, blocklist, skip_redownload, change_category) = match self {
            Remedy::Remove => (true, false, false, false),
            Remedy::BlocklistSearch => (true, true, false, false),
            Remedy::BlocklistOnly => (true, true, true, false),
            Remedy::ChangeCategory => (false, false, false, true),
        };
        RemovalFlags { remove_from_client, blocklist, skip_redownload, change_category }
    }
}

/// Applies a remedy to one row, and so to its whole download. A row that is gone is not started.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Remediate {
    /// The row.
    pub(crate) queue_id: i64,
    /// What is asked for.
    pub(crate) remedy: Remedy,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Remediated {
    /// What the download was for.
    pub(crate) title: String,
    /// The other rows that went with it.
    pub(crate) same_download: Vec<i64>,
    /// What was asked for.
    pub(crate) requested: Remedy,
    /// What was done.
    pub(crate) effective: Remedy,
    /// Why less was done than was asked for.
    pub(crate) downgrade_reason: Option<String>,
}

impl Message for Remediate {
    type Actor = ArrActor;
    type Reply = Result<Remediated, Unfinished>;
}

impl Handle<Remediate> for ArrActor {
    fn handle(&mut self, order: Remediate, call: CallInfo) -> Answer<Self, Result<Remediated, Unfinished>> {
        self.answer_change(call, |hands, deadline| async move {
            // The reads too have the lane: between them and the removal no other change may come.
            hands.write(deadline, || remediate(&hands, &order, deadline)).await
        })
    }
}

pub(super) async fn remediate(hands: &Hands, order: &Remediate, deadline: Deadline) -> Result<Remediated, Unfinished> {
    let &Remediate { queue_id, remedy: requested } = order;
    let rows = read_queue(hands, deadline).await?;
    let target = rows.iter().find(|row| row.id == queue_id).ok_or_else(|| gone(queue_id))?;
    let unaired = match (hands.service, requested) {
        (Service::Sonarr, Remedy::BlocklistSearch) => air_dates::unaired(hands, &rows, target, deadline).await?,
        _ => None,
    };
    let effective = if unaired.is_some() { Remedy::BlocklistOnly } else { requested };
    let title = short(&row::item_title(target, hands.service));
    let intent = Intent { at: hands.now, queue_id, release: short(row::release_title(target)), requested, effective };
    hands.journal.record(&intent).await?;
    // The reads may have used up the caller's time; then nothing is begun.
    if !has_time_to_write(deadline) {
        let words = "Nothing was sent: the time for this call was up before the removal began. Try again.";
        return Err(Unfinished::not_started(Code::Busy, words));
    }
    remove(hands, queue_id, effective.flags(), deadline).await?;
    tracing::info!(instance = %hands.instance.id, queue_id, %requested, %effective, "a stuck download was taken care of");
    Ok(Remediated {
        title,
        same_download: Downloads::of(&rows).beside(target),
        requested,
        effective,
        downgrade_reason: unaired.as_ref().map(Unaired::to_string),
    })
}

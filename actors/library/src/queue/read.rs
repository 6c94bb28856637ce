//! Reading one library's queue.

use playhouse_bus::{Answer, CallInfo, Handle, Message};
use serde::{Deserialize, Serialize};

use super::item::{Downloads, QueueItem};
use super::{narrow, read_queue};
use crate::ArrActor;
use crate::answer::{ArrFailure, Scope};

/// Most items of one library that an answer shows.
const MAX_SHOWN: usize = 30;

/// Reads the queue. Changes nothing.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ReadQueue {
    /// What it is narrowed to.
    pub(crate) scope: Scope,
}

/// A queue, or what was asked for of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct QueueRead {
    /// The first [`MAX_SHOWN`].
    pub(crate) items: Vec<QueueItem>,
    /// How many there are.
    pub(crate) total: usize,
}

impl Message for ReadQueue {
    type Actor = ArrActor;
    type Reply = Result<QueueRead, ArrFailure>;
}

impl Handle<ReadQueue> for ArrActor {
    fn handle(
        &mut self,
        ReadQueue { scope }: ReadQueue,
        call: CallInfo,
    ) -> Answer<Self, Result<QueueRead, ArrFailure>> {
        self.answer_read(|hands| async move {
            let rows = read_queue(&hands, call.deadline).await?;
            // Told apart before anything is left out: what is removed with an item does not depend on what was asked for.
            let downloads = Downloads::of(&rows);
            let meant = narrow(rows, &scope, &hands, call.deadline).await?;
            let items = meant.iter().take(MAX_SHOWN).map(|row| QueueItem::of(row, hands.service, &downloads)).collect();
            Ok(QueueRead { items, total: meant.len() })
        })
    }
}

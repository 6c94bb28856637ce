//! What is looked after without anybody deciding: proposals whose time is over, and what a crash left half-way.
//!
//! What is left behind is recognised exactly, not by its age: a record says "executing", and no work of this process is under way for it. So it is
//! settled at the next start, or at the next sweep, and nothing that still runs is ever touched.

use playhouse_store::{CommitError, MAX_COMMIT_BYTES, MAX_VALUE_BYTES, StoreError};

use crate::desk::Desk;
use crate::ledger::{Batch, Told, Turn};
use crate::queue::EXPIRED;
use crate::records::{ChangeRow, ProposalRecord, change_path};
use crate::state::kept;
use crate::works::Work;
use crate::write::proposal_ended;
use crate::{ChangeStatus, ProposalStatus};

/// How many proposals, or changes with their proposals, one commit of a sweep ends. However large each is, the store takes them: if it did not, the
/// queue of the house could not even start.
const A_COMMIT: usize = 7;
const _: () =
    assert!((2 * A_COMMIT + 1) * MAX_VALUE_BYTES <= MAX_COMMIT_BYTES, "a change and a proposal each, and what is told");

/// What stands in the history for a change whose end nobody saw.
pub(crate) const LEFT_BEHIND: &str = "The server stopped while this change was being carried out, or could not record its end, so its outcome is unknown. \
                                      Compare it with what the library has now before doing anything again.";

/// Why a sweep came to nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SweepError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Commit(#[from] CommitError),
}

impl Desk {
    /// Whether a sweep would find something.
    pub(crate) fn is_due(&self) -> bool {
        self.services.expiries.is_due(self.house, self.now())
    }

    /// Settles what was left behind and ends what has expired. Repeating it is harmless.
    pub(crate) async fn sweep(&self) -> Result<(), SweepError> {
        let turn = self.turn().await?;
        turn.settle().await?;
        turn.expire().await?;
        // Also where nothing was to be done, as after an import: it was due, and now it is not.
        self.services.expiries.set_next(self.house, turn.state().next_expiry());
        Ok(())
    }
}

impl Turn<'_> {
    /// Ends what has expired.
    pub(crate) async fn expire(&self) -> Result<(), CommitError> {
        let now = self.desk.now();
        let expired: Vec<ProposalRecord> = {
            let state = self.state();
            let expired = state.open.values().filter(|kept| kept.record.has_expired(now));
            expired.map(|kept| kept.record.ended(ProposalStatus::Expired, now, Some(EXPIRED.to_owned()))).collect()
        };
        for proposals in expired.chunks(A_COMMIT) {
            let told = proposals.iter().map(|record| Told::Decided(record.shown.id)).collect();
            self.commit(Batch { proposals: proposals.to_vec(), told, ..Batch::default() }).await?;
        }
        Ok(())
    }

    /// Gives everything an end, or its beginning back, that says "executing" without being under way.
    pub(crate) async fn settle(&self) -> Result<(), SweepError> {
        let (expiries, house) = (&self.desk.services.expiries, self.desk.house);
        // Before it is looked at: what is left behind from now on is noted anew.
        expiries.set_left_behind(house, false);
        let settled = self.settle_all().await;
        if settled.is_err() {
            expiries.set_left_behind(house, true);
        }
        settled
    }

    async fn settle_all(&self) -> Result<(), SweepError> {
        let is_left = |work| !self.desk.works.is_under_way(work);
        let changes: Vec<ChangeRow> = {
            let state = self.state();
            let left = state.open_changes.iter().filter(|(id, _)| is_left(Work::Change(**id)));
            left.map(|(_, kept)| ChangeRow::clone(&kept.record)).collect()
        };
        for rows in changes.chunks(A_COMMIT) {
            self.commit(self.settled(rows)).await?;
        }
        let proposals: Vec<ProposalRecord> = {
            let state = self.state();
            let executing = state.open.values().filter(|kept| kept.record.is_executing());
            let left = executing.filter(|kept| is_left(Work::Proposal(kept.record.shown.id)));
            left.map(|kept| ProposalRecord::clone(&kept.record)).collect()
        };
        for proposal in proposals {
            let row = match proposal.shown.setting_change_id {
                None => None,
                Some(id) => kept::<ChangeRow>(self.desk.house, &*self.desk.services.store, change_path(id)).await?,
            };
            let batch = match row {
                // Whoever carries out this entry is still at it.
                Some(row) if row.record.is_executing() => continue,
                Some(row) => self.ended_by(&proposal, &row.record),
                // Nothing was written down, so nothing was sent.
                None => Batch { proposals: vec![released(&proposal)], ..Batch::default() },
            };
            self.commit(batch).await?;
        }
        Ok(())
    }

    fn settled(&self, rows: &[ChangeRow]) -> Batch {
        let now = self.desk.now();
        let mut batch = Batch::default();
        for row in rows {
            let mut row = row.clone();
            row.shown.status = ChangeStatus::OutcomeUnknown;
            row.shown.error_text = Some(LEFT_BEHIND.to_owned());
            row.shown.completed_at = Some(now);
            let state = self.state();
            if let Some(proposal) = row.proposal.and_then(|id| state.open.get(&id)) {
                let ended = self.ended_by(&proposal.record, &row);
                batch.proposals.extend(ended.proposals);
                batch.told.extend(ended.told);
            }
            batch.changes.push(row);
        }
        batch
    }

    fn ended_by(&self, proposal: &ProposalRecord, row: &ChangeRow) -> Batch {
        Batch {
            proposals: vec![proposal_ended(proposal, row, self.desk.now())],
            told: vec![Told::Decided(proposal.shown.id)],
            ..Batch::default()
        }
    }
}

/// A proposal that waits again as if nobody had decided.
pub(crate) fn released(proposal: &ProposalRecord) -> ProposalRecord {
    let mut released = proposal.clone();
    released.shown.status = ProposalStatus::Pending;
    released.shown.decided_by_name = None;
    released.shown.setting_change_id = None;
    released.executing_at = None;
    released
}

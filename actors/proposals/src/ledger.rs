//! The one way in which a house's proposals, changes and events are written.
//!
//! What belongs together is one commit: a proposal's state, its entry in the history and what admins are told of it. Each record is written over
//! the version that was read, so a second writer loses rather than overwrites.

use std::cell::Ref;
use std::rc::Rc;

use playhouse_store::{CommitError, Expect, Op, RecordError, StoreError, Version, put};
use tokio::sync::OwnedMutexGuard;

use crate::desk::Desk;
use crate::records::{
    COUNTERS, ChangeRow, EventRow, MAX_EVENTS, OpenChange, ProposalRecord, change_path, event_path, open_change_path,
    open_proposal_path, proposal_path,
};
use crate::state::State;
use crate::{AdminEvent, ChangeId, EventId, EventKind, ProposalId};

/// The right to change the house's records, with what they are.
pub(crate) struct Turn<'d> {
    pub(crate) desk: &'d Desk,
    _held: OwnedMutexGuard<()>,
}

/// What is to be written in one commit.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) proposals: Vec<ProposalRecord>,
    pub(crate) changes: Vec<ChangeRow>,
    /// A change that has ended and whose link to a restore is set, over this version.
    pub(crate) linked: Option<(ChangeRow, Version)>,
    pub(crate) told: Vec<Told>,
}

/// What admins are told.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Told {
    Pending(ProposalId),
    Decided(ProposalId),
}

impl Desk {
    /// Waits until nobody else changes the house's records; then they are known as they are.
    pub(crate) async fn turn(&self) -> Result<Turn<'_>, StoreError> {
        let held = self.works.turn().await;
        if !self.is_fresh() {
            let seen = self.works.n_commits();
            let state = State::read(self.house, &*self.services.store, seen).await?;
            self.services.expiries.set_next(self.house, state.next_expiry());
            self.state.replace(state);
        }
        Ok(Turn { desk: self, _held: held })
    }

    /// Whether what is in memory is what the store holds. Not so after a commit of another incarnation, or one whose outcome is not known.
    pub(crate) fn is_fresh(&self) -> bool {
        self.state.borrow().seen == self.works.n_commits()
    }
}

impl Turn<'_> {
    pub(crate) fn state(&self) -> Ref<'_, State> {
        self.desk.state.borrow()
    }

    pub(crate) fn next_proposal(&self) -> ProposalId {
        ProposalId(self.state().counters.next_proposal)
    }

    /// A number for a change; it is never given out again, whether or not the change is recorded.
    pub(crate) fn reserve_change(&self) -> ChangeId {
        self.desk.works.reserve_change(self.state().counters.next_change)
    }

    /// Writes all of it or nothing, shows it, and tells the listeners.
    ///
    /// Not to be dropped half way: it belongs into work that is finished whoever waits.
    pub(crate) async fn commit(&self, batch: Batch) -> Result<(), CommitError> {
        let unwritable = |error: RecordError| CommitError::Unavailable { cause: error.to_string() };
        let Plan { ops, events, counters, proposals, changes, at } = self.plan(batch).map_err(unwritable)?;
        let desk = self.desk;
        // Before it is awaited: should this never come back, the next one reads what the store holds.
        let seen = desk.works.commit_begins();
        let versions = desk.services.store.commit(desk.house, ops, None).await?;
        {
            let mut state = desk.state.borrow_mut();
            state.seen = seen;
            if let Some(place) = at.counters {
                state.counters = counters;
                state.counters_version = versions.get(place).copied();
            }
            for (record, place) in proposals.into_iter().zip(at.proposals) {
                if let Some(version) = versions.get(place) {
                    state.take_over_proposal(Rc::new(record), *version);
                }
            }
            for (record, place) in changes.into_iter().zip(at.changes) {
                if let Some(version) = versions.get(place) {
                    state.take_over_change(Rc::new(record), *version);
                }
            }
            desk.services.expiries.set_next(desk.house, state.next_expiry());
        }
        for event in events {
            desk.services.events.tell(desk.house, event);
        }
        Ok(())
    }

    fn plan(&self, batch: Batch) -> Result<Plan, RecordError> {
        let state = self.state();
        let mut counters = state.counters;
        let mut ops = Vec::new();
        let mut at = Places::default();
        let mut n_pending = state.n_pending();
        for record in &batch.proposals {
            let id = record.shown.id;
            let before = state.open.get(&id);
            n_pending -= usize::from(before.is_some_and(|kept| kept.record.is_pending()));
            n_pending += usize::from(record.is_pending());
            counters.next_proposal = counters.next_proposal.max(id.0 + 1);
            at.proposals.push(ops.len());
            ops.push(put(proposal_path(id), record, expected(before.map(|kept| kept.version)))?);
            ops.push(match record.is_open() {
                true => put(open_proposal_path(id), &record.open_mark(), Expect::Any)?,
                false => Op::delete(open_proposal_path(id), Expect::Any),
            });
        }
        for row in &batch.changes {
            let id = row.shown.id;
            let before = state.open_changes.get(&id).map(|kept| kept.version);
            counters.next_change = counters.next_change.max(id.0 + 1);
            at.changes.push(ops.len());
            ops.push(put(change_path(id), row, expected(before))?);
            ops.push(match row.is_executing() {
                true => put(open_change_path(id), &OpenChange {}, Expect::Any)?,
                false => Op::delete(open_change_path(id), Expect::Any),
            });
        }
        if let Some((row, version)) = &batch.linked {
            ops.push(put(change_path(row.shown.id), row, Expect::Version(*version))?);
        }
        let now = self.desk.now();
        let mut events = Vec::new();
        for told in batch.told {
            let kind = self.worded(told, &batch.proposals, &state, n_pending);
            let event = AdminEvent { id: EventId(counters.next_event), at: now, kind };
            counters.next_event += 1;
            ops.push(put(event_path(event.id), &EventRow(event.clone()), Expect::Absent)?);
            if let Some(old) = event.id.0.checked_sub(MAX_EVENTS).filter(|old| *old > 0) {
                ops.push(Op::delete(event_path(EventId(old)), Expect::Any));
            }
            events.push(event);
        }
        if counters != state.counters {
            at.counters = Some(ops.len());
            ops.push(put(COUNTERS, &counters, expected(state.counters_version))?);
        }
        Ok(Plan { ops, events, counters, proposals: batch.proposals, changes: batch.changes, at })
    }

    fn worded(&self, told: Told, proposals: &[ProposalRecord], state: &State, pending_count: usize) -> EventKind {
        let proposal_id = match told {
            Told::Pending(id) | Told::Decided(id) => id,
        };
        let in_batch = proposals.iter().find(|record| record.shown.id == proposal_id);
        let known = in_batch.or_else(|| state.open.get(&proposal_id).map(|kept| &*kept.record));
        match (told, known) {
            (Told::Pending(_), Some(record)) => EventKind::ProfileChangePending {
                proposal_id,
                service: record.shown.service,
                instance_id: record.shown.instance_id,
                profile_id: record.shown.profile_id,
                profile_name: record.shown.profile_name.clone(),
                pending_count,
            },
            _ => EventKind::ProfileChangeDecided { proposal_id, pending_count },
        }
    }
}

/// What a new record may find, and one that replaces another.
fn expected(version: Option<Version>) -> Expect {
    version.map_or(Expect::Absent, Expect::Version)
}

/// A commit worked out.
struct Plan {
    ops: Vec<Op>,
    events: Vec<AdminEvent>,
    counters: crate::records::Counters,
    proposals: Vec<ProposalRecord>,
    changes: Vec<ChangeRow>,
    at: Places,
}

/// Where in the commit the records stand whose versions must be known afterwards.
#[derive(Default)]
struct Places {
    counters: Option<usize>,
    proposals: Vec<usize>,
    changes: Vec<usize>,
}

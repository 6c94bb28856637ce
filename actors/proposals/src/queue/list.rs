//! Showing proposals.

use std::rc::Rc;

use bytes::Bytes;
use playhouse_bus::Deadline;
use playhouse_library::settings::GetConnection;

use crate::desk::{Desk, to_read};
use crate::failures::Unready;
use crate::queue::sweep::SweepError;
use crate::records::{ProposalRecord, proposal_path};
use crate::state::{MAX_LISTED, kept};
use crate::write::profile::Recipe;
use crate::{Proposal, ProposalError, ProposalId, ProposalState};

impl From<SweepError> for ProposalError {
    fn from(error: SweepError) -> Self {
        ProposalError::Store { words: error.to_string() }
    }
}

impl Desk {
    /// The newest proposals, from memory.
    pub(crate) fn listed(&self, all: bool) -> Result<Bytes, ProposalError> {
        let mut state = self.state.borrow_mut();
        if let Some(encoded) = &state.encoded[usize::from(all)] {
            return Ok(encoded.clone());
        }
        let shown: Vec<&Proposal> = match all {
            true => state.recent.iter().map(|record| &record.shown).collect(),
            false => {
                let pending = state.open.values().rev().filter(|kept| kept.record.is_pending());
                pending.take(MAX_LISTED).map(|kept| &kept.record.shown).collect()
            }
        };
        let encoded = serde_json::to_vec(&shown).map_err(|error| ProposalError::Store { words: error.to_string() })?;
        let encoded = Bytes::from(encoded);
        state.encoded[usize::from(all)] = Some(encoded.clone());
        Ok(encoded)
    }

    /// A proposal, wherever it is.
    pub(crate) async fn proposal(&self, id: ProposalId) -> Result<Rc<ProposalRecord>, ProposalError> {
        let known = {
            let state = self.state.borrow();
            let open = state.open.get(&id).map(|kept| Rc::clone(&kept.record));
            open.or_else(|| state.recent.iter().find(|record| record.shown.id == id).map(Rc::clone))
        };
        match known {
            Some(known) => Ok(known),
            None => {
                let found = kept::<ProposalRecord>(self.house, &*self.services.store, proposal_path(id)).await?;
                found.map(|kept| kept.record).ok_or(ProposalError::NotFound)
            }
        }
    }
}

/// The newest proposals, after everything was looked after that is due.
pub(crate) async fn list(desk: Rc<Desk>, all: bool) -> Result<Bytes, ProposalError> {
    desk.sweep().await?;
    desk.listed(all)
}

/// One proposal; of one that waits, whether it could be carried out now.
pub(crate) async fn show(desk: Rc<Desk>, id: ProposalId, deadline: Deadline) -> Result<Proposal, ProposalError> {
    let record = desk.proposal(id).await?;
    let mut shown = record.shown.clone();
    if record.is_pending() {
        shown.current_status = Some(standing(&desk, &record, deadline).await);
    }
    Ok(shown)
}

async fn standing(desk: &Desk, record: &ProposalRecord, deadline: Deadline) -> ProposalState {
    let instance = record.shown.instance_id;
    // Another address or key is known without calling the service.
    if let Ok(connection) = desk.ask(instance, GetConnection {}, to_read(deadline)).await
        && connection.digest.is_some_and(|digest| digest != record.binding.connection)
    {
        return ProposalState::Stale;
    }
    match recipe(record).rebuild(desk, instance, deadline).await {
        Ok(_) => ProposalState::Applicable,
        Err(Unready::Stale { .. }) => ProposalState::Stale,
        Err(Unready::Unread(_)) => ProposalState::Unavailable,
    }
}

/// From what a proposal's write is worked out.
pub(crate) fn recipe(record: &ProposalRecord) -> Recipe {
    Recipe::Change {
        profile_id: record.shown.profile_id,
        plan: record.plan.clone(),
        diff: record.diff().to_vec(),
        binding: record.binding.clone(),
    }
}

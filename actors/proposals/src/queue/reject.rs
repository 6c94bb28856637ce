//! An admin's no.

use std::rc::Rc;

use super::{Undecided, retried};
use crate::clean::clean;
use crate::desk::Desk;
use crate::gate::Gate;
use crate::ledger::{Batch, Told};
use crate::records::ProposalRecord;
use crate::who::Who;
use crate::{Proposal, ProposalError, ProposalStatus, RejectProposal};

/// Ends a proposal that waits. Its library is not touched.
pub(crate) async fn reject(desk: Rc<Desk>, order: RejectProposal) -> Result<Proposal, ProposalError> {
    let gate = Gate::Decision { decider: order.decider.clone(), tool: None };
    gate.check(&desk)?;
    let who = Who::decides(&desk, &order.decider).await?;
    retried(async || reject_once(&desk, &order, &gate, &who).await).await
}

async fn reject_once(desk: &Desk, order: &RejectProposal, gate: &Gate, who: &Who) -> Result<Proposal, Undecided> {
    let RejectProposal { id, note, .. } = order;
    let id = *id;
    let turn = desk.turn().await?;
    turn.settle().await?;
    // What has expired is expired, whether or not anybody has noticed by now.
    turn.expire().await?;
    gate.check(desk).map_err(ProposalError::from)?;
    let waiting = turn.state().open.get(&id).map(|kept| Rc::clone(&kept.record));
    let Some(waiting) = waiting.filter(|record| record.is_pending()) else {
        return Err(ProposalError::not_pending(&*desk.proposal(id).await?).into());
    };
    let words = "Rejected; nothing was written.".to_owned();
    let mut rejected: ProposalRecord = waiting.ended(ProposalStatus::Rejected, desk.now(), Some(words));
    rejected.shown.decided_by_name = Some(who.name.clone());
    rejected.shown.reject_note = note.as_ref().map(|note| clean(note.trim())).filter(|note| !note.is_empty());
    let shown = rejected.shown.clone();
    turn.commit(Batch { proposals: vec![rejected], told: vec![Told::Decided(id)], ..Batch::default() }).await?;
    Ok(shown)
}

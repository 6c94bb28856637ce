//! An admin's yes: the proposal is claimed while its library is locked, carried out once, and ends with the entry in the history.

use std::future::Future;
use std::rc::Rc;

use playhouse_bus::Deadline;
use playhouse_library::answer::ArrFailure;
use playhouse_store::CommitError;

use super::list::recipe;
use super::sweep::released;
use super::{Undecided, retried};
use crate::clean::clean;
use crate::desk::Desk;
use crate::failures::Unready;
use crate::gate::Gate;
use crate::ledger::{Batch, Told};
use crate::records::ProposalRecord;
use crate::target::lock;
use crate::tools::APPLY;
use crate::who::Who;
use crate::works::{InstanceTurn, UnderWay, Work};
use crate::write::profile::{Blocked, carry_out};
use crate::write::{Draft, NotBegun, Written};
use crate::{ApproveProposal, ChangeSource, Operation, Proposal, ProposalError, ProposalId, ProposalStatus};

type Reply = Result<Proposal, ProposalError>;

/// Waits for the library; what is handed over claims the proposal and carries it out, whoever waits for it.
pub(crate) async fn approve(
    desk: Rc<Desk>,
    order: ApproveProposal,
    deadline: Deadline,
) -> Result<impl Future<Output = Reply>, Reply> {
    let ApproveProposal { id, decider } = order;
    let gate = Gate::Decision { decider: decider.clone(), tool: Some(APPLY) };
    let prepared = async {
        gate.check(&desk)?;
        let record = desk.proposal(id).await?;
        if !record.is_open() {
            return Err(ProposalError::not_pending(&record));
        }
        let turn = lock(&desk, record.shown.instance_id, deadline).await;
        turn.ok_or_else(|| ProposalError::Unavailable {
            words: format!(
                "Another change of the settings of this library was still under way, so nothing was written and proposal {id} waits on. Try again \
                 in a minute."
            ),
        })
    };
    match prepared.await {
        Ok(turn) => Ok(async move {
            let approved = Approval { desk: &desk, id, gate: &gate, deadline }.run(&decider).await;
            drop::<InstanceTurn>(turn);
            approved
        }),
        Err(error) => Err(Err(error)),
    }
}

struct Approval<'a> {
    desk: &'a Desk,
    id: ProposalId,
    gate: &'a Gate,
    deadline: Deadline,
}

impl Approval<'_> {
    async fn run(&self, decider: &crate::Decider) -> Reply {
        // After the wait for the library.
        self.gate.check(self.desk)?;
        let who = Who::decides(self.desk, decider).await?;
        let (claimed, under_way) = self.claim(&who).await?;
        let recipe = recipe(&claimed);
        let instance = claimed.shown.instance_id;
        let ready = match recipe.make_ready(self.desk, instance, self.gate, self.deadline).await {
            Ok(ready) => ready,
            Err(Blocked::Lost(lost)) => return self.release(under_way, lost.into()).await,
            Err(Blocked::Unnamed) => {
                let words = format!(
                    "Nothing was written, and proposal {} waits on: the library has no name to be recorded under. Give it one.",
                    self.id
                );
                return self.release(under_way, ProposalError::Unavailable { words }).await;
            }
            Err(Blocked::Unready(Unready::Unread(failure))) => {
                return self.release(under_way, unavailable(self.id, &failure)).await;
            }
            Err(Blocked::Unready(Unready::Stale { words, .. })) => return self.fail_as_stale(under_way, &words).await,
        };
        // Consent is recorded at the proposal; the change is its proposer's.
        let proposer = Who {
            account: claimed.proposer,
            credential: claimed.credential,
            name: claimed.shown.proposed_by_name.clone(),
            label: None,
        };
        let profile_id = claimed.shown.profile_id;
        let source = ChangeSource::ExternalMcp;
        let draft = Draft {
            proposal: Some(self.id),
            ..Draft::of_profile(profile_id, &ready.profile, proposer, source, Operation::Update)
        };
        let written = Box::pin(carry_out(self.desk, profile_id, ready, draft, self.gate, None)).await;
        self.answer(written, under_way).await
    }

    /// Takes the proposal, if it still waits. Of two who decide at once, one finds it taken.
    async fn claim(&self, who: &Who) -> Result<(ProposalRecord, UnderWay), ProposalError> {
        retried(async || self.claim_once(who).await).await
    }

    async fn claim_once(&self, who: &Who) -> Result<(ProposalRecord, UnderWay), Undecided> {
        let turn = self.desk.turn().await?;
        turn.settle().await?;
        turn.expire().await?;
        let waiting = turn.state().open.get(&self.id).map(|kept| Rc::clone(&kept.record));
        let Some(waiting) = waiting.filter(|record| record.is_pending()) else {
            return Err(ProposalError::not_pending(&*self.desk.proposal(self.id).await?).into());
        };
        let mut claimed = ProposalRecord::clone(&waiting);
        claimed.shown.status = ProposalStatus::Executing;
        claimed.shown.decided_by_name = Some(who.name.clone());
        claimed.executing_at = Some(self.desk.now());
        // Not before what was left behind is settled: this very proposal may be of it, and would be taken for under way.
        let under_way = self.desk.begin(Work::Proposal(self.id));
        match turn.commit(Batch { proposals: vec![claimed.clone()], ..Batch::default() }).await {
            Ok(()) => Ok((claimed, under_way)),
            Err(error @ CommitError::Conflict { .. }) => {
                under_way.recorded();
                Err(error.into())
            }
            // Whether it was taken is not known: whoever looks after what is left finds out.
            Err(error) => Err(error.into()),
        }
    }

    /// Nothing was written and nothing speaks against another try: it waits on.
    async fn release(&self, under_way: UnderWay, error: ProposalError) -> Reply {
        self.put(under_way, |executing| (released(executing), Vec::new())).await?;
        Err(error)
    }

    /// What it depends on has moved on: it can never be carried out any more.
    async fn fail_as_stale(&self, under_way: UnderWay, words: &str) -> Reply {
        let words = clean(&format!("Nothing was written: {words} Have it proposed again."));
        let now = self.desk.now();
        self.put(under_way, |executing| {
            let failed = executing.ended(ProposalStatus::Failed, now, Some(words.clone()));
            (failed, vec![Told::Decided(self.id)])
        })
        .await?;
        Err(ProposalError::Stale { words })
    }

    async fn put(
        &self,
        under_way: UnderWay,
        change: impl FnOnce(&ProposalRecord) -> (ProposalRecord, Vec<Told>),
    ) -> Result<(), ProposalError> {
        let turn = self.desk.turn().await?;
        let executing = turn.state().open.get(&self.id).map(|kept| Rc::clone(&kept.record));
        if let Some(executing) = executing.filter(|record| record.is_executing()) {
            let (record, told) = change(&executing);
            turn.commit(Batch { proposals: vec![record], told, ..Batch::default() }).await?;
        }
        under_way.recorded();
        Ok(())
    }

    async fn answer(&self, written: Written, under_way: UnderWay) -> Reply {
        match written {
            Written::NotBegun(NotBegun::Lost(lost)) => self.release(under_way, lost.into()).await,
            Written::NotBegun(NotBegun::Taken) => {
                let words =
                    "The record of this changed in the same moment, so nothing was sent. Look at the proposal again.";
                self.release(under_way, ProposalError::Store { words: words.to_owned() }).await
            }
            Written::NotBegun(NotBegun::Store(words)) => {
                let words =
                    clean(&format!("Nothing was sent: what is about to be done could not be recorded ({words})."));
                self.release(under_way, ProposalError::Store { words }).await
            }
            Written::Applied(_) => {
                under_way.recorded();
                Ok(self.desk.proposal(self.id).await?.shown.clone())
            }
            Written::Failed { row, words, .. } => {
                drop(under_way);
                let words = format!("Nothing was changed: {words} See change {} in the history.", row.shown.id);
                Err(ProposalError::Failed { words: clean(&words) })
            }
            Written::Unsure(unsure) => {
                drop(under_way);
                let words = format!("{}. See change {} in the history.", unsure.words(), unsure.change);
                Err(ProposalError::Failed { words: clean(&words) })
            }
        }
    }
}

fn unavailable(id: ProposalId, failure: &ArrFailure) -> ProposalError {
    let words = format!("Nothing was written, and proposal {id} waits on: {failure}");
    ProposalError::Unavailable { words: clean(&words) }
}

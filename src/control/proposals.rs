//! The orders about the proposed changes of a house's quality profiles.

use std::time::Duration;

use playhouse_bus::Message;
use playhouse_proposals::{
    ApproveProposal, Decider, GetProposal, ListProposals, ProposalError, ProposalId, ProposalQueueActor, RejectProposal,
};
use serde::{Deserialize, Serialize};

use super::orders::{OrderReply, call_within, find_house, said};
use crate::instance::Instance;

/// How long reading a library, or carrying a change out at one, may take. The work is finished and recorded also when nobody waits for it.
pub(super) const SETTINGS_DEADLINE: Duration = Duration::from_secs(240);

/// What the operator may ask for about proposals.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "what")]
pub enum ProposalOrder {
    /// Lists a house's proposals, the newest first.
    List {
        /// Which house.
        house: String,
        /// Also those that are decided.
        all: bool,
    },
    /// Shows one, and whether it could be carried out now.
    Show {
        /// Which house.
        house: String,
        /// Which.
        id: ProposalId,
    },
    /// Approves one and carries it out. Approving again is refused.
    Approve {
        /// Which house.
        house: String,
        /// Which.
        id: ProposalId,
    },
    /// Rejects one. Rejecting again is refused.
    Reject {
        /// Which house.
        house: String,
        /// Which.
        id: ProposalId,
        /// Why, for the record.
        note: Option<String>,
    },
}

/// Carries out one order about proposals.
pub(super) async fn perform(instance: &Instance, order: ProposalOrder) -> Result<OrderReply, String> {
    match order {
        ProposalOrder::List { house, all } => {
            let list = ask(instance, &house, ListProposals { all }).await?;
            Ok(OrderReply::Proposals(serde_json::from_slice(&list).map_err(said)?))
        }
        ProposalOrder::Show { house, id } => {
            Ok(OrderReply::Proposal(Box::new(ask(instance, &house, GetProposal { id }).await?)))
        }
        ProposalOrder::Approve { house, id } => {
            let order = ApproveProposal { id, decider: Decider::Operator };
            Ok(OrderReply::Proposal(Box::new(ask(instance, &house, order).await?)))
        }
        ProposalOrder::Reject { house, id, note } => {
            let order = RejectProposal { id, decider: Decider::Operator, note };
            Ok(OrderReply::Proposal(Box::new(ask(instance, &house, order).await?)))
        }
    }
}

async fn ask<M, T>(instance: &Instance, house: &str, message: M) -> Result<T, String>
where
    M: Message<Actor = ProposalQueueActor, Reply = Result<T, ProposalError>>,
{
    let house = find_house(instance, house).await?;
    call_within(SETTINGS_DEADLINE, instance, ProposalQueueActor::key(house), message).await?.map_err(said)
}

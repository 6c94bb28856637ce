//! The orders about what was changed in the settings of a house's libraries.

use playhouse_bus::Message;
use playhouse_proposals::{ChangeError, ChangeId, Decider, GetChange, ListChanges, ProposalQueueActor, RestoreChange};
use serde::{Deserialize, Serialize};

use super::orders::{OrderReply, call_within, find_house, said};
use super::proposals::SETTINGS_DEADLINE;
use crate::instance::Instance;

/// What the operator may ask for about changes of settings.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "what")]
pub enum HistoryOrder {
    /// Lists changes without their details, the newest first.
    List {
        /// Which house.
        house: String,
        /// How many, from 1 to 200.
        limit: i64,
        /// Only those before this one.
        before: Option<ChangeId>,
    },
    /// Shows one, and how the library compares with it now.
    Show {
        /// Which house.
        house: String,
        /// Which.
        id: ChangeId,
    },
    /// Puts a profile back to what it was before a change, once.
    Restore {
        /// Which house.
        house: String,
        /// Which.
        id: ChangeId,
    },
}

/// Carries out one order about changes of settings.
pub(super) async fn perform(instance: &Instance, order: HistoryOrder) -> Result<OrderReply, String> {
    match order {
        HistoryOrder::List { house, limit, before } => {
            Ok(OrderReply::Changes(ask(instance, &house, ListChanges { limit, before }).await?))
        }
        HistoryOrder::Show { house, id } => {
            Ok(OrderReply::Change(Box::new(ask(instance, &house, GetChange { id }).await?)))
        }
        HistoryOrder::Restore { house, id } => {
            let order = RestoreChange { id, decider: Decider::Operator };
            Ok(OrderReply::Change(Box::new(ask(instance, &house, order).await?)))
        }
    }
}

async fn ask<M, T>(instance: &Instance, house: &str, message: M) -> Result<T, String>
where
    M: Message<Actor = ProposalQueueActor, Reply = Result<T, ChangeError>>,
{
    let house = find_house(instance, house).await?;
    call_within(SETTINGS_DEADLINE, instance, ProposalQueueActor::key(house), message).await?.map_err(said)
}

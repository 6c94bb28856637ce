//! Switching tools of a house off and on: what its actor does.

use std::collections::BTreeSet;

use playhouse_bus::{Answer, CallInfo, Handle, HouseId, Message};
use playhouse_store::{Expect, put};
use serde::{Deserialize, Serialize};

use crate::house::{HOUSE, HouseActor, HouseError, HouseServices, house_record};

/// Switches one tool of the house off or on, for everybody, from the very next call on. Repeating it changes nothing further.
/// The reply is everything that is switched off then.
#[derive(Debug, Serialize, Deserialize)]
pub struct SwitchTool {
    /// The tool's listed name. Whether there is such a tool is the door's to check: the house knows no tools.
    pub tool: String,
    /// Whether it may be called.
    pub enabled: bool,
}

impl Message for SwitchTool {
    type Actor = HouseActor;
    type Reply = Result<BTreeSet<String>, HouseError>;
}

impl Handle<SwitchTool> for HouseActor {
    fn handle(&mut self, order: SwitchTool, _: CallInfo) -> Answer<Self, Result<BTreeSet<String>, HouseError>> {
        let (house, services) = (self.house, self.services.clone());
        Answer::alone(async move { switch(house, &services, order).await }, |_, reply| reply)
    }
}

async fn switch(house: HouseId, services: &HouseServices, order: SwitchTool) -> Result<BTreeSet<String>, HouseError> {
    let SwitchTool { tool, enabled } = order;
    let is_name = (1..=64).contains(&tool.len())
        && tool.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    if !is_name {
        return Err(HouseError::NoToolName(tool.chars().take(64).collect()));
    }
    let (mut record, version) = house_record(house, services).await?;
    let changed = if enabled { record.disabled_tools.remove(&tool) } else { record.disabled_tools.insert(tool) };
    if changed {
        services.store.commit(house, vec![put(HOUSE, &record, Expect::Version(version))?], None).await?;
        services.switches.set(house, record.disabled_tools.clone());
    }
    Ok(record.disabled_tools)
}

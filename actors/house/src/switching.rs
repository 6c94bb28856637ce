//! Switching tools of a house off and on: what its actor does.

use std::collections::BTreeSet;

use playhouse_bus::{Answer, CallInfo, Handle, HouseId, Message};
use playhouse_store::{Expect, put};
use serde::{Deserialize, Serialize};

use crate::house::{HOUSE, HouseActor, HouseError, HouseServices, house_record};
use crate::switches::DisabledTools;

/// Switches one tool of the house off or on, for everybody, from the very next call on. Repeating it changes nothing further.
/// The reply is everything that is switched off then.
///
/// Where the stored switches cannot be read, this mends them: from then on exactly what the reply says is off.
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
    // What could not be read is replaced whole: the reply says what is off from now on, and that is everything there is.
    let was_unreadable = matches!(record.disabled_tools, DisabledTools::Unreadable(_));
    let mut tools = record.disabled_tools.names();
    let changed = if enabled { tools.remove(&tool) } else { tools.insert(tool) };
    if changed || was_unreadable {
        record.disabled_tools = DisabledTools::Known(tools.clone());
        services.store.commit(house, vec![put(HOUSE, &record, Expect::Version(version))?], None).await?;
        services.switches.set(house, tools.clone());
    }
    Ok(tools)
}

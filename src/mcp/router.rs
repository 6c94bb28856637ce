//! The actor that stands between the door and the wings: it authorises a call, finds its tool and runs it within the deadline.
//!
//! There is one a house, so that a tool that fails, or a house that floods, parks or fills its own house's router and no other's.

use std::sync::Arc;

use bytes::Bytes;
use playhouse_bus::{
    ActorId, ActorKey, ActorKind, Answer, Behaviour, Bus, CallInfo, Handle, HouseId, Message, StartError,
};
use playhouse_house::Principal;
use playhouse_tools::{Outcome, Registry, ToolCall};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Lists the tools that the principal may call, as the JSON array of `tools/list`.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListTools {
    /// Who asks.
    pub principal: Principal,
}

/// Calls a tool. What repeating does is the tool's to say. It has no `Debug`: arguments are what somebody watches or types.
#[derive(Serialize, Deserialize)]
pub struct CallTool {
    /// Who calls.
    pub principal: Principal,
    /// The listed name, or the dotted name of the system the tool comes from.
    pub name: String,
    /// The arguments, unchecked.
    pub arguments: Map<String, Value>,
    /// Whether to stop when the caller hangs up. In revision 2026-07-28 hanging up is how a call is cancelled; before that it is not.
    pub stop_with_caller: bool,
}

/// What every router is started with.
#[derive(Clone)]
pub struct RouterServices {
    /// All tools.
    pub registry: Arc<Registry>,
    /// The way to the wings.
    pub bus: Bus,
}

/// Lists and calls tools for one house. It keeps no state.
pub struct McpRouter {
    services: RouterServices,
}

impl McpRouter {
    /// The address of `house`'s router.
    pub const fn key(house: HouseId) -> ActorKey {
        ActorKey { house, kind: ActorKind::Mcp, id: ActorId::ONLY }
    }
}

impl Behaviour for McpRouter {
    const KIND: ActorKind = ActorKind::Mcp;
    type Services = RouterServices;

    async fn start(_: ActorKey, services: RouterServices) -> Result<Self, StartError> {
        Ok(Self { services })
    }
}

impl Message for ListTools {
    type Actor = McpRouter;
    type Reply = Bytes;
}

impl Handle<ListTools> for McpRouter {
    fn handle(&mut self, question: ListTools, _: CallInfo) -> Answer<Self, Bytes> {
        Answer::now(self.services.registry.list(&question.principal))
    }
}

impl Message for CallTool {
    type Actor = McpRouter;
    type Reply = Outcome;
}

impl Handle<CallTool> for McpRouter {
    fn handle(&mut self, order: CallTool, call: CallInfo) -> Answer<Self, Outcome> {
        let RouterServices { registry, bus } = self.services.clone();
        let CallTool { principal, name, arguments, stop_with_caller } = order;
        let call = ToolCall { principal, bus, deadline: call.deadline, chosen: None };
        let run = async move { registry.call(&name, arguments, call).await };
        if stop_with_caller { Answer::later(run) } else { Answer::to_the_end(run) }
    }
}

//! The actor that stands between the door and the wings: it authorises a call, finds its tool and runs it within the deadline.
//!
//! There is one a house, so that a tool that fails, or a house that floods, parks or fills its own house's router and no other's.

use std::sync::Arc;

use bytes::Bytes;
use playhouse_bus::{
    ActorId, ActorKey, ActorKind, Answer, Behaviour, Bus, CallInfo, Handle, HouseId, Message, StartError,
};
use playhouse_house::{Clock, KeyRing, Principal};
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
    /// The credentials in memory: a call may have waited since its key was checked at the door.
    pub key_ring: KeyRing,
    /// The time of day.
    pub clock: Clock,
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
        let RouterServices { registry, bus, key_ring, clock } = self.services.clone();
        let CallTool { principal, name, arguments, stop_with_caller } = order;
        // The door was passed, so this is not the door's refusal but what became of the call: a result that the model reads.
        let principal = match key_ring.current(principal.credential, clock()) {
            Ok(current) => Principal::clone(&current),
            Err(refusal) => return Answer::now(Outcome::Failed { words: refusal.to_string() }),
        };
        let call = ToolCall { principal, bus, deadline: call.deadline, chosen: None };
        let run = async move { registry.call(&name, arguments, call).await };
        if stop_with_caller { Answer::later(run) } else { Answer::to_the_end(run) }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use jiff::Timestamp;
    use playhouse_bus::{BusSettings, Deadline, Placement};
    use playhouse_house::{CredentialKind, Minted, Scope, Scopes, ToolSwitches, TvGrant, mint};

    use super::*;

    #[actix_web::test]
    async fn case_120_a_key_revoked_between_the_door_and_the_tool_is_told_so_in_a_result() {
        let scopes = Scopes::of(&[Scope::Tv]);
        let kind = CredentialKind::key(TvGrant::All);
        let Minted { mut credential, .. } = mint(kind, "k".into(), scopes, Timestamp::UNIX_EPOCH, &mut rand::rng());
        let (house, key_ring) = (HouseId::INSTANCE, KeyRing::new());
        key_ring.put(house, &credential);
        let bus = Bus::new(BusSettings::new(Placement::Current));
        bus.serve::<McpRouter>(RouterServices {
            registry: Arc::new(Registry::new(ToolSwitches::new())),
            bus: bus.clone(),
            key_ring: key_ring.clone(),
            clock: Arc::new(|| Timestamp::UNIX_EPOCH),
        });
        let principal = credential.principal(house);
        let call = async || {
            let principal = principal.clone();
            let call = CallTool { principal, name: "ring".into(), arguments: Map::new(), stop_with_caller: false };
            bus.call(McpRouter::key(house), call, Deadline::after(Duration::from_secs(5))).await.unwrap()
        };
        assert!(matches!(call().await, Outcome::NoSuchTool { .. }));

        credential.revoked_at = Some(Timestamp::UNIX_EPOCH);
        key_ring.put(house, &credential);

        assert_eq!(call().await, Outcome::Failed { words: "This access key was revoked.".to_owned() });
    }
}

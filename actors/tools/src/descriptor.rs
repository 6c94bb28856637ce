//! What a tool says of itself.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use playhouse_house::Scope;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::answer::{Answer, Failure};
use crate::call::{CallerArgument, ToolCall};

/// The words and marks under which a tool is listed.
#[derive(Debug, Clone)]
pub struct Descriptor {
    /// The listed name: `^[a-zA-Z0-9_-]{1,64}$`, because hosts drop a whole connector over one other name.
    pub name: &'static str,
    /// The dotted name of the system that this tool comes from: accepted on call, never listed.
    pub seed_name: Option<&'static str>,
    /// A short name for people.
    pub title: &'static str,
    /// What the model reads before it chooses the tool.
    pub description: &'static str,
    /// The scope a key needs for it.
    pub scope: Scope,
    /// What a call does to the world.
    pub effect: Effect,
    /// Whether the caller must also have the role `admin`.
    pub admin_only: bool,
    /// Whether the tool looks at nothing outside this instance.
    pub closed_world: bool,
    /// How long a call may take, where that is not what the operator allows calls in general.
    pub time_limit: Option<Duration>,
    /// Whether keys that are bound to an engagement may call it too.
    pub open_to_engagements: bool,
    /// In whose manner it answers and refuses.
    pub manner: Manner,
    /// Whether it belongs to the app's own chat. Such a tool is listed to no assistant from outside and is on no page for them; called from there
    /// all the same, it says that it is not for them. Houses can switch it off like any other.
    pub in_app_only: bool,
}

impl Descriptor {
    /// What most tools leave as it is. Names, words, scope and effect are always the tool's own.
    pub const DEFAULT: Descriptor = Descriptor {
        name: "",
        seed_name: None,
        title: "",
        description: "",
        scope: Scope::Operator,
        effect: Effect::Acts,
        admin_only: false,
        closed_world: false,
        time_limit: None,
        open_to_engagements: false,
        manner: Manner::Household,
        in_app_only: false,
    };
}

/// In whose manner a tool answers and refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// The household's: a structured object and prose; arguments that do not fit are a result that the model can act on.
    Household,
    /// The production office's: the REST document itself, which may be an array; arguments that do not fit are a JSON-RPC error, and
    /// refusals are the REST door's own bytes.
    Office,
}

/// What a call does to the world: the source of MCP's annotations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Changes nothing.
    Reads,
    /// Changes something, and repeating the call changes nothing further.
    Sets,
    /// Changes something each time.
    Acts,
    /// May take away something that cannot be brought back.
    Destroys,
}

impl Effect {
    /// Whether the call changes nothing.
    pub const fn read_only(self) -> bool {
        matches!(self, Effect::Reads)
    }

    /// Whether the call may take something away for good.
    pub const fn destructive(self) -> bool {
        matches!(self, Effect::Destroys)
    }

    /// Whether repeating the call changes nothing further.
    pub const fn idempotent(self) -> bool {
        matches!(self, Effect::Reads | Effect::Sets)
    }
}

/// One capability that an assistant may call.
///
/// The futures run on one arbiter and need not be `Send`.
pub trait Tool: Send + Sync + 'static {
    /// The arguments. Their schema is listed as `inputSchema`; unknown names are refused before this type is read.
    type Arguments: DeserializeOwned + JsonSchema;
    /// The structured answer. Its schema is listed as `outputSchema`; it has to be an object.
    type Output: Serialize + JsonSchema;

    /// The words and marks under which the tool is listed.
    fn descriptor(&self) -> Descriptor;

    /// An argument whose choices depend on who calls, such as the name of one of several TVs.
    fn caller_argument(&self) -> Option<Arc<dyn CallerArgument>> {
        None
    }

    /// Does it. The arguments were checked against the schema, and the caller's scope against the descriptor's.
    fn call(
        &self,
        call: ToolCall,
        arguments: Self::Arguments,
    ) -> impl Future<Output = Result<Answer<Self::Output>, Failure>>;
}

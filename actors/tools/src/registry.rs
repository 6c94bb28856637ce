//! All tools of the instance: what each caller is shown, and the way from a name and arguments to an outcome.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::FutureExt;
use futures_util::future::LocalBoxFuture;
use playhouse_house::{KeyRefusal, Principal, Role, Scopes, ToolSwitches};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::answer::{Failure, Outcome, Refusal};
use crate::arguments::{ArgumentCheck, nearest, sentence};
use crate::call::{CallerArgument, ToolCall};
use crate::descriptor::{Descriptor, Manner, Tool};
use crate::prompt::{PromptDescriptor, Prompts};
use crate::resource::{ResourceDescriptor, Resources};
use crate::schema::{document_schema, input_schema, output_schema};
use crate::whole_numbers::write_whole;

/// How many distinct views of the tool list are kept encoded. A view is a set of scopes, a role, what the house has switched off and the
/// names a caller may choose from.
const MAX_VIEWS: u64 = 1_024;

/// All tools, by name. Built once at the start and then only read.
pub struct Registry {
    tools: BTreeMap<&'static str, Registered>,
    seed_names: HashMap<&'static str, &'static str>,
    switches: ToolSwitches,
    resources: Resources,
    prompts: Prompts,
    /// `tools/list` encoded once for each distinct view.
    views: moka::sync::Cache<View, Bytes>,
}

struct Registered {
    descriptor: Descriptor,
    input: Value,
    output: Value,
    check: ArgumentCheck,
    caller_argument: Option<Arc<dyn CallerArgument>>,
    run: Box<dyn Fn(ToolCall, Value) -> LocalBoxFuture<'static, Outcome> + Send + Sync>,
}

/// All that the tool list of a caller depends on.
#[derive(Clone, PartialEq, Eq, Hash)]
struct View {
    scopes: Scopes,
    role: Role,
    is_engaged: bool,
    /// What the house has switched off.
    off: Option<Arc<BTreeSet<String>>>,
    /// Whether it is unreadable what the house has switched off: then only what reads is shown.
    only_reads: bool,
    /// Name and choices of each caller argument that is offered.
    offers: Vec<(&'static str, Vec<String>)>,
}

/// Two tools, resources or prompts were added under one name, or a tool's schema is not one that hosts accept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{name}` cannot be registered: {reason}")]
pub struct DuplicateTool {
    /// The name, or the resource's address.
    pub name: &'static str,
    /// What is wrong with it.
    pub reason: String,
}

/// One tool as the documentation page shows it.
#[derive(Debug, Clone, Serialize)]
pub struct ToolDocument {
    /// The listed name.
    pub name: &'static str,
    /// The dotted name that is accepted too.
    pub seed_name: Option<&'static str>,
    /// A short name for people.
    pub title: &'static str,
    /// What the model reads.
    pub description: &'static str,
    /// The scope it needs.
    pub scope: &'static str,
    /// Schema of the arguments.
    pub input: Value,
    /// Schema of the structured answer.
    pub output: Value,
    /// Name and description of the argument whose choices depend on the caller.
    pub caller_argument: Option<(&'static str, &'static str)>,
    /// MCP's annotations.
    pub annotations: Value,
}

impl Registry {
    /// A registry without tools, which heeds what houses have switched off.
    pub fn new(switches: ToolSwitches) -> Self {
        let views = moka::sync::Cache::new(MAX_VIEWS);
        Self {
            tools: BTreeMap::new(),
            seed_names: HashMap::new(),
            switches,
            resources: Resources::default(),
            prompts: Prompts::default(),
            views,
        }
    }

    /// Adds a tool.
    ///
    /// # Errors
    /// [`DuplicateTool`] when the name is taken or not one that hosts accept, or when a schema is not a plain object.
    pub fn add<T: Tool>(&mut self, tool: T) -> Result<(), DuplicateTool> {
        let descriptor = tool.descriptor();
        let name = descriptor.name;
        let refuse = |reason: &str| Err(DuplicateTool { name, reason: reason.to_owned() });
        if !is_listable(name) {
            return refuse("a name has 1 to 64 characters of a-z, A-Z, 0-9, _ and -");
        }
        let input = input_schema::<T::Arguments>();
        let output = match descriptor.manner {
            Manner::Household => output_schema::<T::Output>(),
            Manner::Office => document_schema::<T::Output>(),
        };
        if output["type"] != "object" && descriptor.manner == Manner::Household {
            return refuse("its output is not an object");
        }
        let check = ArgumentCheck::new(&input).map_err(|reason| DuplicateTool { name, reason })?;
        if self.tools.contains_key(name) {
            return refuse("the name is taken");
        }
        if descriptor.seed_name.is_some_and(|seed_name| self.seed_names.contains_key(seed_name)) {
            return refuse("its seed name is taken");
        }
        // Nothing refuses from here on, so that a refused tool leaves no trace.
        self.seed_names.extend(descriptor.seed_name.map(|seed_name| (seed_name, name)));
        let caller_argument = tool.caller_argument();
        let tool = Arc::new(tool);
        let run =
            Box::new(move |call: ToolCall, arguments: Value| run(Arc::clone(&tool), call, arguments).boxed_local());
        let registered = Registered { descriptor, input, output, check, caller_argument, run };
        self.tools.insert(name, registered);
        Ok(())
    }

    /// Adds a resource. The tool it is read through comes first.
    ///
    /// # Errors
    /// [`DuplicateTool`] when one of its addresses is taken or there is no such tool.
    pub fn add_resource(&mut self, resource: ResourceDescriptor) -> Result<(), DuplicateTool> {
        let name = resource.uri;
        if !self.tools.contains_key(resource.tool) {
            return Err(DuplicateTool { name, reason: format!("there is no tool {}", resource.tool) });
        }
        self.resources.add(resource).map_err(|reason| DuplicateTool { name, reason: reason.to_owned() })
    }

    /// Adds a prompt.
    ///
    /// # Errors
    /// [`DuplicateTool`] when its name is taken.
    pub fn add_prompt(&mut self, prompt: PromptDescriptor) -> Result<(), DuplicateTool> {
        self.prompts.add(prompt).map_err(|reason| DuplicateTool { name: prompt.name, reason: reason.to_owned() })
    }

    /// The documents that clients may read as context.
    pub fn resources(&self) -> &Resources {
        &self.resources
    }

    /// The questions that clients may offer ready-made.
    pub fn prompts(&self) -> &Prompts {
        &self.prompts
    }

    /// The tools `principal` may call, sorted by name, as the JSON array of `tools/list`. Encoded once for each distinct view.
    pub fn list(&self, principal: &Principal) -> Bytes {
        let view = View {
            scopes: principal.scopes,
            role: principal.role,
            is_engaged: principal.engagement().is_some(),
            off: self.switches.off(principal.house),
            only_reads: self.switches.are_unreadable(principal.house),
            offers: self.offers(principal),
        };
        if let Some(encoded) = self.views.get(&view) {
            return encoded;
        }
        let encoded = Bytes::from(self.encode(&view));
        self.views.insert(view, encoded.clone());
        encoded
    }

    /// Calls a tool by its listed name or its seed name.
    pub async fn call(&self, name: &str, mut arguments: Map<String, Value>, mut call: ToolCall) -> Outcome {
        let Some(tool) = self.find(name) else {
            let listable = self.tools.values().filter(|tool| !tool.descriptor.in_app_only);
            let nearest = nearest(name, listable.map(|tool| tool.descriptor.name)).map(str::to_owned);
            return Outcome::NoSuchTool { nearest };
        };
        if let Err(refusal) = tool.admit(&call.principal) {
            return tool.refused(refusal.into());
        }
        let Descriptor { name, effect, .. } = tool.descriptor;
        if self.switches.forbid(call.principal.house, name, effect.read_only()) {
            let words =
                format!("The tool {name} is switched off in this house. An admin of the house can switch it on.");
            return Outcome::Failed { words };
        }
        if tool.descriptor.admin_only && call.principal.role != Role::Admin {
            let words = format!(
                "The tool {} is for admins of the house, and this key belongs to an account with the role '{}'. Ask an admin.",
                tool.descriptor.name, call.principal.role
            );
            return Outcome::Failed { words };
        }
        let offer = tool.offer(&call.principal);
        let (chosen, mut faults) = match &offer {
            None => (None, Vec::new()),
            Some((name, choices)) => match choose(name, choices, &mut arguments) {
                Ok(chosen) => (Some(chosen), Vec::new()),
                Err(fault) => (None, vec![fault]),
            },
        };
        faults.extend(tool.check.faults(&mut arguments, offer.as_ref().map(|(name, _)| *name)));
        if !faults.is_empty() {
            return tool.misfit(sentence(&faults));
        }
        write_whole(&mut arguments, &tool.input);
        call.chosen = chosen;
        let outcome = (tool.run)(call, Value::Object(arguments)).await;
        match (tool.descriptor.manner, outcome) {
            (Manner::Household, Outcome::Malformed { words }) => Outcome::Failed { words },
            (Manner::Household, outcome) => outcome,
            (Manner::Office, Outcome::Answered { structured, .. }) => {
                Outcome::Document { json: structured, is_object: tool.answers_object() }
            }
            (Manner::Office, Outcome::Refused(refusal)) => Outcome::RefusedByOffice(refusal),
            (Manner::Office, outcome) => outcome,
        }
    }

    /// The listed name behind a listed name or a seed name: what metrics and traces are labelled with.
    pub fn listed_name(&self, name: &str) -> Option<&'static str> {
        self.find(name).map(|tool| tool.descriptor.name)
    }

    /// How long a call of the tool may take, where that is the tool's own to say.
    pub fn time_limit(&self, name: &str) -> Option<Duration> {
        self.find(name)?.descriptor.time_limit
    }

    /// Each tool's descriptor, sorted by name.
    pub fn descriptors(&self) -> impl Iterator<Item = &Descriptor> {
        self.tools.values().map(|tool| &tool.descriptor)
    }

    /// Each tool as the documentation page shows it, sorted by name. The page is for assistants from outside.
    pub fn documents(&self) -> Vec<ToolDocument> {
        let document = |tool: &Registered| ToolDocument {
            name: tool.descriptor.name,
            seed_name: tool.descriptor.seed_name,
            title: tool.descriptor.title,
            description: tool.descriptor.description,
            scope: tool.descriptor.scope.as_str(),
            input: tool.input.clone(),
            output: tool.output.clone(),
            caller_argument: tool.caller_argument.as_ref().map(|argument| (argument.name(), argument.description())),
            annotations: annotations(&tool.descriptor),
        };
        self.tools.values().filter(|tool| !tool.descriptor.in_app_only).map(document).collect()
    }

    fn find(&self, name: &str) -> Option<&Registered> {
        self.tools.get(name).or_else(|| self.tools.get(self.seed_names.get(name)?))
    }

    fn offers(&self, principal: &Principal) -> Vec<(&'static str, Vec<String>)> {
        let mut offers: Vec<(&'static str, Vec<String>)> = Vec::new();
        for tool in self.tools.values() {
            let is_new = |argument: &Arc<dyn CallerArgument>| offers.iter().all(|(name, _)| *name != argument.name());
            if tool.caller_argument.as_ref().is_some_and(is_new) {
                offers.extend(tool.offer(principal));
            }
        }
        offers
    }

    fn encode(&self, view: &View) -> String {
        let listed = |tool: &Registered| {
            let mut input = tool.input.clone();
            let offer = tool.caller_argument.as_ref().and_then(|argument| {
                let (_, choices) = view.offers.iter().find(|(name, _)| *name == argument.name())?;
                Some((argument, choices))
            });
            if let Some((argument, choices)) = offer {
                input["properties"][argument.name()] =
                    json!({"type": "string", "enum": choices, "description": argument.description()});
                match &mut input["required"] {
                    Value::Array(required) => required.push(json!(argument.name())),
                    absent => *absent = json!([argument.name()]),
                }
            }
            let mut listed = json!({
                "name": tool.descriptor.name,
                "title": tool.descriptor.title,
                "description": tool.descriptor.description,
                "inputSchema": input,
                "annotations": annotations(&tool.descriptor),
            });
            if tool.answers_object() {
                listed["outputSchema"] = tool.output.clone();
            }
            listed
        };
        let visible = self.tools.values().filter(|tool| view.shows(&tool.descriptor));
        Value::Array(visible.map(listed).collect()).to_string()
    }
}

impl View {
    fn shows(&self, descriptor: &Descriptor) -> bool {
        self.scopes.contains(descriptor.scope)
            && (self.role == Role::Admin || !descriptor.admin_only)
            && (!self.is_engaged || descriptor.open_to_engagements)
            && self.off.as_ref().is_none_or(|off| !off.contains(descriptor.name))
            && (!self.only_reads || descriptor.effect.read_only())
            && !descriptor.in_app_only
    }
}

impl Registered {
    /// Whether a key opens this tool: first its scope, then the door for those bound to an engagement.
    fn admit(&self, principal: &Principal) -> Result<(), KeyRefusal> {
        principal.require(self.descriptor.scope)?;
        if principal.engagement().is_some() && !self.descriptor.open_to_engagements {
            return Err(KeyRefusal::EngagementDoor);
        }
        Ok(())
    }

    fn refused(&self, refusal: Refusal) -> Outcome {
        match self.descriptor.manner {
            Manner::Household => Outcome::Refused(refusal),
            Manner::Office => Outcome::RefusedByOffice(refusal),
        }
    }

    fn misfit(&self, words: String) -> Outcome {
        match self.descriptor.manner {
            Manner::Household => Outcome::Failed { words },
            Manner::Office => Outcome::Malformed { words },
        }
    }

    /// Whether the answer is an object, and so structured content; an office tool's may be a list.
    fn answers_object(&self) -> bool {
        self.output["type"] == "object"
    }

    /// Name and choices of the caller argument, where this caller is offered it.
    fn offer(&self, principal: &Principal) -> Option<(&'static str, Vec<String>)> {
        let argument = self.caller_argument.as_ref()?;
        Some((argument.name(), argument.choices(principal)?))
    }
}

async fn run<T: Tool>(tool: Arc<T>, call: ToolCall, arguments: Value) -> Outcome {
    let arguments = match serde_json::from_value(arguments) {
        Ok(arguments) => arguments,
        // The schema let through what the type does not take, such as two arguments that exclude each other.
        Err(error) => return Outcome::Malformed { words: format!("Wrong arguments: {error}.") },
    };
    match tool.call(call, arguments).await {
        Ok(answer) => match serde_json::to_string(&answer.output) {
            Ok(structured) => Outcome::Answered { structured, prose: answer.prose, is_error: answer.is_error },
            Err(error) => Outcome::Failed { words: format!("The answer could not be written as JSON: {error}.") },
        },
        Err(Failure::World(words)) => Outcome::Failed { words },
        Err(Failure::Refused(refusal)) => Outcome::Refused(refusal),
    }
}

/// Takes the caller argument out of the arguments; an error says what is wrong with it.
fn choose(name: &str, choices: &[String], arguments: &mut Map<String, Value>) -> Result<String, String> {
    let list = || choices.iter().map(|choice| format!("\"{choice}\"")).collect::<Vec<_>>().join(", ");
    match arguments.remove(name) {
        None | Some(Value::Null) => Err(format!("`{name}` is required: one of {}", list())),
        Some(Value::String(chosen)) if choices.contains(&chosen) => Ok(chosen),
        Some(other) => {
            let shown: String = other.to_string().chars().take(60).collect();
            Err(format!("`{name}` is {shown}, expected one of {}", list()))
        }
    }
}

fn annotations(descriptor: &Descriptor) -> Value {
    json!({
        "title": descriptor.title,
        "readOnlyHint": descriptor.effect.read_only(),
        "destructiveHint": descriptor.effect.destructive(),
        "idempotentHint": descriptor.effect.idempotent(),
        "openWorldHint": !descriptor.closed_world,
    })
}

fn is_listable(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

#[cfg(test)]
mod tests {
    use playhouse_house::Scope;
    use schemars::JsonSchema;
    use serde::Deserialize;

    use super::*;
    use crate::{Answer, Effect};

    struct Bell {
        name: &'static str,
        seed_name: Option<&'static str>,
        title: &'static str,
    }

    #[derive(Deserialize, JsonSchema)]
    struct Rings {}

    #[derive(Serialize, JsonSchema)]
    struct Rung {}

    impl Tool for Bell {
        type Arguments = Rings;
        type Output = Rung;

        fn descriptor(&self) -> Descriptor {
            let Bell { name, seed_name, title } = *self;
            Descriptor {
                name,
                seed_name,
                title,
                description: "Rings.",
                scope: Scope::Tv,
                effect: Effect::Acts,
                ..Descriptor::DEFAULT
            }
        }

        async fn call(&self, _: ToolCall, _: Rings) -> Result<Answer<Rung>, Failure> {
            Ok(Answer::new(Rung {}, "It rang."))
        }
    }

    #[test]
    fn where_the_switches_cannot_be_read_only_what_reads_is_listed() {
        struct Peep;
        impl Tool for Peep {
            type Arguments = Rings;
            type Output = Rung;

            fn descriptor(&self) -> Descriptor {
                Descriptor { name: "peep", scope: Scope::Tv, effect: Effect::Reads, ..Descriptor::DEFAULT }
            }

            async fn call(&self, _: ToolCall, _: Rings) -> Result<Answer<Rung>, Failure> {
                Ok(Answer::new(Rung {}, "Somebody is there."))
            }
        }
        let switches = ToolSwitches::new();
        let mut registry = Registry::new(switches.clone());
        registry.add(Bell { name: "ring", seed_name: None, title: "First" }).unwrap();
        registry.add(Peep).unwrap();
        let principal = Principal {
            house: playhouse_bus::HouseId::INSTANCE,
            credential: "0123456789".parse().unwrap(),
            caller: playhouse_house::Caller::Key {
                tvs: playhouse_house::TvGrant::All,
                account: None,
                engagement: None,
            },
            scopes: Scopes::of(&[Scope::Tv]),
            role: Role::Admin,
        };
        let names = || {
            let listed: Value = serde_json::from_slice(&registry.list(&principal)).unwrap();
            listed.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names(), ["peep", "ring"]);
        switches.take_over(principal.house, playhouse_house::DisabledTools::Unreadable(json!(7)));
        assert_eq!(names(), ["peep"]);
        switches.set(principal.house, BTreeSet::from(["peep".to_owned()]));
        assert_eq!(names(), ["ring"]);
    }

    #[test]
    fn a_refused_tool_leaves_no_trace() {
        let mut registry = Registry::new(ToolSwitches::new());
        registry.add(Bell { name: "ring", seed_name: Some("bell.ring"), title: "First" }).unwrap();
        for refused in [
            Bell { name: "ring", seed_name: Some("bell.again"), title: "Second" },
            Bell { name: "chime", seed_name: Some("bell.ring"), title: "Second" },
            Bell { name: "bell.toll", seed_name: Some("toll"), title: "Second" },
        ] {
            assert!(registry.add(refused).is_err());
        }
        let titles: Vec<_> = registry.descriptors().map(|descriptor| descriptor.title).collect();
        assert_eq!(titles, ["First"]);
        assert_eq!(registry.listed_name("bell.ring"), Some("ring"));
        assert_eq!((registry.listed_name("bell.again"), registry.listed_name("toll")), (None, None));
    }
}

//! What an MCP tool is, whichever wing it belongs to.
//!
//! A wing implements [`Tool`] once a capability and adds it to the [`Registry`]. From that one definition come the entry in
//! `tools/list`, the check of the arguments, the structured answer and the documentation page. The crate knows neither HTTP nor
//! JSON-RPC: it takes a name and a JSON object and answers an [`Outcome`], which the door encodes.

mod answer;
mod arguments;
mod call;
mod descriptor;
mod prompt;
mod registry;
mod resource;
mod schema;
mod whole_numbers;

pub use answer::{Answer, Failure, Outcome, Refusal};
pub use call::{CallerArgument, ToolCall};
pub use descriptor::{Descriptor, Effect, Manner, Tool};
pub use prompt::{ArgumentForm, PromptArgument, PromptArguments, PromptDescriptor, Prompts};
pub use registry::{DuplicateTool, Registry, ToolDocument};
pub use resource::{Audience, RESOURCE_MEDIA_TYPE, ResourceDescriptor, Resources};

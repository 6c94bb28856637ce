//! What a tool is told of the call it serves.

use playhouse_bus::{Bus, Deadline};
use playhouse_house::Principal;

/// The circumstances of one call.
#[derive(Clone)]
pub struct ToolCall {
    /// Who calls. A tool acts for this principal's house and for no other.
    pub principal: Principal,
    /// The way to the actors.
    pub bus: Bus,
    /// When the caller stops waiting.
    pub deadline: Deadline,
    /// The choice made for the tool's [`CallerArgument`]; `None` where the caller was not offered one.
    pub chosen: Option<String>,
}

/// An argument whose choices depend on who calls: a key granted several TVs sees `tv`, a token for one TV does not.
///
/// Where it is offered it is required, and its schema is an enum of exactly the choices.
pub trait CallerArgument: Send + Sync {
    /// The argument's name.
    fn name(&self) -> &'static str;

    /// What the model reads about it.
    fn description(&self) -> &'static str;

    /// The choices for this caller, in a stable order; `None` where the argument is not offered. Called on every call: keep it cheap.
    fn choices(&self, principal: &Principal) -> Option<Vec<String>>;
}

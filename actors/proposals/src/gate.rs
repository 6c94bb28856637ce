//! Whether somebody may still do something: asked at the start, after every wait, and right before a write.

use std::fmt;

use playhouse_house::{KeyRefusal, Principal, Role, Scope};

use crate::desk::Desk;
use crate::{Caller, Decider, Origin};

/// What somebody is about to do, and by which right.
#[derive(Debug, Clone)]
pub(crate) enum Gate {
    /// A tool is called.
    Tool {
        /// By whom.
        principal: Principal,
        /// Whether it is the server itself, which has no key.
        is_internal: bool,
        /// Which tool.
        tool: &'static str,
    },
    /// An admin decides or restores.
    Decision {
        /// Who.
        decider: Decider,
        /// The tool that is carried out by it. A restore is a human's doing and asks no switch.
        tool: Option<&'static str>,
    },
}

/// Why somebody may not do something any more. `Display` says what is the case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Lost {
    /// The key does not hold, or not for this house or this.
    Key(KeyRefusal),
    /// The person is no admin.
    Role(Role),
    /// The tool is switched off.
    SwitchedOff(&'static str),
}

impl Gate {
    pub(crate) fn of_tool(caller: &Caller, tool: &'static str) -> Self {
        let is_internal = caller.origin == Origin::Internal;
        Gate::Tool { principal: caller.principal.clone(), is_internal, tool }
    }

    /// First the key, then the switch, then scope and role, as every tool call is checked.
    pub(crate) fn check(&self, desk: &Desk) -> Result<(), Lost> {
        let is_off = |tool| desk.services.switches.forbid(desk.house, tool, false);
        match self {
            Gate::Tool { principal, is_internal, tool } => {
                if principal.house != desk.house {
                    return Err(Lost::Key(KeyRefusal::Invalid));
                }
                let current = match is_internal {
                    true => None,
                    false => Some(standing(desk, principal.credential)?),
                };
                if is_off(tool) {
                    return Err(Lost::SwitchedOff(tool));
                }
                current.map_or(Ok(()), |current| may(&current, Scope::MediaAdmin))
            }
            Gate::Decision { decider, tool } => {
                let current = match decider {
                    Decider::Operator => None,
                    Decider::Key { credential } => Some(standing(desk, *credential)?),
                };
                if let Some(current) = current {
                    may(&current, Scope::HouseAdmin)?;
                }
                match tool {
                    Some(tool) if is_off(tool) => Err(Lost::SwitchedOff(tool)),
                    _ => Ok(()),
                }
            }
        }
    }
}

/// What a key opens now, in this house.
fn standing(desk: &Desk, credential: playhouse_house::CredentialId) -> Result<std::sync::Arc<Principal>, Lost> {
    let current = desk.services.key_ring.current(credential, desk.now()).map_err(Lost::Key)?;
    match current.house == desk.house {
        true => Ok(current),
        false => Err(Lost::Key(KeyRefusal::Invalid)),
    }
}

fn may(current: &Principal, scope: Scope) -> Result<(), Lost> {
    current.require(scope).map_err(Lost::Key)?;
    match current.role {
        Role::Admin => Ok(()),
        role @ Role::User => Err(Lost::Role(role)),
    }
}

impl fmt::Display for Lost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lost::Key(refusal) => write!(f, "{refusal}"),
            Lost::Role(role) => {
                write!(f, "This is for admins of the house, and the key belongs to an account with the role '{role}'.")
            }
            Lost::SwitchedOff(tool) => write!(f, "The tool {tool} is switched off in this house."),
        }
    }
}

//! Who asks for a change, and who decides about one.

use playhouse_bus::HouseId;
use playhouse_house::{CredentialId, Principal};
use serde::{Deserialize, Serialize};

/// Who asks, as the server knows it. Nothing of it comes from a model or from the wire.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Caller {
    /// The caller as it was checked at the door. Its credential is checked again after every wait and right before a write.
    pub principal: Principal,
    /// By which way it comes.
    pub origin: Origin,
}

/// By which way a caller comes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// An assistant of somebody's own, over MCP: it may propose, and change formats.
    ExternalMcp,
    /// A turn of the app's own chat, opened by this server for an authenticated person.
    Chat(ChatTurn),
    /// The server itself, for nobody in particular.
    Internal,
}

/// One turn of the app's own chat. `Debug` shows nothing of what was said.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatTurn {
    /// Sixteen random bytes as hexadecimal digits, drawn for this one request.
    pub id: String,
    /// What the person said last in it; empty where the last message was not the person's.
    pub said: String,
}

impl std::fmt::Debug for ChatTurn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ChatTurn").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Who decides about a proposal, or restores.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decider {
    /// An admin of the house, by a key with `house:admin`. Checked again right before a write.
    Key {
        /// The key.
        credential: CredentialId,
    },
    /// Whoever has the rights of the data folder, by the command line.
    Operator,
}

impl Caller {
    /// The house everything is about.
    pub const fn house(&self) -> HouseId {
        self.principal.house
    }
}

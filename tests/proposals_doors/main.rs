//! Changes of library settings at the doors: proposals, history, events and tool switches over REST, on the command line and over MCP.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

mod access;
#[path = "../common/mod.rs"]
mod common;
mod events;
mod stream;
mod switches;

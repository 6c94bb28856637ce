//! Changes of library settings at the doors: proposals, history, events and tool switches over REST, on the command line and over MCP.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

#[path = "../common/mod.rs"]
mod common;

mod access;
mod assistant;
mod deciding;
mod events;
mod expiring;
mod restoring;
mod scene;
mod stream;
mod switches;

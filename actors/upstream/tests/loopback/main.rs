//! The client against a service on loopback that answers what it is told, byte for byte.

#![expect(clippy::unwrap_used, reason = "a test may stop where it is surprised")]

mod answers;
mod compressed;
mod guard;
mod pieces;
#[path = "../support/mod.rs"]
mod support;
mod writes;

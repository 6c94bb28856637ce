//! Playhouse: one hosted service through which AI assistants run a household's TVs.
//!
//! This crate holds the doors and the wiring. A door translates and never decides; what decides are the actors of the wings, in crates of
//! their own below `actors/`.

pub mod boot;
pub mod bridge;
pub mod cli;
pub mod config;
pub mod control;
pub mod demo;
pub mod docs;
pub mod http;
pub mod instance;
pub mod limits;
pub mod master_key;
pub mod mcp;
pub mod pairing;
pub mod rest;
pub mod telemetry;
mod title_bridge;
pub mod waitlist;

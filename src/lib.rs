//! Playhouse.

pub mod bridge;
pub mod config;
pub mod http;
pub mod limits;
pub mod mcp;
pub mod rest;
pub mod door;
pub mod pairing;
pub mod telemetry;
pub mod waitlist;

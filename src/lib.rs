//! Playhouse.

pub mod bridge;
pub mod config;
pub mod door;
pub mod http;
pub mod limits;
pub mod mcp;
pub mod pairing;
pub mod rest;
pub mod telemetry;
pub mod waitlist;

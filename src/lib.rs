//! Playhouse.

pub mod config;
pub mod http;
pub mod limits;
pub mod mcp;
pub mod rest;
pub mod telemetry;

//! Playhouse.

pub mod config;
pub mod limits;
pub mod telemetry;

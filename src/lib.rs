//! Playhouse.

pub mod bridge;
pub mod config;
pub mod door;
pub mod http;
pub mod limits;
// pub mod pairing;
pub mod telemetry;
pub mod waitlist;

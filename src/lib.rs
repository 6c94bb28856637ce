//! Playhouse.

pub mod config;

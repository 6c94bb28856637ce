//! Profiles and formats of an instance, asked of its actor and against an application on loopback.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

mod comparing;
mod confirming;
mod formats;
mod home;
mod preparing;
mod reading;
mod ready;
mod recorded;
mod restoring;
mod writing;

#[path = "../client/shared.rs"]
mod shared;

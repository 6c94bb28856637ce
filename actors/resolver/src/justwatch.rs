//! JustWatch: on which services a title is, with links into their Android TV apps.
//!
//! The source is unofficial, so it may vanish or change without notice: nothing depends on any one field, it can be switched off, it is
//! asked slowly and seldom, and what fails here is answered from TMDB without links.

mod client;
mod find;
mod query;
mod wire;

pub use client::{JustWatchClient, JustWatchSettings, PUBLIC_ADDRESS};
pub(crate) use find::{WantedTitle, find_offers};
pub(crate) use wire::{Condition, Offer};

//! What one library says of itself: calendar, history, timelines, files and settings.

pub(crate) mod calendar;
pub(crate) mod config;
mod identity;
mod instants;
mod records;
pub(crate) mod timeline;

//! What one library says of itself: calendar, history, timelines, files and settings.

mod instants;
pub(crate) mod timeline;

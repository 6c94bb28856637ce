//! A household's media libraries, operated for real: Radarr, Sonarr, Lidarr and Chaptarr.

mod reads;
pub mod client;
mod service;

pub use service::{Facts, HistoryKind, MediaSelection, MediaType, Service};

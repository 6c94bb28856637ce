//! A household's media libraries, operated for real: Radarr, Sonarr, Lidarr and Chaptarr.

pub mod doctor;
mod service;
mod words;

pub use service::{Facts, HistoryKind, MediaSelection, MediaType, Service};

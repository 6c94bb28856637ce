//! A household's media libraries, operated for real: Radarr, Sonarr, Lidarr and Chaptarr.

pub mod doctor;
mod reads;
mod words;

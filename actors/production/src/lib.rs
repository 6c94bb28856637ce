//! A film production's office: what its people and vendors may read, and what they may change.

pub mod import;
pub mod media;
pub mod model;

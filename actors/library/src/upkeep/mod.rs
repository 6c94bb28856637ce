//! How an instance fares: the room on its disks and its own complaints.

mod disks;
mod health;

pub use disks::{Disks, ReadDisks, Volume};
pub use health::{Check, CheckLevel, Health, ReadHealth};

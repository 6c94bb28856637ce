//! What the instance tells its operator.

pub mod names;

//! The time of day, passed in.

use std::sync::Arc;

use jiff::Timestamp;

/// Answers what time it is. The store asks it for the end of claims and for nothing else.
pub type Clock = Arc<dyn Fn() -> Timestamp + Send + Sync>;

/// The machine's clock.
pub fn system_clock() -> Clock {
    Arc::new(Timestamp::now)
}

//! Instants in prose: always UTC, and never finer than a reader needs.

use jiff::Timestamp;

/// The UTC day, such as `2026-11-30`.
pub(crate) fn day(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d").to_string()
}

/// The UTC minute, such as `2026-11-30 12:00 UTC`; the services' dates carry seven digits of a second that nobody reads.
pub(crate) fn minute(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

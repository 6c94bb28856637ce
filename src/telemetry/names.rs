//! Names.

/// Refusals.
pub const LIMIT_REFUSALS: &str = "playhouse_limit_refusals_total";
/// Tracked.
pub const LIMIT_TRACKED_ADDRESSES: &str = "playhouse_limit_tracked_addresses";

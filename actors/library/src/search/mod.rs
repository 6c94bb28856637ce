//! Searching for releases, and fetching one.

mod grab;
mod offers;
mod releases;
mod resolved;
mod scope;
mod trigger;

use std::time::Duration;

use playhouse_bus::Deadline;

pub use grab::{GrabRelease, Grabbed};
pub use offers::ReleaseRow;
pub use releases::{Releases, SearchReleases};
pub use scope::{ReleaseScope, ScopeArguments, ScopeFault};
pub use trigger::{NothingToSearch, SearchTarget, TargetArguments, TargetFault, TriggerSearch, Triggered};

/// The deadline for what comes first, when `kept` of the time is needed for what comes behind it.
fn kept_back(deadline: Deadline, kept: Duration) -> Deadline {
    Deadline::after(deadline.remaining().saturating_sub(kept))
}

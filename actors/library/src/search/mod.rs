//! Searching for releases, and fetching one.

mod grab;
mod offers;
mod releases;
mod resolved;
mod scope;
mod trigger;

pub use grab::{GrabRelease, Grabbed};
pub use offers::ReleaseRow;
pub use releases::{Releases, SearchReleases};
pub use scope::{ReleaseScope, ScopeArguments, ScopeFault};
pub use trigger::{NothingToSearch, SearchTarget, TargetArguments, TargetFault, TriggerSearch, Triggered};

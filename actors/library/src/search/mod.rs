//! Searching for releases and fetching one.

pub(crate) mod offers;
pub(crate) mod scope;

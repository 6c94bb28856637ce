//! The downloads in flight: read whole or not at all, told apart by download, narrowed, and diagnosed.

mod diagnosis;
mod item;
mod narrow;
mod read;
pub(crate) mod row;
mod snapshot;
mod text;

#[cfg(test)]
mod tests;

pub(crate) use diagnosis::{DiagnoseQueue, DiagnosedQueue, PreventionHint, Problem};
pub(crate) use item::{Downloads, QueueItem};
pub(crate) use narrow::narrow;
pub(crate) use read::{QueueRead, ReadQueue};
pub(crate) use snapshot::read_queue;
pub(crate) use text::short;

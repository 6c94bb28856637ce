//! Putting right what is stuck: removing downloads, importing their files by hand, and having a service look again.
//!
//! Every change goes through the instance's lane for writes, is sent once, and ends in one of four ways that the caller is told: done, not
//! started, begun and not finished, or unknown. What is unknown is never repeated by itself: the service may have done it.

mod air_dates;
mod candidates;
mod import;
mod journal;
mod remediation;
mod removal;
mod rescan;
mod selection;

#[cfg(test)]
mod tests;

pub(crate) use candidates::{CandidateFile, Candidates, ReadCandidates};
pub(crate) use import::{EMPTY, ImportAccepted, ImportFiles};
pub(crate) use journal::{Journal, known_kind};
pub(crate) use remediation::{Remediate, Remediated, Remedy};
pub(crate) use removal::RemoveQueueItem;
pub(crate) use rescan::{RescanItem, RescanMedia};
pub(crate) use selection::SkippedFile;

//! What may be changed: one function a capability. Each decides against the working set and lays its changes on the [`Desk`]; the actor
//! commits them.

mod approvals;
mod assets;
mod decisions;
mod desk;
mod imports;
mod keys;
mod naming;
mod notes;
mod reach_names;
mod set_up;
mod submissions;

pub(crate) use assets::create_asset;
pub(crate) use decisions::decide;
pub(crate) use desk::Desk;
pub(crate) use imports::{apply_import, begin_import, end_job, may_import, start_job};
pub(crate) use keys::{entry as key_entry, note_key};
pub(crate) use notes::add_note;
pub(crate) use set_up::set_up;
pub(crate) use submissions::{submit, welcome};

//! The library tools, one file each: arguments, choice of the library, a message to its actor, the answer.

mod diagnose_queue;
mod execute_manual_import;
mod get_arr_health;
mod get_disk_space;
mod get_manual_import_candidates;
mod get_queue;
mod libraries;
mod list_arr_instances;
mod remediate_queue_item;
mod remove_queue_item;
mod rescan_media;
mod selected;
mod writing;

use playhouse_tools::{DuplicateTool, Registry};

pub(crate) use libraries::{Libraries, ask, ask_to_write};

/// Adds the library tools.
///
/// # Errors
/// [`DuplicateTool`].
pub fn add_tools(registry: &mut Registry) -> Result<(), DuplicateTool> {
    registry.add(list_arr_instances::ListArrInstances)?;
    registry.add(get_disk_space::GetDiskSpace)?;
    registry.add(get_arr_health::GetArrHealth)?;
    registry.add(get_queue::GetQueue)?;
    registry.add(diagnose_queue::DiagnoseQueueTool)?;
    registry.add(remove_queue_item::RemoveQueueItemTool)?;
    registry.add(remediate_queue_item::RemediateQueueItem)?;
    registry.add(get_manual_import_candidates::GetManualImportCandidates)?;
    registry.add(execute_manual_import::ExecuteManualImport)?;
    registry.add(rescan_media::RescanMediaTool)
}

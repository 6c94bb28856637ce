//! The library tools, one file each: arguments, choice of the library, a message to its actor, the answer.

mod diagnose_queue;
mod execute_manual_import;
mod get_album_timeline;
mod get_arr_health;
mod get_book_timeline;
mod get_calendar;
mod get_disk_space;
mod get_episode_timeline;
mod get_history;
mod get_library;
mod get_manual_import_candidates;
mod get_media_file_details;
mod get_queue;
mod get_receipts;
mod get_service_config;
mod grab_release;
mod libraries;
mod list_arr_instances;
mod looking;
mod one_library;
mod remediate_queue_item;
mod remove_queue_item;
mod rescan_media;
mod search_releases;
mod selected;
mod trigger_search;

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
    registry.add(rescan_media::RescanMediaTool)?;
    registry.add(get_calendar::GetCalendar)?;
    registry.add(get_library::GetLibrary)?;
    registry.add(get_history::GetHistory)?;
    registry.add(get_episode_timeline::GetEpisodeTimeline)?;
    registry.add(get_book_timeline::GetBookTimeline)?;
    registry.add(get_album_timeline::GetAlbumTimeline)?;
    registry.add(get_media_file_details::GetMediaFileDetails)?;
    registry.add(get_service_config::GetServiceConfig)?;
    registry.add(trigger_search::TriggerSearchTool)?;
    registry.add(search_releases::SearchReleasesTool)?;
    registry.add(grab_release::GrabReleaseTool)
}

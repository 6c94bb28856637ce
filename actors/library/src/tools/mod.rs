//! The library tools, one file each: arguments, choice of the library, a message to its actor, the answer.

mod diagnose_queue;
mod execute_manual_import;
mod get_album_timeline;
mod get_arr_health;
mod get_book_timeline;
mod get_calendar;
mod get_custom_formats;
mod get_disk_space;
mod get_episode_timeline;
mod get_history;
mod get_library;
mod get_manual_import_candidates;
mod get_media_file_details;
mod get_quality_profiles;
mod get_queue;
mod get_receipts;
mod get_service_config;
mod grab_release;
mod libraries;
mod list_arr_instances;
mod looking;
mod one_library;
mod redacted;
mod remediate_queue_item;
mod remove_queue_item;
mod rescan_media;
mod search_releases;
mod selected;
mod stored;
mod trigger_search;

use playhouse_tools::{DuplicateTool, Registry};

pub use libraries::{Libraries, ask, ask_to_write};
pub use redacted::{Clean, Redacted};

/// Adds the library tools, each behind the same screen for secrets.
///
/// # Errors
/// [`DuplicateTool`].
pub fn add_tools(registry: &mut Registry) -> Result<(), DuplicateTool> {
    registry.add(Redacted(list_arr_instances::ListArrInstances))?;
    registry.add(Redacted(get_disk_space::GetDiskSpace))?;
    registry.add(Redacted(get_arr_health::GetArrHealth))?;
    registry.add(Redacted(get_queue::GetQueue))?;
    registry.add(Redacted(diagnose_queue::DiagnoseQueueTool))?;
    registry.add(Redacted(remove_queue_item::RemoveQueueItemTool))?;
    registry.add(Redacted(remediate_queue_item::RemediateQueueItem))?;
    registry.add(Redacted(get_manual_import_candidates::GetManualImportCandidates))?;
    registry.add(Redacted(execute_manual_import::ExecuteManualImport))?;
    registry.add(Redacted(rescan_media::RescanMediaTool))?;
    registry.add(Redacted(get_calendar::GetCalendar))?;
    registry.add(Redacted(get_library::GetLibrary))?;
    registry.add(Redacted(get_history::GetHistory))?;
    registry.add(Redacted(get_episode_timeline::GetEpisodeTimeline))?;
    registry.add(Redacted(get_book_timeline::GetBookTimeline))?;
    registry.add(Redacted(get_album_timeline::GetAlbumTimeline))?;
    registry.add(Redacted(get_media_file_details::GetMediaFileDetails))?;
    registry.add(Redacted(get_service_config::GetServiceConfig))?;
    registry.add(Redacted(get_quality_profiles::GetQualityProfiles))?;
    registry.add(Redacted(get_custom_formats::GetCustomFormats))?;
    registry.add(Redacted(trigger_search::TriggerSearchTool))?;
    registry.add(Redacted(search_releases::SearchReleasesTool))?;
    registry.add(Redacted(grab_release::GrabReleaseTool))
}

//! Importing chosen files of a download.

use playhouse_bus::{Answer, CallInfo, Deadline, Handle, Message};
use serde::{Deserialize, Serialize};

use super::candidates::Download;
use super::selection::{Rules, SkippedFile};
use crate::ArrActor;
use crate::actor::Hands;
use crate::answer::{Code, Scope, Unfinished};
use crate::client::{Command, ImportMode, NonEmpty};
use crate::queue::{row, short};
use crate::service::Service;

/// Has the service import the files of one row's download as they are mapped. Row and files are read anew. Repeating it while the first is
/// under way is one import to the service.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ImportFiles {
    /// The row.
    pub(crate) queue_id: i64,
    /// Whether files that the service rejected for good are imported too.
    pub(crate) force: bool,
    /// What the row must be about, and outside of which no file is imported.
    pub(crate) scope: Scope,
}

/// That the service has taken the order. What it does comes later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ImportAccepted {
    /// What the download is for.
    pub(crate) title: String,
    /// The names of the files that are to be imported.
    pub(crate) requested: Vec<String>,
    /// The files that are not.
    pub(crate) skipped: Vec<SkippedFile>,
}

impl Message for ImportFiles {
    type Actor = ArrActor;
    type Reply = Result<ImportAccepted, Unfinished>;
}

impl Handle<ImportFiles> for ArrActor {
    fn handle(&mut self, order: ImportFiles, call: CallInfo) -> Answer<Self, Result<ImportAccepted, Unfinished>> {
        self.answer_change(call, |hands, deadline| async move { import(&hands, &order, deadline).await })
    }
}

pub(super) async fn import(
    hands: &Hands,
    order: &ImportFiles,
    deadline: Deadline,
) -> Result<ImportAccepted, Unfinished> {
    // Looking at files takes minutes in places, so the lane for writes is taken only for the order itself.
    let download = Download::find(hands, order.queue_id, &order.scope, deadline).await?;
    if download.files.is_empty() {
        let words = format!(
            "Nothing was imported: the service finds no files in the download of queue item {}. {EMPTY}",
            order.queue_id
        );
        return Err(Unfinished::not_started(Code::NoCandidates, words));
    }
    if download.n_skipped > 0 {
        let words = format!(
            "Nothing was imported: the list of the download's files could not be read whole ({} of them are of a shape that this version does not \
             know), so what is left out of it is not known. Import it in the service itself.",
            download.n_skipped
        );
        return Err(Unfinished::not_started(Code::UpstreamBody, words));
    }
    let rules = Rules { service: hands.service, download_id: &download.id, force: order.force, scope: &order.scope };
    let mut selection = rules.select(&download.files);
    let Some(files) = NonEmpty::new(std::mem::take(&mut selection.files)) else { return Err(selection.nothing()) };
    let command = Command::ManualImport {
        import_mode: import_mode(hands.service, download.row.protocol.as_deref()),
        files,
        replace_existing_files: selection.replace_existing_files,
    };
    hands
        .write(deadline, || async {
            let sent = hands.client.command(&command, deadline).await;
            let what = format!("The import of {} files of queue item {}", selection.names.len(), order.queue_id);
            sent.map(drop).map_err(|error| Unfinished::of_write(&what, error))
        })
        .await?;
    Ok(ImportAccepted {
        title: short(&row::item_title(&download.row, hands.service)),
        requested: selection.names,
        skipped: selection.skipped,
    })
}

/// Why a download may have no files.
pub(crate) const EMPTY: &str = "Its folder may be empty, still packed as an archive, or out of the service's reach (see get_arr_health and \
                                get_service_config, section remote_path_mappings).";

/// A torrent goes on seeding, so its files are copied; a usenet download has done its work. Music and books decide for themselves.
fn import_mode(service: Service, protocol: Option<&str>) -> ImportMode {
    match service {
        Service::Lidarr | Service::Chaptarr => ImportMode::Auto,
        Service::Radarr | Service::Sonarr => match protocol {
            Some(protocol) if protocol.eq_ignore_ascii_case("torrent") => ImportMode::Copy,
            _ => ImportMode::Move,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_torrent_is_copied_a_usenet_download_moved_and_music_and_books_decide_for_themselves() {
        for service in [Service::Radarr, Service::Sonarr] {
            assert_eq!(import_mode(service, Some("torrent")), ImportMode::Copy);
            assert_eq!(import_mode(service, Some("usenet")), ImportMode::Move);
        }
        for service in [Service::Lidarr, Service::Chaptarr] {
            assert_eq!(import_mode(service, Some("torrent")), ImportMode::Auto);
        }
        assert_eq!(serde_json::to_value(ImportMode::Auto).unwrap(), "auto");
    }
}

//! Where to look so that a cause does not come back.

use super::cause::CauseCode;

/// A section of a service's settings that is worth reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prevention {
    /// The section, as `get_service_config` takes it.
    pub section: &'static str,
    /// Why.
    pub reason: &'static str,
}

const fn prevention(section: &'static str, reason: &'static str) -> Prevention {
    Prevention { section, reason }
}

/// From how many equal findings on that a cause counts as recurring where a single one is ordinary.
const REPEATED: usize = 2;

/// What would keep the causes among `codes`, one entry a stuck download, from coming back; each section once.
pub fn preventions(codes: &[CauseCode]) -> Vec<Prevention> {
    let n = |code: CauseCode| codes.iter().filter(|other| **other == code).count();
    let no_upgrades = n(CauseCode::NotUpgrade) + n(CauseCode::NotCfUpgrade) >= REPEATED;
    let hints = [
        (
            n(CauseCode::PathMapping) > 0,
            prevention(
                "remote_path_mappings",
                "A mapping from the client's paths to the service's is missing or wrong.",
            ),
        ),
        (
            n(CauseCode::DownloadStalled) > 0,
            prevention("indexers", "A minimum of seeders at the indexers keeps dead torrents from being taken."),
        ),
        (
            n(CauseCode::ClientUnreachable) + n(CauseCode::ClientError) > 0,
            prevention("download_clients", "The client's entry shows which client is meant and how it is used."),
        ),
        (
            no_upgrades,
            prevention("release_profiles", "Terms that shut such releases out keep them from being taken again."),
        ),
        (
            no_upgrades,
            prevention("delay_profiles", "A delay lets better releases appear before the first one is taken."),
        ),
    ];
    hints.into_iter().filter(|(due, _)| *due).map(|(_, hint)| hint).collect()
}

//! What the download client complains about.

use super::{Ailment, Cure, Is, Say, State, ailment};

pub(super) static AILMENTS: &[Ailment] = &[
    ailment("stalled", "download_stalled").failing("The download is stalled with no connections"),
    ailment("magnet", "magnet_unresolvable")
        .failing("qBittorrent cannot resolve magnet link with DHT disabled")
        // All is well, it says, and it is not.
        .in_state("ok", State::Downloading),
    Ailment {
        cure: Cure::Operator,
        is: Is::OutOfReach,
        ..ailment("client-away", "client_unreachable").failing("Unable to communicate with SABnzbd. Connection refused").usenet()
    },
    ailment("client-error", "client_error").failing("qBittorrent is reporting an error"),
    ailment("missing-files", "client_files_missing").failing("qBittorrent is reporting missing files"),
    Ailment {
        status: "failed",
        ..ailment("encrypted", "download_encrypted")
            .failing("The archive is encrypted: a password is needed to unpack it")
            .in_state("error", State::FailedPending)
            .usenet()
    },
    Ailment {
        status: "failed",
        ..ailment("unpacking-failed", "download_error")
            .failing("Unpacking failed, write error or disk is full?")
            .in_state("error", State::FailedPending)
            .usenet()
    },
    // In the language of the application's page: only the state tells.
    Ailment {
        status: "failed",
        ..ailment("failed-in-dutch", "download_error")
            .failing("Afgebroken, kan niet voltooid worden - https://sabnzbd.example.org/sabnzbd/api?apikey=0123456789abcdef")
            .in_state("error", State::FailedPending)
            .usenet()
    },
    Ailment {
        status: "failed",
        error: None,
        ..ailment("failed", "download_failed").failing("").in_state("warning", State::Failed).usenet()
    },
    Ailment {
        status: "failed",
        error: None,
        ..ailment("failed-pending", "download_failed").failing("").in_state("warning", State::FailedPending).usenet()
    },
    Ailment {
        error: None,
        says: &[Say::File("setup.exe", "Caution: Found executable file with extension: '.exe'")],
        folder: super::Folder::Unsound("setup.exe", "Caution: Found executable file with extension: '.exe'"),
        ..ailment("executable", "dangerous_file").hopeless()
    },
    // A harmless message about one file comes before the one that matters.
    Ailment {
        says: &[
            Say::File("proof.mkv", "Sample"),
            Say::File("{release}.scr", "Caution: Found potentially dangerous file with extension: '.scr'"),
        ],
        folder: super::Folder::Unsound("{release}.scr", "Caution: Found potentially dangerous file with extension: '.scr'"),
        ..ailment("screensaver-behind-a-sample", "dangerous_file").hopeless()
    },
];

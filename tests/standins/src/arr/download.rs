//! One download: what the client says of it, what the application makes of it, and what would heal it.

use std::time::Duration;

use jiff::Timestamp;

use super::{kind::ArrKind, quality::Quality, wire::hash};

/// A download, listed once for every item it is for.
#[derive(Debug, Clone)]
pub(crate) struct Download {
    pub(crate) rows: Vec<Row>,
    /// None while it is a release that was not yet sent to any client.
    pub(crate) download_id: Option<String>,
    pub(crate) title: String,
    /// None for what was added to the client by hand.
    pub(crate) parent: Option<u32>,
    pub(crate) is_torrent: bool,
    pub(crate) quality: Quality,
    pub(crate) n_bytes: u64,
    /// What the client says: a word of the API.
    pub(crate) status: &'static str,
    /// How well it goes and what it is about, as far as it is tracked.
    pub(crate) tracked: Option<(&'static str, &'static str)>,
    pub(crate) error: Option<String>,
    /// Titles with their messages.
    pub(crate) says: Vec<(String, Vec<String>)>,
    pub(crate) added: Timestamp,
    /// What lies in its folder.
    pub(crate) files: Vec<LooseFile>,
    pub(crate) nature: Nature,
    /// Whether the history has the grab that it came from.
    pub(crate) was_grabbed: bool,
}

/// A row of the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) id: u32,
    pub(crate) item: Option<u32>,
}

/// A file in a download's folder, with what the application takes it for.
#[derive(Debug, Clone)]
pub(crate) struct LooseFile {
    pub(crate) name: String,
    pub(crate) n_bytes: u64,
    pub(crate) items: Vec<u32>,
    pub(crate) tracks: Vec<u32>,
    /// Reasons against it, and whether they will stay.
    pub(crate) rejections: Vec<(String, bool)>,
    /// Whether it could be imported if somebody insisted.
    pub(crate) is_sound: bool,
}

/// What is really the matter, which nobody is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nature {
    /// Comes in by itself; complete at this time.
    Moving(Timestamp),
    /// Waits for a delay or for a client, and is sent there at this time.
    Pending(Timestamp),
    /// Will never become anything.
    Hopeless,
    /// Could be imported, once somebody says as what.
    Unmapped,
    /// Could be imported, once there is a place to put it, or to read it from.
    Misplaced,
    /// Is imported by the next pass after this time.
    Waiting(Timestamp),
    /// Must be unpacked by something else.
    Packed,
    /// Has nothing that the library lacks.
    Superfluous,
    /// Nothing can be said while the client cannot be reached.
    OutOfReach,
    /// Stays as it is until somebody changes their mind.
    Unwanted,
}

impl Download {
    pub(crate) fn items(&self) -> impl Iterator<Item = u32> {
        self.rows.iter().filter_map(|row| row.item)
    }

    pub(crate) fn is_known(&self) -> bool {
        self.parent.is_some()
    }

    pub(crate) fn has_row(&self, id: u32) -> bool {
        self.rows.iter().any(|row| row.id == id)
    }

    pub(crate) fn folder(&self) -> String {
        format!("/downloads/{}", self.title)
    }

    pub(crate) fn client(&self) -> &'static str {
        if self.is_torrent { "qBittorrent" } else { "SABnzbd" }
    }

    pub(crate) fn indexer(&self) -> &'static str {
        if self.is_torrent { "Rookery (Prowlarr)" } else { "Corncrake (Prowlarr)" }
    }

    /// How much is still to come.
    pub(crate) fn n_left(&self, now: Timestamp) -> u64 {
        match self.nature {
            Nature::Moving(done) => {
                let whole = self.added.duration_until(done).as_secs_f64().max(1.0);
                let left = now.duration_until(done).as_secs_f64().max(0.0);
                (self.n_bytes as f64 * (left / whole).min(1.0)) as u64
            }
            _ if matches!(self.status, "completed") => 0,
            _ => self.n_bytes,
        }
    }

    /// As long as it will take; unknown for what stands still.
    pub(crate) fn time_left(&self, now: Timestamp) -> Option<Duration> {
        let until = |at: Timestamp| Duration::try_from(now.duration_until(at)).unwrap_or_default();
        match self.nature {
            Nature::Moving(done) => Some(until(done)),
            Nature::Pending(sent) => Some(until(sent)),
            _ => (self.status == "completed").then_some(Duration::ZERO),
        }
    }
}

/// The id of a row: no key of any table, but the same as long as the download lives.
pub(crate) fn row_id(download: &str, item: Option<u32>) -> u32 {
    let hash = hash(&format!("{download}/{}", item.unwrap_or(0)));
    // 31 bits, and never 0.
    (hash as u32 & 0x7fff_ffff) | 1 << 20
}

/// The id of a download as the client gives it.
pub(crate) fn download_id(kind: ArrKind, title: &str, is_torrent: bool) -> String {
    let (one, other) = (hash(title), hash(&format!("{title}{}", kind.name())));
    if is_torrent { format!("{one:016X}{other:016X}{:08X}", one as u32) } else { format!("SABnzbd_nzo_{other:010x}") }
}

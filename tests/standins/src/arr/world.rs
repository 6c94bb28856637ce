//! What one application knows at one moment, and how time goes on in it.

use std::{collections::BTreeMap, time::Duration};

use jiff::Timestamp;

use super::{
    commands::Commands,
    download::{self, Download, LooseFile, Nature, Row},
    kind::{ArrKind, Happening},
    library::{Library, MediaFile},
    profiles::Preferences,
    quality::Quality,
    releases::Releases,
    settings::ArrSettings,
};

/// What one application knows.
pub(crate) struct World {
    pub(crate) kind: ArrKind,
    pub(crate) settings: ArrSettings,
    /// Moved on by whoever is asked; see [`World::advance`].
    pub(crate) now: Timestamp,
    pub(crate) library: Library,
    pub(crate) downloads: Vec<Download>,
    pub(crate) blocklist: Vec<Blocked>,
    /// Oldest first.
    pub(crate) history: Vec<Event>,
    pub(crate) commands: Commands,
    pub(crate) releases: Releases,
    pub(crate) preferences: Preferences,
    pub(crate) tags: Vec<String>,
    /// What became of downloads that are no longer in the queue.
    pub(crate) fates: BTreeMap<String, Fate>,
    /// Whether the places that downloads and libraries lie in are as they should be.
    pub(crate) places_are_right: bool,
    pub(crate) is_client_reachable: bool,
    pub(crate) is_starting: bool,
    pub(crate) n_library_scans: usize,
    /// What an unscoped release call sent out.
    pub(crate) n_feeds: usize,
    /// For ids that are invented at each call.
    pub(crate) n_invented: u32,
}

/// What became of a download that left the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Its files are in the library.
    Imported,
    /// The client deleted it, with its data.
    Removed,
    /// The client keeps it, in the category for what was imported.
    HandedOn,
    /// The client keeps it; the application looks at it no more.
    Ignored,
}

#[derive(Debug, Clone)]
pub(crate) struct Blocked {
    pub(crate) id: u32,
    pub(crate) parent: u32,
    pub(crate) items: Vec<u32>,
    pub(crate) title: String,
    pub(crate) quality: Quality,
    pub(crate) date: Timestamp,
    pub(crate) is_torrent: bool,
    pub(crate) indexer: &'static str,
    pub(crate) message: Option<String>,
}

#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub(crate) id: u32,
    pub(crate) name: &'static str,
    pub(crate) parent: u32,
    pub(crate) item: u32,
    pub(crate) track: Option<u32>,
    pub(crate) title: String,
    pub(crate) quality: Quality,
    pub(crate) date: Timestamp,
    pub(crate) download_id: Option<String>,
    pub(crate) data: BTreeMap<&'static str, String>,
}

impl World {
    pub(crate) fn new(kind: ArrKind, settings: ArrSettings, library: Library) -> Self {
        Self {
            kind,
            now: settings.now,
            settings,
            library,
            downloads: Vec::new(),
            blocklist: Vec::new(),
            history: Vec::new(),
            commands: Commands::default(),
            releases: Releases::default(),
            preferences: Preferences::new(kind),
            tags: vec!["4k".to_owned(), "anna".to_owned()],
            fates: BTreeMap::new(),
            places_are_right: false,
            is_client_reachable: false,
            is_starting: false,
            n_library_scans: 0,
            n_feeds: 0,
            n_invented: 0,
        }
    }

    /// Lets time pass: commands end one after the other, each at its own time.
    pub(crate) fn advance(&mut self, by: Duration) {
        let until = self.now.saturating_add(by).unwrap_or(self.now);
        self.advance_to(until);
    }

    pub(crate) fn advance_to(&mut self, until: Timestamp) {
        loop {
            self.commands.start_waiting(self.now);
            match self.commands.next_end() {
                Some(end) if end <= until => {
                    self.now = self.now.max(end);
                    self.end_command();
                }
                _ => break,
            }
        }
        self.now = self.now.max(until);
        self.commands.forget_old(self.now);
        self.releases.forget_old(self.now);
    }

    /// Lets pass as much time as the commands need that are queued or running, and those that they cause.
    pub(crate) fn settle(&mut self) {
        self.commands.start_waiting(self.now);
        while let Some(end) = self.commands.next_end() {
            self.advance_to(end);
        }
    }

    /// With the wall's clock, where the settings want it.
    pub(crate) fn catch_up(&mut self) {
        if self.settings.follows_the_clock {
            let now = Timestamp::now();
            if now > self.now {
                self.advance_to(now);
                self.import_what_came();
            }
        }
    }

    pub(crate) fn invent_id(&mut self) -> u32 {
        self.n_invented += 1;
        700_000_000 + self.n_invented
    }

    pub(crate) fn happened(
        &mut self,
        happening: Happening,
        (parent, item, track): (u32, u32, Option<u32>),
        (title, quality): (&str, Quality),
        download_id: Option<&str>,
        data: impl IntoIterator<Item = (&'static str, String)>,
    ) {
        self.happened_at(
            self.now,
            self.kind.event(happening),
            (parent, item, track),
            (title, quality),
            download_id,
            data,
        );
    }

    pub(crate) fn happened_at(
        &mut self,
        date: Timestamp,
        name: &'static str,
        (parent, item, track): (u32, u32, Option<u32>),
        (title, quality): (&str, Quality),
        download_id: Option<&str>,
        data: impl IntoIterator<Item = (&'static str, String)>,
    ) {
        let id = u32::try_from(self.history.len()).unwrap_or(u32::MAX - 1) + 1;
        self.history.push(Event {
            id,
            name,
            parent,
            item,
            track,
            title: title.to_owned(),
            quality,
            date,
            download_id: download_id.map(str::to_owned),
            data: data.into_iter().collect(),
        });
    }

    /// Sends a release to the client: the history knows of it, and the queue lists it once for each item.
    pub(crate) fn grab(&mut self, title: &str, items: &[u32], is_torrent: bool, source: &str) -> Option<&mut Download> {
        let parent = self.library.find_item(*items.first()?)?.parent;
        let format = self.library.find_item(*items.first()?)?.format;
        let quality = Quality::usual(self.kind, format);
        let id = download::download_id(self.kind, title, is_torrent);
        let n_bytes = self.library.usual_bytes(format) * items.len() as u64;
        let download = Download {
            rows: items.iter().map(|item| Row { id: download::row_id(&id, Some(*item)), item: Some(*item) }).collect(),
            download_id: Some(id),
            title: title.to_owned(),
            parent: Some(parent),
            is_torrent,
            quality,
            n_bytes,
            status: "downloading",
            tracked: Some(("ok", "downloading")),
            error: None,
            says: Vec::new(),
            added: self.now,
            files: self.files_as_released(title, items),
            nature: Nature::Moving(self.now + Duration::from_secs(40 * 60)),
            was_grabbed: true,
        };
        self.remember_grab(&download, source);
        self.downloads.push(download);
        self.downloads.last_mut()
    }

    /// Notes in the history that a download was taken from an indexer, once for each item that it is for.
    pub(crate) fn remember_grab(&mut self, download: &Download, source: &str) {
        let Some(id) = download.download_id.as_deref() else { return };
        let data = [
            ("indexer", download.indexer().to_owned()),
            ("releaseGroup", "GRP".to_owned()),
            ("age", "3".to_owned()),
            ("size", download.n_bytes.to_string()),
            ("downloadUrl", format!("https://prowlarr.example.org/2/download?apikey=0123456789abcdef&file={id}")),
            ("guid", format!("https://indexer.example.org/details/{id}")),
            ("protocol", if download.is_torrent { "2" } else { "1" }.to_owned()),
            ("downloadClient", download.client().to_owned()),
            ("downloadClientName", download.client().to_owned()),
            ("releaseSource", source.to_owned()),
        ];
        for item in download.items() {
            let of = (download.parent.unwrap_or(0), item, None);
            let what = (download.title.as_str(), download.quality);
            let name = self.kind.event(Happening::Grabbed);
            self.happened_at(download.added, name, of, what, Some(id), data.clone());
        }
    }

    /// What lies in the folder of a sound release: one file an item, for an album one a track.
    pub(crate) fn files_as_released(&self, title: &str, items: &[u32]) -> Vec<LooseFile> {
        let mut files = Vec::new();
        for item in items.iter().filter_map(|id| self.library.find_item(*id)) {
            let n_bytes = self.library.usual_bytes(item.format);
            let file = |name: String, tracks: Vec<u32>| LooseFile {
                name,
                n_bytes,
                items: vec![item.id],
                tracks,
                rejections: Vec::new(),
                is_sound: true,
            };
            match self.kind {
                ArrKind::Radarr => files.push(file(format!("{title}.mkv"), Vec::new())),
                ArrKind::Sonarr if items.len() == 1 => files.push(file(format!("{title}.mkv"), Vec::new())),
                ArrKind::Sonarr => files.push(file(format!("{title}.E{:02}.mkv", item.number), Vec::new())),
                ArrKind::Lidarr => files.extend(item.tracks.iter().map(|track| {
                    file(format!("{}/{:02} - {}.flac", item.title, track.absolute, track.title), vec![track.id])
                })),
                ArrKind::Chaptarr => {
                    let ending =
                        item.format.map_or("epub", |format| if format.name() == "ebook" { "epub" } else { "m4b" });
                    files.push(file(format!("{title} - {}.{ending}", item.title), Vec::new()));
                }
            }
        }
        files
    }

    /// Takes a file out of the library, as far as the application knows.
    pub(crate) fn drop_file(&mut self, id: u32, reason: &str) {
        let Some(at) = self.library.files.iter().position(|file| file.id == id) else { return };
        let file: MediaFile = self.library.files.remove(at);
        for item in &file.items {
            let of = (file.parent, *item, file.track);
            let title = file.scene_name.as_deref().unwrap_or(&file.name);
            self.happened(Happening::FileDeleted, of, (title, file.quality), None, [("reason", reason.to_owned())]);
        }
    }
}

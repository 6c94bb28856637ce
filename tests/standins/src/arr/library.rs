//! What an application has on its shelves.
//!
//! One shape for all four: a *parent* (movie, series, artist, author) has *items* (the movie itself, episodes, albums, books), an album has
//! tracks, and files belong to items.

use jiff::Timestamp;

use super::{
    kind::ArrKind,
    quality::Quality,
    wire::{hash, joined},
};

/// What an application has on its shelves. Ids are given in the order in which things are put in.
#[derive(Debug, Clone)]
pub struct Library {
    pub(crate) kind: ArrKind,
    pub(crate) parents: Vec<Parent>,
    pub(crate) items: Vec<Item>,
    pub(crate) files: Vec<MediaFile>,
    n_tracks: u32,
    n_files: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct Parent {
    pub(crate) id: u32,
    pub(crate) title: String,
    /// 0 for what is only announced.
    pub(crate) year: u16,
    pub(crate) tmdb: u32,
    pub(crate) tvdb: u32,
    pub(crate) imdb: Option<String>,
    /// What MusicBrainz or a book's metadata server call it.
    pub(crate) foreign: String,
    pub(crate) monitored: bool,
    pub(crate) folder: String,
    pub(crate) genres: Vec<String>,
    pub(crate) added: Timestamp,
}

#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) id: u32,
    pub(crate) parent: u32,
    pub(crate) season: u32,
    pub(crate) number: u32,
    pub(crate) title: String,
    /// Cinema, broadcast or publication.
    pub(crate) date: Option<Timestamp>,
    /// A movie's release for download.
    pub(crate) digital: Option<Timestamp>,
    pub(crate) monitored: bool,
    pub(crate) format: Option<BookFormat>,
    pub(crate) foreign: String,
    pub(crate) tracks: Vec<Track>,
}

/// Ebook and audiobook of one work are two local books.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BookFormat {
    /// To read.
    Ebook,
    /// To hear.
    Audiobook,
}

impl BookFormat {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Ebook => "ebook",
            Self::Audiobook => "audiobook",
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Track {
    pub(crate) id: u32,
    pub(crate) absolute: u32,
    pub(crate) title: String,
    pub(crate) seconds: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct MediaFile {
    pub(crate) id: u32,
    pub(crate) parent: u32,
    pub(crate) items: Vec<u32>,
    pub(crate) track: Option<u32>,
    /// Below the parent's folder.
    pub(crate) name: String,
    pub(crate) n_bytes: u64,
    pub(crate) quality: Quality,
    pub(crate) scene_name: Option<String>,
    pub(crate) added: Timestamp,
    /// Whether it was ever looked into.
    pub(crate) is_analysed: bool,
    /// False when somebody deleted it behind the application's back.
    pub(crate) is_on_disk: bool,
}

impl Library {
    /// With nothing in it.
    #[must_use]
    pub fn empty(kind: ArrKind) -> Self {
        Self { kind, parents: Vec::new(), items: Vec::new(), files: Vec::new(), n_tracks: 0, n_files: 0 }
    }

    fn parent(&mut self, title: &str, year: u16, folder: &str) -> &mut Parent {
        let id = u32::try_from(self.parents.len()).unwrap_or(0) + 1;
        self.parents.push(Parent {
            id,
            title: title.to_owned(),
            year,
            tmdb: 0,
            tvdb: 0,
            imdb: None,
            foreign: format!("{:08x}-{:04x}-4000-8000-{:012x}", hash(title) as u32, id, hash(title) >> 16),
            monitored: true,
            folder: format!("{}/{folder}", self.kind.facts().root),
            genres: Vec::new(),
            added: LONG_AGO,
        });
        self.parents.last_mut().expect("just put in")
    }

    fn item(&mut self, parent: u32, title: &str, date: Option<Timestamp>) -> &mut Item {
        let id = match self.kind {
            // A movie is its own only item.
            ArrKind::Radarr => parent,
            _ => 100 + u32::try_from(self.items.len()).unwrap_or(0) + 1,
        };
        self.items.push(Item {
            id,
            parent,
            season: 0,
            number: 0,
            title: title.to_owned(),
            date,
            digital: None,
            monitored: true,
            format: None,
            foreign: format!("{}", hash(&format!("{title}{id}")) % 100_000_000),
            tracks: Vec::new(),
        });
        self.items.last_mut().expect("just put in")
    }

    /// Puts in a movie; answers its id. Year 0 is one that is only announced.
    pub fn movie(&mut self, tmdb: u32, title: &str, year: u16, cinema: Option<Timestamp>) -> u32 {
        let shown = if year == 0 { String::new() } else { year.to_string() };
        let parent = self.parent(title, year, &format!("{title} ({shown})"));
        parent.tmdb = tmdb;
        parent.imdb = (year != 0).then(|| format!("tt{:07}", 1_000_000 + tmdb));
        let id = parent.id;
        self.item(id, title, cinema);
        id
    }

    /// Puts in a series without episodes; answers its id.
    pub fn series(&mut self, tmdb: u32, tvdb: u32, title: &str, year: u16) -> u32 {
        let parent = self.parent(title, year, title);
        (parent.tmdb, parent.tvdb) = (tmdb, tvdb);
        parent.imdb = Some(format!("tt{:07}", 2_000_000 + tmdb));
        parent.id
    }

    /// Puts in a season's episodes by when they are broadcast; answers their ids. Season 0 are the specials.
    pub fn season(&mut self, series: u32, season: u32, dates: &[Option<Timestamp>]) -> Vec<u32> {
        let mut ids = Vec::new();
        for (number, date) in (1..).zip(dates) {
            let item = self.item(series, &format!("Chapter {number}"), *date);
            (item.season, item.number) = (season, number);
            ids.push(item.id);
        }
        ids
    }

    /// Puts in an artist; answers the id.
    pub fn artist(&mut self, name: &str) -> u32 {
        self.parent(name, 0, name).id
    }

    /// Puts in an album with tracks; answers its id.
    pub fn album(&mut self, artist: u32, title: &str, published: Option<Timestamp>, n_tracks: u32) -> u32 {
        let first = 5000 + self.n_tracks;
        self.n_tracks += n_tracks;
        let item = self.item(artist, title, published);
        item.tracks = (1..=n_tracks)
            .map(|n| Track { id: first + n, absolute: n, title: format!("Movement {n}"), seconds: 150 + 17 * (n % 9) })
            .collect();
        item.id
    }

    /// Puts in an author; answers the id.
    pub fn author(&mut self, name: &str) -> u32 {
        let parent = self.parent(name, 0, name);
        parent.foreign = format!("hc:{}", hash(name) % 1_000_000);
        parent.id
    }

    /// Puts in a book in one format; answers its id. Both formats of a title share what the metadata server calls the work.
    pub fn book(&mut self, author: u32, title: &str, format: BookFormat, published: Option<Timestamp>) -> u32 {
        let item = self.item(author, title, published);
        item.format = Some(format);
        item.foreign = format!("hc:{}", hash(title) % 1_000_000);
        item.id
    }

    /// Gives an item its file (an album one a track) and answers the first one's id.
    pub fn keep(&mut self, item: u32, added: Timestamp) -> u32 {
        let Some(owner) = self.items.iter().find(|known| known.id == item).cloned() else { return 0 };
        let quality = Quality::better(self.kind, owner.format);
        let tracks: Vec<Option<u32>> = match owner.tracks.len() {
            0 => vec![None],
            _ => owner.tracks.iter().map(|track| Some(track.id)).collect(),
        };
        let first = 1000 + self.n_files + 1;
        for track in tracks {
            let name = self.file_name(&owner, track, quality);
            self.put_file(MediaFile {
                id: 0,
                parent: owner.parent,
                items: vec![item],
                track,
                name,
                n_bytes: self.usual_bytes(owner.format),
                quality,
                scene_name: None,
                added,
                is_analysed: true,
                is_on_disk: true,
            });
        }
        first
    }

    /// Says when a movie can be downloaded, which is another day than that of its first showing.
    pub fn release_digitally(&mut self, movie: u32, date: Timestamp) {
        self.items.iter_mut().filter(|item| item.id == movie).for_each(|item| item.digital = Some(date));
    }

    /// Forgets what is inside a file, as if nobody had ever looked.
    pub fn forget_analysis(&mut self, file: u32) {
        self.files.iter_mut().filter(|known| known.id == file).for_each(|known| known.is_analysed = false);
    }

    /// Stops wanting an item.
    pub fn unmonitor(&mut self, item: u32) {
        if let Some(item) = self.items.iter_mut().find(|known| known.id == item) {
            item.monitored = false;
            if self.kind == ArrKind::Radarr {
                let id = item.parent;
                self.parents.iter_mut().filter(|parent| parent.id == id).for_each(|parent| parent.monitored = false);
            }
        }
    }

    pub(crate) fn put_file(&mut self, file: MediaFile) -> u32 {
        self.n_files += 1;
        let id = 1000 + self.n_files;
        self.files.push(MediaFile { id, ..file });
        id
    }

    pub(crate) fn usual_bytes(&self, format: Option<BookFormat>) -> u64 {
        match (self.kind, format) {
            (ArrKind::Radarr, _) => 8_589_934_592,
            (ArrKind::Sonarr, _) => 2_147_483_648,
            (ArrKind::Lidarr, _) => 31_457_280,
            (ArrKind::Chaptarr, Some(BookFormat::Audiobook)) => 419_430_400,
            (ArrKind::Chaptarr, _) => 1_572_864,
        }
    }

    pub(crate) fn file_name(&self, item: &Item, track: Option<u32>, quality: Quality) -> String {
        let parent = self.parents.iter().find(|parent| parent.id == item.parent);
        let title = parent.map_or("", |parent| &parent.title);
        match self.kind {
            ArrKind::Radarr => format!("{title} ({}) {}.mkv", parent.map_or(0, |parent| parent.year), quality.name),
            ArrKind::Sonarr => {
                let code = format!("S{:02}E{:02}", item.season, item.number);
                format!("Season {:02}/{title} - {code} - {} {}.mkv", item.season, item.title, quality.name)
            }
            ArrKind::Lidarr => {
                let track = item.tracks.iter().find(|known| Some(known.id) == track);
                let (number, name) = track.map_or((0, "?"), |track| (track.absolute, &track.title));
                format!("{}/{number:02} - {name}.flac", item.title)
            }
            ArrKind::Chaptarr => {
                let ending = if item.format == Some(BookFormat::Audiobook) { "m4b" } else { "epub" };
                format!("{}/{} - {title}.{ending}", item.title, item.title)
            }
        }
    }

    pub(crate) fn find_parent(&self, id: u32) -> Option<&Parent> {
        self.parents.iter().find(|parent| parent.id == id)
    }

    pub(crate) fn find_item(&self, id: u32) -> Option<&Item> {
        self.items.iter().find(|item| item.id == id)
    }

    pub(crate) fn items_of(&self, parent: u32) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(move |item| item.parent == parent)
    }

    pub(crate) fn files_of_item(&self, item: u32) -> impl Iterator<Item = &MediaFile> {
        self.files.iter().filter(move |file| file.items.contains(&item))
    }

    /// Whether there is a file of it, or of an album one a track.
    pub(crate) fn has_file(&self, item: u32) -> bool {
        self.files_of_item(item).next().is_some()
    }

    /// As a release of it would be called, without the group.
    pub(crate) fn release_title(&self, items: &[u32], quality: Quality) -> String {
        let items: Vec<&Item> = items.iter().filter_map(|id| self.find_item(*id)).collect();
        let Some(first) = items.first() else { return "Something.Unrelated.2025".to_owned() };
        let parent = self.find_parent(first.parent);
        let title = joined(parent.map_or("", |parent| &parent.title), '.');
        match self.kind {
            ArrKind::Radarr => format!("{title}.{}.{}", parent.map_or(0, |parent| parent.year), quality.name),
            ArrKind::Sonarr if items.len() > 1 => format!("{title}.S{:02}.{}", first.season, quality.name),
            ArrKind::Sonarr => format!("{title}.S{:02}E{:02}.{}", first.season, first.number, quality.name),
            ArrKind::Lidarr | ArrKind::Chaptarr if items.len() > 1 => {
                format!("{} - Collection [{}]", parent.map_or("", |parent| &parent.title), quality.name)
            }
            ArrKind::Lidarr | ArrKind::Chaptarr => {
                format!("{} - {} [{}]", parent.map_or("", |parent| &parent.title), first.title, quality.name)
            }
        }
    }
}

/// When the libraries of tests were set up: 1 February 2024.
pub(crate) const LONG_AGO: Timestamp = Timestamp::constant(1_706_745_600, 0);

//! Downloads made from the table of ailments, and how one sees that they were healed.

use std::time::Duration;

use super::{
    ailment::{self, Ailment, Cure, Folder, Is, Say},
    download::{self, Download, LooseFile, Nature, Row},
    kind::ArrKind,
    library::{BookFormat, Library},
    quality::Quality,
    settings::ArrSettings,
    wire::joined,
    world::{Fate, World},
};

/// A download with something the matter.
#[derive(Debug, Clone)]
pub struct Afflicted {
    /// What.
    pub ailment: &'static Ailment,
    /// The first of its rows.
    pub queue_id: u32,
    /// None for a release that was not yet sent to any client.
    pub download_id: Option<String>,
    /// The release.
    pub title: String,
    /// What it is for.
    pub items: Vec<u32>,
}

impl World {
    /// Puts a download with this ailment into the queue.
    pub(crate) fn afflict(&mut self, ailment: &'static Ailment, items: &[u32]) -> Afflicted {
        let first = items.first().and_then(|id| self.library.find_item(*id)).cloned();
        let format = first.as_ref().and_then(|item| item.format);
        let quality = if ailment.is_unknown { Quality::unknown(self.kind) } else { Quality::usual(self.kind, format) };
        let title = match ailment.is_unknown {
            true => format!("Something.Unrelated.{}", joined(ailment.name, '.')),
            false => format!("{}-GRP", self.library.release_title(items, Quality::usual(self.kind, format))),
        };
        if ailment.is_there {
            for item in items {
                self.library.keep(*item, self.now.saturating_sub(Duration::from_secs(90 * 86_400)).unwrap_or(self.now));
            }
        }
        let is_sent = ailment.tracked.is_some();
        let id = is_sent.then(|| download::download_id(self.kind, &title, ailment.is_torrent));
        let key = id.clone().unwrap_or_else(|| format!("pending {title}"));
        let of: Vec<Option<u32>> =
            if ailment.is_unknown { vec![None] } else { items.iter().map(|item| Some(*item)).collect() };
        let in_minutes = |n: u32| self.now + Duration::from_secs(u64::from(n) * 60);
        let words = Words { app: self.kind.name(), release: &title, item: item_word(self.kind) };
        let download = Download {
            rows: of.into_iter().map(|item| Row { id: download::row_id(&key, item), item }).collect(),
            download_id: id.clone(),
            parent: first.as_ref().filter(|_| !ailment.is_unknown).map(|item| item.parent),
            is_torrent: ailment.is_torrent,
            quality,
            n_bytes: if ailment.is_without_size {
                0
            } else {
                self.library.usual_bytes(format) * items.len().max(1) as u64
            },
            status: ailment.status,
            tracked: ailment.tracked.map(|(status, state)| (status, state.name(self.kind))),
            error: ailment.error.filter(|error| !error.is_empty()).map(|error| words.fill(error)),
            says: words.messages(ailment.says),
            added: self.now.saturating_sub(Duration::from_secs(50 * 60)).unwrap_or(self.now),
            files: self.folder(ailment, &words, items),
            nature: match ailment.is {
                Is::Moving => Nature::Moving(in_minutes(30)),
                Is::Pending(n) => Nature::Pending(in_minutes(n)),
                Is::Waiting(n) => Nature::Waiting(in_minutes(n)),
                Is::Hopeless => Nature::Hopeless,
                Is::Unmapped => Nature::Unmapped,
                Is::Misplaced => Nature::Misplaced,
                Is::Packed => Nature::Packed,
                Is::Superfluous => Nature::Superfluous,
                Is::OutOfReach => Nature::OutOfReach,
                Is::Unwanted => Nature::Unwanted,
            },
            was_grabbed: is_sent && !ailment.is_unknown,
            title: title.clone(),
        };
        if download.was_grabbed {
            self.remember_grab(&download, "Search");
        }
        let queue_id = download.rows[0].id;
        self.downloads.push(download);
        Afflicted { ailment, queue_id, download_id: id, title, items: items.to_vec() }
    }

    fn folder(&self, ailment: &Ailment, words: &Words<'_>, items: &[u32]) -> Vec<LooseFile> {
        let items = if ailment.is_unknown { &[] } else { items };
        let sound = || self.files_as_released(words.release, items);
        match ailment.folder {
            Folder::Sound => sound(),
            Folder::Empty => Vec::new(),
            Folder::Rejected(reason) => {
                let mut files = sound();
                files.iter_mut().for_each(|file| file.rejections.push((words.fill(reason), true)));
                files
            }
            Folder::Unsound(name, reason) => vec![LooseFile {
                name: words.fill(name),
                n_bytes: 1_204_224,
                items: items.iter().take(1).copied().collect(),
                tracks: Vec::new(),
                rejections: vec![(words.fill(reason), true)],
                is_sound: false,
            }],
        }
    }

    /// Whether what was to come of a download has come of it.
    pub(crate) fn is_healed(&self, afflicted: &Afflicted) -> bool {
        let fate = afflicted.download_id.as_ref().and_then(|id| self.fates.get(id)).copied();
        let is_blocked = self.blocklist.iter().any(|blocked| blocked.title == afflicted.title);
        let came = |item: &u32| {
            self.library.files_of_item(*item).any(|file| file.scene_name.as_ref() == Some(&afflicted.title))
        };
        let is_listed = self.downloads.iter().any(|download| download.has_row(afflicted.queue_id));
        match afflicted.ailment.cure {
            Cure::Process | Cure::ProcessOnceRight | Cure::Import | Cure::ForceImport => {
                fate == Some(Fate::Imported) && afflicted.items.iter().all(came)
            }
            Cure::Remove => fate == Some(Fate::Removed) && !is_blocked && !afflicted.items.iter().any(came),
            Cure::BlocklistSearch => {
                let is_sought =
                    |item: &u32| self.downloads.iter().any(|download| download.items().any(|own| own == *item));
                fate == Some(Fate::Removed) && is_blocked && afflicted.items.iter().all(is_sought)
            }
            Cure::ChangeCategory => fate == Some(Fate::HandedOn),
            // It is for others to say whether it was healed, or nothing was wrong.
            Cure::Operator | Cure::None => is_listed || fate == Some(Fate::Imported),
        }
    }
}

/// What the words of a message stand for.
struct Words<'a> {
    app: &'a str,
    release: &'a str,
    item: &'a str,
}

impl Words<'_> {
    fn fill(&self, text: &str) -> String {
        let mut capital = self.item.to_owned();
        capital[..1].make_ascii_uppercase();
        text.replace("{app}", self.app)
            .replace("{release}", self.release)
            .replace("{folder}", &format!("/downloads/{}", self.release))
            .replace("{item}", self.item)
            .replace("{Item}", &capital)
    }

    /// One entry a title, as the applications group them.
    fn messages(&self, says: &[Say]) -> Vec<(String, Vec<String>)> {
        let entries = says.iter().map(|say| match say {
            Say::Release(text) => (self.release.to_owned(), vec![self.fill(text)]),
            // A title with nothing under it is met too.
            Say::File(name, "") => (self.fill(name), Vec::new()),
            Say::File(name, text) => (self.fill(name), vec![self.fill(text)]),
            Say::Bare(text) => (self.fill(text), Vec::new()),
        });
        entries.collect()
    }
}

fn item_word(kind: ArrKind) -> &'static str {
    match kind {
        ArrKind::Radarr => "movie",
        ArrKind::Sonarr => "episode",
        ArrKind::Lidarr => "track",
        ArrKind::Chaptarr => "book",
    }
}

const FIRST_WORDS: [&str; 10] =
    ["Amber", "Borrowed", "Crooked", "Distant", "Ember", "Folded", "Gilded", "Hollow", "Ivory", "Jade"];
const SECOND_WORDS: [&str; 10] =
    ["Atlas", "Bellows", "Causeway", "Dovecote", "Estuary", "Furrow", "Granary", "Harbour", "Inlet", "Jetty"];

/// A world with every ailment of one application, each of something of its own.
pub(crate) fn infirmary(kind: ArrKind, settings: ArrSettings) -> (World, Vec<Afflicted>) {
    let long_ago = settings.now.saturating_sub(Duration::from_secs(400 * 86_400)).unwrap_or(settings.now);
    let mut world = World::new(kind, settings, Library::empty(kind));
    let mut afflicted = Vec::new();
    for (n, ailment) in (0_usize..).zip(ailment::of(kind)) {
        let named = format!("{} {}", FIRST_WORDS[n % 10], SECOND_WORDS[(n / 10 + n) % 10]);
        let title = ailment.of_title.unwrap_or(&named);
        let number = u32::try_from(n).unwrap_or(0);
        let items = put_in(&mut world.library, title, number, long_ago, if ailment.is_pack { 3 } else { 1 });
        afflicted.push(world.afflict(ailment, &items));
    }
    (world, afflicted)
}

/// Puts something of a title into a library, with so many items as a pack of it needs; answers their ids.
fn put_in(library: &mut Library, title: &str, number: u32, date: jiff::Timestamp, n_items: usize) -> Vec<u32> {
    match library.kind {
        ArrKind::Radarr => vec![library.movie(60_000 + number, title, 2019, Some(date))],
        ArrKind::Sonarr => {
            let series = library.series(70_000 + number, 310_000 + number, title, 2019);
            library.season(series, 1, &vec![Some(date); n_items])
        }
        ArrKind::Lidarr => {
            let artist = library.artist(&format!("The {title} Band"));
            (1..=n_items).map(|n| library.album(artist, &format!("{title} {n}"), Some(date), 3)).collect()
        }
        ArrKind::Chaptarr => {
            let author = library.author(&format!("Agnes {}", title.rsplit(' ').next().unwrap_or(title)));
            (1..=n_items)
                .map(|n| library.book(author, &format!("{title} {n}"), BookFormat::Ebook, Some(date)))
                .collect()
        }
    }
}

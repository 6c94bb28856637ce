//! What the indexers have, how long the application remembers it, and what taking it does.

use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{
    ask::{Ask, id_of, listed, property, raised},
    kind::ArrKind,
    quality::Quality,
    resources::{self, language},
    wire::{date, hash, resource},
    world::World,
};
use crate::loopback::Reply;

/// How long what was found can be taken.
const REMEMBERED: Duration = Duration::from_secs(30 * 60);

/// The indexer that answers a search and then cannot deliver.
const FAILING_INDEXER: u32 = 9;

#[derive(Default)]
pub(crate) struct Releases {
    remembered: Vec<Remembered>,
}

struct Remembered {
    release: Release,
    items: Vec<u32>,
    found: Timestamp,
}

/// A release as an indexer lists it.
#[derive(Debug, Clone)]
pub(crate) struct Release {
    /// Whatever the indexer says: an address with a passkey, a magnet, any text.
    pub(crate) guid: String,
    pub(crate) indexer: u32,
    pub(crate) title: String,
    pub(crate) is_torrent: bool,
    quality: Quality,
    n_bytes: u64,
    age_days: u32,
    seeders: Option<u32>,
    rejections: Vec<String>,
    is_temporary: bool,
    flags: &'static [&'static str],
}

impl Releases {
    pub(crate) fn forget_old(&mut self, now: Timestamp) {
        self.remembered.retain(|known| known.found + REMEMBERED > now);
    }

    pub(crate) fn forget_all(&mut self) {
        self.remembered.clear();
    }
}

impl World {
    /// What the indexers have for items that are searched for together.
    fn releases_for(&self, items: &[u32]) -> Vec<Release> {
        let Some(first) = items.first().and_then(|id| self.library.find_item(*id)) else { return Vec::new() };
        let (usual, better) = (Quality::usual(self.kind, first.format), Quality::better(self.kind, first.format));
        let n_bytes = self.library.usual_bytes(first.format) * items.len() as u64;
        let name = self.library.release_title(items, usual);
        let tag = hash(&name) % 1_000_000;
        let release = |title: String, guid: String, indexer: u32, is_torrent: bool| Release {
            guid,
            indexer,
            title,
            is_torrent,
            quality: usual,
            n_bytes,
            age_days: 3,
            seeders: is_torrent.then_some(41),
            rejections: Vec::new(),
            is_temporary: false,
            flags: &[],
        };
        let link = format!("https://rookery.example.org/download/{tag}?passkey=0f1e2d3c4b5a69788796a5b4c3d2e1f0");
        let mut releases = vec![
            release(format!("{name}-GRP"), link.clone(), 2, true),
            Release { age_days: 400, ..release(format!("{name}-FERN"), format!("nzb-{tag}"), 7, false) },
            Release {
                seeders: Some(3),
                n_bytes: n_bytes * 3,
                quality: better,
                rejections: vec!["Custom Formats have score -10000 below the profile's minimum 0".to_owned()],
                flags: &["G_Freeleech"],
                ..release(
                    format!("{}-LOUD", self.library.release_title(items, better)),
                    format!("urn:btih:{tag:040x}"),
                    2,
                    true,
                )
            },
            Release {
                rejections: vec!["Waiting for better quality release, delayed by 120 minutes".to_owned()],
                is_temporary: true,
                ..release(format!("{name}-EARLY"), format!("https://corncrake.example.org/details/{tag}"), 7, false)
            },
            // Some indexers put the address into the title.
            release(format!("{name}-{link}"), format!("{link}&again=1"), 2, true),
            // Neither seeders nor a size are known of it.
            Release {
                seeders: None,
                n_bytes: 0,
                ..release(format!("{name}-BARE"), format!("magnet:?xt=urn:btih:{tag:040x}"), 2, true)
            },
            Release {
                rejections: vec![format!("Not wanted in profile: see {link}")],
                ..release(format!("{name}-BROKEN"), format!("broken-{tag}"), FAILING_INDEXER, false)
            },
        ];
        let is_blocked = |release: &Release| self.blocklist.iter().any(|blocked| blocked.title == release.title);
        for release in &mut releases {
            if is_blocked(release) {
                release.rejections.push("Release is blocklisted".to_owned());
            }
        }
        releases
    }

    /// What a search that asks nobody takes.
    pub(crate) fn best_release(&self, items: &[u32]) -> Option<Release> {
        let known = |release: &Release| self.downloads.iter().any(|download| download.title == release.title);
        self.releases_for(items).into_iter().find(|release| release.rejections.is_empty() && !known(release))
    }
}

pub(crate) fn search(world: &mut World, ask: &Ask<'_>) -> Reply {
    let facts = world.kind.facts();
    let (parent, item) = (ask.number(facts.parent.id), ask.number(facts.item.id));
    let season = ask.number("seasonNumber");
    let of = |fits: &dyn Fn(&super::library::Item) -> bool| -> Vec<u32> {
        world.library.items.iter().filter(|item| fits(item)).map(|item| item.id).collect()
    };
    let (items, is_scoped) = match (world.kind, parent, item) {
        (ArrKind::Radarr, Some(movie), _) => (vec![movie], true),
        (ArrKind::Radarr, None, _) => (Vec::new(), false),
        (_, _, Some(item)) => (vec![item], true),
        // A series without its season is no scope at all.
        (ArrKind::Sonarr, Some(parent), None) => match season {
            Some(season) => (of(&|item| item.parent == parent && item.season == season), true),
            None => (Vec::new(), false),
        },
        (_, Some(parent), None) => (of(&|item| item.parent == parent), true),
        (_, None, None) => (Vec::new(), false),
    };
    if !is_scoped {
        return feed(world);
    }
    if items.iter().any(|item| world.library.find_item(*item).is_none()) || items.is_empty() {
        // A search that could not run.
        return match world.kind {
            ArrKind::Radarr | ArrKind::Sonarr => raised(400, "Search failed"),
            _ => raised(500, "Search failed: 503 of the metadata server"),
        };
    }
    let releases = world.releases_for(&items);
    let answers: Vec<Value> =
        (0..).zip(&releases).map(|(weight, release)| release_resource(world, release, &items, weight)).collect();
    world.releases.remembered.retain(|known| known.items != items);
    let found = world.now;
    let remembered = releases.into_iter().map(|release| Remembered { release, items: items.clone(), found });
    world.releases.remembered.extend(remembered);
    if world.kind == ArrKind::Chaptarr {
        let summary = json!({ "totalReleases": answers.len() + 2, "hiddenByLanguage": 2 });
        return Reply::ok(json!({ "releases": answers, "hiddenReleases": [], "filterSummary": summary }));
    }
    listed(answers)
}

/// What is newest at every indexer, whoever it is for: the answer to a call without a full scope.
fn feed(world: &mut World) -> Reply {
    world.n_feeds += 1;
    let items: Vec<u32> = world.library.items.iter().take(40).map(|item| item.id).collect();
    let mut answers = Vec::new();
    for item in items {
        for release in world.releases_for(&[item]) {
            answers.push(release_resource(world, &release, &[item], answers.len()));
        }
    }
    listed(answers)
}

pub(crate) fn grab(world: &mut World, ask: &Ask<'_>) -> Reply {
    let guid = property(&ask.body, "guid").and_then(Value::as_str).unwrap_or("").to_owned();
    let indexer = id_of(&ask.body, "indexerId").unwrap_or(0);
    let known =
        world.releases.remembered.iter().find(|known| known.release.guid == guid && known.release.indexer == indexer);
    let Some(known) = known else {
        return raised(404, "Couldn't find requested release in cache, try searching again");
    };
    if indexer == FAILING_INDEXER {
        return raised(409, "Getting release from indexer failed");
    }
    let (title, items, is_torrent) = (known.release.title.clone(), known.items.clone(), known.release.is_torrent);
    world.grab(&title, &items, is_torrent, "InteractiveSearch");
    // One's own words come back, and are no receipt.
    Reply::ok(ask.body.clone())
}

fn release_resource(world: &World, release: &Release, items: &[u32], weight: usize) -> Value {
    let kind = world.kind;
    let first = items.first().and_then(|id| world.library.find_item(*id));
    let parent = first.and_then(|item| world.library.find_parent(item.parent));
    let is_magnet = release.guid.starts_with("magnet:");
    let link =
        format!("https://prowlarr.example.org/{}/download?apikey=0123456789abcdef&link={weight}", release.indexer);
    let published =
        world.now.saturating_sub(Duration::from_secs(u64::from(release.age_days) * 86_400)).unwrap_or(world.now);
    let mut entry = json!({
        "guid": release.guid, "indexerId": release.indexer,
        "indexer": if release.is_torrent { "Rookery (Prowlarr)" } else { "Corncrake (Prowlarr)" },
        "title": release.title, "quality": resources::quality(kind, release.quality), "qualityWeight": 1601,
        "customFormats": [], "customFormatScore": 0,
        "age": release.age_days, "ageHours": f64::from(release.age_days) * 24.0, "ageMinutes": f64::from(release.age_days) * 1440.0,
        "size": release.n_bytes, "releaseGroup": "GRP", "sceneSource": false,
        "approved": release.rejections.is_empty(),
        "temporarilyRejected": release.is_temporary, "rejected": !release.rejections.is_empty() && !release.is_temporary,
        "rejections": release.rejections, "publishDate": date(published),
        "downloadUrl": (!is_magnet).then_some(link), "magnetUrl": is_magnet.then(|| release.guid.clone()),
        "infoUrl": format!("https://indexer.example.org/details/{weight}"),
        "downloadAllowed": true, "releaseWeight": weight,
        "seeders": release.seeders, "leechers": release.seeders.map(|n| n / 4),
        "protocol": if release.is_torrent { "torrent" } else { "usenet" },
    });
    match kind {
        ArrKind::Radarr => {
            entry["languages"] = language(true);
            entry["movieTitles"] = json!(parent.map(|parent| vec![&parent.title]));
            entry["mappedMovieId"] = json!(parent.map(|parent| parent.id));
            entry["tmdbId"] = json!(parent.map(|parent| parent.tmdb));
            entry["imdbId"] = json!(0);
            entry["movieRequested"] = json!(true);
            entry["edition"] = json!("");
            // Names here, and a number everywhere else.
            entry["indexerFlags"] = json!(release.flags);
        }
        ArrKind::Sonarr => {
            entry["languages"] = language(true);
            entry["seriesTitle"] = json!(parent.map(|parent| &parent.title));
            entry["mappedSeriesId"] = json!(parent.map(|parent| parent.id));
            entry["tvdbId"] = json!(parent.map(|parent| parent.tvdb));
            entry["tvRageId"] = json!(0);
            entry["fullSeason"] = json!(items.len() > 1);
            entry["seasonNumber"] = json!(first.map(|item| item.season));
            entry["mappedSeasonNumber"] = json!(first.map(|item| item.season));
            let numbers: Vec<u32> = items.iter().filter_map(|id| Some(world.library.find_item(*id)?.number)).collect();
            // A whole season names none of them.
            entry["episodeNumbers"] = json!(if items.len() > 1 { &[] } else { &numbers[..] });
            entry["mappedEpisodeNumbers"] = json!(numbers);
            entry["episodeRequested"] = json!(true);
            entry["isDaily"] = json!(false);
            entry["isAbsoluteNumbering"] = json!(false);
            entry["special"] = json!(false);
            entry["indexerFlags"] = json!(i32::from(!release.flags.is_empty()));
        }
        ArrKind::Lidarr => {
            entry["artistName"] = json!(parent.map(|parent| &parent.title));
            entry["albumTitle"] = json!(first.map(|item| &item.title));
            entry["discography"] = json!(items.len() > 1);
            entry["indexerFlags"] = json!(i32::from(!release.flags.is_empty()));
        }
        ArrKind::Chaptarr => {
            entry["authorName"] = json!(parent.map(|parent| &parent.title));
            entry["bookTitle"] = json!(first.map(|item| &item.title));
            entry["discography"] = json!(items.len() > 1);
            entry["formatType"] = json!(first.and_then(|item| item.format).map(super::library::BookFormat::name));
            entry["indexerFlags"] = json!(i32::from(!release.flags.is_empty()));
        }
    }
    resource(entry)
}

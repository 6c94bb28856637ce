//! What a command does once it has been worked on.

use serde_json::Value;

use super::{
    super::{
        ask::{id_of, ids_of, property},
        download::{Download, Nature},
        imports,
        kind::ArrKind,
        world::World,
    },
    names,
};

/// Does it. `Ok` is what it says when it is done, which need not mean that anything came of it.
pub(super) fn perform(world: &mut World, name: &str, body: &Value) -> Result<String, String> {
    let facts = world.kind.facts();
    match name {
        "ManualImport" => return imports::import_by_hand(world, body),
        "ProcessMonitoredDownloads" => world.process_downloads(),
        "RefreshMonitoredDownloads" => world.look_at_client(),
        "ClearBlocklist" => world.blocklist.clear(),
        "RescanMovie" | "RescanSeries" => {
            world.rescan(id_of(body, facts.parent.id), names::is_about_everything(world.kind, name, body))
        }
        "RescanFolders" => rescan_folders(world, body),
        "SeasonSearch" => {
            let (parent, season) = (id_of(body, "seriesId"), id_of(body, "seasonNumber"));
            let of =
                world.library.items.iter().filter(|item| Some(item.parent) == parent && Some(item.season) == season);
            let items: Vec<u32> = of.map(|item| item.id).collect();
            world.search_for(&items);
        }
        "SeriesSearch" | "ArtistSearch" | "AuthorSearch" => {
            let parent = id_of(body, facts.parent.id);
            let items: Vec<u32> =
                world.library.items.iter().filter(|item| Some(item.parent) == parent).map(|item| item.id).collect();
            for item in items {
                world.search_for(&[item]);
            }
        }
        _ if name == facts.search => {
            for item in ids_of(body, facts.item.ids) {
                world.search_for(&[item]);
            }
        }
        _ if name.starts_with("Missing") => {
            let parent = id_of(body, facts.parent.id);
            let of = world.library.items.iter().filter(|item| parent.is_none_or(|parent| item.parent == parent));
            let items: Vec<u32> = of.map(|item| item.id).collect();
            for item in items {
                world.search_for(&[item]);
            }
        }
        _ => {}
    }
    Ok("Completed".to_owned())
}

fn rescan_folders(world: &mut World, body: &Value) {
    let folders: Vec<&str> = property(body, "folders")
        .and_then(Value::as_array)
        .map(|folders| folders.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default();
    if folders.is_empty() {
        // All root folders; and what is found there and nobody knows is put in, unless one says not to.
        world.rescan(None, true);
        let adds = if world.kind == ArrKind::Lidarr { "addNewArtists" } else { "addNewAuthors" };
        if property(body, adds).and_then(Value::as_bool).unwrap_or(true) {
            world.library.artist("A Folder Nobody Sorted");
        }
        return;
    }
    let of = world.library.parents.iter().filter(|parent| folders.contains(&parent.folder.trim_end_matches('/')));
    let parents: Vec<u32> = of.map(|parent| parent.id).collect();
    for parent in parents {
        world.rescan(Some(parent), false);
    }
}

impl World {
    /// Compares what is known of a parent, or of all, with what is on the disk.
    fn rescan(&mut self, parent: Option<u32>, is_everything: bool) {
        if is_everything {
            self.n_library_scans += 1;
        }
        let lost =
            self.library.files.iter().filter(|file| !file.is_on_disk && (is_everything || Some(file.parent) == parent));
        let lost: Vec<u32> = lost.map(|file| file.id).collect();
        for file in lost {
            self.drop_file(file, "MissingFromDisk");
        }
        for file in self.library.files.iter_mut().filter(|file| is_everything || Some(file.parent) == parent) {
            file.is_analysed = true;
        }
    }

    /// Asks the indexers for items of one parent and sends what is best to the client. What is there, unwanted, or on its way is left alone.
    fn search_for(&mut self, items: &[u32]) {
        let wanted = items.iter().copied().filter(|id| {
            let is_monitored = self.library.find_item(*id).is_some_and(|item| item.monitored);
            is_monitored
                && !self.library.has_file(*id)
                && self.downloads.iter().all(|known| known.items().all(|item| item != *id))
        });
        let wanted: Vec<u32> = wanted.collect();
        let Some(release) = self.best_release(&wanted) else { return };
        self.grab(&release.title, &wanted, release.is_torrent, "Search");
    }

    /// Asks the client how its downloads are.
    fn look_at_client(&mut self) {
        let (now, is_reachable) = (self.now, self.is_client_reachable);
        for download in &mut self.downloads {
            match download.nature {
                Nature::Moving(done) if done <= now => {
                    (download.status, download.nature) = ("completed", Nature::Waiting(now));
                    download.tracked = Some(("ok", "importPending"));
                }
                Nature::OutOfReach if is_reachable => {
                    (download.status, download.error) = ("downloading", None);
                    download.tracked = Some(("ok", "downloading"));
                    download.nature = Nature::Moving(now);
                }
                _ => {}
            }
        }
        self.send_pending();
    }

    /// Imports what was on its way and is there, as the application's own pass of every minute does. What is stuck is left as it is: it would
    /// not come by itself anywhere.
    pub(crate) fn import_what_came(&mut self) {
        let now = self.now;
        let came =
            self.downloads.iter().filter(|download| matches!(download.nature, Nature::Moving(done) if done <= now));
        let came: Vec<String> = came.filter_map(|download| download.download_id.clone()).collect();
        for id in came {
            imports::import_download(self, &id);
        }
    }

    /// Sends what waited for a delay that is over.
    fn send_pending(&mut self) {
        let now = self.now;
        let is_reachable = self.is_client_reachable;
        let is_due = |download: &Download| {
            let waits_for_client = download.status == "downloadClientUnavailable" && !is_reachable;
            !waits_for_client && matches!(download.nature, Nature::Pending(at) if at <= now)
        };
        while let Some(at) = self.downloads.iter().position(is_due) {
            let pending = self.downloads.remove(at);
            let items: Vec<u32> = pending.items().collect();
            self.grab(&pending.title, &items, pending.is_torrent, "Rss");
        }
    }

    /// Imports what can be imported without anybody's help.
    fn process_downloads(&mut self) {
        self.look_at_client();
        let (now, places) = (self.now, self.places_are_right);
        let ready = self.downloads.iter().filter(|download| match download.nature {
            Nature::Waiting(until) => until <= now,
            Nature::Misplaced => places,
            _ => false,
        });
        let ready: Vec<String> = ready.filter_map(|download| download.download_id.clone()).collect();
        for id in ready {
            imports::import_download(self, &id);
        }
    }
}

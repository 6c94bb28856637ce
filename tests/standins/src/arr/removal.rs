//! What leaves the queue, and what that sets off.

use serde_json::json;

use super::{
    ask::{Ask, done, ids_of, no_such_model},
    commands::Trigger,
    download::{Download, Nature},
    kind::{ArrKind, Happening},
    world::{Blocked, Fate, World},
};
use crate::loopback::Reply;

/// How a download is to leave the queue.
#[derive(Debug, Clone, Copy)]
struct Manner {
    from_client: bool,
    blocklist: bool,
    without_search: bool,
    change_category: bool,
}

impl Manner {
    /// What is not said is as it always was: out of the client with its data, and nothing else.
    fn asked(ask: &Ask<'_>) -> Self {
        Self {
            from_client: ask.flag("removeFromClient").unwrap_or(true),
            blocklist: ask.is("blocklist"),
            without_search: ask.is("skipRedownload"),
            change_category: ask.is("changeCategory"),
        }
    }
}

pub(crate) fn one(world: &mut World, ask: &Ask<'_>) -> Reply {
    let id = ask.id.unwrap_or(0);
    if !world.remove_row(id, Manner::asked(ask)) {
        return no_such_model("Queue", id);
    }
    done()
}

/// Ids that are not there any more are passed over without a word.
pub(crate) fn several(world: &mut World, ask: &Ask<'_>) -> Reply {
    for id in ids_of(&ask.body, "ids") {
        world.remove_row(id, Manner::asked(ask));
    }
    done()
}

/// Marks a grab of the history as failed: blocklisted, and searched for again at once.
pub(crate) fn mark_failed(world: &mut World, ask: &Ask<'_>) -> Reply {
    let id = ask.id.unwrap_or(0);
    let Some(event) = world.history.iter().find(|event| event.id == id).cloned() else {
        return no_such_model("History", id);
    };
    let download = world.downloads.iter().position(|download| download.download_id == event.download_id);
    match download {
        Some(at) => {
            let download = world.downloads[at].clone();
            world.mark_as_failed(&download, false);
        }
        None => {
            world.block(event.parent, &[event.item], &event.title, event.quality, true, "Manually marked as failed")
        }
    }
    done()
}

impl World {
    /// Takes a row out of the queue, and with it every row of the same download.
    fn remove_row(&mut self, id: u32, manner: Manner) -> bool {
        let Some(at) = self.downloads.iter().position(|download| download.has_row(id)) else { return false };
        let download = self.downloads[at].clone();
        let is_ignored = !manner.from_client && !manner.change_category && !manner.blocklist;
        if is_ignored && !download.is_known() {
            // Nothing is kept of what is not known, so it is back at the next look.
            return true;
        }
        self.downloads.remove(at);
        if matches!(download.nature, Nature::Pending(_)) {
            // Not at any client yet: the release is no longer waited for.
            return true;
        }
        if manner.blocklist {
            self.mark_as_failed(&download, manner.without_search);
        } else if is_ignored {
            let items: Vec<u32> = download.items().collect();
            for item in items {
                let of = (download.parent.unwrap_or(0), item, None);
                let what = (download.title.as_str(), download.quality);
                let said = [("message", "Manually ignored".to_owned())];
                self.happened(Happening::Ignored, of, what, download.download_id.as_deref(), said);
            }
        }
        let fate = match (manner.from_client, manner.change_category) {
            (true, _) => Fate::Removed,
            (false, true) => Fate::HandedOn,
            (false, false) => Fate::Ignored,
        };
        if let Some(id) = download.download_id {
            self.fates.insert(id, fate);
        }
        true
    }

    /// Blocklists what was grabbed and, unless it is told not to, searches for something else. What was not grabbed here cannot be marked, and
    /// nobody is told.
    pub(crate) fn mark_as_failed(&mut self, download: &Download, without_search: bool) {
        let (true, Some(parent)) = (download.was_grabbed, download.parent) else { return };
        let items: Vec<u32> = download.items().collect();
        let message = download.error.clone().unwrap_or_else(|| "Manually marked as failed".to_owned());
        for item in &items {
            let what = (download.title.as_str(), download.quality);
            let said = [
                ("downloadClient", download.client().to_owned()),
                ("downloadClientName", download.client().to_owned()),
                ("message", message.clone()),
            ];
            self.happened(Happening::Failed, (parent, *item, None), what, download.download_id.as_deref(), said);
        }
        self.block(parent, &items, &download.title, download.quality, download.is_torrent, &message);
        if !without_search {
            let facts = self.kind.facts();
            let season = self.library.find_item(items.first().copied().unwrap_or(0)).map(|item| item.season);
            let body = match (self.kind, season) {
                (ArrKind::Sonarr, Some(season)) if items.len() > 1 => {
                    json!({ "name": "SeasonSearch", "seriesId": parent, "seasonNumber": season })
                }
                _ => json!({ "name": facts.search, facts.item.ids: items }),
            };
            self.commands.enqueue(body, Trigger::Unspecified, self.now);
        }
    }

    pub(crate) fn block(
        &mut self,
        parent: u32,
        items: &[u32],
        title: &str,
        quality: super::quality::Quality,
        is_torrent: bool,
        message: &str,
    ) {
        let id = self.blocklist.iter().map(|blocked| blocked.id).max().unwrap_or(0) + 1;
        let indexer = if is_torrent { "Rookery (Prowlarr)" } else { "Corncrake (Prowlarr)" };
        self.blocklist.push(Blocked {
            id,
            parent,
            items: items.to_vec(),
            title: title.to_owned(),
            quality,
            date: self.now,
            is_torrent,
            indexer,
            message: Some(message.to_owned()),
        });
    }
}

//! A household's four libraries: films out of copyright, books and music likewise, and series that nobody has made.
//!
//! Everything is told from the moment at which it starts: something is on its way, something is due next week, and a dozen kinds of downloads are
//! stuck over the four queues.

mod books;
mod movies;
mod music;
mod series;

use std::time::Duration;

use jiff::Timestamp;

use super::{ailment, imports, kind::ArrKind, library::Library, quality::Quality, settings::ArrSettings, world::World};

/// Tells days from the start: `-7` was a week ago.
#[derive(Debug, Clone, Copy)]
pub(super) struct Today(Timestamp);

impl Today {
    fn at(self, days: i64) -> Timestamp {
        let distance = Duration::from_secs(days.unsigned_abs() * 86_400);
        let moved = if days < 0 { self.0.saturating_sub(distance) } else { self.0.saturating_add(distance) };
        moved.unwrap_or(self.0)
    }

    /// The first of March of a year long ago.
    fn of_year(year: u16) -> Option<Timestamp> {
        format!("{year:04}-03-01T00:00:00Z").parse().ok()
    }
}

/// The application of a household that has lived with it for a while.
pub(super) fn world(kind: ArrKind, settings: ArrSettings) -> World {
    let today = Today(settings.now);
    let mut world = World::new(kind, settings, Library::empty(kind));
    match kind {
        ArrKind::Radarr => movies::furnish(&mut world, today),
        ArrKind::Sonarr => series::furnish(&mut world, today),
        ArrKind::Lidarr => music::furnish(&mut world, today),
        ArrKind::Chaptarr => books::furnish(&mut world, today),
    }
    world.history.sort_by_key(|event| event.date);
    for (id, event) in (1..).zip(&mut world.history) {
        event.id = id;
    }
    world
}

impl World {
    /// Lets something have been grabbed and imported so many days ago.
    fn remember(&mut self, items: &[u32], days_ago: i64, group: &str) {
        let now = self.now;
        self.now = Today(now).at(-days_ago);
        let format = items.first().and_then(|id| self.library.find_item(*id)).and_then(|item| item.format);
        let title = format!("{}-{group}", self.library.release_title(items, Quality::usual(self.kind, format)));
        let is_torrent = days_ago % 2 == 0;
        let id = self.grab(&title, items, is_torrent, "Rss").and_then(|download| download.download_id.clone());
        self.now += Duration::from_secs(50 * 60);
        if let Some(id) = id {
            imports::import_download(self, &id);
        }
        self.now = now;
    }

    /// Makes a download of these items ill in the way of this name. A name that is in no table is a fault of the demo's own.
    fn ail(&mut self, name: &str, items: &[u32]) {
        let ailment = ailment::of(self.kind).find(|known| known.name == name);
        self.afflict(ailment.expect("an ailment of this application"), items);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_household_has_a_library_a_history_and_a_queue() {
        for kind in ArrKind::ALL {
            let world = world(kind, ArrSettings::default());
            assert!(
                world.library.parents.len() > 4 && world.history.len() > 10 && world.downloads.len() > 4,
                "{}",
                kind.name()
            );
            assert!(world.history.is_sorted_by_key(|event| event.date));
            let mut ids: Vec<u32> = world.rows().map(|(_, row)| row.id).collect();
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), world.rows().count(), "no two rows share an id");
        }
    }

    #[test]
    fn more_than_a_dozen_kinds_of_trouble_are_in_the_house() {
        let said = ArrKind::ALL.into_iter().flat_map(|kind| {
            let world = world(kind, ArrSettings::default());
            let stuck =
                world.downloads.into_iter().filter(|download| !download.says.is_empty() || download.error.is_some());
            stuck.map(|download| {
                (download.says.into_iter().flat_map(|(_, said)| said).collect::<Vec<_>>(), download.error)
            })
        });
        let said: std::collections::BTreeSet<_> = said.collect();
        assert!(said.len() > 12, "{said:#?}");
    }
}

//! The handle to a running application.

use std::time::Duration;

use jiff::Timestamp;

use super::{
    Arr,
    afflict::{self, Afflicted},
    ailment, demo,
    download::LooseFile,
    generated,
    kind::ArrKind,
    library::Library,
    seen::{Blocklisted, CommandSeen, FileSeen, Happened, QueueRow},
    settings::ArrSettings,
    world::{Fate, World},
};
use crate::loopback::Standin;

/// One of the four applications on loopback, with a state of its own. [`Standin::url`] is what somebody would type as its address.
///
/// Time stands still in it until it is told to pass ([`ArrStandin::advance`], [`ArrStandin::settle`]), unless its settings say that it follows the clock.
pub type ArrStandin = Standin<Arr>;

impl ArrStandin {
    /// Starts one with what is on its shelves and nothing in its queue.
    ///
    /// # Panics
    /// Outside a tokio runtime, and where loopback cannot be listened on.
    #[must_use]
    pub fn start(kind: ArrKind, library: Library) -> Self {
        Self::start_with(kind, ArrSettings::default(), library)
    }

    /// Starts one in a particular way.
    ///
    /// # Panics
    /// Outside a tokio runtime, and where loopback cannot be listened on.
    #[must_use]
    pub fn start_with(kind: ArrKind, settings: ArrSettings, library: Library) -> Self {
        Self::of_world(World::new(kind, settings, library))
    }

    /// Starts one as a household has it: a library, a calendar, a history and a queue in which something is stuck.
    ///
    /// # Panics
    /// Outside a tokio runtime, and where loopback cannot be listened on.
    #[must_use]
    pub fn demo(kind: ArrKind) -> Self {
        Self::demo_with(kind, ArrSettings::default())
    }

    /// The household's in a particular way: with a port of its own, or following the clock.
    ///
    /// # Panics
    /// Outside a tokio runtime, and where loopback cannot be listened on.
    #[must_use]
    pub fn demo_with(kind: ArrKind, settings: ArrSettings) -> Self {
        Self::of_world(demo::world(kind, settings))
    }

    /// Starts a Radarr whose queue has so many rows, for measurements.
    ///
    /// # Panics
    /// Outside a tokio runtime, and where loopback cannot be listened on.
    #[must_use]
    pub fn with_a_queue_of(n_rows: u32) -> Self {
        Self::of_world(generated::busy_world(n_rows))
    }

    /// Starts a Radarr with so many films, which are made as they are written and never held: for measurements.
    ///
    /// # Panics
    /// Outside a tokio runtime, and where loopback cannot be listened on.
    #[must_use]
    pub fn with_films(n_films: u32) -> Self {
        let settings = ArrSettings { n_generated_films: Some(n_films), ..ArrSettings::default() };
        Self::start_with(ArrKind::Radarr, settings, Library::empty(ArrKind::Radarr))
    }

    /// Starts one whose queue has every ailment that there is for it, each of something of its own; and says which is which.
    ///
    /// # Panics
    /// Outside a tokio runtime, and where loopback cannot be listened on.
    #[must_use]
    pub fn with_every_ailment(kind: ArrKind) -> (Self, Vec<Afflicted>) {
        let (world, afflicted) = afflict::infirmary(kind, ArrSettings::default());
        (Self::of_world(world), afflicted)
    }

    pub(super) fn of_world(world: World) -> Self {
        let (kind, base, port) = (world.kind, world.settings.url_base.clone(), world.settings.port);
        Standin::serve_at(Arr { kind, world: std::sync::Mutex::new(world) }, &base, port)
    }

    pub(super) fn read<T>(&self, look: impl FnOnce(&World) -> T) -> T {
        let mut world = self.service.world();
        world.catch_up();
        look(&world)
    }

    pub(super) fn change<T>(&self, change: impl FnOnce(&mut World) -> T) -> T {
        let mut world = self.service.world();
        world.catch_up();
        change(&mut world)
    }

    /// Which of the four it is.
    #[must_use]
    pub fn kind(&self) -> ArrKind {
        self.service.kind
    }

    /// What `X-Api-Key` must say.
    #[must_use]
    pub fn api_key(&self) -> String {
        self.read(|world| world.settings.api_key.clone())
    }

    /// What time it is there.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.read(|world| world.now)
    }

    /// Lets time pass there: commands start and end, downloads come in, what was found is forgotten.
    pub fn advance(&self, by: Duration) {
        self.change(|world| world.advance(by));
    }

    /// Lets as much time pass as the commands need that are queued or running, and those that they set off.
    pub fn settle(&self) {
        self.change(World::settle);
    }

    /// The queue with all that is unknown in it, in the order in which things came into it.
    #[must_use]
    pub fn queue(&self) -> Vec<QueueRow> {
        self.read(|world| {
            let rows = world.rows().map(|(download, row)| QueueRow {
                id: row.id,
                download_id: download.download_id.clone(),
                title: download.title.clone(),
                status: download.status.to_owned(),
                state: download.tracked.map(|(_, state)| state.to_owned()),
                parent: download.parent,
                item: row.item,
            });
            rows.collect()
        })
    }

    /// The library's files.
    #[must_use]
    pub fn files(&self) -> Vec<FileSeen> {
        self.read(|world| {
            let files = world.library.files.iter().map(|file| FileSeen {
                id: file.id,
                items: file.items.clone(),
                track: file.track,
                release: file.scene_name.clone(),
                quality: file.quality.name.to_owned(),
            });
            files.collect()
        })
    }

    /// What is not to be taken again, oldest first.
    #[must_use]
    pub fn blocklist(&self) -> Vec<Blocklisted> {
        self.read(|world| {
            let blocked = world.blocklist.iter();
            blocked.map(|blocked| Blocklisted { title: blocked.title.clone(), items: blocked.items.clone() }).collect()
        })
    }

    /// What happened, oldest first.
    #[must_use]
    pub fn history(&self) -> Vec<Happened> {
        self.read(|world| {
            let events = world.history.iter().map(|event| Happened {
                event: event.name.to_owned(),
                title: event.title.clone(),
                item: event.item,
                date: event.date,
                download_id: event.download_id.clone(),
            });
            events.collect()
        })
    }

    /// The commands that are still remembered, oldest first.
    #[must_use]
    pub fn commands(&self) -> Vec<CommandSeen> {
        self.read(|world| {
            let commands = world.commands.all().iter().map(|command| CommandSeen {
                id: command.id,
                name: command.name.clone(),
                status: command.status.name().to_owned(),
                body: command.body.clone(),
                is_posted: command.trigger == super::commands::Trigger::Manual,
            });
            commands.collect()
        })
    }

    /// What became of a download that left the queue.
    #[must_use]
    pub fn fate(&self, download_id: &str) -> Option<Fate> {
        self.read(|world| world.fates.get(download_id).copied())
    }

    /// How often the whole library was scanned, because a command did not say what to scan.
    #[must_use]
    pub fn n_library_scans(&self) -> usize {
        self.read(|world| world.n_library_scans)
    }

    /// How often a search for releases was none, because it did not say what to search for.
    #[must_use]
    pub fn n_feeds(&self) -> usize {
        self.read(|world| world.n_feeds)
    }

    /// How many artists, authors, series or movies there are.
    #[must_use]
    pub fn n_parents(&self) -> usize {
        self.read(|world| world.library.parents.len())
    }

    /// What they are called.
    #[must_use]
    pub fn titles(&self) -> Vec<String> {
        self.read(|world| world.library.parents.iter().map(|parent| parent.title.clone()).collect())
    }

    /// What the operator does: mounts what is to be mounted, frees space, grants rights, sets the mapping of paths. Downloads that waited for it
    /// are imported by the next pass, and not by themselves.
    pub fn set_places_right(&self) {
        self.change(|world| world.places_are_right = true);
    }

    /// What the operator does: starts the download client again.
    pub fn bring_client_back(&self) {
        self.change(|world| world.is_client_reachable = true);
    }

    /// Answers 503 to all calls, as while its database is brought up to date, or stops doing so. What it only held in memory is gone then.
    pub fn set_starting(&self, is_starting: bool) {
        self.change(|world| {
            world.is_starting = is_starting;
            world.releases.forget_all();
        });
    }

    /// Deletes a file behind the application's back: it believes in it until it scans the folder.
    pub fn lose_file(&self, id: u32) {
        self.change(|world| {
            world.library.files.iter_mut().filter(|file| file.id == id).for_each(|file| file.is_on_disk = false);
        });
    }

    /// Gives a download of these items an ailment of the table, by its name. None if there is no such ailment for this application.
    pub fn afflict(&self, ailment: &str, items: &[u32]) -> Option<Afflicted> {
        let ailment = ailment::of(self.kind()).find(|known| known.name == ailment)?;
        Some(self.change(|world| world.afflict(ailment, items)))
    }

    /// Whether what was to come of a download has come of it: by its [`Cure`](super::Cure), and by no other way.
    #[must_use]
    pub fn is_healed(&self, afflicted: &Afflicted) -> bool {
        self.read(|world| world.is_healed(afflicted))
    }

    /// Has something speak against a file of a download, counted from 0, for good or for now.
    pub fn reject_file(&self, download_id: &str, n: usize, reason: &str, for_good: bool) {
        self.change_file(download_id, n, |file| file.rejections.push((reason.to_owned(), for_good)));
    }

    /// Forgets what a file of a download is of, counted from 0.
    pub fn unmap_file(&self, download_id: &str, n: usize) {
        self.change_file(download_id, n, |file| {
            file.items.clear();
            file.tracks.clear();
        });
    }

    fn change_file(&self, download_id: &str, n: usize, change: impl FnOnce(&mut LooseFile)) {
        self.change(|world| {
            let download = world.downloads.iter_mut().find(|known| known.download_id.as_deref() == Some(download_id));
            download.and_then(|download| download.files.get_mut(n)).map(change)
        });
    }

    /// Changes what is on its shelves.
    pub fn shelve<T>(&self, change: impl FnOnce(&mut Library) -> T) -> T {
        self.change(|world| change(&mut world.library))
    }

    /// Takes a release of these items and lists it in the queue as on its way; answers the id of its first row.
    pub fn download(&self, title: &str, items: &[u32], is_torrent: bool) -> Option<u32> {
        self.change(|world| world.grab(title, items, is_torrent, "Rss").map(|download| download.rows[0].id))
    }
}

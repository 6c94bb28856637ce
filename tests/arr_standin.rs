//! The arr client and the stand-ins of the arr applications agree: what one writes the other reads whole, and holds nothing against it.
//!
//! Both are ours, so that they could agree on something wrong: `tests/clients` has others' programs confirm the stand-ins, and the applications' own
//! descriptions are looked at where they are at hand.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

use std::time::Duration;

use playhouse_bus::Deadline;
use playhouse_library::client::wire::{
    Album, Artist, Author, Book, BookFile, DelayProfile, Episode, EpisodeFile, HistoryEvent, ImportCandidate, Movie,
    MovieFile, Provider, QueueRow, Release, ReleaseProfile, RemotePathMapping, Series, Track, TrackFile,
};
use playhouse_library::client::{
    ArrClient, ArrHttp, ArrKey, BaseUrl, Command, Id, Ids, NonEmpty, Patience, RescanFilter,
};
use playhouse_library::{AddressPolicy, Service};
use playhouse_standins::{ArrKind, ArrStandin};
use serde::de::DeserializeOwned;
use serde_json::Value;

const INCLUDED: &[(ArrKind, &str)] = &[
    (ArrKind::Radarr, "includeMovie=true&includeUnknownMovieItems=true"),
    (ArrKind::Sonarr, "includeSeries=true&includeEpisode=true&includeUnknownSeriesItems=true"),
    (ArrKind::Lidarr, "includeArtist=true&includeAlbum=true&includeUnknownArtistItems=true"),
    (ArrKind::Chaptarr, "includeAuthor=true&includeBook=true&includeUnknownAuthorItems=true"),
];

struct Pair {
    standin: ArrStandin,
    client: ArrClient,
}

impl Pair {
    fn of(kind: ArrKind) -> Self {
        let standin = ArrStandin::demo(kind);
        let service = match kind {
            ArrKind::Radarr => Service::Radarr,
            ArrKind::Sonarr => Service::Sonarr,
            ArrKind::Lidarr => Service::Lidarr,
            ArrKind::Chaptarr => Service::Chaptarr,
        };
        let base = BaseUrl::parse(standin.url().as_str()).unwrap();
        let key = ArrKey::parse(&standin.api_key()).unwrap();
        let http = ArrHttp::new(AddressPolicy::self_hosted(), None).unwrap();
        Self { client: ArrClient::new(service, &base, &key, &http), standin }
    }

    /// Reads a whole list through the client; answers how long it is.
    async fn list<T: DeserializeOwned + Send + 'static>(&self, call: &str) -> usize {
        let (path, query) = call.split_once('?').unwrap_or((call, ""));
        let query: Vec<(&str, &str)> = query.split('&').filter_map(|pair| pair.split_once('=')).collect();
        let read = self.client.read_list::<T>(path, &query, Patience::Slow120s, deadline()).await;
        let listed = read.unwrap_or_else(|error| panic!("{call}: {error}"));
        assert_eq!(listed.n_skipped, 0, "{call}");
        assert_eq!(self.standin.violations(), [], "{call}");
        listed.items.len()
    }

    async fn command(&self, command: Command) {
        self.client.command(&command, deadline()).await.unwrap_or_else(|error| panic!("{command:?}: {error}"));
        assert_eq!(self.standin.violations(), [], "{command:?}");
    }
}

fn deadline() -> Deadline {
    Deadline::after(Duration::from_secs(60))
}

fn id(id: i64) -> Id {
    Id::new(id).unwrap()
}

fn of_parent(kind: ArrKind) -> &'static str {
    match kind {
        ArrKind::Radarr => "movie?movieId=1",
        ArrKind::Sonarr => "series?seriesId=1",
        ArrKind::Lidarr => "artist?artistId=1",
        ArrKind::Chaptarr => "author?authorId=1",
    }
}

#[tokio::test]
async fn the_client_reads_whole_what_all_four_write_alike() {
    for (kind, included) in INCLUDED {
        let pair = Pair::of(*kind);
        let queue = pair.list::<QueueRow>(&format!("queue?page=1&pageSize=1000&{included}")).await;
        assert_eq!(queue, pair.standin.queue().len(), "{}", kind.name());
        let of_record = included.rsplit_once('&').unwrap().0;
        let history = pair.list::<HistoryEvent>(&format!("history?page=1&pageSize=1000&{of_record}")).await;
        assert_eq!(history, pair.standin.history().len(), "{}", kind.name());
        pair.list::<HistoryEvent>(&format!("history/{}&{of_record}", of_parent(*kind))).await;
        assert!(pair.list::<Provider>("indexer").await > 1);
        assert!(pair.list::<Provider>("downloadclient").await > 1);
        assert!(pair.list::<DelayProfile>("delayprofile").await > 1);
        assert!(pair.list::<ReleaseProfile>("releaseprofile").await > 0);
        assert!(pair.list::<RemotePathMapping>("remotepathmapping").await > 0);
        assert!(pair.list::<Value>("health").await > 0 && pair.list::<Value>("diskspace").await > 0);
        let mut n_candidates = 0;
        for download in pair.standin.queue().into_iter().filter_map(|row| row.download_id) {
            let call = format!("manualimport?downloadId={download}&filterExistingFiles=false");
            n_candidates += pair.list::<ImportCandidate>(&call).await;
        }
        assert!(n_candidates > 3, "{n_candidates} on {}", kind.name());
    }
}

#[tokio::test]
async fn the_client_reads_whole_what_each_has_on_its_shelves() {
    let pair = Pair::of(ArrKind::Radarr);
    assert_eq!(pair.list::<Movie>("movie").await, pair.standin.n_parents());
    pair.list::<MovieFile>("moviefile?movieId=1").await;
    assert!(pair.list::<Release>("release?movieId=1").await > 3);

    let pair = Pair::of(ArrKind::Sonarr);
    assert_eq!(pair.list::<Series>("series").await, pair.standin.n_parents());
    assert!(pair.list::<Episode>("episode?seriesId=1").await > 10);
    assert!(pair.list::<EpisodeFile>("episodefile?seriesId=1").await > 10);
    assert!(pair.list::<Release>("release?seriesId=1&seasonNumber=1").await > 3);

    let pair = Pair::of(ArrKind::Lidarr);
    assert_eq!(pair.list::<Artist>("artist").await, pair.standin.n_parents());
    let n_albums = pair.list::<Album>("album?artistId=1").await;
    assert!(n_albums > 2, "the whole library comes, whoever it was asked of: {n_albums}");
    assert!(pair.list::<Track>("track?albumId=101").await > 3);
    assert!(pair.list::<TrackFile>("trackfile?albumId=101").await > 3);
    assert!(pair.list::<Release>("release?albumId=101").await > 3);

    let pair = Pair::of(ArrKind::Chaptarr);
    assert_eq!(pair.list::<Author>("author").await, pair.standin.n_parents());
    assert!(pair.list::<Book>("book?authorId=1").await > 4);
    assert!(pair.list::<BookFile>("bookfile?bookId=101").await > 1);
    assert!(pair.list::<Release>("release?bookId=101").await > 3, "out of the envelope that it comes in");
}

#[tokio::test]
async fn each_command_of_the_client_is_one_that_its_application_takes() {
    let folders = |folder: &str| NonEmpty::new(vec![folder.to_owned()]).unwrap();
    let ids = || Ids::new([1]).unwrap();

    let radarr = Pair::of(ArrKind::Radarr);
    radarr.command(Command::MoviesSearch { movie_ids: ids() }).await;
    radarr.command(Command::RescanMovie { movie_id: id(1) }).await;

    let sonarr = Pair::of(ArrKind::Sonarr);
    sonarr.command(Command::SeriesSearch { series_id: id(1) }).await;
    sonarr.command(Command::SeasonSearch { series_id: id(1), season_number: 0 }).await;
    sonarr.command(Command::EpisodeSearch { episode_ids: ids() }).await;
    sonarr.command(Command::RescanSeries { series_id: id(1) }).await;

    let lidarr = Pair::of(ArrKind::Lidarr);
    lidarr.command(Command::AlbumSearch { album_ids: ids() }).await;
    lidarr.command(Command::ArtistSearch { artist_id: id(1) }).await;
    let (folder, filter) = (folders("/media/music/Scott Joplin"), RescanFilter::Matched);
    lidarr
        .command(Command::RescanArtistFolders { folders: folder, filter, add_new_artists: false, artist_ids: ids() })
        .await;

    let chaptarr = Pair::of(ArrKind::Chaptarr);
    chaptarr.command(Command::BookSearch { book_ids: ids() }).await;
    chaptarr.command(Command::AuthorSearch { author_id: id(1) }).await;
    let (folder, filter) = (folders("/media/books/Jane Austen"), RescanFilter::Matched);
    chaptarr
        .command(Command::RescanAuthorFolders { folders: folder, filter, add_new_authors: false, author_ids: ids() })
        .await;

    for pair in [radarr, sonarr, lidarr, chaptarr] {
        pair.command(Command::RefreshMonitoredDownloads {}).await;
        pair.command(Command::ProcessMonitoredDownloads {}).await;
        pair.standin.settle();
        assert!(pair.standin.commands().iter().all(|command| command.status == "completed"));
        assert_eq!(pair.standin.n_library_scans(), 0, "none of them is about everything");
    }
}

//! What is sent, what is not, and what is said of it.

mod air;
mod importing;
mod removing;
mod rescanning;

use jiff::Timestamp;
use playhouse_standins::{ArrKind, BookFormat, Library, Misbehaviour, SeenRequest};
use serde_json::json;

use super::remediation::remediate;
use super::removal::{RemovalFlags, remove};
use super::*;
use crate::answer::{Code, Outcome, Scope, Unfinished};
use crate::testing::{Ward, in_time};

/// A ward of `kind` with one thing on its shelves; answers that thing's id.
fn ward(kind: ArrKind) -> (Ward, u32) {
    let mut library = Library::empty(kind);
    let aired = Some("2019-03-01T20:00:00Z".parse::<Timestamp>().unwrap());
    let item = match kind {
        ArrKind::Radarr => library.movie(603, "The Lantern Keeper", 2019, aired),
        ArrKind::Sonarr => {
            let series = library.series(66_732, 305_288, "Weir Street", 2019);
            library.season(series, 1, &[aired])[0]
        }
        ArrKind::Lidarr => {
            let artist = library.artist("A Reed Choir");
            library.album(artist, "Post", aired, 3)
        }
        ArrKind::Chaptarr => {
            let author = library.author("Agnes Weir");
            library.book(author, "Lavinia", BookFormat::Ebook, aired)
        }
    };
    (Ward::open(kind, library), item)
}

/// The flags of a removal: removeFromClient, blocklist, skipRedownload, changeCategory.
fn flags(request: &SeenRequest) -> [bool; 4] {
    ["removeFromClient", "blocklist", "skipRedownload", "changeCategory"].map(|name| match request.parameter(name) {
        Some("true") => true,
        Some("false") => false,
        other => panic!("{name} is {other:?}"),
    })
}

async fn removed(ward: &Ward, queue_id: u32, blocklist: bool) -> Result<(), Unfinished> {
    let flags = RemovalFlags { remove_from_client: true, blocklist, skip_redownload: false, change_category: false };
    remove(&ward.hands, i64::from(queue_id), flags, in_time()).await
}

async fn remedied(ward: &Ward, queue_id: u32, remedy: Remedy) -> Result<Remediated, Unfinished> {
    remediate(&ward.hands, &Remediate { queue_id: i64::from(queue_id), remedy }, in_time()).await
}

async fn imported(ward: &Ward, queue_id: u32, force: bool, scope: Scope) -> Result<ImportAccepted, Unfinished> {
    import::import(&ward.hands, &ImportFiles { queue_id: i64::from(queue_id), force, scope }, in_time()).await
}

fn n_writes(ward: &Ward) -> usize {
    ward.arr.requests().iter().filter(|request| request.method != "GET").count()
}

//! Having a service look again: at the folder of one item, then at all that is downloaded.

use playhouse_bus::{Answer, CallInfo, Deadline, Handle, Message};
use serde::{Deserialize, Serialize};

use crate::ArrActor;
use crate::actor::Hands;
use crate::answer::{Code, Unfinished};
use crate::client::wire::{Artist, Author};
use crate::client::{Command, Id, NonEmpty, Patience, RescanFilter};
use crate::queue::short;
use crate::reads::resolve::{self, SeriesIds};
use crate::service::Service;

/// Has the service read one item's folder again, then import what is finished. A folder that is not there can cost the item its file records.
/// Repeating it does the same again.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct RescanMedia {
    /// Which.
    pub(crate) item: RescanItem,
}

/// What is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RescanItem {
    /// A movie or a series, by its TMDB id.
    Title {
        /// It.
        tmdb_id: i64,
    },
    /// An artist or an author, by the service's own id.
    Creator {
        /// It.
        id: i64,
    },
}

/// That the service took both orders. What it finds comes later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RescanAccepted {
    /// What is looked at.
    pub(crate) title: String,
}

impl Message for RescanMedia {
    type Actor = ArrActor;
    type Reply = Result<RescanAccepted, Unfinished>;
}

impl Handle<RescanMedia> for ArrActor {
    fn handle(&mut self, order: RescanMedia, call: CallInfo) -> Answer<Self, Result<RescanAccepted, Unfinished>> {
        self.answer_change(call, |hands, deadline| async move { rescan(&hands, order.item, deadline).await })
    }
}

pub(super) async fn rescan(hands: &Hands, item: RescanItem, deadline: Deadline) -> Result<RescanAccepted, Unfinished> {
    let (title, command) = hands.quick_by(deadline, command(hands, item, deadline)).await?;
    hands
        .write(deadline, || async {
            let rescan = format!("The rescan of {title}");
            let sent = hands.client.command(&command, deadline).await;
            sent.map_err(|error| Unfinished::of_write(&rescan, error))?;
            let sent = hands.client.command(&Command::ProcessMonitoredDownloads {}, deadline).await;
            // Whether or not a failing service took this one, the first was taken, and a pass more or less over finished downloads hurts nobody:
            // so the whole is begun and not finished, never unknown.
            sent.map(drop).map_err(|error| Unfinished::Partial {
                code: error.error().into(),
                done: format!("{rescan} was accepted"),
                pending: "the import pass over finished downloads".to_owned(),
                cause: error.to_string().trim_end_matches('.').to_owned(),
            })
        })
        .await?;
    Ok(RescanAccepted { title })
}

/// The item's name, and the order to look at it alone: without its id or folder the service would look at its whole library.
async fn command(hands: &Hands, item: RescanItem, deadline: Deadline) -> Result<(String, Command), Unfinished> {
    match (hands.service, item) {
        (Service::Radarr, RescanItem::Title { tmdb_id }) => {
            let found = resolve::movie(hands, tmdb_id, deadline).await?;
            let found = found
                .and_then(|movie| Some((movie.title.unwrap_or_else(|| "the movie".to_owned()), Id::new(movie.id)?)));
            let (title, movie_id) = found.ok_or_else(|| not_in_library(hands, "movie", "TMDB id", tmdb_id))?;
            Ok((named(Some(title), "movie", tmdb_id), Command::RescanMovie { movie_id }))
        }
        (Service::Sonarr, RescanItem::Title { tmdb_id }) => {
            let found = resolve::series(hands, SeriesIds::tmdb(tmdb_id), deadline).await?;
            let found = found.and_then(|series| {
                Some((series.title.unwrap_or_else(|| "the series".to_owned()), Id::new(series.id)?))
            });
            let (title, series_id) = found.ok_or_else(|| not_in_library(hands, "series", "TMDB id", tmdb_id))?;
            Ok((named(Some(title), "series", tmdb_id), Command::RescanSeries { series_id }))
        }
        (Service::Lidarr, RescanItem::Creator { id }) => {
            let path = format!("artist/{id}");
            let read = hands.client.read_optional::<Artist>(&path, &[], Patience::Quick30s, deadline).await?;
            let (name, folders, id) =
                Folders::of(hands, "artist", id, read.map(|found| (found.artist_name, found.path)))?;
            Ok((
                name,
                Command::RescanArtistFolders {
                    folders,
                    filter: RescanFilter::Matched,
                    add_new_artists: false,
                    artist_ids: id.into(),
                },
            ))
        }
        (Service::Chaptarr, RescanItem::Creator { id }) => {
            let path = format!("author/{id}");
            let read = hands.client.read_optional::<Author>(&path, &[], Patience::Quick30s, deadline).await?;
            let (name, folders, id) =
                Folders::of(hands, "author", id, read.map(|found| (found.author_name, found.path)))?;
            Ok((
                name,
                Command::RescanAuthorFolders {
                    folders,
                    filter: RescanFilter::Matched,
                    add_new_authors: false,
                    author_ids: id.into(),
                },
            ))
        }
        (Service::Radarr | Service::Sonarr, RescanItem::Creator { .. })
        | (Service::Lidarr | Service::Chaptarr, RescanItem::Title { .. }) => {
            let words = format!("Nothing was sent: {} does not name its items that way.", hands.service);
            Err(Unfinished::not_started(Code::ScopeExtraneous, words))
        }
    }
}

/// The folders of an artist or author.
struct Folders;

impl Folders {
    /// Name, folder and id of what was found.
    fn of(
        hands: &Hands,
        what: &str,
        id: i64,
        found: Option<(Option<String>, Option<String>)>,
    ) -> Result<(String, NonEmpty<String>, Id), Unfinished> {
        let missing = || not_in_library(hands, what, "id", id);
        let (name, path) = found.ok_or_else(missing)?;
        let known_id = Id::new(id).ok_or_else(missing)?;
        let path = path.filter(|path| !path.trim().is_empty());
        let folders = path.and_then(|path| NonEmpty::new(vec![path])).ok_or_else(|| {
            let words = format!(
                "Nothing was sent: {} does not say where the folder of {what} {id} is, and without it would look at every folder.",
                hands.service
            );
            Unfinished::not_started(Code::UpstreamBody, words)
        })?;
        Ok((named(name, what, id), folders, known_id))
    }
}

/// The item's name in a sentence.
fn named(name: Option<String>, what: &str, id: i64) -> String {
    name.filter(|name| !name.trim().is_empty()).map_or_else(|| format!("{what} {id}"), |name| short(&name))
}

fn not_in_library(hands: &Hands, what: &str, id_name: &str, id: i64) -> Unfinished {
    let words = format!(
        "Nothing was sent: {} has no {what} with the {id_name} {id}. get_library shows what it has.",
        hands.instance.title()
    );
    Unfinished::not_started(Code::NotInLibrary, words)
}

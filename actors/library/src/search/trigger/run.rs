//! Finds what is to be searched for and gives the library the command.

use std::time::Duration;

use jiff::Timestamp;
use playhouse_bus::{Answer, CallInfo, Deadline, Handle, Message};
use serde::{Deserialize, Serialize};

use super::SearchTarget;
use crate::actor::kept_back;
use crate::answer::{ArrFailure, Code, Unfinished};
use crate::client::wire::{Episode, Series};
use crate::client::{Command, Id, Ids};
use crate::reads::resolve::{self, SeriesIds};
use crate::reads::with_year;
use crate::search::resolved::{check_season, only_episode, season_episodes};
use crate::words::schema_of_words;
use crate::{ArrActor, Hands};

/// Has the library search. Repeating it searches again.
#[derive(Debug, Serialize, Deserialize)]
pub struct TriggerSearch {
    /// For what.
    pub target: SearchTarget,
}

/// A search that the library was told to make, or that there was nothing to make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Triggered {
    /// The command that was given; `None` where there was nothing to search for.
    pub command: Option<String>,
    /// What it searches for, in words.
    pub target: String,
    /// How many items the command names.
    pub n_targets: usize,
    /// Episodes that were left out because they have not aired, or have no air date.
    pub skipped_unaired: usize,
    /// Why there was nothing to search for.
    pub nothing: Option<NothingToSearch>,
}

/// Why there was nothing to search for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NothingToSearch {
    /// No episode of the season has aired.
    NothingAired,
    /// Every episode that has aired has a file.
    AllHaveFiles,
}

schema_of_words!(NothingToSearch: "nothing_aired", "all_have_files");

/// Of the caller's time, what is left to the command: a look-up that takes too long then ends as not started, not as unknown.
const FOR_THE_COMMAND: Duration = Duration::from_secs(3);

impl Message for TriggerSearch {
    type Actor = ArrActor;
    type Reply = Result<Triggered, Unfinished>;
}

impl Handle<TriggerSearch> for ArrActor {
    fn handle(&mut self, message: TriggerSearch, call: CallInfo) -> Answer<Self, Result<Triggered, Unfinished>> {
        self.answer_change(call, |hands, deadline| async move {
            let look_up_by = kept_back(deadline, FOR_THE_COMMAND);
            let order = hands.quick_by(look_up_by, order(&hands, message.target, look_up_by)).await?;
            if let Some(command) = &order.command {
                hands
                    .write(deadline, || async {
                        let accepted = hands.client.command(command, deadline).await;
                        accepted.map(drop).map_err(|error| Unfinished::of_write("The search", error))
                    })
                    .await?;
            }
            Ok(order.triggered())
        })
    }
}

/// What is to be sent, and what is said of it.
struct Order {
    command: Option<Command>,
    target: String,
    n_targets: usize,
    skipped_unaired: usize,
    nothing: Option<NothingToSearch>,
}

impl Order {
    fn of(command: Command, target: String) -> Self {
        Self { command: Some(command), target, n_targets: 1, skipped_unaired: 0, nothing: None }
    }

    fn triggered(self) -> Triggered {
        Triggered {
            command: self.command.as_ref().map(|command| name(command).to_owned()),
            target: self.target,
            n_targets: self.n_targets,
            skipped_unaired: self.skipped_unaired,
            nothing: self.nothing,
        }
    }
}

async fn order(hands: &Hands, target: SearchTarget, deadline: Deadline) -> Result<Order, ArrFailure> {
    match target {
        SearchTarget::Movie { tmdb_id } => {
            let movie = resolve::movie(hands, tmdb_id, deadline).await?.ok_or_else(|| resolve::no_movie(tmdb_id))?;
            let command = Command::MoviesSearch { movie_ids: id(movie.id)?.into() };
            Ok(Order::of(command, with_year(movie.title.as_deref(), movie.year)))
        }
        SearchTarget::Series { tmdb_id } => {
            let (series, title) = series(hands, tmdb_id, deadline).await?;
            Ok(Order::of(Command::SeriesSearch { series_id: id(series.id)? }, title))
        }
        SearchTarget::Season { tmdb_id, season_number, aired_only } => {
            let (series, title) = series(hands, tmdb_id, deadline).await?;
            check_season(&series, season_number)?;
            let (series_id, target) = (id(series.id)?, format!("{title}, season {season_number}"));
            if aired_only {
                let episodes = season_episodes(hands, series_id, season_number, deadline).await?;
                return aired_order(&episodes, target, season_number, hands.now);
            }
            let season_number = u32::try_from(season_number).map_err(|_| unknown_season(season_number))?;
            Ok(Order::of(Command::SeasonSearch { series_id, season_number }, target))
        }
        SearchTarget::Episode { tmdb_id, season_number, episode_number } => {
            let (series, title) = series(hands, tmdb_id, deadline).await?;
            let episode = only_episode(hands, id(series.id)?, season_number, episode_number, deadline).await?;
            let command = Command::EpisodeSearch { episode_ids: episode.into() };
            Ok(Order::of(command, format!("{title} S{season_number:02}E{episode_number:02}")))
        }
        SearchTarget::Book(book) => {
            Ok(Order::of(Command::BookSearch { book_ids: id(book)?.into() }, format!("book {book}")))
        }
        SearchTarget::Author(author) => {
            Ok(Order::of(Command::AuthorSearch { author_id: id(author)? }, format!("everything of author {author}")))
        }
        SearchTarget::Album(album) => {
            Ok(Order::of(Command::AlbumSearch { album_ids: id(album)?.into() }, format!("album {album}")))
        }
        SearchTarget::Artist(artist) => {
            Ok(Order::of(Command::ArtistSearch { artist_id: id(artist)? }, format!("everything of artist {artist}")))
        }
    }
}

async fn series(hands: &Hands, tmdb_id: i64, deadline: Deadline) -> Result<(Series, String), ArrFailure> {
    let ids = SeriesIds::tmdb(tmdb_id);
    let series = resolve::series(hands, ids, deadline).await?.ok_or_else(|| resolve::no_series(ids))?;
    let title = with_year(series.title.as_deref(), series.year);
    Ok((series, title))
}

/// The order for those episodes of a season that have aired by now and have no file. One without an air date is never searched for: it may
/// not exist yet, and whatever is found for it is something else.
fn aired_order(episodes: &[Episode], target: String, season_number: i64, now: Timestamp) -> Result<Order, ArrFailure> {
    if episodes.is_empty() {
        return Err(unknown_season(season_number));
    }
    let (aired, unaired): (Vec<_>, Vec<_>) =
        episodes.iter().partition(|episode| episode.air_date_utc.is_some_and(|air| air <= now));
    // `hasFile` left out is no file that anybody knows of.
    let missing: Vec<i64> =
        aired.iter().filter(|episode| episode.has_file != Some(true)).map(|episode| episode.id).collect();
    let skipped_unaired = unaired.len();
    let nothing = match (aired.is_empty(), missing.is_empty()) {
        (true, _) => Some(NothingToSearch::NothingAired),
        (false, true) => Some(NothingToSearch::AllHaveFiles),
        (false, false) => None,
    };
    let n_targets = missing.len();
    let command = match nothing {
        Some(_) => None,
        None => Some(Command::EpisodeSearch { episode_ids: Ids::new(missing).ok_or_else(no_id)? }),
    };
    Ok(Order { command, target, n_targets, skipped_unaired, nothing })
}

/// As the service knows it.
const fn name(command: &Command) -> &'static str {
    match command {
        Command::MoviesSearch { .. } => "MoviesSearch",
        Command::SeriesSearch { .. } => "SeriesSearch",
        Command::SeasonSearch { .. } => "SeasonSearch",
        Command::EpisodeSearch { .. } => "EpisodeSearch",
        Command::AlbumSearch { .. } => "AlbumSearch",
        Command::ArtistSearch { .. } => "ArtistSearch",
        Command::BookSearch { .. } => "BookSearch",
        Command::AuthorSearch { .. } => "AuthorSearch",
        _ => "another command",
    }
}

fn id(id: i64) -> Result<Id, ArrFailure> {
    Id::new(id).ok_or_else(no_id)
}

fn no_id() -> ArrFailure {
    ArrFailure::unproven(Code::UpstreamBody, "The service answered a record without an id, so nothing was searched.")
}

fn unknown_season(season_number: i64) -> ArrFailure {
    ArrFailure::refused(Code::SeasonUnknown, format!("The series has no season {season_number} in this library."))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn episodes(list: Value) -> Vec<Episode> {
        serde_json::from_value(list).unwrap()
    }

    fn ordered(list: Value) -> Order {
        aired_order(&episodes(list), "Show, season 2".into(), 2, "2026-11-30T12:00:00Z".parse().unwrap()).unwrap()
    }

    fn body(order: &Order) -> Value {
        serde_json::to_value(order.command.as_ref().expect("a command")).unwrap()
    }

    #[test]
    fn case_56_aired_only_searches_the_aired_missing_ones_in_one_command_and_counts_the_rest() {
        let order = ordered(json!([
            {"id": 1, "airDateUtc": "2026-11-01T20:00:00Z", "hasFile": false},
            {"id": 2, "airDateUtc": "2026-11-08T20:00:00Z", "hasFile": false},
            {"id": 3, "airDateUtc": "2026-11-15T20:00:00Z"},
            {"id": 4, "airDateUtc": "2026-11-22T20:00:00Z", "hasFile": true},
            {"id": 5, "airDateUtc": "2026-12-06T20:00:00Z", "hasFile": false},
            {"id": 6, "airDateUtc": "2026-12-13T20:00:00Z", "hasFile": true},
            {"id": 7, "hasFile": false},
        ]));
        assert_eq!(body(&order), json!({"name": "EpisodeSearch", "episodeIds": [1, 2, 3]}));
        assert_eq!((order.n_targets, order.skipped_unaired, order.nothing), (3, 3, None));
    }

    #[test]
    fn case_57_nothing_aired_sends_nothing() {
        let order = ordered(json!([{"id": 5, "airDateUtc": "2026-12-06T20:00:00Z"}, {"id": 6}]));
        assert!(order.command.is_none());
        assert_eq!((order.nothing, order.skipped_unaired), (Some(NothingToSearch::NothingAired), 2));
    }

    #[test]
    fn case_58_all_aired_have_files_sends_nothing() {
        let order = ordered(json!([{"id": 5, "airDateUtc": "2026-11-06T20:00:00Z", "hasFile": true}, {"id": 6}]));
        assert!(order.command.is_none());
        assert_eq!(order.nothing, Some(NothingToSearch::AllHaveFiles));
    }

    #[test]
    fn case_59_what_airs_by_the_time_of_the_call_is_included() {
        let order = ordered(json!([{"id": 5, "airDateUtc": "2026-11-30T12:00:00Z"}]));
        assert_eq!(body(&order)["episodeIds"], json!([5]));
    }

    #[test]
    fn an_empty_season_is_unknown_and_a_record_without_id_is_never_sent() {
        let now = "2026-11-30T12:00:00Z".parse().unwrap();
        assert!(
            matches!(aired_order(&[], String::new(), 2, now), Err(failure) if failure.code() == Code::SeasonUnknown)
        );
        let without_id = episodes(json!([{"airDateUtc": "2026-11-06T20:00:00Z"}]));
        assert!(aired_order(&without_id, String::new(), 2, now).is_err());
    }
}

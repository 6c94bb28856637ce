//! Reads a series and lays its seasons out.

use std::collections::HashMap;

use playhouse_bus::{Answer, CallInfo, Deadline, Handle, Message};
use serde::{Deserialize, Serialize};

use super::{DatedEpisode, EpisodeFileFacts, SeasonCounts, SeasonLayout, lay_out, lay_out_all, newest_flagged};
use crate::answer::{ArrFailure, Code};
use crate::client::Patience;
use crate::client::wire::{Episode, EpisodeFile};
use crate::reads::history::with_year;
use crate::reads::resolve::{self, SeriesIds};
use crate::{ArrActor, Hands};

/// Lays one season of a series out, or gives an overview of all of them.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReadTimeline {
    /// The series' id at TMDB.
    pub tmdb_id: Option<i64>,
    /// The series' id at TVDB, where it is known.
    pub tvdb_id: Option<i64>,
    /// The season; 0 holds the specials. `None` for the overview.
    pub season_number: Option<i64>,
}

/// A series against the clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Timeline {
    /// The series.
    pub title: String,
    /// Its id at TMDB, where it is known.
    pub tmdb_id: Option<i64>,
    /// Each season in numbers, where none was asked for.
    pub seasons: Vec<SeasonCounts>,
    /// The season that was asked for, or else the newest with a finding.
    pub layout: Option<SeasonLayout>,
    /// Records of a shape that this version does not know.
    pub n_skipped: usize,
}

impl Message for ReadTimeline {
    type Actor = ArrActor;
    type Reply = Result<Timeline, ArrFailure>;
}

impl Handle<ReadTimeline> for ArrActor {
    fn handle(&mut self, message: ReadTimeline, call: CallInfo) -> Answer<Self, Result<Timeline, ArrFailure>> {
        self.answer_read(|hands| async move { read(&hands, &message, call.deadline).await })
    }
}

async fn read(hands: &Hands, asked: &ReadTimeline, deadline: Deadline) -> Result<Timeline, ArrFailure> {
    let ids = SeriesIds { tmdb_id: asked.tmdb_id, tvdb_id: asked.tvdb_id };
    let series = resolve::series(hands, ids, deadline).await?.ok_or_else(|| resolve::no_series(ids))?;
    let id = series.id.to_string();
    let (query, client) = ([("seriesId", id.as_str())], &hands.client);
    let episodes = client.read_list::<Episode>("episode", &query, Patience::Quick30s, deadline).await?;
    let files = client.read_list::<EpisodeFile>("episodefile", &query, Patience::Quick30s, deadline).await?;

    let title = with_year(series.title.as_deref(), series.year);
    let n_unread = episodes.n_skipped + files.n_skipped;
    let (episodes, n_unnumbered) = join(series.id, episodes.items, files.items);
    let n_skipped = n_unread + n_unnumbered;
    if episodes.is_empty() && n_skipped > 0 {
        return Err(resolve::not_whole(hands, "episodes and files", n_skipped));
    }
    if episodes.is_empty() {
        let words = format!("{title} has no episodes in this library yet, so there is nothing to lay out.");
        return Err(ArrFailure::refused(Code::NoEpisodes, words));
    }
    let tmdb_id = asked.tmdb_id.or(Some(series.tmdb_id).filter(|id| *id > 0));
    let Some(season) = asked.season_number else {
        let seasons = lay_out_all(episodes, hands.now);
        let layout = newest_flagged(&seasons).cloned().map(|layout| layout.with_unread(n_skipped));
        let seasons = seasons.iter().map(|layout| layout.counts).collect();
        return Ok(Timeline { title, tmdb_id, seasons, layout, n_skipped });
    };
    let of_season: Vec<DatedEpisode> =
        episodes.iter().filter(|episode| i64::from(episode.season) == season).cloned().collect();
    match of_season.first() {
        None if n_skipped > 0 => Err(resolve::not_whole(hands, "episodes and files", n_skipped)),
        None => Err(ArrFailure::refused(Code::SeasonUnknown, unknown_season(&title, season, &episodes))),
        Some(first) => {
            let layout = lay_out(first.season, &of_season, hands.now).with_unread(n_skipped);
            Ok(Timeline { title, tmdb_id, seasons: Vec::new(), layout: Some(layout), n_skipped })
        }
    }
}

fn unknown_season(title: &str, season: i64, episodes: &[DatedEpisode]) -> String {
    let mut known: Vec<u32> = episodes.iter().map(|episode| episode.season).collect();
    known.sort_unstable();
    known.dedup();
    let known: Vec<String> = known.iter().map(u32::to_string).collect();
    format!("{title} has no season {season} in this library; it has the seasons {}.", known.join(", "))
}

/// Each episode with its file, and how many have no season or number and so no place. Episodes of other series, which a service that does not
/// know the parameter answers too, are left out.
fn join(series_id: i64, episodes: Vec<Episode>, files: Vec<EpisodeFile>) -> (Vec<DatedEpisode>, usize) {
    let by_id: HashMap<i64, EpisodeFile> = files.into_iter().map(|file| (file.id, file)).collect();
    let own = |episode: &Episode| episode.series_id == 0 || episode.series_id == series_id;
    let dated = |episode: Episode| {
        let file = episode.episode_file_id.and_then(|id| by_id.get(&id)).map(facts);
        Some(DatedEpisode {
            season: u32::try_from(episode.season_number?).ok()?,
            number: u32::try_from(episode.episode_number?).ok()?,
            title: episode.title.unwrap_or_default(),
            air: episode.air_date_utc,
            has_file: episode.has_file == Some(true),
            file,
        })
    };
    let own: Vec<Episode> = episodes.into_iter().filter(own).collect();
    let n_own = own.len();
    let dated: Vec<DatedEpisode> = own.into_iter().filter_map(dated).collect();
    let n_unnumbered = n_own - dated.len();
    (dated, n_unnumbered)
}

fn facts(file: &EpisodeFile) -> EpisodeFileFacts {
    let filled = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
    EpisodeFileFacts {
        imported: file.date_added,
        release: filled(&file.scene_name).or_else(|| filled(&file.relative_path)),
        quality: file.quality.as_ref().and_then(|quality| quality.name()).map(str::to_owned),
    }
}

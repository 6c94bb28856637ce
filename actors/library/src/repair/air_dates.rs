//! No replacement is searched for what has not aired: before an episode airs, every release of it is a fake.
//!
//! A removal takes the whole download, so all its episodes count: those that are still in the queue and those that its grab named. Whatever
//! cannot be proved stops the removal before it begins.

use std::collections::BTreeMap;
use std::fmt;

use jiff::Timestamp;
use playhouse_bus::Deadline;

use crate::actor::Hands;
use crate::answer::{Code, Unfinished};
use crate::client::Patience;
use crate::client::wire::{Episode, HistoryEvent, Listed, Page, QueueRow};
use crate::queue::row;
use crate::service::HistoryKind;

/// The grabs of one download that one page holds; more cannot be proved complete.
const GRABS_READ: &str = "1000";

/// Episodes of a download that have not aired yet, with the time when the last of them does. `Display` says what follows from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unaired {
    episodes: Vec<String>,
    last_airs: Timestamp,
}

impl fmt::Display for Unaired {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, more) =
            (self.episodes.first().map_or("an episode", String::as_str), self.episodes.len().saturating_sub(1));
        let others = if more > 0 { format!(" and {more} more") } else { String::new() };
        let verb = if more > 0 { "have" } else { "has" };
        write!(
            f,
            "{first}{others} {verb} not aired yet (the last airs {}), so a replacement could only be another fake: none was searched for. The \
             service looks for it by itself once it has aired.",
            self.last_airs
        )
    }
}

/// The episodes of `target`'s download that have not aired yet; `None` when all have, or have no date.
///
/// # Errors
/// [`Unfinished::NotStarted`] with [`Code::AirDatesUnverified`] when that cannot be proved.
pub(super) async fn unaired(
    hands: &Hands,
    rows: &[QueueRow],
    target: &QueueRow,
    deadline: Deadline,
) -> Result<Option<Unaired>, Unfinished> {
    let download_id = row::download_id(target);
    let together: Vec<&QueueRow> = match download_id {
        Some(_) => rows.iter().filter(|row| row::download_id(row) == download_id).collect(),
        None => vec![target],
    };
    let mut needed = Needed::of_rows(target, &together).map_err(|why| unverified(&why))?;
    if let Some(download_id) = download_id {
        let page = grabs(hands, download_id, deadline).await?;
        needed.add_grabs(&page, download_id).map_err(|why| unverified(&why))?;
    }
    let series = needed.series_id.to_string();
    let query = [("seriesId", series.as_str())];
    let read = hands.client.read_list::<Episode>("episode", &query, Patience::Quick30s, deadline).await;
    let episodes = read.map_err(|error| unverified(&format!("its episodes could not be read: {error}")))?;
    needed.unaired(&episodes, hands.now).map_err(|why| unverified(&why))
}

async fn grabs(hands: &Hands, download_id: &str, deadline: Deadline) -> Result<Page<HistoryEvent>, Unfinished> {
    let grabbed = hands.service.history_event(HistoryKind::Grabbed).unwrap_or(1).to_string();
    let query = [
        ("page", "1"),
        ("pageSize", GRABS_READ),
        ("sortKey", "date"),
        ("sortDirection", "descending"),
        ("eventType", grabbed.as_str()),
        ("downloadId", download_id),
    ];
    let read = hands.client.read("history", &query, Patience::Quick30s, deadline).await;
    read.map_err(|error| unverified(&format!("the history of its download could not be read: {error}")))
}

fn unverified(why: &str) -> Unfinished {
    let words = format!(
        "Nothing was removed: it cannot be proved that what the download holds has aired, because {why}. With the action blocklist_only it can be \
         removed without a search for a replacement."
    );
    Unfinished::not_started(Code::AirDatesUnverified, words)
}

/// The episodes that must be looked at.
#[derive(Debug)]
struct Needed {
    series_id: i64,
    /// By Sonarr's own id; with season and number where a row told them.
    episodes: BTreeMap<i64, Option<(i64, i64)>>,
}

impl Needed {
    fn of_rows(target: &QueueRow, together: &[&QueueRow]) -> Result<Self, String> {
        let mut needed = Self { series_id: target.series_id, episodes: BTreeMap::new() };
        for row in together {
            if row.series_id <= 0 || row.episode_id <= 0 {
                return Err(format!("queue item {} is matched to no episode", row.id));
            }
            let series_agrees = row.series.as_ref().is_none_or(|series| series.id == row.series_id);
            let episode_agrees = row.episode.as_ref().is_none_or(|episode| {
                episode.id == row.episode_id && (episode.series_id == 0 || episode.series_id == row.series_id)
            });
            if row.series_id != target.series_id || !series_agrees || !episode_agrees {
                return Err(format!("queue item {} names several series or episodes", row.id));
            }
            let number =
                row.episode.as_ref().and_then(|episode| Some((episode.season_number?, episode.episode_number?)));
            needed.episodes.insert(row.episode_id, number);
        }
        Ok(needed)
    }

    /// Adds what the download was grabbed for: an episode may have left the queue already.
    fn add_grabs(&mut self, page: &Page<HistoryEvent>, download_id: &str) -> Result<(), String> {
        let n_sent = page.records.items.len();
        let complete =
            page.records.n_skipped == 0 && page.total_records.is_some_and(|total| i64::try_from(n_sent) == Ok(total));
        if !complete {
            return Err("the history of its download was not sent whole".to_owned());
        }
        let is_of_the_download =
            |event: &&HistoryEvent| event.download_id.as_deref().is_none_or(|id| id.eq_ignore_ascii_case(download_id));
        for event in page.records.items.iter().filter(is_of_the_download) {
            if event.series_id != self.series_id || event.episode_id <= 0 {
                return Err("its grab in the history names another series, or no episode".to_owned());
            }
            self.episodes.entry(event.episode_id).or_default();
        }
        Ok(())
    }

    fn unaired(&self, read: &Listed<Episode>, now: Timestamp) -> Result<Option<Unaired>, String> {
        let mut found: Option<Unaired> = None;
        for (id, number) in &self.episodes {
            let Some(episode) = read.items.iter().find(|episode| episode.id == *id) else {
                return Err(format!("the series has no episode with the id {id}"));
            };
            let own = episode.season_number.zip(episode.episode_number);
            let agrees = episode.series_id == self.series_id && (number.is_none() || own.is_none() || *number == own);
            if !agrees {
                return Err(format!("the episode with the id {id} belongs to another series or has another number"));
            }
            // Without a date nothing is known, which is no evidence that it has not aired.
            let Some(airs) = episode.air_date_utc.filter(|airs| *airs > now) else { continue };
            let name =
                own.map_or_else(|| "an episode".to_owned(), |(season, number)| format!("S{season:02}E{number:02}"));
            let found = found.get_or_insert(Unaired { episodes: Vec::new(), last_airs: airs });
            found.episodes.push(name);
            found.last_airs = found.last_airs.max(airs);
        }
        Ok(found)
    }
}

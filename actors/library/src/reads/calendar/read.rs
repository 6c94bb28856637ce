//! Reads the calendar of one library.

use playhouse_bus::{Answer, CallInfo, Deadline, Handle, Message};
use serde::{Deserialize, Serialize};

use super::{CalendarEntry, MAX_ENTRIES, MovieDates, Window, album_entry, episode_entry, movie_entries, sort};
use crate::answer::{ArrFailure, Code};
use crate::client::Patience;
use crate::client::wire::{Album, Episode, Movie};
use crate::service::Service;
use crate::{ArrActor, Hands};

/// Reads what comes out in the next days.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReadCalendar {
    /// How many days ahead; clamped to 1 to 60, 14 unless given.
    pub days: Option<i64>,
}

/// What comes out in the next days.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Calendar {
    /// How many days ahead it was read.
    pub days: i64,
    /// By day, then by line.
    pub entries: Vec<CalendarEntry>,
    /// Lines beyond the most that are answered.
    pub n_more: usize,
    /// Records of a shape that this version does not know.
    pub n_skipped: usize,
}

impl Message for ReadCalendar {
    type Actor = ArrActor;
    type Reply = Result<Calendar, ArrFailure>;
}

impl Handle<ReadCalendar> for ArrActor {
    fn handle(&mut self, message: ReadCalendar, call: CallInfo) -> Answer<Self, Result<Calendar, ArrFailure>> {
        self.answer_read(|hands| async move { read(&hands, message.days, call.deadline).await })
    }
}

async fn read(hands: &Hands, days: Option<i64>, deadline: Deadline) -> Result<Calendar, ArrFailure> {
    let window = Window::from(hands.now, days);
    // Without a zone the services read a time as their own local one.
    let instant = |at: jiff::Timestamp| at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    let (start, end) = (instant(window.start), instant(window.end));
    let mut query = vec![("start", start.as_str()), ("end", end.as_str()), ("unmonitored", "false")];
    let client = &hands.client;
    let (mut entries, n_skipped) = match hands.service {
        Service::Radarr => {
            let read = client.read_list::<Movie>("calendar", &query, Patience::Quick30s, deadline).await?;
            (read.items.iter().flat_map(|movie| movie_lines(movie, window)).collect::<Vec<_>>(), read.n_skipped)
        }
        Service::Sonarr => {
            query.push(("includeSeries", "true"));
            let read = client.read_list::<Episode>("calendar", &query, Patience::Quick30s, deadline).await?;
            (read.items.iter().filter_map(episode_line).collect(), read.n_skipped)
        }
        Service::Lidarr => {
            query.push(("includeArtist", "true"));
            let read = client.read_list::<Album>("calendar", &query, Patience::Quick30s, deadline).await?;
            (read.items.iter().filter_map(album_line).collect(), read.n_skipped)
        }
        Service::Chaptarr => return Err(ArrFailure::refused(Code::MediaTypeUnsupported, NO_BOOKS)),
    };
    sort(&mut entries);
    let n_more = entries.len().saturating_sub(MAX_ENTRIES);
    entries.truncate(MAX_ENTRIES);
    Ok(Calendar { days: window.days, entries, n_more, n_skipped })
}

/// What is said of a calendar of books.
pub const NO_BOOKS: &str = "Books have no calendar: release dates of books are too vague for Chaptarr to keep one. This says nothing about what \
                            was or will be released; get_library lists the books of an author with their dates.";

fn movie_lines(movie: &Movie, window: Window) -> Vec<CalendarEntry> {
    let dates =
        MovieDates { cinema: movie.in_cinemas, digital: movie.digital_release, physical: movie.physical_release };
    movie_entries(
        movie.title.as_deref().unwrap_or_default(),
        movie.year,
        movie.is_on_disk() == Some(true),
        dates,
        window,
    )
}

fn episode_line(episode: &Episode) -> Option<CalendarEntry> {
    let series = episode.series.as_ref().and_then(|series| series.title.as_deref()).filter(|title| !title.is_empty());
    let (season, number) = (episode.season_number?, episode.episode_number?);
    let series = series.unwrap_or("Unknown series");
    let title = episode.title.as_deref().unwrap_or_default();
    episode_entry(series, season, number, title, episode.air_date_utc, episode.has_file == Some(true))
}

fn album_line(album: &Album) -> Option<CalendarEntry> {
    let artist = album.artist.as_ref().and_then(|artist| artist.artist_name.as_deref()).filter(|name| !name.is_empty());
    let n_files = album.statistics.as_ref().and_then(|statistics| statistics.track_file_count).unwrap_or(0);
    let (title, kind) = (album.title.as_deref().unwrap_or_default(), album.album_type.as_deref().unwrap_or_default());
    album_entry(artist.unwrap_or("Unknown artist"), title, kind, album.release_date, n_files)
}

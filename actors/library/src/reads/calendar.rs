//! What comes out in the next days.
//!
//! Pure rules: which of the dates that a service answers become lines of a calendar, and in which order they stand.

mod read;

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::instants::day;
use crate::service::MediaType;
use crate::words::schema_of_words;

pub use read::{Calendar, NO_BOOKS, ReadCalendar};

/// Days looked ahead when none are asked for.
const DEFAULT_DAYS: i64 = 14;
/// Most days looked ahead.
const MAX_DAYS: i64 = 60;
/// Most lines of one library that an answer carries; a broken service may answer its whole library.
pub(crate) const MAX_ENTRIES: usize = 500;

/// How far ahead a calendar looks, from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    /// Days from the start to the end.
    pub(crate) days: i64,
    /// Now.
    pub(crate) start: Timestamp,
    /// Its end.
    pub(crate) end: Timestamp,
}

impl Window {
    /// The window of `days` from `now` on: at least one day, at most sixty, fourteen unless asked for.
    pub(crate) fn from(now: Timestamp, days: Option<i64>) -> Self {
        let days = match days {
            Some(days) if days >= 1 => days.min(MAX_DAYS),
            _ => DEFAULT_DAYS,
        };
        let end = now.checked_add(SignedDuration::from_hours(24 * days)).unwrap_or(Timestamp::MAX);
        Self { days, start: now, end }
    }

    /// Whether a release day belongs to it. Such a day is stamped with its midnight, so what comes out today lies behind the start.
    fn holds_day(&self, at: Timestamp) -> bool {
        at.duration_since(self.start) >= SignedDuration::from_hours(-24) && at <= self.end
    }
}

/// What comes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReleaseKind {
    /// A film in cinemas.
    Cinema,
    /// A film on streaming services.
    Digital,
    /// A film on disc.
    Physical,
    /// An episode on air.
    Episode,
    /// An album.
    Album,
}

schema_of_words!(ReleaseKind: "cinema", "digital", "physical", "episode", "album");

impl ReleaseKind {
    const fn words(self) -> &'static str {
        match self {
            ReleaseKind::Cinema => "in cinemas",
            ReleaseKind::Digital => "digital release",
            ReleaseKind::Physical => "physical release",
            ReleaseKind::Episode => "airs",
            ReleaseKind::Album => "album release",
        }
    }
}

/// One line of a calendar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct CalendarEntry {
    /// The UTC day, such as 2026-11-30.
    pub date: String,
    /// The UTC time, such as 21:00; only for episodes.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub time: Option<String>,
    /// What it is.
    pub media_type: MediaType,
    /// How it comes out.
    pub kind: ReleaseKind,
    /// Title, with year, episode or artist.
    pub title: String,
    /// Whether the library holds it already.
    pub has_file: bool,
}

/// The dates of one film.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct MovieDates {
    pub(crate) cinema: Option<Timestamp>,
    pub(crate) digital: Option<Timestamp>,
    pub(crate) physical: Option<Timestamp>,
}

/// The lines of one film: each of its dates that the window holds.
pub(crate) fn movie_entries(
    title: &str,
    year: Option<i64>,
    has_file: bool,
    dates: MovieDates,
    window: Window,
) -> Vec<CalendarEntry> {
    let title = match year {
        Some(year) if year > 0 => format!("{title} ({year})"),
        _ => title.to_owned(),
    };
    [
        (ReleaseKind::Cinema, dates.cinema),
        (ReleaseKind::Digital, dates.digital),
        (ReleaseKind::Physical, dates.physical),
    ]
    .into_iter()
    .filter_map(|(kind, at)| {
        // These are days of the calendar, stamped as midnight UTC: read as UTC they stay the days they are.
        let date = day(at.filter(|at| window.holds_day(*at))?);
        Some(CalendarEntry { date, time: None, media_type: MediaType::Movie, kind, title: title.clone(), has_file })
    })
    .collect()
}

/// The line of one episode; none for an episode that is not scheduled.
pub(crate) fn episode_entry(
    series: &str,
    season: i64,
    number: i64,
    title: &str,
    air: Option<Timestamp>,
    has_file: bool,
) -> Option<CalendarEntry> {
    let air = air?;
    let name = if title.is_empty() { String::new() } else { format!(" \"{title}\"") };
    Some(CalendarEntry {
        date: day(air),
        time: Some(air.strftime("%H:%M").to_string()),
        media_type: MediaType::Tv,
        kind: ReleaseKind::Episode,
        title: format!("{series} S{season:02}E{number:02}{name}"),
        has_file,
    })
}

/// The line of one album; none for an album without a date.
pub(crate) fn album_entry(
    artist: &str,
    title: &str,
    album_type: &str,
    released: Option<Timestamp>,
    n_track_files: i64,
) -> Option<CalendarEntry> {
    let kind = if album_type.is_empty() { String::new() } else { format!(" ({album_type})") };
    Some(CalendarEntry {
        date: day(released?),
        time: None,
        media_type: MediaType::Music,
        kind: ReleaseKind::Album,
        title: format!("{artist} — {title}{kind}"),
        has_file: n_track_files > 0,
    })
}

/// An entry as one line under its day.
fn line(entry: &CalendarEntry) -> String {
    let time = entry.time.as_deref().map(|time| format!("{time} UTC ")).unwrap_or_default();
    let held = if entry.has_file { ", already downloaded" } else { "" };
    format!("{time}{} ({}{held})", entry.title, entry.kind.words())
}

/// Orders entries by day, then by their lines.
pub(crate) fn sort(entries: &mut [CalendarEntry]) {
    entries.sort_by_cached_key(|entry| (entry.date.clone(), line(entry)));
}

/// Sorted entries as prose, grouped by day.
pub(crate) fn calendar_prose(entries: &[CalendarEntry]) -> String {
    let mut days: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for entry in entries {
        days.entry(&entry.date).or_default().push(format!("- {}", line(entry)));
    }
    let blocks: Vec<String> = days.into_iter().map(|(date, lines)| format!("{date}\n{}", lines.join("\n"))).collect();
    blocks.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn window() -> Window {
        Window::from(at("2026-11-30T18:00:00Z"), None)
    }

    #[test]
    fn case_31_days_are_clamped() {
        for (asked, expected) in [
            (None, 14),
            (Some(0), 14),
            (Some(-3), 14),
            (Some(1), 1),
            (Some(60), 60),
            (Some(400), 60),
            (Some(i64::MAX), 60),
        ] {
            let window = Window::from(at("2026-11-30T18:00:00Z"), asked);
            assert_eq!(window.days, expected, "{asked:?}");
            assert_eq!(window.end.duration_since(window.start).as_hours(), 24 * expected, "{asked:?}");
        }
    }

    #[test]
    fn case_32_only_the_dates_within_the_window_become_lines() {
        let dates = MovieDates {
            cinema: Some(at("2026-06-01T00:00:00Z")),
            digital: Some(at("2026-12-01T00:00:00Z")),
            physical: Some(at("2027-02-01T00:00:00Z")),
        };
        let entries = movie_entries("Dune", Some(2026), false, dates, window());
        let found: Vec<_> =
            entries.iter().map(|entry| (entry.kind, entry.date.as_str(), entry.title.as_str())).collect();
        assert_eq!(found, [(ReleaseKind::Digital, "2026-12-01", "Dune (2026)")]);
    }

    #[test]
    fn what_came_out_today_still_counts_and_what_came_out_before_does_not() {
        let line = |cinema: &str| {
            let dates = MovieDates { cinema: Some(at(cinema)), ..MovieDates::default() };
            movie_entries("Dune", None, false, dates, window()).len()
        };
        assert_eq!(line("2026-11-30T00:00:00Z"), 1, "today's midnight lies 18 hours behind");
        assert_eq!(line("2026-11-29T18:00:00Z"), 1, "exactly 24 hours");
        assert_eq!(line("2026-11-29T17:59:59Z"), 0);
        assert_eq!(line("2026-12-14T18:00:00Z"), 1, "the end belongs to it");
        assert_eq!(line("2026-12-14T18:00:01Z"), 0);
    }

    #[test]
    fn case_33_a_day_stays_the_day_it_is_wherever_the_reader_is() {
        let window = Window::from(at("2026-02-25T08:00:00Z"), None);
        let dates = MovieDates { digital: Some(at("2026-03-01T00:00:00Z")), ..MovieDates::default() };
        assert_eq!(movie_entries("Dune", None, true, dates, window)[0].date, "2026-03-01");
    }

    #[test]
    fn a_film_of_an_unknown_year_has_no_year_behind_it() {
        let dates = MovieDates { cinema: Some(at("2026-12-01T00:00:00Z")), ..MovieDates::default() };
        assert_eq!(movie_entries("Untitled", Some(0), false, dates, window())[0].title, "Untitled");
    }

    #[test]
    fn case_34_an_episode_without_an_air_date_is_not_listed() {
        assert_eq!(episode_entry("Show", 1, 2, "Pilot", None, false), None);
        let entry = episode_entry("Show", 1, 2, "Pilot", Some(at("2026-12-01T21:05:30Z")), false).unwrap();
        assert_eq!((entry.date.as_str(), entry.time.as_deref()), ("2026-12-01", Some("21:05")));
        assert_eq!(entry.title, "Show S01E02 \"Pilot\"");
    }

    #[test]
    fn an_album_counts_as_downloaded_once_it_has_a_track_file() {
        let released = Some(at("2026-12-04T00:00:00Z"));
        assert_eq!(album_entry("Artist", "Album", "EP", None, 0), None);
        assert!(!album_entry("Artist", "Album", "EP", released, 0).unwrap().has_file);
        let entry = album_entry("Artist", "Album", "EP", released, 1).unwrap();
        assert!(entry.has_file);
        assert_eq!(entry.title, "Artist — Album (EP)");
    }

    #[test]
    fn entries_stand_by_day_and_within_a_day_by_their_line() {
        let mut entries = vec![
            episode_entry("Zebra", 1, 1, "", Some(at("2026-12-01T09:00:00Z")), false).unwrap(),
            album_entry("Artist", "Album", "", Some(at("2026-12-02T00:00:00Z")), 1).unwrap(),
            episode_entry("Aardvark", 1, 1, "", Some(at("2026-12-01T21:00:00Z")), false).unwrap(),
        ];
        sort(&mut entries);
        assert_eq!(
            calendar_prose(&entries),
            "2026-12-01\n- 09:00 UTC Zebra S01E01 (airs)\n- 21:00 UTC Aardvark S01E01 (airs)\n2026-12-02\n- Artist — Album (album release, \
             already downloaded)"
        );
    }
}

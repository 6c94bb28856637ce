//! What a laid-out season means, in words without the services' jargon.

use super::{AirState, EpisodeFlag, EpisodeLine, SeasonLayout};
use crate::reads::instants::{day, minute};

/// A season's name in a sentence.
fn season_name(season: u32) -> String {
    if season == 0 { "the specials (season 0)".to_owned() } else { format!("season {season}") }
}

/// The whole of a layout as prose: explanation, then a line an episode.
pub(crate) fn layout_prose(layout: &SeasonLayout) -> String {
    let mut prose = layout.explanation.clone();
    for line in &layout.episodes {
        prose.push('\n');
        prose.push_str(&episode_line(layout.counts.season, line));
    }
    if layout.n_more_episodes > 0 {
        prose.push_str(&format!("\n…and {} more", layout.n_more_episodes));
    }
    prose
}

impl SeasonLayout {
    /// With the word that records are missing from it, where some could not be read: then nothing in it proves that something is not there.
    pub(super) fn with_unread(mut self, n_skipped: usize) -> Self {
        if n_skipped > 0 {
            self.explanation.push_str(
                " Not all records of the series could be read, so what is not told here is not known to be absent.",
            );
        }
        self
    }
}

pub(super) fn explanation(layout: &SeasonLayout) -> String {
    let counts = &layout.counts;
    let name = season_name(counts.season);
    if counts.total == 0 {
        return format!("There are no episodes in {name}.");
    }
    if counts.pre_air_fill {
        let imported = match layout.earliest_import {
            Some(imported) => format!(" The first file of the season was imported on {}.", day(imported)),
            None => String::new(),
        };
        let first_air = match layout.first_air {
            Some(air) => format!(" The season's first episode airs on {}.", day(air)),
            None => String::new(),
        };
        return format!(
            "The library holds files for {} of {name} that have not aired yet ({} of its {} have aired, {} have files).{imported}{first_air} What \
             has not aired cannot have been released, so these files cannot be the episodes they are filed as.",
            episodes(&layout.unaired_with_file),
            counts.aired,
            n_episodes(counts.total),
            counts.with_files,
        );
    }
    let plain = format!(
        "{} has {}: {} aired, {} with files.",
        capitalised(&name),
        n_episodes(counts.total),
        counts.aired,
        counts.with_files
    );
    let further = match (layout.unaired_with_file.as_slice(), layout.aired_missing.len()) {
        ([one], _) => format!(
            " Episode {one} has a file although it is dated later; a single early file is mostly a wrong date and not taken as a finding."
        ),
        (_, 0) => " Every episode that has aired has a file.".to_owned(),
        (_, 1) => " 1 aired episode has no file.".to_owned(),
        (_, n_missing) => format!(" {n_missing} aired episodes have no file."),
    };
    plain + &further
}

fn episode_line(season: u32, line: &EpisodeLine) -> String {
    let title = if line.title.is_empty() { String::new() } else { format!(" \"{}\"", line.title) };
    let when = match (line.state, line.air_utc) {
        (AirState::Aired, Some(air)) => format!("aired {}", minute(air)),
        (AirState::Unaired, Some(air)) => format!("airs {}", minute(air)),
        _ => "no air date".to_owned(),
    };
    let file = if line.has_file {
        let release = line.release.as_deref().map(|release| format!(": {release}")).unwrap_or_default();
        let quality = line.quality.as_deref().map(|quality| format!(" [{quality}]")).unwrap_or_default();
        let imported = line.imported_utc.map(|imported| format!(", imported {}", minute(imported))).unwrap_or_default();
        format!("file{release}{quality}{imported}")
    } else {
        "no file".to_owned()
    };
    let flags: Vec<&str> = line.flags.iter().map(|flag| flag_words(*flag)).collect();
    let flags = if flags.is_empty() { String::new() } else { format!(" ← {}", flags.join("; ")) };
    format!("S{season:02}E{:02}{title}: {when}; {file}{flags}", line.number)
}

fn flag_words(flag: EpisodeFlag) -> &'static str {
    match flag {
        EpisodeFlag::UnairedWithFile => "file for an episode that has not aired",
        EpisodeFlag::ImportedBeforeAir => "imported before it aired",
        EpisodeFlag::AiredMissing => "aired, missing",
    }
}

fn episodes(numbers: &[u32]) -> String {
    let listed: Vec<String> = numbers.iter().map(u32::to_string).collect();
    format!("episodes {}", listed.join(", "))
}

fn n_episodes(n: usize) -> String {
    if n == 1 { "1 episode".to_owned() } else { format!("{n} episodes") }
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

//! A new draft of the script, compared with the one before it.

use std::collections::{HashMap, HashSet};

use jiff::civil::Date;
use sha2::{Digest, Sha256};

use super::super::limits::{MAX_NOTES, MAX_SPEAKERS};
use super::super::text::tidied;
use super::super::{ImportFault, ParsedScript, read_fdx, read_fountain};
use super::Desk;
use super::runs::{matched, merged_order};
use super::versions::{Compared, Pages};
use crate::messages::ImportPlan;
use crate::model::{Draft, DraftId, Episode, Scene, Subject, SubjectType, Verb};

/// The colours of pages in the order in which drafts take them; after the last one they begin anew as `second blue` and so on.
const COLOURS: [&str; 9] = ["white", "blue", "pink", "yellow", "green", "goldenrod", "buff", "salmon", "cherry"];
/// Characters of a colour.
const MAX_COLOUR_CHARS: usize = 40;

pub(super) fn plan(mut desk: Desk<'_>, bytes: &[u8]) -> Result<ImportPlan, ImportFault> {
    let episode = episode_of(&desk)?;
    let episode_id = episode.map(|episode| episode.id);
    let mut script = if looks_like_xml(bytes) { read_fdx(bytes)? } else { read_fountain(bytes)? };
    refuse_twins(&script)?;
    refuse_crowds(&script)?;

    let sha256 = hex(&Sha256::digest(bytes));
    let earlier: Vec<&Draft> = desk.office.drafts_of(episode_id).collect();
    if let Some(known) = earlier.iter().rev().find(|draft| draft.sha256 == sha256) {
        desk.report.draft_id = Some(known.id);
        desk.report.unchanged = u32::try_from(script.scenes.len()).unwrap_or(u32::MAX);
        let subject = subject(desk.production.title.as_str(), episode, known);
        return Ok(desk.finish(Verb::DraftImported, subject, "the same file again"));
    }

    desk.warn_all(std::mem::take(&mut script.warnings));
    let draft = Draft {
        id: desk.changes.next_id::<DraftId>(),
        episode_id,
        colour: colour(&mut desk, &script, &earlier)?,
        label: script.title_page_value("draft").or(script.title_page_value("revision")).map(str::to_owned),
        dated: dated(&mut desk, &script),
        imported_at: desk.changes.at(),
        source: script.source,
        sha256,
        approved: false,
    };
    desk.report.draft_id = Some(draft.id);

    let known: Vec<&Scene> = desk.office.script_of(episode_id).collect();
    warn_of_numbers(&mut desk, &known, &script);
    let found = matched(&known, &script.scenes);
    let mut pages = Pages::of(desk, draft);
    for (order, place) in (0_u32..).zip(merged_order(known.len(), &found)) {
        let compared = match place {
            Ok(new) => Compared { known: found[new].map(|old| known[old]), parsed: Some(&script.scenes[new]) },
            Err(old) => Compared { known: Some(known[old]), parsed: None },
        };
        pages.turn(compared, order);
    }
    let (mut desk, draft) = pages.close();

    let subject = subject(desk.production.title.as_str(), episode, &draft);
    let what = format!("{} draft", draft.colour);
    desk.changes.put(draft);
    Ok(desk.finish(Verb::DraftImported, subject, &what))
}

/// The episode the draft is of: one is needed for a series, and a film has none.
fn episode_of<'a>(desk: &Desk<'a>) -> Result<Option<&'a Episode>, ImportFault> {
    let episode = desk.episode()?;
    if desk.is_series() && episode.is_none() {
        return Err(ImportFault::general("episode_id is needed: the production is a series."));
    }
    Ok(episode)
}

fn looks_like_xml(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    bytes.trim_ascii_start().starts_with(b"<")
}

/// Everything hangs on a scene's number, so no two scenes may have one.
fn refuse_twins(script: &ParsedScript) -> Result<(), ImportFault> {
    let mut lines: HashMap<&str, u32> = HashMap::new();
    for scene in &script.scenes {
        let Some(number) = scene.number.as_deref() else { continue };
        if let Some(first) = lines.insert(number, scene.line) {
            let message = format!("scene {number} stands in line {first} already; give one of the two another number.");
            return Err(ImportFault::at(scene.line, message));
        }
    }
    Ok(())
}

/// Every note, tagged thing and speaker becomes a record, and all of them are written at once.
fn refuse_crowds(script: &ParsedScript) -> Result<(), ImportFault> {
    let n_notes: usize = script.scenes.iter().map(|scene| scene.notes.len() + scene.tagged.len()).sum();
    if n_notes > MAX_NOTES {
        return Err(ImportFault::general(format!("The script has more than {MAX_NOTES} notes and tagged things.")));
    }
    let speakers: HashSet<String> =
        script.scenes.iter().flat_map(|scene| scene.speakers()).map(str::to_uppercase).collect();
    if speakers.len() > MAX_SPEAKERS {
        return Err(ImportFault::general(format!("The script has more than {MAX_SPEAKERS} characters.")));
    }
    Ok(())
}

fn warn_of_numbers(desk: &mut Desk<'_>, known: &[&Scene], script: &ParsedScript) {
    let was_locked = !known.is_empty() && known.iter().all(|scene| !scene.number.is_empty());
    let without = script.scenes.iter().filter(|scene| scene.number.is_none());
    let (n_without, first) = (without.clone().count(), without.map(|scene| scene.line).next());
    if let Some(line) = first.filter(|_| was_locked || n_without < script.scenes.len()) {
        let message = format!("{n_without} scene(s) have no number; they were matched by heading and order.");
        desk.warn(line, message);
    }
}

fn colour(desk: &mut Desk<'_>, script: &ParsedScript, earlier: &[&Draft]) -> Result<String, ImportFault> {
    if let Some(asked) = &desk.options.colour {
        return spelt(asked).ok_or_else(|| {
            ImportFault::general(format!("colour must be 1 to {MAX_COLOUR_CHARS} letters, as in `second blue`."))
        });
    }
    match script.title_page_value("revision") {
        Some(revision) => {
            if let Some(colour) = spelt(revision) {
                return Ok(colour);
            }
            desk.warn(1, "the revision on the title page is no colour; the next colour in turn was taken.");
        }
        None if !earlier.is_empty() => {
            desk.warn(1, "neither the title page nor the request names a colour; the next one in turn was taken.")
        }
        None => {}
    }
    Ok(next_colour(earlier.len()))
}

/// A colour as it is kept: lower case letters and blanks.
fn spelt(colour: &str) -> Option<String> {
    let colour = tidied(colour).to_lowercase();
    let sound = (1..=MAX_COLOUR_CHARS).contains(&colour.chars().count())
        && colour.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '-'));
    sound.then_some(colour)
}

/// The colour of the draft after `n_earlier` others. White is used once: the second round begins with blue.
fn next_colour(n_earlier: usize) -> String {
    if n_earlier < COLOURS.len() {
        return COLOURS[n_earlier].to_owned();
    }
    let n_later = n_earlier - COLOURS.len();
    let (round, at) = (n_later / (COLOURS.len() - 1), n_later % (COLOURS.len() - 1));
    let nth = ["second", "third", "fourth", "fifth"]
        .get(round)
        .map_or_else(|| format!("{}th", round + 2), |nth| (*nth).to_owned());
    format!("{nth} {}", COLOURS[at + 1])
}

fn dated(desk: &mut Desk<'_>, script: &ParsedScript) -> Option<Date> {
    if desk.options.dated.is_some() {
        return desk.options.dated;
    }
    let written = script.title_page_value("draft date").or(script.title_page_value("date"))?;
    let dated = super::super::table::date(written).ok();
    if dated.is_none() {
        let shown = super::rows::shown(written);
        desk.warn(1, format!("`{shown}` on the title page is no date such as 2026-09-15; the draft is not dated."));
    }
    dated
}

/// A draft as the activity list names it: `101 Landfall, blue`.
fn subject(production: &str, episode: Option<&Episode>, draft: &Draft) -> Subject {
    let title = match episode {
        Some(episode) => format!("{} {}, {}", episode.number, episode.title, draft.colour),
        None => format!("{production}, {}", draft.colour),
    };
    Subject { subject_type: SubjectType::Draft, id: draft.id.0, title }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_come_in_turn_and_then_a_second_time() {
        let at = |n| next_colour(n);
        assert_eq!(
            [at(0), at(1), at(8), at(9), at(16), at(17)],
            ["white", "blue", "cherry", "second blue", "second cherry", "third blue"]
        );
    }
}

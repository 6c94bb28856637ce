//! Quality profiles, custom formats and languages: what an application prefers, the rules by which it takes changes, and how it keeps them.
//!
//! | file | what it is about |
//! | --- | --- |
//! | `qualities`, `languages`, `conditions` | what there is, as tables |
//! | `bind`, `profile_rules`, `format_rules`, `refusal` | what is read of a body, what is refused of it, what is kept of it, and the words of a refusal |
//! | `answers`, `wire` | the calls, and how their answers are written |
//! | `furnish` | what a household has |
//! | `handles` | what a test sees of it, and does to it |

mod answers;
mod bind;
mod conditions;
mod format_rules;
mod furnish;
mod handles;
mod languages;
mod profile_rules;
mod qualities;
mod refusal;
mod wire;

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::arr::kind::ArrKind;
pub(super) use answers::*;
pub use handles::{Listing, SettingsWrites};
use languages::Language;

/// What one application prefers: its profiles, its custom formats and the languages that it knows.
///
/// Its methods do at once what somebody else does in the application's own pages, without any rule: a test may leave it in a state that the
/// application would never be in.
#[derive(Debug)]
pub struct Preferences {
    kind: ArrKind,
    profiles: Vec<Kept>,
    formats: Vec<Kept>,
    languages: Vec<Language>,
    /// Numbers are not given twice, as in a database.
    n_formats_ever: u32,
    /// How profiles list formats that come from now on, where they do it wrongly.
    listings: BTreeMap<u32, Listing>,
    /// Whether this build is too old to know custom formats at all.
    is_without_formats: bool,
    /// Whether conditions are read as current builds do: an unknown one is a failure, an unknown field is passed over.
    is_lenient: bool,
    n_writes_arrived: usize,
    n_writes_accepted: usize,
}

/// Whether a path below `/api/v3/` is about profiles or formats.
pub(super) fn is_ours(path: &str) -> bool {
    matches!(path.split('/').next(), Some("qualityprofile" | "customformat"))
}

/// An object by the number that it is asked for by, which a test may have taken out of the object itself.
#[derive(Debug, Clone)]
struct Kept {
    id: u32,
    value: Value,
}

impl Kept {
    /// Whether a format is one for profiles of this sort: a question that only Chaptarr asks.
    fn is_for(&self, profile_type: Option<&str>) -> bool {
        let applies_to = self.value["appliesTo"].as_str().unwrap_or("both");
        applies_to == "both" || profile_type.is_none_or(|sort| sort == applies_to)
    }
}

impl Preferences {
    /// What a household has.
    pub(super) fn new(kind: ArrKind) -> Self {
        let mut preferences = Self {
            kind,
            profiles: Vec::new(),
            formats: Vec::new(),
            languages: languages::of(kind),
            n_formats_ever: 0,
            listings: BTreeMap::new(),
            is_without_formats: false,
            is_lenient: false,
            n_writes_arrived: 0,
            n_writes_accepted: 0,
        };
        furnish::furnish(&mut preferences);
        preferences
    }

    /// Counts a change that was asked for, whatever becomes of it.
    pub(super) fn note_write(&mut self) {
        self.n_writes_arrived += 1;
    }

    fn next_format_id(&self) -> u32 {
        self.n_formats_ever + 1
    }

    /// Keeps a format that is new, which enters every profile that it is for without a score.
    fn enter(&mut self, format: Value) -> u32 {
        let id = self.next_format_id();
        self.n_formats_ever = id;
        let kept = Kept { id, value: format };
        for profile in &mut self.profiles {
            if !kept.is_for(profile.value["profileType"].as_str()) {
                continue;
            }
            let (n_times, score) = match self.listings.get(&profile.id) {
                None => (1, 0),
                Some(Listing::AtScore(score)) => (1, *score),
                Some(Listing::Twice) => (2, 0),
                Some(Listing::NotAtAll) => (0, 0),
            };
            if let Some(list) = profile.value.get_mut("formatItems").and_then(Value::as_array_mut) {
                let entry = json!({ "format": id, "name": kept.value["name"], "score": score });
                // In front of the others, as the applications do it: nobody can rely on an order.
                list.splice(0..0, std::iter::repeat_n(entry, n_times));
            }
        }
        self.formats.push(kept);
        id
    }

    /// Lets profiles list a changed format that are of a sort that it was not for before, and the others no longer: only Chaptarr has sorts.
    fn list_again(&mut self, before: &Kept, after: &Kept) {
        for profile in &mut self.profiles {
            let (was, is) = {
                let sort = profile.value["profileType"].as_str();
                (before.is_for(sort), after.is_for(sort))
            };
            let Some(list) = profile.value.get_mut("formatItems").and_then(Value::as_array_mut) else { continue };
            match (was, is) {
                (false, true) => list.insert(0, json!({ "format": after.id, "score": 0 })),
                (true, false) => list.retain(|entry| entry["format"] != after.id),
                _ => {}
            }
        }
    }

    /// Writes the names of formats and languages into a profile, as they are called at this moment: it only keeps their numbers.
    fn name_again(&self, profile: &mut Value) {
        let scored = profile.get_mut("formatItems").and_then(Value::as_array_mut);
        for entry in scored.into_iter().flatten().filter(|entry| entry.is_object()) {
            let format = self.formats.iter().find(|kept| entry["format"] == kept.id);
            if let Some(format) = format {
                entry["name"] = format.value["name"].clone();
            }
        }
        let language = self.languages.iter().find(|known| profile["language"]["id"] == known.id);
        if let Some(language) = language {
            profile["language"] = json!({ "id": language.id, "name": language.name });
        }
    }

    fn name_all_again(&mut self) {
        let mut profiles = std::mem::take(&mut self.profiles);
        profiles.iter_mut().for_each(|profile| self.name_again(&mut profile.value));
        self.profiles = profiles;
    }
}

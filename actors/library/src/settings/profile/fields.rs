//! The settings of a profile that can differ, each with its name and its value for people.
//!
//! They are looked up in the stored object without any demand on the rest of it, so that a comparison also works where the profile has changed
//! in a way that this program would not touch.

use std::collections::{BTreeMap, BTreeSet};

use crate::settings::exact::Exact;
use crate::settings::{FieldChange, FieldState};

/// One setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    UpgradeAllowed,
    QualityCutoff,
    MinFormatScore,
    CutoffFormatScore,
    MinUpgradeFormatScore,
    /// Of the custom format with this id.
    Score(i64),
    Language,
}

/// What a setting is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Value {
    Switch(bool),
    Number(i64),
    Score(i64),
    /// A quality, group or language.
    Named(i64, Option<String>),
    /// Not there, or of another kind than it should be.
    Unset,
    /// The profile does not list the custom format.
    Removed,
}

/// The key of a score, before the format's id.
const SCORE_KEY: &str = "custom_format_score:";

impl Field {
    const BEFORE_SCORES: [Field; 5] = [
        Field::UpgradeAllowed,
        Field::QualityCutoff,
        Field::MinFormatScore,
        Field::CutoffFormatScore,
        Field::MinUpgradeFormatScore,
    ];

    fn key(self) -> String {
        match self {
            Field::UpgradeAllowed => "upgrade_allowed".to_owned(),
            Field::QualityCutoff => "quality_cutoff".to_owned(),
            Field::MinFormatScore => "min_format_score".to_owned(),
            Field::CutoffFormatScore => "cutoff_format_score".to_owned(),
            Field::MinUpgradeFormatScore => "min_upgrade_format_score".to_owned(),
            Field::Score(id) => format!("{SCORE_KEY}{id}"),
            Field::Language => "language".to_owned(),
        }
    }

    fn of_key(key: &str) -> Option<Self> {
        if let Some(id) = key.strip_prefix(SCORE_KEY) {
            return id.parse().ok().map(Field::Score);
        }
        Field::BEFORE_SCORES.into_iter().chain([Field::Language]).find(|field| field.key() == key)
    }

    /// What people call it. Format names come from the instance's own list.
    fn label(self, names: &BTreeMap<i64, String>) -> String {
        match self {
            Field::UpgradeAllowed => "upgrade policy".to_owned(),
            Field::QualityCutoff => "quality cutoff".to_owned(),
            Field::MinFormatScore => "minimum custom-format score".to_owned(),
            Field::CutoffFormatScore => "custom-format cutoff score".to_owned(),
            Field::MinUpgradeFormatScore => "minimum upgrade score gain".to_owned(),
            Field::Score(id) => match names.get(&id) {
                Some(name) => format!("custom format {name:?} [{id}]"),
                None => format!("custom format [{id}]"),
            },
            Field::Language => "profile language".to_owned(),
        }
    }

    fn of(self, seen: &Seen<'_>) -> Value {
        let profile = seen.profile;
        let number = |name: &str| profile.member(name).and_then(Exact::as_integer).map(Value::Number);
        let value = match self {
            Field::UpgradeAllowed => profile.member("upgradeAllowed").and_then(Exact::as_switch).map(Value::Switch),
            Field::QualityCutoff => {
                let id = profile.member("cutoff").and_then(Exact::as_integer);
                id.map(|id| Value::Named(id, quality_name(profile.member("items"), id)))
            }
            Field::MinFormatScore => number("minFormatScore"),
            Field::CutoffFormatScore => number("cutoffFormatScore"),
            Field::MinUpgradeFormatScore => number("minUpgradeFormatScore"),
            Field::Score(id) => Some(match seen.scores.get(&id) {
                None => Value::Removed,
                Some(score) => score.map_or(Value::Unset, Value::Score),
            }),
            Field::Language => profile.member("language").and_then(|language| {
                let name = language.member("name").and_then(Exact::as_text).map(str::to_owned);
                Some(Value::Named(language.member("id").and_then(Exact::as_integer)?, name))
            }),
        };
        value.unwrap_or(Value::Unset)
    }
}

impl Value {
    /// For a record that is read on a page.
    fn shown(&self) -> String {
        match self {
            Value::Switch(true) => "on".to_owned(),
            Value::Switch(false) => "off".to_owned(),
            Value::Number(value) => value.to_string(),
            Value::Score(score @ 1..) => format!("+{score}"),
            Value::Score(score) => score.to_string(),
            Value::Named(id, Some(name)) => format!("{name} [{id}]"),
            Value::Named(id, None) => format!("Unknown [{id}]"),
            Value::Unset => "not set".to_owned(),
            Value::Removed => "removed".to_owned(),
        }
    }

    /// For a line of differences, where scores always carry their sign and names stand in quotes.
    fn in_a_line(&self) -> String {
        match self {
            Value::Score(score) => format!("{score:+}"),
            Value::Named(id, Some(name)) => format!("{name:?} [{id}]"),
            other => other.shown(),
        }
    }
}

/// A profile with its scores by format: an instance may have thousands of formats, and each is looked up.
struct Seen<'a> {
    profile: &'a Exact,
    scores: BTreeMap<i64, Option<i64>>,
}

impl<'a> Seen<'a> {
    fn new(profile: &'a Exact) -> Self {
        let items = profile.member("formatItems").and_then(Exact::elements).unwrap_or_default();
        let score = |item: &Exact| {
            let id = item.member("format").and_then(Exact::as_integer)?;
            Some((id, item.member("score").and_then(Exact::as_integer)))
        };
        Self { profile, scores: items.iter().filter_map(score).collect() }
    }
}

/// The name of a quality or group; the top level first, where cutoffs belong.
fn quality_name(items: Option<&Exact>, id: i64) -> Option<String> {
    let items = items.and_then(Exact::elements)?;
    let here = items.iter().find_map(|item| {
        let entry = item.member("quality").filter(|quality| quality.members().is_some()).unwrap_or(item);
        let is_it = entry.member("id").and_then(Exact::as_integer) == Some(id);
        entry.member("name").filter(|_| is_it).and_then(Exact::as_text).map(str::to_owned)
    });
    here.or_else(|| items.iter().find_map(|item| quality_name(item.member("items"), id)))
}

/// Each setting that differs, in the order in which it is told.
fn changed(before: &Exact, after: &Exact) -> Vec<(Field, Value, Value)> {
    let (before, after) = (Seen::new(before), Seen::new(after));
    let scores: BTreeSet<i64> = before.scores.keys().chain(after.scores.keys()).copied().collect();
    let all = Field::BEFORE_SCORES.into_iter().chain(scores.into_iter().map(Field::Score)).chain([Field::Language]);
    all.map(|field| (field, field.of(&before), field.of(&after))).filter(|(_, before, after)| before != after).collect()
}

/// The differences in lines for people: `upgrade policy: on -> off`.
pub(super) fn lines(before: &Exact, after: &Exact, names: &BTreeMap<i64, String>) -> Vec<String> {
    let line = |(field, before, after): (Field, Value, Value)| {
        format!("{}: {} -> {}", field.label(names), before.in_a_line(), after.in_a_line())
    };
    changed(before, after).into_iter().map(line).collect()
}

/// How much room the lines take in an answer, with a bullet and a line's end each.
pub(super) fn diff_bytes(lines: &[String]) -> usize {
    lines.iter().map(|line| line.len() + 4).sum()
}

/// The differences for the record.
pub(super) fn differences(before: &Exact, after: &Exact, names: &BTreeMap<i64, String>) -> Vec<FieldChange> {
    let field = |(field, before, after): (Field, Value, Value)| FieldChange {
        key: field.key(),
        label: field.label(names),
        before: before.shown(),
        after: after.shown(),
        current: None,
        current_state: None,
    };
    changed(before, after).into_iter().map(field).collect()
}

/// The recorded differences with the values of `live`; without one, everything is removed.
pub(super) fn with_current(fields: Vec<FieldChange>, live: Option<&Exact>) -> Vec<FieldChange> {
    let live = live.map(Seen::new);
    let now = |mut change: FieldChange| {
        let value = match (&live, Field::of_key(&change.key)) {
            (Some(live), Some(field)) => field.of(live),
            (None, _) => Value::Removed,
            // A later version's field, in a record that an earlier one reads.
            (Some(_), None) => return change,
        };
        let current = value.shown();
        change.current_state = Some(match &current {
            current if *current == change.after => FieldState::MatchesApplied,
            current if *current == change.before => FieldState::MatchesBefore,
            _ => FieldState::Different,
        });
        change.current = Some(current);
        change
    };
    fields.into_iter().map(now).collect()
}

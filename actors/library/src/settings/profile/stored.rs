//! A stored quality profile, as far as changes of it are concerned, and whether it is in order.
//!
//! A change goes only into a profile that this program understands completely: the PUT replaces the whole of it, and a rule that is broken
//! already would be taken for the change's doing.

use std::collections::{BTreeMap, BTreeSet};

use super::catalogue::{Formats, is_a_name};
use crate::service::Service;
use crate::settings::PlannedLanguage;
use crate::settings::exact::{Exact, Members};

/// What a change looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Profile {
    pub(super) id: i64,
    pub(super) name: String,
    /// Whether it has a least gain of score; Lidarr and Chaptarr have none.
    pub(super) has_min_upgrade_score: bool,
    /// Qualities and groups at the top level, worst first.
    pub(super) top: Vec<Top>,
    /// By format.
    pub(super) scores: BTreeMap<i64, i32>,
    /// Radarr only.
    pub(super) language: Option<PlannedLanguage>,
}

/// A quality or group at the top level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Top {
    pub(super) id: i64,
    pub(super) name: String,
    pub(super) is_allowed: bool,
}

impl Profile {
    /// Reads one, and says in words what is not in order.
    pub(super) fn read(value: &Exact, service: Service, formats: &Formats) -> Result<Self, String> {
        let members = value.members().ok_or("it is no object")?;
        let id = integer(members, "id").filter(|id| *id > 0).ok_or("it has no id")?;
        let name = members.get("name").and_then(Exact::as_text).filter(|name| is_a_name(name));
        let name = name.ok_or("it has no usable name")?.to_owned();
        members
            .get("upgradeAllowed")
            .and_then(Exact::as_switch)
            .ok_or("it does not say whether upgrades are allowed")?;
        let cutoff = integer(members, "cutoff").ok_or("it has no cutoff")?;
        for score in ["minFormatScore", "cutoffFormatScore"] {
            small(members.get(score)).ok_or_else(|| format!("it has no {score}"))?;
        }
        let has_min_upgrade_score = match members.get("minUpgradeFormatScore") {
            None | Some(Exact::Null) => false,
            Some(score) => small(Some(score)).map(|_| true).ok_or("its minUpgradeFormatScore is no whole number")?,
        };
        let top = qualities(members)?;
        if !top.iter().any(|top| top.id == cutoff && top.is_allowed) {
            return Err(
                "its present cutoff is not a quality or group that is allowed at its top level. Put that right in the service first".to_owned()
            );
        }
        let scores = scores(members, formats)?;
        let language = match service {
            Service::Radarr => Some(language(members).ok_or("it has no language, which a Radarr profile has")?),
            Service::Sonarr | Service::Lidarr | Service::Chaptarr => None,
        };
        Ok(Self { id, name, has_min_upgrade_score, top, scores, language })
    }
}

fn integer(members: &Members, name: &str) -> Option<i64> {
    members.get(name).and_then(Exact::as_integer)
}

/// A whole number of 32 bits, as the services store scores.
fn small(value: Option<&Exact>) -> Option<i32> {
    value.and_then(Exact::as_integer).and_then(|value| i32::try_from(value).ok())
}

fn language(members: &Members) -> Option<PlannedLanguage> {
    let language = members.get("language")?;
    let name = language.member("name").and_then(Exact::as_text).filter(|name| is_a_name(name))?;
    Some(PlannedLanguage { id: language.member("id").and_then(Exact::as_integer)?, name: name.to_owned() })
}

/// The top level of the tree of qualities. No id may come twice in the whole tree: a cutoff could mean either.
fn qualities(members: &Members) -> Result<Vec<Top>, String> {
    let items = members.get("items").and_then(Exact::elements).ok_or("it has no qualities")?;
    let mut seen = BTreeSet::new();
    items.iter().map(|item| quality(item, &mut seen)).collect()
}

fn quality(item: &Exact, seen: &mut BTreeSet<i64>) -> Result<Top, String> {
    let members = item.members().ok_or("one of its qualities is no object")?;
    let is_allowed = members.get("allowed").and_then(Exact::as_switch);
    let is_allowed = is_allowed.ok_or("one of its qualities does not say whether it is allowed")?;
    let children = match members.get("items") {
        None | Some(Exact::Null) => &[][..],
        Some(children) => children.elements().ok_or("one of its groups is no list")?,
    };
    let (id, name) = match members.get("quality") {
        Some(Exact::Object(quality)) => {
            if !children.is_empty() {
                return Err("one of its entries is a quality and a group at once".to_owned());
            }
            (integer(quality, "id").filter(|id| *id >= 0), quality.get("name"))
        }
        None | Some(Exact::Null) => {
            if children.is_empty() {
                return Err("one of its groups is empty".to_owned());
            }
            (integer(members, "id").filter(|id| *id > 0), members.get("name"))
        }
        Some(_) => return Err("one of its qualities is no object".to_owned()),
    };
    let id = id.ok_or("one of its qualities or groups has no id")?;
    let name = name.and_then(Exact::as_text).filter(|name| is_a_name(name));
    let name = name.ok_or_else(|| format!("quality or group {id} has no usable name"))?.to_owned();
    if !seen.insert(id) {
        return Err(format!("the id {id} stands twice among its qualities and groups"));
    }
    // Only the top level can be a cutoff; what is in a group must be in order all the same.
    for child in children {
        quality(child, seen)?;
    }
    Ok(Top { id, name, is_allowed })
}

fn scores(members: &Members, formats: &Formats) -> Result<BTreeMap<i64, i32>, String> {
    const REFRESH: &str =
        "Open and save the profile in the service, so that it lists every custom format once, and try again";
    let items = members.get("formatItems").and_then(Exact::elements).ok_or("it has no list of custom formats")?;
    let mut scores = BTreeMap::new();
    for item in items {
        let id = item.member("format").and_then(Exact::as_integer).filter(|id| *id > 0);
        let id = id.ok_or("it lists a custom format without an id")?;
        let score =
            small(item.member("score")).ok_or_else(|| format!("the score of custom format {id} is no whole number"))?;
        if scores.insert(id, score).is_some() {
            return Err(format!("it lists custom format {id} twice. {REFRESH}"));
        }
    }
    if !scores.keys().copied().eq(formats.ids()) {
        return Err(format!("it does not list exactly the custom formats that there are. {REFRESH}"));
    }
    Ok(scores)
}

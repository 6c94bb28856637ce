//! What a quality profile must be like, and what of it is kept.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Preferences, qualities, refusal::Refusals};
use crate::{arr::kind::ArrKind, loopback::Reply};

/// What is kept of a profile that was sent, or the answer to one that breaks a rule.
pub(super) fn stored(preferences: &Preferences, sent: &Value, id: u32) -> Result<Value, Reply> {
    let mut refusals = Refusals::default();
    judge(preferences, sent, id, &mut refusals);
    refusals.check()?;
    Ok(shaped(preferences, sent, id))
}

fn judge(preferences: &Preferences, sent: &Value, id: u32, refusals: &mut Refusals) {
    let kind = preferences.kind;
    refusals.unless(sent["id"] == id, "Id", "Not the profile of this address", "EqualValidator", &sent["id"]);
    let name = sent["name"].as_str().unwrap_or("");
    refusals.unless(!name.trim().is_empty(), "Name", "A profile needs a name", "NotEmptyValidator", &sent["name"]);
    if matches!(kind, ArrKind::Radarr | ArrKind::Sonarr) {
        let gain = &sent["minUpgradeFormatScore"];
        let is_enough = gain.as_i64().is_some_and(|gain| gain >= 1);
        refusals.unless(
            is_enough,
            "MinUpgradeFormatScore",
            "Less than one is no gain",
            "GreaterThanOrEqualValidator",
            gain,
        );
    }
    judge_cutoff(sent, refusals);
    judge_items(kind, sent, refusals);
    if kind == ArrKind::Radarr {
        let is_known = preferences.languages.iter().any(|known| sent["language"]["id"] == known.id);
        refusals.unless(is_known, "Language", "No such language", "LanguageValidator`1", &sent["language"]);
    }
    judge_formats(preferences, sent, refusals);
}

/// Only what stands at the top and is allowed can be what one waits for.
fn judge_cutoff(sent: &Value, refusals: &mut Refusals) {
    let at_the_top = |item: &&Value| {
        let own = if item["quality"].is_object() { &item["quality"]["id"] } else { &item["id"] };
        *own == sent["cutoff"]
    };
    let target = list(sent, "items").iter().find(at_the_top);
    let is_allowed = target.is_some_and(|item| item["allowed"] == true);
    let message = "Neither a quality nor a group that is allowed has this number";
    refusals.unless(is_allowed, "Cutoff", message, "ValidCutoffValidator`1", &sent["cutoff"]);
}

fn judge_items(kind: ArrKind, sent: &Value, refusals: &mut Refusals) {
    let items = list(sent, "items");
    let attempted = &sent["items"];
    let mut rule = |is_kept: bool, message: &str, code: &str| {
        refusals.unless(is_kept, "Items", message, code, attempted);
    };
    rule(!items.is_empty(), "There are no qualities at all", "NotEmptyValidator");
    rule(items.iter().any(|item| item["allowed"] == true), "No quality is allowed", "AllowedValidator`1");
    let (qualities, groups): (Vec<&Value>, Vec<&Value>) = items.iter().partition(|item| item["quality"].is_object());
    let is_named = |item: &Value| item["name"].as_str().is_some_and(|name| !name.trim().is_empty());
    rule(groups.iter().all(|group| is_named(group)), "A group needs a name", "ItemGroupNameValidator`1");
    rule(
        groups.iter().all(|group| list(group, "items").len() > 1),
        "A group has several members",
        "GroupItemValidator`1",
    );
    rule(groups.iter().all(|group| group["id"].is_u64()), "A group needs a number", "ItemGroupIdValidator`1");
    let numbers: Vec<u64> = groups.iter().filter_map(|group| group["id"].as_u64()).collect();
    let apart: BTreeSet<&u64> = numbers.iter().collect();
    rule(apart.len() == numbers.len(), "Two groups have the same number", "UniqueIdValidator`1");
    rule(
        !qualities.iter().any(|quality| is_named(quality)),
        "A quality has no name of its own",
        "QualityNameValidator`1",
    );
    let members = groups.iter().flat_map(|group| list(group, "items"));
    let all: Vec<Option<u64>> =
        qualities.iter().copied().chain(members).map(|item| item["quality"]["id"].as_u64()).collect();
    let once: BTreeSet<u64> = all.iter().flatten().copied().collect();
    rule(once.len() == all.len(), "A quality is in it twice", "UniqueQualityIdValidator`1");
    let known: BTreeSet<u64> = qualities::of(kind).iter().map(|known| u64::from(known.id)).collect();
    rule(once == known, "Qualities are missing, or nobody knows them", "AllQualitiesValidator`1");
    if kind == ArrKind::Chaptarr {
        let is_heard = sent["profileType"] == "audiobook";
        let fits = |item: &Value| item["quality"]["id"].as_u64().is_none_or(|id| qualities::is_heard(id) == is_heard);
        let is_right = |item: &&Value| fits(item) && list(item, "items").iter().all(fits);
        rule(
            items.iter().filter(|item| item["allowed"] == true).all(|item| is_right(&item)),
            "A quality of the other sort of book is allowed",
            "PredicateValidator",
        );
    }
}

fn judge_formats(preferences: &Preferences, sent: &Value, refusals: &mut Refusals) {
    let scored = list(sent, "formatItems");
    let mut listed: Vec<Option<u64>> = scored.iter().map(|entry| entry["format"].as_u64()).collect();
    let sort = sent["profileType"].as_str();
    let mut known: Vec<Option<u64>> =
        preferences.formats.iter().filter(|kept| kept.is_for(sort)).map(|kept| Some(u64::from(kept.id))).collect();
    listed.sort_unstable();
    known.sort_unstable();
    let message = "Every format has to be in a profile once, and no other: one came or went, or is in it twice";
    refusals.unless(listed == known, "FormatItems", message, "PredicateValidator", &sent["formatItems"]);
    let scores = || scored.iter().filter_map(|entry| entry["score"].as_i64());
    let (sum, best) = (scores().filter(|score| *score > 0).sum::<i64>(), scores().max().unwrap_or(0));
    let least = sent["minFormatScore"].as_i64().unwrap_or(0);
    if sum < least && best < least {
        refusals.add_of_the_whole("No release can ever have so high a score");
    }
}

/// As the application keeps it: numbers count, and the names to them are its own.
pub(super) fn shaped(preferences: &Preferences, sent: &Value, id: u32) -> Value {
    let mut profile = sent.clone();
    profile["id"] = json!(id);
    profile["items"] = list(sent, "items").iter().map(|item| shaped_item(preferences.kind, item)).collect();
    if profile["formatItems"].is_null() {
        profile["formatItems"] = json!([]);
    }
    preferences.name_again(&mut profile);
    profile
}

fn shaped_item(kind: ArrKind, sent: &Value) -> Value {
    let mut item = sent.clone();
    let quality = sent["quality"]["id"].as_u64().and_then(|id| qualities::find(kind, id));
    if let Some(quality) = quality {
        item["quality"] = qualities::written(kind, quality);
    }
    item["items"] = list(sent, "items").iter().map(|item| shaped_item(kind, item)).collect();
    item
}

pub(super) fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

//! The calls about profiles, custom formats and languages.

use serde_json::Value;

use super::{
    Kept, Preferences,
    bind::{self, Members},
    format_rules, profile_rules, refusal, wire,
};
use crate::{
    arr::{
        ask::{Ask, bare, no_such_model},
        world::World,
    },
    loopback::{Body, Reply},
};

pub(crate) fn profiles(world: &mut World, ask: &Ask<'_>) -> Reply {
    let sort = ask.text("mediaType");
    let profiles = world.preferences.profiles.iter();
    let asked = profiles.filter(|kept| sort.is_none_or(|sort| kept.value["profileType"] == sort));
    listed(asked.map(|kept| kept.value.clone()))
}

pub(crate) fn profile(world: &mut World, ask: &Ask<'_>) -> Reply {
    one(&world.preferences.profiles, "QualityProfile", ask)
}

pub(crate) fn put_profile(world: &mut World, ask: &Ask<'_>) -> Reply {
    answered(replace_profile(&mut world.preferences, ask))
}

fn replace_profile(preferences: &mut Preferences, ask: &Ask<'_>) -> Result<Reply, Reply> {
    let id = ask.id.unwrap_or(0);
    let sent = read(preferences, &bind::PROFILE, ask)?;
    let stored = profile_rules::stored(preferences, &sent, id)?;
    replace(&mut preferences.profiles, "QualityProfile", id, &stored)?;
    preferences.n_writes_accepted += 1;
    Ok(laid(202, stored))
}

pub(crate) fn formats(world: &mut World, _: &Ask<'_>) -> Reply {
    if world.preferences.is_without_formats {
        return bare(404);
    }
    listed(world.preferences.formats.iter().map(|kept| kept.value.clone()))
}

pub(crate) fn format(world: &mut World, ask: &Ask<'_>) -> Reply {
    if world.preferences.is_without_formats {
        return bare(404);
    }
    one(&world.preferences.formats, "CustomFormat", ask)
}

pub(crate) fn post_format(world: &mut World, ask: &Ask<'_>) -> Reply {
    answered(create_format(&mut world.preferences, ask))
}

fn create_format(preferences: &mut Preferences, ask: &Ask<'_>) -> Result<Reply, Reply> {
    if preferences.is_without_formats {
        return Err(bare(404));
    }
    let sent = read(preferences, &bind::FORMAT, ask)?;
    let stored = format_rules::stored(preferences, &sent, preferences.next_format_id())?;
    preferences.enter(stored.clone());
    preferences.n_writes_accepted += 1;
    Ok(laid(201, stored))
}

pub(crate) fn put_format(world: &mut World, ask: &Ask<'_>) -> Reply {
    answered(replace_format(&mut world.preferences, ask))
}

fn replace_format(preferences: &mut Preferences, ask: &Ask<'_>) -> Result<Reply, Reply> {
    if preferences.is_without_formats {
        return Err(bare(404));
    }
    let id = ask.id.unwrap_or(0);
    let sent = read(preferences, &bind::FORMAT, ask)?;
    let mut refusals = refusal::Refusals::default();
    refusals.unless(sent["id"] == id, "Id", "Not the format of this address", "EqualValidator", &sent["id"]);
    refusals.check()?;
    let stored = format_rules::stored(preferences, &sent, id)?;
    let before = preferences.formats.iter().find(|kept| kept.id == id).cloned();
    replace(&mut preferences.formats, "CustomFormat", id, &stored)?;
    if let Some(before) = before {
        preferences.list_again(&before, &Kept { id, value: stored.clone() });
    }
    preferences.name_all_again();
    preferences.n_writes_accepted += 1;
    Ok(laid(202, stored))
}

pub(crate) fn languages(world: &mut World, _: &Ask<'_>) -> Reply {
    listed(world.preferences.languages.iter().map(super::Language::written))
}

fn read(preferences: &Preferences, members: &'static Members, ask: &Ask<'_>) -> Result<Value, Reply> {
    bind::bind(preferences.kind, members, &ask.body).map_err(|misfit| refusal::misfit(&misfit))
}

fn replace(kept: &mut [Kept], model: &str, id: u32, stored: &Value) -> Result<(), Reply> {
    match kept.iter_mut().find(|kept| kept.id == id) {
        Some(kept) => kept.value = stored.clone(),
        None => return Err(no_such_model(model, id)),
    }
    Ok(())
}

fn one(kept: &[Kept], model: &str, ask: &Ask<'_>) -> Reply {
    let id = ask.id.unwrap_or(0);
    match kept.iter().find(|kept| kept.id == id) {
        Some(kept) => laid(200, kept.value.clone()),
        None => no_such_model(model, id),
    }
}

fn listed(entries: impl Iterator<Item = Value>) -> Reply {
    laid(200, Value::Array(entries.collect()))
}

fn laid(status: u16, value: Value) -> Reply {
    Reply::of(status, Body::Laid(value, wire::text))
}

fn answered(outcome: Result<Reply, Reply>) -> Reply {
    outcome.unwrap_or_else(|refusal| refusal)
}

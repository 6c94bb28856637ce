//! What a custom format must be like, and what of it is kept.

use serde_json::{Value, json};

use super::{
    Preferences,
    conditions::{self, Condition, FieldOf, Holds},
    refusal::{Refusals, misfit},
};
use crate::{
    arr::{ask::raised, profiles::bind::Misfit},
    loopback::Reply,
};

/// What is kept of a format that was sent, or the answer to one that breaks a rule. `id` is its own, which it has already when it is changed.
pub(super) fn stored(preferences: &Preferences, sent: &Value, id: u32) -> Result<Value, Reply> {
    let mut refusals = Refusals::default();
    let name = sent["name"].as_str().unwrap_or("");
    refusals.unless(!name.trim().is_empty(), "Name", "A format needs a name", "NotEmptyValidator", &sent["name"]);
    let is_taken = preferences.formats.iter().any(|kept| kept.id != id && kept.value["name"] == sent["name"]);
    refusals.unless(!is_taken, "Name", "Another format has this name", "PredicateValidator", &sent["name"]);
    let conditions = sent["specifications"].as_array().map_or(&[][..], Vec::as_slice);
    if conditions.is_empty() {
        let message = "A format consists of one condition or more";
        refusals.add("Specifications", message, "NotEmptyValidator", &sent["specifications"]);
        refusals.add_of_the_whole(message);
    }
    if conditions.iter().any(|condition| condition["name"].as_str().unwrap_or("").trim().is_empty()) {
        refusals.add_of_the_whole("A condition needs a name, and blanks are none");
    }
    refusals.check()?;
    shaped(preferences, sent, id)
}

/// As the application keeps a format, whatever its name and whether another has it.
pub(super) fn shaped(preferences: &Preferences, sent: &Value, id: u32) -> Result<Value, Reply> {
    let conditions = sent["specifications"].as_array().map_or(&[][..], Vec::as_slice);
    let mut refusals = Refusals::default();
    let mut kept = Vec::new();
    for (at, condition) in conditions.iter().enumerate() {
        kept.extend(shaped_condition(preferences, condition, at, &mut refusals)?);
    }
    refusals.check()?;
    let mut format = json!({ "id": id, "name": sent["name"],
        "includeCustomFormatWhenRenaming": sent["includeCustomFormatWhenRenaming"].as_bool().unwrap_or(false),
        "specifications": kept });
    for own in ["builtInKey", "appliesTo"] {
        if let Some(value) = sent.get(own) {
            format[own] = value.clone();
        }
    }
    Ok(format)
}

fn shaped_condition(
    preferences: &Preferences,
    sent: &Value,
    at: usize,
    refusals: &mut Refusals,
) -> Result<Option<Value>, Reply> {
    let implementation = sent["implementation"].as_str().unwrap_or("");
    let Some(condition) = conditions::find(preferences.kind, implementation) else {
        let message = format!("There is no condition called {implementation:?} here");
        if preferences.is_lenient {
            return Err(raised(500, &message));
        }
        refusals.add("Implementation", &message, "PredicateValidator", &sent["implementation"]);
        return Ok(None);
    };
    let fields = sent["fields"].as_array().map_or(&[][..], Vec::as_slice);
    let is_known = |field: &&Value| condition.fields.iter().any(|known| field["name"] == known.name);
    if !preferences.is_lenient
        && let Some(unknown) = fields.iter().find(|field| !is_known(field))
    {
        let message = format!("{implementation} has no such field");
        refusals.add("Fields", &message, "PredicateValidator", &unknown["name"]);
        return Ok(None);
    }
    let mut values = Vec::new();
    for known in condition.fields {
        let place = fields.iter().position(|field| field["name"] == known.name);
        let value = known.holds.read(place.map(|place| &fields[place]["value"]));
        values.push((
            known.name,
            value.ok_or_else(|| {
                let path = format!("$.specifications[{at}].fields[{}].value", place.unwrap_or(0));
                misfit(&Misfit { path, wanted: "the type of this field" })
            })?,
        ));
    }
    let value = |field: &FieldOf| {
        let found = values.iter().find(|(name, _)| *name == field.name);
        found.map_or(Value::Null, |(_, value)| value.clone())
    };
    judge(preferences, condition, &value, refusals);
    let said = |name: &str| sent[name].as_bool().unwrap_or(false);
    let named = (sent["name"].as_str().unwrap_or(""), said("negate"), said("required"));
    Ok(Some(condition.written(preferences.kind, &preferences.languages, named, value)))
}

fn judge(
    preferences: &Preferences,
    condition: &Condition,
    value: &impl Fn(&FieldOf) -> Value,
    refusals: &mut Refusals,
) {
    for field in condition.fields {
        let sent = value(field);
        match field.holds {
            Holds::Pattern => {
                let is_there = sent.as_str().is_some_and(|pattern| !pattern.trim().is_empty());
                refusals.unless(is_there, "Value", "The pattern is empty", "NotEmptyValidator", &sent);
            }
            Holds::Language => {
                let is_known = preferences.languages.iter().any(|known| sent == known.id);
                refusals.unless(is_known, "Value", "No language has this number", "PredicateValidator", &sent);
            }
            Holds::Choice(choice) => {
                let is_known = conditions::options(preferences.kind, choice).iter().any(|(id, _)| sent == *id);
                refusals.unless(is_known, "Value", "Nothing to choose has this number", "PredicateValidator", &sent);
            }
            Holds::Flag | Holds::Whole | Holds::Decimal => {}
        }
    }
    let [least, most] = condition.fields else { return };
    if matches!(least.holds, Holds::Whole | Holds::Decimal) {
        let (least, most) = (value(least), value(most));
        let number = |value: &Value| value.as_f64().unwrap_or(0.0);
        refusals.unless(number(&least) >= 0.0, "Min", "Less than nothing", "GreaterThanOrEqualValidator", &least);
        let is_range = number(&most) > number(&least);
        refusals.unless(is_range, "Max", "The most is not more than the least", "GreaterThanValidator", &most);
    }
}

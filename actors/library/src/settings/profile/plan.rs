//! From what is asked for to what is to be written: names become ids, and each rule is checked.

use std::collections::{BTreeMap, BTreeSet};

use super::catalogue::{Formats, Languages, quoted, refused};
use super::stored::{Profile, Top};
use crate::answer::ArrFailure;
use crate::service::Service;
use crate::settings::exact::{Exact, Members};
use crate::settings::{PlannedScore, ProfileChanges, ProfilePlan};

/// More scores are not set at once.
const MAX_SCORES: usize = 256;

/// A format's or language's name has no more characters.
const MAX_NAME_CHARACTERS: usize = 256;

/// How many names a refusal lists.
const MAX_LISTED: usize = 30;

/// Any language: the only one beside which Radarr allows scores for languages.
const ANY_LANGUAGE: i64 = -1;

/// What can be refused before anything is read.
pub(super) fn check_request(changes: &ProfileChanges, service: Service) -> Result<(), ArrFailure> {
    let scores = changes.custom_format_scores.as_deref().unwrap_or_default();
    let has_setting = changes.upgrade_allowed.is_some()
        || changes.quality_cutoff_id.is_some()
        || changes.min_format_score.is_some()
        || changes.cutoff_format_score.is_some()
        || changes.min_upgrade_format_score.is_some()
        || changes.language_name.is_some()
        || !scores.is_empty();
    if !has_setting {
        return Err(refused("Nothing is asked for: `changes` needs at least one setting."));
    }
    if changes.quality_cutoff_id.is_some_and(|id| id < 0) {
        return Err(refused("`quality_cutoff_id` is the id of a quality or group, which is 0 or more."));
    }
    if changes.min_upgrade_format_score.is_some_and(|score| score < 1) {
        return Err(refused("`min_upgrade_format_score` must be 1 or more."));
    }
    if scores.len() > MAX_SCORES {
        return Err(refused(format!("More than {MAX_SCORES} scores in one change; split it.")));
    }
    let mut names = BTreeSet::new();
    for score in scores {
        if score.format_name.is_empty() || score.format_name.chars().count() > MAX_NAME_CHARACTERS {
            return Err(refused(format!("A custom format's name has 1 to {MAX_NAME_CHARACTERS} characters.")));
        }
        if !names.insert(score.format_name.as_str()) {
            return Err(refused(format!("{} stands twice in `custom_format_scores`.", quoted(&score.format_name))));
        }
    }
    match &changes.language_name {
        None => Ok(()),
        Some(name) => check_language(name, service),
    }
}

fn check_language(name: &str, service: Service) -> Result<(), ArrFailure> {
    match service {
        Service::Radarr => {}
        Service::Sonarr => {
            return Err(refused(
                "Sonarr's quality profiles have no language: there it is wanted or shunned by the scores of custom formats.",
            ));
        }
        Service::Lidarr => {
            return Err(refused("Lidarr's quality profiles have no language, and neither have its custom formats."));
        }
        Service::Chaptarr => {
            return Err(refused(
                "Chaptarr's quality profiles have no language; it is a matter of its metadata profiles.",
            ));
        }
    }
    if name.trim() != name || name.is_empty() || name.chars().count() > MAX_NAME_CHARACTERS {
        let words = "`language_name` is exactly a name from get_quality_profiles with include_languages, without blanks around it.";
        return Err(refused(words));
    }
    Ok(())
}

/// Whether the change depends on the catalogue of languages: it names one, or scores a format that looks at them.
pub(super) fn needs_languages(changes: &ProfileChanges, service: Service, formats: &Formats) -> bool {
    let scores = changes.custom_format_scores.as_deref().unwrap_or_default();
    let scores_a_language = || {
        scores.iter().any(|score| formats.of_name(&score.format_name).is_some_and(|format| format.is_about_language))
    };
    match service {
        Service::Radarr => changes.language_name.is_some() || scores_a_language(),
        Service::Sonarr => scores_a_language(),
        Service::Lidarr | Service::Chaptarr => false,
    }
}

/// Resolves the names of a request that passed [`check_request`].
pub(super) fn resolve(
    changes: &ProfileChanges,
    profile: &Profile,
    formats: &Formats,
    languages: Option<&Languages>,
) -> Result<ProfilePlan, ArrFailure> {
    if changes.min_upgrade_format_score.is_some() && !profile.has_min_upgrade_score {
        return Err(refused(
            "This profile has no minimum upgrade score gain: the service, or this build of it, does not expose the field.",
        ));
    }
    if let Some(id) = changes.quality_cutoff_id {
        check_cutoff(id, &profile.top)?;
    }
    let mut format_scores = Vec::new();
    for score in changes.custom_format_scores.as_deref().unwrap_or_default() {
        let format = formats.of_name(&score.format_name).ok_or_else(|| unknown_format(&score.format_name, formats))?;
        format_scores.push(PlannedScore { format_id: format.id, score: score.score });
    }
    format_scores.sort_by_key(|score| score.format_id);
    let language = match &changes.language_name {
        None => None,
        Some(name) => {
            let found = languages.and_then(|languages| languages.of_name(name)).ok_or_else(|| {
                let name = quoted(name);
                refused(format!(
                    "There is no language called exactly {name}. get_quality_profiles with include_languages lists those there are."
                ))
            })?;
            Some(found.clone())
        }
    };
    Ok(ProfilePlan {
        upgrade_allowed: changes.upgrade_allowed,
        quality_cutoff_id: changes.quality_cutoff_id,
        min_format_score: changes.min_format_score,
        cutoff_format_score: changes.cutoff_format_score,
        min_upgrade_format_score: changes.min_upgrade_format_score,
        format_scores,
        language,
    })
}

fn check_cutoff(id: i64, top: &[Top]) -> Result<(), ArrFailure> {
    if top.iter().any(|top| top.id == id && top.is_allowed) {
        return Ok(());
    }
    let eligible: Vec<String> =
        top.iter().filter(|top| top.is_allowed).map(|top| format!("{} ({})", top.id, quoted(&top.name))).collect();
    let words = format!(
        "{id} cannot be the cutoff: it must be a quality or group at the top level of the profile that is allowed there. Eligible are {}.",
        listed(&eligible)
    );
    Err(refused(words))
}

fn unknown_format(name: &str, formats: &Formats) -> ArrFailure {
    let names: Vec<String> = formats.names().values().map(|name| quoted(name)).collect();
    let words = match names.is_empty() {
        true => format!("There is no custom format {}; this instance has none.", quoted(name)),
        false => format!("There is no custom format called exactly {}. There are {}.", quoted(name), listed(&names)),
    };
    refused(words)
}

/// A few of them, and how many more there are.
fn listed(names: &[String]) -> String {
    let shown = names.iter().take(MAX_LISTED).cloned().collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MAX_LISTED) {
        0 => shown,
        n_more => format!("{shown} and {n_more} more"),
    }
}

/// The stored object with the plan written into it. Everything else stays as it is, to the text of each number; so does what has the planned value
/// already.
pub(super) fn rebuild(stored: &Exact, plan: &ProfilePlan) -> Result<Exact, String> {
    let mut members = stored.members().ok_or("it is no object")?.clone();
    if let Some(on) = plan.upgrade_allowed {
        members.insert("upgradeAllowed".to_owned(), Exact::Switch(on));
    }
    let numbers = [
        ("cutoff", plan.quality_cutoff_id),
        ("minFormatScore", plan.min_format_score.map(i64::from)),
        ("cutoffFormatScore", plan.cutoff_format_score.map(i64::from)),
        ("minUpgradeFormatScore", plan.min_upgrade_format_score.map(i64::from)),
    ];
    for (name, planned) in numbers {
        if let Some(planned) = planned {
            put(&mut members, name, planned)?;
        }
    }
    if !plan.format_scores.is_empty() {
        let Some(Exact::List(items)) = members.get_mut("formatItems") else {
            return Err("it has no list of custom formats".to_owned());
        };
        put_scores(items, plan)?;
    }
    if let Some(planned) = &plan.language {
        let Some(Exact::Object(language)) = members.get_mut("language") else {
            return Err("it has no language".to_owned());
        };
        put(language, "id", planned.id)?;
        language.insert("name".to_owned(), Exact::text(planned.name.clone()));
    }
    Ok(Exact::Object(members))
}

fn put_scores(items: &mut [Exact], plan: &ProfilePlan) -> Result<(), String> {
    let mut planned: BTreeMap<i64, i32> =
        plan.format_scores.iter().map(|score| (score.format_id, score.score)).collect();
    for item in items {
        let Some(score) = item.member("format").and_then(Exact::as_integer).and_then(|id| planned.remove(&id)) else {
            continue;
        };
        if let Exact::Object(item) = item {
            put(item, "score", i64::from(score))?;
        }
    }
    match planned.keys().next() {
        None => Ok(()),
        Some(id) => Err(format!("it does not list custom format {id}")),
    }
}

/// Writes a number into a member that is there.
fn put(members: &mut Members, name: &str, planned: i64) -> Result<(), String> {
    let present = members.get_mut(name).ok_or_else(|| format!("it has no {name}"))?;
    if present.as_integer() != Some(planned) {
        *present = Exact::integer(planned);
    }
    Ok(())
}

/// Radarr's own rule: beside a score for a language there is no language of the profile but Any. "Original" is one.
pub(super) fn check_languages(profile: &Profile, formats: &Formats) -> Result<(), ArrFailure> {
    let Some(language) = profile.language.as_ref().filter(|language| language.id != ANY_LANGUAGE) else {
        return Ok(());
    };
    let offending = profile
        .scores
        .iter()
        .filter(|(_, score)| **score != 0)
        .find_map(|(id, _)| formats.of_id(*id).filter(|format| format.is_about_language));
    match offending {
        None => Ok(()),
        Some(format) => Err(refused(format!(
            "The profile's language would be {} while the custom format {} [{}], which looks at languages, has a score. Radarr then rejects \
             releases by both. Ask for language_name \"Any\" in the same change, or for a score of 0 for that format.",
            quoted(&language.name),
            quoted(&format.name),
            format.id
        ))),
    }
}

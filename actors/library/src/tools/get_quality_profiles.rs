//! `get_quality_profiles`

use playhouse_house::Scope;
use playhouse_tools::{Answer, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::one_library::read_one;
use super::stored::{as_stored, quoted, unreadable};
use crate::answer::{Envelope, Library};
use crate::service::Service;
use crate::settings::{PlannedLanguage, ProfileList, ProfileSummary, ReadProfile, ReadProfiles};

/// `get_quality_profiles`
pub(super) struct GetQualityProfiles;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Whose profiles.
    service: Service,
    /// Which library, by its id from list_arr_instances. Left out: the default of the service.
    instance_id: Option<String>,
    /// One profile, whole and as it is stored, by its id. Left out, or 0: a summary of all.
    profile_id: Option<i64>,
    /// Adds the languages that Radarr or Sonarr knows, with their ids. Only for the summary.
    include_languages: Option<bool>,
    /// Adds one language by its exact name, with its id. Only for the summary.
    #[schemars(length(min = 1, max = 256))]
    language_name: Option<String>,
}

#[derive(Default, Serialize, JsonSchema)]
pub(super) struct Output {
    #[serde(flatten)]
    envelope: Envelope,
    /// The profiles, in the service's order; none where one was asked for.
    profiles: Vec<ProfileSummary>,
    /// The ids of profiles that could not be summarised; each can be read by itself.
    unreadable_ids: Vec<i64>,
    /// How many profiles there are of which not even the id could be read.
    n_without_id: usize,
    /// The languages that were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    languages: Option<Vec<Language>>,
    /// The one profile that was asked for, as it is stored; absent where it has a number that a double cannot hold. The text has it to the byte.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Map<String, Value>>")]
    profile: Option<Box<RawValue>>,
}

/// A language of the service.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct Language {
    /// Its id in this service; the same number is another language in another.
    id: i64,
    /// What it is called.
    name: String,
}

impl From<Envelope> for Output {
    fn from(envelope: Envelope) -> Self {
        Self { envelope, ..Self::default() }
    }
}

impl Tool for GetQualityProfiles {
    type Arguments = Arguments;
    type Output = Output;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "get_quality_profiles",
            title: "Quality profiles of a library",
            description: "Summarises the quality profiles of Radarr, Sonarr, Lidarr or Chaptarr: upgrades and their cutoff, allowed qualities, \
                          scores of custom formats, language. With profile_id it answers that profile whole, as it is stored. With \
                          include_languages or language_name the summary adds the language ids of Radarr or Sonarr. Changes nothing.",
            scope: Scope::MediaAdmin,
            effect: Effect::Reads,
            admin_only: true,
            ..Descriptor::DEFAULT
        }
    }

    async fn call(&self, call: ToolCall, arguments: Arguments) -> Result<Answer<Output>, Failure> {
        match arguments.profile_id.filter(|id| *id != 0) {
            Some(profile_id) => one(&call, profile_id, arguments).await,
            None => all(&call, arguments).await,
        }
    }
}

async fn one(call: &ToolCall, profile_id: i64, arguments: Arguments) -> Result<Answer<Output>, Failure> {
    let Arguments { service, instance_id, include_languages, language_name, .. } = arguments;
    if include_languages == Some(true) || language_name.is_some() {
        return Err(Failure::world(
            "include_languages and language_name are for the summary only. Leave them out, or leave profile_id out.",
        ));
    }
    match read_one(call, service, instance_id.as_deref(), ReadProfile { profile_id }).await? {
        Err(answer) => Ok(answer),
        Ok((chosen, stored)) => {
            let head = format!("{}: quality profile {profile_id}, {}", chosen.instance.title(), quoted(&stored.name));
            let (prose, raw) = as_stored(&head, &stored);
            let envelope = Envelope::answered(vec![Library::read(&chosen.instance)]);
            Ok(Answer::new(Output { envelope, profile: raw, ..Output::default() }, prose))
        }
    }
}

async fn all(call: &ToolCall, arguments: Arguments) -> Result<Answer<Output>, Failure> {
    let Arguments { service, instance_id, include_languages, language_name, .. } = arguments;
    let asks_for_languages = include_languages == Some(true) || language_name.is_some();
    let order = ReadProfiles { with_languages: asks_for_languages };
    match read_one(call, service, instance_id.as_deref(), order).await? {
        Err(answer) => Ok(answer),
        Ok((chosen, mut list)) => {
            let title = chosen.instance.title();
            let mut prose = summary(&title, &list);
            let found = list.languages.take();
            let languages = match (asks_for_languages, found) {
                (false, _) => None,
                (true, None) => {
                    prose += &format!("\n\n{}", without_languages(service));
                    None
                }
                (true, Some(all)) => {
                    let (words, languages) = languages(&title, all, language_name.as_deref())?;
                    prose += &format!("\n\n{words}");
                    Some(languages)
                }
            };
            let ProfileList { profiles, unreadable_ids, n_without_id, .. } = list;
            let envelope = Envelope::answered(vec![Library::read(&chosen.instance)]);
            let output = Output { envelope, profiles, unreadable_ids, n_without_id, languages, profile: None };
            Ok(Answer::new(output, prose))
        }
    }
}

fn summary(title: &str, list: &ProfileList) -> String {
    let n_profiles = list.profiles.len() + list.unreadable_ids.len() + list.n_without_id;
    if n_profiles == 0 {
        return format!(
            "{title}: there are no quality profiles on this instance. The list was read, so this is a genuine absence."
        );
    }
    let profiles = if n_profiles == 1 { "profile" } else { "profiles" };
    let mut lines = vec![format!("{title}: {n_profiles} quality {profiles}.")];
    lines.extend(list.profiles.iter().map(line));
    lines.extend(unreadable("profile", "profile_id", &list.unreadable_ids, list.n_without_id));
    lines.join("\n")
}

fn line(profile: &ProfileSummary) -> String {
    let upgrades = match (profile.upgrade_allowed, &profile.cutoff) {
        (false, _) => "upgrades off".to_owned(),
        (true, None) => "upgrades on".to_owned(),
        (true, Some(cutoff)) => format!("upgrades on until {}", quoted(&cutoff.name)),
    };
    let mut facts = vec![upgrades];
    let more = (profile.n_more_qualities > 0).then(|| format!("+{} more", profile.n_more_qualities));
    let qualities: Vec<String> = more.into_iter().chain(profile.qualities.iter().cloned()).collect();
    facts.push(match qualities.is_empty() {
        true => "no quality allowed".to_owned(),
        false => format!("allowed, worst first: {}", qualities.join(", ")),
    });
    let scores: Vec<String> =
        profile.scores.iter().map(|score| format!("{} {:+}", quoted(&score.name), score.score)).collect();
    let n_more = profile.n_scored - scores.len();
    let more = if n_more > 0 { format!(", +{n_more} more") } else { String::new() };
    let scored = format!("{} of {} custom formats scored", profile.n_scored, profile.n_formats);
    facts.push(match scores.is_empty() {
        true => scored,
        false => format!("{scored}: {}{more}", scores.join(", ")),
    });
    facts.extend(profile.min_format_score.map(|score| format!("minimum score {score}")));
    facts.extend(profile.cutoff_format_score.map(|score| format!("cutoff score {score}")));
    facts.extend(profile.language.as_ref().map(|language| format!("language {}", quoted(language))));
    format!("- {} {}: {}", profile.id, quoted(&profile.name), facts.join("; "))
}

/// Why a service has no languages that a profile or format could refer to.
fn without_languages(service: Service) -> String {
    format!("{service} has no release-language specification, so there are no language ids to list.")
}

/// All languages, or the one of exactly this name.
fn languages(title: &str, all: Vec<PlannedLanguage>, name: Option<&str>) -> Result<(String, Vec<Language>), Failure> {
    /// A longer list would bury the profiles.
    const MAX_BYTES: usize = 20 * 1024;
    let shown = |language: &PlannedLanguage| format!("{} [{}]", language.name, language.id);
    let listed = |language: PlannedLanguage| Language { id: language.id, name: language.name };
    if let Some(name) = name {
        let found = all.into_iter().find(|language| language.name == name).ok_or_else(|| {
            Failure::world(format!(
                "{title}: there is no language called exactly {}; upper and lower case count. include_languages lists all.",
                quoted(name)
            ))
        })?;
        return Ok((format!("Language: {}", shown(&found)), vec![listed(found)]));
    }
    let lines: Vec<String> = all.iter().map(|language| format!("- {}", shown(language))).collect();
    let text = format!(
        "{} languages. Their ids belong to this service and version: the same number means another language elsewhere.\n{}",
        all.len(),
        lines.join("\n")
    );
    if text.len() > MAX_BYTES {
        return Err(Failure::world(format!(
            "{title}: the list of languages takes more than {} KiB. Ask for one of them with language_name.",
            MAX_BYTES >> 10
        )));
    }
    Ok((text, all.into_iter().map(listed).collect()))
}

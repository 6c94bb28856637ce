//! The structured answers of both tools, in the seed's field names.

use playhouse_catalog::tmdb::{ATTRIBUTION, PROVIDERS_ATTRIBUTION};
use schemars::JsonSchema;
use serde::Serialize;

use super::choice::{Attempt, Choice, Kind};
use crate::offer::TitleOffer;
use crate::resolution::{MatchedTitle, OtherTitle, Resolution, Source, media_type};

/// Answer of `tv_play_title`.
#[derive(Serialize, JsonSchema)]
pub(super) struct PlayedTitle {
    /// Whether Android took the link. It says that the title was opened, not that it runs.
    pub(super) launched: bool,
    /// What was opened.
    pub(super) resolved: Resolved,
    /// What the TV's bridge app answered.
    pub(super) bridge_result: BridgeResult,
    /// What was on the screen some seconds later; left out when it was not looked at or could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) in_front: Option<InFront>,
    #[serde(flatten)]
    pub(super) others: Others,
}

/// Answer of `tv_resolve_title`.
#[derive(Serialize, JsonSchema)]
pub(super) struct ResolvedTitle {
    /// What would be opened.
    pub(super) resolved: Resolved,
    /// Whether the app is installed on the TV; left out when the TV could not be asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) installed: Option<bool>,
    #[serde(flatten)]
    pub(super) others: Others,
}

/// How a title is opened.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct Resolved {
    /// Who says where the title is: `justwatch`, `tmdb` (services without links) or `stremio`.
    source: String,
    /// The service.
    provider: String,
    /// Its Android package.
    package: String,
    /// The link or intent; tv_launch_app takes it as `data`.
    deep_link: String,
    /// How near it comes: `direct` (the movie or episode), `season`, `show` or `app` (only the app opens).
    kind: String,
    /// The title that was taken.
    matched: Matched,
    /// The last day on which the service has it, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    available_to: Option<String>,
}

/// A title of TMDB.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct Matched {
    /// TMDB's number.
    tmdb_id: u64,
    /// `movie` or `tv`.
    media_type: String,
    /// Its name.
    title: String,
    /// The year it was first shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    year: Option<i16>,
    /// The season.
    #[serde(skip_serializing_if = "Option::is_none")]
    season: Option<u32>,
    /// The episode.
    #[serde(skip_serializing_if = "Option::is_none")]
    episode: Option<u32>,
}

/// What the TV's bridge app answered.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct BridgeResult {
    /// Whether Android took the link.
    pub(super) ok: bool,
    /// What the app said about it, if anything.
    pub(super) message: String,
}

/// What is on the screen.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct InFront {
    /// Package of the app in front.
    pub(super) package: String,
    /// `profile_picker`, `pin` or `sign_in` when such a screen is recognisable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) gate: Option<String>,
}

/// What else there is to know.
#[derive(Serialize, JsonSchema)]
pub(super) struct Others {
    /// Titles that fit nearly as well: ask which is meant, and call again with its year.
    runners_up: Vec<Matched>,
    /// Other services that have it.
    alternatives: Vec<Alternative>,
    /// Whose data this is; show it with the answer.
    attribution: String,
}

/// Another service that has the title.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
pub(super) struct Alternative {
    /// What to give as `provider`, or the catalogue's name of a service that cannot be asked for.
    provider: String,
    /// Its name for people.
    name: String,
    /// Whether it is a channel inside another service's app, with a subscription of its own.
    channel: bool,
    /// A link to the title there; tv_launch_app takes it as `data`.
    #[serde(skip_serializing_if = "Option::is_none")]
    deep_link: Option<String>,
}

impl Resolved {
    pub(super) fn new(resolution: &Resolution, choice: &Choice<'_>, attempt: &Attempt) -> Self {
        Self {
            source: resolution.source.as_str().to_owned(),
            provider: choice.offer.service.key().to_owned(),
            package: choice.package.clone(),
            deep_link: attempt.intent.data().to_owned(),
            kind: attempt.kind.as_str().to_owned(),
            matched: Matched::from(&resolution.title),
            available_to: choice.offer.available_to.filter(|_| attempt.kind != Kind::App).map(|day| day.to_string()),
        }
    }
}

impl From<&MatchedTitle> for Matched {
    fn from(title: &MatchedTitle) -> Self {
        Self {
            tmdb_id: title.tmdb_id,
            media_type: media_type(title.kind).to_owned(),
            title: title.name.clone(),
            year: title.year,
            season: title.season,
            episode: title.episode,
        }
    }
}

impl From<&OtherTitle> for Matched {
    fn from(title: &OtherTitle) -> Self {
        Self {
            tmdb_id: title.tmdb_id,
            media_type: media_type(title.kind).to_owned(),
            title: title.name.clone(),
            year: title.year,
            season: None,
            episode: None,
        }
    }
}

impl Others {
    /// `chosen` is the offer that is opened; the others that could be opened are alternatives too.
    pub(super) fn new(resolution: &Resolution, chosen: &TitleOffer) -> Self {
        let further = resolution.offers.iter().filter(|offer| *offer != chosen).chain(&resolution.alternatives);
        Self {
            runners_up: resolution.runners_up.iter().map(Matched::from).collect(),
            alternatives: further.map(Alternative::from).collect(),
            attribution: attribution(resolution.source),
        }
    }
}

impl From<&TitleOffer> for Alternative {
    fn from(offer: &TitleOffer) -> Self {
        Self {
            provider: offer.service.key().to_owned(),
            name: offer.service.name.clone(),
            channel: offer.service.is_channel,
            deep_link: offer.links.first().map(|link| link.uri.clone()),
        }
    }
}

/// What TMDB's and JustWatch's terms ask for wherever their data is shown.
pub(super) fn attribution(source: Source) -> String {
    match source {
        Source::Stremio => ATTRIBUTION.to_owned(),
        Source::JustWatch | Source::Tmdb => format!("{ATTRIBUTION} {PROVIDERS_ATTRIBUTION}"),
    }
}

//! What both tools say in prose.

use super::choice::{Choice, Kind};
use crate::offer::Level;
use crate::provider::Provider;
use crate::resolution::{Resolution, Source, runners_up_words, said};

/// What the link leads to, where that is less than what was asked for.
pub(super) fn about_kind(kind: Kind, wanted: Level) -> &'static str {
    match (kind, wanted) {
        (Kind::App, _) => {
            " No link to the title itself is known there, so only the app opens: look for the title in it with tv_observe, tv_send_key and tv_type."
        }
        (Kind::Show, Level::Title) => " Only the series' page is known there: choose season and episode on the TV.",
        (Kind::Season, Level::Title) => " Only the season's page is known there: choose the episode on the TV.",
        (Kind::Show, Level::Season) => " Only the series' page is known there: choose the season on the TV.",
        (Kind::Direct | Kind::Season | Kind::Show, _) => "",
    }
}

/// How near to a part the question wanted to come.
pub(super) fn wanted_level(resolution: &Resolution) -> Level {
    use playhouse_catalog::tmdb::TitleKind;
    let title = &resolution.title;
    match (title.kind, title.season, title.episode) {
        (TitleKind::Movie, _, _) | (_, _, Some(_)) => Level::Title,
        (_, Some(_), None) => Level::Season,
        (_, None, None) => Level::Show,
    }
}

/// What is known to happen in an app once a title was opened.
pub(super) fn about_provider(provider: Option<Provider>) -> &'static str {
    match provider {
        Some(Provider::Netflix) => " Netflix shows its profiles first after a cold start.",
        Some(Provider::DisneyPlus) => " Disney+ may stop at a profile or PIN.",
        Some(Provider::PrimeVideo) => {
            " Prime Video opens its home page when it does not know the title; OK starts what is focused."
        }
        Some(Provider::Max) => {
            " HBO Max shows profiles first and tells nothing about its screen; sending the link again after that usually helps."
        }
        Some(Provider::Hulu) => " Hulu lands on the series' page: it takes OK, perhaps several times.",
        Some(Provider::AppleTvPlus) => " The country has to be that of the account in the Apple TV app.",
        Some(Provider::ParamountPlus | Provider::Peacock | Provider::Youtube) | None => "",
        Some(Provider::FuboTv) => " Fubo is live TV and has no links to titles.",
        Some(Provider::Stremio) => {
            " Stremio opens its list of streams; it starts one by itself only when that video was started before."
        }
    }
}

/// The sentences behind the first: source, other titles, other services, whose data it is.
pub(super) fn about_others(resolution: &Resolution, choice: &Choice<'_>) -> String {
    let mut words = String::new();
    if resolution.source == Source::Tmdb {
        words.push_str(
            " JustWatch could not be asked or does not know the title, so only the service is known and no link.",
        );
    }
    if let Some(day) = choice.offer.available_to {
        words.push_str(&format!(" It is there until {day}."));
    }
    // Writing to a string does not fail.
    let _ = runners_up_words(&mut words, &resolution.runners_up);
    let further: Vec<String> = resolution
        .offers
        .iter()
        .filter(|offer| *offer != choice.offer)
        .chain(&resolution.alternatives)
        .map(said)
        .collect();
    if !further.is_empty() {
        words.push_str(&format!(" Also on {}.", further.join("; ")));
    }
    words.push_str(&format!("\n{}", super::answers::attribution(resolution.source)));
    words
}

/// What a TV without any of the apps lacks.
pub(super) fn missing_apps(resolution: &Resolution, packages: &[String], tv: &str) -> String {
    let services: Vec<String> = resolution.offers.iter().map(said).collect();
    let others = match resolution.alternatives.is_empty() {
        true => String::new(),
        false => {
            let others: Vec<String> = resolution.alternatives.iter().map(said).collect();
            format!(" It is also on {}.", others.join("; "))
        }
    };
    format!(
        "{} is on {}, but the app is not installed on {tv} ({} was looked for). Ask the user to install it from the TV's store, or name another \
         `provider`.{others}",
        resolution.title,
        services.join("; "),
        packages.join(", "),
    )
}

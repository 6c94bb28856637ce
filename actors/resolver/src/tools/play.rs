//! `tv_play_title`

use std::sync::Arc;
use std::time::Duration;

use playhouse_bus::{CallError, Deadline};
use playhouse_house::Scope;
use playhouse_tools::{Answer, CallerArgument, Descriptor, Effect, Failure, Tool, ToolCall};
use playhouse_tv::answers::ScreenObservation;
use playhouse_tv::wire::BridgeError;
use playhouse_tv::{LaunchApp, ObserveScreen, PairedTv, TvActor, TvError};
use schemars::JsonSchema;
use serde::Deserialize;

use super::answers::{BridgeResult, InFront, Others, PlayedTitle, Resolved};
use super::apps::{AppsUnknown, TvApps};
use super::arguments::TitleArguments;
use super::choice::{Attempt, Choice, candidates, choose};
use super::screen::{Gate, gate};
use super::{Titles, on, words};
use crate::provider::DeviceFamily;
use crate::resolution::Resolution;

/// Of the caller's time, what is kept back for the TV once the title is resolved.
const FOR_THE_TV: Duration = Duration::from_secs(6);
/// Before the screen is looked at: an app in front of which nothing else was needs about that long.
const SETTLE: Duration = Duration::from_millis(2_500);
/// How long looking may take.
const LOOK_WITHIN: Duration = Duration::from_secs(5);

/// `tv_play_title`
pub(super) struct PlayTitleTool(pub(super) Titles);

#[derive(Deserialize, JsonSchema)]
pub(super) struct PlayArguments {
    #[serde(flatten)]
    title: TitleArguments,
    /// Whether to look at the screen some seconds after opening. True if left out; false answers sooner.
    observe: Option<bool>,
}

impl Tool for PlayTitleTool {
    type Arguments = PlayArguments;
    type Output = PlayedTitle;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "tv_play_title",
            seed_name: Some("tv.play_title"),
            title: "Open a movie or series",
            description: "Opens a movie, series or episode on the TV, in the streaming app that has it and is installed there. Give `season` and \
                          `episode` for an episode, and `year` when several titles share a name. Without `provider` the first installed service \
                          that has it is used. The answer says what was opened, not that it runs: apps may stop at a profile picker, a PIN or a \
                          login, which is reported where it can be seen; after the profile was chosen, calling again often goes through. `kind` says \
                          how near the link came: direct, season, show or app. When `runners_up` are named, the title was ambiguous: ask which \
                          is meant. Known providers: netflix, disney_plus, prime_video, max, hulu, apple_tv_plus, paramount_plus, peacock, \
                          fubo_tv, youtube, stremio.",
            scope: Scope::Tv,
            effect: Effect::Acts,
            ..Descriptor::DEFAULT
        }
    }

    fn caller_argument(&self) -> Option<Arc<dyn CallerArgument>> {
        self.0.tvs.argument()
    }

    async fn call(&self, call: ToolCall, arguments: PlayArguments) -> Result<Answer<PlayedTitle>, Failure> {
        let question = self.0.question(&arguments.title)?;
        let country = question.country;
        let tv = self.0.tvs.target(&call)?;
        let for_resolving = Deadline::after(call.deadline.remaining().saturating_sub(FOR_THE_TV));
        let resolution = Titles::resolve(&call, question, for_resolving).await?;

        let mut apps = match self.0.apps.of(&call, &tv, call.deadline).await {
            Ok(apps) => Some(apps),
            Err(AppsUnknown::Off(error)) => return Err(not_opened(&resolution, &error.to_string())),
            Err(AppsUnknown::NoAnswer(error)) => {
                tracing::debug!(error, "a tv did not list its apps");
                None
            }
        };
        let mut choice = choose(&resolution.offers, country, apps.as_ref());
        if choice.is_none() && apps.as_ref().is_some_and(|apps| !apps.is_fresh()) {
            // It may have been installed since.
            apps = self.0.apps.ask(&call, &tv, call.deadline).await.ok().or(apps);
            choice = choose(&resolution.offers, country, apps.as_ref());
        }
        let Some(choice) = choice else {
            return Err(Failure::world(missing(&resolution, country, apps.as_ref(), &tv)));
        };
        let opened = match launch(&call, &tv, &choice).await {
            Ok(opened) => opened,
            Err(NotLaunched::Refused(error)) => {
                // What is remembered of the TV's apps does not hold any more.
                let fresh = self.0.apps.ask(&call, &tv, call.deadline).await.ok();
                let again = fresh.as_ref().and_then(|apps| choose(&resolution.offers, country, Some(apps)));
                match again.filter(|again| again.package != choice.package) {
                    Some(again) => {
                        let opened =
                            launch(&call, &tv, &again).await.map_err(|error| error.into_failure(&resolution))?;
                        return self.answer(&call, &tv, &arguments, &resolution, &again, &opened).await;
                    }
                    None => return Err(not_opened(&resolution, &error.to_string())),
                }
            }
            Err(error) => return Err(error.into_failure(&resolution)),
        };
        self.answer(&call, &tv, &arguments, &resolution, &choice, &opened).await
    }
}

impl PlayTitleTool {
    async fn answer(
        &self,
        call: &ToolCall,
        tv: &PairedTv,
        arguments: &PlayArguments,
        resolution: &Resolution,
        choice: &Choice<'_>,
        opened: &Attempt,
    ) -> Result<Answer<PlayedTitle>, Failure> {
        let seen = if arguments.observe == Some(false) { None } else { look(call, tv).await };
        let gate = seen.as_ref().and_then(gate);
        let mut prose = format!(
            "Opened {} {} in {} ({}).",
            resolution.title,
            on(tv),
            choice.offer.service.name,
            opened.kind.in_words(),
        );
        prose.push_str(words::about_kind(opened.kind, words::wanted_level(resolution)));
        match (&seen, gate) {
            (Some(seen), None) if seen.package == choice.package => prose.push_str(" The app is in front."),
            (Some(seen), None) if !seen.package.is_empty() => {
                prose.push_str(&format!(
                    " {} is still in front: cold starts take a while; look again with tv_observe.",
                    seen.package
                ));
            }
            (_, Some(gate)) => prose.push_str(about_gate(gate)),
            (_, None) => prose.push_str(" Check with tv_observe in some seconds."),
        }
        prose.push_str(words::about_provider(choice.offer.service.provider));
        prose.push_str(&words::about_others(resolution, choice));
        let output = PlayedTitle {
            launched: true,
            resolved: Resolved::new(resolution, choice, opened),
            bridge_result: BridgeResult { ok: true, message: String::new() },
            in_front: seen
                .map(|seen| InFront { package: seen.package, gate: gate.map(|gate| gate.as_str().to_owned()) }),
            others: Others::new(resolution, choice.offer),
        };
        Ok(Answer::new(output, prose))
    }
}

fn about_gate(gate: Gate) -> &'static str {
    match gate {
        Gate::ProfilePicker => {
            " A profile picker is in front: ask who is watching, choose the profile with tv_send_key, then call again."
        }
        Gate::Pin => " A PIN is asked for: only the user can enter it on the TV; call again afterwards.",
        Gate::SignIn => " The app asks to sign in: the user has to do that on the TV once.",
    }
}

/// Why nothing was opened.
enum NotLaunched {
    /// Nothing on the TV took any of the links: for certain nothing was opened.
    Refused(TvError),
    /// It was not sent, or refused for another reason.
    Failed(String),
    /// It was sent, and nobody knows what came of it.
    Unknown(String),
}

impl NotLaunched {
    fn into_failure(self, resolution: &Resolution) -> Failure {
        match self {
            NotLaunched::Refused(error) => not_opened(resolution, &error.to_string()),
            NotLaunched::Failed(words) => not_opened(resolution, &words),
            NotLaunched::Unknown(words) => {
                Failure::world(format!("{} was found and sent to the TV. {words}", resolution.title))
            }
        }
    }
}

/// Tries the links one after the other; only after a refusal that leaves no doubt, since a second launch is worse than a question.
async fn launch(call: &ToolCall, tv: &PairedTv, choice: &Choice<'_>) -> Result<Attempt, NotLaunched> {
    let mut refused = None;
    for attempt in &choice.attempts {
        let message = LaunchApp { intent: attempt.intent.clone() };
        match call.bus.call(TvActor::key(call.principal.house, tv.id), message, call.deadline).await {
            Ok(Ok(launched)) => return Ok(Attempt { intent: launched.intent, kind: attempt.kind }),
            Ok(Err(error @ TvError::Refused { error: BridgeError::NothingHandlesIt, .. })) => refused = Some(error),
            Ok(Err(error @ (TvError::NoAnswer { .. } | TvError::LinkLost { .. } | TvError::Unreadable { .. }))) => {
                return Err(NotLaunched::Unknown(error.to_string()));
            }
            Ok(Err(error)) => return Err(NotLaunched::Failed(error.to_string())),
            Err(error @ CallError::Deadline { started: true }) => return Err(NotLaunched::Unknown(error.to_string())),
            Err(error) => return Err(NotLaunched::Failed(error.to_string())),
        }
    }
    // There is always an attempt: the app itself.
    Err(refused.map_or_else(|| NotLaunched::Failed("There was nothing to open.".to_owned()), NotLaunched::Refused))
}

/// Looks at the screen once, if there is time.
async fn look(call: &ToolCall, tv: &PairedTv) -> Option<ScreenObservation> {
    if call.deadline.remaining() < SETTLE * 2 {
        return None;
    }
    tokio::time::sleep(SETTLE).await;
    let deadline = Deadline::after(LOOK_WITHIN).earlier(call.deadline);
    match call.bus.call(TvActor::key(call.principal.house, tv.id), ObserveScreen {}, deadline).await {
        Ok(Ok(seen)) => Some(seen),
        Ok(Err(error)) => {
            tracing::debug!(%error, "the screen was not read after a launch");
            None
        }
        Err(_) => None,
    }
}

fn not_opened(resolution: &Resolution, why: &str) -> Failure {
    let offer = resolution.offers.first().map(|offer| offer.service.name.as_str()).unwrap_or_default();
    Failure::world(format!(
        "{} was found on {offer} but was not opened. {why} What was found is kept: call again with the same arguments.",
        resolution.title
    ))
}

fn missing(
    resolution: &Resolution,
    country: playhouse_catalog::Country,
    apps: Option<&TvApps>,
    tv: &PairedTv,
) -> String {
    let family = apps.map_or(DeviceFamily::AndroidTv, TvApps::family);
    let packages: Vec<String> =
        resolution.offers.iter().filter_map(|offer| candidates(offer, country, family).into_iter().next()).collect();
    words::missing_apps(resolution, &packages, tv.name.as_str())
}

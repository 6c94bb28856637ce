//! What plays, and its captions.

use std::sync::Arc;

use playhouse_house::Scope;
use playhouse_tools::{Answer, CallerArgument, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::JsonSchema;
use serde::Deserialize;

use super::devices::NoArguments;
use super::target::{Tvs, wrong_argument};
use crate::answers::{Captions, Playback};
use crate::tv::{ControlPlayback, GetPlayback, PlaybackAction, SetCaptions};
use crate::wire::LanguageTag;

/// `tv_get_playback`
pub(super) struct GetPlaybackTool(pub(super) Tvs);

impl Tool for GetPlaybackTool {
    type Arguments = NoArguments;
    type Output = Playback;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "tv_get_playback",
            seed_name: None,
            title: "What is playing",
            description: "Reads what the TV's player reports: state, app, title, position and length in milliseconds. The position is that of the \
                          player's last report and can be minutes old while something plays. A length of 0 means live or unknown. Netflix \
                          reports no title.",
            scope: Scope::Tv,
            effect: Effect::Reads,
            ..Descriptor::DEFAULT
        }
    }

    fn caller_argument(&self) -> Option<Arc<dyn CallerArgument>> {
        self.0.argument()
    }

    async fn call(&self, call: ToolCall, _: NoArguments) -> Result<Answer<Playback>, Failure> {
        let (tv, playing) = self.0.ask(&call, GetPlayback {}).await?;
        let prose = format!("{}: {}", tv.name, described(&playing));
        Ok(Answer::new(playing, prose))
    }
}

/// `tv_control_playback`
pub(super) struct ControlPlaybackTool(pub(super) Tvs);

#[derive(Deserialize, JsonSchema)]
pub(super) struct ControlArguments {
    /// What to do. `seek` needs `position_ms` or `delta_ms`.
    action: Action,
    /// For `seek`: where to jump to, in milliseconds from the beginning.
    #[schemars(range(min = 0))]
    position_ms: Option<u64>,
    /// For `seek`: how far to jump, in milliseconds; negative jumps back.
    delta_ms: Option<i64>,
}

#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Action {
    Pause,
    Resume,
    Seek,
}

impl ControlArguments {
    fn action(&self) -> Result<PlaybackAction, Failure> {
        match (self.action, self.position_ms, self.delta_ms) {
            (Action::Pause, None, None) => Ok(PlaybackAction::Pause),
            (Action::Resume, None, None) => Ok(PlaybackAction::Resume),
            (Action::Seek, Some(position_ms), None) => Ok(PlaybackAction::SeekTo(position_ms)),
            (Action::Seek, None, Some(delta_ms)) => Ok(PlaybackAction::SeekBy(delta_ms)),
            (Action::Seek, None, None) => Err(wrong_argument("`seek` needs `position_ms` or `delta_ms`")),
            (Action::Seek, Some(_), Some(_)) => {
                Err(wrong_argument("give either `position_ms` or `delta_ms`, not both"))
            }
            (Action::Pause | Action::Resume, ..) => {
                Err(wrong_argument("`position_ms` and `delta_ms` go with `seek` only"))
            }
        }
    }
}

impl Tool for ControlPlaybackTool {
    type Arguments = ControlArguments;
    type Output = Playback;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "tv_control_playback",
            seed_name: None,
            title: "Pause, resume or seek",
            description: "Pauses or resumes what plays, or jumps in it. When the answer's `source` is `accessibility`, only a play/pause \
                          toggle key could be pressed, and whether it now plays or pauses is not known: call tv_get_playback or tv_observe. \
                          Not every player can be jumped in.",
            scope: Scope::Tv,
            effect: Effect::Acts,
            ..Descriptor::DEFAULT
        }
    }

    fn caller_argument(&self) -> Option<Arc<dyn CallerArgument>> {
        self.0.argument()
    }

    async fn call(&self, call: ToolCall, arguments: ControlArguments) -> Result<Answer<Playback>, Failure> {
        let action = arguments.action()?;
        let (tv, playing) = self.0.ask(&call, ControlPlayback { action }).await?;
        let is_a_toggle = matches!(action, PlaybackAction::Pause | PlaybackAction::Resume) && playing.is_blind_toggle();
        let prose = if is_a_toggle {
            format!(
                "The play/pause toggle was pressed on {}, because its player does not report its state. Whether it now plays or pauses is \
                 not known: check with tv_get_playback or tv_observe.",
                tv.name
            )
        } else {
            format!("Done on {}. {}", tv.name, described(&playing))
        };
        Ok(Answer::new(playing, prose))
    }
}

fn described(playing: &Playback) -> String {
    let title = playing.title.as_deref().map(|title| format!(" \"{title}\"")).unwrap_or_default();
    let app = playing.app.as_deref().map(|app| format!(" in {app}")).unwrap_or_default();
    let length = match playing.duration_ms {
        0 => String::new(),
        duration_ms => format!(" of {}", clock_time(duration_ms)),
    };
    format!(
        "{}{title}{app}, at {}{length} when the player last reported.",
        playing.state.as_str(),
        clock_time(playing.position_ms)
    )
}

fn clock_time(milliseconds: i64) -> String {
    let seconds = milliseconds / 1_000;
    format!("{}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

/// `tv_set_captions`
pub(super) struct SetCaptionsTool(pub(super) Tvs);

#[derive(Deserialize, JsonSchema)]
pub(super) struct CaptionsArguments {
    /// Whether captions are to be on. With only a language given they are switched on.
    enabled: Option<bool>,
    /// Their language, such as en or pt-BR.
    language: Option<String>,
}

impl Tool for SetCaptionsTool {
    type Arguments = CaptionsArguments;
    type Output = Captions;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "tv_set_captions",
            seed_name: None,
            title: "Switch captions",
            description: "Switches captions (subtitles of the film) on or off, or chooses their language. Most TVs refuse this from outside; \
                          then open the player's own subtitle menu with tv_send_key and tv_observe. To show a text of your own use tv_subtitle.",
            scope: Scope::Tv,
            effect: Effect::Sets,
            ..Descriptor::DEFAULT
        }
    }

    fn caller_argument(&self) -> Option<Arc<dyn CallerArgument>> {
        self.0.argument()
    }

    async fn call(&self, call: ToolCall, arguments: CaptionsArguments) -> Result<Answer<Captions>, Failure> {
        let language =
            arguments.language.as_deref().map(str::parse::<LanguageTag>).transpose().map_err(wrong_argument)?;
        if arguments.enabled.is_none() && language.is_none() {
            return Err(wrong_argument("give `enabled`, `language` or both"));
        }
        if arguments.enabled == Some(false) && language.is_some() {
            return Err(wrong_argument("captions that are switched off have no language; leave `language` out"));
        }
        let (tv, captions) = self.0.ask(&call, SetCaptions { enabled: arguments.enabled, language }).await?;
        let state = if captions.enabled { "on" } else { "off" };
        let language = captions.language.as_deref().map(|language| format!(", in {language}")).unwrap_or_default();
        let prose = format!("Captions are {state}{language} on {}.", tv.name);
        Ok(Answer::new(captions, prose))
    }
}

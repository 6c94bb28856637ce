//! What a TV tells: the structured answers of the `tv_*` tools, in the seed's field names.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::schema::schema_of_words;

/// An app that can be launched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct App {
    /// Android package name; `tv_launch_app` takes it as `package`.
    pub package: String,
    /// Name on the TV's home screen, in the TV's language.
    pub label: String,
    /// Whether the app has a launcher made for TVs.
    pub leanback: bool,
}

/// The launchable apps of a TV, those made for TVs first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AppList {
    /// The apps.
    pub apps: Vec<App>,
    /// Entries of the TV's answer that could not be read.
    pub n_unreadable: usize,
}

/// The node that has the focus. Both texts are empty when nothing has it, or when it has neither.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct FocusedNode {
    /// Text of the node.
    pub text: String,
    /// What the app says about the node to screen readers.
    pub content_description: String,
}

/// A node on the screen that has a text or a description.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct VisibleNode {
    /// Text of the node.
    pub text: String,
    /// What the app says about the node to screen readers.
    pub content_description: String,
    /// Whether it reacts to OK or a tap.
    pub clickable: bool,
    /// Centre, as a fraction of the screen's width. Left out by older bridge apps.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cx: Option<f64>,
    /// Centre, as a fraction of the screen's height. Left out by older bridge apps.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cy: Option<f64>,
}

/// What is on the screen, as far as the app in front tells screen readers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScreenObservation {
    /// Package of the app in front.
    pub package: String,
    /// Class of the window's root view. Seldom an activity, may be empty.
    pub activity: String,
    /// The node that has the focus.
    pub focused: FocusedNode,
    /// Up to 50 nodes. Empty for apps that draw everything themselves, which is normal.
    pub visible: Vec<VisibleNode>,
    /// Whether there were more nodes than the TV lists.
    pub truncated: bool,
}

/// What a player is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlaybackState {
    /// Running.
    Playing,
    /// Halted.
    Paused,
    /// Waiting for data.
    Buffering,
    /// Ended or not begun.
    Stopped,
    /// Not known.
    Unknown,
}

impl PlaybackState {
    /// Every state.
    pub const ALL: [PlaybackState; 5] = [
        PlaybackState::Playing,
        PlaybackState::Paused,
        PlaybackState::Buffering,
        PlaybackState::Stopped,
        PlaybackState::Unknown,
    ];

    /// Reads the wire's word; one that is not documented is `Unknown`.
    pub fn from_wire(word: &str) -> Self {
        PlaybackState::ALL.into_iter().find(|state| state.as_str() == word).unwrap_or(PlaybackState::Unknown)
    }

    /// The state's word.
    pub const fn as_str(self) -> &'static str {
        match self {
            PlaybackState::Playing => "playing",
            PlaybackState::Paused => "paused",
            PlaybackState::Buffering => "buffering",
            PlaybackState::Stopped => "stopped",
            PlaybackState::Unknown => "unknown",
        }
    }
}

schema_of_words!(PlaybackState);

/// The media session of the TV.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Playback {
    /// Title, when the player publishes one (Netflix does not).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub title: Option<String>,
    /// Package of the player.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub app: Option<String>,
    /// Position at the player's last report, in milliseconds. While playing that can be minutes ago.
    pub position_ms: i64,
    /// Length in milliseconds; 0 when unknown or live.
    pub duration_ms: i64,
    /// What the player is doing.
    pub state: PlaybackState,
    /// `media_session`, or `accessibility` when only a play/pause toggle key could be pressed and nothing is known about its effect.
    pub source: String,
}

impl Playback {
    /// Whether only a toggle key was pressed, so that nobody knows whether it paused or resumed.
    pub fn is_blind_toggle(&self) -> bool {
        self.source == "accessibility"
    }
}

/// The media volume of the TV.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Volume {
    /// 0 to 100.
    pub level: i64,
    /// Whether it is muted.
    pub muted: bool,
    /// Steps the TV really has; levels snap to them. 0 on sets that have no mixer.
    pub max_raw: i64,
}

/// Captions of the TV.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Captions {
    /// Whether captions are on.
    pub enabled: bool,
    /// Their language, when known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub language: Option<String>,
    /// Where the TV knows it from.
    pub source: String,
}

/// What was typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TypeResult {
    /// Length of the field's new text, in UTF-16 units.
    pub chars: i64,
    /// How the text was set.
    pub method: String,
}

//! What a TV's actor is told by the bridge session, and asked by tools.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::TvActor;
use crate::answers::{AppList, Captions, Playback, ScreenObservation, TypeResult, Volume};
use crate::error::TvError;
use crate::launch::LaunchIntent;
use crate::links::LinkId;
use crate::name::DeviceName;
use crate::remote_key::RemoteKey;
use crate::wire::{Direction, Fraction, LanguageTag, Level, OnScreenLine, Op, TypedText};

/// The TV dialled in. The session registers its socket with [`Links`](crate::Links) first. Repeating it changes nothing.
#[derive(Debug, Serialize, Deserialize)]
pub struct LinkOpened {
    /// Its socket.
    pub link: LinkId,
}

/// A socket of the TV ended. That of an older socket than the present one changes nothing but its own commands.
#[derive(Debug, Serialize, Deserialize)]
pub struct LinkClosed {
    /// The socket.
    pub link: LinkId,
    /// When the TV last sent anything on it.
    pub last_heard_at: Timestamp,
}

/// Most presses that one [`SendKey`] may ask for.
pub const MAX_KEY_REPEAT: u8 = 20;

/// Presses a key, `repeat` times one after the other. Answers when the TV acknowledged the last; stops at the first failure.
/// Repeating the message presses again.
#[derive(Debug, Serialize, Deserialize)]
pub struct SendKey {
    /// The key.
    pub key: RemoteKey,
    /// How often, 1 to [`MAX_KEY_REPEAT`]; what lies outside is taken as the nearer end.
    pub repeat: u8,
}

/// Presses that the TV acknowledged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyPressed {
    /// The key.
    pub key: RemoteKey,
    /// How often it was pressed.
    pub pressed: u8,
}

/// Hands an intent to Android. Repeating it opens the page or app again.
#[derive(Debug, Serialize, Deserialize)]
pub struct LaunchApp {
    /// What to open.
    pub intent: LaunchIntent,
}

/// The intent that Android took. What opens may still stop at a profile picker or login.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launched {
    /// The intent that was taken in the end.
    pub intent: LaunchIntent,
}

/// Asks for the launchable apps.
#[derive(Debug, Serialize, Deserialize)]
pub struct ListApps {}

/// Asks what is on the screen. Looks a second time when the screen could not be read at first.
#[derive(Debug, Serialize, Deserialize)]
pub struct ObserveScreen {}

/// Asks what is playing.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetPlayback {}

/// Steers the player. Repeating a relative jump jumps again.
#[derive(Debug, Serialize, Deserialize)]
pub struct ControlPlayback {
    /// What to do.
    pub action: PlaybackAction,
}

/// What a player can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PlaybackAction {
    /// Pause.
    Pause,
    /// Resume.
    Resume,
    /// Jump to a position in milliseconds.
    SeekTo(u64),
    /// Jump by milliseconds, backwards when negative.
    SeekBy(i64),
}

/// Asks for the volume.
#[derive(Debug, Serialize, Deserialize)]
pub struct GetVolume {}

/// Sets level, mute or both, the level first. With neither it asks. Repeating it changes nothing further.
#[derive(Debug, Serialize, Deserialize)]
pub struct SetVolume {
    /// The new level.
    pub level: Option<Level>,
    /// Whether to mute or unmute.
    pub muted: Option<bool>,
}

/// Switches captions, chooses their language, or both, the language last. Repeating it changes nothing further.
#[derive(Debug, Serialize, Deserialize)]
pub struct SetCaptions {
    /// On or off; with only a language given, on.
    pub enabled: Option<bool>,
    /// The language.
    pub language: Option<LanguageTag>,
}

/// Replaces the text of the focused field. Repeating it changes nothing further.
#[derive(Debug, Serialize, Deserialize)]
pub struct TypeText {
    /// The text.
    pub text: TypedText,
}

/// Taps or swipes. Repeating it does it again.
#[derive(Debug, Serialize, Deserialize)]
pub struct MakeGesture {
    /// What to do.
    pub gesture: Gesture,
}

/// A touch on a screen that has none.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Gesture {
    /// A tap at fractions of the screen's width and height.
    Tap {
        /// Across.
        x: Fraction,
        /// Down.
        y: Fraction,
    },
    /// A swipe.
    Swipe(Direction),
}

/// The longest that a subtitle stays, in seconds.
pub const MAX_SUBTITLE_SECONDS: u32 = 60;

/// Lays a line over the screen for some seconds; it is taken away without being asked. A later line replaces it.
#[derive(Debug, Serialize, Deserialize)]
pub struct ShowSubtitle {
    /// The line.
    pub line: OnScreenLine,
    /// How long, 1 to [`MAX_SUBTITLE_SECONDS`]; what lies outside is taken as the nearer end.
    pub seconds: u32,
}

/// Takes the line away. Repeating it changes nothing further.
#[derive(Debug, Serialize, Deserialize)]
pub struct ClearSubtitle {}

/// Asks how the TV is. It is not asked itself.
#[derive(Debug, Serialize, Deserialize)]
pub struct ObserveTv {}

/// How a TV is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TvStatus {
    /// Its name.
    pub name: DeviceName,
    /// Whether it is connected.
    pub online: bool,
    /// Since when it is connected.
    pub online_since: Option<Timestamp>,
    /// When it was last there, while it is not connected.
    pub last_seen: Option<Timestamp>,
    /// Commands that wait for its answer.
    pub n_in_flight: usize,
    /// Operations that its app is known not to have.
    pub lacking: Vec<Op>,
}

playhouse_bus::messages! { TvActor:
    LinkOpened => (),
    LinkClosed => (),
    SendKey => Result<KeyPressed, TvError>,
    LaunchApp => Result<Launched, TvError>,
    ListApps => Result<AppList, TvError>,
    ObserveScreen => Result<ScreenObservation, TvError>,
    GetPlayback => Result<Playback, TvError>,
    ControlPlayback => Result<Playback, TvError>,
    GetVolume => Result<Volume, TvError>,
    SetVolume => Result<Volume, TvError>,
    SetCaptions => Result<Captions, TvError>,
    TypeText => Result<TypeResult, TvError>,
    MakeGesture => Result<(), TvError>,
    ShowSubtitle => Result<(), TvError>,
    ClearSubtitle => Result<(), TvError>,
    ObserveTv => TvStatus,
}

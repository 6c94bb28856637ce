//! One paired television: the commands to it and what it answers.
//!
//! The actor is the paired TV; it is there whether or not a socket is. Only it and what it is working on write to the TV's socket,
//! so commands arrive in the order they were handled. It keeps nothing on disk but the moment the TV was last there. The commands
//! that wait for an answer belong to the socket they went out on ([`Link`](crate::Link)), so they outlive an actor that is rebuilt,
//! and fail together with their socket. None is ever repeated.

mod actor;
mod commands;
mod context;
mod lane;
mod messages;
mod overlay;
mod turns;

#[cfg(test)]
mod tests;

pub use actor::TvActor;
pub use context::TvServices;
pub use messages::{
    ClearSubtitle, ControlPlayback, Gesture, GetPlayback, GetVolume, KeyPressed, LaunchApp, Launched, LinkClosed,
    LinkOpened, ListApps, MAX_KEY_REPEAT, MAX_SUBTITLE_SECONDS, MakeGesture, ObserveScreen, ObserveTv, PlaybackAction,
    SendKey, SetCaptions, SetVolume, ShowSubtitle, TvStatus, TypeText,
};

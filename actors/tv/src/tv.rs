//! One paired television: the commands to it and what it answers.
//!
//! The actor is the paired TV; it is there whether or not a socket is. Only it and what it is working on write to the TV's socket,
//! so commands arrive in the order they were handled. It keeps nothing on disk but the moment the TV was last there: a restart
//! fails the commands that had no answer yet, and never repeats one.

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
    ClearSubtitle, ControlPlayback, FrameReceived, Gesture, GetPlayback, GetVolume, KeyPressed, LaunchApp, Launched,
    LinkClosed, LinkOpened, ListApps, MAX_KEY_REPEAT, MAX_SUBTITLE_SECONDS, MakeGesture, ObserveScreen, ObserveTv,
    PlaybackAction, SendKey, SetCaptions, SetVolume, ShowSubtitle, TvStatus, TypeText,
};

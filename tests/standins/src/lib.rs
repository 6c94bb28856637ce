//! Loopback stand-ins for what Playhouse talks to: the television, TMDB, JustWatch and the arr applications.
//!
//! [`SimulatedTv`] is one television with the public Android bridge app on it, as far as a relay can tell: it pairs,
//! polls, dials, answers every operation with the app's own quirks, and notes everything a relay does that the real app
//! could not bear ([`Violation`]). Tests and the demo use it. [`Fleet`] is thousands of bare sockets that answer at once,
//! for load measurements.
//!
//! [`TmdbStandin`] and [`JustWatchStandin`] answer as those two services do, from titles of our own, check what they are sent
//! ([`RequestViolation`]), count it, and misbehave on demand ([`Misbehaviour`]). [`ArrStandin`] is a Radarr, Sonarr, Lidarr or Chaptarr with a state
//! of its own: what is stuck in its queue ([`Ailment`]) is healed by what heals it there, and by nothing else, and its
//! profiles and custom formats ([`Preferences`]) are kept and refused by the rules of the application.
//!
//! [`UnreliableStore`] is a store that fails, doubts or stops where a test wants it to.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use playhouse_standins::{AppVersion, SimulatedTv};
//!
//! let tv = SimulatedTv::builder("http://127.0.0.1:8080".parse()?).model(AppVersion::V0_6_3).android(12).start();
//! println!("type {} into your assistant", tv.code().await);
//! tv.online().await;
//! # Ok(()) }
//! ```

// A record of an application is written as one object, of more fields than the macro expects.
#![recursion_limit = "256"]

mod app;
mod arr;
mod at_hand;
mod dial;
mod event;
mod fleet;
mod frame;
mod justwatch;
mod life;
mod loopback;
mod misbehaviour;
mod ops;
mod pairing;
mod session;
mod settings;
mod shared;
mod store;
mod titles;
mod tmdb;
mod tv;
mod update;
mod violation;
mod world;

pub use app::{AppVersion, Backoff, OpTimes, Pacing};
pub use arr::{
    ARR_KEY, Afflicted, Ailment, Arr, ArrKind, ArrSettings, ArrStandin, Blocklisted, BookFormat, CommandSeen, Cure,
    Fate, FileSeen, Happened, Library, Listing, Preferences, QueueRow, SettingsWrites, ailments,
};
pub use event::TvEvent;
pub use fleet::{Fleet, FleetSettings};
pub use frame::Command;
pub use justwatch::{JustWatch, JustWatchStandin};
pub use loopback::{Misbehaviour, RequestViolation, SeenRequest, Standin};
pub use misbehaviour::{Act, Manner, NotConnected};
pub use ops::Answer;
pub use pairing::StoredPairing;
pub use settings::StandinSettings;
pub use store::{StoreManners, UnreliableStore};
pub use titles::{PLAYABLE, Playable, Recordings, content_id};
pub use tmdb::{Tmdb, TmdbStandin};
pub use tv::{SimulatedTv, SimulatedTvBuilder};
pub use update::UpdateCheck;
pub use violation::Violation;
pub use world::{
    Accessibility, Captions, Gesture, InstalledApp, Launch, Node, Playback, PlaybackState, Screen, TextField, Volume,
    World,
};

//! From a title to a link that a TV can open.
//!
//! A question is answered in two halves. Where a title can be seen is the same for every TV: [`ResolverActor`] finds it at TMDB and
//! JustWatch and keeps it. Which app opens it differs from TV to TV: the tools choose among the apps that are installed there.

mod actor;
mod cache;
mod gather;
mod justwatch;
mod links;
mod matching;
mod offer;
mod provider;
mod question;
mod resolution;
mod text;
mod tools;
mod walk;

#[cfg(test)]
mod testing;

pub use actor::{MAX_KEPT, ObserveResolver, ResolveTitle, ResolverActor, ResolverServices, ResolverStatus};
pub use justwatch::{JustWatchClient, JustWatchSettings, PUBLIC_ADDRESS as JUSTWATCH_ADDRESS};
pub use links::DeepLink;
pub use offer::{Level, Service, TitleOffer};
pub use provider::{DeviceFamily, Provider, UnknownProvider};
pub use question::{Question, QuestionError, QuestionWords};
pub use resolution::{MatchedTitle, Missing, Nowhere, OtherTitle, Resolution, ResolveError, Source};
pub use tools::{ToolSettings, add_tools};

/// The records this crate knows, for the store to check at its start.
pub fn known_kinds() -> Vec<playhouse_store::KnownKind> {
    vec![cache::KNOWN_KIND]
}

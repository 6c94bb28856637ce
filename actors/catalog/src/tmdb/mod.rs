//! TMDB, version 3 of its API: search, details, seasons and episodes, watch providers, and finding a title by another's id.
//!
//! One resolution of a title to a link may take at most [`REQUESTS_PER_RESOLVE`] requests: a [search](TmdbClient::search) takes one to three and
//! says how many, [details](TmdbClient::details) take one with external ids and watch providers included, and most questions
//! about seasons are answered by the details themselves ([`TitleDetails::lists`]).

mod candidate;
mod client;
mod details;
mod error;
mod find;
mod key;
mod providers;
mod question;
mod search;
mod title_id;

pub use candidate::Candidate;
pub use client::{TmdbClient, TmdbSettings};
pub use details::{ExternalIds, Listed, SeasonSummary, TitleDetails};
pub use error::TmdbError;
pub use find::{EpisodeFound, Found, OtherId, SeasonFound};
pub use key::{MalformedTmdbKey, TmdbKey};
pub use providers::{CountryProviders, Provider, WatchProviders};
pub use question::{Locale, TitleQuestion};
pub use search::SearchOutcome;
pub use title_id::{TitleId, TitleKind, TmdbId};

/// How many requests one resolution of a title may take.
pub const REQUESTS_PER_RESOLVE: u32 = 4;

/// Where TMDB's API is.
pub const PUBLIC_ADDRESS: &str = "https://api.themoviedb.org/3";

/// What TMDB's terms ask for wherever its data is shown.
pub const ATTRIBUTION: &str = "This product uses the TMDB API but is not endorsed or certified by TMDB.";

/// What is owed in addition wherever [`WatchProviders`] are shown: TMDB has them from JustWatch.
pub const PROVIDERS_ATTRIBUTION: &str = "Streaming availability by JustWatch.";

//! What titles there are, and on which services: the TMDB client.
//!
//! There is no actor here: a question to TMDB has no state worth owning beyond pace, circuit and connections, and those
//! [`playhouse_upstream::Upstream`] shares between all clones of a [`TmdbClient`](tmdb::TmdbClient) already.

mod country;
mod imdb_id;
mod language;
mod lenient;
mod title_text;
pub mod tmdb;

pub use country::{Country, MalformedCountry};
pub use imdb_id::{ImdbId, MalformedImdbId};
pub use language::{Language, MalformedLanguage};
pub use title_text::comparable_title;

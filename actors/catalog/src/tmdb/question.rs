//! What is searched for.

use serde::{Deserialize, Serialize};

use super::title_id::TitleKind;
use crate::{Country, Language};

/// For whom titles are named and rights counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Locale {
    /// The caller's language: titles come back in it where they are translated.
    pub language: Language,
    /// The caller's country: release dates and services are those of this country.
    pub country: Country,
}

/// A title as somebody named it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TitleQuestion {
    /// The name, in any language.
    pub title: String,
    /// The year, as people remember it: of the first showing, of a season, of the release in their country, or one off.
    pub year: Option<i16>,
    /// A season; 0 are the specials. A question with a season or an episode is about a series.
    pub season: Option<u32>,
    /// An episode of that season.
    pub episode: Option<u32>,
    /// What sort of title it is, where the caller said so.
    pub kind: Option<TitleKind>,
}

impl TitleQuestion {
    /// A question with nothing but a name.
    pub fn named(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// What sort of title it can only be; `None` when both are possible.
    pub fn only_kind(&self) -> Option<TitleKind> {
        if self.season.is_some() || self.episode.is_some() { Some(TitleKind::Series) } else { self.kind }
    }
}

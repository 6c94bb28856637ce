//! The arguments that both tools share.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::question::QuestionWords;

#[derive(Deserialize, JsonSchema)]
pub(super) struct TitleArguments {
    /// The name of the movie or series, such as `Scrubs`, `The Bear` or `Inception`.
    #[schemars(length(min = 1, max = 200))]
    title: String,
    /// Country of the TV's subscriptions, two letters such as US. The relay's own default if left out.
    #[schemars(length(min = 2, max = 2))]
    country: Option<String>,
    /// Season, for series. 0 are the specials. Leave out for movies.
    #[schemars(range(min = 0, max = 1000))]
    season: Option<u32>,
    /// Episode of that season. Leave out for movies.
    #[schemars(range(min = 0, max = 10000))]
    episode: Option<u32>,
    /// Year. Strongly recommended when the title is ambiguous (reboots, makings-of, franchises).
    #[schemars(range(min = 1870, max = 2100))]
    year: Option<i16>,
    /// Preferred service: netflix, disney_plus, prime_video, max, hulu, apple_tv_plus, paramount_plus, peacock, fubo_tv, youtube or
    /// stremio (which needs no catalogue). Left out: the first that has the title and is installed.
    #[schemars(length(max = 60))]
    provider: Option<String>,
}

impl TitleArguments {
    pub(super) fn words(&self) -> QuestionWords<'_> {
        QuestionWords {
            title: &self.title,
            country: self.country.as_deref(),
            season: self.season,
            episode: self.episode,
            year: self.year,
            provider: self.provider.as_deref(),
        }
    }
}

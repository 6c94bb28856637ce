//! What is asked: a title, and which of its parts, where.

use playhouse_catalog::Country;
use playhouse_catalog::tmdb::TitleQuestion;
use serde::{Deserialize, Serialize};

use crate::provider::{Provider, UnknownProvider};

/// A title to be found, in the caller's words. Two that differ only in case and spaces are the same question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// The name, in any language.
    pub title: String,
    /// Where the TV's subscriptions are.
    pub country: Country,
    /// A season; 0 are the specials.
    pub season: Option<u32>,
    /// An episode of that season.
    pub episode: Option<u32>,
    /// The year, as people remember it.
    pub year: Option<i16>,
    /// The service it should be on.
    pub provider: Option<Provider>,
}

/// The words of a question before they are checked.
#[derive(Debug, Clone, Default)]
pub struct QuestionWords<'a> {
    /// The name.
    pub title: &'a str,
    /// A country code; the instance's default if left out.
    pub country: Option<&'a str>,
    /// A season.
    pub season: Option<u32>,
    /// An episode.
    pub episode: Option<u32>,
    /// A year.
    pub year: Option<i16>,
    /// A service, as people write it.
    pub provider: Option<&'a str>,
}

/// Why something is no question.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QuestionError {
    /// Nothing to look for.
    #[error("`title` is empty; give the name of a movie or series")]
    NoTitle,
    /// No such code.
    #[error("`country` is `{0}`; give a country by its two letters, such as US, GB or FR")]
    Country(String),
    /// An episode of what?
    #[error("`episode` needs `season`; the season of a miniseries is 1, that of specials 0")]
    EpisodeWithoutSeason,
    /// No such service.
    #[error(transparent)]
    Provider(#[from] UnknownProvider),
}

impl Question {
    /// Checks a caller's words.
    ///
    /// # Errors
    /// [`QuestionError`] in the caller's terms.
    pub fn from_words(words: &QuestionWords<'_>, default_country: Country) -> Result<Self, QuestionError> {
        let title = words.title.split_whitespace().collect::<Vec<_>>().join(" ");
        if title.is_empty() {
            return Err(QuestionError::NoTitle);
        }
        if words.episode.is_some() && words.season.is_none() {
            return Err(QuestionError::EpisodeWithoutSeason);
        }
        let country = words.country.map(str::trim).filter(|country| !country.is_empty());
        let provider = words.provider.map(str::trim).filter(|provider| !provider.is_empty());
        Ok(Self {
            title,
            country: country.map_or(Ok(default_country), read_country)?,
            season: words.season,
            episode: words.episode,
            year: words.year,
            provider: provider.map(Provider::from_words).transpose()?,
        })
    }

    /// What two equal questions have in common. A question with a year never has that of one without.
    pub(crate) fn key(&self) -> String {
        let part = |number: Option<i64>| number.map(|number| number.to_string()).unwrap_or_default();
        let words: Vec<&str> = self.title.split_whitespace().collect();
        // A tab is in no title: spaces were collapsed.
        [
            words.join(" ").to_lowercase(),
            self.country.to_string(),
            part(self.season.map(i64::from)),
            part(self.episode.map(i64::from)),
            part(self.year.map(i64::from)),
            self.provider.map(|provider| provider.to_string()).unwrap_or_default(),
        ]
        .join("\t")
    }

    pub(crate) fn for_tmdb(&self) -> TitleQuestion {
        TitleQuestion {
            title: self.title.clone(),
            year: self.year,
            season: self.season,
            episode: self.episode,
            kind: None,
        }
    }
}

/// `UK` is what everybody says, and what ISO keeps reserved for it.
fn read_country(words: &str) -> Result<Country, QuestionError> {
    let code = if words.eq_ignore_ascii_case("uk") { "GB" } else { words };
    code.parse().map_err(|_| QuestionError::Country(words.chars().take(20).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn question(words: &QuestionWords<'_>) -> Result<Question, String> {
        Question::from_words(words, "US".parse().unwrap()).map_err(|error| error.to_string())
    }

    fn named(title: &str) -> QuestionWords<'_> {
        QuestionWords { title, ..QuestionWords::default() }
    }

    fn key(words: &QuestionWords<'_>) -> String {
        question(words).unwrap().key()
    }

    #[test]
    fn case_and_spaces_make_no_other_question() {
        assert_eq!(key(&named("  Stranger   THINGS ")), key(&named("stranger things")));
        let spelt = QuestionWords { provider: Some("Disney+"), country: Some("us"), ..named("Scrubs") };
        assert_eq!(key(&spelt), key(&QuestionWords { provider: Some("disney_plus"), ..named("scrubs") }));
    }

    #[test]
    fn every_part_makes_another_question() {
        let asked = [
            named("Scrubs"),
            QuestionWords { country: Some("GB"), ..named("Scrubs") },
            QuestionWords { season: Some(1), ..named("Scrubs") },
            QuestionWords { season: Some(0), ..named("Scrubs") },
            QuestionWords { season: Some(1), episode: Some(1), ..named("Scrubs") },
            QuestionWords { year: Some(2001), ..named("Scrubs") },
            QuestionWords { provider: Some("hulu"), ..named("Scrubs") },
            named("Scrubs 2001"),
        ];
        let keys: std::collections::HashSet<String> = asked.iter().map(key).collect();
        assert_eq!(keys.len(), asked.len());
    }

    #[test]
    fn what_is_no_question_is_refused_in_the_callers_terms() {
        let refused = |words: QuestionWords<'_>| question(&words).unwrap_err();
        assert!(refused(named("  ")).contains("`title` is empty"));
        assert!(refused(QuestionWords { country: Some("USA"), ..named("x") }).contains("`USA`"));
        assert!(refused(QuestionWords { episode: Some(1), ..named("x") }).contains("needs `season`"));
        assert!(refused(QuestionWords { provider: Some("blockbuster"), ..named("x") }).contains("paramount_plus"));
        assert_eq!(question(&QuestionWords { country: Some("uk"), ..named("x") }).unwrap().country.as_str(), "GB");
    }
}

//! The titles that the stand-ins of TMDB and JustWatch know.
//!
//! Names, ids, years and numbers of episodes are facts, as far as tests need them: long series are listed in part, and of a date only the
//! year is relied on. **Who shows what where is not**: offers are furnished so that every service has a movie and a series in at least
//! two countries ([`PLAYABLE`]), and so that every trap that catalogues are known for can be stepped into. JustWatch's own ids and all ids within
//! links are made up; each can be traced to its title ([`content_id`]).
//!
//! | trap | where |
//! | --- | --- |
//! | a remake with the same title, and the older one less popular | *Dune*, *West Side Story*, *The Lion King* |
//! | a movie and a series with the same title; two series with the same title | *Fargo*; *The Office* |
//! | the exact title is not the first result | *Dune* behind *Dune: Part Two* |
//! | the right title without a date, hardly known | an entry called *Inception* that TMDB has beside the film |
//! | a person among the results | *Severance* |
//! | JustWatch's year is one off and it has no ids | *Spirited Away* |
//! | JustWatch has no ids, but the year | *Night of the Living Dead* |
//! | JustWatch knows it only by its original title | *Amélie* |
//! | JustWatch does not know it at all | *Inception: The Cobol Job* |
//! | a special, season 0 | *Sherlock* |
//! | an announced season with `offers: []` and no ids | *The Last of Us*, season 3 |
//! | season offers, but none for episodes; only for the show | *Sherlock*; *Scrubs* (both US) |
//! | resellers beside the service, and alone | *The Last of Us*, *Severance*, *Star Trek: Strange New Worlds* (US); the latter in FR |
//! | only rent and buy; nothing | *Inception* (US); *Fargo* (FR) |
//! | an affiliate redirect to a host that only looks right | *The Lion King* of 2019 (GB) |
//! | links without content: the app, a bare host, a search page | fubo; *CODA* (FR); *Inception* (US, YouTube) |
//! | words that no documentation has; null for everything | *Interstellar* (US) |
//! | gone tomorrow; gone since yesterday | *Top Gun: Maverick* (US); *Pulp Fiction* (GB) |

mod films;
mod offer;
mod playable;
mod recorded;
mod series;
mod service;
mod words;

pub(crate) use films::FILMS;
pub(crate) use offer::{Offer, Quirk, Terms};
pub use playable::{PLAYABLE, Playable};
pub use recorded::Recordings;
pub(crate) use recorded::find_recordings;
pub(crate) use series::SERIES;
pub use service::content_id;
pub(crate) use service::{Part, PartKind, Service};
pub(crate) use words::has_words;

/// What a title is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Movie,
    Series,
}

/// A movie or a series.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Title {
    pub(crate) kind: Kind,
    pub(crate) tmdb: u64,
    /// Empty where TMDB knows none.
    pub(crate) imdb: &'static str,
    /// In English.
    pub(crate) name: &'static str,
    /// Language and name, where that is not English.
    pub(crate) original: Option<(&'static str, &'static str)>,
    /// Names by language, beside those two.
    pub(crate) translated: &'static [(&'static str, &'static str)],
    /// Other ways to write it, which both services find it by: without accents, for one.
    pub(crate) also_called: &'static [&'static str],
    /// First release or first episode, as `2010-07-16`; may be empty.
    pub(crate) shown: &'static str,
    /// Years of releases in other countries.
    pub(crate) shown_again: &'static [u16],
    pub(crate) popularity: f64,
    pub(crate) n_votes: u32,
    pub(crate) seasons: &'static [Season],
    pub(crate) offers: &'static [Offer],
    pub(crate) in_justwatch: InJustWatch,
}

/// How JustWatch has a title.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InJustWatch {
    Known,
    /// Without external ids, and with this year.
    WithoutIds(u16),
    /// Found by its original name only.
    ByOriginalName,
    Unknown,
}

/// A season of a series.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Season {
    /// 0 are the specials.
    pub(crate) number: u32,
    /// Year of its first episode; 0 for an announced one.
    pub(crate) year: u16,
    pub(crate) n_episodes: u32,
}

impl Title {
    pub(crate) fn year(&self) -> Option<u16> {
        self.shown.get(..4)?.parse().ok()
    }

    /// The name in a language of two letters, as far as there is one, else in English.
    pub(crate) fn name_in(&self, language: &str) -> &'static str {
        let known = self.translated.iter().chain(&self.original);
        known.into_iter().find(|(known, _)| *known == language).map_or(self.name, |(_, name)| *name)
    }

    pub(crate) fn original_name(&self) -> &'static str {
        self.original.map_or(self.name, |(_, name)| name)
    }

    pub(crate) fn original_language(&self) -> &'static str {
        self.original.map_or("en", |(language, _)| language)
    }

    /// Every name it is found by.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        let translated = self.translated.iter().chain(&self.original).map(|(_, name)| *name);
        std::iter::once(self.name).chain(translated).chain(self.also_called.iter().copied())
    }
}

/// Every title of ours.
pub(crate) fn all() -> impl Iterator<Item = &'static Title> {
    FILMS.iter().chain(SERIES)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn no_two_titles_share_an_id() {
        let mut seen = BTreeSet::new();
        for title in all() {
            assert!(seen.insert((title.kind, title.tmdb)), "{}", title.name);
        }
        let imdb: Vec<&str> = all().map(|title| title.imdb).filter(|imdb| !imdb.is_empty()).collect();
        assert_eq!(imdb.iter().collect::<BTreeSet<_>>().len(), imdb.len());
    }

    #[test]
    fn every_playable_title_is_offered_where_it_says() {
        for playable in PLAYABLE {
            for (name, kind) in [(playable.movie, Kind::Movie), (playable.series, Kind::Series)] {
                let title = all().find(|title| title.name == name && title.kind == kind).unwrap();
                for country in playable.countries {
                    let is_offered = title.offers.iter().any(|offer| {
                        offer.service.provider() == Some(playable.provider) && offer.countries.contains(country)
                    });
                    assert!(is_offered, "{name} at {} in {country}", playable.provider);
                }
            }
        }
    }

    #[test]
    fn a_name_is_told_in_the_language_asked_for_when_there_is_one() {
        let chihiro = all().find(|title| title.name == "Spirited Away").unwrap();
        assert_eq!(chihiro.name_in("fr"), "Le Voyage de Chihiro");
        assert_eq!(chihiro.name_in("ja"), "千と千尋の神隠し");
        assert_eq!(chihiro.name_in("de"), "Spirited Away");
    }
}

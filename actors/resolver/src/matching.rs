//! Which of TMDB's candidates is meant, and which others might be.

use playhouse_catalog::comparable_title;
use playhouse_catalog::tmdb::{Candidate, TitleKind};

use crate::question::Question;

/// The candidates in order of how well they fit.
pub(crate) struct Ranked {
    /// The one that is taken.
    pub(crate) best: Candidate,
    /// Those that fit nearly as well: the assistant should ask which is meant.
    pub(crate) runners_up: Vec<Candidate>,
}

/// How many runners-up are named; more would not be read out.
const MAX_RUNNERS_UP: usize = 3;
/// A namesake counts as a runner-up when it is at least this part as well known.
const WELL_KNOWN_PART: f64 = 0.05;

/// How well a name fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum NameFit {
    /// The title or the original title, but for case, accents and signs.
    Exact,
    /// The same but for an article in front, or with a subtitle behind.
    Near,
    /// TMDB found it by a name that it does not show.
    Found,
}

/// How well a year fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum YearFit {
    Exact,
    /// People are often one off, and so are countries.
    OneOff,
    Unknown,
    /// It may still be the year of a season; the details will tell.
    Off,
}

/// Ranks by name, then year, then popularity; among those that TMDB found by other names its own order stands.
pub(crate) fn rank(candidates: Vec<Candidate>, question: &Question) -> Option<Ranked> {
    let only_series = question.season.is_some();
    let mut fits: Vec<(NameFit, YearFit, Candidate)> = candidates
        .into_iter()
        .filter(|candidate| !only_series || candidate.id.kind == TitleKind::Series)
        .map(|candidate| (name_fit(&candidate, &question.title), year_fit(&candidate, question.year), candidate))
        .collect();
    fits.sort_by(|one, other| {
        let by_fit = (one.0, one.1).cmp(&(other.0, other.1));
        let by_fame = || match one.0 {
            NameFit::Found => std::cmp::Ordering::Equal,
            NameFit::Exact | NameFit::Near => other.2.popularity.total_cmp(&one.2.popularity),
        };
        by_fit.then_with(by_fame)
    });
    let mut fits = fits.into_iter();
    let (name, year, best) = fits.next()?;
    let runners_up = fits
        .filter(|(other_name, other_year, other)| {
            (*other_name, *other_year) == (name, year) && is_well_known(other, &best)
        })
        .map(|(_, _, candidate)| candidate)
        .take(MAX_RUNNERS_UP)
        .collect();
    Some(Ranked { best, runners_up })
}

fn is_well_known(other: &Candidate, best: &Candidate) -> bool {
    other.popularity >= best.popularity * WELL_KNOWN_PART
        || (best.n_votes > 0 && other.n_votes as f64 >= best.n_votes as f64 * WELL_KNOWN_PART)
}

fn name_fit(candidate: &Candidate, wanted: &str) -> NameFit {
    if candidate.is_called(wanted) {
        return NameFit::Exact;
    }
    let bare = |title: &str| without_article(&comparable_title(title)).to_owned();
    let wanted = bare(wanted);
    let is_near = |name: &String| {
        let name = bare(name);
        name == wanted || name.strip_prefix(&wanted).is_some_and(|rest| rest.starts_with(' '))
    };
    if std::iter::once(&candidate.title).chain(&candidate.original_title).any(is_near) {
        NameFit::Near
    } else {
        NameFit::Found
    }
}

fn without_article(title: &str) -> &str {
    const ARTICLES: [&str; 12] =
        ["the ", "a ", "an ", "der ", "die ", "das ", "le ", "la ", "les ", "el ", "los ", "il "];
    ARTICLES.iter().find_map(|article| title.strip_prefix(article)).unwrap_or(title)
}

fn year_fit(candidate: &Candidate, wanted: Option<i16>) -> YearFit {
    let Some(wanted) = wanted else { return YearFit::Exact };
    match candidate.year().map(|year| (year - wanted).abs()) {
        Some(0) => YearFit::Exact,
        Some(1) => YearFit::OneOff,
        Some(_) => YearFit::Off,
        None => YearFit::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use playhouse_catalog::tmdb::{TitleId, TmdbId};

    use super::*;

    fn candidate(id: u64, kind: TitleKind, title: &str, year: i16, popularity: f64) -> Candidate {
        Candidate {
            id: TitleId { kind, id: TmdbId(id) },
            title: title.to_owned(),
            original_title: None,
            first_shown: (year > 0).then(|| jiff::civil::date(year, 6, 1)),
            original_language: None,
            popularity,
            n_votes: 0,
        }
    }

    fn movie(id: u64, title: &str, year: i16, popularity: f64) -> Candidate {
        candidate(id, TitleKind::Movie, title, year, popularity)
    }

    fn series(id: u64, title: &str, year: i16, popularity: f64) -> Candidate {
        candidate(id, TitleKind::Series, title, year, popularity)
    }

    fn question(title: &str) -> Question {
        Question {
            title: title.to_owned(),
            country: "US".parse().unwrap(),
            season: None,
            episode: None,
            year: None,
            provider: None,
        }
    }

    /// The id that is taken, and those of the runners-up.
    fn ranked(candidates: Vec<Candidate>, question: &Question) -> (u64, Vec<u64>) {
        let ranked = rank(candidates, question).unwrap();
        (ranked.best.id.id.0, ranked.runners_up.iter().map(|candidate| candidate.id.id.0).collect())
    }

    #[test]
    fn the_exact_title_wins_over_a_more_popular_one() {
        let found = vec![
            movie(1, "Alien: Romulus", 2024, 300.0),
            movie(2, "Alien", 1979, 60.0),
            movie(3, "Aliens", 1986, 90.0),
        ];
        assert_eq!(ranked(found, &question("alien")), (2, vec![]));
    }

    #[test]
    fn an_original_title_is_as_good() {
        let mut original = series(1, "Money Heist", 2017, 50.0);
        original.original_title = Some("La casa de papel".to_owned());
        let found = vec![movie(2, "La casa de papel: the making of", 2020, 80.0), original];
        assert_eq!(ranked(found, &question("La Casa de Papel")).0, 1);
    }

    #[test]
    fn namesakes_are_named_so_that_the_assistant_can_ask() {
        let found = vec![
            movie(1, "Dune", 1984, 40.0),
            movie(2, "Dune", 2021, 200.0),
            movie(3, "Dune", 2000, 1.0),
            movie(4, "Dune: Part Two", 2024, 300.0),
        ];
        assert_eq!(ranked(found, &question("Dune")), (2, vec![1]));
    }

    #[test]
    fn the_year_decides_among_namesakes() {
        let found = || vec![movie(1, "Dune", 1984, 40.0), movie(2, "Dune", 2021, 200.0)];
        for (year, expected) in [(1984, 1), (1985, 1), (1983, 1), (2021, 2), (2022, 2)] {
            assert_eq!(
                ranked(found(), &Question { year: Some(year), ..question("Dune") }),
                (expected, vec![]),
                "{year}"
            );
        }
    }

    #[test]
    fn a_remake_is_told_from_the_original_by_the_year_of_a_series() {
        let found = vec![series(1, "Battlestar Galactica", 2004, 60.0), series(2, "Battlestar Galactica", 1978, 20.0)];
        assert_eq!(ranked(found, &Question { year: Some(1978), ..question("Battlestar Galactica") }), (2, vec![]));
    }

    #[test]
    fn a_season_means_a_series() {
        let found = vec![movie(1, "Fargo", 1996, 90.0), series(2, "Fargo", 2014, 60.0)];
        assert_eq!(ranked(found.clone(), &question("Fargo")), (1, vec![2]));
        assert_eq!(ranked(found, &Question { season: Some(0), ..question("Fargo") }), (2, vec![]));
        assert!(
            rank(vec![movie(1, "Fargo", 1996, 90.0)], &Question { season: Some(1), ..question("Fargo") }).is_none()
        );
    }

    #[test]
    fn an_article_or_a_subtitle_is_near_and_another_word_is_not() {
        let found = vec![movie(1, "Officer Down", 2013, 90.0), series(2, "The Office", 2005, 60.0)];
        assert_eq!(ranked(found, &question("Office")).0, 2);
        let found = vec![movie(1, "Duneland", 2013, 90.0), movie(2, "Dune: Part Two", 2024, 60.0)];
        assert_eq!(ranked(found, &question("Dune")).0, 2);
    }

    #[test]
    fn a_title_that_tmdb_found_by_another_name_is_taken_in_its_order() {
        let found = vec![movie(1, "Back to the Future", 1985, 60.0), movie(2, "Something Else", 2020, 900.0)];
        assert_eq!(ranked(found, &question("Retour vers le futur")).0, 1);
    }

    #[test]
    fn a_candidate_without_a_date_stands_between_a_fitting_year_and_a_wrong_one() {
        let year = Question { year: Some(2021), ..question("Dune") };
        assert_eq!(ranked(vec![movie(1, "Dune", 1984, 40.0), movie(2, "Dune", 0, 1.0)], &year).0, 2);
        assert_eq!(ranked(vec![movie(1, "Dune", 0, 40.0), movie(2, "Dune", 2022, 1.0)], &year).0, 2);
    }
}

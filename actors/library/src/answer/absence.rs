//! What an empty answer says: what exactly was searched, and what the emptiness does and does not rule out.
//!
//! An assistant that reads "nothing found" will tell its user that nothing happened. So each empty read says whether it proves that.

use super::Scope;

/// An empty read, by what was searched. `Display` is the sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absence<'a> {
    /// A title's own history was read.
    TitleHistory(&'a Scope),
    /// A title's own history was read, and some of its events could not be understood.
    TitleHistoryInPart {
        /// What was asked for.
        scope: &'a Scope,
        /// How many could not.
        n_skipped: usize,
    },
    /// A title was asked for and could not be looked up by itself, so the newest events of everything were filtered for it.
    TitleHistoryByWindow {
        /// What was asked for.
        scope: &'a Scope,
        /// How many events were read.
        n_events: usize,
    },
    /// The newest events of everything were read.
    WholeHistory {
        /// How many were asked for.
        n_events: usize,
    },
    /// The queue was read and holds nothing (for the scope).
    Queue(&'a Scope),
    /// The queue was diagnosed and holds nothing (for the scope).
    Diagnosis(&'a Scope),
    /// The queue was diagnosed and only normal items were found.
    Healthy {
        /// How many.
        n_items: usize,
    },
}

impl std::fmt::Display for Absence<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Absence::TitleHistory(scope) => write!(
                f,
                "No history for {}. Its own history was read whole, so this is definitive: no grab, import or failure was ever recorded \
                 for it, and no older event is hiding.",
                subject(scope)
            ),
            Absence::TitleHistoryInPart { scope, n_skipped } => write!(
                f,
                "No history found for {}, but this is inconclusive: of its own history {n_skipped} {} could not be understood, and what {} is not \
                 known.",
                subject(scope),
                if n_skipped == 1 { "event" } else { "events" },
                if n_skipped == 1 { "it is about" } else { "they are about" },
            ),
            Absence::TitleHistoryByWindow { scope, n_events } => write!(
                f,
                "No history found for {}, but this is inconclusive: its own history could not be looked up, so only the newest {n_events} \
                 events of the whole library were searched for it. An older event would not show.",
                subject(scope)
            ),
            Absence::WholeHistory { n_events } => write!(
                f,
                "No events. The newest {n_events} events of the whole library were asked for; anything older is outside that window."
            ),
            Absence::Queue(scope) => match scope.subject() {
                None => f.write_str("Nothing is downloading."),
                Some(subject) => write!(
                    f,
                    "Nothing for {subject} is downloading. This says nothing about files that are imported already: for a complaint about \
                     content an empty queue is what to expect. Look at the library and the history instead."
                ),
            },
            Absence::Diagnosis(scope) => match scope.subject() {
                None => f.write_str(
                    "The queue is empty, so nothing was diagnosed. The Doctor reads only downloads in flight, not imported files.",
                ),
                Some(subject) => write!(
                    f,
                    "Nothing for {subject} is in the queue, so nothing was diagnosed. The Doctor cannot see imported files."
                ),
            },
            Absence::Healthy { n_items: 1 } => f.write_str("No problem found: the 1 item in the queue is normal."),
            Absence::Healthy { n_items } => write!(f, "No problem found: all {n_items} items in the queue are normal."),
        }
    }
}

fn subject(scope: &Scope) -> String {
    scope.subject().unwrap_or_else(|| "this title".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn season_11() -> Scope {
        Scope { season_number: Some(11), tmdb_id: Some(60_625), ..Scope::default() }
    }

    #[test]
    fn an_empty_unscoped_queue_gives_no_advice() {
        assert_eq!(Absence::Queue(&Scope::default()).to_string(), "Nothing is downloading.");
    }

    #[test]
    fn an_empty_queue_for_season_11_names_it_and_points_elsewhere() {
        let words = Absence::Queue(&season_11()).to_string();
        for part in ["season 11", "what to expect", "library", "history"] {
            assert!(words.contains(part), "{part}: {words}");
        }
    }

    #[test]
    fn only_a_titles_own_history_is_definitive() {
        let definitive = Absence::TitleHistory(&season_11()).to_string();
        let filtered = Absence::TitleHistoryByWindow { scope: &season_11(), n_events: 100 }.to_string();
        assert!(definitive.contains("definitive") && definitive.contains("season 11"));
        let in_part = Absence::TitleHistoryInPart { scope: &season_11(), n_skipped: 2 }.to_string();
        assert!(in_part.contains("inconclusive") && in_part.contains("2 events") && !in_part.contains("definitive"));
        assert!(filtered.contains("inconclusive") && filtered.contains("newest 100 events"));
        assert!(Absence::WholeHistory { n_events: 20 }.to_string().contains("newest 20 events"));
    }

    #[test]
    fn the_doctor_says_that_it_sees_downloads_only() {
        for scope in [Scope::default(), season_11()] {
            assert!(Absence::Diagnosis(&scope).to_string().contains("imported files"));
        }
        assert_eq!(Absence::Healthy { n_items: 1 }.to_string(), "No problem found: the 1 item in the queue is normal.");
    }
}

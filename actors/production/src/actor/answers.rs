//! Answers that are kept encoded: most questions are asked again before anything changes.

use std::collections::HashMap;

use jiff::civil::Date;

use crate::messages::{Document, Question};
use crate::model::EngagementId;

/// How many bytes of answers are kept; beyond that all are thrown away and made again when asked for.
const MOST_BYTES: usize = 32 * 1024 * 1024;

/// Encoded answers by who asks and what. Whoever sees the same gets the same answer: the scopes of a key decide whether it gets one.
#[derive(Default)]
pub(super) struct Answers {
    kept: HashMap<(Option<EngagementId>, Question), Document>,
    n_bytes: usize,
    /// The day on which they are true: what is overdue and where the shoot is go by the calendar.
    day: Option<Date>,
}

impl Answers {
    /// The answer, if it is kept and still true on `day`.
    pub(super) fn get(&mut self, key: &(Option<EngagementId>, Question), day: Date) -> Option<Document> {
        if self.day != Some(day) {
            self.clear();
            self.day = Some(day);
        }
        self.kept.get(key).cloned()
    }

    /// Keeps an answer that was made on the day of the last [`Answers::get`].
    pub(super) fn keep(&mut self, key: (Option<EngagementId>, Question), document: Document) {
        if self.n_bytes + document.len() > MOST_BYTES {
            self.kept.clear();
            self.n_bytes = 0;
        }
        self.n_bytes += document.len();
        self.kept.insert(key, document);
    }

    /// Throws all away, because something changed.
    pub(super) fn clear(&mut self) {
        self.kept.clear();
        self.n_bytes = 0;
    }

    /// Throws the answers about jobs away: progress changes often, and nothing else shows it.
    pub(super) fn forget_jobs(&mut self) {
        self.kept.retain(|(_, question), _| !matches!(question, Question::ListJobs { .. }));
        self.n_bytes = self.kept.values().map(Document::len).sum();
    }

    /// How many are kept.
    pub(super) fn len(&self) -> usize {
        self.kept.len()
    }
}

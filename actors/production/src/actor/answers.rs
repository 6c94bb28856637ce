//! Answers that are kept encoded: most questions are asked again before anything changes.

use std::collections::HashMap;

use jiff::civil::Date;
use playhouse_house::Scope;

use crate::messages::{Document, Question, Reader};
use crate::model::EngagementId;

/// How many bytes of answers are kept; beyond that all are thrown away and made again when asked for.
const MOST_BYTES: usize = 32 * 1024 * 1024;

/// A question and all that its answer depends on of who asks it. Whoever sees the same gets the same answer: the scopes of a key decide
/// whether it gets one, and of jobs also what it says.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Asked {
    engagement: Option<EngagementId>,
    sees_money: bool,
    pub(super) question: Question,
}

impl Asked {
    pub(super) fn by(reader: &Reader, question: Question) -> Self {
        let sees_money = matches!(question, Question::ListJobs { .. }) && reader.scopes.contains(Scope::ReadMoney);
        Self { engagement: reader.engagement, sees_money, question }
    }
}

/// Encoded answers.
#[derive(Default)]
pub(super) struct Answers {
    kept: HashMap<Asked, Document>,
    n_bytes: usize,
    /// The day on which they are true: what is overdue and where the shoot is go by the calendar.
    day: Option<Date>,
}

impl Answers {
    /// The answer, if it is kept and still true on `day`.
    pub(super) fn get(&mut self, key: &Asked, day: Date) -> Option<Document> {
        if self.day != Some(day) {
            self.clear();
            self.day = Some(day);
        }
        self.kept.get(key).cloned()
    }

    /// Keeps an answer that was made on the day of the last [`Answers::get`].
    pub(super) fn keep(&mut self, key: Asked, document: Document) {
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
        self.kept.retain(|asked, _| !matches!(asked.question, Question::ListJobs { .. }));
        self.n_bytes = self.kept.values().map(Document::len).sum();
    }

    /// How many are kept.
    pub(super) fn len(&self) -> usize {
        self.kept.len()
    }
}

//! Where a change is put together: what is known, who writes, and what is to be written.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::Date;
use playhouse_house::Scope;

use crate::clamp::Sight;
use crate::messages::{OfficeRefusal, Writer};
use crate::model::{ActivityEntry, Actor, ApprovalId, Production, ProductionStatus, Subject, SubjectType, Verb};
use crate::office::{Changes, Office};
use crate::reads::{View, today};

/// One change in the making.
pub(crate) struct Desk<'a> {
    /// The office as it is.
    pub(crate) office: &'a Office,
    /// Who writes.
    pub(crate) writer: &'a Writer,
    /// Who writes, as others will see it.
    pub(crate) by: Actor,
    /// What is to be put and removed.
    pub(crate) changes: Changes,
    /// Approvals that this change asks for, by what they are about.
    pub(super) asked: HashMap<(SubjectType, u32), ApprovalId>,
    now: Timestamp,
    entries: Vec<ActivityEntry>,
}

impl<'a> Desk<'a> {
    /// An empty desk over the office as it is.
    pub(crate) fn at(office: &'a Office, now: Timestamp, writer: &'a Writer, by: Actor) -> Self {
        let (changes, asked) = (Changes::upon(office, now), HashMap::new());
        Self { office, writer, by, changes, asked, now, entries: Vec::new() }
    }

    /// Everything, as it is, for answers about what is written.
    pub(crate) fn view(&self) -> View<'a> {
        View { office: self.office, sight: Sight::wide(self.office), today: today(self.office, self.now) }
    }

    /// The date of a time in the production's time zone.
    pub(crate) fn date_of(&self, time: Timestamp) -> Date {
        today(self.office, time)
    }

    /// Refuses keys without `scope`, and those that are bound to an engagement: scope before door.
    pub(crate) fn require_wide(&self, scope: Scope) -> Result<(), OfficeRefusal> {
        self.writer.require(scope)?;
        self.writer.require_wide()
    }

    /// The production, if it takes writes. Comes after the checks of fields and reach.
    pub(crate) fn open_production(&self) -> Result<&'a Production, OfficeRefusal> {
        open_production(self.office)
    }

    /// Adds an entry to the activity list, under the number that is next.
    pub(crate) fn record(&mut self, verb: Verb, subject: Subject, summary: String) {
        let id = self.changes.next_id();
        self.entries.push(ActivityEntry { id, at: self.changes.at(), actor: self.by.clone(), verb, subject, summary });
    }

    /// What is to be committed.
    pub(crate) fn into_parts(self) -> (Changes, Vec<ActivityEntry>) {
        (self.changes, self.entries)
    }
}

/// The production of an office, if it takes writes.
pub(super) fn open_production(office: &Office) -> Result<&Production, OfficeRefusal> {
    let production = office.production().ok_or_else(|| OfficeRefusal::not_found("Production"))?;
    if production.status == ProductionStatus::Archived { Err(OfficeRefusal::archived()) } else { Ok(production) }
}

/// What an entry or an approval is about.
pub(super) fn subject(subject_type: SubjectType, id: u32, title: impl Into<String>) -> Subject {
    Subject { subject_type, id, title: title.into() }
}

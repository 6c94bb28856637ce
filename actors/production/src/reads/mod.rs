//! The answers: one function a capability, used by both doors.

mod activity;
mod approvals;
mod assets;
mod bundles;
mod deliveries;
mod departments;
mod media;
mod orders;
mod outstanding;
mod production;
mod scenes;
mod schedule;
mod script_changes;
pub mod shapes;
mod turnovers;

use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use playhouse_house::Scope;
use serde::Serialize;

use crate::clamp::Sight;
use crate::messages::{Document, OfficeRefusal, Question, Reader};
use crate::model::{ApprovalStatus, AssetKind, AssetStatus, Delivery, JobStatus, Words};
use crate::office::Office;

pub(crate) use activity::{ActivityPage, document as activity_document};
pub(crate) use approvals::decided;
pub(crate) use assets::{AssetDetail, note_row, slug};
pub(crate) use media::find as find_media;
pub(crate) use turnovers::SubmissionReply;

/// An office as one reader sees it on one day.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) office: &'a Office,
    pub(crate) sight: Sight<'a>,
    /// Today in the production's time zone.
    pub(crate) today: Date,
}

/// What the calendar says in the production's time zone.
pub(crate) fn today(office: &Office, now: Timestamp) -> Date {
    let zone = office.production().and_then(|production| TimeZone::get(&production.timezone).ok());
    zone.unwrap_or(TimeZone::UTC).to_datetime(now).date()
}

impl View<'_> {
    /// Whether something that is owed is late: due before today, and not back yet.
    pub(crate) fn is_overdue(&self, delivery: &Delivery) -> bool {
        delivery.status.is_outstanding() && delivery.due_on.is_some_and(|due| due < self.today)
    }
}

/// Refuses what the reader's key may not ask: first by scope, then by door. The doors check the same; this holds where one forgets.
pub(crate) fn admit(reader: &Reader, question: &Question) -> Result<(), OfficeRefusal> {
    let scope = match question {
        Question::ListPurchaseOrders => Scope::ReadMoney,
        _ => Scope::Read,
    };
    reader.require(scope)?;
    match question {
        Question::ListPurchaseOrders
        | Question::SceneBundle { .. }
        | Question::CharacterBundle { .. }
        | Question::ListTurnovers
        | Question::GetMedia { .. } => Ok(()),
        Question::GetProduction
        | Question::ListDepartments
        | Question::GetDepartment { .. }
        | Question::ListScenes
        | Question::ListAssets { .. }
        | Question::GetAsset { .. }
        | Question::GetSchedule { .. }
        | Question::ListDeliveries
        | Question::ListApprovals { .. }
        | Question::ListActivity { .. }
        | Question::ScriptChanges { .. }
        | Question::ListPeople { .. }
        | Question::ListJobs { .. } => reader.require_wide(),
    }
}

/// Answers every question but that for the activity list, which is not wholly in memory.
pub(crate) fn answer(view: &View<'_>, question: &Question) -> Result<Document, OfficeRefusal> {
    match question {
        Question::GetProduction => encode(production::get(view)?),
        Question::ListDepartments => encode(departments::list(view)),
        Question::GetDepartment { slug } => encode(departments::get(view, slug)?),
        Question::ListScenes => encode(scenes::list(view)),
        Question::ListAssets { department, kind, status } => {
            let department = department.as_deref().map(|slug| known_department(view.office, slug)).transpose()?;
            let kind = word::<AssetKind>("kind", kind.as_deref())?;
            let status = word::<AssetStatus>("status", status.as_deref())?;
            encode(assets::list(view, department, kind, status))
        }
        Question::GetAsset { node_id } => encode(assets::get(view, *node_id)?),
        Question::GetSchedule { episode_id } => encode(schedule::get(view, *episode_id)?),
        Question::ListDeliveries => encode(deliveries::list(view)),
        Question::ListApprovals { status } => {
            encode(approvals::list(view, word::<ApprovalStatus>("status", status.as_deref())?))
        }
        Question::ListActivity { limit, .. } => {
            activity::limit(*limit)?;
            Err(OfficeRefusal::unavailable())
        }
        Question::ListPurchaseOrders => encode(orders::list(view)),
        Question::SceneBundle { node_id } => encode(bundles::scene(view, *node_id)?),
        Question::CharacterBundle { node_id } => encode(bundles::character(view, *node_id)?),
        Question::ListTurnovers => encode(turnovers::list(view)),
        Question::ScriptChanges { episode_id, draft_id } => encode(script_changes::list(view, *episode_id, *draft_id)?),
        Question::ListPeople { department } => {
            let department = department.as_deref().map(|slug| known_department(view.office, slug)).transpose()?;
            encode(departments::people(view, department))
        }
        Question::ListJobs { status } => {
            encode(production::jobs(view, word::<JobStatus>("status", status.as_deref())?))
        }
        Question::GetMedia { id } => encode(media::get(view, *id)?),
    }
}

fn encode(answer: impl Serialize) -> Result<Document, OfficeRefusal> {
    Document::of(&answer)
}

/// The word a filter names.
fn word<W: Words>(what: &str, text: Option<&str>) -> Result<Option<W>, OfficeRefusal> {
    text.map(|text| W::named(text).ok_or_else(|| OfficeRefusal::unknown_word::<W>(what, text))).transpose()
}

fn known_department<'t>(office: &Office, slug: &'t str) -> Result<&'t str, OfficeRefusal> {
    let known = office.departments.get(&slug.to_owned()).is_some();
    known.then_some(slug).ok_or_else(|| OfficeRefusal::unknown_department(slug))
}

/// A number from outside as an id; `None` for what no id can be.
pub(crate) fn id<I: crate::model::Id>(number: i64) -> Option<I> {
    u32::try_from(number).ok().filter(|number| *number > 0).map(I::numbered)
}

/// Orders what is due: earliest first, what has no date last.
pub(crate) fn by_due(due_on: Option<Date>) -> (bool, Option<Date>) {
    (due_on.is_none(), due_on)
}

/// Whether a time zone of this name is known.
pub(crate) fn is_time_zone(name: &str) -> bool {
    TimeZone::get(name).is_ok() && !name.is_empty()
}

/// Whether a text is a frame rate: a whole number or a fraction of two.
pub(crate) fn is_frame_rate(text: &str) -> bool {
    let is_number = |text: &str| u32::from_str(text).is_ok_and(|number| number > 0);
    match text.split_once('/') {
        Some((above, below)) => is_number(above) && is_number(below),
        None => is_number(text),
    }
}

//! Imports that were planned, and the jobs that show them.

use jiff::SignedDuration;
use playhouse_house::Scope;
use serde_json::{Value, json};

use super::desk::{Desk, open_production};
use crate::messages::{Applied, Document, ImportAnswer, ImportPlan, OfficeRefusal, Writer, Written};
use crate::model::{Entity, EntityKey, ImportKind, Job, JobId, JobStatus};
use crate::office::Office;

/// Jobs that are kept. Lists show a hundred.
const MOST_JOBS: usize = 500;
/// How long a job is kept that has ended.
const KEPT_FOR: SignedDuration = SignedDuration::from_hours(24 * 30);
/// Jobs that one write removes at most, so that its commit stays small.
const MOST_REMOVED: usize = 50;

/// Whether `writer` may import that, and whether the production takes it.
pub(crate) fn may_import(office: &Office, writer: &Writer, kind: ImportKind) -> Result<(), OfficeRefusal> {
    writer.require(Scope::Write)?;
    if kind == ImportKind::PurchaseOrders {
        writer.require(Scope::ReadMoney)?;
    }
    writer.require_wide()?;
    open_production(office).map(drop)
}

/// Begins an import: its job runs from now on.
pub(crate) fn begin_import(desk: &mut Desk<'_>, kind: ImportKind) -> Result<JobId, OfficeRefusal> {
    may_import(desk.office, desk.writer, kind)?;
    Ok(start_job(desk, Job::import(kind)))
}

/// Writes a plan, all of it or nothing.
pub(crate) fn apply_import(
    desk: &mut Desk<'_>,
    plan: ImportPlan,
    job: Option<JobId>,
) -> Result<Applied, OfficeRefusal> {
    may_import(desk.office, desk.writer, plan.kind)?;
    if plan.changes.based_on() != desk.office.revision {
        return Ok(Applied::Stale);
    }
    let ImportPlan { kind, changes, activity, report } = plan;
    let writes_something = !changes.is_empty();
    desk.changes = changes;
    let mut result = serde_json::Map::new();
    result.extend(report.draft_id.map(|draft| ("draft_id".to_owned(), json!(draft))));
    for (name, count) in [("added", report.added), ("updated", report.updated), ("omitted", report.omitted)] {
        result.insert(name.to_owned(), json!(count));
    }
    let begun = job.and_then(|id| desk.office.jobs().get(&id).cloned());
    let job_id = if let Some(job) = begun {
        let id = job.id;
        desk.changes.put(done(job, desk, Ok(Value::Object(result))));
        Some(id)
    } else if writes_something {
        let id = start_job(desk, Job::import(kind));
        end_job(desk, id, Ok(Value::Object(result)));
        Some(id)
    } else {
        None
    };
    if writes_something {
        desk.record(activity.verb, activity.subject, activity.summary);
    }
    let document = Document::of(&ImportAnswer { job_id, dry_run: false, report })?;
    let status = if writes_something { 201 } else { 200 };
    Ok(Applied::Written(Written { document, status, location: None, replayed: false }))
}

/// Begins a job, and lets old ones go.
pub(crate) fn start_job(desk: &mut Desk<'_>, kind: String) -> JobId {
    forget_old_jobs(desk);
    let id = desk.changes.next_id();
    desk.changes.put(Job {
        id,
        kind,
        status: JobStatus::Running,
        progress: 0.0,
        created_at: desk.changes.at(),
        finished_at: None,
        result: None,
        error: None,
    });
    id
}

/// Removes jobs that ended long ago, and the oldest of those that are too many.
fn forget_old_jobs(desk: &mut Desk<'_>) {
    let (office, now) = (desk.office, desk.changes.at());
    let n_surplus = (office.jobs().len() + 1).saturating_sub(MOST_JOBS);
    let is_over = |job: &Job| job.finished_at.is_some_and(|at| now.duration_since(at) > KEPT_FOR);
    // Oldest first; what still runs stays, however many there are.
    let ended = office.jobs().iter().filter(|job| job.finished_at.is_some());
    let old = ended.enumerate().filter(|(place, job)| *place < n_surplus || is_over(job));
    for (_, job) in old.take(MOST_REMOVED) {
        desk.changes.remove(EntityKey::Job(job.id));
    }
}

/// Ends a job that is under way.
pub(crate) fn end_job(desk: &mut Desk<'_>, id: JobId, outcome: Result<Value, String>) {
    let known = match desk.changes.get(&EntityKey::Job(id)) {
        Some(Entity::Job(job)) => Some(job.clone()),
        _ => desk.office.jobs().get(&id).cloned(),
    };
    if let Some(job) = known.filter(|job| matches!(job.status, JobStatus::Queued | JobStatus::Running)) {
        desk.changes.put(done(job, desk, outcome));
    }
}

fn done(job: Job, desk: &Desk<'_>, outcome: Result<Value, String>) -> Job {
    let (status, result, error) = match outcome {
        Ok(result) => (JobStatus::Done, Some(result), None),
        Err(error) => (JobStatus::Failed, None, Some(error)),
    };
    let progress = if status == JobStatus::Done { 1.0 } else { job.progress };
    Job { status, progress, finished_at: Some(desk.changes.at()), result, error, ..job }
}

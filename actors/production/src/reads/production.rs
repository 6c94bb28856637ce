//! The production at a glance, and its background work.

use std::borrow::Cow;

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;

use super::View;
use super::shapes::Day;
use crate::messages::OfficeRefusal;
use crate::model::{
    ApprovalStatus, DayKind, DeliveryKind, Draft, DraftId, EpisodeId, EpisodeStatus, Job, JobStatus, ProductionKind,
    ProductionStatus,
};

/// Most jobs in one answer.
const MOST_JOBS: usize = 100;

#[derive(Serialize, JsonSchema)]
pub(super) struct ProductionAnswer<'a> {
    id: u32,
    title: &'a str,
    code: &'a str,
    kind: ProductionKind,
    status: ProductionStatus,
    timezone: &'a str,
    currency: &'a str,
    fps: &'a str,
    #[schemars(with = "Option<Day>")]
    start_date: Option<Date>,
    #[schemars(with = "Option<Day>")]
    wrap_date: Option<Date>,
    episodes: Vec<EpisodeRow<'a>>,
    /// For what has no episodes; a series has its drafts there.
    #[serde(skip_serializing_if = "Option::is_none")]
    draft: Option<Option<DraftRef<'a>>>,
    counts: Counts,
    shoot: Option<Shoot>,
}

#[derive(Serialize, JsonSchema)]
struct EpisodeRow<'a> {
    id: EpisodeId,
    number: u32,
    title: &'a str,
    status: EpisodeStatus,
    draft: Option<DraftRef<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct DraftRef<'a> {
    id: DraftId,
    colour: &'a str,
    #[schemars(with = "Option<Day>")]
    dated: Option<Date>,
}

#[derive(Serialize, JsonSchema)]
struct Counts {
    scenes: usize,
    omitted_scenes: usize,
    assets: usize,
    open_turnovers: usize,
    overdue: usize,
    pending_approvals: usize,
}

#[derive(Serialize, JsonSchema)]
struct Shoot {
    day_number: Option<u32>,
    of: usize,
    #[schemars(with = "Day")]
    date: Date,
}

/// `GET /production`.
pub(super) fn get<'a>(view: &View<'a>) -> Result<ProductionAnswer<'a>, OfficeRefusal> {
    let office = view.office;
    let production = office.production().ok_or_else(|| OfficeRefusal::not_found("Production"))?;
    let newest = |episode| office.drafts_of(episode).next_back().map(DraftRef::of);
    let mut episodes: Vec<_> = office
        .episodes
        .iter()
        .map(|episode| EpisodeRow {
            id: episode.id,
            number: episode.number,
            title: &episode.title,
            status: episode.status,
            draft: newest(Some(episode.id)),
        })
        .collect();
    episodes.sort_by_key(|episode| episode.number);
    let n_omitted = office.scenes.iter().filter(|scene| scene.omitted).count();
    let turnovers = office.deliveries.iter().filter(|delivery| delivery.kind == DeliveryKind::Turnover);
    Ok(ProductionAnswer {
        id: production.id,
        title: &production.title,
        code: &production.code,
        kind: production.kind,
        status: production.status,
        timezone: &production.timezone,
        currency: &production.currency,
        fps: &production.fps,
        start_date: production.start_date,
        wrap_date: production.wrap_date,
        episodes,
        draft: (production.kind != ProductionKind::Series).then(|| newest(None)),
        counts: Counts {
            scenes: office.scenes.len() - n_omitted,
            omitted_scenes: n_omitted,
            assets: office.assets.len(),
            open_turnovers: turnovers.filter(|delivery| delivery.status.is_outstanding()).count(),
            overdue: office.deliveries.iter().filter(|delivery| view.is_overdue(delivery)).count(),
            pending_approvals: office.approvals.iter().filter(|it| it.status == ApprovalStatus::Pending).count(),
        },
        shoot: shoot(view),
    })
}

impl<'a> DraftRef<'a> {
    fn of(draft: &'a Draft) -> Self {
        Self { id: draft.id, colour: &draft.colour, dated: draft.dated }
    }
}

/// The shoot day that today is, or the last one before it; `None` before the first and after the last.
fn shoot(view: &View<'_>) -> Option<Shoot> {
    let days = || view.office.days.iter().filter(|day| day.kind == DayKind::Shoot);
    let last = days().map(|day| day.date).max()?;
    if view.today > last {
        return None;
    }
    let day = days().filter(|day| day.date <= view.today).max_by_key(|day| (day.date, day.day_number))?;
    Some(Shoot { day_number: day.day_number, of: days().count(), date: day.date })
}

/// `GET /jobs`: newest first.
pub(super) fn jobs<'a>(view: &View<'a>, status: Option<JobStatus>) -> Vec<Cow<'a, Job>> {
    let jobs = view.office.jobs.iter().rev();
    jobs.filter(|job| status.is_none_or(|status| job.status == status))
        .take(MOST_JOBS)
        .map(|job| view.sight.job(job))
        .collect()
}

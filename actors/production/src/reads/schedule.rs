//! The stripboard.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;

use super::shapes::Day;
use super::{View, id};
use crate::messages::OfficeRefusal;
use crate::model::{DayId, DayKind, EpisodeId, Milestone, NodeId, Scene, ShootDay, Strip};

#[derive(Serialize, JsonSchema)]
pub(super) struct ScheduleAnswer<'a> {
    episode_id: Option<EpisodeId>,
    days: Vec<DayRow<'a>>,
    milestones: Vec<&'a Milestone>,
    unscheduled: Vec<SceneRef<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct DayRow<'a> {
    id: DayId,
    day_number: Option<u32>,
    #[schemars(with = "Day")]
    date: Date,
    unit: &'a str,
    kind: DayKind,
    call_time: Option<&'a str>,
    location: Option<&'a str>,
    note: Option<&'a str>,
    strips: Vec<StripRow<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct StripRow<'a> {
    node_id: NodeId,
    number: &'a str,
    part: bool,
    page_eighths: Option<u32>,
    order: usize,
}

#[derive(Serialize, JsonSchema)]
struct SceneRef<'a> {
    node_id: NodeId,
    number: &'a str,
}

/// `GET /schedule`: days by date, then unit. For one episode only its strips, milestones and unscheduled scenes; shoot days without strips
/// are left out then, other days stay.
pub(super) fn get<'a>(view: &View<'a>, episode_id: Option<i64>) -> Result<ScheduleAnswer<'a>, OfficeRefusal> {
    let office = view.office;
    let episode_id = match episode_id {
        None => None,
        Some(number) => {
            let known = id::<EpisodeId>(number).filter(|id| office.episodes.get(id).is_some());
            Some(known.ok_or_else(|| OfficeRefusal::not_found("Episode"))?)
        }
    };
    let of_episode = |scene: &&Scene| episode_id.is_none() || scene.episode_id == episode_id;
    let strip = |(order, strip): (usize, &Strip)| {
        let scene = office.scenes.get(&strip.node_id).filter(of_episode)?;
        let page_eighths = strip.page_eighths.or(scene.page_eighths);
        Some(StripRow {
            node_id: scene.node_id,
            number: &scene.number,
            part: strip.part,
            page_eighths,
            order: order + 1,
        })
    };
    let row = |day: &'a ShootDay| DayRow {
        id: day.id,
        day_number: day.day_number,
        date: day.date,
        unit: &day.unit,
        kind: day.kind,
        call_time: day.call_time.as_deref(),
        location: day.location.as_deref(),
        note: day.note.as_deref(),
        strips: day.strips.iter().enumerate().filter_map(strip).collect(),
    };
    let mut days: Vec<_> = office.days.iter().map(row).collect();
    days.retain(|day| episode_id.is_none() || day.kind != DayKind::Shoot || !day.strips.is_empty());
    days.sort_by(|a, b| (a.date, a.unit, a.id).cmp(&(b.date, b.unit, b.id)));
    let mut milestones: Vec<_> = office
        .milestones
        .iter()
        .filter(|milestone| episode_id.is_none() || milestone.episode_id == episode_id)
        .collect();
    milestones.sort_by_key(|milestone| (milestone.date, milestone.id));
    let is_unscheduled = |scene: &&Scene| !scene.omitted && super::scenes::shoot_dates(view, scene.node_id).is_empty();
    let unscheduled = office.script().filter(of_episode).filter(is_unscheduled);
    let unscheduled = unscheduled.map(|scene| SceneRef { node_id: scene.node_id, number: &scene.number }).collect();
    Ok(ScheduleAnswer { episode_id, days, milestones, unscheduled })
}

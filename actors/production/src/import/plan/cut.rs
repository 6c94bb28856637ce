//! A cut: the shots of one turnover, compared with those of the cut before.

use std::collections::{HashMap, HashSet};

use serde_json::json;

use super::super::ImportFault;
use super::super::cut::{CutEvent, FrameRate, ShotName, ShotPattern, read_edl, read_otio};
use super::super::table::SceneRef;
use super::Desk;
use super::rows::{Names, shown};
use crate::messages::ImportPlan;
use crate::model::{Delivery, DeliveryKind, DeliveryStatus, EntityKey, NodeId, Shot, Subject, SubjectType, Verb};

/// The number of a shot's first frame, as effects houses count: it leaves room for handles before it.
const FIRST_FRAME: u32 = 1_001;
/// Frames more at either end of a shot that is new.
const HANDLES: u32 = 8;

pub(super) fn plan(mut desk: Desk<'_>, bytes: &[u8]) -> Result<ImportPlan, ImportFault> {
    let delivery = delivery_of(&desk)?;
    let rate: FrameRate = desk.production.fps.parse().map_err(ImportFault::general)?;
    let pattern = match &desk.options.pattern {
        Some(pattern) => pattern.parse()?,
        None if desk.is_series() => ShotPattern::default(),
        None => ShotPattern::of_a_film(),
    };
    let is_json = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start().starts_with(b"{");
    let cut = if is_json { read_otio(bytes, rate)? } else { read_edl(bytes, rate)? };
    desk.warn_all(cut.warnings);

    let names = Names::of(desk.office, delivery.episode_id);
    let mut shots = Counted::default();
    for event in &cut.events {
        match recognised(&desk, delivery, &pattern, event) {
            Ok(name) => count(&mut desk, &mut shots, &names, name, event),
            Err(why) => desk.warn(event.line, format!("`{}` was left out: {why}.", shown(&event.name))),
        }
    }
    if shots.in_order.is_empty() {
        return Err(ImportFault::general("No clip of the cut is named like a shot of this turnover; see the pattern."));
    }
    put_shots(&mut desk, delivery, &shots.in_order);
    let subject = Subject { subject_type: SubjectType::Delivery, id: delivery.id.0, title: delivery.title.clone() };
    let what = format!("cut {}", cut.title.as_deref().map_or_else(|| "imported".to_owned(), shown));
    Ok(desk.finish(Verb::DeliveryUpdated, subject, &what))
}

/// The turnover whose shots the cut gives.
fn delivery_of<'a>(desk: &Desk<'a>) -> Result<&'a Delivery, ImportFault> {
    let Some(code) = &desk.options.delivery else {
        return Err(ImportFault::general("delivery is needed: the code of the turnover whose shots the cut gives."));
    };
    let not_found = || ImportFault::NotFound { what: "Delivery not found.".to_owned() };
    let delivery = desk.office.delivery_coded(code).ok_or_else(not_found)?;
    if delivery.kind != DeliveryKind::Turnover {
        return Err(ImportFault::general(format!(
            "{} is a delivery of the kind '{}'; only a turnover has shots.",
            delivery.code, delivery.kind
        )));
    }
    match delivery.status {
        DeliveryStatus::Accepted => {
            Err(ImportFault::State { message: "This turnover was accepted; ask production to reopen it.".to_owned() })
        }
        DeliveryStatus::Cancelled => Err(ImportFault::State { message: "This turnover was cancelled.".to_owned() }),
        DeliveryStatus::Planned
        | DeliveryStatus::Open
        | DeliveryStatus::Submitted
        | DeliveryStatus::ChangesRequested => Ok(delivery),
    }
}

/// The shots of the cut so far.
#[derive(Default)]
struct Counted {
    in_order: Vec<CutShot>,
    places: HashMap<String, usize>,
}

/// A shot of the cut.
struct CutShot {
    code: String,
    scene: Option<NodeId>,
    n_frames: u32,
}

/// The parts of a clip's name, or why it is no shot of this turnover.
fn recognised(
    desk: &Desk<'_>,
    delivery: &Delivery,
    pattern: &ShotPattern,
    event: &CutEvent,
) -> Result<ShotName, String> {
    let name = pattern.read(&event.name).ok_or("it is not named like a shot")?;
    if let Some(show) = name.show.as_ref().filter(|show| !show.eq_ignore_ascii_case(&desk.production.code)) {
        return Err(format!("its show is {show}, not {}", desk.production.code));
    }
    let episode = delivery.episode_id.and_then(|id| desk.office.episodes().get(&id));
    if let (Some(named), Some(episode)) = (&name.episode, episode)
        && named.trim_start_matches('0') != episode.number.to_string()
    {
        return Err(format!("its episode is {named}, not {}", episode.number));
    }
    Ok(name)
}

fn count(desk: &mut Desk<'_>, shots: &mut Counted, names: &Names<'_>, name: ShotName, event: &CutEvent) {
    if let Some(known) = shots.places.get(&name.code).and_then(|place| shots.in_order.get_mut(*place)) {
        known.n_frames = known.n_frames.max(event.n_frames);
        return desk
            .warn(event.line, format!("shot {} is in the cut more than once; its longest use counts.", name.code));
    }
    let scene = match &name.scene {
        None => None,
        Some(number) => {
            let episode = name.episode.as_ref().and_then(|episode| episode.parse().ok());
            match names.scene(&SceneRef { episode, number: number.clone() }) {
                Ok(node) => Some(node),
                Err(why) => {
                    desk.warn(event.line, format!("shot {}: {why}; it was taken without a scene.", name.code));
                    None
                }
            }
        }
    };
    shots.places.insert(name.code.clone(), shots.in_order.len());
    shots.in_order.push(CutShot { code: name.code, scene, n_frames: event.n_frames });
}

/// Puts the shots in the order of the cut. A shot that was there keeps its first frame, handles and note.
fn put_shots(desk: &mut Desk<'_>, delivery: &Delivery, shots: &[CutShot]) {
    let before: HashMap<&str, &Shot> =
        desk.office.shots_of(delivery.id).map(|shot| (shot.code.as_str(), shot)).collect();
    let length = |shot: &Shot| shot.frame_out.saturating_sub(shot.frame_in).saturating_add(1);
    for (position, counted) in (0_u32..).zip(shots) {
        let known = before.get(counted.code.as_str()).copied();
        let frame_in = known.map_or(FIRST_FRAME, |shot| shot.frame_in);
        let shot = Shot {
            delivery_id: delivery.id,
            position,
            code: counted.code.clone(),
            scene: counted.scene,
            frame_in,
            frame_out: frame_in.saturating_add(counted.n_frames - 1),
            handles: known.map_or(HANDLES, |shot| shot.handles),
            note: known.and_then(|shot| shot.note.clone()),
        };
        let said = |change: &str| json!({ "change": change, "code": shot.code, "scene_node_id": shot.scene, "frames_before": known.map(length), "frames_after": counted.n_frames });
        match known {
            Some(known) if known.frame_out == shot.frame_out && known.scene == shot.scene => desk.unchanged(),
            Some(_) => desk.updated(said("updated")),
            None => desk.added(said("added")),
        }
        if desk.office.shots().get(&(delivery.id, position)) != Some(&shot) {
            desk.changes.put(shot);
        }
    }
    let kept: HashSet<&str> = shots.iter().map(|shot| shot.code.as_str()).collect();
    let n_kept = u32::try_from(shots.len()).unwrap_or(u32::MAX);
    for shot in desk.office.shots_of(delivery.id) {
        if !kept.contains(shot.code.as_str()) {
            desk.omitted(json!({ "change": "omitted", "code": shot.code, "scene_node_id": shot.scene, "frames_before": length(shot), "frames_after": null }));
        }
        if shot.position >= n_kept {
            desk.changes.remove(EntityKey::Shot((delivery.id, shot.position)));
        }
    }
}

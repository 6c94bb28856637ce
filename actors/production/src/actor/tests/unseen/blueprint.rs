//! Productions in small numbers, to be generated and shrunk.

use jiff::civil::date;
use jiff::{Timestamp, ToSpan};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::model::{
    Actor, ActorKind, Approval, ApprovalId, ApprovalStatus, ApprovalStep, Asset, AssetKind, AssetStatus, Assigned,
    Character, DayId, DayKind, Delivery, DeliveryId, DeliveryKind, DeliveryStatus, Draft, DraftId, DraftSource,
    Engagement, EngagementId, EngagementStatus, Entity, Episode, EpisodeId, EpisodeStatus, Link, Media, MediaId,
    MediaKind, NodeId, Note, NoteId, OrderId, OrderStatus, PurchaseOrder, Scene, SceneChange, SceneText, SceneVersion,
    ScriptAccess, ShootDay, Shot, Strip, Subject, SubjectType, Submission, SubmissionId, SubmissionStatus, Vendor,
    VendorId, Via, Visibility, Words,
};

/// Whose key asks.
pub(super) const OWN: EngagementId = EngagementId(1);
const N_ENGAGEMENTS: u32 = 3;
const N_CHARACTERS: u32 = 4;
const N_EPISODES: u32 = 2;

/// What a production has. Numbers choose among what there is, wrapping round.
#[derive(Debug, Clone)]
pub(super) struct Blueprint {
    access: u8,
    /// Episode, cast, omitted.
    scenes: Vec<(u8, u16, bool)>,
    /// Scenes, engagement, status, characters.
    assets: Vec<(u16, u8, u8, u16)>,
    /// Whether a turnover, engagement, status, package.
    deliveries: Vec<(bool, u8, u8, u8)>,
    /// Delivery, scene.
    shots: Vec<(u8, u8)>,
    /// Delivery, status.
    submissions: Vec<(u8, u8)>,
    /// Node, for engagements.
    notes: Vec<(u8, bool)>,
    /// Date, scenes, whether it is a shoot day.
    days: Vec<(u8, u16, bool)>,
    /// Engagement.
    orders: Vec<u8>,
    /// What sort of thing it belongs to, which, shared with.
    media: Vec<(u8, u8, u8)>,
    /// To whom, what sort, which.
    assigned: Vec<(u8, u8, u8)>,
}

pub(super) fn blueprints() -> impl Strategy<Value = Blueprint> {
    let script = (0u8..3, vec(any::<(u8, u16, bool)>(), 1..7), vec(any::<(u16, u8, u8, u16)>(), 0..6));
    let vendors = (
        vec(any::<(bool, u8, u8, u8)>(), 0..5),
        vec(any::<(u8, u8)>(), 0..8),
        vec(any::<(u8, u8)>(), 0..5),
        vec(any::<u8>(), 0..4),
        vec(any::<(u8, u8, u8)>(), 0..5),
    );
    let rest = (vec(any::<(u8, bool)>(), 0..6), vec(any::<(u8, u16, bool)>(), 0..5), vec(any::<(u8, u8, u8)>(), 0..6));
    (script, vendors, rest).prop_map(|((access, scenes, assets), vendors, (notes, days, media))| {
        let (deliveries, shots, submissions, orders, assigned) = vendors;
        Blueprint { access, scenes, assets, deliveries, shots, submissions, notes, days, orders, media, assigned }
    })
}

fn now() -> Timestamp {
    "2026-10-01T12:00:00Z".parse().unwrap()
}

pub(super) fn somebody(label: &str) -> Actor {
    Actor { kind: ActorKind::Person, label: label.to_owned() }
}

/// None, or one of the engagements.
fn engagement(number: u8) -> Option<EngagementId> {
    let number = u32::from(number) % (N_ENGAGEMENTS + 1);
    (number > 0).then_some(EngagementId(number))
}

/// Those of `all` whose bit is set in a mask that is made sparse.
fn chosen(all: &[NodeId], mask: u16) -> Vec<NodeId> {
    let mask = mask & mask.rotate_left(5);
    all.iter().enumerate().filter(|(place, _)| mask >> (place % 16) & 1 == 1).map(|(_, node)| *node).collect()
}

fn one<T: Copy>(all: &[T], which: u8) -> Option<T> {
    (!all.is_empty()).then(|| all[usize::from(which) % all.len()])
}

fn word<W: Words>(which: u8) -> W {
    W::ALL[usize::from(which) % W::ALL.len()]
}

fn numbered<T>(list: &[T]) -> impl Iterator<Item = (u32, &T)> {
    (1..).zip(list)
}

impl Blueprint {
    /// All records. Characters are nodes 1 to 4, then come scenes, then assets.
    pub(super) fn records(&self) -> Vec<Entity> {
        let characters: Vec<_> = (1..=N_CHARACTERS).map(NodeId).collect();
        let first = N_CHARACTERS + 1;
        let scenes: Vec<_> = (first..).map(NodeId).take(self.scenes.len()).collect();
        let first = scenes.last().map_or(first, |last| last.0 + 1);
        let assets: Vec<_> = (first..).map(NodeId).take(self.assets.len()).collect();
        let deliveries: Vec<_> = (1..).map(DeliveryId).take(self.deliveries.len()).collect();
        let mut all = Vec::new();
        self.add_script(&mut all, &characters, &scenes);
        self.add_assets(&mut all, &characters, &scenes, &assets);
        let nodes: Vec<_> = characters.iter().chain(&scenes).chain(&assets).copied().collect();
        self.add_engagements(&mut all, &nodes);
        self.add_deliveries(&mut all, &deliveries, &scenes);
        self.add_rest(&mut all, &nodes, &scenes, &deliveries);
        all
    }

    fn add_script(&self, all: &mut Vec<Entity>, characters: &[NodeId], scenes: &[NodeId]) {
        for number in 1..=N_EPISODES {
            let (id, title) = (EpisodeId(number), format!("episode {number}"));
            all.push(Episode { id, number: 100 + number, title, status: EpisodeStatus::Shooting }.into());
            for draft in [number, number + N_EPISODES] {
                let draft = Draft {
                    id: DraftId(draft),
                    episode_id: Some(id),
                    colour: format!("colour {draft}"),
                    label: None,
                    dated: None,
                    imported_at: now(),
                    source: DraftSource::Fountain,
                    sha256: String::new(),
                    approved: false,
                };
                all.push(draft.into());
            }
        }
        for node_id in characters {
            let character = Character {
                node_id: *node_id,
                name: format!("C{node_id}"),
                cast_number: None,
                actor: Some(format!("actor of {node_id}")),
                description: None,
            };
            all.push(character.into());
        }
        for (script_order, (node_id, (episode, cast, omitted))) in (0..).zip(scenes.iter().zip(&self.scenes)) {
            let episode = u32::from(*episode) % N_EPISODES + 1;
            let (node_id, draft_id) = (*node_id, DraftId(episode + N_EPISODES));
            let (number, heading) = (node_id.to_string(), format!("INT. SET {node_id}"));
            let cast = chosen(characters, *cast);
            let version = SceneVersion {
                draft_id,
                node_id,
                change: SceneChange::Revised,
                number: number.clone(),
                heading: heading.clone(),
                page_eighths: Some(3),
                characters: cast.clone(),
            };
            let scene = Scene {
                node_id,
                episode_id: Some(EpisodeId(episode)),
                number,
                heading,
                int_ext: None,
                set_name: None,
                time_of_day: None,
                page_eighths: Some(3),
                eighths_estimated: false,
                script_order,
                synopsis: None,
                omitted: *omitted,
                draft_id: Some(draft_id),
                colour: None,
                characters: cast,
            };
            let text = SceneText { draft_id, node_id, text: format!("words of {node_id}") };
            all.extend([version.into(), scene.into(), text.into()]);
        }
    }

    fn add_assets(&self, all: &mut Vec<Entity>, characters: &[NodeId], scenes: &[NodeId], assets: &[NodeId]) {
        for (node_id, (places, made_by, status, wearers)) in assets.iter().zip(&self.assets) {
            let asset = Asset {
                node_id: *node_id,
                code: format!("asset-{node_id}"),
                name: format!("Asset {node_id}"),
                kind: AssetKind::Costume,
                department: None,
                status: word::<AssetStatus>(*status),
                description: None,
                engagement_id: engagement(*made_by),
                scenes: chosen(scenes, *places),
                characters: chosen(characters, *wearers),
                created_at: now(),
                updated_at: now(),
            };
            all.push(asset.into());
            // Approvals of assets are the production's own.
            all.push(self.approval(100 + node_id.0, SubjectType::Asset, node_id.0).into());
        }
    }

    fn add_engagements(&self, all: &mut Vec<Entity>, nodes: &[NodeId]) {
        all.push(Vendor { id: VendorId(1), code: "V".to_owned(), name: "Vendor".to_owned() }.into());
        for id in (1..=N_ENGAGEMENTS).map(EngagementId) {
            let theirs = self.assigned.iter().filter(|(to, ..)| u32::from(*to) % N_ENGAGEMENTS + 1 == id.0);
            let assigned = theirs.filter_map(|(_, what, which)| match what % 8 {
                0 => Some(Assigned::Episode(EpisodeId(u32::from(*which) % N_EPISODES + 1))),
                _ => one(nodes, *which).map(Assigned::Node),
            });
            let engagement = Engagement {
                id,
                code: format!("E{id}"),
                title: format!("Engagement {id}"),
                // The same vendor throughout: another engagement of one's own company is as foreign as any.
                vendor: VendorId(1),
                status: EngagementStatus::Active,
                department: None,
                starts_on: None,
                ends_on: None,
                script_access: word::<ScriptAccess>(self.access),
                assigned: assigned.collect(),
            };
            all.push(engagement.into());
        }
    }

    fn add_deliveries(&self, all: &mut Vec<Entity>, ids: &[DeliveryId], scenes: &[NodeId]) {
        for (id, (is_turnover, of, status, due)) in ids.iter().zip(&self.deliveries) {
            let delivery = Delivery {
                id: *id,
                code: format!("TO-{id}"),
                title: format!("Turnover {id}"),
                kind: if *is_turnover { DeliveryKind::Turnover } else { DeliveryKind::Cut },
                status: word::<DeliveryStatus>(*status),
                episode_id: None,
                engagement_id: engagement(*of),
                due_on: Some(date(2026, 10, 1) + i64::from(due % 14).days()),
                spec: None,
                package: self.packed(*id),
                accepted_submission_id: None,
            };
            all.push(delivery.into());
        }
        for (position, (delivery, scene)) in numbered(&self.shots) {
            let Some(delivery_id) = one(ids, *delivery) else { continue };
            let (code, scene) = (format!("SHOT_{position}"), one(scenes, *scene));
            let (frame_in, frame_out) = (1, 2);
            all.push(Shot { delivery_id, position, code, scene, frame_in, frame_out, handles: 0, note: None }.into());
        }
        for (number, (delivery, status)) in numbered(&self.submissions) {
            let Some(delivery_id) = one(ids, *delivery) else { continue };
            let submission = Submission {
                id: SubmissionId(number),
                delivery_id,
                version: number,
                title: format!("submission {number}"),
                note: None,
                status: word::<SubmissionStatus>(*status),
                submitted_at: now(),
                submitted_by: somebody("Pipeline"),
                via: Via::Rest,
                files: Vec::new(),
                approval_id: ApprovalId(number),
                warnings: Vec::new(),
            };
            all.push(submission.into());
            all.push(self.approval(number, SubjectType::Submission, number).into());
        }
    }

    fn add_rest(&self, all: &mut Vec<Entity>, nodes: &[NodeId], scenes: &[NodeId], deliveries: &[DeliveryId]) {
        for (number, (node, for_engagements)) in numbered(&self.notes) {
            let Some(node_id) = one(nodes, *node) else { continue };
            let visibility = if *for_engagements { Visibility::Engagement } else { Visibility::Production };
            let (id, body) = (NoteId(number), format!("note {number}"));
            all.push(Note { id, node_id, author: "A".to_owned(), body, visibility, created_at: now() }.into());
        }
        for (number, (day, places, shoots)) in numbered(&self.days) {
            let strips = chosen(scenes, *places).into_iter();
            let day = ShootDay {
                id: DayId(number),
                day_number: Some(number),
                date: date(2026, 10, 5) + i64::from(day % 4).days(),
                unit: "main".to_owned(),
                kind: if *shoots { DayKind::Shoot } else { DayKind::Prep },
                call_time: None,
                location: Some("Stage".to_owned()),
                note: None,
                strips: strips.map(|node_id| Strip { node_id, part: false, page_eighths: None }).collect(),
            };
            all.push(day.into());
        }
        for (number, of) in numbered(&self.orders) {
            let order = PurchaseOrder {
                id: OrderId(number),
                number: format!("PO-{number}"),
                vendor: VendorId(1),
                engagement_id: engagement(*of),
                department: None,
                description: None,
                status: OrderStatus::Approved,
                currency: "GBP".to_owned(),
                total_minor: i64::from(number),
                invoiced_minor: 0,
                paid_minor: 0,
                issued_on: None,
                budget_code: Some("4420".to_owned()),
                approved_by: Some("Ade".to_owned()),
                internal_note: Some("dear".to_owned()),
                lines: Vec::new(),
            };
            all.push(order.into());
        }
        for (number, (what, which, shared)) in numbered(&self.media) {
            let (kind, linked) = match what % 3 {
                0 => (MediaKind::Reference, one(scenes, *which).map(|node| (SubjectType::Scene, node.0))),
                1 => (MediaKind::Package, one(deliveries, *which).map(|id| (SubjectType::Delivery, id.0))),
                _ => {
                    let n_submissions = u8::try_from(self.submissions.len()).unwrap();
                    let which = which.checked_rem(n_submissions).map(|which| u32::from(which) + 1);
                    (MediaKind::Submission, which.map(|id| (SubjectType::Submission, id)))
                }
            };
            let media = Media {
                id: MediaId(number),
                filename: format!("file {number}"),
                content_type: "text/plain".to_owned(),
                size_bytes: 1,
                sha256: number.to_string(),
                kind,
                created_at: now(),
                linked: linked.map(|(subject_type, id)| Link { subject_type, id }).into_iter().collect(),
                shared_with: engagement(*shared).into_iter().collect(),
                purged: false,
            };
            all.push(media.into());
        }
    }

    /// The files that are linked to a delivery are its package.
    fn packed(&self, delivery: DeliveryId) -> Vec<MediaId> {
        let n_deliveries = u32::try_from(self.deliveries.len()).unwrap();
        let is_packed =
            |(what, which, _): &(u8, u8, u8)| what % 3 == 1 && u32::from(*which) % n_deliveries + 1 == delivery.0;
        numbered(&self.media).filter(|(_, media)| is_packed(media)).map(|(number, _)| MediaId(number)).collect()
    }

    fn approval(&self, id: u32, subject_type: SubjectType, of: u32) -> Approval {
        let by = somebody("Line producer");
        let step = ApprovalStep { at: now(), status: ApprovalStatus::Approved, by: by.clone(), note: None };
        Approval {
            id: ApprovalId(id),
            subject: Subject { subject_type, id: of, title: format!("{subject_type} {of}") },
            status: ApprovalStatus::Approved,
            asked_by: somebody("Pipeline"),
            asked_with: None,
            asked_by_engagement: None,
            by_hand: false,
            asked_at: now(),
            due_on: None,
            decided_by: Some(by),
            decided_at: Some(now()),
            note: Some("Seen.".to_owned()),
            history: vec![step],
        }
    }
}

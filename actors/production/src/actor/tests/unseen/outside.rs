//! What an engagement sees, worked out from the records alone, and productions that differ in nothing but the rest.

use std::collections::BTreeSet;

use super::blueprint::somebody;
use crate::model::{
    Assigned, Delivery, DeliveryId, EngagementId, Entity, Media, MediaId, NodeId, Note, SubjectType, SubmissionId,
    Visibility,
};

/// What one engagement sees.
pub(super) struct Seen {
    own: EngagementId,
    scenes: BTreeSet<NodeId>,
    assets: BTreeSet<NodeId>,
    characters: BTreeSet<NodeId>,
    deliveries: BTreeSet<DeliveryId>,
    submissions: BTreeSet<SubmissionId>,
    packed: BTreeSet<MediaId>,
}

impl Seen {
    /// The reach by the words of the page: "the nodes and episodes assigned to it, plus every scene that one of its assets or its turnovers'
    /// shots stands in"; an episode's scenes and their characters, assets only when assigned.
    pub(super) fn by(own: EngagementId, records: &[Entity]) -> Self {
        let engagement = records.iter().find_map(|record| match record {
            Entity::Engagement(engagement) if engagement.id == own => Some(engagement),
            _ => None,
        });
        let assigned = &engagement.unwrap().assigned;
        let is_assigned = |node: NodeId| assigned.contains(&Assigned::Node(node));
        let mut seen = Self {
            own,
            scenes: BTreeSet::new(),
            assets: BTreeSet::new(),
            characters: BTreeSet::new(),
            deliveries: BTreeSet::new(),
            submissions: BTreeSet::new(),
            packed: BTreeSet::new(),
        };
        for record in records {
            match record {
                Entity::Asset(asset) if is_assigned(asset.node_id) || asset.engagement_id == Some(own) => {
                    seen.assets.insert(asset.node_id);
                    seen.scenes.extend(&asset.scenes);
                }
                Entity::Delivery(delivery) if delivery.engagement_id == Some(own) => {
                    seen.deliveries.insert(delivery.id);
                    seen.packed.extend(&delivery.package);
                }
                Entity::Character(character) if is_assigned(character.node_id) => {
                    seen.characters.insert(character.node_id);
                }
                Entity::Scene(scene) => {
                    let in_episode = scene.episode_id.is_some_and(|id| assigned.contains(&Assigned::Episode(id)));
                    if in_episode || is_assigned(scene.node_id) {
                        seen.scenes.insert(scene.node_id);
                    }
                }
                _ => {}
            }
        }
        for record in records {
            match record {
                Entity::Shot(shot) if seen.deliveries.contains(&shot.delivery_id) => seen.scenes.extend(shot.scene),
                Entity::Submission(it) if seen.deliveries.contains(&it.delivery_id) => {
                    _ = seen.submissions.insert(it.id)
                }
                _ => {}
            }
        }
        for record in records {
            if let Entity::Scene(scene) = record
                && seen.scenes.contains(&scene.node_id)
            {
                seen.characters.extend(&scene.characters);
            }
        }
        seen
    }

    /// All nodes that are seen.
    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.scenes.iter().chain(&self.assets).chain(&self.characters).copied()
    }

    fn has(&self, node: NodeId) -> bool {
        self.nodes().any(|seen| seen == node)
    }

    fn has_note(&self, note: &Note) -> bool {
        note.visibility == Visibility::Engagement && self.has(note.node_id)
    }

    fn has_media(&self, media: &Media) -> bool {
        media.shared_with.contains(&self.own)
            || self.packed.contains(&media.id)
            || media.linked.iter().any(|link| match link.subject_type {
                SubjectType::Delivery => self.deliveries.contains(&DeliveryId(link.id)),
                SubjectType::Submission => self.submissions.contains(&SubmissionId(link.id)),
                _ => false,
            })
    }

    /// Whether a record as such is seen; some of its fields may not be.
    fn has_record(&self, record: &Entity) -> bool {
        match record {
            Entity::Scene(scene) => self.scenes.contains(&scene.node_id),
            Entity::SceneVersion(version) => self.scenes.contains(&version.node_id),
            Entity::SceneText(text) => self.scenes.contains(&text.node_id),
            Entity::Character(character) => self.characters.contains(&character.node_id),
            Entity::Asset(asset) => self.assets.contains(&asset.node_id),
            Entity::Note(note) => self.has_note(note),
            Entity::Delivery(delivery) => self.deliveries.contains(&delivery.id),
            Entity::Shot(shot) => self.deliveries.contains(&shot.delivery_id),
            Entity::Submission(submission) => self.submissions.contains(&submission.id),
            Entity::Media(media) => self.has_media(media),
            Entity::Approval(approval) => {
                approval.subject.subject_type == SubjectType::Submission
                    && self.submissions.contains(&SubmissionId(approval.subject.id))
            }
            Entity::PurchaseOrder(order) => order.engagement_id == Some(self.own),
            Entity::Engagement(engagement) => engagement.id == self.own,
            _ => true,
        }
    }
}

/// The records without anything outside: unseen records, unseen fields and links to unseen things.
pub(super) fn removed(records: &[Entity], seen: &Seen) -> Vec<Entity> {
    let mut left: Vec<_> = records.iter().filter(|record| seen.has_record(record)).cloned().collect();
    for record in &mut left {
        match record {
            Entity::ShootDay(day) => day.strips.retain(|strip| seen.scenes.contains(&strip.node_id)),
            Entity::Character(character) => character.actor = None,
            Entity::Asset(asset) => {
                asset.engagement_id = asset.engagement_id.filter(|id| *id == seen.own);
                asset.characters.retain(|node| seen.characters.contains(node));
            }
            Entity::Media(media) => {
                media.linked.retain(|link| match link.subject_type {
                    SubjectType::Delivery => seen.deliveries.contains(&DeliveryId(link.id)),
                    SubjectType::Submission => seen.submissions.contains(&SubmissionId(link.id)),
                    _ => seen.has(NodeId(link.id)),
                });
                media.shared_with.retain(|id| *id == seen.own);
            }
            Entity::Approval(approval) => approval.history.clear(),
            Entity::PurchaseOrder(order) => {
                (order.budget_code, order.approved_by, order.internal_note) = (None, None, None);
            }
            _ => {}
        }
    }
    left
}

/// The records with everything outside put otherwise, so far as it can be without touching what is seen.
pub(super) fn changed(records: &[Entity], seen: &Seen) -> Vec<Entity> {
    let mut all = records.to_vec();
    for record in &mut all {
        let is_seen = seen.has_record(record);
        match record {
            Entity::ShootDay(day) => {
                day.unit.push_str(" second");
                day.location = None;
                day.day_number = None;
                day.strips.retain(|strip| seen.scenes.contains(&strip.node_id));
            }
            Entity::Character(character) => {
                character.actor = Some("somebody else".to_owned());
                if !is_seen {
                    character.name.push_str(" II");
                }
            }
            Entity::Scene(scene) if !is_seen => {
                scene.omitted = !scene.omitted;
                scene.heading.push_str(" - NIGHT");
                scene.characters.reverse();
            }
            Entity::SceneText(text) if !is_seen => text.text.clear(),
            Entity::Asset(asset) if !is_seen => {
                asset.name.push('!');
                asset.characters.clear();
                asset.status = crate::model::AssetStatus::Final;
            }
            Entity::Note(note) if is_seen => note.author.push_str(" II"),
            Entity::Note(note) => note.body.push('!'),
            Entity::Delivery(delivery) if !is_seen => {
                *delivery = Delivery { title: "another".to_owned(), due_on: None, ..delivery.clone() };
            }
            Entity::Shot(shot) if !is_seen => shot.code.push('!'),
            Entity::Submission(submission) if !is_seen => submission.version += 100,
            Entity::Media(media) if !is_seen => media.purged = true,
            Entity::Approval(approval) if is_seen => {
                approval.asked_by = somebody("Somebody else");
                approval.decided_by = Some(somebody("Somebody else"));
                approval.history.clear();
            }
            Entity::Approval(approval) => approval.note = None,
            Entity::PurchaseOrder(order) => {
                order.budget_code = Some("another".to_owned());
                if !is_seen {
                    order.total_minor = -1;
                }
            }
            Entity::Engagement(engagement) if !is_seen => engagement.assigned.clear(),
            _ => {}
        }
    }
    all
}

//! Which records belong to which, kept beside the tables and changed with them.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::{Index, Office, Reach};
use crate::model::{
    ApprovalId, DayId, DeliveryId, DraftId, EngagementId, Entity, EpisodeId, MediaId, NodeId, NoteId, SubjectType,
    SubmissionId,
};

/// The indexes of an [`Office`]. Each mirrors what one field of the records says.
#[derive(Debug, Clone, Default)]
pub struct Indexes {
    pub(crate) asset_code: HashMap<String, NodeId>,
    pub(crate) character_name: HashMap<String, NodeId>,
    /// Assets by department (those without one last), then code.
    pub(crate) assets_listed: BTreeSet<(bool, String, String, NodeId)>,
    /// Scenes by episode, place in its script, id.
    pub(crate) script: BTreeSet<(EpisodePlace, u32, NodeId)>,
    pub(crate) scenes_of_character: Index<NodeId, NodeId>,
    pub(crate) assets_of_scene: Index<NodeId, NodeId>,
    pub(crate) assets_of_character: Index<NodeId, NodeId>,
    pub(crate) assets_of_engagement: Index<EngagementId, NodeId>,
    pub(crate) notes_of_node: Index<NodeId, NoteId>,
    pub(crate) days_of_scene: Index<NodeId, DayId>,
    pub(crate) scenes_of_draft: Index<DraftId, NodeId>,
    pub(crate) deliveries_of_engagement: Index<EngagementId, DeliveryId>,
    pub(crate) shots_of_scene: Index<NodeId, (DeliveryId, u32)>,
    pub(crate) submissions_of_delivery: Index<DeliveryId, SubmissionId>,
    pub(crate) approvals_of: Index<(SubjectType, u32), ApprovalId>,
    pub(crate) media_of: Index<(SubjectType, u32), MediaId>,
    pub(crate) media_hashed: Index<String, MediaId>,
    /// What each engagement sees; worked out anew by [`Office::settle_reach`].
    pub(crate) reach: HashMap<EngagementId, Arc<Reach>>,
}

/// Where an episode comes in the script: films first, then by the episode's number.
type EpisodePlace = (u32, Option<EpisodeId>);

impl Office {
    /// Adds what `entity` says to the indexes, or takes it out again.
    pub(super) fn index(&mut self, entity: &Entity, belongs: bool) {
        let by = &mut self.by;
        match entity {
            Entity::Episode(episode) => {
                // Scenes are ordered by their episode's number, which this may be about to change.
                let place = (if belongs { episode.number } else { 0 }, Some(episode.id));
                let of_episode = |scene: &&crate::model::Scene| scene.episode_id == Some(episode.id);
                let scenes: Vec<_> = self.scenes.iter().filter(of_episode).collect();
                by.script.retain(|(place, _, _)| place.1 != Some(episode.id));
                by.script.extend(scenes.iter().map(|scene| (place, scene.script_order, scene.node_id)));
            }
            Entity::Scene(scene) => {
                let number = scene.episode_id.and_then(|id| self.episodes.get(&id)).map_or(0, |episode| episode.number);
                let place = ((number, scene.episode_id), scene.script_order, scene.node_id);
                if belongs {
                    by.script.insert(place);
                } else {
                    by.script.remove(&place);
                }
                for character in &scene.characters {
                    by.scenes_of_character.set(*character, scene.node_id, belongs);
                }
            }
            Entity::SceneVersion(version) => by.scenes_of_draft.set(version.draft_id, version.node_id, belongs),
            Entity::Character(character) => name(&mut by.character_name, &character.name, character.node_id, belongs),
            Entity::Asset(asset) => {
                name(&mut by.asset_code, &asset.code, asset.node_id, belongs);
                let department = asset.department.clone().unwrap_or_default();
                let place = (asset.department.is_none(), department, asset.code.clone(), asset.node_id);
                if belongs {
                    by.assets_listed.insert(place);
                } else {
                    by.assets_listed.remove(&place);
                }
                for scene in &asset.scenes {
                    by.assets_of_scene.set(*scene, asset.node_id, belongs);
                }
                for character in &asset.characters {
                    by.assets_of_character.set(*character, asset.node_id, belongs);
                }
                if let Some(engagement) = asset.engagement_id {
                    by.assets_of_engagement.set(engagement, asset.node_id, belongs);
                }
            }
            Entity::Note(note) => by.notes_of_node.set(note.node_id, note.id, belongs),
            Entity::ShootDay(day) => {
                for strip in &day.strips {
                    by.days_of_scene.set(strip.node_id, day.id, belongs);
                }
            }
            Entity::Delivery(delivery) => {
                if let Some(engagement) = delivery.engagement_id {
                    by.deliveries_of_engagement.set(engagement, delivery.id, belongs);
                }
                for media in &delivery.package {
                    by.media_of.set((SubjectType::Delivery, delivery.id.0), *media, belongs);
                }
            }
            Entity::Shot(shot) => {
                if let Some(scene) = shot.scene {
                    by.shots_of_scene.set(scene, (shot.delivery_id, shot.position), belongs);
                }
            }
            Entity::Submission(submission) => {
                by.submissions_of_delivery.set(submission.delivery_id, submission.id, belongs);
            }
            Entity::Media(media) => {
                by.media_hashed.set(media.sha256.clone(), media.id, belongs);
                for link in &media.linked {
                    by.media_of.set((link.subject_type, link.id), media.id, belongs);
                }
            }
            Entity::Approval(approval) => {
                by.approvals_of.set((approval.subject.subject_type, approval.subject.id), approval.id, belongs);
            }
            Entity::Production(_)
            | Entity::Department(_)
            | Entity::Vendor(_)
            | Entity::Person(_)
            | Entity::Engagement(_)
            | Entity::Draft(_)
            | Entity::SceneText(_)
            | Entity::Milestone(_)
            | Entity::PurchaseOrder(_)
            | Entity::Job(_) => {}
        }
    }
}

fn name(names: &mut HashMap<String, NodeId>, name: &str, node: NodeId, belongs: bool) {
    if belongs {
        names.insert(name.to_owned(), node);
    } else if names.get(name) == Some(&node) {
        names.remove(name);
    }
}

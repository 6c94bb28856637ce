//! What an engagement sees: the nodes and episodes assigned to it, and what follows from them.

use std::collections::HashSet;
use std::sync::Arc;

use super::Office;
use crate::model::{Assigned, Engagement, EngagementId, NodeId, ScriptAccess};

/// The reach of one engagement, worked out.
///
/// Its scenes are those assigned, all of an assigned episode, and every scene that one of its assets or a shot of its turnovers stands in.
/// Its assets are those assigned and those that name it. Its characters are those assigned and those of its scenes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// Whose.
    pub engagement: EngagementId,
    /// How much of the script it may read.
    pub script_access: ScriptAccess,
    /// Scenes it sees.
    pub scenes: HashSet<NodeId>,
    /// Characters it sees.
    pub characters: HashSet<NodeId>,
    /// Assets it sees.
    pub assets: HashSet<NodeId>,
}

impl Reach {
    /// The reach of an engagement that there is not: nothing.
    pub(crate) fn nothing(engagement: EngagementId) -> Self {
        Self {
            engagement,
            script_access: ScriptAccess::None,
            scenes: HashSet::new(),
            characters: HashSet::new(),
            assets: HashSet::new(),
        }
    }

    /// Whether the scene, character or asset is seen.
    pub fn holds(&self, node: NodeId) -> bool {
        self.scenes.contains(&node) || self.assets.contains(&node) || self.characters.contains(&node)
    }
}

impl Office {
    /// Works every engagement's reach out anew. Due after a change of any record that [`Changes::touches_reach`](super::Changes).
    pub(crate) fn settle_reach(&mut self) {
        let reaches = self.engagements.iter().map(|engagement| (engagement.id, Arc::new(self.work_out(engagement))));
        self.by.reach = reaches.collect();
    }

    fn work_out(&self, engagement: &Engagement) -> Reach {
        let mut reach = Reach { script_access: engagement.script_access, ..Reach::nothing(engagement.id) };
        for assigned in &engagement.assigned {
            match assigned {
                Assigned::Episode(episode) => {
                    reach.scenes.extend(self.script_of(Some(*episode)).map(|scene| scene.node_id));
                }
                Assigned::Node(node) if self.scenes.get(node).is_some() => _ = reach.scenes.insert(*node),
                Assigned::Node(node) if self.assets.get(node).is_some() => _ = reach.assets.insert(*node),
                Assigned::Node(node) if self.characters.get(node).is_some() => _ = reach.characters.insert(*node),
                Assigned::Node(_) => {}
            }
        }
        reach.assets.extend(self.by.assets_of_engagement.of(&engagement.id));
        let assets = reach.assets.iter().filter_map(|asset| self.assets.get(asset));
        reach.scenes.extend(assets.flat_map(|asset| &asset.scenes));
        for delivery in self.by.deliveries_of_engagement.of(&engagement.id) {
            reach.scenes.extend(self.shots_of(delivery).filter_map(|shot| shot.scene));
        }
        let scenes = reach.scenes.iter().filter_map(|scene| self.scenes.get(scene));
        reach.characters.extend(scenes.flat_map(|scene| &scene.characters));
        reach
    }
}

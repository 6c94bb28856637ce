//! The working set: everything of a production but its older activity, in memory, with the indexes that answers need.
//!
//! The store is the truth. A change is decided against the working set, committed, and only then applied to it; after any doubt about
//! a commit it is read anew. Copying an [`Office`] copies no record, so a snapshot for a long import is cheap.

mod activity;
mod changes;
mod indexes;
mod layout;
mod ledger;
mod named_files;
mod opening;
mod reach;
mod replies;
mod scene_numbers;
mod table;

use std::sync::Arc;

use crate::model::{
    Approval, ApprovalId, Asset, Character, Counters, DayId, Delivery, DeliveryId, Department, Draft, DraftId,
    Engagement, EngagementId, Entity, EntityKey, Episode, EpisodeId, Job, JobId, Media, MediaId, Milestone,
    MilestoneId, NodeId, Note, NoteId, OrderId, Person, PersonId, Production, PurchaseOrder, Scene, SceneText,
    SceneVersion, ShootDay, Shot, Submission, SubmissionId, Vendor, VendorId,
};

pub(crate) use activity::Activity;
pub use changes::Changes;
pub use indexes::Indexes;
pub use layout::KNOWN_KINDS;
pub(crate) use layout::{change_operations, standing, standings};
pub(crate) use ledger::{Ledger, NotCommitted};
pub(crate) use named_files::named_files;
pub(crate) use opening::{Opened, open};
pub use reach::Reach;
pub(crate) use replies::{Replies, Reply, name_of};
pub(crate) use scene_numbers::{Numbered, SceneNumbers};
pub use table::{Index, Table};

/// Everything of one production.
#[derive(Debug, Clone, Default)]
pub struct Office {
    /// How many changes were committed.
    pub(crate) revision: u64,
    /// The last number each counter gave out.
    pub(crate) counters: Counters,
    /// The production; `None` until it is set up.
    pub(crate) production: Option<Arc<Production>>,
    pub(crate) episodes: Table<EpisodeId, Episode>,
    pub(crate) departments: Table<String, Department>,
    pub(crate) vendors: Table<VendorId, Vendor>,
    pub(crate) people: Table<PersonId, Person>,
    pub(crate) engagements: Table<EngagementId, Engagement>,
    pub(crate) drafts: Table<DraftId, Draft>,
    pub(crate) scenes: Table<NodeId, Scene>,
    pub(crate) versions: Table<(NodeId, DraftId), SceneVersion>,
    pub(crate) texts: Table<(NodeId, DraftId), SceneText>,
    pub(crate) characters: Table<NodeId, Character>,
    pub(crate) assets: Table<NodeId, Asset>,
    pub(crate) notes: Table<NoteId, Note>,
    pub(crate) days: Table<DayId, ShootDay>,
    pub(crate) milestones: Table<MilestoneId, Milestone>,
    pub(crate) deliveries: Table<DeliveryId, Delivery>,
    pub(crate) shots: Table<(DeliveryId, u32), Shot>,
    pub(crate) submissions: Table<SubmissionId, Submission>,
    pub(crate) media: Table<MediaId, Media>,
    pub(crate) approvals: Table<ApprovalId, Approval>,
    pub(crate) orders: Table<OrderId, PurchaseOrder>,
    pub(crate) jobs: Table<JobId, Job>,
    pub(crate) by: Indexes,
}

macro_rules! tables {
    ($($(#[$doc:meta])* $name:ident: $key:ty => $record:ty;)*) => {
        /// The records, for who plans a change.
        impl Office {
            $(
                $(#[$doc])*
                pub fn $name(&self) -> &Table<$key, $record> {
                    &self.$name
                }
            )*
        }
    };
}

tables! {
    /// Episodes, by id.
    episodes: EpisodeId => Episode;
    /// Departments, by slug.
    departments: String => Department;
    /// Vendors, by id.
    vendors: VendorId => Vendor;
    /// People, by id.
    people: PersonId => Person;
    /// Engagements, by id.
    engagements: EngagementId => Engagement;
    /// Drafts, oldest first.
    drafts: DraftId => Draft;
    /// Scenes, by id; [`Office::script`] has them in script order.
    scenes: NodeId => Scene;
    /// What drafts made of scenes, by scene, oldest draft first.
    versions: (NodeId, DraftId) => SceneVersion;
    /// The words of scenes, by scene, oldest draft first.
    texts: (NodeId, DraftId) => SceneText;
    /// Characters, by id.
    characters: NodeId => Character;
    /// Assets, by id.
    assets: NodeId => Asset;
    /// Days of the schedule, by id.
    days: DayId => ShootDay;
    /// Milestones, by id.
    milestones: MilestoneId => Milestone;
    /// Deliveries, by id.
    deliveries: DeliveryId => Delivery;
    /// Shots, by delivery and place.
    shots: (DeliveryId, u32) => Shot;
    /// Submissions, by id.
    submissions: SubmissionId => Submission;
    /// Files, by id.
    media: MediaId => Media;
    /// Approvals, by id.
    approvals: ApprovalId => Approval;
    /// Purchase orders, by id.
    orders: OrderId => PurchaseOrder;
    /// Jobs, by id.
    jobs: JobId => Job;
}

/// What is looked up by the names people use.
impl Office {
    /// The production, once it was set up.
    pub fn production(&self) -> Option<&Production> {
        self.production.as_deref()
    }

    /// How many changes were committed.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The episode with this number (101), not this id.
    pub fn episode_numbered(&self, number: u32) -> Option<&Episode> {
        self.episodes.iter().find(|episode| episode.number == number)
    }

    /// The vendor with this code.
    pub fn vendor_coded(&self, code: &str) -> Option<&Vendor> {
        self.vendors.iter().find(|vendor| vendor.code == code)
    }

    /// The engagement with this code.
    pub fn engagement_coded(&self, code: &str) -> Option<&Engagement> {
        self.engagements.iter().find(|engagement| engagement.code == code)
    }

    /// The delivery with this code.
    pub fn delivery_coded(&self, code: &str) -> Option<&Delivery> {
        self.deliveries.iter().find(|delivery| delivery.code == code)
    }

    /// The order with this number.
    pub fn order_numbered(&self, number: &str) -> Option<&PurchaseOrder> {
        self.orders.iter().find(|order| order.number == number)
    }

    /// The asset with this code.
    pub fn asset_coded(&self, code: &str) -> Option<&Asset> {
        self.by.asset_code.get(code).and_then(|node| self.assets.get(node))
    }

    /// The character with this name.
    pub fn character_named(&self, name: &str) -> Option<&Character> {
        self.by.character_name.get(name).and_then(|node| self.characters.get(node))
    }

    /// Scenes in script order: by episode number, then by their place in its script. Omitted ones too.
    pub fn script(&self) -> impl DoubleEndedIterator<Item = &Scene> + Clone {
        self.by.script.iter().filter_map(|(_, _, node)| self.scenes.get(node))
    }

    /// The scenes of one episode (of the film, when `None`), in script order.
    pub fn script_of(&self, episode: Option<EpisodeId>) -> impl Iterator<Item = &Scene> {
        self.script().filter(move |scene| scene.episode_id == episode)
    }

    /// The drafts of one episode (of the film, when `None`), oldest first.
    pub fn drafts_of(&self, episode: Option<EpisodeId>) -> impl DoubleEndedIterator<Item = &Draft> {
        self.drafts.iter().filter(move |draft| draft.episode_id == episode)
    }

    /// The words a scene has now: those of the last draft that changed them.
    pub fn text_of(&self, scene: NodeId) -> Option<&SceneText> {
        self.texts.range((scene, DraftId(0))..=(scene, DraftId(u32::MAX))).next_back()
    }

    /// What `draft` or the last draft before it made of a scene; `None` when the scene is younger.
    pub fn version_at(&self, scene: NodeId, draft: DraftId) -> Option<&SceneVersion> {
        self.versions.range((scene, DraftId(0))..=(scene, draft)).next_back()
    }

    /// The shots of a delivery, in order.
    pub fn shots_of(&self, delivery: DeliveryId) -> impl Iterator<Item = &Shot> {
        self.shots.range((delivery, 0)..=(delivery, u32::MAX))
    }

    /// The submissions of a delivery, oldest first.
    pub fn submissions_of(&self, delivery: DeliveryId) -> impl DoubleEndedIterator<Item = &Submission> {
        self.by.submissions_of_delivery.of(&delivery).filter_map(|id| self.submissions.get(&id))
    }

    /// The submission that came after this one, if it is not the newest to its delivery.
    pub(crate) fn later_than(&self, submission: &Submission) -> Option<&Submission> {
        self.submissions_of(submission.delivery_id).next_back().filter(|newest| newest.id != submission.id)
    }

    /// The assets that stand in a scene, by id.
    pub fn assets_in(&self, scene: NodeId) -> impl Iterator<Item = &Asset> {
        self.by.assets_of_scene.of(&scene).filter_map(|node| self.assets.get(&node))
    }

    /// The assets of a department, by code.
    pub fn assets_of_department(&self, slug: &str) -> impl Iterator<Item = NodeId> + use<'_> {
        let from = (false, slug.to_owned(), String::new(), NodeId(0));
        let slug = slug.to_owned();
        let listed = self.by.assets_listed.range(from..);
        listed.take_while(move |(without, of, ..)| !without && *of == slug).map(|(.., node)| *node)
    }

    /// Where a scene comes in the script: a key to sort by.
    pub(crate) fn script_place(&self, scene: &Scene) -> (u32, Option<EpisodeId>, u32, NodeId) {
        let number = scene.episode_id.and_then(|id| self.episodes.get(&id)).map_or(0, |episode| episode.number);
        (number, scene.episode_id, scene.script_order, scene.node_id)
    }

    /// What an engagement sees of the production.
    pub fn reach_of(&self, engagement: EngagementId) -> Option<&Reach> {
        self.by.reach.get(&engagement).map(|reach| &**reach)
    }

    /// Whether going through all of it takes longer than an actor may hold up its neighbours: a millisecond. Everything counts that some list
    /// goes through.
    pub(crate) fn is_large(&self) -> bool {
        const MOST: usize = 500;
        let script = self.scenes.len() + self.versions.len() + self.characters.len() + self.days.len();
        let work = self.assets.len() + self.deliveries.len() + self.shots.len() + self.submissions.len();
        let desk = self.orders.len() + self.approvals.len() + self.people.len();
        script + work + desk > MOST
    }

    /// Whether the node id is one of a scene, a character or an asset.
    pub fn has_node(&self, node: NodeId) -> bool {
        self.scenes.get(&node).is_some() || self.assets.get(&node).is_some() || self.characters.get(&node).is_some()
    }
}

/// Applying what was committed.
impl Office {
    /// Takes over what was committed: records, counters, revision.
    pub(crate) fn apply(&mut self, changes: Changes) {
        self.revision = changes.based_on() + 1;
        self.counters = changes.counters().clone();
        let touches_reach = changes.touches_reach();
        for (key, entity) in changes.into_entities() {
            self.remove(&key);
            if let Some(entity) = entity {
                self.insert(entity);
            }
        }
        if touches_reach {
            self.settle_reach();
        }
    }

    /// Puts a record and its index entries in place. [`Office::settle_reach`] is due afterwards.
    pub(crate) fn insert(&mut self, entity: Entity) {
        self.index(&entity, true);
        match entity {
            Entity::Production(record) => self.production = Some(Arc::new(record)),
            Entity::Episode(record) => self.episodes.insert(record.id, record),
            Entity::Department(record) => self.departments.insert(record.slug.clone(), record),
            Entity::Vendor(record) => self.vendors.insert(record.id, record),
            Entity::Person(record) => self.people.insert(record.id, record),
            Entity::Engagement(record) => self.engagements.insert(record.id, record),
            Entity::Draft(record) => self.drafts.insert(record.id, record),
            Entity::Scene(record) => self.scenes.insert(record.node_id, record),
            Entity::SceneVersion(record) => self.versions.insert((record.node_id, record.draft_id), record),
            Entity::SceneText(record) => self.texts.insert((record.node_id, record.draft_id), record),
            Entity::Character(record) => self.characters.insert(record.node_id, record),
            Entity::Asset(record) => self.assets.insert(record.node_id, record),
            Entity::Note(record) => self.notes.insert(record.id, record),
            Entity::ShootDay(record) => self.days.insert(record.id, record),
            Entity::Milestone(record) => self.milestones.insert(record.id, record),
            Entity::Delivery(record) => self.deliveries.insert(record.id, record),
            Entity::Shot(record) => self.shots.insert((record.delivery_id, record.position), record),
            Entity::Submission(record) => self.submissions.insert(record.id, record),
            Entity::Media(record) => self.media.insert(record.id, record),
            Entity::Approval(record) => self.approvals.insert(record.id, record),
            Entity::PurchaseOrder(record) => self.orders.insert(record.id, record),
            Entity::Job(record) => self.jobs.insert(record.id, record),
        }
    }

    fn remove(&mut self, key: &EntityKey) {
        if let Some(entity) = self.take(key) {
            self.index(&entity, false);
        }
    }

    /// Takes a record out of its table.
    fn take(&mut self, key: &EntityKey) -> Option<Entity> {
        fn owned<T: Clone + Into<Entity>>(record: Option<Arc<T>>) -> Option<Entity> {
            record.map(|record| Arc::unwrap_or_clone(record).into())
        }
        match key {
            EntityKey::Production(()) => owned(self.production.take()),
            EntityKey::Episode(id) => owned(self.episodes.remove(id)),
            EntityKey::Department(slug) => owned(self.departments.remove(slug)),
            EntityKey::Vendor(id) => owned(self.vendors.remove(id)),
            EntityKey::Person(id) => owned(self.people.remove(id)),
            EntityKey::Engagement(id) => owned(self.engagements.remove(id)),
            EntityKey::Draft(id) => owned(self.drafts.remove(id)),
            EntityKey::Scene(node) => owned(self.scenes.remove(node)),
            EntityKey::SceneVersion(key) => owned(self.versions.remove(key)),
            EntityKey::SceneText(key) => owned(self.texts.remove(key)),
            EntityKey::Character(node) => owned(self.characters.remove(node)),
            EntityKey::Asset(node) => owned(self.assets.remove(node)),
            EntityKey::Note(id) => owned(self.notes.remove(id)),
            EntityKey::ShootDay(id) => owned(self.days.remove(id)),
            EntityKey::Milestone(id) => owned(self.milestones.remove(id)),
            EntityKey::Delivery(id) => owned(self.deliveries.remove(id)),
            EntityKey::Shot(key) => owned(self.shots.remove(key)),
            EntityKey::Submission(id) => owned(self.submissions.remove(id)),
            EntityKey::Media(id) => owned(self.media.remove(id)),
            EntityKey::Approval(id) => owned(self.approvals.remove(id)),
            EntityKey::PurchaseOrder(id) => owned(self.orders.remove(id)),
            EntityKey::Job(id) => owned(self.jobs.remove(id)),
        }
    }
}

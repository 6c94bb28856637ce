//! How a production lies in the store: one record an entity, beneath `office`.
//!
//! ```text
//! office/head                          revision, counters, import under way
//! office/asset/0000000301              one record; so for every type but texts and replies
//! office/text/0000000104-0000000005-000    part of the words of a scene in a draft
//! office/reply/<sum>-000               part of a reply that an idempotency key may ask for again
//! office_activity/0000000900           one entry of the activity list
//! office_staged/0000000042/put/…       what an import too large for one commit is about to write
//! engagement/41                        whether an engagement's keys work; read by the house as well
//! ```

use playhouse_house::{EngagementStanding, engagement_path};
use playhouse_store::{Expect, KnownKind, Op, Path, PathError, Record, RecordError, decode, put};
use serde::{Deserialize, Serialize};

use super::replies::{Replies, Reply};
use super::{Changes, Office};
use crate::model::{
    ActivityEntry, ActivityId, Approval, Asset, Character, Counters, Delivery, Department, Draft, DraftId, Engagement,
    EngagementStatus, Entity, EntityKey, Episode, Job, Media, Milestone, NodeId, Note, Person, Production,
    PurchaseOrder, Scene, SceneText, SceneVersion, ShootDay, Shot, Submission, Vendor,
};

/// What everything but activity lies beneath.
pub(super) const OFFICE: Path = Path::literal("office");
pub(super) const HEAD: Path = Path::literal("office/head");
pub(super) const ACTIVITY: Path = Path::literal("office_activity");
pub(super) const STAGED: Path = Path::literal("office_staged");

/// Bytes of JSON that one part of a long text may take; a record holds 64 KiB with its envelope.
const MAX_PART_BYTES: usize = 48_000;

/// The state of the office as a whole. Every commit writes it and expects the version it knows: so of two actors that believe to be in
/// charge only one gets anything written.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Head {
    /// How many changes were committed.
    pub(super) revision: u64,
    /// The last number each counter gave out.
    pub(super) counters: Counters,
    /// A change that is decided and staged, but not wholly in its place yet.
    pub(super) pending: Option<u64>,
}

/// One part of the words of a scene.
#[derive(Serialize, Deserialize)]
pub(super) struct TextPart {
    pub(super) node_id: NodeId,
    pub(super) draft_id: DraftId,
    pub(super) text: String,
}

/// Marks a record that a staged change removes.
#[derive(Serialize, Deserialize)]
pub(super) struct StagedRemoval {}

macro_rules! records {
    ($($record:ty as $kind:literal),* $(,)?) => {
        $(
            impl Record for $record {
                const FORMAT: u16 = 1;
                const KIND: &'static str = $kind;
            }
        )*

        /// The kinds of records that the production wing keeps, for whoever opens the store.
        pub const KNOWN_KINDS: &[KnownKind] = &[$(KnownKind::of::<$record>()),*];
    };
}

records! {
    Head as "office_head",
    Production as "office_production",
    Episode as "office_episode",
    Department as "office_department",
    Vendor as "office_vendor",
    Person as "office_person",
    Engagement as "office_engagement",
    Draft as "office_draft",
    Scene as "office_scene",
    SceneVersion as "office_scene_version",
    TextPart as "office_text",
    Character as "office_character",
    Asset as "office_asset",
    Note as "office_note",
    ShootDay as "office_day",
    Milestone as "office_milestone",
    Delivery as "office_delivery",
    Shot as "office_shot",
    Submission as "office_submission",
    Media as "office_media",
    Approval as "office_approval",
    PurchaseOrder as "office_order",
    Job as "office_job",
    ActivityEntry as "office_activity",
    super::replies::ReplyPart as "office_reply",
    StagedRemoval as "office_staged_removal",
}

/// Which folder a record lies in, and under which name.
fn place(key: &EntityKey) -> (&'static str, String) {
    fn one(number: u32) -> String {
        format!("{number:010}")
    }
    fn two(first: u32, second: u32) -> String {
        format!("{first:010}-{second:010}")
    }
    match key {
        EntityKey::Production(()) => ("production", one(1)),
        EntityKey::Episode(id) => ("episode", one(id.0)),
        EntityKey::Department(slug) => ("department", slug.clone()),
        EntityKey::Vendor(id) => ("vendor", one(id.0)),
        EntityKey::Person(id) => ("person", one(id.0)),
        EntityKey::Engagement(id) => ("engagement", one(id.0)),
        EntityKey::Draft(id) => ("draft", one(id.0)),
        EntityKey::Scene(node) => ("scene", one(node.0)),
        EntityKey::SceneVersion((node, draft)) => ("version", two(node.0, draft.0)),
        EntityKey::SceneText((node, draft)) => ("text", two(node.0, draft.0)),
        EntityKey::Character(node) => ("character", one(node.0)),
        EntityKey::Asset(node) => ("asset", one(node.0)),
        EntityKey::Note(id) => ("note", one(id.0)),
        EntityKey::ShootDay(id) => ("day", one(id.0)),
        EntityKey::Milestone(id) => ("milestone", one(id.0)),
        EntityKey::Delivery(id) => ("delivery", one(id.0)),
        EntityKey::Shot((delivery, position)) => ("shot", two(delivery.0, *position)),
        EntityKey::Submission(id) => ("submission", one(id.0)),
        EntityKey::Media(id) => ("media", one(id.0)),
        EntityKey::Approval(id) => ("approval", one(id.0)),
        EntityKey::PurchaseOrder(id) => ("order", one(id.0)),
        EntityKey::Job(id) => ("job", one(id.0)),
    }
}

/// Where a record lies.
fn path_of(key: &EntityKey) -> Result<Path, PathError> {
    let (folder, name) = place(key);
    OFFICE.join(folder)?.join(name)
}

/// Where an entry of the activity list lies.
pub(super) fn activity_path(id: ActivityId) -> Result<Path, PathError> {
    ACTIVITY.join(format!("{:010}", id.0))
}

/// What a stored record of the folder `folder` is, as far as it is an entity of its own.
pub(super) fn entity_in(folder: &str, bytes: &[u8]) -> Option<Result<Entity, RecordError>> {
    fn of<R: Record + Into<Entity>>(bytes: &[u8]) -> Option<Result<Entity, RecordError>> {
        Some(decode::<R>(bytes).map(Into::into))
    }
    match folder {
        "production" => of::<Production>(bytes),
        "episode" => of::<Episode>(bytes),
        "department" => of::<Department>(bytes),
        "vendor" => of::<Vendor>(bytes),
        "person" => of::<Person>(bytes),
        "engagement" => of::<Engagement>(bytes),
        "draft" => of::<Draft>(bytes),
        "scene" => of::<Scene>(bytes),
        "version" => of::<SceneVersion>(bytes),
        "character" => of::<Character>(bytes),
        "asset" => of::<Asset>(bytes),
        "note" => of::<Note>(bytes),
        "day" => of::<ShootDay>(bytes),
        "milestone" => of::<Milestone>(bytes),
        "delivery" => of::<Delivery>(bytes),
        "shot" => of::<Shot>(bytes),
        "submission" => of::<Submission>(bytes),
        "media" => of::<Media>(bytes),
        "approval" => of::<Approval>(bytes),
        "order" => of::<PurchaseOrder>(bytes),
        "job" => of::<Job>(bytes),
        _ => None,
    }
}

/// All operations of one change: its records, how its engagements stand, its activity entries and the reply that may be asked for again. With
/// them the names of replies that are removed because nobody can ask for them any more.
pub(crate) fn change_operations(
    office: &Office,
    changes: &Changes,
    entries: &[ActivityEntry],
    replies: &Replies,
    reply: Option<&(String, Reply)>,
) -> Result<(Vec<Op>, Vec<String>), RecordOrPath> {
    let mut ops = operations(office, changes)?;
    for standing in standings(changes) {
        ops.push(put(engagement_path(standing.id), &standing, Expect::Any)?);
    }
    for entry in entries {
        ops.push(put(activity_path(entry.id)?, entry, Expect::Any)?);
    }
    let Some((name, reply)) = reply else { return Ok((ops, Vec::new())) };
    let (reply_ops, forgotten) = replies.operations(name, reply)?;
    ops.extend(reply_ops);
    Ok((ops, forgotten))
}

/// How an engagement stands for those who check keys.
pub(crate) fn standing(engagement: &Engagement) -> EngagementStanding {
    EngagementStanding { id: engagement.id, active: engagement.status == EngagementStatus::Active }
}

/// How the engagements stand that a change puts.
pub(crate) fn standings(changes: &Changes) -> impl Iterator<Item = EngagementStanding> {
    changes.entities().filter_map(|(_, entity)| match entity {
        Some(Entity::Engagement(engagement)) => Some(standing(engagement)),
        _ => None,
    })
}

/// The operations that bring the store from `office` to what `changes` make of it.
fn operations(office: &Office, changes: &Changes) -> Result<Vec<Op>, RecordOrPath> {
    let mut ops = Vec::with_capacity(changes.len());
    for (key, entity) in changes.entities() {
        if let EntityKey::SceneText((node, draft)) = key {
            let text = match entity {
                Some(Entity::SceneText(text)) => Some(text),
                _ => None,
            };
            text_operations(&mut ops, office.texts.get(&(*node, *draft)), text, key)?;
            continue;
        }
        let path = path_of(key)?;
        ops.push(match entity {
            Some(entity) => put_entity(path, entity)?,
            None => Op::delete(path, Expect::Any),
        });
    }
    Ok(ops)
}

fn put_entity(path: Path, entity: &Entity) -> Result<Op, RecordError> {
    match entity {
        Entity::Production(record) => put(path, record, Expect::Any),
        Entity::Episode(record) => put(path, record, Expect::Any),
        Entity::Department(record) => put(path, record, Expect::Any),
        Entity::Vendor(record) => put(path, record, Expect::Any),
        Entity::Person(record) => put(path, record, Expect::Any),
        Entity::Engagement(record) => put(path, record, Expect::Any),
        Entity::Draft(record) => put(path, record, Expect::Any),
        Entity::Scene(record) => put(path, record, Expect::Any),
        Entity::SceneVersion(record) => put(path, record, Expect::Any),
        Entity::SceneText(SceneText { node_id, draft_id, text }) => {
            put(path, &TextPart { node_id: *node_id, draft_id: *draft_id, text: text.clone() }, Expect::Any)
        }
        Entity::Character(record) => put(path, record, Expect::Any),
        Entity::Asset(record) => put(path, record, Expect::Any),
        Entity::Note(record) => put(path, record, Expect::Any),
        Entity::ShootDay(record) => put(path, record, Expect::Any),
        Entity::Milestone(record) => put(path, record, Expect::Any),
        Entity::Delivery(record) => put(path, record, Expect::Any),
        Entity::Shot(record) => put(path, record, Expect::Any),
        Entity::Submission(record) => put(path, record, Expect::Any),
        Entity::Media(record) => put(path, record, Expect::Any),
        Entity::Approval(record) => put(path, record, Expect::Any),
        Entity::PurchaseOrder(record) => put(path, record, Expect::Any),
        Entity::Job(record) => put(path, record, Expect::Any),
    }
}

/// A text lies in parts, as a scene may be longer than a record; parts that the new text no longer has are removed.
fn text_operations(
    ops: &mut Vec<Op>,
    old: Option<&SceneText>,
    new: Option<&SceneText>,
    key: &EntityKey,
) -> Result<(), RecordOrPath> {
    let (folder, name) = place(key);
    let folder = OFFICE.join(folder)?;
    let parts = new.map_or_else(Vec::new, |new| parts(&new.text));
    for (at, part) in parts.iter().enumerate() {
        let EntityKey::SceneText((node_id, draft_id)) = *key else { break };
        let part = TextPart { node_id, draft_id, text: (*part).to_owned() };
        ops.push(put(folder.join(format!("{name}-{at:03}"))?, &part, Expect::Any)?);
    }
    let n_old_parts = old.map_or(0, |old| self::parts(&old.text).len());
    for at in parts.len()..n_old_parts {
        ops.push(Op::delete(folder.join(format!("{name}-{at:03}"))?, Expect::Any));
    }
    Ok(())
}

/// Cuts a text into parts that fit a record each, however much JSON has to escape in them. An empty text is one empty part.
pub(super) fn parts(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut n_bytes) = (0, 0);
    for (at, character) in text.char_indices() {
        let needs = match character {
            '"' | '\\' | '\n' | '\r' | '\t' => 2,
            character if character.is_control() => 6,
            character => character.len_utf8(),
        };
        if n_bytes + needs > MAX_PART_BYTES {
            parts.push(&text[start..at]);
            (start, n_bytes) = (at, 0);
        }
        n_bytes += needs;
    }
    parts.push(&text[start..]);
    parts
}

/// Something that cannot be stored: it cannot be written, or its name is no path.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RecordOrPath {
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Path(#[from] PathError),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_joined_are_the_text_and_each_fits_a_record() {
        for text in ["", "short", &"word\n".repeat(40_000), &"\u{1}".repeat(20_000), &"é".repeat(60_000)] {
            let parts = parts(text);
            assert_eq!(parts.concat(), *text);
            for part in parts {
                let record = TextPart { node_id: NodeId(1), draft_id: DraftId(1), text: part.to_owned() };
                assert!(playhouse_store::encode(&record).unwrap().len() <= playhouse_store::MAX_VALUE_BYTES);
            }
        }
    }
}

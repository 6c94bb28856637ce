//! One change of a production: the records it puts and removes, and the numbers it took.

use std::collections::BTreeMap;

use jiff::{Timestamp, Unit};
use serde::{Deserialize, Serialize};

use super::Office;
use crate::model::{Counters, Entity, EntityKey, Id};

/// Records to put and to remove, all at once. Made against one revision of the office, and only good for that one.
///
/// ```
/// # use playhouse_production::{Changes, Office, model::{EpisodeId, Episode, EpisodeStatus}};
/// let office = Office::default();
/// let mut changes = Changes::upon(&office, "2026-10-18T16:02:11Z".parse()?);
/// let id: EpisodeId = changes.next_id();
/// changes.put(Episode { id, number: 101, title: "Landfall".to_owned(), status: EpisodeStatus::Planned });
/// assert_eq!((changes.len(), id), (1, EpisodeId(1)));
/// # Ok::<(), jiff::Error>(())
/// ```
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Changes {
    based_on: u64,
    at: Timestamp,
    counters: Counters,
    #[serde(with = "pairs")]
    entities: BTreeMap<EntityKey, Option<Entity>>,
}

impl Changes {
    /// No change yet, upon `office` as it is, at the time `now` (kept in whole seconds).
    pub fn upon(office: &Office, now: Timestamp) -> Self {
        Self {
            based_on: office.revision,
            at: now.round(Unit::Second).unwrap_or(now),
            counters: office.counters.clone(),
            entities: BTreeMap::new(),
        }
    }

    /// The time of the change, in whole seconds: what `created_at` and `updated_at` become.
    pub fn at(&self) -> Timestamp {
        self.at
    }

    /// A number that was never given out before.
    pub fn next_id<I: Id>(&mut self) -> I {
        self.counters.next_id()
    }

    /// Puts a record in place of the one under its key. Of two puts under one key the later counts.
    pub fn put(&mut self, record: impl Into<Entity>) {
        let entity = record.into();
        self.entities.insert(entity.key(), Some(entity));
    }

    /// Removes a record.
    pub fn remove(&mut self, key: EntityKey) {
        self.entities.insert(key, None);
    }

    /// The record this change puts under `key`, if it puts one.
    pub fn get(&self, key: &EntityKey) -> Option<&Entity> {
        self.entities.get(key)?.as_ref()
    }

    /// What is put (`Some`) and removed (`None`), by key.
    pub fn entities(&self) -> impl Iterator<Item = (&EntityKey, Option<&Entity>)> {
        self.entities.iter().map(|(key, entity)| (key, entity.as_ref()))
    }

    /// How many records it puts or removes.
    pub fn len(&self) -> usize {
        self.entities.len()
    }

    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.entities.is_empty()
    }

    pub(crate) fn based_on(&self) -> u64 {
        self.based_on
    }

    pub(crate) fn counters(&self) -> &Counters {
        &self.counters
    }

    pub(crate) fn into_entities(self) -> impl Iterator<Item = (EntityKey, Option<Entity>)> {
        self.entities.into_iter()
    }

    /// Whether what engagements see may be another afterwards.
    pub(crate) fn touches_reach(&self) -> bool {
        self.entities.keys().any(|key| {
            matches!(
                key,
                EntityKey::Engagement(_)
                    | EntityKey::Scene(_)
                    | EntityKey::Asset(_)
                    | EntityKey::Character(_)
                    | EntityKey::Delivery(_)
                    | EntityKey::Shot(_)
            )
        })
    }
}

/// A map with keys that are no texts, as a list of pairs.
mod pairs {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Deserializer, Serializer};

    use crate::model::{Entity, EntityKey};

    type Entities = BTreeMap<EntityKey, Option<Entity>>;

    pub(super) fn serialize<S: Serializer>(entities: &Entities, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(entities)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Entities, D::Error> {
        Ok(Vec::<(EntityKey, Option<Entity>)>::deserialize(deserializer)?.into_iter().collect())
    }
}

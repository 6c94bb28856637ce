//! The two shapes the working set is made of: records by key, and which keys belong to which.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::Hash;
use std::ops::RangeBounds;
use std::sync::Arc;

/// Records by key, in the order of the keys. Copying a table copies no record.
#[derive(Debug, Clone)]
pub struct Table<K, T>(BTreeMap<K, Arc<T>>);

impl<K: Ord, T> Default for Table<K, T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K: Ord, T> Table<K, T> {
    /// The record under `key`.
    pub fn get(&self, key: &K) -> Option<&T> {
        self.0.get(key).map(|record| &**record)
    }

    /// All records, by key.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> + Clone {
        self.0.values().map(|record| &**record)
    }

    /// The records whose keys lie in `range`, by key.
    pub fn range(&self, range: impl RangeBounds<K>) -> impl DoubleEndedIterator<Item = &T> {
        self.0.range(range).map(|(_, record)| &**record)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn insert(&mut self, key: K, record: T) {
        self.0.insert(key, Arc::new(record));
    }

    /// Takes a record out; shared, because a snapshot may hold it too.
    pub(super) fn remove(&mut self, key: &K) -> Option<Arc<T>> {
        self.0.remove(key)
    }
}

/// Which keys belong to which: the assets of a scene, the notes of a node. Always the mirror of what records say.
#[derive(Debug, Clone)]
pub struct Index<K, V>(HashMap<K, BTreeSet<V>>);

impl<K, V> Default for Index<K, V> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<K: Eq + Hash, V: Ord + Copy> Index<K, V> {
    /// What belongs to `key`, in order.
    pub fn of<'a>(&'a self, key: &K) -> impl DoubleEndedIterator<Item = V> + Clone + use<'a, K, V> {
        self.0.get(key).into_iter().flatten().copied()
    }

    /// How much belongs to `key`.
    pub fn count(&self, key: &K) -> usize {
        self.0.get(key).map_or(0, BTreeSet::len)
    }

    pub(super) fn set(&mut self, key: K, value: V, belongs: bool) {
        if belongs {
            self.0.entry(key).or_default().insert(value);
        } else if let Some(values) = self.0.get_mut(&key) {
            values.remove(&value);
            if values.is_empty() {
                self.0.remove(&key);
            }
        }
    }
}

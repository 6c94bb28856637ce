//! What things in a store are called: keys, logs, resources, nodes, versions.

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{HouseId, Path, PathError};

/// Names one record: the house it belongs to and its path there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Key {
    /// The house, or [`HouseId::INSTANCE`] for what belongs to the operator.
    pub partition: HouseId,
    /// The path inside the house.
    pub path: Path,
}

impl Key {
    /// A key from its parts.
    pub fn new(partition: HouseId, path: Path) -> Self {
        Self { partition, path }
    }

    /// The prefix of everything `partition` has; scanning it reads the whole house.
    pub fn all_of(partition: HouseId) -> Self {
        Self { partition, path: Path::ROOT }
    }

    /// This key with one more segment.
    pub fn join(&self, segment: impl fmt::Display) -> Result<Key, PathError> {
        Ok(Self { partition: self.partition, path: self.path.join(segment)? })
    }

    /// Whether this key is in the prefix's house and beneath its path.
    pub fn is_beneath(&self, prefix: &Key) -> bool {
        self.partition == prefix.partition && self.path.is_beneath(&prefix.path)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.partition, self.path)
    }
}

/// Names one append-only log of a house. Logs and records have separate names: `audit` may be both.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LogId {
    /// The house the log belongs to.
    pub partition: HouseId,
    /// Its path there.
    pub path: Path,
}

impl LogId {
    /// A log's name from its parts.
    pub fn new(partition: HouseId, path: Path) -> Self {
        Self { partition, path }
    }
}

/// Names something of which one node at a time is the owner. Resources have names of their own, apart from records and
/// logs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ResourceId {
    /// The house the resource belongs to.
    pub partition: HouseId,
    /// Its path there.
    pub path: Path,
}

impl ResourceId {
    /// A resource's name from its parts.
    pub fn new(partition: HouseId, path: Path) -> Self {
        Self { partition, path }
    }
}

/// One running process that may own resources. A process takes a new one at each start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NodeId(pub Uuid);

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Which writing of a record this is. A later writing of the same key has a larger number, and a number is never
/// used twice for a key, not even after it was deleted. The distance between two versions means nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Version(pub u64);

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The place of an entry in its log: 1, 2, 3 … without holes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seq(pub u64);

impl Seq {
    /// The first entry of every log.
    pub const FIRST: Seq = Seq(1);

    /// The place after this one.
    pub fn next(self) -> Seq {
        Seq(self.0.saturating_add(1))
    }
}

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Names one intended append, so that appending it again after a lost answer adds nothing.
/// One to [`IdemKey::MAX_BYTES`] bytes without control characters; remembered as long as the log is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct IdemKey(String);

/// The text is empty, too long or holds control characters.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("an idempotency key has 1 to {max} bytes and no control characters, not {0:?}", max = IdemKey::MAX_BYTES)]
pub struct IdemKeyError(String);

impl IdemKey {
    /// The longest idempotency key, in bytes.
    pub const MAX_BYTES: usize = 128;

    /// Checks the text.
    pub fn new(text: impl Into<String>) -> Result<Self, IdemKeyError> {
        let text = text.into();
        if text.is_empty() || text.len() > Self::MAX_BYTES || text.chars().any(char::is_control) {
            return Err(IdemKeyError(text));
        }
        Ok(Self(text))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<Uuid> for IdemKey {
    fn from(id: Uuid) -> Self {
        Self(id.to_string())
    }
}

impl TryFrom<String> for IdemKey {
    type Error = IdemKeyError;

    fn try_from(text: String) -> Result<Self, IdemKeyError> {
        Self::new(text)
    }
}

impl From<IdemKey> for String {
    fn from(key: IdemKey) -> String {
        key.0
    }
}

//! Answers that are kept in the store, so that they survive a restart.
//!
//! Kept is where a title can be seen, not what was opened: which app is installed differs from TV to TV.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use playhouse_store::{Expect, HouseId, Key, KnownKind, Op, Path, Record, SharedStore, StoreError, decode, put};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::provider::map_revision;
use crate::resolution::{Resolution, ResolveError};
use crate::walk::{Keep, Walked};

/// Where answers are.
const ANSWERS: Path = Path::literal("resolver/answers");

/// Raised with every change of what an answer means; answers of another revision are not used. Not the record's format: that would keep an
/// older program from starting over a cache.
const SCHEMA_REVISION: u32 = 1;

/// The seed's 60 days. Earlier when the rights of an offer end before.
const LONG: SignedDuration = SignedDuration::from_hours(60 * 24);
/// What may come any day: a title that TMDB does not know yet, a country without an offer.
const HOURS: SignedDuration = SignedDuration::from_hours(6);
/// An answer that had to do without JustWatch for now.
const BRIEFLY: SignedDuration = SignedDuration::from_mins(20);

/// How many entries are read at a time while the cache is opened.
const PAGE: u32 = 128;

/// A kept answer.
#[derive(Debug, Serialize, Deserialize)]
struct KeptAnswer {
    schema: u32,
    map: u32,
    made_at: Timestamp,
    expires_at: Timestamp,
    #[serde(with = "outcome")]
    answer: Result<Resolution, ResolveError>,
}

impl Record for KeptAnswer {
    const FORMAT: u16 = 1;
    const KIND: &'static str = "resolver_answer";
}

/// `Result` in words of ours rather than serde's.
mod outcome {
    use super::{Deserialize, Resolution, ResolveError, Serialize};
    use serde::{Deserializer, Serializer};

    #[derive(Serialize)]
    #[serde(rename_all = "snake_case")]
    enum Borrowed<'a> {
        Resolved(&'a Resolution),
        Failed(&'a ResolveError),
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Owned {
        Resolved(Resolution),
        Failed(ResolveError),
    }

    pub(super) fn serialize<S: Serializer>(
        answer: &Result<Resolution, ResolveError>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match answer {
            Ok(resolution) => Borrowed::Resolved(resolution),
            Err(error) => Borrowed::Failed(error),
        }
        .serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Result<Resolution, ResolveError>, D::Error> {
        Ok(match Owned::deserialize(deserializer)? {
            Owned::Resolved(resolution) => Ok(resolution),
            Owned::Failed(error) => Err(error),
        })
    }
}

/// As much of a kept answer as the index needs.
#[derive(Serialize, Deserialize)]
struct Age {
    made_at: Timestamp,
}

impl Record for Age {
    const FORMAT: u16 = KeptAnswer::FORMAT;
    const KIND: &'static str = KeptAnswer::KIND;
}

/// The record this module knows.
pub(crate) const KNOWN_KIND: KnownKind = KnownKind::of::<KeptAnswer>();

/// The kept answers, at most so many.
pub(crate) struct Cache {
    store: SharedStore,
    max_entries: usize,
    index: RefCell<Index>,
}

/// When each entry was made, to know which go first when there are too many.
#[derive(Default)]
struct Index {
    by_age: BTreeSet<(Timestamp, Path)>,
    ages: HashMap<Path, Timestamp>,
}

impl Index {
    fn put(&mut self, path: &Path, made_at: Timestamp) {
        if let Some(before) = self.ages.insert(path.clone(), made_at) {
            self.by_age.remove(&(before, path.clone()));
        }
        self.by_age.insert((made_at, path.clone()));
    }

    /// Takes out the oldest entries beyond `max`, at most `at_most` of them.
    fn take_surplus(&mut self, max: usize, at_most: usize) -> Vec<Path> {
        let mut surplus = Vec::new();
        while self.by_age.len() > max && surplus.len() < at_most {
            let Some((_, path)) = self.by_age.pop_first() else { break };
            self.ages.remove(&path);
            surplus.push(path);
        }
        surplus
    }
}

impl Cache {
    /// Reads which entries there are.
    pub(crate) async fn open(store: SharedStore, max_entries: usize) -> Result<Self, StoreError> {
        let mut index = Index::default();
        let prefix = Key::new(HouseId::INSTANCE, ANSWERS);
        let mut after = None;
        loop {
            let page = store.scan(&prefix, after.as_ref(), PAGE).await?;
            for (key, found) in &page.entries {
                // One that cannot be read is the first to go.
                let made_at = decode::<Age>(&found.value).map_or(Timestamp::MIN, |age| age.made_at);
                index.put(&key.path, made_at);
            }
            after = page.entries.last().map(|(key, _)| key.clone());
            if !page.more {
                return Ok(Self { store, max_entries, index: RefCell::new(index) });
            }
            // Thousands of entries are read; other actors of this thread come in between.
            tokio::task::yield_now().await;
        }
    }

    /// How many entries there are, those included that are not used any more.
    pub(crate) fn n_entries(&self) -> usize {
        self.index.borrow().by_age.len()
    }

    /// The answer that is kept for a question, unless it is too old or of another revision.
    pub(crate) async fn get(&self, question: &str, now: Timestamp) -> Option<Result<Resolution, ResolveError>> {
        let key = Key::new(HouseId::INSTANCE, path_of(question)?);
        let found = match self.store.get(&key).await {
            Ok(found) => found?,
            Err(error) => {
                tracing::warn!(%error, "the resolver's cache cannot be read");
                return None;
            }
        };
        // One that another version wrote may be unreadable; it is written anew then.
        let kept = decode::<KeptAnswer>(&found.value).ok()?;
        let is_current = (kept.schema, kept.map) == (SCHEMA_REVISION, map_revision());
        (is_current && kept.expires_at > now).then_some(kept.answer)
    }

    /// Keeps an answer for as long as it may be, and drops the oldest where there are too many.
    pub(crate) async fn put(&self, question: &str, walked: &Walked, now: Timestamp) {
        let Some(expires_at) = expiry(walked, now) else { return };
        let Some(path) = path_of(question) else { return };
        let kept = KeptAnswer {
            schema: SCHEMA_REVISION,
            map: map_revision(),
            made_at: now,
            expires_at,
            answer: walked.answer.clone(),
        };
        let put = match put(path.clone(), &kept, Expect::Any) {
            Ok(put) => put,
            Err(error) => return tracing::warn!(%error, "an answer cannot be kept"),
        };
        let surplus = {
            let mut index = self.index.borrow_mut();
            index.put(&path, now);
            index.take_surplus(self.max_entries, playhouse_store::MAX_COMMIT_OPS - 1)
        };
        let ops = std::iter::once(put).chain(surplus.into_iter().map(|path| Op::delete(path, Expect::Any))).collect();
        // The caller has the answer all the same.
        if let Err(error) = self.store.commit(HouseId::INSTANCE, ops, None).await {
            tracing::warn!(%error, "an answer was not kept");
        }
    }
}

/// Titles are long and hold anything; a digest fits into a path.
fn path_of(question: &str) -> Option<Path> {
    let mut name = String::with_capacity(64);
    for byte in Sha256::digest(question.as_bytes()) {
        // Writing to a string does not fail.
        let _ = write!(name, "{byte:02x}");
    }
    ANSWERS.join(name).ok()
}

/// Until when an answer may be given again; `None` when it may not.
fn expiry(walked: &Walked, now: Timestamp) -> Option<Timestamp> {
    let keep = match walked.keep {
        Keep::Long => LONG,
        Keep::Hours => HOURS,
        Keep::Briefly => BRIEFLY,
        Keep::No => return None,
    };
    let offers = match &walked.answer {
        Ok(resolution) => [&resolution.offers[..], &resolution.alternatives[..]],
        Err(ResolveError::NoProvider(nowhere)) => [&nowhere.alternatives[..], &[]],
        Err(_) => [&[][..], &[]],
    };
    let rights_end = offers.into_iter().flatten().filter_map(|offer| {
        let day_after = offer.available_to?.tomorrow().ok()?;
        Some(day_after.to_zoned_datetime(TimeZone::UTC).ok()?.timestamp())
    });
    rights_end.chain(now.checked_add(keep)).min()
}

#[cfg(test)]
mod tests;

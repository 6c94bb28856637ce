//! Long texts of a change, cut to the size of a record.
//!
//! A profile or a format can have 4 MiB, and what was stored before a change is kept to the byte. So it lies in many records, written in several
//! commits, before the entry of the history that names it: the entry says how many records there are and what their sum is.

use playhouse_bus::HouseId;
use playhouse_library::settings::Digest;
use playhouse_store::{
    CommitError, Expect, Key, MAX_COMMIT_BYTES, MAX_COMMIT_OPS, Op, Record, RecordError, Store, StoreError, put, read,
};
use serde::{Deserialize, Serialize};
use sha2::Digest as _;

use super::text_path;
use crate::ChangeId;

/// The most bytes of one part as it is encoded, quotes and escapes included.
const MAX_PART_BYTES: usize = 48 * 1024;

/// Texts larger than this are cut and put together beside the arbiter, which must not be held up.
const SMALL_BYTES: usize = 16 * 1024;

/// Which text of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TextName {
    /// The differences.
    Fields,
    /// The object from before.
    Before,
    /// The object as it was to be.
    After,
    /// The differences as they were read back.
    FieldsReadBack,
    /// The object as it was read back.
    AfterReadBack,
}

/// A text that lies in parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Text {
    /// Which.
    pub(crate) name: TextName,
    /// In how many parts, from 0 on.
    pub(crate) n_parts: u32,
    /// SHA-256 of the whole.
    pub(crate) sum: Digest,
}

/// One part of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct TextPart(pub(crate) String);

impl Record for TextPart {
    const FORMAT: u16 = 1;
    const KIND: &'static str = "change_text";
}

/// Why a text cannot be put together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TextError {
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A part is missing, or the sum is another one.
    #[error("what is kept of this change does not hold together")]
    Broken,
}

impl TextName {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            TextName::Fields => "fields",
            TextName::Before => "before",
            TextName::After => "after",
            TextName::FieldsReadBack => "fields_read_back",
            TextName::AfterReadBack => "after_read_back",
        }
    }
}

/// A text cut up and ready to be written.
struct Cut {
    text: Text,
    /// Each within the limits of one commit.
    commits: Vec<Vec<Op>>,
}

impl Text {
    /// Writes the text of a change down. It counts for nothing until an entry of the history names it.
    pub(crate) async fn write(
        store: &dyn Store,
        house: HouseId,
        change: ChangeId,
        name: TextName,
        text: String,
    ) -> Result<Text, CommitError> {
        let unwritable = |cause: String| CommitError::Unavailable { cause };
        let cut = match text.len() > SMALL_BYTES {
            false => cut_up(change, name, &text),
            true => tokio::task::spawn_blocking(move || cut_up(change, name, &text))
                .await
                .map_err(|error| unwritable(error.to_string()))?,
        };
        let Cut { text, commits } = cut.map_err(|error| unwritable(error.to_string()))?;
        for ops in commits {
            store.commit(house, ops, None).await?;
        }
        Ok(text)
    }

    /// Removes what no entry of the history names.
    pub(crate) async fn remove(self, store: &dyn Store, house: HouseId, change: ChangeId) -> Result<(), CommitError> {
        let paths: Vec<_> = (0..self.n_parts).map(|part| text_path(change, self.name, part)).collect();
        for some in paths.chunks(MAX_COMMIT_OPS) {
            let ops = some.iter().map(|path| Op::delete(path.clone(), Expect::Any)).collect();
            store.commit(house, ops, None).await?;
        }
        Ok(())
    }

    /// The whole text, as it was written.
    pub(crate) async fn read(self, store: &dyn Store, house: HouseId, change: ChangeId) -> Result<String, TextError> {
        let mut whole = String::new();
        for part in 0..self.n_parts {
            let key = Key::new(house, text_path(change, self.name, part));
            let (TextPart(text), _) = read::<TextPart>(store, &key).await?.ok_or(TextError::Broken)?;
            whole.push_str(&text);
        }
        let checked = match whole.len() > SMALL_BYTES {
            false => (sum_of(&whole), whole),
            true => {
                tokio::task::spawn_blocking(move || (sum_of(&whole), whole)).await.map_err(|_| TextError::Broken)?
            }
        };
        match checked {
            (sum, whole) if sum == self.sum => Ok(whole),
            _ => Err(TextError::Broken),
        }
    }
}

fn sum_of(text: &str) -> Digest {
    Digest(sha2::Sha256::digest(text.as_bytes()).into())
}

fn cut_up(change: ChangeId, name: TextName, text: &str) -> Result<Cut, RecordError> {
    let mut commits = vec![Vec::new()];
    let mut n_bytes = 0;
    let mut n_parts = 0;
    for part in parts(text) {
        if n_bytes + MAX_PART_BYTES > MAX_COMMIT_BYTES / 2 {
            commits.push(Vec::new());
            n_bytes = 0;
        }
        n_bytes += MAX_PART_BYTES;
        // What lies there was left by a crash: no entry of the history names it.
        let op = put(text_path(change, name, n_parts), &TextPart(part.to_owned()), Expect::Any)?;
        commits.last_mut().into_iter().for_each(|commit| commit.push(op.clone()));
        n_parts += 1;
    }
    commits.retain(|commit| !commit.is_empty());
    Ok(Cut { text: Text { name, n_parts, sum: sum_of(text) }, commits })
}

/// The text in pieces that fit into a record when they are encoded.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let mut n_encoded = 0;
        let end = rest.char_indices().find(|(_, letter)| {
            n_encoded += encoded_length(*letter);
            n_encoded > MAX_PART_BYTES
        });
        let (part, after) = rest.split_at(end.map_or(rest.len(), |(at, _)| at));
        rest = after;
        Some(part)
    })
}

/// How many bytes a character has at most in a JSON string.
fn encoded_length(letter: char) -> usize {
    match letter {
        '"' | '\\' | '\n' | '\r' | '\t' => 2,
        letter if letter.is_ascii_control() => 6,
        letter => letter.len_utf8(),
    }
}

#[cfg(test)]
mod tests {
    use playhouse_store::{MAX_VALUE_BYTES, MemoryStore};

    use super::*;

    const HOUSE: HouseId = HouseId::INSTANCE;

    #[tokio::test]
    async fn a_long_text_comes_back_to_the_byte_in_records_that_the_store_takes() {
        let store = MemoryStore::new();
        let long = "{\"name\": \"ä\\\"\u{1}\n\t\"}".repeat(120_000);
        assert!(long.len() > 2 * 1024 * 1024);
        for text in ["null".to_owned(), String::new(), long] {
            let kept = Text::write(&store, HOUSE, ChangeId(7), TextName::Before, text.clone()).await.unwrap();
            assert_eq!(kept.read(&store, HOUSE, ChangeId(7)).await, Ok(text));
        }
    }

    #[test]
    fn every_part_and_every_commit_stays_within_the_limits() {
        let worst = "\u{1}".repeat(200_000) + &"\"".repeat(200_000);
        let cut = cut_up(ChangeId(1), TextName::After, &worst).unwrap();
        for commit in cut.commits {
            let sizes: Vec<usize> = commit
                .iter()
                .map(|op| match &op.change {
                    playhouse_store::Change::Put(value) => value.len(),
                    playhouse_store::Change::Delete => 0,
                })
                .collect();
            assert!(sizes.iter().all(|size| *size <= MAX_VALUE_BYTES), "{sizes:?}");
            assert!(sizes.iter().sum::<usize>() <= MAX_COMMIT_BYTES && sizes.len() <= MAX_COMMIT_OPS, "{sizes:?}");
        }
    }

    #[tokio::test]
    async fn a_part_that_is_missing_or_of_another_text_is_noticed() {
        let store = MemoryStore::new();
        let kept = Text::write(&store, HOUSE, ChangeId(7), TextName::Before, "{}".to_owned()).await.unwrap();
        assert_eq!(kept.read(&store, HOUSE, ChangeId(8)).await, Err(TextError::Broken));
        Text::write(&store, HOUSE, ChangeId(7), TextName::Before, "[]".to_owned()).await.unwrap();
        assert_eq!(kept.read(&store, HOUSE, ChangeId(7)).await, Err(TextError::Broken));
    }
}

//! Pages of a list.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::lenient;

/// One page of a queue, a history, a blocklist or wanted items.
///
/// A queue asked past its end answers an earlier page again and says so in `page`: stop by `total_records`, never by an empty page.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", bound = "T: DeserializeOwned")]
pub struct Page<T> {
    /// Which page this is, counted from 1, whatever was asked for.
    #[serde(default, deserialize_with = "lenient::field")]
    pub page: Option<i64>,
    /// How many records a page has.
    #[serde(default, deserialize_with = "lenient::field")]
    pub page_size: Option<i64>,
    /// How many records there are on all pages. `None` when the service does not say.
    #[serde(default, deserialize_with = "lenient::field")]
    pub total_records: Option<i64>,
    /// The records of this page.
    pub records: Listed<T>,
}

/// A list read element by element, with the number of those that could not be read.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed<T> {
    /// What could be read, in the service's order.
    pub items: Vec<T>,
    /// Elements of a shape that this version does not know. They are passed over and counted, so that one odd element neither fails a list
    /// nor makes it look shorter.
    pub n_skipped: usize,
}

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Self { items: Vec::new(), n_skipped: 0 }
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Listed<T> {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        input.deserialize_seq(OneByOne(PhantomData))
    }
}

struct OneByOne<T>(PhantomData<T>);

impl<'de, T: DeserializeOwned> Visitor<'de> for OneByOne<T> {
    type Value = Listed<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of records")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Listed<T>, A::Error> {
        let mut records = Listed::default();
        while let Some(record) = list.next_element::<&RawValue>()? {
            match serde_json::from_str(record.get()) {
                Ok(record) => records.items.push(record),
                Err(_) => records.n_skipped += 1,
            }
        }
        Ok(records)
    }
}

#[cfg(test)]
mod tests {
    use super::super::QueueRow;
    use super::*;

    #[test]
    fn one_odd_record_is_skipped_and_counted() {
        let page: Page<QueueRow> =
            serde_json::from_str(r#"{"page":1,"totalRecords":3,"records":[{"id":1},"odd",{"id":2}]}"#).unwrap();

        assert_eq!(page.records.items.iter().map(|row| row.id).collect::<Vec<_>>(), [1, 2]);
        assert_eq!((page.records.n_skipped, page.total_records), (1, Some(3)));
    }

    #[test]
    fn an_answer_without_records_is_no_empty_page() {
        assert!(serde_json::from_str::<Page<QueueRow>>(r#"{"page":1}"#).is_err());
        assert!(serde_json::from_str::<Page<QueueRow>>(r#"{"records":null}"#).is_err());
        assert!(serde_json::from_str::<Page<QueueRow>>("[]").is_err());
    }
}

//! What a profile refers to: the instance's custom formats and its languages.

use std::collections::BTreeMap;

use crate::answer::{ArrFailure, Code};
use crate::settings::collection::{Collection, parse_all};
use crate::settings::exact::Exact;
use crate::settings::hash::{self, Ids};
use crate::settings::{Digest, PlannedLanguage};

/// A name is not longer, in bytes.
pub(in crate::settings) const MAX_NAME_BYTES: usize = 256;

/// The condition by which a format looks at a release's language.
const LANGUAGE_CONDITION: &str = "LanguageSpecification";

/// A custom format, as far as profiles are concerned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Format {
    pub(super) id: i64,
    pub(super) name: String,
    /// Whether it looks at a release's language.
    pub(super) is_about_language: bool,
}

/// All custom formats of an instance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Formats {
    by_id: BTreeMap<i64, Format>,
    pub(super) digest: Digest,
}

impl Formats {
    /// Reads the whole list. Two formats of one name cannot be told apart by whoever asks for a score, so the list is refused.
    pub(super) fn read(texts: &[String]) -> Result<Self, ArrFailure> {
        let values = parse_all(Collection::Formats, texts)?;
        let digest = hash::of_collection(values.iter(), Ids::Positive).map_err(|odd| {
            refused(format!(
                "The list of custom formats cannot be relied on: {odd}. Put it right in the service first."
            ))
        })?;
        let mut by_id = BTreeMap::new();
        let mut names = std::collections::BTreeSet::new();
        for value in &values {
            let id = value.member("id").and_then(Exact::as_integer);
            let name = value.member("name").and_then(Exact::as_text);
            let (Some(id), Some(name)) = (id, name) else {
                return Err(refused("A custom format of the instance has no name. Put it right in the service first."));
            };
            if !names.insert(name.to_owned()) {
                let name = quoted(name);
                return Err(refused(format!(
                    "Two custom formats are called {name}. Rename one of them in the service first."
                )));
            }
            by_id.insert(id, Format { id, name: name.to_owned(), is_about_language: is_about_language(value) });
        }
        Ok(Self { by_id, digest })
    }

    /// The format of exactly this name.
    pub(super) fn of_name(&self, name: &str) -> Option<&Format> {
        self.by_id.values().find(|format| format.name == name)
    }

    /// The format of this id.
    pub(super) fn of_id(&self, id: i64) -> Option<&Format> {
        self.by_id.get(&id)
    }

    /// All ids, ascending.
    pub(super) fn ids(&self) -> impl Iterator<Item = i64> {
        self.by_id.keys().copied()
    }

    /// Names by id.
    pub(super) fn names(&self) -> BTreeMap<i64, String> {
        self.by_id.iter().map(|(id, format)| (*id, format.name.clone())).collect()
    }
}

fn is_about_language(format: &Exact) -> bool {
    let conditions = format.member("specifications").and_then(Exact::elements).unwrap_or_default();
    conditions.iter().any(|one| one.member("implementation").and_then(Exact::as_text) == Some(LANGUAGE_CONDITION))
}

/// The languages that an instance knows, by id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Languages {
    /// By ascending id.
    pub(super) all: Vec<PlannedLanguage>,
    pub(super) digest: Digest,
}

impl Languages {
    /// Reads the whole catalogue.
    pub(super) fn read(texts: &[String]) -> Result<Self, ArrFailure> {
        let values = parse_all(Collection::Languages, texts)?;
        let odd = |why: String| {
            ArrFailure::unproven(Code::UpstreamBody, format!("The list of languages cannot be relied on: {why}."))
        };
        let digest = hash::of_collection(values.iter(), Ids::Any).map_err(|why| odd(why.to_string()))?;
        let mut all = Vec::with_capacity(values.len());
        let mut names = std::collections::BTreeSet::new();
        for value in &values {
            let name = value.member("name").and_then(Exact::as_text).unwrap_or_default();
            let id = value.member("id").and_then(Exact::as_integer);
            let Some(id) = id.filter(|_| is_a_name(name)) else {
                return Err(odd("a language has no usable name".to_owned()));
            };
            if !names.insert(name) {
                return Err(odd(format!("two languages are called {}", quoted(name))));
            }
            all.push(PlannedLanguage { id, name: name.to_owned() });
        }
        all.sort_by_key(|language| language.id);
        Ok(Self { all, digest })
    }

    /// The language of exactly this name.
    pub(super) fn of_name(&self, name: &str) -> Option<&PlannedLanguage> {
        self.all.iter().find(|language| language.name == name)
    }
}

/// Whether a text can be the name of something: not blank, and not longer than 256 bytes.
pub(super) fn is_a_name(name: &str) -> bool {
    !name.trim().is_empty() && name.len() <= MAX_NAME_BYTES
}

/// That what is stored, or asked for, breaks a rule.
pub(in crate::settings) fn refused(words: impl Into<String>) -> ArrFailure {
    ArrFailure::refused(Code::ChangeRefused, words)
}

/// Another's name in a sentence: in quotes, on one line, and of a length that leaves room for the rest.
pub(crate) fn quoted(name: &str) -> String {
    const MAX_SHOWN: usize = 120;
    match name.char_indices().nth(MAX_SHOWN) {
        Some((cut, _)) => format!("{:?}", format!("{}…", &name[..cut])),
        None => format!("{name:?}"),
    }
}

//! The custom formats of an instance, each with its id, its name and its text.

use crate::answer::ArrFailure;
use crate::settings::exact::{Exact, Members};
use crate::settings::profile::{quoted, refused};

/// A stored custom format.
#[derive(Debug, Clone)]
pub(super) struct LiveFormat {
    pub(super) id: i64,
    pub(super) name: String,
    /// As the service wrote it.
    pub(super) text: String,
    pub(super) members: Members,
}

impl LiveFormat {
    /// Reads one; `None` where its id or name cannot be read.
    pub(super) fn read(text: &str) -> Option<Self> {
        let Ok(Exact::Object(members)) = Exact::parse(text) else { return None };
        let id = members.get("id")?.as_integer().filter(|id| *id > 0)?;
        let name = members.get("name")?.as_text()?.to_owned();
        Some(Self { id, name, text: text.to_owned(), members })
    }
}

/// All of them. One without id or name could be the one that is meant, so it keeps every change from being made.
pub(super) fn all(texts: &[String]) -> Result<Vec<LiveFormat>, ArrFailure> {
    let read: Option<Vec<LiveFormat>> = texts.iter().map(|text| LiveFormat::read(text)).collect();
    read.ok_or_else(|| {
        refused(
            "A custom format of the instance has no readable id or name, so it cannot be told which one is meant. Put that right in the \
             service first.",
        )
    })
}

/// The one of exactly this name.
pub(super) fn of_name(formats: Vec<LiveFormat>, name: &str) -> Result<Option<LiveFormat>, ArrFailure> {
    let mut found = formats.into_iter().filter(|format| format.name == name);
    match (found.next(), found.next()) {
        (Some(one), Some(other)) => Err(refused(format!(
            "Two custom formats are called {} ({} and {}). Rename one of them in the service first.",
            quoted(name),
            one.id,
            other.id
        ))),
        (found, _) => Ok(found),
    }
}

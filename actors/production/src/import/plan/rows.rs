//! Rows against the working set: names become ids, and every fault of a table is collected before any is answered.

use std::collections::HashMap;

use super::super::RowFault;
use super::super::limits::MAX_NAME_CHARS;
use super::super::table::{Cell, Row, SceneCell, SceneRef};
use crate::model::{EngagementId, EpisodeId, NodeId, VendorId, Words};
use crate::office::{Numbered, Office, SceneNumbers};

/// One row being read. Faults go to the list that all rows share.
pub(super) struct Fields<'a> {
    row: &'a Row,
    faults: &'a mut Vec<RowFault>,
    n_faults_before: usize,
}

impl<'a> Fields<'a> {
    pub(super) fn of(row: &'a Row, faults: &'a mut Vec<RowFault>) -> Self {
        let n_faults_before = faults.len();
        Self { row, faults, n_faults_before }
    }

    /// Whether nothing of it was wrong.
    pub(super) fn is_sound(&self) -> bool {
        self.faults.len() == self.n_faults_before
    }

    /// Something is wrong with a column.
    pub(super) fn fault(&mut self, column: &str, message: impl Into<String>) {
        self.faults.push(self.row.fault(column, message));
    }

    /// A value that may be missing: an empty cell leaves the old one, `-` clears it.
    pub(super) fn optional<T>(
        &mut self,
        column: &str,
        old: Option<T>,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        match self.row.cell(column) {
            Cell::Keep => old,
            Cell::Clear => None,
            Cell::Value(text) => match read(text) {
                Ok(value) => Some(value),
                Err(message) => {
                    self.fault(column, message);
                    None
                }
            },
        }
    }

    /// A value that has to be there. None only where a fault was noted.
    pub(super) fn needed<T>(
        &mut self,
        column: &str,
        old: Option<T>,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        match (self.row.cell(column), old) {
            (Cell::Clear, _) => {
                self.fault(column, format!("{column} cannot be cleared"));
                None
            }
            (Cell::Keep, None) => {
                self.fault(column, format!("{column} is missing"));
                None
            }
            (_, old) => self.optional(column, old, read),
        }
    }

    /// A list, which `-` empties.
    pub(super) fn list<T>(
        &mut self,
        column: &str,
        old: Vec<T>,
        read: impl FnOnce(&str) -> Result<Vec<T>, String>,
    ) -> Vec<T> {
        self.optional(column, Some(old), read).unwrap_or_default()
    }
}

/// A name or a title: one line of a bounded length.
pub(super) fn name(text: &str) -> Result<String, String> {
    let name = super::super::text::tidied(text);
    if name.chars().count() > MAX_NAME_CHARS {
        return Err(format!("a name is longer than {MAX_NAME_CHARS} characters"));
    }
    Ok(name)
}

/// Any text; its length was bounded when the table was read.
#[expect(clippy::unnecessary_wraps, reason = "it stands where readers of cells stand, and they may refuse")]
pub(super) fn text(text: &str) -> Result<String, String> {
    Ok(text.to_owned())
}

/// A word of a closed list, in any case, blanks and hyphens for underscores.
pub(super) fn word<W: Words>(what: &str, text: &str) -> Result<W, String> {
    let normal = text.to_lowercase().replace([' ', '-'], "_");
    W::named(&normal)
        .or_else(|| W::named(text))
        .ok_or_else(|| format!("unknown {what} '{}'; one of: {}", shown(text), W::list()))
}

/// What names mean, looked up once for all rows.
pub(super) struct Names<'a> {
    office: &'a Office,
    vendors: HashMap<&'a str, VendorId>,
    engagements: HashMap<&'a str, (EngagementId, VendorId)>,
    scenes: SceneNumbers<'a>,
    /// The episode that bare numbers are of.
    episode: Option<EpisodeId>,
}

impl<'a> Names<'a> {
    pub(super) fn of(office: &'a Office, episode: Option<EpisodeId>) -> Self {
        let mut vendors: HashMap<&str, VendorId> =
            office.vendors().iter().map(|vendor| (vendor.name.as_str(), vendor.id)).collect();
        // Codes after names: where one vendor's name is another's code, the code counts.
        vendors.extend(office.vendors().iter().map(|vendor| (vendor.code.as_str(), vendor.id)));
        let engagements = office
            .engagements()
            .iter()
            .map(|engagement| (engagement.code.as_str(), (engagement.id, engagement.vendor)))
            .collect();
        Self { office, vendors, engagements, scenes: SceneNumbers::of(office), episode }
    }

    pub(super) fn department(&self, slug: &str) -> Result<String, String> {
        let slug = slug.to_lowercase();
        match self.office.departments().get(&slug) {
            Some(_) => Ok(slug),
            None => Err(format!("unknown department '{}'", shown(&slug))),
        }
    }

    pub(super) fn vendor(&self, code: &str) -> Result<VendorId, String> {
        self.vendors.get(code).copied().ok_or_else(|| format!("unknown vendor '{}'", shown(code)))
    }

    /// The engagement, and whose it is.
    pub(super) fn engagement(&self, code: &str) -> Result<(EngagementId, VendorId), String> {
        self.engagements.get(code).copied().ok_or_else(|| format!("unknown engagement '{}'", shown(code)))
    }

    pub(super) fn episode(&self, number: &str) -> Result<EpisodeId, String> {
        let found = number.parse().ok().and_then(|number| self.office.episode_numbered(number));
        found.map(|episode| episode.id).ok_or_else(|| format!("unknown episode '{}'", shown(number)))
    }

    pub(super) fn scene(&self, scene: &SceneRef) -> Result<NodeId, String> {
        let episode = match scene.episode {
            Some(number) => Some(self.episode(&number.to_string())?),
            None => self.episode,
        };
        match self.scenes.find(&scene.number, episode) {
            Numbered::One(found) => Ok(found.node_id),
            Numbered::Nothing => Err(format!("unknown scene '{scene}'")),
            Numbered::Several => {
                let mut episodes = self.scenes.all(&scene.number).iter().filter_map(|found| found.episode_id);
                let first = episodes.find_map(|id| self.office.episodes().get(&id)).map_or(101, |first| first.number);
                Err(format!("scene '{scene}' is in several episodes; write {first}/{}", scene.number))
            }
        }
    }

    /// A list of scenes, each once.
    pub(super) fn scenes(&self, text: &str) -> Result<Vec<(NodeId, bool)>, String> {
        let mut scenes: Vec<(NodeId, bool)> = Vec::new();
        for cell in SceneCell::list(text)? {
            let node = self.scene(&cell.scene)?;
            if scenes.iter().any(|(known, _)| *known == node) {
                return Err(format!("scene '{}' stands there twice", cell.scene));
            }
            scenes.push((node, cell.part));
        }
        Ok(scenes)
    }
}

/// What a cell says, short enough for a sentence.
pub(super) fn shown(text: &str) -> String {
    text.chars().take(60).collect()
}

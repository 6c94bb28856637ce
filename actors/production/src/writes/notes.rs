//! `POST /assets/{node_id}/notes`, which also takes scenes and characters.

use playhouse_house::Scope;

use super::assets::known_node;
use super::desk::{Desk, subject};
use crate::messages::{Document, NewNote, OfficeRefusal, Written};
use crate::model::{NodeId, Note, Subject, SubjectType, Verb, Visibility, Words};
use crate::office::Office;
use crate::reads::note_row;

const MOST_CHARS: usize = 4_000;

/// Adds a note.
pub(crate) fn add_note(desk: &mut Desk<'_>, node_id: i64, new: &NewNote) -> Result<Written, OfficeRefusal> {
    desk.require_wide(Scope::Write)?;
    if new.body.trim().is_empty() || new.body.chars().count() > MOST_CHARS {
        return Err(OfficeRefusal::invalid(format!("body must be 1 to {MOST_CHARS} characters.")));
    }
    let visibility = match new.visibility.as_deref() {
        None => Visibility::Production,
        Some(text) => {
            Visibility::named(text).ok_or_else(|| OfficeRefusal::unknown_word::<Visibility>("visibility", text))?
        }
    };
    let office = desk.office;
    let node = known_node(office, node_id)?;
    let is_held = || office.by.reach.values().any(|reach| reach.holds(node));
    if visibility == Visibility::Engagement && !is_held() {
        return Err(OfficeRefusal::invalid("No engagement holds this node."));
    }
    desk.open_production()?;
    let note = Note {
        id: desk.changes.next_id(),
        node_id: node,
        author: desk.by.label.clone(),
        body: new.body.clone(),
        visibility,
        created_at: desk.changes.at(),
    };
    let summary = match visibility {
        Visibility::Production => "note added".to_owned(),
        Visibility::Engagement => "note added for the engagements that hold it".to_owned(),
    };
    desk.record(Verb::AssetNoted, about(office, node), summary);
    let document = Document::of(&note_row(&note, &note.author))?;
    desk.changes.put(note);
    Ok(Written { document, status: 201, location: None, replayed: false })
}

/// What an entry about a node is about.
fn about(office: &Office, node: NodeId) -> Subject {
    if let Some(scene) = office.scenes.get(&node) {
        return subject(SubjectType::Scene, node.0, format!("Scene {}", scene.number));
    }
    if let Some(character) = office.characters.get(&node) {
        return subject(SubjectType::Character, node.0, &character.name);
    }
    subject(SubjectType::Asset, node.0, office.assets.get(&node).map_or("", |asset| asset.name.as_str()))
}

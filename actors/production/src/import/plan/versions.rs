//! Scene by scene: what a draft makes of it.

use std::collections::{BTreeSet, HashMap};

use serde_json::{Value, json};

use super::super::ParsedScene;
use super::super::limits::MAX_CELL_CHARS;
use super::super::script::same_words;
use super::super::text::tidied;
use super::Desk;
use crate::model::{
    Asset, AssetKind, AssetStatus, Character, Draft, Entity, EntityKey, NodeId, Note, NoteId, Scene, SceneChange,
    SceneText, SceneVersion, Visibility, Words,
};

/// One scene as the office knows it and as the draft has it; one of the two at least is there.
#[derive(Clone, Copy)]
pub(super) struct Compared<'a> {
    pub(super) known: Option<&'a Scene>,
    pub(super) parsed: Option<&'a ParsedScene>,
}

/// The draft being gone through.
pub(super) struct Pages<'a> {
    desk: Desk<'a>,
    draft: Draft,
    /// Characters by name in capitals, those that this draft brings included.
    characters: HashMap<String, NodeId>,
    names: HashMap<NodeId, String>,
    /// The assets that this draft proposes, by code.
    proposed: HashMap<String, NodeId>,
}

impl<'a> Pages<'a> {
    pub(super) fn of(desk: Desk<'a>, draft: Draft) -> Self {
        let known = desk.office.characters().iter();
        let characters = known.clone().map(|character| (character.name.to_uppercase(), character.node_id)).collect();
        let names = known.map(|character| (character.node_id, character.name.clone())).collect();
        Self { desk, draft, characters, names, proposed: HashMap::new() }
    }

    pub(super) fn close(self) -> (Desk<'a>, Draft) {
        (self.desk, self.draft)
    }

    /// Compares one scene and puts down what becomes of it, at this place of the script.
    pub(super) fn turn(&mut self, compared: Compared<'_>, order: u32) {
        match compared {
            Compared { known: Some(known), parsed: None } => self.left_out(known, order),
            Compared { known: Some(known), parsed: Some(parsed) } if parsed.omitted => {
                self.left_out(known, order);
                if known.omitted {
                    self.desk.unchanged();
                }
            }
            Compared { known: Some(known), parsed: Some(parsed) } => self.again(known, parsed, order),
            Compared { known: None, parsed: Some(parsed) } => self.new_scene(parsed, order),
            Compared { known: None, parsed: None } => {}
        }
    }

    /// A scene that the draft does not have any more. It is never deleted: what hangs on it stays.
    fn left_out(&mut self, known: &Scene, order: u32) {
        let mut scene = Scene { script_order: order, ..known.clone() };
        if !known.omitted {
            scene = Scene {
                omitted: true,
                page_eighths: None,
                eighths_estimated: false,
                characters: Vec::new(),
                draft_id: Some(self.draft.id),
                colour: Some(self.draft.colour.clone()),
                ..scene
            };
            self.record(Some(known), &scene, SceneChange::Omitted);
        }
        self.put_scene(Some(known), scene);
    }

    fn new_scene(&mut self, parsed: &ParsedScene, order: u32) {
        let node_id = self.desk.changes.next_id();
        let scene = Scene {
            node_id,
            episode_id: self.draft.episode_id,
            number: parsed.number.clone().unwrap_or_default(),
            script_order: order,
            draft_id: Some(self.draft.id),
            colour: Some(self.draft.colour.clone()),
            ..self.as_parsed(None, node_id, parsed)
        };
        self.record(None, &scene, SceneChange::Added);
        if !parsed.omitted {
            self.put_text(node_id, parsed);
            self.put_notes(node_id, parsed);
        }
        self.put_scene(None, scene);
    }

    /// A scene that both drafts have.
    fn again(&mut self, known: &Scene, parsed: &ParsedScene, order: u32) {
        let node_id = known.node_id;
        let mut scene = Scene { script_order: order, ..self.as_parsed(Some(known), node_id, parsed) };
        let is_revised =
            self.desk.office.text_of(node_id).is_none_or(|before| !same_words(&before.text, &parsed.text()));
        let change = if known.omitted {
            Some(SceneChange::Restored)
        } else if known.heading != scene.heading {
            Some(SceneChange::HeadingChanged)
        } else {
            is_revised.then_some(SceneChange::Revised)
        };
        match change {
            Some(change) => {
                scene.draft_id = Some(self.draft.id);
                scene.colour = Some(self.draft.colour.clone());
                self.record(Some(known), &scene, change);
                self.put_text(node_id, parsed);
            }
            None => self.desk.unchanged(),
        }
        self.put_notes(node_id, parsed);
        self.put_scene(Some(known), scene);
    }

    /// What the draft says of a scene, over what is known of it.
    fn as_parsed(&mut self, known: Option<&Scene>, node_id: NodeId, parsed: &ParsedScene) -> Scene {
        let characters = parsed.speakers().into_iter().map(|name| self.character(name)).collect();
        let said_before = known.filter(|known| !known.eighths_estimated).and_then(|known| known.page_eighths);
        let estimated = (!parsed.omitted).then_some(parsed.page_eighths);
        // A length that an earlier file measured is better than an estimate, as long as the words are the same.
        let unchanged_words =
            || self.desk.office.text_of(node_id).is_some_and(|before| same_words(&before.text, &parsed.text()));
        let (page_eighths, eighths_estimated) = match said_before {
            Some(said) if parsed.eighths_estimated && unchanged_words() => (Some(said), false),
            _ => (estimated, parsed.eighths_estimated),
        };
        Scene {
            node_id,
            episode_id: self.draft.episode_id,
            number: parsed.number.clone().or(known.map(|known| known.number.clone())).unwrap_or_default(),
            heading: parsed.heading.clone(),
            int_ext: parsed.int_ext,
            set_name: parsed.set_name.clone(),
            time_of_day: parsed.time_of_day.clone(),
            page_eighths,
            eighths_estimated,
            script_order: 0,
            synopsis: parsed.synopsis.clone().or(known.and_then(|known| known.synopsis.clone())),
            omitted: parsed.omitted,
            draft_id: known.and_then(|known| known.draft_id),
            colour: known.and_then(|known| known.colour.clone()),
            characters,
        }
    }

    fn character(&mut self, name: &str) -> NodeId {
        let name = name.to_uppercase();
        if let Some(known) = self.characters.get(&name) {
            return *known;
        }
        let node_id: NodeId = self.desk.changes.next_id();
        self.desk.changes.put(Character {
            node_id,
            name: name.clone(),
            cast_number: None,
            actor: None,
            description: None,
        });
        self.names.insert(node_id, name.clone());
        self.characters.insert(name, node_id);
        node_id
    }

    /// Keeps what the draft made of a scene, and says so in the report.
    fn record(&mut self, known: Option<&Scene>, scene: &Scene, change: SceneChange) {
        self.desk.changes.put(SceneVersion {
            draft_id: self.draft.id,
            node_id: scene.node_id,
            change,
            number: scene.number.clone(),
            heading: scene.heading.clone(),
            page_eighths: scene.page_eighths,
            characters: scene.characters.clone(),
        });
        let said = self.said(known, scene, change);
        match change {
            SceneChange::Added => self.desk.added(said),
            SceneChange::Omitted => self.desk.omitted(said),
            SceneChange::Restored | SceneChange::Revised | SceneChange::HeadingChanged => self.desk.updated(said),
        }
    }

    /// A change in the shape of `/script-changes`.
    fn said(&self, known: Option<&Scene>, scene: &Scene, change: SceneChange) -> Value {
        let before: BTreeSet<NodeId> = known.into_iter().flat_map(|known| &known.characters).copied().collect();
        let names =
            |nodes: Vec<NodeId>| nodes.iter().filter_map(|node| self.names.get(node)).cloned().collect::<Vec<_>>();
        let came = scene.characters.iter().filter(|node| !before.contains(node)).copied().collect();
        let went = known
            .into_iter()
            .flat_map(|known| &known.characters)
            .filter(|node| !scene.characters.contains(node))
            .copied()
            .collect();
        json!({
            "node_id": scene.node_id,
            "number": scene.number,
            "change": change,
            "eighths_before": known.and_then(|known| known.page_eighths),
            "eighths_after": scene.page_eighths,
            "characters_added": names(came),
            "characters_removed": names(went),
            "scheduled": self.desk.office.by.days_of_scene.count(&scene.node_id) > 0,
        })
    }

    fn put_scene(&mut self, known: Option<&Scene>, scene: Scene) {
        if known != Some(&scene) {
            self.desk.changes.put(scene);
        }
    }

    fn put_text(&mut self, node_id: NodeId, parsed: &ParsedScene) {
        self.desk.changes.put(SceneText { draft_id: self.draft.id, node_id, text: parsed.text() });
    }

    /// Notes and tagged things of a scene: those that name a kind of asset propose one, the others stay notes.
    fn put_notes(&mut self, node_id: NodeId, parsed: &ParsedScene) {
        for note in &parsed.notes {
            match note.tag.as_deref().and_then(kind_named) {
                Some(kind) => self.propose(node_id, note.line, kind, &note.text),
                None => {
                    let body =
                        note.tag.as_ref().map_or_else(|| note.text.clone(), |tag| format!("{tag}: {}", note.text));
                    self.put_note(node_id, body);
                }
            }
        }
        for tagged in &parsed.tagged {
            // Who speaks is known from the dialogue.
            if !is_cast(&tagged.category) {
                self.propose(node_id, tagged.line, kind_of_category(&tagged.category), &tagged.label);
            }
        }
    }

    /// Keeps a note of the script, unless an earlier draft brought it.
    fn put_note(&mut self, node_id: NodeId, body: String) {
        let office = self.desk.office;
        let mut known = office.by.notes_of_node.of(&node_id).filter_map(|id| office.notes.get(&id));
        if known.any(|note| note.body == body) {
            return;
        }
        let note = Note {
            id: self.desk.changes.next_id::<NoteId>(),
            node_id,
            author: format!("Script, {}", self.draft.colour),
            body,
            visibility: Visibility::Production,
            created_at: self.desk.changes.at(),
        };
        self.desk.changes.put(note);
    }

    /// Proposes an asset that the script names, or adds the scene to the one that has its code already.
    fn propose(&mut self, node_id: NodeId, line: u32, kind: AssetKind, text: &str) {
        // What follows a comma is how many and how, not what.
        let name = tidied(text.split([',', ';', '.']).find(|part| !part.trim().is_empty()).unwrap_or(text));
        let code = code_of(&name);
        if code.is_empty() {
            return self.desk.warn(
                line,
                format!("`{}` has no word to make a code of; no asset was proposed.", super::rows::shown(text)),
            );
        }
        let at = self.desk.changes.at();
        let known = self.desk.office.asset_coded(&code).map(|asset| asset.node_id);
        let planned = self.proposed.get(&code).copied();
        if let Some(asset_id) = planned.or(known) {
            let kept = match self.desk.changes.get(&EntityKey::Asset(asset_id)) {
                Some(Entity::Asset(asset)) => Some(asset.clone()),
                _ => self.desk.office.assets().get(&asset_id).cloned(),
            };
            if let Some(mut asset) = kept.filter(|asset| !asset.scenes.contains(&node_id)) {
                asset.scenes.push(node_id);
                asset.updated_at = at;
                self.desk.changes.put(asset);
            }
            return;
        }
        let description = (name != tidied(text)).then(|| text.chars().take(MAX_CELL_CHARS).collect());
        let asset_id: NodeId = self.desk.changes.next_id();
        let asset = Asset {
            node_id: asset_id,
            code: code.clone(),
            name,
            kind,
            department: self.department_for(kind),
            status: AssetStatus::Planned,
            description,
            engagement_id: None,
            scenes: vec![node_id],
            characters: Vec::new(),
            created_at: at,
            updated_at: at,
        };
        self.desk.changes.put(asset);
        self.proposed.insert(code.clone(), asset_id);
        self.desk.warn(line, format!("the script names something new: asset `{code}` ({kind}) was proposed."));
    }

    /// The department that is called like the kind, in one or in many: `vfx`, `props`.
    fn department_for(&self, kind: AssetKind) -> Option<String> {
        let departments = self.desk.office.departments();
        let (one, many) = (kind.as_str().to_owned(), format!("{kind}s"));
        [one, many].into_iter().find(|slug| departments.get(slug).is_some())
    }
}

/// The kind of asset that a note's tag names, in any case: `VFX`, `Set dressing`, also in the plural.
fn kind_named(tag: &str) -> Option<AssetKind> {
    let tag = tag.to_lowercase().replace([' ', '-'], "_");
    let kind = AssetKind::named(&tag).or_else(|| AssetKind::named(tag.strip_suffix('s')?))?;
    (kind != AssetKind::Character).then_some(kind)
}

fn is_cast(category: &str) -> bool {
    category.to_lowercase().starts_with("cast")
}

/// The kind of asset behind a category of a breakdown. What no kind is made for is `other`.
fn kind_of_category(category: &str) -> AssetKind {
    let category = category.to_lowercase();
    let words = [
        ("prop", AssetKind::Prop),
        ("set dressing", AssetKind::SetDressing),
        ("greenery", AssetKind::SetDressing),
        ("set", AssetKind::Set),
        ("wardrobe", AssetKind::Costume),
        ("costume", AssetKind::Costume),
        ("makeup", AssetKind::Makeup),
        ("make-up", AssetKind::Makeup),
        ("hair", AssetKind::Makeup),
        ("vehicle", AssetKind::Vehicle),
        ("animal", AssetKind::Animal),
        ("livestock", AssetKind::Animal),
        ("weapon", AssetKind::Weapon),
        ("visual effect", AssetKind::Vfx),
        ("vfx", AssetKind::Vfx),
        ("special effect", AssetKind::Sfx),
        ("mechanical effect", AssetKind::Sfx),
        ("sfx", AssetKind::Sfx),
        ("stunt", AssetKind::Stunt),
        ("music", AssetKind::Music),
        ("sound", AssetKind::Music),
        ("graphic", AssetKind::Graphic),
        ("location", AssetKind::Location),
        ("extra", AssetKind::Extra),
        ("background", AssetKind::Extra),
    ];
    words.into_iter().find(|(word, _)| category.contains(word)).map_or(AssetKind::Other, |(_, kind)| kind)
}

/// A code from a name: its words in lower case with hyphens between.
fn code_of(name: &str) -> String {
    let mut code = String::new();
    for word in name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        if code.len() + word.len() > 60 {
            break;
        }
        if !code.is_empty() {
            code.push('-');
        }
        code.push_str(&word.to_lowercase());
    }
    code
}

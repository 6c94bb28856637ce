//! The way through a Final Draft file, element by element.

use std::collections::HashSet;

use super::super::heading::{normal_number, parts, says_omitted};
use super::super::layout::estimated_eighths;
use super::super::limits::{
    MAX_CELL_CHARS, MAX_HEADING_CHARS, MAX_NAME_CHARS, MAX_PARAGRAPH_CHARS, MAX_SCENE_NUMBER_CHARS, MAX_SCENES,
};
use super::super::text::{tidied, within};
use super::super::{Element, ElementKind, ImportFault, ParsedScene, ParsedScript, Tagged, Warning};
use super::Attributes;
use super::paragraph::{Kind, Paragraph, eighths};
use super::tags::TagData;
use crate::model::DraftSource;

/// Where in the file the reader stands: what the innermost open element is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Script,
    Content,
    Paragraph,
    DualDialogue,
    /// A run of the innermost paragraph.
    Run,
    SceneProperties,
    /// A scene's summary, and everything within.
    Summary,
    /// A note of the innermost paragraph, and everything within.
    Note,
    TagData,
    /// The definition that a tag names.
    DefinitionId,
    /// Not ours, with everything in it: title page, omitted scenes, settings of the program.
    Elsewhere,
}

/// A tag on words of a scene, to be looked up once the definitions are known.
struct TagUse {
    scene: usize,
    line: u32,
    number: String,
}

/// What was read so far.
pub(super) struct Walk {
    script: ParsedScript,
    places: Vec<Place>,
    /// The open paragraphs; a second one stands within the first one's dual dialogue.
    paragraphs: Vec<Paragraph>,
    /// How many cues the open dual dialogue has had.
    n_dual_cues: usize,
    tag_data: TagData,
    tag_uses: Vec<TagUse>,
    definition_id: String,
    n_loose_notes: usize,
}

impl Walk {
    pub(super) fn new() -> Self {
        let script = ParsedScript {
            source: DraftSource::Fdx,
            title_page: Vec::new(),
            preamble: Vec::new(),
            scenes: Vec::new(),
            warnings: Vec::new(),
        };
        Self {
            script,
            places: Vec::new(),
            paragraphs: Vec::new(),
            n_dual_cues: 0,
            tag_data: TagData::default(),
            tag_uses: Vec::new(),
            definition_id: String::new(),
            n_loose_notes: 0,
        }
    }

    /// How many elements are open.
    pub(super) fn depth(&self) -> usize {
        self.places.len()
    }

    pub(super) fn open(&mut self, line: u32, name: &str, attributes: &Attributes<'_>) -> Result<(), ImportFault> {
        let place = match (self.places.last(), name) {
            (None, "FinalDraft") => Place::Script,
            (None, other) => {
                let message = format!("the file is no Final Draft script: it starts with <{}>.", tidied(other));
                return Err(ImportFault::at(line, message));
            }
            (Some(Place::Script), "Content") => Place::Content,
            (Some(Place::Script), "TagData") => Place::TagData,
            (Some(Place::Content | Place::DualDialogue), "Paragraph") => {
                let paragraph_type = attributes.get("Type").unwrap_or_default();
                let number = attributes.get("Number").map(|number| normal_number(&number));
                self.paragraphs.push(Paragraph { line, paragraph_type, number, ..Paragraph::default() });
                Place::Paragraph
            }
            (Some(Place::Paragraph), "DualDialogue") => {
                self.n_dual_cues = 0;
                Place::DualDialogue
            }
            (Some(Place::Paragraph), "Text") => {
                self.tag(attributes);
                Place::Run
            }
            (Some(Place::Paragraph), "SceneProperties") => {
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.length = attributes.get("Length");
                    paragraph.page = attributes.get("Page").and_then(|page| page.parse().ok());
                }
                Place::SceneProperties
            }
            (Some(Place::Paragraph), "ScriptNote") => {
                if let Some(paragraph) = self.paragraphs.last_mut() {
                    paragraph.notes.push(String::new());
                }
                Place::Note
            }
            (Some(Place::SceneProperties), "Summary") => Place::Summary,
            (Some(place @ (Place::Summary | Place::Note)), _) => *place,
            (Some(Place::TagData), "DefId") => {
                self.definition_id.clear();
                Place::DefinitionId
            }
            (Some(Place::TagData), _) => {
                self.tag_data.open(name, attributes);
                Place::TagData
            }
            (Some(_), _) => {
                self.n_loose_notes += usize::from(name == "ScriptNote");
                Place::Elsewhere
            }
        };
        self.places.push(place);
        Ok(())
    }

    fn tag(&mut self, attributes: &Attributes<'_>) {
        let Some(paragraph) = self.paragraphs.last_mut() else { return };
        for number in attributes.get("TagNumber").iter().flat_map(|numbers| numbers.split([',', ' '])) {
            if !number.is_empty() {
                paragraph.tags.push(number.to_owned());
            }
        }
    }

    pub(super) fn text(&mut self, text: &str) {
        if self.places.last() == Some(&Place::DefinitionId) {
            self.definition_id.push_str(text);
        }
        let Some(paragraph) = self.paragraphs.last_mut() else { return };
        match self.places.last() {
            Some(Place::Run) => paragraph.text.push_str(text),
            Some(Place::Summary) => paragraph.summary.push_str(text),
            Some(Place::Note) => {
                if let Some(note) = paragraph.notes.last_mut() {
                    note.push_str(text);
                }
            }
            _ => {}
        }
    }

    pub(super) fn close(&mut self) -> Result<(), ImportFault> {
        match self.places.pop() {
            Some(Place::Paragraph) => {
                let in_dual = self.places.last() == Some(&Place::DualDialogue);
                if let Some(paragraph) = self.paragraphs.pop() {
                    return self.take(paragraph, in_dual);
                }
            }
            Some(Place::DefinitionId) => self.tag_data.point_at(&self.definition_id),
            _ => {}
        }
        Ok(())
    }

    /// Puts an ended paragraph where it belongs.
    fn take(&mut self, paragraph: Paragraph, in_dual: bool) -> Result<(), ImportFault> {
        let line = paragraph.line;
        match paragraph.kind() {
            Kind::Heading => self.open_scene(&paragraph)?,
            Kind::Nothing => {}
            Kind::Element(mut kind) => {
                if let ElementKind::Cue { name, dual } = &mut kind {
                    within(name, MAX_NAME_CHARS, "the name", line)?;
                    *dual = in_dual && self.n_dual_cues > 0;
                    self.n_dual_cues += usize::from(in_dual);
                }
                let text = paragraph.lines();
                within(&text, MAX_PARAGRAPH_CHARS, "the paragraph", line)?;
                let ParsedScript { preamble, scenes, .. } = &mut self.script;
                let elements = scenes.last_mut().map_or(preamble, |scene| &mut scene.elements);
                elements.push(Element { line, kind, text });
            }
        }
        if let Some(scene) = self.script.scenes.last_mut() {
            let (short, long): (Vec<_>, Vec<_>) =
                paragraph.parsed_notes().partition(|note| note.text.chars().count() <= MAX_CELL_CHARS);
            scene.notes.extend(short);
            self.script.warnings.extend(long.iter().map(|note| {
                Warning::at(note.line, format!("the note is longer than {MAX_CELL_CHARS} characters and was left out."))
            }));
            let scene = self.script.scenes.len() - 1;
            self.tag_uses.extend(paragraph.tags.into_iter().map(|number| TagUse { scene, line, number }));
        }
        Ok(())
    }

    fn open_scene(&mut self, paragraph: &Paragraph) -> Result<(), ImportFault> {
        let line = paragraph.line;
        if self.script.scenes.len() == MAX_SCENES {
            return Err(ImportFault::at(line, format!("more than {MAX_SCENES} scenes.")));
        }
        let heading = tidied(&paragraph.text);
        within(&heading, MAX_HEADING_CHARS, "the heading", line)?;
        if let Some(number) = &paragraph.number {
            within(number, MAX_SCENE_NUMBER_CHARS, "the scene number", line)?;
        }
        if heading.is_empty() && paragraph.number.is_none() {
            self.script.warnings.push(Warning::at(line, "an empty scene heading was left out."));
            return Ok(());
        }
        let omitted = says_omitted(&heading);
        let mut scene = ParsedScene::under(line, paragraph.number.clone(), parts(&heading), omitted);
        if let Some(length) = paragraph.length.as_deref().filter(|_| !omitted) {
            match eighths(length) {
                Some(eighths) => scene.page_eighths = eighths,
                None => self.script.warnings.push(Warning::at(
                    line,
                    format!("the length `{}` is not one such as 1 3/8; it was estimated.", short(length)),
                )),
            }
        }
        scene.page = paragraph.page;
        let summary = tidied(&paragraph.summary);
        scene.synopsis = (!summary.is_empty()).then(|| summary.chars().take(MAX_CELL_CHARS).collect());
        self.script.scenes.push(scene);
        Ok(())
    }

    /// The script, with lengths estimated where none was said and the tags looked up.
    pub(super) fn finish(mut self) -> Result<ParsedScript, ImportFault> {
        if self.script.scenes.is_empty() {
            return Err(ImportFault::general(
                "No scene heading was found; is it a script, and not an outline or a template?",
            ));
        }
        for scene in self.script.scenes.iter_mut().filter(|scene| !scene.omitted && scene.page_eighths == 0) {
            scene.page_eighths = estimated_eighths(&scene.elements);
            scene.eighths_estimated = true;
        }
        let mut seen = HashSet::new();
        for TagUse { scene, line, number } in &self.tag_uses {
            let Some((category, label)) = self.tag_data.find(number) else { continue };
            if let Some(of) = self.script.scenes.get_mut(*scene)
                && seen.insert((*scene, category, label))
            {
                let (category, label) = (category.to_owned(), label.chars().take(MAX_NAME_CHARS).collect());
                of.tagged.push(Tagged { line: *line, category, label });
            }
        }
        if self.n_loose_notes > 0 {
            let message =
                format!("{} note(s) stand beside the script, not in it, and were left out.", self.n_loose_notes);
            self.script.warnings.push(Warning::general(message));
        }
        Ok(self.script)
    }
}

fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

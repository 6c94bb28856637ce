//! Screenplays in Fountain: plain text in which the shape of a line says what it is.
//!
//! Three passes. [`cut`] takes comments and notes out and remembers where lines were; [`title_page`] reads the keys at the top; [`Reader`]
//! goes through the rest line by line. A line is judged by itself, by whether blank lines stand around it, and by whether somebody is
//! speaking, so no pass looks further than one line ahead and the time is linear in the bytes.
//!
//! The published crates were looked at: the parsers among them keep no line numbers, and either drop notes and comments or bring a PDF
//! writer along; a breakdown needs both, and the rules are few.

mod cut;
mod title_page;

use self::cut::{Cut, Line, Note, cut};
use super::heading::{is_natural_heading, parts, says_omitted, split_number};
use super::layout::estimated_eighths;
use super::limits::{
    MAX_CELL_CHARS, MAX_HEADING_CHARS, MAX_NAME_CHARS, MAX_PARAGRAPH_CHARS, MAX_SCENE_NUMBER_CHARS, MAX_SCENES,
};
use super::script::{cue_name, note_parts};
use super::text::{decode, grown_within, tidied, with_plain_line_ends, within};
use super::{Element, ElementKind, ImportFault, ParsedNote, ParsedScene, ParsedScript, Warning};
use crate::model::DraftSource;

/// Reads a screenplay.
///
/// # Errors
/// [`ImportFault::TooLarge`]; [`ImportFault::Unreadable`] for what is not text, has no scene heading, or passes a limit.
pub fn read_fountain(bytes: &[u8]) -> Result<ParsedScript, ImportFault> {
    let text = with_plain_line_ends(decode(bytes)?);
    let Cut { lines, notes, warnings } = cut(&text);
    let (title_page, n_title_lines) = title_page::read(&lines);
    let mut reader = Reader::new(&lines[n_title_lines..], notes, warnings);
    reader.read()?;
    let mut script = reader.finish();
    script.title_page = title_page;
    if script.scenes.is_empty() {
        return Err(ImportFault::general(
            "No scene heading was found. A heading starts with INT. or EXT. after a blank line, or with a full stop.",
        ));
    }
    Ok(script)
}

/// Goes through the lines below the title page.
struct Reader<'a> {
    lines: &'a [Line],
    /// The notes not yet given to a scene, in order of their lines.
    notes: std::iter::Peekable<std::vec::IntoIter<Note>>,
    script: ParsedScript,
    /// Whether the line before belongs to somebody's speech.
    in_speech: bool,
    /// Whether the line before belongs to a paragraph of action that this one goes on.
    in_action: bool,
}

impl<'a> Reader<'a> {
    fn new(lines: &'a [Line], notes: Vec<Note>, warnings: Vec<Warning>) -> Self {
        let script = ParsedScript {
            source: DraftSource::Fountain,
            title_page: Vec::new(),
            preamble: Vec::new(),
            scenes: Vec::new(),
            warnings,
        };
        Self { lines, notes: notes.into_iter().peekable(), script, in_speech: false, in_action: false }
    }

    fn read(&mut self) -> Result<(), ImportFault> {
        for at in 0..self.lines.len() {
            let line = &self.lines[at];
            if line.is_blank() {
                // Two blanks on an empty line keep a speech going over it.
                self.in_speech &= line.text.len() >= 2;
                self.in_action = false;
                continue;
            }
            self.read_line(at, line)?;
        }
        Ok(())
    }

    fn read_line(&mut self, at: usize, line: &Line) -> Result<(), ImportFault> {
        let text = line.text.trim();
        let after_blank = at == 0 || self.lines[at - 1].is_blank();
        let before_blank = self.lines.get(at + 1).is_none_or(Line::is_blank);
        if let Some(heading) = forced_heading(text, after_blank) {
            return self.open_scene(line.number, heading);
        }
        if self.in_speech {
            return self.speech_line(line.number, text);
        }
        let goes_on = std::mem::take(&mut self.in_action);
        if let Some(action) = text.strip_prefix('!') {
            return self.action(line.number, action, goes_on);
        }
        if text.starts_with("===") && text.chars().all(|c| c == '=') || text.starts_with('#') {
            // A page break, or a section of the outline.
            return Ok(());
        }
        if let Some(synopsis) = text.strip_prefix('=') {
            self.synopsis(synopsis);
            return Ok(());
        }
        if after_blank && is_natural_heading(text) {
            return self.open_scene(line.number, text);
        }
        if let Some(rest) = text.strip_prefix('>') {
            return match rest.strip_suffix('<') {
                Some(centred) => self.action(line.number, centred, false),
                None => self.push(line.number, ElementKind::Transition, tidied(rest)),
            };
        }
        if let Some(sung) = text.strip_prefix('~') {
            return self.push(line.number, ElementKind::Dialogue, tidied(sung));
        }
        if let Some(forced) = text.strip_prefix('@')
            && let Some(name) = cue_name(forced)
        {
            return self.cue(line.number, name, forced);
        }
        if after_blank
            && !before_blank
            && is_capitals(text)
            && let Some(name) = cue_name(text)
        {
            return self.cue(line.number, name, text);
        }
        if after_blank && before_blank && is_capitals(text) && text.ends_with("TO:") {
            return self.push(line.number, ElementKind::Transition, tidied(text));
        }
        self.action(line.number, text, goes_on)
    }

    fn open_scene(&mut self, line: u32, heading: &str) -> Result<(), ImportFault> {
        (self.in_speech, self.in_action) = (false, false);
        self.close_scene(line);
        if self.script.scenes.len() == MAX_SCENES {
            return Err(ImportFault::at(line, format!("more than {MAX_SCENES} scenes.")));
        }
        within(heading, MAX_HEADING_CHARS, "the heading", line)?;
        let (heading, number) = split_number(heading);
        if let Some(number) = &number {
            within(number, MAX_SCENE_NUMBER_CHARS, "the scene number", line)?;
        }
        let omitted = says_omitted(heading);
        self.script.scenes.push(ParsedScene::under(line, number, parts(heading), omitted));
        Ok(())
    }

    /// Gives the notes above `line` to the scene that is open, and works its length out.
    fn close_scene(&mut self, line: u32) {
        let mut notes = Vec::new();
        while let Some(note) = self.notes.next_if(|note| note.line < line) {
            let (tag, text) = note_parts(&note.text);
            if text.is_empty() {
                continue;
            }
            if text.chars().count() > MAX_CELL_CHARS {
                let message = format!("the note is longer than {MAX_CELL_CHARS} characters and was left out.");
                self.script.warnings.push(Warning::at(note.line, message));
                continue;
            }
            notes.push(ParsedNote { line: note.line, tag, text });
        }
        match self.script.scenes.last_mut() {
            Some(scene) => {
                scene.notes = notes;
                if !scene.omitted {
                    scene.page_eighths = estimated_eighths(&scene.elements);
                    scene.eighths_estimated = true;
                }
            }
            None => {
                self.script.warnings.extend(notes.iter().map(|note| {
                    Warning::at(note.line, "a note before the first scene belongs to none and was left out.")
                }))
            }
        }
    }

    fn speech_line(&mut self, line: u32, text: &str) -> Result<(), ImportFault> {
        if text.starts_with('(') && text.ends_with(')') {
            return self.push(line, ElementKind::Parenthetical, tidied(text));
        }
        let spoken = tidied(text.strip_prefix('~').unwrap_or(text));
        if let Some(Element { kind: ElementKind::Dialogue, text, .. }) = self.elements().last_mut() {
            text.push('\n');
            text.push_str(&spoken);
            return grown_within(text, MAX_PARAGRAPH_CHARS, "the speech", line);
        }
        self.push(line, ElementKind::Dialogue, spoken)
    }

    fn action(&mut self, line: u32, text: &str, goes_on: bool) -> Result<(), ImportFault> {
        self.in_action = true;
        let seen = tidied(text);
        if goes_on && let Some(Element { kind: ElementKind::Action, text, .. }) = self.elements().last_mut() {
            text.push('\n');
            text.push_str(&seen);
            return grown_within(text, MAX_PARAGRAPH_CHARS, "the paragraph", line);
        }
        self.push(line, ElementKind::Action, seen)
    }

    fn cue(&mut self, line: u32, name: String, cue: &str) -> Result<(), ImportFault> {
        within(&name, MAX_NAME_CHARS, "the name", line)?;
        self.in_speech = true;
        let cue = cue.trim_end();
        let spoken_beside = cue.strip_suffix('^');
        let kind = ElementKind::Cue { name, dual: spoken_beside.is_some() };
        self.push(line, kind, tidied(spoken_beside.unwrap_or(cue)))
    }

    /// A synopsis belongs to the heading above it; further down it is a remark of the outline.
    fn synopsis(&mut self, text: &str) {
        let Some(scene) = self.script.scenes.last_mut().filter(|scene| scene.elements.is_empty()) else { return };
        let text = tidied(text);
        match &mut scene.synopsis {
            _ if text.is_empty() => {}
            Some(synopsis) if synopsis.len() + text.len() < MAX_CELL_CHARS => {
                synopsis.push(' ');
                synopsis.push_str(&text);
            }
            Some(_) => {}
            none => *none = Some(text.chars().take(MAX_CELL_CHARS).collect()),
        }
    }

    fn push(&mut self, line: u32, kind: ElementKind, text: String) -> Result<(), ImportFault> {
        within(&text, MAX_PARAGRAPH_CHARS, "the paragraph", line)?;
        self.elements().push(Element { line, kind, text });
        Ok(())
    }

    fn elements(&mut self) -> &mut Vec<Element> {
        let ParsedScript { preamble, scenes, .. } = &mut self.script;
        scenes.last_mut().map_or(preamble, |scene| &mut scene.elements)
    }

    fn finish(mut self) -> ParsedScript {
        self.close_scene(u32::MAX);
        self.script
    }
}

/// What a line forces to be a heading: one full stop, then a letter, or after a blank line a digit (`.45` in a speech is none).
fn forced_heading(text: &str, after_blank: bool) -> Option<&str> {
    let heading = text.strip_prefix('.')?.trim_start();
    let first = heading.chars().next()?;
    (first.is_alphabetic() || first.is_numeric() && after_blank).then_some(heading)
}

/// Whether a line is in capitals outside brackets, with one letter at least.
fn is_capitals(text: &str) -> bool {
    let (mut depth, mut n_letters) = (0_u32, 0_u32);
    for c in text.chars() {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            _ if c.is_lowercase() => return false,
            _ => n_letters += u32::from(c.is_alphabetic()),
        }
    }
    n_letters > 0
}

#[cfg(test)]
mod tests;

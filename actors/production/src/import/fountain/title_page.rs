//! The keys at the top of a script: `Title: KESTREL`.

use super::super::heading::is_natural_heading;
use super::super::limits::MAX_CELL_CHARS;
use super::super::text::tidied;
use super::cut::Line;

/// Keys of a title page that are read; a page with more is cut here.
const MAX_KEYS: usize = 50;

/// Reads the title page; answers its keys with their values, and how many lines it takes.
///
/// It stands at the very top and ends at the first blank line. The value of a key may go on in indented lines.
pub(super) fn read(lines: &[Line]) -> (Vec<(String, String)>, usize) {
    let start = lines.iter().take_while(|line| line.is_blank()).count();
    let mut keys: Vec<(String, String)> = Vec::new();
    for (at, line) in lines.iter().enumerate().skip(start) {
        if line.is_blank() {
            return (keys, at);
        }
        let indented = line.text.starts_with([' ', '\t']);
        if indented && let Some((_, value)) = keys.last_mut() {
            add(value, &line.text);
            continue;
        }
        match key_of(&line.text) {
            Some((key, value)) if keys.len() < MAX_KEYS => {
                let mut first = String::new();
                add(&mut first, value);
                keys.push((key.to_owned(), first));
            }
            // Not a title page after all, or the script starts right below it.
            _ => return (keys, at),
        }
    }
    (keys, lines.len())
}

fn add(value: &mut String, line: &str) {
    let line = tidied(line);
    if line.is_empty() || value.len() + line.len() > MAX_CELL_CHARS {
        return;
    }
    if !value.is_empty() {
        value.push(' ');
    }
    value.push_str(&line);
}

/// The key and the rest of a line such as `Draft date: 2026-09-01`. A heading or `FADE IN:` is none.
fn key_of(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let key = key.trim();
    let is_key = key.chars().next().is_some_and(char::is_alphabetic)
        && key.len() <= 40
        && key.chars().all(|c| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-'));
    let is_transition =
        value.trim().is_empty() && !key.chars().any(char::is_lowercase) && (key.ends_with("IN") || key.ends_with("TO"));
    (is_key && !is_transition && !is_natural_heading(line)).then_some((key, value))
}

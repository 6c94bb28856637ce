//! How long a scene is on paper, for scripts that do not say.

use super::limits::MAX_PARAGRAPH_CHARS;
use super::{Element, ElementKind};

/// Lines of a page of a screenplay in 12 point Courier.
const LINES_A_PAGE: u32 = 55;
/// Characters of a line of action.
const ACTION_COLUMNS: usize = 60;
/// Characters of a line of dialogue.
const DIALOGUE_COLUMNS: usize = 35;
/// Characters of a line of a parenthetical.
const PARENTHETICAL_COLUMNS: usize = 25;
/// The heading and the blank line below it.
const HEADING_LINES: u32 = 2;

/// The length in eighths of a page: lines laid out, rounded to the nearest eighth, at least one.
pub(super) fn estimated_eighths(elements: &[Element]) -> u32 {
    let n_lines: u32 = HEADING_LINES + elements.iter().map(lines_of).sum::<u32>();
    let eighths = (n_lines * 8 + LINES_A_PAGE / 2) / LINES_A_PAGE;
    eighths.max(1)
}

/// The lines of a paragraph with the blank line above it, which a speech has once, above its cue.
fn lines_of(element: &Element) -> u32 {
    let (columns, n_blank) = match element.kind {
        ElementKind::Action => (ACTION_COLUMNS, 1),
        ElementKind::Cue { dual, .. } => (DIALOGUE_COLUMNS, u32::from(!dual)),
        ElementKind::Parenthetical => (PARENTHETICAL_COLUMNS, 0),
        ElementKind::Dialogue => (DIALOGUE_COLUMNS, 0),
        ElementKind::Transition => (ACTION_COLUMNS, 1),
    };
    n_blank + element.text.lines().map(|line| wrapped(line, columns)).sum::<u32>().max(1)
}

/// How many lines of that width the words of a line fill.
fn wrapped(line: &str, columns: usize) -> u32 {
    let (mut n_lines, mut column) = (1_u32, 0_usize);
    for word in line.split_whitespace() {
        let width = word.chars().take(MAX_PARAGRAPH_CHARS).count();
        if column > 0 && column + 1 + width > columns {
            n_lines += 1;
            column = 0;
        }
        column += width + usize::from(column > 0);
    }
    n_lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn action(text: &str) -> Element {
        Element { line: 1, kind: ElementKind::Action, text: text.to_owned() }
    }

    #[test]
    fn a_scene_is_never_shorter_than_an_eighth() {
        assert_eq!(estimated_eighths(&[]), 1);
        assert_eq!(estimated_eighths(&[action("He waits.")]), 1);
    }

    #[test]
    fn a_page_has_fifty_five_lines() {
        // The heading's two lines, and 53 more: 26 paragraphs of one line with a blank line each, and one line.
        let mut elements = vec![action("One line."); 26];
        elements.push(action(""));
        assert_eq!(estimated_eighths(&elements), 8);
    }

    #[test]
    fn lines_wrap_between_words() {
        assert_eq!(wrapped(&"word ".repeat(12), ACTION_COLUMNS), 1);
        assert_eq!(wrapped(&"word ".repeat(13), ACTION_COLUMNS), 2);
        assert_eq!(wrapped("", ACTION_COLUMNS), 1);
    }
}

//! Takes comments and notes out of a script, and keeps count of the lines.

use super::super::Warning;

/// A line of what is left.
pub(super) struct Line {
    /// Its number in the file, counted from 1.
    pub(super) number: u32,
    /// Its text, without the line end.
    pub(super) text: String,
}

impl Line {
    pub(super) fn is_blank(&self) -> bool {
        self.text.chars().all(char::is_whitespace)
    }
}

/// What stood between `[[` and `]]`.
pub(super) struct Note {
    /// The line it starts on.
    pub(super) line: u32,
    /// Its text, line ends and all.
    pub(super) text: String,
}

/// A script taken apart.
pub(super) struct Cut {
    pub(super) lines: Vec<Line>,
    pub(super) notes: Vec<Note>,
    pub(super) warnings: Vec<Warning>,
}

/// Takes `/* comments */` and `[[notes]]` out.
///
/// A line on which nothing else stood is gone, not blank: a speech goes on below a comment. What is opened and never closed stays in the text, so
/// that a slip of the pen does not swallow the rest of the script; a note does not reach over a blank line.
pub(super) fn cut(text: &str) -> Cut {
    let mut cutter = Cutter {
        cut: Cut { lines: Vec::new(), notes: Vec::new(), warnings: Vec::new() },
        line: String::new(),
        number: 1,
        was_cut: false,
    };
    let (mut comment_ends, mut note_ends, mut blank_lines) = (Ahead::of("*/"), Ahead::of("]]"), Ahead::of("\n\n"));
    let mut at = 0;
    while let Some(found) = text[at..].find(['/', '[']) {
        let open = at + found;
        let inner = open + 2;
        let opener = text.get(open..inner);
        let close = match opener {
            Some("/*") => comment_ends.from(text, inner),
            Some("[[") => {
                let close = note_ends.from(text, inner);
                close.filter(|close| blank_lines.from(text, inner).is_none_or(|blank| blank > *close))
            }
            _ => {
                cutter.keep(&text[at..=open]);
                at = open + 1;
                continue;
            }
        };
        cutter.keep(&text[at..open]);
        match close {
            Some(close) => {
                if opener == Some("[[") {
                    cutter.cut.notes.push(Note { line: cutter.number, text: text[inner..close].to_owned() });
                }
                cutter.leave_out(&text[open..close]);
                at = close + 2;
            }
            None => {
                let what =
                    if opener == Some("/*") { "the comment is never closed" } else { "the note is never closed" };
                cutter.warn_once(format!("{what}; it was read as text."));
                cutter.keep(&text[open..inner]);
                at = inner;
            }
        }
    }
    cutter.keep(&text[at..]);
    cutter.end_line();
    cutter.cut
}

struct Cutter {
    cut: Cut,
    /// The line being put together.
    line: String,
    /// Its number.
    number: u32,
    /// Whether something was taken out of it.
    was_cut: bool,
}

impl Cutter {
    fn keep(&mut self, text: &str) {
        let mut pieces = text.split('\n');
        self.line.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            self.end_line();
            self.line.push_str(piece);
        }
    }

    fn leave_out(&mut self, text: &str) {
        self.was_cut = true;
        for _ in text.matches('\n') {
            self.end_line();
            self.was_cut = true;
        }
    }

    fn end_line(&mut self) {
        let line = Line { number: self.number, text: std::mem::take(&mut self.line) };
        if !(self.was_cut && line.is_blank()) {
            self.cut.lines.push(line);
        }
        self.number = self.number.saturating_add(1);
        self.was_cut = false;
    }

    /// One warning a line is enough, and one about each thing that is never closed.
    fn warn_once(&mut self, message: String) {
        let known = self.cut.warnings.iter().any(|warning| warning.message == message);
        if !known {
            self.cut.warnings.push(Warning::at(self.number, message));
        }
    }
}

/// Finds the next place of a mark from ever later points, searching each byte of the text once.
struct Ahead {
    mark: &'static str,
    /// The last place found and where it was searched from, once it was searched; no place means that there is none any more.
    found: Option<Option<usize>>,
}

impl Ahead {
    fn of(mark: &'static str) -> Self {
        Self { mark, found: None }
    }

    fn from(&mut self, text: &str, from: usize) -> Option<usize> {
        match self.found {
            Some(None) => None,
            Some(Some(place)) if place >= from => Some(place),
            _ => {
                let place = text.get(from..).and_then(|rest| rest.find(self.mark)).map(|place| from + place);
                self.found = Some(place);
                place
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str) -> Vec<(u32, String)> {
        cut(text).lines.into_iter().map(|line| (line.number, line.text)).collect()
    }

    fn lines(expected: &[(u32, &str)]) -> Vec<(u32, String)> {
        expected.iter().map(|(number, text)| (*number, (*text).to_owned())).collect()
    }

    #[test]
    fn lines_keep_their_numbers_below_a_comment() {
        assert_eq!(left("one /* a\nb\nc */ two\nthree"), lines(&[(1, "one "), (3, " two"), (4, "three")]));
    }

    #[test]
    fn a_line_of_which_nothing_is_left_is_gone_and_a_blank_one_stays() {
        assert_eq!(left("A\n/* x */\nB\n\n[[n]]\nC"), lines(&[(1, "A"), (3, "B"), (4, ""), (6, "C")]));
    }

    #[test]
    fn notes_know_their_line_and_may_break_but_not_over_a_blank_line() {
        let cut = cut("a [[one\ntwo]] b\n[[three\n\nfour]]");
        assert_eq!(cut.notes.iter().map(|note| (note.line, note.text.as_str())).collect::<Vec<_>>(), [(1, "one\ntwo")]);
        assert_eq!(cut.warnings, [Warning::at(3, "the note is never closed; it was read as text.")]);
    }

    #[test]
    fn what_is_never_closed_is_text_and_said_once() {
        let cut = cut("a /* b\nc /* d");
        assert_eq!(cut.lines.len(), 2);
        assert_eq!(cut.warnings, [Warning::at(1, "the comment is never closed; it was read as text.")]);
    }

    #[test]
    fn millions_of_openings_take_no_longer_than_their_bytes() {
        // Quadratic search would take minutes here.
        let text = "/*[[".repeat(500_000);
        assert_eq!(cut(&text).lines.len(), 1);
    }
}

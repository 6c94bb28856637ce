//! Scene headings: `INT. BOATHOUSE - DAWN #2#`.

use super::text::tidied;
use crate::model::IntExt;

/// What a heading starts with; the longer ones first.
const OPENINGS: [(&str, IntExt); 9] = [
    ("INT./EXT", IntExt::Both),
    ("EXT./INT", IntExt::Both),
    ("INT/EXT", IntExt::Both),
    ("EXT/INT", IntExt::Both),
    ("I./E", IntExt::Both),
    ("I/E", IntExt::Both),
    ("INT", IntExt::Interior),
    ("EXT", IntExt::Exterior),
    ("EST", IntExt::Exterior),
];

/// Words of which one at least stands in the last part of a heading that gives the time of day.
const TIMES: [&str; 19] = [
    "DAY",
    "NIGHT",
    "DAWN",
    "DUSK",
    "MORNING",
    "AFTERNOON",
    "EVENING",
    "NOON",
    "MIDDAY",
    "MIDNIGHT",
    "SUNRISE",
    "SUNSET",
    "TWILIGHT",
    "GLOAMING",
    "LATER",
    "CONTINUOUS",
    "SAME",
    "MAGIC",
    "DAYS",
];

/// A heading taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadingParts {
    /// The heading in capitals, tidied, without its number.
    pub heading: String,
    /// Inside or outside, where it says so.
    pub int_ext: Option<IntExt>,
    /// The place: all between the opening and the time.
    pub set_name: Option<String>,
    /// The time of day, without what stands in brackets after it.
    pub time_of_day: Option<String>,
}

/// Whether a line is a heading without being forced to be one: an opening in any case, then a full stop or a blank, then something.
pub(super) fn is_natural_heading(line: &str) -> bool {
    opening(line).is_some_and(|(_, rest)| !rest.is_empty())
}

/// The setting that a line opens with, and what follows it.
fn opening(line: &str) -> Option<(IntExt, &str)> {
    OPENINGS.iter().find_map(|(word, setting)| {
        let head = line.get(..word.len())?;
        let rest = line.get(word.len()..)?;
        let ends = rest.starts_with(['.', ' ', '\t']);
        (head.eq_ignore_ascii_case(word) && ends).then(|| (*setting, rest.trim_start_matches(['.', ' ', '\t'])))
    })
}

/// Takes the number off a heading: `HEADING #4A#` is `(HEADING, Some("4A"))`.
pub(super) fn split_number(line: &str) -> (&str, Option<String>) {
    let line = line.trim_end();
    let split = || {
        let inner = line.strip_suffix('#')?;
        let (heading, number) = inner.rsplit_once('#')?;
        let number = number.trim();
        let is_number = !number.is_empty()
            && number.chars().any(char::is_alphanumeric)
            && number.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '.' | '/' | ' '));
        is_number.then(|| (heading.trim_end(), Some(normal_number(number))))
    };
    split().unwrap_or((line, None))
}

/// A scene number as it is compared and shown: `4a` and `4 A` are `4A`.
pub(super) fn normal_number(number: &str) -> String {
    number.chars().filter(|c| !c.is_whitespace() && !c.is_control()).flat_map(char::to_uppercase).collect()
}

/// Takes a heading, already without its number, apart.
pub(super) fn parts(heading: &str) -> HeadingParts {
    let heading = tidied(heading).to_uppercase();
    let (int_ext, place) = match opening(&heading) {
        Some((int_ext, rest)) => (Some(int_ext), rest),
        None => (None, heading.as_str()),
    };
    let (set_name, time_of_day) = match split_time(place) {
        Some((set_name, time)) => (set_name, Some(time)),
        None => (place, None),
    };
    let set_name = (!set_name.is_empty()).then(|| set_name.to_owned());
    HeadingParts { int_ext, set_name, time_of_day, heading }
}

/// Splits `BOATHOUSE - NIGHT (LATER)` into the place and `NIGHT`; none when the last part names no time.
fn split_time(place: &str) -> Option<(&str, String)> {
    // What stands in brackets is about how, not when; a dash in it parts nothing.
    let searched = place.find('(').map_or(place, |at| &place[..at]);
    let dashes = [" - ", " – ", " — ", "--", "—", "–"];
    let (at, dash) = dashes.iter().filter_map(|dash| Some((searched.rfind(dash)?, *dash))).max_by_key(|(at, _)| *at)?;
    let time = searched[at + dash.len()..].trim_matches([' ', '-', '.']);
    let is_time = time.split([' ', '/', '.', ',']).any(|word| TIMES.contains(&word));
    is_time.then(|| (place[..at].trim_end_matches([' ', '-']), time.to_owned()))
}

/// Whether a heading says that its scene was taken out.
pub(super) fn says_omitted(heading: &str) -> bool {
    let word = heading.trim_matches(|c: char| !c.is_alphanumeric());
    word.eq_ignore_ascii_case("OMITTED") || word.eq_ignore_ascii_case("OMIT")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken_apart(line: &str) -> (Option<IntExt>, String, String) {
        let parts = parts(line);
        (parts.int_ext, parts.set_name.unwrap_or_default(), parts.time_of_day.unwrap_or_default())
    }

    #[test]
    fn a_heading_says_where_and_when() {
        let cases = [
            ("EXT. SALT MARSH - DAWN", Some(IntExt::Exterior), "SALT MARSH", "DAWN"),
            ("int. house - day", Some(IntExt::Interior), "HOUSE", "DAY"),
            ("INT HOUSE - DAY", Some(IntExt::Interior), "HOUSE", "DAY"),
            ("EST. CITY - NIGHT", Some(IntExt::Exterior), "CITY", "NIGHT"),
            ("INT./EXT. CAR - DAY", Some(IntExt::Both), "CAR", "DAY"),
            ("INT/EXT CAR - DAY", Some(IntExt::Both), "CAR", "DAY"),
            (
                "I/E. TOM'S LAND ROVER / MARSH ROAD - DAY (TRAVELLING)",
                Some(IntExt::Both),
                "TOM'S LAND ROVER / MARSH ROAD",
                "DAY",
            ),
            ("EXT. YARGO'S FRONT YARD--DAY", Some(IntExt::Exterior), "YARGO'S FRONT YARD", "DAY"),
            ("EXT. COURTYARD — EARLY EVENING", Some(IntExt::Exterior), "COURTYARD", "EARLY EVENING"),
            ("INT. HOUSE - KITCHEN - NIGHT", Some(IntExt::Interior), "HOUSE - KITCHEN", "NIGHT"),
            ("INT. HOUSE - KITCHEN", Some(IntExt::Interior), "HOUSE - KITCHEN", ""),
            ("INT. HALL - NIGHT (TUESDAY - LATE)", Some(IntExt::Interior), "HALL", "NIGHT"),
            ("THE CREATURE'S VIEW", None, "THE CREATURE'S VIEW", ""),
        ];
        for (line, setting, set_name, time) in cases {
            assert_eq!(taken_apart(line), (setting, set_name.to_owned(), time.to_owned()), "{line}");
        }
    }

    #[test]
    fn only_an_opening_with_something_after_it_is_a_heading() {
        for heading in ["INT. HOUSE", "int. house", "EXT HOUSE", "I/E CAR", "EST. CITY", "INT./EXT. CAR"] {
            assert!(is_natural_heading(heading), "{heading}");
        }
        for other in ["INTERIOR MONOLOGUE", "INT.", "INT", "EXTRA LINES", "ESTABLISHED", "He left. INT. HOUSE", "é"] {
            assert!(!is_natural_heading(other), "{other}");
        }
    }

    #[test]
    fn the_number_stands_between_hashes_at_the_end() {
        assert_eq!(split_number("INT. HOUSE - DAY #4a#  "), ("INT. HOUSE - DAY", Some("4A".to_owned())));
        assert_eq!(split_number("OMITTED #5#"), ("OMITTED", Some("5".to_owned())));
        assert_eq!(split_number("INT. FLAT #12-A.1#"), ("INT. FLAT", Some("12-A.1".to_owned())));
        assert_eq!(split_number("INT. FLAT #4"), ("INT. FLAT #4", None));
        assert_eq!(split_number("INT. FLAT ##"), ("INT. FLAT ##", None));
        assert_eq!(split_number("INT. FLAT #!#"), ("INT. FLAT #!#", None));
    }

    #[test]
    fn omitted_is_said_in_any_case_and_with_dots() {
        assert!(says_omitted("OMITTED") && says_omitted("Omitted.") && says_omitted("(OMIT)"));
        assert!(!says_omitted("OMITTED LETTERS"));
    }
}

//! When two titles count as written the same.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The title without what people leave out or write differently: case, accents, punctuation and spacing; `&` is `and`.
///
/// A title of nothing but signs stays as it is, trimmed and in lower case.
pub fn comparable_title(title: &str) -> String {
    let mut words = String::with_capacity(title.len());
    for character in title.nfkd() {
        match character {
            // The accents of Latin, Greek and Cyrillic. Other scripts write vowels and voicing by marks: those stay.
            '\u{300}'..='\u{36f}' => {}
            '&' => words.push_str(" and "),
            // Left out rather than split at: `Grey's` is `Greys`, not `Grey s`.
            '\'' | '’' | 'ʼ' | '`' => {}
            _ if character.is_alphanumeric() || is_combining_mark(character) => words.extend(character.to_lowercase()),
            _ => words.push(' '),
        }
    }
    let comparable = words.split_whitespace().collect::<Vec<_>>().join(" ");
    if comparable.is_empty() { title.trim().to_lowercase() } else { comparable }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(one: &str, other: &str) -> bool {
        comparable_title(one) == comparable_title(other)
    }

    #[test]
    fn case_accents_punctuation_and_spacing_do_not_tell_titles_apart() {
        assert!(same("Amélie", "amelie"));
        assert!(same("Grey's Anatomy", "Grey’s  anatomy "));
        assert!(same("Spider-Man: No Way Home", "spider man no way home"));
        assert!(same("Law & Order", "Law and Order"));
        assert!(same("ＷＡＬＬ·Ｅ", "wall e"));
        assert!(same("RRRrrrr!!!", "rrrrrrr"));
    }

    #[test]
    fn words_and_numbers_do() {
        assert!(!same("Alien", "Aliens"));
        assert!(!same("Toy Story 2", "Toy Story 3"));
        assert!(!same("!!!", "???"));
    }

    #[test]
    fn other_scripts_are_kept() {
        assert_eq!(comparable_title("千と千尋の神隠し"), comparable_title(" 千と千尋の神隠し"));
        assert!(!same("か", "が"));
        assert!(!same("दिल", "दल"));
    }
}

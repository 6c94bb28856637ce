//! Text from outside, before it goes into answers.

/// Up to `max_chars` of it on one line, without control characters.
pub(crate) fn plain(text: &str, max_chars: usize) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().filter(|character| !character.is_control()).take(max_chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_outside_is_short_and_on_one_line() {
        assert_eq!(plain(" Net\u{7}\n\tflix ", 60), "Net flix");
        assert_eq!(plain(&"ä".repeat(100), 60), "ä".repeat(60));
    }
}

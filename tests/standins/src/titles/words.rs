//! How both services find a title by words.

/// Whether `name` has every word of `query`; case and punctuation do not count.
pub(crate) fn has_words(name: &str, query: &str) -> bool {
    let known = words(name);
    let wanted = words(query);
    !wanted.is_empty() && wanted.iter().all(|word| known.contains(word))
}

fn words(text: &str) -> Vec<String> {
    let spaced: String = text
        .chars()
        .filter(|character| !matches!(character, '\'' | '’'))
        .map(|character| if character.is_alphanumeric() { character } else { ' ' })
        .collect();
    spaced.split_whitespace().map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_words_must_be_there_in_any_order() {
        assert!(has_words("Star Trek: Strange New Worlds", "strange new worlds star trek"));
        assert!(has_words("Dune: Part Two", "dune"));
        assert!(!has_words("Dune", "dune part two"));
        assert!(!has_words("Dune", " - "));
    }
}

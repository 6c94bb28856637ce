//! Where each value in force came from, and the listing that says so.

use std::collections::HashMap;
use std::fmt::Write;

use super::keys::{Keys, is_secret};
use super::problems::Origin;

/// The keys that were set. Two configurations with the same values are equal wherever the values stood.
#[derive(Debug, Clone, Default)]
pub(super) struct Origins(HashMap<(String, String), Origin>);

impl PartialEq for Origins {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl Origins {
    pub(super) fn set(&mut self, section: &str, key: &str, origin: Origin) {
        self.0.insert((section.to_owned(), key.to_owned()), origin);
    }

    pub(super) fn of(&self, section: &str, key: &str) -> Origin {
        self.0.get(&(section.to_owned(), key.to_owned())).cloned().unwrap_or(Origin::Default)
    }

    /// The place of the first of these keys that somebody set.
    pub(super) fn first_set(&self, keys: [(&str, &str); 2]) -> Origin {
        let mut origins = keys.into_iter().map(|(section, key)| self.of(section, key));
        origins.find(|origin| *origin != Origin::Default).unwrap_or(Origin::Default)
    }
}

/// A valid TOML file with the values in force; the comments name the variable and the origin.
pub(super) fn in_force(keys: &Keys, origins: &Origins) -> String {
    let mut listing = String::new();
    let mut section = "";
    for key in &keys.0 {
        if key.section != section {
            section = &key.section;
            let gap = if listing.is_empty() { "" } else { "\n" };
            let _ = writeln!(listing, "{gap}[{section}]");
        }
        // A secret that is set stands in a comment: the listing stays a file that loads, and nobody takes the words for the secret.
        let is_hidden = is_secret(&key.section, &key.name) && key.value.as_str().is_some_and(|shown| !shown.is_empty());
        let assignment = format!("{}{} = {}", if is_hidden { "# " } else { "" }, key.name, key.value);
        let origin = match origins.of(&key.section, &key.name) {
            Origin::Environment { .. } => "from the environment".to_owned(),
            origin => origin.to_string(),
        };
        let _ = writeln!(listing, "{assignment:<48} # {} ({origin})", key.variable());
    }
    listing
}

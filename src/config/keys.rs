//! The list of keys, taken from the structs by serialising them, and the hints for names that are not on it.

use toml::{Table, Value};

use super::{Config, ConfigError};

/// What all our variables start with.
pub(super) const PREFIX: &str = "PLAYHOUSE_";

/// Variables that start like ours and are no keys, with the reason. An entry that ends in `*` stands for all that start so.
const NOT_KEYS: [(&str, &str); 5] = [
    ("PLAYHOUSE_KEY", "the lines to connect an assistant put a key there, perhaps in the same shell"),
    ("PLAYHOUSE_AUTH*", "the same"),
    ("PLAYHOUSE_CONFIG", "the command line reads it: the path of the file"),
    ("PLAYHOUSE_PORT*", "Kubernetes and Docker links set it for a service named `playhouse`"),
    ("PLAYHOUSE_SERVICE_*", "Kubernetes sets it for a service named `playhouse`"),
];

/// Variables of other names that set a key: those of the relay that this one can take the place of. A `PLAYHOUSE_` variable wins over
/// them; an empty one counts as unset, which is how container files write what is not set.
const PLAIN_VARIABLES: [(&str, &str, &str); 2] =
    [("TMDB_API_KEY", "resolver", "tmdb_api_key"), ("RESOLVE_DEFAULT_COUNTRY", "resolver", "default_country")];

/// Keys whose values are never shown.
const SECRETS: [(&str, &str); 2] = [("resolver", "tmdb_api_key"), ("secrets", "master_key")];

/// One key and a value for it: the default, or the one in force.
pub(super) struct Key {
    pub(super) section: String,
    pub(super) name: String,
    pub(super) value: Value,
}

impl Key {
    /// As it is spoken of: `server.listen`.
    pub(super) fn dotted(&self) -> String {
        format!("{}.{}", self.section, self.name)
    }

    /// The variable that sets it: `PLAYHOUSE_SERVER_LISTEN`.
    pub(super) fn variable(&self) -> String {
        format!("{PREFIX}{}_{}", self.section, self.name).to_ascii_uppercase()
    }
}

/// Every key there is, in the order of the structs.
pub(super) struct Keys(pub(super) Vec<Key>);

impl Keys {
    pub(super) fn of(config: &Config) -> Result<Keys, ConfigError> {
        let table = Table::try_from(config).map_err(|source| ConfigError::Internal { source: Box::new(source) })?;
        let mut keys = Vec::new();
        for (section, entries) in table {
            if let Value::Table(entries) = entries {
                keys.extend(entries.into_iter().map(|(name, value)| Key { section: section.clone(), name, value }));
            }
        }
        Ok(Keys(keys))
    }

    pub(super) fn find(&self, section: &str, name: &str) -> Option<&Key> {
        self.0.iter().find(|key| key.section == section && key.name == name)
    }

    pub(super) fn by_variable(&self, variable: &str) -> Option<&Key> {
        self.0.iter().find(|key| key.variable() == variable)
    }

    /// The key that a variable without our prefix sets.
    pub(super) fn by_plain_variable(&self, variable: &str) -> Option<&Key> {
        let (_, section, name) = PLAIN_VARIABLES.iter().find(|(plain, _, _)| *plain == variable)?;
        self.find(section, name)
    }

    pub(super) fn has_section(&self, section: &str) -> bool {
        self.0.iter().any(|key| key.section == section)
    }

    /// "did you mean `[server]`?", or all sections when nothing is near.
    pub(super) fn hint_for_section(&self, found: &str) -> String {
        let mut sections: Vec<&str> = self.0.iter().map(|key| key.section.as_str()).collect();
        sections.dedup();
        match nearest(found, sections.iter().copied()) {
            Some(section) => format!("did you mean `[{section}]`?"),
            None => format!("the sections are {}", sections.join(", ")),
        }
    }

    /// A key of that very name in another section, else the nearest one in this section, else the section's keys.
    pub(super) fn hint_for_key(&self, section: &str, found: &str) -> String {
        if let Some(elsewhere) = self.0.iter().find(|key| key.name == found) {
            return format!("did you mean `{}`?", elsewhere.dotted());
        }
        let names = || self.0.iter().filter(|key| key.section == section).map(|key| key.name.as_str());
        match nearest(found, names()) {
            Some(name) => format!("did you mean `{section}.{name}`?"),
            None => format!("the keys of `[{section}]` are {}", names().collect::<Vec<_>>().join(", ")),
        }
    }

    pub(super) fn hint_for_variable(&self, found: &str) -> String {
        let variables: Vec<String> = self.0.iter().map(Key::variable).collect();
        match nearest(found, variables.iter().map(String::as_str)) {
            Some(variable) => format!("did you mean `{variable}`?"),
            None => "variables are named PLAYHOUSE_<SECTION>_<KEY>; `playhouse check` lists them".to_owned(),
        }
    }
}

/// Whether a variable concerns us.
pub(super) fn is_ours(variable: &str) -> bool {
    variable.starts_with(PREFIX) || PLAIN_VARIABLES.iter().any(|(name, _, _)| *name == variable)
}

/// Whether the values of a key are never shown.
pub(super) fn is_secret(section: &str, name: &str) -> bool {
    SECRETS.contains(&(section, name))
}

/// Whether a variable starts like ours but is known to be none of the keys.
pub(super) fn is_not_a_key(variable: &str) -> bool {
    NOT_KEYS.iter().any(|(name, _)| match name.strip_suffix('*') {
        Some(start) => variable.starts_with(start),
        None => variable == *name,
    })
}

/// The candidate with the fewest typing errors, unless more than a third of the letters are wrong.
fn nearest<'a>(found: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    candidates
        .map(|candidate| (strsim::damerau_levenshtein(found, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= (candidate.chars().count() / 3).max(2))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

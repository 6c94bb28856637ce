//! From a raw record to what may be shown of it.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::{ConfigEntry, ConfigSection};

/// The names in `fields` that may be looked at, and what they are called in words. Nested settings are written with a dot upstream.
const ALLOWED_FIELDS: [(&str, &str); 12] = [
    ("minimumSeeders", "minimum seeders"),
    ("seedRatio", "seed ratio"),
    ("seedCriteria.seedRatio", "seed ratio"),
    ("movieCategory", "category"),
    ("tvCategory", "category"),
    ("bookCategory", "category"),
    ("musicCategory", "category"),
    ("category", "category"),
    ("recentMoviePriority", "priority of recent items"),
    ("recentTvPriority", "priority of recent items"),
    ("recentMusicPriority", "priority of recent items"),
    ("recentBookPriority", "priority of recent items"),
];

/// Longest text that is shown of a setting; categories and names are far shorter.
const MAX_TEXT: usize = 200;

/// What may be shown of one record. `None` for one that is not a record at all; one of an unknown shape shows its name only.
pub(crate) fn summarise(section: ConfigSection, record: &Value) -> Option<ConfigEntry> {
    let record = record.as_object()?;
    let mut summary = Summary::of(record);
    match section {
        ConfigSection::Indexers => {
            summary.text("protocol", "");
            summary.switch("enableRss", "RSS");
            summary.switch("enableAutomaticSearch", "automatic search");
            summary.number("priority", "priority", "");
            summary.allowed_fields();
        }
        ConfigSection::DelayProfiles => {
            summary.number("usenetDelay", "usenet delay", " minutes");
            summary.number("torrentDelay", "torrent delay", " minutes");
            summary.switch("enableUsenet", "usenet");
            summary.switch("enableTorrent", "torrent");
            summary.text("preferredProtocol", "prefers ");
        }
        ConfigSection::ReleaseProfiles => {
            summary.switch("enabled", "profile");
            summary.count("required", "required terms");
            summary.count("ignored", "ignored terms");
        }
        ConfigSection::DownloadClients => {
            summary.text("protocol", "");
            summary.switch("enable", "client");
            summary.number("priority", "priority", "");
            summary.allowed_fields();
        }
        ConfigSection::RemotePathMappings => {
            summary.text("host", "host ");
            summary.mapping();
        }
    }
    Some(summary.into_entry(section))
}

/// A summary that grows setting by setting.
struct Summary<'r> {
    record: &'r Map<String, Value>,
    said: Vec<String>,
    values: BTreeMap<String, Value>,
}

impl<'r> Summary<'r> {
    fn of(record: &'r Map<String, Value>) -> Self {
        Self { record, said: Vec::new(), values: BTreeMap::new() }
    }

    fn keep(&mut self, name: &str, value: Value, said: String) {
        self.values.insert(name.to_owned(), value);
        self.said.push(said);
    }

    fn text(&mut self, name: &str, before: &str) {
        if let Some(text) = self.record.get(name).and_then(shown_text) {
            self.keep(name, Value::from(text.clone()), format!("{before}{text}"));
        }
    }

    fn switch(&mut self, name: &str, what: &str) {
        if let Some(on) = self.record.get(name).and_then(Value::as_bool) {
            self.keep(name, Value::from(on), format!("{what} {}", if on { "on" } else { "off" }));
        }
    }

    fn number(&mut self, name: &str, what: &str, unit: &str) {
        if let Some(number) = self.record.get(name).filter(|value| value.is_number()) {
            self.keep(name, number.clone(), format!("{what} {number}{unit}"));
        }
    }

    /// How many terms there are; the terms themselves are nobody's business here.
    fn count(&mut self, name: &str, what: &str) {
        if let Some(n_terms) = self.record.get(name).and_then(n_terms) {
            self.keep(name, Value::from(n_terms), format!("{n_terms} {what}"));
        }
    }

    fn mapping(&mut self) {
        let side = |name: &str| self.record.get(name).and_then(shown_text);
        if let (Some(remote), Some(local)) = (side("remotePath"), side("localPath")) {
            self.said.push(format!("{remote} → {local}"));
            self.values.insert("remotePath".to_owned(), Value::from(remote));
            self.values.insert("localPath".to_owned(), Value::from(local));
        }
    }

    /// The provider's own settings, of which only those of [`ALLOWED_FIELDS`] are looked at.
    fn allowed_fields(&mut self) {
        let Some(fields) = self.record.get("fields").and_then(Value::as_array) else { return };
        for field in fields {
            let Some(name) = field.get("name").and_then(Value::as_str) else { continue };
            let Some((name, what)) = ALLOWED_FIELDS.iter().find(|(allowed, _)| *allowed == name) else { continue };
            match field.get("value") {
                Some(number @ Value::Number(_)) => self.keep(name, number.clone(), format!("{what} {number}")),
                Some(value) => {
                    if let Some(text) = shown_text(value) {
                        self.keep(name, Value::from(text.clone()), format!("{what} {text}"));
                    }
                }
                None => {}
            }
        }
    }

    fn into_entry(self, section: ConfigSection) -> ConfigEntry {
        let name = self.record.get("name").and_then(shown_text).unwrap_or_else(|| {
            let id = self.record.get("id").and_then(Value::as_i64);
            let number = id.map(|id| format!(" {id}")).unwrap_or_default();
            let one = match section {
                ConfigSection::Indexers => "indexer",
                ConfigSection::DelayProfiles => "delay profile",
                ConfigSection::ReleaseProfiles => "release profile",
                ConfigSection::DownloadClients => "download client",
                ConfigSection::RemotePathMappings => "mapping",
            };
            format!("{one}{number}")
        });
        ConfigEntry { name, detail: self.said.join(", "), values: self.values }
    }
}

/// A text that may be shown: not empty, and not longer than such a setting is.
fn shown_text(value: &Value) -> Option<String> {
    let text = value.as_str()?.trim();
    (!text.is_empty()).then(|| text.chars().take(MAX_TEXT).collect())
}

/// Terms come as a list, in older builds as one text with a term a line or with commas between.
fn n_terms(value: &Value) -> Option<usize> {
    let filled = |term: &str| !term.trim().is_empty();
    match value {
        Value::Array(terms) => Some(terms.len()),
        Value::String(text) if text.contains('\n') => Some(text.lines().filter(|line| filled(line)).count()),
        Value::String(text) => Some(text.split(',').filter(|term| filled(term)).count()),
        _ => None,
    }
}

//! From a record of settings to what may be shown of it.

use std::collections::BTreeMap;

use serde_json::{Number, Value};

use super::ConfigEntry;
use crate::client::wire::{DelayProfile, FieldValue, Provider, ReleaseProfile, RemotePathMapping, Texts};

/// The names in `fields` that are looked at, and what they are called in words. Nested settings are written with a dot upstream.
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

pub(super) fn indexer(indexer: &Provider) -> ConfigEntry {
    Summary::default()
        .text("protocol", "", indexer.protocol.as_ref())
        .switch("enableRss", "RSS", indexer.enable_rss)
        .switch("enableAutomaticSearch", "automatic search", indexer.enable_automatic_search)
        .number("priority", "priority", "", indexer.priority)
        .allowed_fields(indexer)
        .entry(indexer.name.as_ref(), "indexer", indexer.id)
}

pub(super) fn download_client(client: &Provider) -> ConfigEntry {
    Summary::default()
        .text("protocol", "", client.protocol.as_ref())
        .switch("enable", "client", client.enable)
        .number("priority", "priority", "", client.priority)
        .allowed_fields(client)
        .entry(client.name.as_ref(), "download client", client.id)
}

pub(super) fn delay_profile(profile: &DelayProfile) -> ConfigEntry {
    Summary::default()
        .number("usenetDelay", "usenet delay", " minutes", profile.usenet_delay)
        .number("torrentDelay", "torrent delay", " minutes", profile.torrent_delay)
        .switch("enableUsenet", "usenet", profile.enable_usenet)
        .switch("enableTorrent", "torrent", profile.enable_torrent)
        .text("preferredProtocol", "prefers ", profile.preferred_protocol.as_ref())
        .entry(None, "delay profile", profile.id)
}

pub(super) fn release_profile(profile: &ReleaseProfile) -> ConfigEntry {
    Summary::default()
        .switch("enabled", "profile", profile.enabled)
        .count("required", "required terms", profile.required.as_ref())
        .count("ignored", "ignored terms", profile.ignored.as_ref())
        .entry(profile.name.as_ref(), "release profile", profile.id)
}

pub(super) fn remote_path_mapping(mapping: &RemotePathMapping) -> ConfigEntry {
    Summary::default()
        .text("host", "host ", mapping.host.as_ref())
        .paths(mapping.remote_path.as_ref(), mapping.local_path.as_ref())
        .entry(None, "mapping", mapping.id)
}

/// A summary that grows setting by setting. What the record lacks, or has in a shape that is not known, is left out.
#[derive(Default)]
struct Summary {
    said: Vec<String>,
    values: BTreeMap<String, Value>,
}

impl Summary {
    fn keep(mut self, name: &str, value: impl Into<Value>, said: String) -> Self {
        self.values.insert(name.to_owned(), value.into());
        self.said.push(said);
        self
    }

    fn text(self, name: &str, before: &str, text: Option<&String>) -> Self {
        match shown_text(text) {
            Some(text) => self.keep(name, text.clone(), format!("{before}{text}")),
            None => self,
        }
    }

    fn switch(self, name: &str, what: &str, on: Option<bool>) -> Self {
        match on {
            Some(on) => self.keep(name, on, format!("{what} {}", if on { "on" } else { "off" })),
            None => self,
        }
    }

    fn number(self, name: &str, what: &str, unit: &str, number: Option<i64>) -> Self {
        match number {
            Some(number) => self.keep(name, number, format!("{what} {number}{unit}")),
            None => self,
        }
    }

    /// How many terms there are; the terms themselves are nobody's business here.
    fn count(self, name: &str, what: &str, terms: Option<&Texts>) -> Self {
        match terms {
            Some(Texts(terms)) => self.keep(name, terms.len(), format!("{} {what}", terms.len())),
            None => self,
        }
    }

    fn paths(mut self, remote: Option<&String>, local: Option<&String>) -> Self {
        if let (Some(remote), Some(local)) = (shown_text(remote), shown_text(local)) {
            self.said.push(format!("{remote} → {local}"));
            self.values.insert("remotePath".to_owned(), remote.into());
            self.values.insert("localPath".to_owned(), local.into());
        }
        self
    }

    /// The provider's own settings, of which only numbers and texts of [`ALLOWED_FIELDS`] are looked at.
    fn allowed_fields(mut self, provider: &Provider) -> Self {
        for field in &provider.fields {
            let Some((name, what)) = ALLOWED_FIELDS.iter().find(|(allowed, _)| *allowed == field.name) else {
                continue;
            };
            self = match &field.value {
                Some(FieldValue::Number(number)) => match whole_or_not(*number) {
                    Some(shown) => self.keep(name, Value::Number(shown.clone()), format!("{what} {shown}")),
                    None => self,
                },
                Some(FieldValue::Text(text)) => self.text(name, &format!("{what} "), Some(text)),
                Some(FieldValue::Flag(_)) | None => self,
            };
        }
        self
    }

    /// The entry, under its own name or, where it has none, as `one` and its number.
    fn entry(self, name: Option<&String>, one: &str, id: i64) -> ConfigEntry {
        let name = shown_text(name).unwrap_or_else(|| if id > 0 { format!("{one} {id}") } else { one.to_owned() });
        ConfigEntry { name, detail: self.said.join(", "), values: self.values }
    }
}

/// A number as people write it: without a fraction where it has none.
fn whole_or_not(number: f64) -> Option<Number> {
    #[expect(clippy::cast_possible_truncation, reason = "only where nothing is cut off")]
    if number.fract() == 0.0 && number.abs() < 1e15 {
        Some(Number::from(number as i64))
    } else {
        Number::from_f64(number)
    }
}

/// A text that may be shown: not empty, and not longer than such a setting is.
fn shown_text(text: Option<&String>) -> Option<String> {
    let text = text?.trim();
    (!text.is_empty()).then(|| text.chars().take(MAX_TEXT).collect())
}

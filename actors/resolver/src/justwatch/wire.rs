//! JustWatch's answers, of which every part may be missing, null or of another shape.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// A GraphQL answer. Errors come with status 200.
#[derive(Debug, Deserialize)]
pub(super) struct Reply {
    #[serde(default, deserialize_with = "readable")]
    pub(super) data: Data,
    #[serde(default, deserialize_with = "each_readable")]
    pub(super) errors: Vec<GraphQlError>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct GraphQlError {
    #[serde(default, deserialize_with = "text")]
    pub(super) message: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Data {
    #[serde(default, deserialize_with = "readable")]
    pub(super) popular_titles: Option<Titles>,
    #[serde(default, deserialize_with = "readable")]
    pub(super) node: Option<Node>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Titles {
    #[serde(default, deserialize_with = "each_readable")]
    pub(super) edges: Vec<Edge>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Edge {
    pub(super) node: Node,
}

/// A movie, show, season or episode.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Node {
    /// `tm…` movie, `ts…` show, `tss…` season, `tse…` episode.
    #[serde(default, deserialize_with = "text")]
    pub(super) id: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub(super) object_type: Option<String>,
    #[serde(default, deserialize_with = "readable")]
    pub(super) content: Content,
    #[serde(default, deserialize_with = "each_readable")]
    pub(super) offers: Vec<Offer>,
    #[serde(default, deserialize_with = "each_readable")]
    pub(super) seasons: Vec<Node>,
    #[serde(default, deserialize_with = "each_readable")]
    pub(super) episodes: Vec<Node>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Content {
    #[serde(default, deserialize_with = "text")]
    pub(super) title: Option<String>,
    #[serde(default, deserialize_with = "readable")]
    pub(super) original_release_year: Option<i16>,
    #[serde(default, deserialize_with = "readable")]
    pub(super) season_number: Option<u32>,
    #[serde(default, deserialize_with = "readable")]
    pub(super) episode_number: Option<u32>,
    #[serde(default, deserialize_with = "readable")]
    pub(super) external_ids: ExternalIds,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ExternalIds {
    #[serde(default, deserialize_with = "text")]
    pub(super) imdb_id: Option<String>,
    /// `46648` for a movie or show, `46648:1` for a season.
    #[serde(default, deserialize_with = "text")]
    pub(super) tmdb_id: Option<String>,
}

/// A title at one service, under one condition.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Offer {
    #[serde(default, deserialize_with = "text")]
    pub(crate) monetization_type: Option<String>,
    #[serde(default, deserialize_with = "readable")]
    pub(crate) package: Package,
    #[serde(default, rename = "standardWebURL", deserialize_with = "text")]
    pub(crate) web_url: Option<String>,
    /// An `intent:` for Android TV.
    #[serde(default, rename = "deeplinkURL", deserialize_with = "text")]
    pub(crate) android_tv_url: Option<String>,
    /// The last day it is there, as `2027-03-31`, perhaps with a time.
    #[serde(default, deserialize_with = "text")]
    pub(crate) available_to: Option<String>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Package {
    #[serde(default, deserialize_with = "readable")]
    pub(crate) package_id: Option<u64>,
    #[serde(default, deserialize_with = "text")]
    pub(crate) technical_name: Option<String>,
    #[serde(default, deserialize_with = "text")]
    pub(crate) clear_name: Option<String>,
}

/// Under which condition a title can be seen. Words that are not known are kept apart from those that are, and never played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Condition {
    /// Part of a subscription, free, or with advertisements.
    Playable,
    /// For rent or to buy.
    Paid,
    /// In the cinema, or something new.
    Other,
}

impl Offer {
    pub(crate) fn condition(&self) -> Condition {
        match self.monetization_type.as_deref() {
            Some("FLATRATE" | "FREE" | "ADS") => Condition::Playable,
            Some("RENT" | "BUY" | "FLATRATE_AND_BUY") => Condition::Paid,
            _ => Condition::Other,
        }
    }
}

/// The value, or the default of its type when it is null or of another shape.
fn readable<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(input: D) -> Result<T, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(input)?).unwrap_or_default())
}

/// The entries that are of this shape; none when it is no list.
fn each_readable<'de, D: Deserializer<'de>, T: DeserializeOwned>(input: D) -> Result<Vec<T>, D::Error> {
    let Value::Array(entries) = Value::deserialize(input)? else { return Ok(Vec::new()) };
    Ok(entries.into_iter().filter_map(|entry| serde_json::from_value(entry).ok()).collect())
}

/// A text that is not blank; a number counts as its text.
fn text<'de, D: Deserializer<'de>>(input: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(input)? {
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(reply: Value) -> Reply {
        serde_json::from_value(reply).unwrap()
    }

    #[test]
    fn null_everywhere_is_read_as_nothing() {
        for reply in [
            json!({ "data": null }),
            json!({ "data": { "node": null, "popularTitles": null } }),
            json!({ "data": { "node": { "id": null, "content": null, "offers": null, "seasons": null, "episodes": null } } }),
            json!({ "data": { "popularTitles": { "edges": [null, { "node": null }, {}] } } }),
            json!({ "data": { "node": { "offers": [null, { "package": null, "monetizationType": null }] } } }),
            json!({ "data": { "node": { "content": { "externalIds": null, "seasonNumber": null, "title": null } } } }),
        ] {
            let read = read(reply);
            assert!(read.errors.is_empty());
            assert!(read.data.node.unwrap_or_default().id.is_none());
        }
    }

    #[test]
    fn a_field_of_another_type_costs_only_itself() {
        let reply = read(json!({ "data": { "node": { "id": "tm10", "content": {
            "title": "The Matrix", "originalReleaseYear": "soon", "externalIds": { "tmdbId": 603, "imdbId": ["?"] }
        } } } }));
        let node = reply.data.node.unwrap();
        assert_eq!(node.content.title.as_deref(), Some("The Matrix"));
        assert_eq!(node.content.original_release_year, None);
        assert_eq!(node.content.external_ids.tmdb_id.as_deref(), Some("603"));
    }

    #[test]
    fn only_subscriptions_free_and_with_advertisements_are_playable_and_new_words_are_not() {
        let condition =
            |word: Value| serde_json::from_value::<Offer>(json!({ "monetizationType": word })).unwrap().condition();
        for word in ["FLATRATE", "FREE", "ADS"] {
            assert_eq!(condition(json!(word)), Condition::Playable, "{word}");
        }
        for word in ["RENT", "BUY", "FLATRATE_AND_BUY"] {
            assert_eq!(condition(json!(word)), Condition::Paid, "{word}");
        }
        for word in [json!("CINEMA"), json!("HOLOGRAM"), json!(null), json!(7)] {
            assert_eq!(condition(word.clone()), Condition::Other, "{word}");
        }
    }
}

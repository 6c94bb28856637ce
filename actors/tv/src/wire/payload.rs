//! The second parse: JSON text inside a reply's `…_json` values, read into the types that callers get.
//!
//! A value that is missing, malformed or of another shape is a [`PayloadFault`], which the caller is told; it never loses the call.
//! Within a readable value, what a version of the app leaves out or spells differently is taken leniently.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::answers::{
    App, AppList, Captions, FocusedNode, Playback, PlaybackState, ScreenObservation, TypeResult, VisibleNode, Volume,
};
use crate::wire::{IncomingFrame, lenient};

/// Why the inner JSON of a reply could not be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, serde::Serialize, Deserialize)]
pub enum PayloadFault {
    /// The reply was ok but did not carry the value.
    #[error("`{field}` is missing from its answer")]
    Missing {
        /// Name of the value.
        field: String,
    },
    /// The value is not JSON, or not of the documented shape.
    #[error("`{field}` in its answer is not of the documented shape")]
    Malformed {
        /// Name of the value.
        field: String,
    },
}

/// Reads `apps_json`. Entries without a package are left out and counted.
///
/// # Errors
/// [`PayloadFault`] when the value is missing or no list.
pub fn apps(reply: &IncomingFrame) -> Result<AppList, PayloadFault> {
    #[derive(Deserialize)]
    struct WireApp {
        package: String,
        #[serde(default, deserialize_with = "lenient::text")]
        label: Option<String>,
        #[serde(default, deserialize_with = "lenient::flag")]
        leanback: Option<bool>,
    }

    let entries: Vec<Value> = inner(reply, "apps_json")?;
    let n_entries = entries.len();
    let apps: Vec<App> = entries
        .into_iter()
        .filter_map(|entry| serde_json::from_value::<WireApp>(entry).ok())
        .filter(|app| !app.package.is_empty())
        .map(|app| App {
            label: app.label.filter(|label| !label.is_empty()).unwrap_or_else(|| app.package.clone()),
            package: app.package,
            leanback: app.leanback.unwrap_or(false),
        })
        .collect();
    Ok(AppList { n_unreadable: n_entries - apps.len(), apps })
}

/// Nodes that the app lists before it stops collecting and appends a marker entry.
const N_NODES_BEFORE_MARKER: usize = 50;

/// Reads `observe_json`.
///
/// # Errors
/// [`PayloadFault`] when the value is missing or no object.
pub fn observation(reply: &IncomingFrame) -> Result<ScreenObservation, PayloadFault> {
    #[derive(Deserialize)]
    struct WireObservation {
        #[serde(default, deserialize_with = "lenient::text")]
        package: Option<String>,
        #[serde(default, deserialize_with = "lenient::text")]
        activity: Option<String>,
        #[serde(default)]
        focused: Value,
        #[serde(default)]
        visible: Value,
    }

    let observed: WireObservation = inner(reply, "observe_json")?;
    let mut entries = match observed.visible {
        Value::Array(entries) => entries,
        _ => Vec::new(),
    };
    let truncated = entries.len() > N_NODES_BEFORE_MARKER && entries.last().is_some_and(is_truncation_marker);
    if truncated {
        entries.pop();
    }
    let focused = match serde_json::from_value::<WireNode>(observed.focused) {
        Ok(node) => FocusedNode {
            text: node.text.unwrap_or_default(),
            content_description: node.content_description.unwrap_or_default(),
        },
        Err(_) => FocusedNode::default(),
    };
    let visible = entries
        .into_iter()
        .filter_map(|entry| serde_json::from_value::<WireNode>(entry).ok())
        .map(|node| VisibleNode {
            text: node.text.unwrap_or_default(),
            content_description: node.content_description.unwrap_or_default(),
            clickable: node.clickable.unwrap_or(false),
            cx: node.cx,
            cy: node.cy,
        })
        .collect();
    Ok(ScreenObservation {
        package: observed.package.unwrap_or_default(),
        activity: observed.activity.unwrap_or_default(),
        focused,
        visible,
        truncated,
    })
}

#[derive(Deserialize)]
struct WireNode {
    #[serde(default, deserialize_with = "lenient::text")]
    text: Option<String>,
    #[serde(default, deserialize_with = "lenient::text")]
    content_description: Option<String>,
    #[serde(default, deserialize_with = "lenient::flag")]
    clickable: Option<bool>,
    #[serde(default, deserialize_with = "lenient::fraction")]
    cx: Option<f64>,
    #[serde(default, deserialize_with = "lenient::fraction")]
    cy: Option<f64>,
}

/// `… (1 more)`, where the count is always 1 whatever was cut.
fn is_truncation_marker(entry: &Value) -> bool {
    entry
        .get("text")
        .and_then(Value::as_str)
        .and_then(|text| text.strip_prefix("… (")?.strip_suffix(" more)"))
        .is_some_and(|count| !count.is_empty() && count.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Reads `playback_json`.
///
/// # Errors
/// [`PayloadFault`] when the value is missing or no object.
pub fn playback(reply: &IncomingFrame) -> Result<Playback, PayloadFault> {
    #[derive(Deserialize)]
    struct WirePlayback {
        #[serde(default, deserialize_with = "lenient::text")]
        title: Option<String>,
        #[serde(default, deserialize_with = "lenient::text")]
        app: Option<String>,
        #[serde(default, deserialize_with = "lenient::whole_number")]
        position_ms: Option<i64>,
        #[serde(default, deserialize_with = "lenient::whole_number")]
        duration_ms: Option<i64>,
        #[serde(default, deserialize_with = "lenient::text")]
        state: Option<String>,
        #[serde(default, deserialize_with = "lenient::text")]
        source: Option<String>,
    }

    let playing: WirePlayback = inner(reply, "playback_json")?;
    Ok(Playback {
        title: playing.title.filter(|title| !title.is_empty()),
        app: playing.app.filter(|app| !app.is_empty()),
        position_ms: playing.position_ms.unwrap_or(0).max(0),
        duration_ms: playing.duration_ms.unwrap_or(0).max(0),
        state: playing.state.as_deref().map_or(PlaybackState::Unknown, PlaybackState::from_wire),
        source: playing.source.unwrap_or_default(),
    })
}

/// Reads `volume_json`.
///
/// # Errors
/// [`PayloadFault`] when the value is missing, no object, or without a level.
pub fn volume(reply: &IncomingFrame) -> Result<Volume, PayloadFault> {
    #[derive(Deserialize)]
    struct WireVolume {
        #[serde(default, deserialize_with = "lenient::whole_number")]
        level: Option<i64>,
        #[serde(default, deserialize_with = "lenient::flag")]
        muted: Option<bool>,
        #[serde(default, deserialize_with = "lenient::whole_number")]
        max_raw: Option<i64>,
    }

    const FIELD: &str = "volume_json";
    let volume: WireVolume = inner(reply, FIELD)?;
    let level = volume.level.ok_or_else(|| PayloadFault::Malformed { field: FIELD.to_owned() })?;
    Ok(Volume {
        level: level.clamp(0, 100),
        muted: volume.muted.unwrap_or(false),
        max_raw: volume.max_raw.unwrap_or(0).max(0),
    })
}

/// Reads `captions_json`.
///
/// # Errors
/// [`PayloadFault`] when the value is missing, no object, or does not say whether captions are on.
pub fn captions(reply: &IncomingFrame) -> Result<Captions, PayloadFault> {
    #[derive(Deserialize)]
    struct WireCaptions {
        #[serde(default, deserialize_with = "lenient::flag")]
        enabled: Option<bool>,
        #[serde(default, deserialize_with = "lenient::text")]
        language: Option<String>,
        #[serde(default, deserialize_with = "lenient::text")]
        source: Option<String>,
    }

    const FIELD: &str = "captions_json";
    let captions: WireCaptions = inner(reply, FIELD)?;
    Ok(Captions {
        enabled: captions.enabled.ok_or_else(|| PayloadFault::Malformed { field: FIELD.to_owned() })?,
        language: captions.language.filter(|language| !language.is_empty()),
        source: captions.source.unwrap_or_default(),
    })
}

/// Reads `input_json`.
///
/// # Errors
/// [`PayloadFault`] when the value is missing or no object.
pub fn typed(reply: &IncomingFrame) -> Result<TypeResult, PayloadFault> {
    #[derive(Deserialize)]
    struct WireInput {
        #[serde(default, deserialize_with = "lenient::whole_number")]
        chars: Option<i64>,
        #[serde(default, deserialize_with = "lenient::text")]
        method: Option<String>,
    }

    let input: WireInput = inner(reply, "input_json")?;
    Ok(TypeResult { chars: input.chars.unwrap_or(0).max(0), method: input.method.unwrap_or_default() })
}

fn inner<T: DeserializeOwned>(reply: &IncomingFrame, field: &str) -> Result<T, PayloadFault> {
    let text = reply.data.get(field).ok_or_else(|| PayloadFault::Missing { field: field.to_owned() })?;
    serde_json::from_str(text).map_err(|_| PayloadFault::Malformed { field: field.to_owned() })
}

#[cfg(test)]
mod tests;

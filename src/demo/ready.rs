//! The ready file: addresses and keys for scripts, written once everything is up.

use serde_json::{Value, json};

use super::household::Household;
use super::production::Studio;
use crate::boot::Running;

/// What stands in the file.
pub(super) fn content(running: &Running, household: &Household, studio: &Studio) -> Value {
    let keys: Vec<_> = household
        .keys
        .iter()
        .map(|key| json!({ "label": key.label, "key": key.key, "scopes": key.scopes, "engagement": null }))
        .collect();
    let tvs: Vec<_> = household.tvs.iter().map(|tv| json!({ "name": tv.name, "token": tv.token })).collect();
    json!({
        "base_url": running.base_url,
        "mcp_url": running.mcp_url(),
        "metrics_url": running.metrics_address.map(|address| format!("http://{address}/metrics")),
        "console_url": null,
        "operator_key": household.operator_key,
        "operator_link": null,
        "houses": [
            { "name": household.name, "keys": keys, "tvs": tvs },
            { "name": studio.name, "keys": studio.keys, "tvs": [] },
        ],
    })
}

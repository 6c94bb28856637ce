//! The ready file: addresses and keys for scripts, written once everything is up.

use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use serde_json::json;

use super::household::Household;
use crate::boot::Running;

/// Writes the file, whole or not at all, for its owner only.
pub(super) fn write(path: &Path, running: &Running, household: &Household) -> std::io::Result<()> {
    let keys: Vec<_> = household
        .keys
        .iter()
        .map(|key| json!({ "label": key.label, "key": key.key, "scopes": key.scopes, "engagement": null }))
        .collect();
    let tvs: Vec<_> = household.tvs.iter().map(|tv| json!({ "name": tv.name, "token": tv.token })).collect();
    let ready = json!({
        "base_url": running.base_url,
        "mcp_url": running.mcp_url(),
        "metrics_url": running.metrics_address.map(|address| format!("http://{address}/metrics")),
        "console_url": null,
        "operator_key": household.operator_key,
        "operator_link": null,
        "houses": [{ "name": household.name, "keys": keys, "tvs": tvs }],
    });
    let partial = path.with_extension("partial");
    let mut file = std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&partial)?;
    file.write_all(&serde_json::to_vec_pretty(&ready)?)?;
    file.sync_all()?;
    std::fs::rename(&partial, path)
}

//! What a newcomer reads when the demo is up: where it is, and what to type next.

use std::fmt::Write;

use super::household::Household;
use super::production::Studio;
use crate::boot::Running;
use crate::pairing::client_lines;

/// The whole text.
pub(super) fn text(running: &Running, household: &Household, studio: &Studio) -> String {
    let (url, key) = (running.mcp_url(), household.assistant_key());
    let names: Vec<&str> = household.tvs.iter().map(|tv| tv.name.as_str()).collect();
    let mut text = format!("\nPlayhouse is up: {} with the TVs {}.\n\n", household.name, names.join(" and "));
    let _ = writeln!(text, "  MCP        {url}\n  key        {key}\n  pair a TV  {}/claim", running.base_url);
    if let Some(address) = running.metrics_address {
        let _ = writeln!(text, "  metrics    http://{address}/metrics");
    }
    text.push_str("\nConnect an assistant:\n");
    for line in client_lines(&url, key) {
        let _ = writeln!(text, "\n  {} ({})", line.client, line.place.to_lowercase());
        for row in line.text.lines() {
            let _ = writeln!(text, "    {row}");
        }
    }
    text.push_str(
        "\nThen ask, for example: \"What is on the living room TV?\" or \"Play the first episode of Stranger Things in the bedroom.\"\n\
         Calls show here as they come. Ctrl-C ends the demo; run it again and the house is still there.\n",
    );
    text.push_str(&libraries(&url, household.library_key()));
    text.push_str(&settings(running, household));
    text.push_str(&office(running, studio));
    text
}

/// The production office beside the household: its keys, and what to ask with them.
fn office(running: &Running, studio: &Studio) -> String {
    let mut text =
        format!("\nBeside it is {}, a series in the middle of its shoot, with its production office:\n\n", studio.name);
    for key in &studio.keys {
        let bound = key.engagement.map(|id| format!(", engagement {id} only")).unwrap_or_default();
        let _ = writeln!(text, "  {}\n    {} ({}{bound})", key.key, key.label, key.scopes);
    }
    let reading = studio.keys.first().map_or("", |key| &key.key);
    let _ = write!(
        text,
        "\nWith one of these keys an assistant answers \"Which scenes are on blue pages?\", \"What is outstanding on scene 3?\" or \"Which \
         turnovers are due?\"; with the vendor's it sees its own part only. Over REST:\n\n  \
         curl -H \"Authorization: Bearer {reading}\" {}/v1/scenes\n",
        running.base_url.as_str().trim_end_matches('/'),
    );
    text
}

/// The media libraries: the key that operates them, and what to ask with it.
fn libraries(url: &str, key: &str) -> String {
    format!(
        "\nThe house has four media libraries (films, series, music, books) with downloads on their way and downloads that are stuck. Another \
         key operates them:\n\n  MCP        {url}\n  key        {key}\n\nWith it, ask: \"Which downloads are stuck, and why?\", then \"Repair \
         the first one.\", then \"Is it gone from the queue?\"\n"
    )
}

/// A change of a quality profile: who decides about it, and how.
fn settings(running: &Running, household: &Household) -> String {
    let (base, key) = (running.base_url.as_str().trim_end_matches('/'), household.admin_key());
    let data = running.instance.config.data.folder.display();
    format!(
        "\nAsk it too: \"Propose that the films' profile HD-1080p stops upgrading at a format score of 500.\" Nothing is written until an admin says yes. An \
         admin hears of it, and the operator decides:\n\n  curl -N -H \"Authorization: Bearer {key}\" {base}/v1/events\n  \
         export PLAYHOUSE_DATA_FOLDER={data}\n  playhouse proposals list --house \"{house}\"\n  playhouse proposals approve --house \"{house}\" 1\n  \
         playhouse history show --house \"{house}\" 1\n  playhouse history restore --house \"{house}\" 1\n",
        house = household.name,
    )
}

//! Ready-made lines that connect an assistant to a TV.

use serde_json::json;

/// How one assistant is connected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientLine {
    /// The assistant, as people know it.
    pub client: &'static str,
    /// Where the text goes.
    pub place: &'static str,
    /// What to paste there.
    pub text: String,
}

/// The lines for `mcp_url` and `key`, the assistants that are asked for most first.
///
/// The key stands in each of them. A key holds letters, digits and `_` only, so no shell and no JSON needs it quoted.
pub fn client_lines(mcp_url: &str, key: &str) -> Vec<ClientLine> {
    let line = |client, place, text| ClientLine { client, place, text };
    // A space in an argument does not survive npx on Windows, so the key's header comes from the environment.
    let desktop = json!({
        "mcpServers": {
            "playhouse": {
                "command": "npx",
                "args": mcp_remote_arguments(mcp_url),
                "env": { "PLAYHOUSE_AUTHORIZATION": format!("Bearer {key}") },
            }
        }
    });
    vec![
        line(
            "Claude Code",
            "Run in a terminal",
            format!(
                "claude mcp add --scope user --transport http playhouse {mcp_url} --header \"Authorization: Bearer {key}\""
            ),
        ),
        line("Claude Desktop", "Add to claude_desktop_config.json", format!("{desktop:#}")),
        line(
            "Codex",
            "Run in a terminal",
            format!(
                "export PLAYHOUSE_KEY={key}\ncodex mcp add playhouse --url {mcp_url} --bearer-token-env-var PLAYHOUSE_KEY"
            ),
        ),
        line(
            "Gemini CLI",
            "Run in a terminal",
            format!(
                "gemini mcp add --scope user --transport http playhouse {mcp_url} -H \"Authorization: Bearer {key}\""
            ),
        ),
        line(
            "curl",
            "Run in a terminal to try it",
            format!(
                "curl -s {mcp_url} -H 'Authorization: Bearer {key}' -H 'Content-Type: application/json' \
                 -H 'Accept: application/json, text/event-stream' \
                 -d '{{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}}'"
            ),
        ),
    ]
}

fn mcp_remote_arguments(mcp_url: &str) -> Vec<&str> {
    let mut arguments = vec![
        "-y",
        "mcp-remote",
        mcp_url,
        "--transport",
        "http-only",
        "--header",
        "Authorization:${PLAYHOUSE_AUTHORIZATION}",
    ];
    if mcp_url.starts_with("http://") {
        arguments.push("--allow-http");
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_holds_the_address_and_the_key() {
        for ClientLine { client, text, .. } in client_lines("https://tv.example.org/mcp", "pht_abc") {
            assert!(text.contains("https://tv.example.org/mcp") && text.contains("pht_abc"), "{client}: {text}");
        }
    }

    #[test]
    fn claude_desktop_gets_json_that_parses() {
        let lines = client_lines("http://127.0.0.1:8080/mcp", "pht_abc");
        let desktop = lines.iter().find(|line| line.client == "Claude Desktop").unwrap();
        let parsed: serde_json::Value = serde_json::from_str(&desktop.text).unwrap();
        let arguments = parsed["mcpServers"]["playhouse"]["args"].as_array().unwrap();
        assert!(arguments.contains(&"--allow-http".into()), "a clear-text address needs to be allowed: {arguments:?}");
    }
}

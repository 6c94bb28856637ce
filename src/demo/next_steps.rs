//! What a newcomer reads when the demo is up: where it is, and what to type next.

use super::household::Household;
use crate::boot::Running;

/// The whole text.
pub(super) fn text(running: &Running, household: &Household) -> String {
    let (url, key) = (running.mcp_url(), household.assistant_key());
    let tv_names: Vec<&str> = household.tvs.iter().map(|tv| tv.name.as_str()).collect();
    let metrics = running.metrics_address.map_or_else(String::new, |address| format!("\n  metrics     http://{address}/metrics"));
    format!(
        r#"
Playhouse is up: the house "{name}" with the TVs {tvs}.

  MCP         {url}
  key         {key}
  pair a TV   {base}/claim{metrics}

Connect an assistant:

  Claude Code
    claude mcp add --transport http playhouse {url} --header "Authorization: Bearer {key}"

  Claude Desktop (claude_desktop_config.json)
    {{"mcpServers": {{"playhouse": {{"command": "npx", "args": ["mcp-remote", "{url}", "--transport", "http-only", "--allow-http",
      "--header", "Authorization:${{PLAYHOUSE_AUTH}}"], "env": {{"PLAYHOUSE_AUTH": "Bearer {key}"}}}}}}}}

  Codex
    export PLAYHOUSE_KEY={key}
    codex mcp add playhouse --url {url} --bearer-token-env-var PLAYHOUSE_KEY

  Gemini CLI
    gemini mcp add --transport http playhouse {url} -H "Authorization: Bearer {key}"

  curl
    curl -s {url} -H "Authorization: Bearer {key}" -H "Content-Type: application/json" \
      -d '{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{{"name":"tv_send_key","arguments":{{"tv":"living-room","key":"HOME"}}}}}}'

Then ask, for example: "What is on the living room TV?" Calls show here as they come. Ctrl-C ends the demo.
"#,
        name = household.name,
        tvs = tv_names.join(" and "),
        base = running.base_url,
    )
}

//! The requests that are measured.

use std::net::SocketAddr;

use crate::http1;

/// One of the measured calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    /// (a): the same body as `ListDevices`, to the bare server.
    Echo,
    /// (b)
    ListTools,
    /// (c)
    ListDevices,
    /// (d), to a simulated TV that answers at once.
    SendKey,
    /// (e): a link that the caller knows.
    LaunchApp,
    /// (f): the same link by the title's name, resolved before.
    PlayTitle,
    /// (g): a read of the production office. The paths are many and the measurement's own.
    Office,
}

impl Call {
    /// The calls that are held against the bare server.
    pub(crate) const ALL: [Self; 4] = [Self::Echo, Self::ListTools, Self::ListDevices, Self::SendKey];

    pub(crate) fn letter(self) -> char {
        match self {
            Self::Echo => 'a',
            Self::ListTools => 'b',
            Self::ListDevices => 'c',
            Self::SendKey => 'd',
            Self::LaunchApp => 'e',
            Self::PlayTitle => 'f',
            Self::Office => 'g',
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Echo => "bare JSON echo",
            Self::ListTools => "tools/list",
            Self::ListDevices => "tv_list_devices",
            Self::SendKey => "tv_send_key",
            Self::LaunchApp => "tv_launch_app",
            Self::PlayTitle => "tv_play_title, known",
            Self::Office => "GET of the office",
        }
    }

    fn body(self) -> &'static str {
        match self {
            Self::Office => "",
            Self::Echo | Self::ListDevices => {
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tv_list_devices","arguments":{}}}"#
            }
            Self::ListTools => r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#,
            Self::SendKey => {
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tv_send_key","arguments":{"key":"OK"}}}"#
            }
            Self::LaunchApp => {
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tv_launch_app","arguments":{"data":"https://www.netflix.com/title/80057281","package":"com.netflix.ninja"}}}"#
            }
            Self::PlayTitle => {
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tv_play_title","arguments":{"title":"Stranger Things","season":1,"episode":1,"country":"US","provider":"netflix","observe":false}}}"#
            }
        }
    }

    /// The whole request. The bare server gets the same headers.
    pub(crate) fn request(self, server: SocketAddr, token: &str) -> Vec<u8> {
        let headers = format!(
            "Authorization: Bearer {token}\r\nAccept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-11-25\r\n"
        );
        http1::post("/mcp", &server.to_string(), &headers, self.body())
    }

    /// Whether an answer is the one that was asked for: a quick refusal must not pass for a quick answer.
    pub(crate) fn is_answered_by(self, status: u16, body: &[u8]) -> bool {
        let has = |part: &str| body.windows(part.len()).any(|window| window == part.as_bytes());
        status == 200
            && match self {
                Self::Echo => has("tv_list_devices"),
                // The list is long and never an error with this status; its first bytes tell.
                Self::ListTools => body.len() > 1_000,
                Self::Office => matches!(body.first(), Some(b'{' | b'[')) && body.len() > 2,
                Self::ListDevices | Self::SendKey | Self::LaunchApp | Self::PlayTitle => {
                    has("\"structuredContent\"") && !has("\"isError\":true")
                }
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_no_answer() {
        let good = br#"{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{},"isError":false}}"#;
        let refused = br#"{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{},"isError":true}}"#;
        let fault = br#"{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}"#;
        assert!(Call::SendKey.is_answered_by(200, good));
        assert!(!Call::SendKey.is_answered_by(401, good));
        assert!(!Call::SendKey.is_answered_by(200, refused));
        assert!(!Call::ListDevices.is_answered_by(200, fault));
        assert!(!Call::ListTools.is_answered_by(200, fault));
    }

    #[test]
    fn every_body_is_json() {
        for call in Call::ALL.into_iter().chain([Call::LaunchApp, Call::PlayTitle]) {
            serde_json::from_str::<serde_json::Value>(call.body()).unwrap();
        }
    }
}

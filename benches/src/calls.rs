//! The requests that are measured.

use std::net::SocketAddr;

use crate::http1;

/// One of the four measured calls.
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
}

impl Call {
    pub(crate) const ALL: [Self; 4] = [Self::Echo, Self::ListTools, Self::ListDevices, Self::SendKey];

    pub(crate) fn letter(self) -> char {
        match self {
            Self::Echo => 'a',
            Self::ListTools => 'b',
            Self::ListDevices => 'c',
            Self::SendKey => 'd',
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Echo => "bare JSON echo",
            Self::ListTools => "tools/list",
            Self::ListDevices => "tv_list_devices",
            Self::SendKey => "tv_send_key",
        }
    }

    fn body(self) -> &'static str {
        match self {
            Self::Echo | Self::ListDevices => {
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tv_list_devices","arguments":{}}}"#
            }
            Self::ListTools => r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#,
            Self::SendKey => {
                r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"tv_send_key","arguments":{"key":"OK"}}}"#
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
                Self::ListDevices | Self::SendKey => has("\"structuredContent\"") && !has("\"isError\":true"),
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
        for call in Call::ALL {
            serde_json::from_str::<serde_json::Value>(call.body()).unwrap();
        }
    }
}

//! What a relay did that the real app could not bear, or that the contract forbids.

/// One breach of the wire contract by the relay. A test asserts that there are none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// The app drops such a frame without an answer.
    #[error("a frame was not a JSON object: {frame}")]
    NotAnObject {
        /// The frame's text, cut to 200 characters.
        frame: String,
    },
    /// The app drops such a frame without an answer.
    #[error("a frame had no `{field}`, or it was not a non-empty string: {frame}")]
    FieldMissing {
        /// `id` or `op`.
        field: &'static str,
        /// The frame's text, cut to 200 characters.
        frame: String,
    },
    /// The app reads no parameters out of it.
    #[error("`params` of op `{op}` was not an object")]
    ParamsNotAnObject {
        /// The frame's operation.
        op: String,
    },
    /// The app turns a null into the text `null`: leave a missing parameter out.
    #[error("parameter `{name}` of op `{op}` was null")]
    NullParam {
        /// The frame's operation.
        op: String,
        /// The parameter.
        name: String,
    },
    /// The app reads its JSON text, so a number survives, but every parameter should be a string.
    #[error("parameter `{name}` of op `{op}` was not a string")]
    ParamNotText {
        /// The frame's operation.
        op: String,
        /// The parameter.
        name: String,
    },
    /// Answers could be mixed up.
    #[error("the id `{id}` was used twice on one socket")]
    RepeatedId {
        /// The id.
        id: String,
    },
    /// The app reads it as text, but frames are text frames.
    #[error("a binary frame of {n_bytes} bytes")]
    BinaryFrame {
        /// Its length.
        n_bytes: usize,
    },
    /// The app echoes the code through OkHttp, which throws at it.
    #[error("closed with a code that OkHttp refuses to echo ({})", code.map_or("reserved".to_owned(), |code| code.to_string()))]
    ForbiddenCloseCode {
        /// The code, where the WebSocket library let it through.
        code: Option<u16>,
    },
    /// Reads as 1005 and turns into a failure.
    #[error("closed without a code")]
    CloseWithoutCode,
    /// Masked, fragmented control, over-long close reason, reserved bits and the like.
    #[error("broke the WebSocket protocol: {0}")]
    Protocol(String),
}

/// Whether OkHttp lets the app echo a close code. 1012 to 1014 pass in newer OkHttp only, so they count as forbidden.
pub(crate) fn is_close_code_allowed(code: u16) -> bool {
    matches!(code, 1000..=1003 | 1007..=1011 | 3000..=4999)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn okhttp_throws_at_reserved_close_codes() {
        for good in [1000, 1001, 1008, 1011, 4000, 4999] {
            assert!(is_close_code_allowed(good), "{good}");
        }
        for bad in [0, 999, 1004, 1005, 1006, 1012, 1015, 2999, 5000] {
            assert!(!is_close_code_allowed(bad), "{bad}");
        }
    }
}

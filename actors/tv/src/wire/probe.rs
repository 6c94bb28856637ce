//! Frames that only ask whether anybody is there.
//!
//! The app sends no pings and a proxy in between may swallow control frames, so a missing pong proves nothing. An operation that no
//! version knows is answered at once by every version (`unsupported op`), and touches nothing on the TV.

use crate::wire::IncomingFrame;
use crate::wire::frame::encode_frame;

const PROBE_ID_PREFIX: &str = "probe-";
const PROBE_OP: &str = "playhouse_probe";

/// The `n`th probe on a link.
pub fn probe_frame(n: u64) -> String {
    encode_frame(&format!("{PROBE_ID_PREFIX}{n}"), PROBE_OP, &[])
}

/// Whether `frame` answers a probe. Sessions keep such answers to themselves.
pub fn is_probe_answer(frame: &IncomingFrame) -> bool {
    frame.id.starts_with(PROBE_ID_PREFIX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::parse_frame;

    #[test]
    fn a_probe_is_a_frame_whose_answer_is_recognised() {
        assert_eq!(probe_frame(7), r#"{"id":"probe-7","op":"playhouse_probe","params":{}}"#);
        let answer = parse_frame(r#"{"id":"probe-7","ok":false,"message":"unsupported op: playhouse_probe"}"#).unwrap();
        assert!(is_probe_answer(&answer));
        assert!(!is_probe_answer(&parse_frame(r#"{"id":"3-7","ok":true}"#).unwrap()));
    }
}

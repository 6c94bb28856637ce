//! One JSON-RPC 2.0 message out of untrusted bytes.
//!
//! Parameters stay raw until a method asks for them, and an id is echoed exactly as it came.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::reply::RpcError;

/// The most messages that one array of revision 2025-03-26 may hold.
pub(super) const MAX_BATCH: usize = 32;

/// How deep objects and arrays may lie in each other, the message itself included. No tool wants more than ten.
const MAX_DEPTH: usize = 64;

/// A request body, taken apart.
#[derive(Debug)]
pub enum Incoming<'b> {
    /// One message.
    One(Result<Envelope<'b>, EnvelopeError<'b>>),
    /// An array of messages, as revision 2025-03-26 had it.
    Batch(Vec<Result<Envelope<'b>, EnvelopeError<'b>>>),
}

/// One message.
#[derive(Debug)]
pub enum Envelope<'b> {
    /// Wants an answer.
    Request {
        /// A string or a whole number, as it came.
        id: &'b RawValue,
        /// The method's name.
        method: Cow<'b, str>,
        /// The parameters, if any.
        params: Option<&'b RawValue>,
    },
    /// A notification, or the client's answer to a request of ours that we never send: neither gets an answer.
    NoAnswer,
}

/// Why bytes are no message, with the id to answer under.
#[derive(Debug)]
pub struct EnvelopeError<'b> {
    /// The message's id, if it has a valid one.
    pub id: Option<&'b RawValue>,
    /// What is wrong.
    pub error: RpcError,
}

#[derive(Deserialize)]
struct RawMessage<'b> {
    #[serde(borrow, default)]
    jsonrpc: Option<Cow<'b, str>>,
    #[serde(borrow, default, deserialize_with = "even_null")]
    id: Option<&'b RawValue>,
    #[serde(borrow, default)]
    method: Option<Cow<'b, str>>,
    #[serde(borrow, default, deserialize_with = "even_null")]
    params: Option<&'b RawValue>,
    #[serde(borrow, default, deserialize_with = "even_null")]
    result: Option<&'b RawValue>,
    #[serde(borrow, default, deserialize_with = "even_null")]
    error: Option<&'b RawValue>,
}

/// Tells a member that is `null` from one that is not there.
fn even_null<'de: 'b, 'b, D: Deserializer<'de>>(deserializer: D) -> Result<Option<&'b RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

/// Takes a body apart. Never panics, whatever the bytes are.
///
/// # Errors
/// `-32700` when the body is not JSON; `-32600` for an empty or oversized array, and for what is nested too deeply.
pub fn read_incoming(body: &[u8]) -> Result<Incoming<'_>, RpcError> {
    if is_too_deep(body) {
        return Err(RpcError::invalid_request(&format!("objects and arrays may lie {MAX_DEPTH} deep in each other")));
    }
    let first = body.iter().find(|byte| !byte.is_ascii_whitespace());
    if first != Some(&b'[') {
        let raw: &RawValue = serde_json::from_slice(body).map_err(|_| RpcError::parse())?;
        return Ok(Incoming::One(read_message(raw)));
    }
    let messages: Vec<&RawValue> = serde_json::from_slice(body).map_err(|_| RpcError::parse())?;
    match messages.len() {
        0 => Err(RpcError::invalid_request("an empty array holds no request")),
        n if n > MAX_BATCH => {
            Err(RpcError::invalid_request(&format!("an array may hold at most {MAX_BATCH} messages")))
        }
        _ => Ok(Incoming::Batch(messages.into_iter().map(read_message).collect())),
    }
}

/// Whether more brackets are open at once than may be. Looks at nothing else: whether it is JSON is the parser's to say.
fn is_too_deep(body: &[u8]) -> bool {
    let (mut depth, mut in_text, mut is_escaped) = (0_usize, false, false);
    for byte in body {
        match (in_text, byte) {
            (true, _) if is_escaped => is_escaped = false,
            (true, b'\\') => is_escaped = true,
            (true, b'"') => in_text = false,
            (true, _) => {}
            (false, b'"') => in_text = true,
            (false, b'{' | b'[') if depth == MAX_DEPTH => return true,
            (false, b'{' | b'[') => depth += 1,
            (false, b'}' | b']') => depth = depth.saturating_sub(1),
            (false, _) => {}
        }
    }
    false
}

fn read_message(raw: &RawValue) -> Result<Envelope<'_>, EnvelopeError<'_>> {
    let refuse = |id, what: &str| Err(EnvelopeError { id, error: RpcError::invalid_request(what) });
    let Ok(message) = serde_json::from_str::<RawMessage<'_>>(raw.get()) else {
        return refuse(None, "a message is a JSON object with `jsonrpc`, `method` and, for a request, `id`");
    };
    let id = match message.id {
        None => None,
        Some(id) if is_valid_id(id.get()) => Some(id),
        Some(_) => return refuse(None, "`id` is a string or a whole number"),
    };
    if message.jsonrpc.as_deref() != Some("2.0") {
        return refuse(id, "`jsonrpc` is \"2.0\"");
    }
    match (message.method, id) {
        (Some(method), Some(id)) => {
            if message.params.is_some_and(|params| !params.get().starts_with('{')) {
                return refuse(Some(id), "`params` is an object");
            }
            Ok(Envelope::Request { id, method, params: message.params })
        }
        (Some(_), None) => Ok(Envelope::NoAnswer),
        (None, Some(_)) if message.result.is_some() || message.error.is_some() => Ok(Envelope::NoAnswer),
        (None, _) => refuse(id, "`method` is missing"),
    }
}

/// A string, or a number without fraction or exponent.
fn is_valid_id(raw: &str) -> bool {
    raw.starts_with('"') || raw.strip_prefix('-').unwrap_or(raw).bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What a body is read as, in a line.
    fn read(body: &str) -> String {
        match read_incoming(body.as_bytes()) {
            Err(error) => format!("{}", error.code),
            Ok(Incoming::One(message)) => line(&message),
            Ok(Incoming::Batch(messages)) => messages.iter().map(line).collect::<Vec<_>>().join(" | "),
        }
    }

    fn line(message: &Result<Envelope<'_>, EnvelopeError<'_>>) -> String {
        match message {
            Ok(Envelope::Request { id, method, params }) => {
                format!("{id} {method} {}", params.map_or("-", |raw| raw.get()))
            }
            Ok(Envelope::NoAnswer) => "no answer".to_owned(),
            Err(error) => format!("{} {}", error.id.map_or("null", |raw| raw.get()), error.error.code),
        }
    }

    #[test]
    fn a_request_keeps_its_id_as_it_came() {
        assert_eq!(read(r#"{"jsonrpc":"2.0","id":7,"method":"ping"}"#), "7 ping -");
        assert_eq!(read(r#"{"jsonrpc":"2.0","id":"a\u0062","method":"ping","params":{}}"#), r#""a\u0062" ping {}"#);
        assert_eq!(
            read(r#"{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"ping"}"#),
            "123456789012345678901234567890 ping -"
        );
        assert_eq!(read(r#"{"jsonrpc":"2.0","id":-1,"method":"ping"}"#), "-1 ping -");
    }

    #[test]
    fn what_is_not_json_is_a_parse_error() {
        for body in ["", " ", "{", "nope", "{\"a\":}", "[1,", "\u{feff}{}"] {
            assert_eq!(read(body), "-32700", "{body:?}");
        }
    }

    #[test]
    fn an_id_that_is_null_or_fractional_or_structured_is_an_invalid_request_without_id() {
        for id in ["null", "1.5", "1e3", "true", "[1]", "{}"] {
            assert_eq!(read(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#)), "null -32600", "{id}");
        }
    }

    #[test]
    fn a_message_without_method_or_version_is_invalid_and_answered_under_its_id() {
        assert_eq!(read(r#"{"jsonrpc":"2.0","id":1}"#), "1 -32600");
        assert_eq!(read(r#"{"id":1,"method":"ping"}"#), "1 -32600");
        assert_eq!(read(r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#), "1 -32600");
        assert_eq!(read(r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#), "1 -32600");
        assert_eq!(read(r#"{"jsonrpc":"2.0","id":1,"method":3}"#), "null -32600");
        assert_eq!(read("3"), "null -32600");
    }

    #[test]
    fn notifications_and_answers_of_the_client_want_no_answer() {
        assert_eq!(read(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#), "no answer");
        assert_eq!(read(r#"{"jsonrpc":"2.0","id":1,"result":{}}"#), "no answer");
        assert_eq!(read(r#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}"#), "no answer");
    }

    #[test]
    fn an_array_is_read_message_by_message_up_to_its_cap() {
        assert_eq!(
            read(r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},3,{"jsonrpc":"2.0","method":"n"}]"#),
            "1 ping - | null -32600 | no answer"
        );
        assert_eq!(read("[]"), "-32600");
        assert_eq!(read(&format!("[{}]", vec!["1"; MAX_BATCH + 1].join(","))), "-32600");
    }

    #[test]
    fn a_message_is_nested_so_deep_and_no_deeper() {
        let nested = |depth: usize| {
            // The message and its parameters are two of them.
            let (open, close) = ("{\"a\":".repeat(depth - 2), "}".repeat(depth - 2));
            read(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{{"x":{open}1{close}}}}}"#))
        };
        assert!(nested(MAX_DEPTH).starts_with("1 m {"));
        for depth in [MAX_DEPTH + 1, 100_000] {
            assert_eq!(nested(depth), "-32600", "{depth}");
        }
    }

    #[test]
    fn brackets_in_a_text_are_text() {
        let text = format!(r#"{{"x":"{}\"{}"}}"#, "[".repeat(100), "{".repeat(100));
        assert!(read(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{text}}}"#)).starts_with("1 m {"));
        let side_by_side = format!("[{}1]", "[],{},".repeat(100));
        let params = format!(r#"{{"x":{side_by_side}}}"#);
        assert!(read(&format!(r#"{{"jsonrpc":"2.0","id":1,"method":"m","params":{params}}}"#)).starts_with("1 m {"));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(body in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = read_incoming(&body);
        }

        #[test]
        fn anything_like_a_message_is_read_or_refused(body in r#"\[?\{"(jsonrpc|id|method|params)":("2.0"|null|1|1.5|\{\}|\[\]),?("(id|method)":("x"|3))?\}\]?"#) {
            let _ = read_incoming(body.as_bytes());
        }
    }
}

//! Answers on their way out: JSON-RPC results and errors as bytes, with the HTTP status they go under.

use playhouse_tools::Refusal;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

/// The code under which a refused key or scope is told in a body that is a JSON-RPC error at once. Outside the range that JSON-RPC and
/// MCP keep for themselves.
const REFUSED: i64 = -31403;

/// A JSON-RPC error.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RpcError {
    /// The code.
    pub code: i64,
    /// What went wrong.
    pub message: String,
    /// Facts that a program can read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl RpcError {
    /// An error.
    pub fn new(code: i64, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// The same error with facts that a program can read.
    pub fn with_data(self, data: Value) -> Self {
        Self { data: Some(data), ..self }
    }

    /// The body is not JSON.
    pub fn parse() -> Self {
        Self::new(-32700, "Parse error: the body is not valid JSON")
    }

    /// The body is JSON and no request.
    pub fn invalid_request(what: &str) -> Self {
        Self::new(-32600, format!("Invalid request: {what}"))
    }

    /// There is no such method here.
    pub fn no_such_method(method: &str) -> Self {
        let method: String = method.chars().take(64).collect();
        Self::new(-32601, format!("Method not found: {method}"))
    }

    /// The parameters do not fit the method.
    pub fn invalid_params(what: &str) -> Self {
        Self::new(-32602, format!("Invalid params: {what}"))
    }
}

/// What is answered to one message, before its id is put in.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reply {
    /// The HTTP status, where the message came alone.
    pub status: u16,
    /// Seconds after which trying again is worth it, where the message came alone.
    pub retry_after_seconds: Option<u32>,
    body: Body,
}

#[derive(Debug, Clone, PartialEq)]
enum Body {
    /// The result as JSON text.
    Result(Vec<u8>),
    Error(RpcError),
    /// An error that carries `detail` too: the one form of refusal that every client can show.
    Refused(String),
    /// The REST door's bytes with nothing round them, not even an id.
    Plain(String),
}

impl Reply {
    /// A result that is JSON text already.
    pub(super) fn raw_result(result: Vec<u8>) -> Self {
        Self { status: 200, retry_after_seconds: None, body: Body::Result(result) }
    }

    /// A small result.
    pub(super) fn result(result: &Value) -> Self {
        Self::raw_result(result.to_string().into_bytes())
    }

    /// An error under an HTTP status.
    pub(super) fn error(status: u16, error: RpcError) -> Self {
        Self { status, retry_after_seconds: None, body: Body::Error(error) }
    }

    /// A refusal of key, scope, engagement or tenancy: REST's own status, in a body that is at once a JSON-RPC error.
    pub(super) fn refused(refusal: Refusal) -> Self {
        let Refusal { status, retry_after_seconds, detail, members: _ } = refusal;
        Self { status, retry_after_seconds, body: Body::Refused(detail) }
    }

    /// A refusal of the production office: REST's own status and bytes.
    pub(super) fn refused_plainly(refusal: &Refusal) -> Self {
        let Refusal { status, retry_after_seconds, .. } = *refusal;
        Self { status, retry_after_seconds, body: Body::Plain(refusal.body()) }
    }

    /// The code of the error, if it is one.
    #[cfg(test)]
    pub(super) fn error_code(&self) -> Option<i64> {
        match &self.body {
            Body::Result(_) | Body::Plain(_) => None,
            Body::Error(error) => Some(error.code),
            Body::Refused(_) => Some(REFUSED),
        }
    }

    /// The whole answer under `id`; `None` is the id of a message that had no valid one.
    pub(super) fn encode(&self, id: Option<&RawValue>) -> Vec<u8> {
        let id = id.map_or("null", RawValue::get);
        match &self.body {
            Body::Result(result) => {
                let mut bytes = Vec::with_capacity(result.len() + id.len() + 40);
                bytes.extend_from_slice(br#"{"jsonrpc":"2.0","id":"#);
                bytes.extend_from_slice(id.as_bytes());
                bytes.extend_from_slice(br#","result":"#);
                bytes.extend_from_slice(result);
                bytes.push(b'}');
                bytes
            }
            Body::Plain(body) => body.clone().into_bytes(),
            Body::Error(error) => {
                let error = serde_json::to_string(error).unwrap_or_else(|_| "null".to_owned());
                format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#).into_bytes()
            }
            Body::Refused(sentence) => {
                let error = json!({ "code": REFUSED, "message": sentence });
                let detail = Value::from(sentence.as_str());
                format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error},"detail":{detail}}}"#).into_bytes()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(reply: &Reply, id: &str) -> String {
        let id = RawValue::from_string(id.to_owned()).unwrap();
        String::from_utf8(reply.encode(Some(&id))).unwrap()
    }

    #[test]
    fn a_result_carries_the_id_as_it_came() {
        assert_eq!(encoded(&Reply::result(&json!({})), "\"a\""), r#"{"jsonrpc":"2.0","id":"a","result":{}}"#);
    }

    #[test]
    fn a_refusal_is_a_json_rpc_error_and_a_detail_at_once() {
        let reply = Reply::refused(Refusal::new(403, "This key does not have the 'tv' scope."));
        assert_eq!(reply.status, 403);
        assert_eq!(
            encoded(&reply, "1"),
            r#"{"jsonrpc":"2.0","id":1,"error":{"code":-31403,"message":"This key does not have the 'tv' scope."},"detail":"This key does not have the 'tv' scope."}"#
        );
    }

    #[test]
    fn an_error_without_a_valid_id_is_answered_under_null() {
        let bytes = Reply::error(400, RpcError::parse()).encode(None);
        assert!(String::from_utf8(bytes).unwrap().starts_with(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"#));
    }
}

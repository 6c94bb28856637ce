//! Which revision a request is made under, decided anew for each request.

use std::borrow::Cow;

use actix_web::http::header::HeaderMap;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::reply::{Reply, RpcError};

/// The revisions that begin with `initialize`, oldest first.
pub const LEGACY_VERSIONS: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
/// The revision in which every request stands for itself.
pub const MODERN_VERSION: &str = "2026-07-28";

const VERSION_HEADER: &str = "mcp-protocol-version";
const METHOD_HEADER: &str = "mcp-method";
const NAME_HEADER: &str = "mcp-name";
const VERSION_META: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_META: &str = "io.modelcontextprotocol/clientCapabilities";

/// The two ways of speaking MCP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Era {
    /// Up to 2025-11-25.
    Legacy,
    /// 2026-07-28.
    Modern,
}

/// The headers of a request that have to do with the protocol, white space at their ends removed.
pub(super) struct ProtocolHeaders<'h> {
    /// `MCP-Protocol-Version`.
    pub version: Option<&'h str>,
    method: Option<&'h str>,
    name: Option<&'h str>,
}

impl<'h> ProtocolHeaders<'h> {
    /// Takes them out of a request's headers. What is not ASCII counts as a value that nothing equals.
    pub(super) fn of(headers: &'h HeaderMap) -> Self {
        let text = |name: &str| headers.get(name).map(|value| value.to_str().unwrap_or("\u{fffd}").trim());
        Self { version: text(VERSION_HEADER), method: text(METHOD_HEADER), name: text(NAME_HEADER) }
    }

    /// Whether an array of messages may be answered: revision 2025-03-26 alone had them, and it did not send its version.
    pub(super) fn allow_batch(&self) -> bool {
        matches!(self.version, None | Some("2025-03-26"))
    }
}

#[derive(Deserialize)]
struct WithMeta<'p> {
    #[serde(borrow, default, rename = "_meta")]
    meta: Option<&'p RawValue>,
    #[serde(borrow, default)]
    name: Option<&'p RawValue>,
    #[serde(borrow, default)]
    uri: Option<&'p RawValue>,
}

/// Decides the era of one request and checks all that this era asks of it before its method is looked at.
///
/// # Errors
/// The reply to send instead, with its HTTP status, in the order in which a 2026-07-28 server checks: `_meta`, version header against
/// `_meta`, version known, method and name headers.
pub(super) fn decide(headers: &ProtocolHeaders<'_>, method: &str, params: Option<&RawValue>) -> Result<Era, Reply> {
    let parts = params.and_then(|params| serde_json::from_str::<WithMeta<'_>>(params.get()).ok());
    let meta: Option<Value> = parts.as_ref().and_then(|parts| serde_json::from_str(parts.meta?.get()).ok());
    let meta = meta.as_ref().and_then(Value::as_object);
    let version_meta = meta.and_then(|meta| meta.get(VERSION_META));
    if version_meta.is_none() && headers.version != Some(MODERN_VERSION) {
        return legacy(headers, method);
    }

    let bad_request = |error| Err(Reply::error(400, error));
    let missing = |key| bad_request(RpcError::invalid_params(&format!("`params._meta` lacks `{key}`")));
    let Some(version) = version_meta else { return missing(VERSION_META) };
    let Some(version) = version.as_str() else {
        return bad_request(RpcError::invalid_params(&format!("`{VERSION_META}` is a string")));
    };
    match meta.and_then(|meta| meta.get(CAPABILITIES_META)) {
        None => return missing(CAPABILITIES_META),
        Some(capabilities) if !capabilities.is_object() => {
            return bad_request(RpcError::invalid_params(&format!("`{CAPABILITIES_META}` is an object")));
        }
        Some(_) => {}
    }
    if headers.version != Some(version) {
        return bad_request(mismatch("MCP-Protocol-Version", headers.version, version));
    }
    if version != MODERN_VERSION {
        return bad_request(unsupported(version));
    }
    if headers.method != Some(method) {
        return bad_request(mismatch("Mcp-Method", headers.method, method));
    }
    let named = parts.as_ref().and_then(|parts| match method {
        "tools/call" | "prompts/get" => parts.name,
        "resources/read" => parts.uri,
        _ => None,
    });
    if let Some(named) = named.and_then(|raw| serde_json::from_str::<Cow<'_, str>>(raw.get()).ok()) {
        let header = headers.name.map(decoded);
        if header.as_deref() != Some(&*named) {
            return bad_request(mismatch("Mcp-Name", headers.name, &named));
        }
    }
    Ok(Era::Modern)
}

fn legacy(headers: &ProtocolHeaders<'_>, method: &str) -> Result<Era, Reply> {
    match headers.version {
        // `initialize` negotiates in its body; a newer client must not be turned away for its header.
        _ if method == "initialize" => Ok(Era::Legacy),
        None => Ok(Era::Legacy),
        Some(version) if LEGACY_VERSIONS.contains(&version) => Ok(Era::Legacy),
        Some(other) => Err(Reply::error(400, unsupported(other))),
    }
}

/// The version `initialize` answers: the one asked for where we speak it, else the newest that has `initialize`.
pub(super) fn negotiated(asked: Option<&str>) -> &'static str {
    const NEWEST: &str = LEGACY_VERSIONS[LEGACY_VERSIONS.len() - 1];
    LEGACY_VERSIONS.into_iter().find(|version| asked == Some(version)).unwrap_or(NEWEST)
}

fn mismatch(header: &str, found: Option<&str>, expected: &str) -> RpcError {
    let found = found.map_or_else(|| "is missing".to_owned(), |found| format!("is {found:?}"));
    RpcError::new(-32020, format!("the header {header} {found}, but the body says {expected:?}; send both alike"))
}

fn unsupported(requested: &str) -> RpcError {
    let requested: String = requested.chars().take(64).collect();
    RpcError::new(-32022, format!("protocol version {requested:?} is not supported"))
        .with_data(json!({ "supported": [MODERN_VERSION], "requested": requested }))
}

/// A header value that may be written as `=?base64?…?=` where a name does not fit a header.
fn decoded(value: &str) -> Cow<'_, str> {
    let inner = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?="));
    let text = inner.and_then(|inner| STANDARD.decode(inner).ok()).and_then(|bytes| String::from_utf8(bytes).ok());
    text.map_or(Cow::Borrowed(value), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    const META: &str = r#""_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}"#;

    /// The era, or status and code of the refusal.
    fn era(headers: &[(&str, &str)], method: &str, params: &str) -> Result<Era, (u16, i64)> {
        let mut request = TestRequest::default();
        for (name, value) in headers {
            request = request.append_header((*name, *value));
        }
        let request = request.to_http_request();
        let params = RawValue::from_string(params.to_owned()).unwrap();
        decide(&ProtocolHeaders::of(request.headers()), method, Some(&params))
            .map_err(|reply| (reply.status, reply.error_code().unwrap_or_default()))
    }

    fn modern_call(headers: &[(&str, &str)], name: &str) -> Result<Era, (u16, i64)> {
        let mut all = vec![("mcp-protocol-version", "2026-07-28")];
        all.extend_from_slice(headers);
        era(&all, "tools/call", &format!(r#"{{"name":"{name}",{META}}}"#))
    }

    #[test]
    fn no_header_and_no_meta_is_legacy() {
        assert_eq!(era(&[], "tools/list", "{}"), Ok(Era::Legacy));
    }

    #[test]
    fn every_legacy_header_is_legacy_and_a_stale_session_is_ignored() {
        for version in LEGACY_VERSIONS {
            assert_eq!(
                era(&[("mcp-protocol-version", version), ("mcp-session-id", "old")], "tools/list", "{}"),
                Ok(Era::Legacy)
            );
        }
    }

    #[test]
    fn a_header_of_neither_era_is_refused_except_on_initialize() {
        assert_eq!(era(&[("mcp-protocol-version", "1999-01-01")], "tools/list", "{}"), Err((400, -32022)));
        assert_eq!(era(&[("mcp-protocol-version", "1999-01-01")], "initialize", "{}"), Ok(Era::Legacy));
    }

    #[test]
    fn a_modern_header_without_meta_lacks_its_meta() {
        assert_eq!(era(&[("mcp-protocol-version", "2026-07-28")], "tools/list", "{}"), Err((400, -32602)));
        let no_capabilities = r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}"#;
        assert_eq!(era(&[("mcp-protocol-version", "2026-07-28")], "tools/list", no_capabilities), Err((400, -32602)));
    }

    #[test]
    fn modern_meta_asks_for_a_header_that_says_the_same() {
        let params = format!("{{{META}}}");
        assert_eq!(era(&[("mcp-method", "tools/list")], "tools/list", &params), Err((400, -32020)));
        let other = [("mcp-protocol-version", "2025-11-25"), ("mcp-method", "tools/list")];
        assert_eq!(era(&other, "tools/list", &params), Err((400, -32020)));
    }

    #[test]
    fn an_unknown_modern_version_is_told_what_is_supported() {
        let params = r#"{"_meta":{"io.modelcontextprotocol/protocolVersion":"2030-01-01","io.modelcontextprotocol/clientCapabilities":{}}}"#;
        assert_eq!(era(&[("mcp-protocol-version", "2030-01-01")], "tools/list", params), Err((400, -32022)));
    }

    #[test]
    fn method_and_name_headers_are_compared_to_the_letter() {
        assert_eq!(
            modern_call(&[("mcp-method", "tools/call"), ("mcp-name", "tv_observe")], "tv_observe"),
            Ok(Era::Modern)
        );
        assert_eq!(
            modern_call(&[("mcp-method", " tools/call "), ("mcp-name", " tv_observe ")], "tv_observe"),
            Ok(Era::Modern)
        );
        assert_eq!(modern_call(&[("mcp-name", "tv_observe")], "tv_observe"), Err((400, -32020)));
        assert_eq!(modern_call(&[("mcp-method", "tools/call")], "tv_observe"), Err((400, -32020)));
        assert_eq!(
            modern_call(&[("mcp-method", "tools/call"), ("mcp-name", "TV_OBSERVE")], "tv_observe"),
            Err((400, -32020))
        );
        assert_eq!(
            modern_call(&[("mcp-method", "Tools/Call"), ("mcp-name", "tv_observe")], "tv_observe"),
            Err((400, -32020))
        );
    }

    #[test]
    fn a_name_in_base_64_is_decoded_before_it_is_compared() {
        assert_eq!(
            modern_call(&[("mcp-method", "tools/call"), ("mcp-name", "=?base64?dHZfb2JzZXJ2ZQ==?=")], "tv_observe"),
            Ok(Era::Modern)
        );
        assert_eq!(
            modern_call(&[("mcp-method", "tools/call"), ("mcp-name", "=?base64?%%%?=")], "tv_observe"),
            Err((400, -32020))
        );
    }

    #[test]
    fn initialize_echoes_what_it_knows_and_never_a_modern_version() {
        for version in LEGACY_VERSIONS {
            assert_eq!(negotiated(Some(version)), version);
        }
        for asked in [Some("2026-07-28"), Some("1999-01-01"), None] {
            assert_eq!(negotiated(asked), "2025-11-25");
        }
    }
}

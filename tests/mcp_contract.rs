//! The contract of `POST /mcp`, row by row: what is refused before a message is read, both eras, and the form of the answers.

mod common;

use common::{Answer, Town};
use playhouse_house::Scope;
use reqwest::Method;
use serde_json::{Value, json};

const MODERN: &str = "2026-07-28";

async fn town() -> (Town, String) {
    let town = Town::start().await;
    let house = town.house("Kestrel Street").await;
    let key = town.key(&house, &[Scope::Tv]).await;
    (town, key)
}

fn request(method: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": 1, "method": method })
}

fn modern_request(method: &str, mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    json!({ "jsonrpc": "2.0", "id": "a-1", "method": method, "params": params })
}

async fn modern(town: &Town, key: &str, method: &str, params: Value) -> Answer {
    let name = params["name"].as_str().or(params["uri"].as_str()).map(str::to_owned);
    let mut post = town.mcp(key).header("MCP-Protocol-Version", MODERN).header("Mcp-Method", method);
    if let Some(name) = name {
        post = post.header("Mcp-Name", name);
    }
    town.send(post.json(&modern_request(method, params))).await
}

#[actix_web::test]
async fn row_1_anything_but_post_is_405_on_every_spelling_with_and_without_a_key() {
    let (town, key) = town().await;
    for path in ["/mcp", "/mcp/", "/api/mcp"] {
        for method in [Method::GET, Method::DELETE, Method::PUT, Method::PATCH, Method::HEAD, Method::OPTIONS] {
            for authorised in [false, true] {
                let mut sent = town.http.request(method.clone(), town.url(path));
                if authorised {
                    sent = sent.bearer_auth(&key);
                }
                let answer = town.send(sent).await;
                assert_eq!((answer.status, answer.header("allow")), (405, Some("POST")), "{method} {path}");
                if method != Method::HEAD {
                    assert!(answer.json()["detail"].is_string());
                }
            }
        }
        assert_eq!(
            town.send(town.http.post(town.url(path)).bearer_auth(&key).json(&request("ping"))).await.status,
            200
        );
    }
    town.stop().await;
}

#[actix_web::test]
async fn row_2_a_foreign_host_or_origin_is_403_and_loopback_is_ours() {
    let (town, key) = town().await;
    let with = |name: &'static str, value: &'static str| town.mcp(&key).header(name, value).json(&request("ping"));
    assert_eq!(town.send(with("Host", "evil.example")).await.status, 403);
    assert_eq!(town.send(with("Origin", "https://evil.example")).await.status, 403);
    assert_eq!(town.send(with("Origin", "null")).await.status, 403);
    assert_eq!(town.send(with("Host", "localhost:1234")).await.status, 200);
    assert_eq!(town.send(with("Origin", "http://127.0.0.1:3000")).await.status, 200);
    town.stop().await;
}

#[actix_web::test]
async fn row_3_a_body_over_12_mb_is_413_and_another_media_type_415() {
    let (town, key) = town().await;
    let large = vec![b' '; 12 * 1024 * 1024 + 1];
    let answer = town.send(town.mcp(&key).header("Content-Type", "application/json").body(large.clone())).await;
    assert_eq!((answer.status, answer.text.as_str()), (413, r#"{"detail":"Request body is larger than 12 MB."}"#));

    let chunks = futures_util::stream::iter(
        large.chunks(1 << 20).map(|chunk| Ok::<_, std::io::Error>(chunk.to_vec())).collect::<Vec<_>>(),
    );
    let streamed = town.mcp(&key).header("Content-Type", "application/json").body(reqwest::Body::wrap_stream(chunks));
    assert_eq!(town.send(streamed).await.status, 413);

    for media_type in ["text/plain", "application/x-www-form-urlencoded"] {
        let sent = town.mcp(&key).header("Content-Type", media_type).body(request("ping").to_string());
        assert_eq!(town.send(sent).await.status, 415, "{media_type}");
    }
    let charset =
        town.mcp(&key).header("Content-Type", "application/json; charset=utf-8").body(request("ping").to_string());
    assert_eq!(town.send(charset).await.status, 200);
    town.stop().await;
}

#[actix_web::test]
async fn a_household_key_sends_up_to_2_mb_and_an_office_key_up_to_12() {
    let (town, key) = town().await;
    let house = town.house("Office").await;
    let office = town.key(&house, &[Scope::Read]).await;
    let of_size = |n_bytes: usize| {
        let empty = json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": { "pad": "" } }).to_string();
        empty.replace(r#""pad":"""#, &format!(r#""pad":"{}""#, "p".repeat(n_bytes - empty.len())))
    };
    let post = |key: &str, body: String| town.send(town.mcp(key).header("Content-Type", "application/json").body(body));
    const MIB: usize = 1024 * 1024;
    // A custom format of 1 MiB, the largest there is, fits with its envelope.
    for (n_bytes, status) in [(MIB + 4_096, 200), (2 * MIB, 200), (2 * MIB + 1, 413)] {
        assert_eq!(post(&key, of_size(n_bytes)).await.status, status, "{n_bytes}");
    }
    let refused = post(&key, of_size(3 * MIB)).await;
    assert_eq!(refused.text, r#"{"detail":"Request body is larger than 2 MB."}"#);
    let large = of_size(3 * MIB).into_bytes();
    let chunks = futures_util::stream::iter(
        large.chunks(1 << 18).map(|chunk| Ok::<_, std::io::Error>(chunk.to_vec())).collect::<Vec<_>>(),
    );
    let streamed = town.mcp(&key).header("Content-Type", "application/json").body(reqwest::Body::wrap_stream(chunks));
    assert_eq!(town.send(streamed).await.status, 413);
    for (n_bytes, status) in [(12 * MIB, 200), (12 * MIB + 1, 413)] {
        assert_eq!(post(&office, of_size(n_bytes)).await.status, status, "{n_bytes}");
    }
    town.stop().await;
}

#[actix_web::test]
async fn what_is_nested_deeper_than_64_is_an_invalid_request() {
    let (town, key) = town().await;
    let nested = |depth: usize| {
        let mut value = json!(1);
        for _ in 0..depth - 2 {
            value = json!({ "a": value });
        }
        json!({ "jsonrpc": "2.0", "id": 1, "method": "ping", "params": { "a": value } })
    };
    assert_eq!(town.send(town.mcp(&key).json(&nested(64))).await.status, 200);
    let refused = town.send(town.mcp(&key).json(&nested(65))).await;
    assert_eq!((refused.status, refused.error_code()), (400, -32600));
    town.stop().await;
}

#[actix_web::test]
async fn row_4_accept_is_lenient_and_406_only_when_neither_form_fits() {
    let (town, key) = town().await;
    let accepting = |accept: &'static str| town.mcp(&key).header("Accept", accept).json(&request("ping"));
    for accept in
        ["application/json", "*/*", "application/json, text/event-stream", "text/event-stream, application/json"]
    {
        let answer = town.send(accepting(accept)).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some("application/json")), "{accept}");
    }
    let event = town.send(accepting("text/event-stream")).await;
    assert_eq!(event.header("content-type"), Some("text/event-stream"));
    assert_eq!(event.text, "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n");
    assert_eq!(town.send(accepting("text/html")).await.status, 406);
    town.stop().await;
}

#[actix_web::test]
async fn row_5_a_bad_or_missing_key_is_401_with_a_challenge_that_names_no_metadata() {
    let (town, key) = town().await;
    let mut mistyped = key.clone();
    mistyped.pop();
    for (header, detail) in [
        (None, "Missing access key."),
        (Some("Basic eDp5".to_owned()), "Missing access key."),
        (Some("Bearer nonsense".to_owned()), "Invalid access key."),
        (Some(format!("Bearer {mistyped}")), "Invalid access key."),
    ] {
        let mut post = town.http.post(town.url("/mcp")).json(&request("tools/list"));
        if let Some(header) = header {
            post = post.header("Authorization", header);
        }
        let answer = town.send(post).await;
        assert_eq!((answer.status, answer.json()), (401, json!({ "detail": detail })));
        assert_eq!(answer.header("www-authenticate"), Some(r#"Bearer realm="playhouse", error="invalid_token""#));
    }
    town.stop().await;
}

#[actix_web::test]
async fn a_key_in_the_address_is_no_key() {
    let (town, key) = town().await;
    let post = town.http.post(town.url(&format!("/mcp?token={key}"))).json(&request("ping"));
    assert_eq!(town.send(post).await.status, 401);
    town.stop().await;
}

#[actix_web::test]
async fn row_6_well_known_addresses_are_a_404_but_for_the_resource_metadata() {
    let (town, _) = town().await;
    for path in [
        "/.well-known/oauth-authorization-server",
        "/.well-known/openid-configuration",
        "/.well-known/oauth-authorization-server/mcp",
        "/.well-known/oauth-protected-resource/mcp",
        "/mcp/.well-known/openid-configuration",
    ] {
        let answer = town.send(town.http.get(town.url(path))).await;
        assert_eq!((answer.status, answer.json()), (404, json!({ "detail": "Not found." })), "{path}");
    }
    let metadata = town.send(town.http.get(town.url("/.well-known/oauth-protected-resource"))).await;
    let resource = town.running.mcp_url();
    assert_eq!(metadata.json(), json!({ "resource": resource, "bearer_methods_supported": ["header"] }));
    town.stop().await;
}

#[actix_web::test]
async fn row_7_what_is_no_message_is_400_with_a_null_id() {
    let (town, key) = town().await;
    let post = |body: &str| town.mcp(&key).header("Content-Type", "application/json").body(body.to_owned());
    for (body, code) in [
        ("{", -32700),
        ("", -32700),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600),
        (r#""ping""#, -32600),
    ] {
        let answer = town.send(post(body)).await;
        assert_eq!((answer.status, answer.error_code(), &answer.json()["id"]), (400, code, &Value::Null), "{body}");
    }
    town.stop().await;
}

#[actix_web::test]
async fn row_8_arrays_are_for_2025_03_26_only_and_capped() {
    let (town, key) = town().await;
    let batch = json!([request("ping"), { "jsonrpc": "2.0", "method": "notifications/initialized" }, { "jsonrpc": "2.0", "id": 2, "method": "nope" }]);
    for version in [None, Some("2025-03-26")] {
        let mut post = town.mcp(&key).json(&batch);
        if let Some(version) = version {
            post = post.header("MCP-Protocol-Version", version);
        }
        let answer = town.send(post).await;
        assert_eq!(answer.status, 200);
        let json = answer.json();
        assert_eq!(json.as_array().unwrap().len(), 2);
        assert_eq!((&json[0]["result"], &json[1]["error"]["code"]), (&json!({}), &json!(-32601)));
    }
    for version in ["2025-06-18", "2025-11-25", MODERN] {
        let answer = town.send(town.mcp(&key).header("MCP-Protocol-Version", version).json(&batch)).await;
        assert_eq!((answer.status, answer.error_code()), (400, -32600), "{version}");
    }
    let only_notifications = json!([{ "jsonrpc": "2.0", "method": "notifications/initialized" }]);
    assert_eq!(town.send(town.mcp(&key).json(&only_notifications)).await.status, 202);
    let endless: Vec<Value> = (0..1_000).map(|_| request("ping")).collect();
    assert_eq!(town.send(town.mcp(&key).json(&endless)).await.status, 400);
    town.stop().await;
}

#[actix_web::test]
async fn row_9_a_notification_is_202_without_body_and_media_type() {
    let (town, key) = town().await;
    for body in [
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/of-our-own" }),
    ] {
        let answer = town.send(town.mcp(&key).json(&body)).await;
        assert_eq!((answer.status, answer.text.as_str(), answer.header("content-type")), (202, "", None));
    }
    town.stop().await;
}

#[actix_web::test]
async fn rows_10_and_11_a_modern_request_is_checked_in_order() {
    let (town, key) = town().await;
    let send = |headers: &[(&'static str, &'static str)], body: Value| {
        let post = headers.iter().fold(town.mcp(&key), |post, (name, value)| post.header(*name, *value));
        town.send(post.json(&body))
    };
    // No `_meta` at all, and half of it.
    let bare = send(&[("MCP-Protocol-Version", MODERN)], request("tools/list")).await;
    assert_eq!((bare.status, bare.error_code()), (400, -32602));
    let half = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list",
        "params": { "_meta": { "io.modelcontextprotocol/protocolVersion": MODERN } } });
    assert_eq!(send(&[("MCP-Protocol-Version", MODERN)], half).await.error_code(), -32602);
    // Header and `_meta` differ, or the header is missing.
    let whole = modern_request("tools/list", json!({}));
    for headers in [&[][..], &[("MCP-Protocol-Version", "2025-11-25")][..]] {
        let answer = send(headers, whole.clone()).await;
        assert_eq!((answer.status, answer.error_code(), &answer.json()["id"]), (400, -32020, &json!("a-1")));
    }
    // A version we do not speak.
    let mut later = whole.clone();
    later["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2031-01-01");
    let answer = send(&[("MCP-Protocol-Version", "2031-01-01")], later).await;
    assert_eq!((answer.status, answer.error_code()), (400, -32022));
    assert_eq!(answer.json()["error"]["data"], json!({ "supported": [MODERN], "requested": "2031-01-01" }));
    // Method and name headers.
    assert_eq!(send(&[("MCP-Protocol-Version", MODERN)], whole.clone()).await.error_code(), -32020);
    assert_eq!(
        send(&[("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/call")], whole.clone()).await.error_code(),
        -32020
    );
    assert_eq!(send(&[("MCP-Protocol-Version", MODERN), ("Mcp-Method", "tools/list")], whole).await.status, 200);
    town.stop().await;
}

#[actix_web::test]
async fn row_12_modern_methods_answer_and_removed_ones_are_404() {
    let (town, key) = town().await;
    let discover = modern(&town, &key, "server/discover", json!({})).await.result();
    assert_eq!((&discover["supportedVersions"], &discover["resultType"]), (&json!([MODERN]), &json!("complete")));
    assert!(discover["ttlMs"].is_u64() && discover["cacheScope"].is_string());
    for method in ["initialize", "ping", "logging/setLevel", "resources/subscribe", "subscriptions/listen", "nope"] {
        let answer = modern(&town, &key, method, json!({})).await;
        assert_eq!(
            (answer.status, answer.error_code(), &answer.json()["id"]),
            (404, -32601, &json!("a-1")),
            "{method}"
        );
    }
    town.stop().await;
}

#[actix_web::test]
async fn row_13_initialize_echoes_a_legacy_version_and_answers_2025_11_25_to_all_else() {
    let (town, key) = town().await;
    for (asked, answered) in [
        (json!("2024-11-05"), "2024-11-05"),
        (json!("2025-03-26"), "2025-03-26"),
        (json!("2025-06-18"), "2025-06-18"),
        (json!("2025-11-25"), "2025-11-25"),
        (json!(MODERN), "2025-11-25"),
        (json!("1999-01-01"), "2025-11-25"),
        (Value::Null, "2025-11-25"),
    ] {
        let answer = town
            .rpc(
                &key,
                "initialize",
                json!({ "protocolVersion": asked, "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } }),
            )
            .await;
        assert_eq!(answer.result()["protocolVersion"], answered);
        assert_eq!(answer.header("mcp-session-id"), None);
        assert_eq!(answer.result()["serverInfo"]["name"], "playhouse");
    }
    town.stop().await;
}

#[actix_web::test]
async fn row_14_legacy_ping_unknown_methods_and_stray_headers() {
    let (town, key) = town().await;
    assert_eq!(town.rpc(&key, "ping", json!({})).await.result(), json!({}));
    let unknown = town.rpc(&key, "nope", json!({})).await;
    assert_eq!((unknown.status, unknown.error_code()), (200, -32601));
    let stray =
        town.mcp(&key).header("Mcp-Method", "something/else").header("Mcp-Session-Id", "from-before-the-restart");
    assert_eq!(town.send(stray.json(&request("ping"))).await.status, 200);
    town.stop().await;
}

#[actix_web::test]
async fn row_15_a_header_of_neither_era_is_400_and_initialize_ignores_it() {
    let (town, key) = town().await;
    let with = |method: &str| town.mcp(&key).header("MCP-Protocol-Version", "1999-01-01").json(&request(method));
    let answer = town.send(with("tools/list")).await;
    assert_eq!((answer.status, answer.error_code()), (400, -32022));
    assert_eq!(town.send(with("initialize")).await.result()["protocolVersion"], "2025-11-25");
    town.stop().await;
}

#[actix_web::test]
async fn row_16_tools_are_listed_sorted_stable_and_privately_cacheable() {
    let (town, key) = town().await;
    let first = modern(&town, &key, "tools/list", json!({})).await;
    let second = modern(&town, &key, "tools/list", json!({})).await;
    assert_eq!(first.text, second.text);
    let result = first.result();
    let names: Vec<&str> =
        result["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert!(names.is_sorted() && names.contains(&"tv_send_key"), "{names:?}");
    assert_eq!(result["cacheScope"], "private");
    assert!(result["ttlMs"].as_u64().unwrap() <= 60_000);
    for tool in result["tools"].as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        assert!(
            name.len() <= 64 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-'),
            "{name}"
        );
        assert!(tool["description"].as_str().is_some_and(|text| !text.is_empty()), "{name}");
        assert_eq!(
            (&tool["inputSchema"]["type"], &tool["outputSchema"]["type"]),
            (&json!("object"), &json!("object")),
            "{name}"
        );
        for keyword in ["anyOf", "allOf", "oneOf", "$ref"] {
            assert!(!tool["inputSchema"].to_string().contains(&format!("\"{keyword}\"")), "{name} has {keyword}");
        }
    }
    let cursor = town.rpc(&key, "tools/list", json!({ "cursor": "made-up" })).await;
    assert_eq!(cursor.error_code(), -32602);
    town.stop().await;
}

#[actix_web::test]
async fn row_17_bad_arguments_are_a_result_for_the_model_and_an_unknown_tool_an_error() {
    let (town, key) = town().await;
    let words = town.failure(&key, "tv_send_key", json!({ "kee": "UP" })).await;
    assert!(words.contains("`kee`") && words.contains("`key`"), "{words}");
    let unknown = town.call(&key, "tv_send_keys", json!({})).await;
    assert_eq!(unknown.error_code(), -32602);
    assert!(unknown.text.contains("tv_send_key?"), "{unknown:?}");
    for params in [json!({}), json!({ "name": 3 }), json!({ "name": "tv_observe", "arguments": [] })] {
        assert_eq!(town.rpc(&key, "tools/call", params).await.error_code(), -32602);
    }
    town.stop().await;
}

#[actix_web::test]
async fn row_18_structured_content_comes_with_the_same_json_as_text_and_prose() {
    let (town, key) = town().await;
    for answer in [
        town.call(&key, "tv_list_devices", json!({})).await,
        modern(&town, &key, "tools/call", json!({ "name": "tv_list_devices", "arguments": {} })).await,
    ] {
        let result = answer.result();
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!((text, &result["isError"]), (result["structuredContent"].clone(), &json!(false)));
        assert!(!result["content"][1]["text"].as_str().unwrap().is_empty());
    }
    town.stop().await;
}

#[actix_web::test]
async fn a_missing_scope_is_403_in_a_body_that_is_a_json_rpc_error_too() {
    let town = Town::start().await;
    let house = town.house("Kestrel Street").await;
    let key = town.key(&house, &[Scope::Media]).await;
    let answer = town.call(&key, "tv_send_key", json!({ "key": "UP" })).await;
    let detail = "This key does not have the 'tv' scope.";
    assert_eq!(answer.status, 403);
    assert_eq!(
        answer.json(),
        json!({ "jsonrpc": "2.0", "id": 1, "error": { "code": -31403, "message": detail }, "detail": detail })
    );
    assert_eq!(town.rpc(&key, "tools/list", json!({})).await.result()["tools"], json!([]));
    town.stop().await;
}

#[actix_web::test]
async fn the_dotted_names_of_the_seed_are_accepted_on_call_and_never_listed() {
    let (town, key) = town().await;
    assert_eq!(town.ask(&key, "tv.list_devices", json!({})).await, json!({ "devices": [] }));
    let listed = town.rpc(&key, "tools/list", json!({})).await.result();
    assert!(listed["tools"].as_array().unwrap().iter().all(|tool| !tool["name"].as_str().unwrap().contains('.')));
    town.stop().await;
}

#[actix_web::test]
async fn resources_and_prompts_are_empty_lists_and_unknown_ones_are_not_found() {
    let (town, key) = town().await;
    for (method, member) in [
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
        ("prompts/list", "prompts"),
    ] {
        assert_eq!(town.rpc(&key, method, json!({})).await.result()[member], json!([]));
        let result = modern(&town, &key, method, json!({})).await.result();
        assert_eq!((&result[member], &result["cacheScope"]), (&json!([]), &json!("private")));
    }
    let uri = json!({ "uri": "playhouse://nothing" });
    assert_eq!(town.rpc(&key, "resources/read", uri.clone()).await.error_code(), -32002);
    let not_found = modern(&town, &key, "resources/read", uri.clone()).await;
    assert_eq!((not_found.error_code(), &not_found.json()["error"]["data"]), (-32602, &uri));
    assert_eq!(town.rpc(&key, "prompts/get", json!({ "name": "nothing" })).await.error_code(), -32602);
    town.stop().await;
}

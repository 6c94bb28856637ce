//! Results as JSON text: what each era asks of one, and how a tool's outcome is laid out in it.

use serde_json::Value;

use super::era::Era;
use super::pretty::indented;
use super::reply::Reply;

/// How long clients of revision 2026-07-28 may keep a list, in milliseconds. Short: a list changes with the key's grants and the TVs' names.
const LIST_TTL_MS: u32 = 5_000;

pub(super) const SERVER_INFO_META: &str = "io.modelcontextprotocol/serverInfo";

/// A list result round an array that is encoded already.
pub(super) fn list_result(era: Era, member: &str, array: &[u8]) -> Vec<u8> {
    let mut result = Vec::with_capacity(array.len() + 256);
    result.extend_from_slice(b"{\"");
    result.extend_from_slice(member.as_bytes());
    result.extend_from_slice(b"\":");
    result.extend_from_slice(array);
    if era == Era::Modern {
        // Lists differ from key to key, so nobody between us and the client may share them.
        result.extend_from_slice(format!(r#","ttlMs":{LIST_TTL_MS},"cacheScope":"private""#).as_bytes());
    }
    close_result(era, &mut result);
    result
}

/// Ends a result object with what its era asks of every result.
pub(super) fn close_result(era: Era, result: &mut Vec<u8>) {
    if era == Era::Modern {
        const TAIL: &str = concat!(
            r#","resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"playhouse","title":"Playhouse","version":""#,
            env!("CARGO_PKG_VERSION"),
            r#""}}"#
        );
        result.extend_from_slice(TAIL.as_bytes());
    }
    result.push(b'}');
}

/// A document of the production office: as text always, and as structured content where it is an object.
pub(super) fn document(era: Era, json: &str, is_object: bool) -> Vec<u8> {
    let mut result = Vec::with_capacity(json.len() * 2 + 256);
    result.extend_from_slice(br#"{"content":["#);
    text_block(&mut result, &indented(json));
    result.push(b']');
    if is_object {
        result.extend_from_slice(br#","structuredContent":"#);
        result.extend_from_slice(json.as_bytes());
    }
    result.extend_from_slice(br#","isError":false"#);
    close_result(era, &mut result);
    result
}

/// A tool's answer: the JSON as text, the prose as text, and the JSON once more as structured content.
pub(super) fn answered(era: Era, structured: &str, prose: &str, is_error: bool) -> Vec<u8> {
    let mut result = Vec::with_capacity(structured.len() * 2 + prose.len() + 256);
    result.extend_from_slice(br#"{"content":["#);
    text_block(&mut result, structured);
    if !prose.is_empty() {
        result.push(b',');
        text_block(&mut result, prose);
    }
    result.extend_from_slice(br#"],"structuredContent":"#);
    result.extend_from_slice(structured.as_bytes());
    result.extend_from_slice(if is_error { br#","isError":true"# } else { br#","isError":false"# });
    close_result(era, &mut result);
    result
}

/// What the world refused: words for the model, and no structured content, which would have to match the schema.
pub(super) fn failed(era: Era, words: &str) -> Reply {
    let mut result = Vec::with_capacity(words.len() + 256);
    result.extend_from_slice(br#"{"content":["#);
    text_block(&mut result, words);
    result.extend_from_slice(br#"],"isError":true"#);
    close_result(era, &mut result);
    Reply::raw_result(result)
}

fn text_block(result: &mut Vec<u8>, text: &str) {
    result.extend_from_slice(br#"{"type":"text","text":"#);
    result.extend_from_slice(Value::from(text).to_string().as_bytes());
    result.push(b'}');
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parsed(bytes: &[u8]) -> Value {
        serde_json::from_slice(bytes).unwrap()
    }

    #[test]
    fn an_answer_is_text_and_structured_content_of_the_same_json() {
        let result = parsed(&answered(Era::Legacy, r#"{"a":"\"x\""}"#, "It is \"x\".", false));
        assert_eq!(result["structuredContent"], json!({"a": "\"x\""}));
        assert_eq!(parsed(result["content"][0]["text"].as_str().unwrap().as_bytes()), result["structuredContent"]);
        assert_eq!(result["content"][1]["text"], "It is \"x\".");
        assert_eq!(result["isError"], false);
        assert_eq!(result.get("resultType"), None);
    }

    #[test]
    fn a_document_is_text_laid_out_and_structured_content_only_where_it_is_an_object() {
        let object = parsed(&document(Era::Legacy, r#"{"b":1,"a":[]}"#, true));
        assert_eq!(object["content"], json!([{ "type": "text", "text": "{\n  \"b\": 1,\n  \"a\": []\n}" }]));
        assert_eq!((&object["structuredContent"], &object["isError"]), (&json!({"a": [], "b": 1}), &json!(false)));
        let list = parsed(&document(Era::Legacy, "[1]", false));
        assert_eq!((&list["content"][0]["text"], list.get("structuredContent")), (&json!("[\n  1\n]"), None));
    }

    #[test]
    fn a_failure_has_words_and_no_structured_content() {
        let reply = failed(Era::Modern, "The TV is off.");
        let result = &parsed(&reply.encode(None))["result"];
        assert_eq!(result["content"][0]["text"], "The TV is off.");
        assert_eq!((&result["isError"], result.get("structuredContent")), (&json!(true), None));
        assert_eq!(result["resultType"], "complete");
    }

    #[test]
    fn a_modern_list_may_be_kept_by_its_own_client_only() {
        let result = parsed(&list_result(Era::Modern, "tools", b"[]"));
        assert_eq!((&result["cacheScope"], &result["tools"]), (&json!("private"), &json!([])));
        assert!(result["ttlMs"].as_u64().unwrap() > 0);
        assert_eq!(result["_meta"][SERVER_INFO_META]["name"], "playhouse");
        assert_eq!(parsed(&list_result(Era::Legacy, "tools", b"[]")), json!({"tools": []}));
    }
}

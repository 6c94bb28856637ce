//! Compact JSON laid out for reading, as the production office shows it to models.

/// Lays compact JSON out with two spaces a level, as serde_json's own pretty printer would.
///
/// Works on the text: members keep their order and numbers their digits, which they would not by way of a parsed value. What is not
/// JSON comes out as some text; nothing panics.
pub(super) fn indented(json: &str) -> String {
    let mut out = String::with_capacity(json.len() * 2);
    let mut depth = 0_usize;
    let mut rest = json;
    while let Some(first) = rest.chars().next() {
        let (token, behind) = rest.split_at(token_length(rest, first));
        rest = behind;
        match first {
            '{' | '[' if matches!(rest.bytes().next(), Some(b'}' | b']')) => {
                let (close, behind) = rest.split_at(1);
                out.push_str(token);
                out.push_str(close);
                rest = behind;
            }
            '{' | '[' => {
                out.push_str(token);
                depth += 1;
                new_line(&mut out, depth);
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                new_line(&mut out, depth);
                out.push_str(token);
            }
            ',' => {
                out.push(',');
                new_line(&mut out, depth);
            }
            ':' => out.push_str(": "),
            _ => out.push_str(token),
        }
    }
    out
}

fn new_line(out: &mut String, depth: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n("  ", depth));
}

/// The bytes of the token at the start of `rest`: a string with its quotes, one mark, or everything up to the next mark.
fn token_length(rest: &str, first: char) -> usize {
    const MARKS: &[u8] = b"{}[],:\"";
    match first {
        '"' => {
            let mut is_escaped = false;
            let end = rest.bytes().enumerate().skip(1).find(|(_, byte)| {
                let ends = *byte == b'"' && !is_escaped;
                is_escaped = *byte == b'\\' && !is_escaped;
                ends
            });
            end.map_or(rest.len(), |(place, _)| place + 1)
        }
        '{' | '}' | '[' | ']' | ',' | ':' => 1,
        _ => rest.bytes().position(|byte| MARKS.contains(&byte)).unwrap_or(rest.len()),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn members_keep_their_order_and_numbers_their_digits() {
        assert_eq!(
            indented(r#"{"z":1.50,"a":[],"b":{"c":[1,2]}}"#),
            "{\n  \"z\": 1.50,\n  \"a\": [],\n  \"b\": {\n    \"c\": [\n      1,\n      2\n    ]\n  }\n}"
        );
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            "\\PC{0,12}|[\"\\\\{}\\[\\],:]{0,6}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 32, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
                prop::collection::btree_map("[a-z\"\\\\]{0,4}", inner, 0..5).prop_map(|members| json!(members)),
            ]
        })
    }

    proptest! {
        #[test]
        fn it_is_what_the_pretty_printer_makes(value in any_json()) {
            prop_assert_eq!(indented(&value.to_string()), serde_json::to_string_pretty(&value).unwrap());
        }

        #[test]
        fn any_text_is_survived(text in "\\PC{0,40}|[{}\\[\\],:\"\\\\]{0,20}") {
            let _ = indented(&text);
        }
    }
}

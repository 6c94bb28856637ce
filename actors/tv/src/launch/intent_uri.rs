//! Reading `…#Intent;action=…;package=…;end` the way Android's parser does, only stricter: whatever could be read in two ways is refused.
//!
//! What is known of that parser: it looks at the last `#` of any link, whatever the scheme; values are percent-decoded; a part that starts
//! with `end` ends the intent; `SEL` starts a selector; an old form `#action(…)component(…)` is still read.

use super::safety::LaunchRefusal;

/// One `name=value` of an intent, decoded. `SEL` has no value.
pub(super) struct IntentPart {
    pub(super) name: String,
    pub(super) value: String,
}

const MARKER: &str = "#intent;";

/// Names that open the old form of intents.
const OLD_FORM: [&str; 6] = ["action(", "categories(", "type(", "launchflags(", "component(", "extras("];

/// Whether Android could read an intent out of `data`, in the present or the old form and in odd spellings.
pub(super) fn has_intent_fragment(data: &str) -> bool {
    let plain = decode_fully(data).to_ascii_lowercase();
    let without_spaces: String = plain.chars().filter(|character| !character.is_whitespace()).collect();
    without_spaces.contains(MARKER)
        || without_spaces
            .rsplit_once('#')
            .is_some_and(|(_, fragment)| OLD_FORM.iter().any(|name| fragment.starts_with(name)))
}

/// The parts of the intent in `data`.
pub(super) fn parts(data: &str) -> Result<Vec<IntentPart>, LaunchRefusal> {
    let malformed = |problem: &str| LaunchRefusal::MalformedIntent { problem: problem.to_owned() };
    let lower = data.to_ascii_lowercase();
    if lower.matches(MARKER).count() != 1 {
        return Err(malformed("it needs exactly one `#Intent;`"));
    }
    let Some(at) = lower.rfind('#').filter(|at| lower[*at..].starts_with(MARKER)) else {
        return Err(malformed("there is a `#` behind `#Intent;`"));
    };
    // Lower-casing ASCII keeps every byte in place, so positions hold in both texts.
    let body = &data[at + MARKER.len()..];
    if decode_fully(body).to_ascii_lowercase().contains(MARKER) {
        return Err(malformed("it holds another intent"));
    }
    let mut parts = Vec::new();
    let mut segments = body.split(';').map(str::trim);
    loop {
        match segments.next() {
            None => return Err(malformed("it must end with `;end`")),
            Some("end") => break,
            Some("") => return Err(malformed("there is an empty part")),
            Some(segment) => {
                let (name, value) = segment.split_once('=').unwrap_or((segment, ""));
                parts.push(IntentPart {
                    name: decode_fully(name).trim().to_owned(),
                    value: decode_fully(value).trim().to_owned(),
                });
            }
        }
    }
    if segments.any(|segment| !segment.is_empty()) {
        return Err(malformed("there is something behind `end`"));
    }
    Ok(parts)
}

/// Percent-decodes until nothing changes, so that `%2566ile` and `file` are the same. Bytes that make no UTF-8 become `�`.
pub(super) fn decode_fully(text: &str) -> String {
    // Each round shortens the text, so this ends; the cap only keeps hostile nesting cheap.
    const MAX_ROUNDS: usize = 8;
    let mut decoded = text.to_owned();
    for _ in 0..MAX_ROUNDS {
        let next = decode_once(&decoded);
        if next == decoded {
            break;
        }
        decoded = next;
    }
    decoded
}

fn decode_once(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escape = (bytes[at] == b'%').then(|| bytes.get(at + 1..at + 3)).flatten().and_then(hex_byte);
        match escape {
            Some(byte) => {
                decoded.push(byte);
                at += 3;
            }
            None => {
                decoded.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

fn hex_byte(digits: &[u8]) -> Option<u8> {
    let [high, low] = digits else { return None };
    let value = char::from(*high).to_digit(16)? * 16 + char::from(*low).to_digit(16)?;
    u8::try_from(value).ok()
}

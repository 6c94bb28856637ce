//! Taking apart `intent://…#Intent;…;end` as catalogues write it.
//!
//! Lenient where nothing depends on it (unknown parts are passed over), and with nothing kept that could start anything but a page: no
//! component, no flags, no selector.

use percent_encoding::percent_decode_str;

/// What a catalogue's link says.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CatalogueLink {
    /// The page; `None` when the link names none and only opens an app.
    pub(super) uri: Option<String>,
    pub(super) package: Option<String>,
    /// Text extras by name.
    pub(super) extras: Vec<(String, String)>,
    pub(super) was_intent: bool,
}

/// Longer values are no ids.
const MAX_EXTRA_CHARS: usize = 200;

/// Reads a link; `None` when it is none.
pub(super) fn parse(link: &str) -> Option<CatalogueLink> {
    let link = link.trim();
    let Some(body) = link.strip_prefix("intent:") else {
        let is_link = link.split_once(':').is_some_and(|(scheme, rest)| is_scheme(scheme) && !rest.is_empty());
        return is_link.then(|| CatalogueLink {
            uri: Some(link.to_owned()),
            package: None,
            extras: Vec::new(),
            was_intent: false,
        });
    };
    let (target, parts) = body.rsplit_once("#Intent;")?;
    let (mut scheme, mut package, mut extras, mut ended) = (None, None, Vec::new(), false);
    for part in parts.split(';') {
        if part == "end" {
            ended = true;
            break;
        }
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let value = percent_decode_str(value).decode_utf8_lossy().into_owned();
        match name {
            "scheme" if is_scheme(&value) => scheme = Some(value.to_ascii_lowercase()),
            "package" => package = Some(value).filter(|package| is_package(package)),
            _ => {
                let name = name.strip_prefix("S.").filter(|name| is_word(name));
                extras.extend(name.filter(|_| is_word(&value)).map(|name| (name.to_owned(), value)));
            }
        }
    }
    let target_is_empty = target.trim_matches('/').is_empty();
    let uri = scheme.filter(|_| !target_is_empty).map(|scheme| format!("{scheme}:{target}"));
    ended.then_some(CatalogueLink { uri, package, extras, was_intent: true })
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
}

fn is_package(text: &str) -> bool {
    text.contains('.') && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_'))
}

/// An id or a name of one: nothing in it could be a link or end a part.
fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= MAX_EXTRA_CHARS
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_intent_is_taken_apart_and_flags_and_components_are_left_behind() {
        let link = "intent://www.netflix.com/watch/81767873#Intent;launchFlags=0x00800000;component=a.b/c;scheme=https;\
                    package=com.netflix.ninja;S.source=30;end";
        let parsed = parse(link).unwrap();
        assert_eq!(parsed.uri.as_deref(), Some("https://www.netflix.com/watch/81767873"));
        assert_eq!(parsed.package.as_deref(), Some("com.netflix.ninja"));
        assert_eq!(parsed.extras, [("source".to_owned(), "30".to_owned())]);
    }

    #[test]
    fn an_intent_without_a_page_names_none() {
        let link =
            "intent://#Intent;launchFlags=0x00800000;component=com.peacock.peacockfiretv/com.peacock.MainActivity;end";
        assert_eq!(parse(link).unwrap().uri, None);
    }

    #[test]
    fn what_is_no_link_or_does_not_end_is_none() {
        for broken in ["", "netflix", "intent://x/y", "intent://x/y#Intent;scheme=https;package=a.b", ":x", "https:"] {
            assert_eq!(parse(broken), None, "{broken}");
        }
    }

    #[test]
    fn an_extra_that_could_be_a_link_is_left_behind() {
        let link = "intent://a.b/c#Intent;scheme=https;S.browser_fallback_url=https%3A%2F%2Fevil.example;S.id=7;end";
        assert_eq!(parse(link).unwrap().extras, [("id".to_owned(), "7".to_owned())]);
    }

    proptest! {
        #[test]
        fn any_text_is_read_without_a_panic(text in "(intent:)?.{0,40}(#Intent;.{0,60})?") {
            let _ = parse(&text);
        }
    }
}

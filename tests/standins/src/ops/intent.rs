//! Android's intent URIs, as far as a launch needs them.

/// What a `data` URI asks Android to do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Intent {
    /// The URI to view; empty for an `intent:` without one.
    pub(super) data: String,
    /// `None` is ACTION_VIEW.
    pub(super) action: Option<String>,
    pub(super) category: Option<String>,
    pub(super) package: Option<String>,
    /// The package of an explicit component.
    pub(super) component: Option<String>,
}

impl Intent {
    /// Plain URIs are viewed as they are; `intent:…#Intent;…;end` is taken apart. The error is for the free text of an answer.
    pub(super) fn parse(uri: &str) -> Result<Self, String> {
        let Some(body) = uri.strip_prefix("intent:") else {
            return Ok(Self { data: uri.to_owned(), ..Self::default() });
        };
        let (target, fragment) = body.split_once("#Intent;").unwrap_or((body, "end"));
        let mut intent = Self::default();
        let mut scheme = None;
        let mut ended = false;
        for part in fragment.split(';') {
            if part == "end" {
                ended = true;
                break;
            }
            let Some((name, value)) = part.split_once('=') else { return Err(format!("no value in `{part}`")) };
            let value = value.to_owned();
            match name {
                "action" => intent.action = Some(value),
                "category" => intent.category = Some(value),
                "package" => intent.package = Some(value),
                "component" => intent.component = value.split('/').next().map(str::to_owned),
                "scheme" => scheme = Some(value),
                "launchFlags" | "type" | "sourceBounds" | "identifier" => {}
                _ if is_extra(name) => {}
                _ => return Err(format!("unknown part `{name}`")),
            }
        }
        if !ended {
            return Err("it has no end".to_owned());
        }
        intent.data = match scheme {
            Some(scheme) => format!("{scheme}:{target}"),
            None => target.to_owned(),
        };
        Ok(intent)
    }
}

/// Extras carry their type in the first letter: `S.source=30`.
fn is_extra(name: &str) -> bool {
    let mut letters = name.chars();
    matches!(letters.next(), Some('S' | 'B' | 'b' | 'c' | 'd' | 'f' | 'i' | 'l' | 's')) && letters.next() == Some('.')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_plain_uri_is_viewed() {
        let intent = Intent::parse("https://www.netflix.com/title/1").unwrap();
        assert_eq!(intent, Intent { data: "https://www.netflix.com/title/1".into(), ..Intent::default() });
    }

    #[test]
    fn an_intent_uri_is_taken_apart() {
        let intent = Intent::parse(
            "intent://www.netflix.com/title/1#Intent;scheme=https;package=com.netflix.ninja;S.source=30;end",
        )
        .unwrap();
        assert_eq!(intent.data, "https://www.netflix.com/title/1");
        assert_eq!(intent.package.as_deref(), Some("com.netflix.ninja"));
    }

    #[test]
    fn a_broken_intent_uri_is_refused() {
        for broken in [
            "intent:#Intent;action=android.intent.action.MAIN",
            "intent:#Intent;nonsense;end",
            "intent:#Intent;x=y;end",
        ] {
            assert!(Intent::parse(broken).is_err(), "{broken}");
        }
    }

    proptest! {
        #[test]
        fn any_uri_is_read_without_a_panic(uri in "(intent:)?.*(#Intent;.*)?") {
            let _ = Intent::parse(&uri);
        }
    }
}

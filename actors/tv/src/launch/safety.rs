//! The rules: which links and intents are refused, and the words for it.

use serde::{Deserialize, Serialize};

use super::intent_uri::{self, IntentPart};

/// Why something is not opened. The words say what to do instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LaunchRefusal {
    /// Neither a link nor a package.
    #[error("give `data` (a link to open), `package` (an app to open), or both")]
    NothingToOpen,
    /// Longer than any honest link.
    #[error("`data` may be up to {MAX_DATA_BYTES} bytes")]
    TooLong,
    /// A control character somewhere in the link.
    #[error("`data` holds a control character; give the plain link")]
    ControlCharacter,
    /// No scheme.
    #[error(
        "`data` is not a link: it must start with a scheme such as `https://`; to open an app, give only its `package`"
    )]
    NoScheme,
    /// A scheme that reads files or runs script.
    #[error("links with `{scheme}:` are not opened on a TV; give an https link or an app's own link")]
    Scheme {
        /// The scheme, in lower case.
        scheme: String,
    },
    /// A package that no Android app can have.
    #[error(
        "`{package}` is not an Android package name such as `com.netflix.ninja`; tv_list_apps lists the installed ones"
    )]
    Package {
        /// What was given.
        package: String,
    },
    /// An action other than VIEW and MAIN.
    #[error(
        "intents may only have the actions android.intent.action.VIEW and android.intent.action.MAIN, not `{action}`"
    )]
    Action {
        /// The action.
        action: String,
    },
    /// A part that could reach further than opening a link.
    #[error("intents with `{part}` are refused; name the app with `package` and the page with `data` instead")]
    Part {
        /// The part, as it is usually spelt.
        part: String,
    },
    /// An intent that Android would not read, or that could be read in two ways.
    #[error(
        "`data` is not a well-formed intent URI ({problem}); a plain link with `package` does the same more safely"
    )]
    MalformedIntent {
        /// What is wrong.
        problem: String,
    },
}

const MAX_DATA_BYTES: usize = 4_096;

/// Schemes that read local files or providers, or run script in a browser.
const REFUSED_SCHEMES: [&str; 7] = ["file", "content", "javascript", "data", "filesystem", "android.resource", "blob"];

const ALLOWED_ACTIONS: [&str; 2] = ["android.intent.action.VIEW", "android.intent.action.MAIN"];

/// Intent flags that hand out access to files and providers.
const GRANT_FLAGS: i64 = 0x1 | 0x2 | 0x40 | 0x80;

/// Checks a package name: segments of letters, digits and underscores, at least two, each starting with a letter.
pub(super) fn check_package(package: &str) -> Result<(), LaunchRefusal> {
    let segment_is_sound = |segment: &str| {
        segment.starts_with(|first: char| first.is_ascii_alphabetic())
            && segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let is_sound = package.len() <= 255 && package.contains('.') && package.split('.').all(segment_is_sound);
    if is_sound { Ok(()) } else { Err(LaunchRefusal::Package { package: package.chars().take(80).collect() }) }
}

/// Checks a link or intent URI. What Android would read as an intent is read as one here too, however it is spelt.
pub(super) fn check_data(data: &str) -> Result<(), LaunchRefusal> {
    if data.len() > MAX_DATA_BYTES {
        return Err(LaunchRefusal::TooLong);
    }
    if data.chars().any(char::is_control) {
        return Err(LaunchRefusal::ControlCharacter);
    }
    let Some((scheme, rest)) = split_scheme(data) else {
        // `#Intent;…` without any scheme is an intent to Android as well.
        return if intent_uri::has_intent_fragment(data) { check_intent(data) } else { Err(LaunchRefusal::NoScheme) };
    };
    check_scheme(&scheme)?;
    // `intent:file:…`, `view-source:file:…`: the part behind a scheme that wraps another link.
    check_inner_link(rest)?;
    if scheme == "android-app" {
        check_android_app(rest)?;
    }
    if scheme == "intent" || intent_uri::has_intent_fragment(data) {
        check_intent(data)?;
    }
    Ok(())
}

fn check_scheme(scheme: &str) -> Result<(), LaunchRefusal> {
    if REFUSED_SCHEMES.contains(&scheme) { Err(LaunchRefusal::Scheme { scheme: scheme.to_owned() }) } else { Ok(()) }
}

/// Refuses a refused scheme at the start of `text`, also behind further harmless schemes and in percent-encoding.
fn check_inner_link(text: &str) -> Result<(), LaunchRefusal> {
    let decoded = intent_uri::decode_fully(text);
    let mut rest = decoded.trim();
    while let Some((scheme, behind)) = split_scheme(rest) {
        check_scheme(&scheme)?;
        rest = behind.trim_start();
    }
    Ok(())
}

/// `android-app://PACKAGE/SCHEME/HOST/PATH`: package and scheme stand in the path.
fn check_android_app(rest: &str) -> Result<(), LaunchRefusal> {
    let path = rest.trim_start_matches('/').split('#').next().unwrap_or_default();
    let mut segments = path.split('/');
    let package = intent_uri::decode_fully(segments.next().unwrap_or_default());
    check_package(package.trim())?;
    match segments.next() {
        None => Ok(()),
        Some(scheme) => check_scheme(&intent_uri::decode_fully(scheme).trim().to_ascii_lowercase()),
    }
}

fn check_intent(data: &str) -> Result<(), LaunchRefusal> {
    for part in intent_uri::parts(data)? {
        check_part(&part)?;
    }
    Ok(())
}

fn check_part(part: &IntentPart) -> Result<(), LaunchRefusal> {
    let refused = |name: &str| Err(LaunchRefusal::Part { part: name.to_owned() });
    match part.name.to_ascii_lowercase().as_str() {
        "action" if ALLOWED_ACTIONS.contains(&part.value.as_str()) => Ok(()),
        "action" => Err(LaunchRefusal::Action { action: part.value.chars().take(80).collect() }),
        "scheme" => check_scheme(&part.value.to_ascii_lowercase()),
        "package" => check_package(&part.value),
        "launchflags" => check_flags(&part.value),
        "category" | "type" | "identifier" => Ok(()),
        "component" => refused("component="),
        "sel" => refused("SEL;"),
        // Bounds and replaced extras only make sense between apps on the set itself.
        "sourcebounds" => refused("sourceBounds="),
        "replaceextras" => refused("replaceExtras="),
        // Extras: one letter for the type, then the extra's name.
        name if matches!(name.as_bytes(), [b's' | b'b' | b'c' | b'd' | b'f' | b'i' | b'l', b'.', _, ..]) => {
            check_extra(part)
        }
        _ => Err(LaunchRefusal::MalformedIntent {
            problem: format!("unknown part `{}`", part.name.chars().take(40).collect::<String>()),
        }),
    }
}

/// Apps open links that they find in extras (`S.browser_fallback_url` is the best known), so those get the same look.
fn check_extra(part: &IntentPart) -> Result<(), LaunchRefusal> {
    check_inner_link(&part.value)?;
    let is_an_intent =
        split_scheme(part.value.trim()).is_some_and(|(scheme, _)| scheme == "intent" || scheme == "android-app");
    if is_an_intent || intent_uri::has_intent_fragment(&part.value) {
        return Err(LaunchRefusal::Part {
            part: format!("{}=intent:", part.name.chars().take(40).collect::<String>()),
        });
    }
    Ok(())
}

fn check_flags(value: &str) -> Result<(), LaunchRefusal> {
    let digits = value.trim().to_ascii_lowercase();
    let flags = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix('#')) {
        Some(hex) => i64::from_str_radix(hex, 16),
        // A leading zero means octal to Android.
        None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(&digits, 8),
        None => digits.parse(),
    };
    match flags {
        Ok(flags) if flags & GRANT_FLAGS == 0 => Ok(()),
        Ok(_) => Err(LaunchRefusal::Part { part: "launchFlags= that grant access".to_owned() }),
        Err(_) => Err(LaunchRefusal::MalformedIntent { problem: "launchFlags is not a number".to_owned() }),
    }
}

/// The scheme in lower case and what follows its colon. `None` when the text does not start with a scheme.
fn split_scheme(text: &str) -> Option<(String, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let is_a_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    is_a_scheme.then(|| (scheme.to_ascii_lowercase(), rest))
}

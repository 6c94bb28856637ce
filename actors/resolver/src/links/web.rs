//! Web links of offers: unwrapping affiliate redirects, and leaving what only counts clicks.

use url::Url;

use super::content;
use crate::provider::Provider;

/// Query parameters that tell who sent the viewer, and nothing about the title.
const TRACKING: [&str; 5] = ["at", "ct", "itscg", "itsct", "tag"];
const TRACKING_PREFIX: &str = "utm_";

/// The page of a title behind an offer's web link; `None` when the link leads anywhere else or to no title.
pub(super) fn page_of(provider: Provider, link: &str) -> Option<String> {
    let url = Url::parse(link.trim()).ok()?;
    let page = if is_of(provider, &url) { url } else { unwrapped(provider, &url)? };
    content::page_of(provider, without_tracking(page).as_str())
}

/// The destination of an affiliate redirect, if it is the service's own.
fn unwrapped(provider: Provider, redirect: &Url) -> Option<Url> {
    let destination = redirect.query_pairs().find(|(name, _)| name == "u")?.1;
    Url::parse(&destination).ok().filter(|destination| is_of(provider, destination))
}

/// Whether the link is a plain web address at one of the service's hosts.
fn is_of(provider: Provider, url: &Url) -> bool {
    let is_plain = matches!(url.scheme(), "http" | "https")
        && url.username().is_empty()
        && url.password().is_none()
        && url.port().is_none();
    is_plain && url.host_str().is_some_and(|host| has_host(provider, host))
}

/// Whether `host` is one of the service's, or below one: a suffix counts only where a label begins.
pub(super) fn has_host(provider: Provider, host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    provider
        .hosts()
        .iter()
        .any(|own| host.strip_suffix(own.as_str()).is_some_and(|rest| rest.is_empty() || rest.ends_with('.')))
}

pub(super) fn without_tracking(mut url: Url) -> Url {
    let kept: Vec<(String, String)> = url
        .query_pairs()
        .filter(|(name, _)| !TRACKING.contains(&&**name) && !name.starts_with(TRACKING_PREFIX))
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect();
    if url.query().is_some() {
        if kept.is_empty() {
            url.set_query(None);
        } else {
            url.query_pairs_mut().clear().extend_pairs(kept);
        }
    }
    url.set_fragment(None);
    url
}

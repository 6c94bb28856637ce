//! What in a service's links names a title. A link without that opens the app at its start page, and is none here.

use url::Url;

use super::DeepLink;
use super::web::{has_host, without_tracking};
use crate::offer::Level;
use crate::provider::Provider;

/// The link as it is handed to a TV, if it names a title of `provider`.
pub(super) fn page_of(provider: Provider, link: &str) -> Option<String> {
    let url = without_tracking(Url::parse(link).ok()?);
    let is_web = matches!(url.scheme(), "http" | "https");
    if !is_web && !is_own_scheme(provider, url.scheme()) {
        return None;
    }
    if (is_web || provider == Provider::Netflix) && !url.host_str().is_some_and(|host| has_host(provider, host)) {
        return None;
    }
    if provider == Provider::Netflix {
        return netflix_page(&url);
    }
    if !is_web {
        return Some(url.into());
    }
    let path: Vec<&str> = url.path_segments()?.filter(|segment| !segment.is_empty()).collect();
    let query = |wanted: &str| url.query_pairs().any(|(name, value)| name == wanted && !value.is_empty());
    let names_a_title = match provider {
        Provider::Netflix | Provider::FuboTv | Provider::Stremio => false,
        Provider::DisneyPlus => {
            path.windows(2).any(|pair| matches!(pair[0], "play" | "video" | "browse" | "series" | "movies"))
        }
        Provider::PrimeVideo => query("gti") || path.windows(2).any(|pair| pair[0] == "detail"),
        Provider::Max => path.len() >= 2,
        Provider::Hulu => path.len() >= 2 && matches!(path[0], "watch" | "series" | "movie"),
        // The slug is free, the id is not.
        Provider::AppleTvPlus => path.last().is_some_and(|id| id.starts_with("umc.cmc.")),
        Provider::ParamountPlus => path.len() >= 2 && path.iter().any(|segment| matches!(*segment, "shows" | "movies")),
        Provider::Peacock => query("deeplinkData") || (path.len() >= 3 && path[0] == "watch"),
        // Search pages (`/results`) are what rentals link to.
        Provider::Youtube => {
            (path == ["watch"] && query("v")) || (path == ["playlist"] && query("list")) || is_short(&url, &path)
        }
    };
    names_a_title.then(|| secure(url))
}

/// A page of a service that the map does not know: anything below a host's front page.
pub(super) fn any_page(link: &str) -> Option<String> {
    let url = without_tracking(Url::parse(link).ok()?);
    let is_web = matches!(url.scheme(), "http" | "https");
    let names_something =
        !url.path().trim_matches('/').is_empty() || url.query().is_some() || (!is_web && url.has_host());
    names_something.then(|| if is_web { secure(url) } else { url.into() })
}

fn is_short(url: &Url, path: &[&str]) -> bool {
    url.host_str() == Some("youtu.be") && path.len() == 1
}

fn is_own_scheme(provider: Provider, scheme: &str) -> bool {
    match provider {
        Provider::Netflix => scheme == "nflx",
        Provider::Youtube => scheme == "vnd.youtube",
        Provider::Hulu => scheme == "hulu",
        Provider::PrimeVideo => scheme == "aiv",
        _ => false,
    }
}

/// Netflix takes only `www.netflix.com` with `/title/ID` or `/watch/ID`.
fn netflix_page(url: &Url) -> Option<String> {
    let path: Vec<&str> = url.path_segments()?.collect();
    let (what, id) = path.windows(2).find_map(|pair| match *pair {
        [what @ ("title" | "watch"), id] => Some((what, id)),
        _ => None,
    })?;
    let is_id = !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_digit());
    is_id.then(|| format!("https://www.netflix.com/{what}/{id}"))
}

/// The extra without which Netflix shows its home screen instead of the title.
const NETFLIX_EXTRA: (&str, &str) = ("source", "30");

/// Puts the extra that Netflix needs. `/watch/` with the id of a series would go on where somebody left off, so a series gets
/// its page.
pub(super) fn make_netflix_open_titles(link: &mut DeepLink, level: Level) {
    link.extras = vec![(NETFLIX_EXTRA.0.to_owned(), NETFLIX_EXTRA.1.to_owned())];
    if level != Level::Title {
        link.uri = link.uri.replace("/watch/", "/title/");
    }
}

fn secure(mut url: Url) -> String {
    // Only `http` can become `https`, which always succeeds.
    let _ = url.set_scheme("https");
    url.into()
}

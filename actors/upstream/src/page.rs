//! Web pages where data was expected.

use std::fmt;

use reqwest::header::{CONTENT_TYPE, HeaderMap};
use serde::{Deserialize, Serialize};

/// What a web page that came instead of data looks like. A hint for people; nothing is decided by it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WebPage {
    /// A page to sign in at: the service's own, or that of a proxy in front of it.
    Login,
    /// The service's own pages for people, which a wrong path leads to.
    ServicesOwn,
    /// Another page, as of a proxy.
    Other,
}

impl WebPage {
    /// What the beginning of a page looks like. `title` is the service's name, which its own pages have as their title.
    pub(crate) fn of(start: &[u8], title: &str) -> Self {
        const LOGIN_MARKS: [&str; 6] =
            ["type=\"password\"", "type='password'", "authelia", "authentik", "cloudflare access", "/login"];
        let page = String::from_utf8_lossy(start).to_lowercase();
        if LOGIN_MARKS.iter().any(|mark| page.contains(mark)) {
            return WebPage::Login;
        }
        match page.contains(&format!("<title>{}", title.to_lowercase())) {
            true => WebPage::ServicesOwn,
            false => WebPage::Other,
        }
    }
}

impl fmt::Display for WebPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            WebPage::Login => "a login page",
            WebPage::ServicesOwn => "the service's own web page",
            WebPage::Other => "a web page",
        })
    }
}

/// Whether the answer says of itself that it is a web page.
pub(crate) fn is_announced(headers: &HeaderMap) -> bool {
    let content_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    media_type.eq_ignore_ascii_case("text/html") || media_type.eq_ignore_ascii_case("application/xhtml+xml")
}

/// Whether a body that is no JSON is a web page, whatever it said of itself.
pub(crate) fn looks_like_one(body: &[u8]) -> bool {
    body.trim_ascii_start().first() == Some(&b'<')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(page: &str, expected: WebPage) {
        assert_eq!(WebPage::of(page.as_bytes(), "Radarr"), expected, "{page}");
    }

    #[test]
    fn pages_are_told_apart_by_what_is_on_them() {
        check("<html><title>Radarr</title><form><input type=\"password\"></form>", WebPage::Login);
        check("<title>Authelia</title>", WebPage::Login);
        check("<!doctype html><head><title>Radarr</title>", WebPage::ServicesOwn);
        check("<html><h1>It works!</h1>", WebPage::Other);
    }
}

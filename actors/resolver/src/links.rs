//! Links that open a title in an app on a TV, and where they are taken from.
//!
//! In the order in which they are tried: JustWatch's Android TV link, a link made from the service's web page, and at last the app
//! itself. Whatever comes from outside is taken apart and put together anew, so that only a page, a package and plain extras pass.

mod content;
mod intent;
mod stremio;
mod web;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};

use crate::offer::Level;
use crate::provider::Provider;

pub(crate) use stremio::stremio_link;

/// A page within an app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeepLink {
    /// The page: `https://www.netflix.com/watch/81767873`. Never an `intent:`.
    pub uri: String,
    /// The package that the source of the link named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub package: Option<String>,
    /// Text extras by name, to go with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extras: Vec<(String, String)>,
    /// Whether it came as an intent and is handed on as one.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub as_intent: bool,
}

impl DeepLink {
    fn page(uri: String) -> Self {
        Self { uri, package: None, extras: Vec::new(), as_intent: false }
    }

    /// What a TV is handed to open the page in `package`.
    pub fn for_package(&self, package: &str) -> String {
        /// What would end a part of an intent, or the text around it.
        const PART: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
        let Some((scheme, rest)) = self.uri.split_once(':').filter(|_| self.as_intent || !self.extras.is_empty())
        else {
            return self.uri.clone();
        };
        let mut intent = format!("intent:{rest}#Intent;scheme={scheme};package={package};");
        for (name, value) in &self.extras {
            intent.push_str(&format!("S.{name}={};", utf8_percent_encode(value, PART)));
        }
        intent + "end"
    }
}

/// No honest link is longer.
const MAX_LINK_BYTES: usize = 1_500;

/// The links of one offer, best first. None at all means that the offer only opens the app.
///
/// `android_tv` and `web` are what JustWatch gives; `provider` is the service whose app the offer opens, where the map knows it.
pub(crate) fn links_of_offer(
    provider: Option<Provider>,
    android_tv: Option<&str>,
    web: Option<&str>,
    level: Level,
) -> Vec<DeepLink> {
    let (android_tv, web) =
        (android_tv.filter(|link| link.len() <= MAX_LINK_BYTES), web.filter(|link| link.len() <= MAX_LINK_BYTES));
    let mut links = Vec::new();
    if let Some(link) = android_tv.and_then(|link| from_android_tv(provider, link)) {
        links.push(link);
    }
    // A web link of a service that the map does not know would open a browser.
    if let Some((provider, page)) = provider.zip(web) {
        links.extend(web::page_of(provider, page).map(DeepLink::page));
    }
    for link in &mut links {
        if provider == Some(Provider::Netflix) {
            content::make_netflix_open_titles(link, level);
        }
    }
    links.dedup_by(|later, earlier| later.uri == earlier.uri);
    links
}

fn from_android_tv(provider: Option<Provider>, link: &str) -> Option<DeepLink> {
    let parsed = intent::parse(link)?;
    let uri = match (provider, parsed.uri) {
        // An action of its own, which this relay does not send; the page with that id opens the same.
        (Some(Provider::Hulu), _) if parsed.extras.iter().any(|(name, _)| name == "content_id") => {
            let (_, id) = parsed.extras.iter().find(|(name, _)| name == "content_id")?;
            content::page_of(Provider::Hulu, &format!("https://www.hulu.com/watch/{id}"))?
        }
        (Some(provider), Some(uri)) => content::page_of(provider, &uri)?,
        (None, Some(uri)) => content::any_page(&uri)?,
        (_, None) => return None,
    };
    let extras = parsed.extras.into_iter().filter(|(name, _)| provider.is_none() || name == "source").collect();
    Some(DeepLink { uri, package: parsed.package, extras, as_intent: parsed.was_intent })
}

#[cfg(test)]
mod tests;

//! The address of an instance, as a person typed it.

use std::fmt;

use serde::{Deserialize, Serialize};
use url::Url;

/// The address of an instance: http or https, a host, and perhaps a URL base such as `/radarr`.
///
/// It is known to the house's administrators and to nobody else: no answer, error or log names it, so `Debug` shows only its name.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct BaseUrl(Url);

impl BaseUrl {
    /// Reads what was typed. Blanks around it and slashes at its end are taken away; everything else that is not meant is refused.
    pub fn parse(text: &str) -> Result<Self, BaseUrlFault> {
        let text = text.trim();
        if !text.contains("://") {
            return Err(BaseUrlFault::NoScheme);
        }
        let mut url = Url::parse(text).map_err(|_| BaseUrlFault::NotAnAddress)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(BaseUrlFault::NoScheme);
        }
        if !url.has_host() {
            return Err(BaseUrlFault::NotAnAddress);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(BaseUrlFault::Login);
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(BaseUrlFault::QueryOrFragment);
        }
        let path = url.path().trim_end_matches('/').to_owned();
        let mut segments = path.split('/').skip(1);
        if segments.any(|segment| segment == "api" || segment == "system") {
            return Err(BaseUrlFault::PageInside);
        }
        url.set_path(&path);
        Ok(Self(url))
    }

    /// The address, for whoever sends requests or keeps it sealed.
    pub fn as_str(&self) -> &str {
        self.0.as_str().trim_end_matches('/')
    }

    /// Whether both have the same scheme, host and port, so that what is sent to one goes to the same server as what is sent to the other.
    pub(crate) fn is_of_the_origin_of(&self, other: &Self) -> bool {
        self.0.origin() == other.0.origin()
    }

    pub(crate) fn url(&self) -> &Url {
        &self.0
    }
}

/// Why a text is no address of an instance. Does not repeat the text, which may hold a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BaseUrlFault {
    /// `radarr:7878`.
    #[error("the address must begin with http:// or https://, for example http://radarr:7878")]
    NoScheme,
    /// Nothing a request could be sent to.
    #[error("the address is not complete; an example is http://192.168.1.10:7878")]
    NotAnAddress,
    /// `http://user:password@…`.
    #[error("the address must not hold a user name or password; a proxy's login is given apart")]
    Login,
    /// `?apikey=…`, `#/…`.
    #[error("the address must not hold a query or fragment; the API key is given apart")]
    QueryOrFragment,
    /// A page or API path was pasted along.
    #[error("the address must end before /api or /system: give only scheme, host, port and URL base")]
    PageInside,
}

impl TryFrom<String> for BaseUrl {
    type Error = BaseUrlFault;

    fn try_from(text: String) -> Result<Self, BaseUrlFault> {
        Self::parse(&text)
    }
}

impl From<BaseUrl> for String {
    fn from(base: BaseUrl) -> String {
        base.as_str().to_owned()
    }
}

impl fmt::Debug for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BaseUrl")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<&str, BaseUrlFault>) {
        assert_eq!(BaseUrl::parse(text).as_ref().map(BaseUrl::as_str), expected.as_ref().map(|text| *text), "{text}");
    }

    #[test]
    fn hosts_inside_a_cluster_and_url_bases_are_kept_and_slashes_at_the_end_are_not() {
        check("http://sonarr", Ok("http://sonarr"));
        check("http://chaptarr:8787/books", Ok("http://chaptarr:8787/books"));
        check(" https://films.example.org/radarr// ", Ok("https://films.example.org/radarr"));
        check("http://[fd00::7]:7878/", Ok("http://[fd00::7]:7878"));
        check("HTTP://Radarr:7878", Ok("http://radarr:7878"));
    }

    #[test]
    fn what_is_typed_wrongly_is_refused_with_a_reason() {
        check("radarr:7878", Err(BaseUrlFault::NoScheme));
        check("192.168.1.10:7878", Err(BaseUrlFault::NoScheme));
        check("ftp://radarr", Err(BaseUrlFault::NoScheme));
        check("", Err(BaseUrlFault::NoScheme));
        check("http://", Err(BaseUrlFault::NotAnAddress));
        check("http://radarr:99999", Err(BaseUrlFault::NotAnAddress));
        check("http://me:secret@radarr", Err(BaseUrlFault::Login));
        check("http://radarr?apikey=1", Err(BaseUrlFault::QueryOrFragment));
        check("http://radarr/#/movies", Err(BaseUrlFault::QueryOrFragment));
        check("http://radarr/system/status", Err(BaseUrlFault::PageInside));
        check("http://radarr/base/api/v3", Err(BaseUrlFault::PageInside));
    }

    #[test]
    fn an_address_is_shown_to_nobody() {
        assert_eq!(format!("{:?}", BaseUrl::parse("http://radarr:7878").unwrap()), "BaseUrl");
    }
}

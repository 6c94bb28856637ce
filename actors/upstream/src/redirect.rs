//! Where a redirect leads, in so far as that tells what to put right. None is followed.

use std::fmt;

use serde::{Deserialize, Serialize};
use url::Url;

/// Where a redirect leads. Names no host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "to", rename_all = "snake_case")]
pub enum RedirectTarget {
    /// The same path below a URL base that the address lacks.
    UrlBase {
        /// The base: `/radarr`.
        base: String,
    },
    /// The same host by https.
    Https,
    /// A page to sign in at: the request did not reach the service.
    Login,
    /// Another host or port.
    OtherHost,
    /// Anything else, or nowhere.
    Elsewhere,
}

impl RedirectTarget {
    /// Where `location` leads from `asked`.
    pub(crate) fn of(asked: &Url, location: Option<&str>) -> Self {
        let Some(target) = location.and_then(|location| asked.join(location).ok()) else {
            return RedirectTarget::Elsewhere;
        };
        let is_login = target.path().to_ascii_lowercase().trim_end_matches('/').ends_with("/login");
        let same_host = target.host() == asked.host();
        if same_host && asked.scheme() == "http" && target.scheme() == "https" && !is_login {
            return RedirectTarget::Https;
        }
        if !same_host || target.port_or_known_default() != asked.port_or_known_default() {
            return RedirectTarget::OtherHost;
        }
        if is_login {
            return RedirectTarget::Login;
        }
        match target.path().strip_suffix(asked.path()) {
            Some(base) if !base.is_empty() => RedirectTarget::UrlBase { base: base.to_owned() },
            _ => RedirectTarget::Elsewhere,
        }
    }
}

impl fmt::Display for RedirectTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RedirectTarget::UrlBase { base } => write!(f, "to {base}: the URL base is missing, add {base} to the address"),
            RedirectTarget::Https => f.write_str("to https: the address must begin with https://"),
            RedirectTarget::Login => f.write_str(
                "to a login page: the request did not reach the service; check the URL base and any proxy in front of it",
            ),
            RedirectTarget::OtherHost => {
                f.write_str("to another host or port, which is not followed; give the address that the service has itself")
            }
            RedirectTarget::Elsewhere => f.write_str("that is not followed; check the address and its URL base"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(location: &str, expected: &RedirectTarget) {
        let asked = Url::parse("http://radarr:7878/api/v3/queue?page=1").unwrap();
        assert_eq!(&RedirectTarget::of(&asked, Some(location)), expected, "{location}");
    }

    #[test]
    fn the_target_tells_what_to_put_right() {
        check("/radarr/api/v3/queue?page=1", &RedirectTarget::UrlBase { base: "/radarr".into() });
        check("http://radarr:7878/a/b/api/v3/queue", &RedirectTarget::UrlBase { base: "/a/b".into() });
        check("https://radarr/api/v3/queue", &RedirectTarget::Https);
        check("https://radarr:7878/api/v3/queue", &RedirectTarget::Https);
        check("/login?returnUrl=%2Fapi", &RedirectTarget::Login);
        check("https://sso.example.org/login", &RedirectTarget::OtherHost);
        check("http://radarr:80/api/v3/queue", &RedirectTarget::OtherHost);
        check("/api/v3/queue", &RedirectTarget::Elsewhere);
        check("http://[", &RedirectTarget::Elsewhere);
    }

    #[test]
    fn a_redirect_to_nowhere_leads_elsewhere() {
        assert_eq!(RedirectTarget::of(&Url::parse("http://a/").unwrap(), None), RedirectTarget::Elsewhere);
    }
}

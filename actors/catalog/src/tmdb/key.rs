//! The operator's key for TMDB.

use std::fmt;
use std::str::FromStr;

use playhouse_upstream::Credential;
use secrecy::SecretString;

/// The operator's key for TMDB. Both sorts open the same API; which one it is shows in its shape.
#[derive(Clone)]
pub struct TmdbKey(Credential);

/// The text is no key of TMDB. It is not repeated: it may be a secret for something else.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "the TMDB key is neither an API key (32 hexadecimal digits) nor an API read access token (starts with `eyJ`); copy one of them \
     from the API page of the TMDB account's settings"
)]
pub struct MalformedTmdbKey;

impl TmdbKey {
    pub(crate) fn credential(&self) -> &Credential {
        &self.0
    }
}

impl FromStr for TmdbKey {
    type Err = MalformedTmdbKey;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Ok(Self(Credential::Query { name: "api_key", secret: text.into() }));
        }
        // A JWT: three parts of URL-safe base64, of which the first is a JSON object.
        let parts: Vec<&str> = text.split('.').collect();
        let is_base64 = |part: &&str| {
            !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'='))
        };
        if text.starts_with("eyJ") && parts.len() == 3 && parts.iter().all(is_base64) {
            return Ok(Self(Credential::Bearer(SecretString::from(text))));
        }
        Err(MalformedTmdbKey)
    }
}

impl fmt::Debug for TmdbKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TmdbKey")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sort(text: &str) -> Option<&'static str> {
        match text.parse::<TmdbKey>().ok()?.0 {
            Credential::Query { name, .. } | Credential::Header { name, .. } => Some(name),
            Credential::Bearer(_) => Some("bearer"),
            Credential::None => None,
        }
    }

    #[test]
    fn the_shape_says_how_it_is_sent() {
        assert_eq!(sort(" 0123456789abcdefABCDEF0123456789\n"), Some("api_key"));
        assert_eq!(sort("eyJhbGciOiJIUzI1NiJ9.eyJhdWQiOiJ4In0.a-b_c"), Some("bearer"));
    }

    #[test]
    fn anything_else_is_refused_without_being_repeated() {
        for text in
            ["", "0123456789abcdef", "0123456789abcdefg123456789abcdef0", "eyJhbGci", "eyJ.a b.c", "eyJ..c", "eyJa.b.ç"]
        {
            assert_eq!(sort(text), None, "{text}");
        }
        assert!(!MalformedTmdbKey.to_string().contains("0123"));
    }
}

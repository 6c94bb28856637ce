//! What proves to an instance, and to a proxy in front of it, that we may ask.

use std::fmt;

use secrecy::{ExposeSecret, SecretString};

/// An instance's API key. `Debug` prints only its name.
#[derive(Clone)]
pub struct ArrKey(SecretString);

impl ArrKey {
    /// Reads a pasted key. Blanks around it are taken away.
    pub fn parse(text: &str) -> Result<Self, KeyFault> {
        let text = text.trim();
        if text.is_empty() {
            return Err(KeyFault::Empty);
        }
        // What no header can carry was no key, and would fail at each request instead of here.
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(KeyFault::Characters);
        }
        Ok(Self(SecretString::from(text)))
    }

    /// The key itself, for whoever sends it or keeps it sealed.
    pub fn secret(&self) -> &SecretString {
        &self.0
    }
}

impl fmt::Debug for ArrKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ArrKey")
    }
}

/// Why a text is no API key. Does not repeat the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum KeyFault {
    /// Nothing but blanks.
    #[error("the API key is empty; it is shown in the service under Settings, General")]
    Empty,
    /// Blanks inside, or letters that no HTTP header may carry.
    #[error("the API key holds characters that no key has; copy it again from Settings, General")]
    Characters,
}

/// The login that a reverse proxy in front of an instance asks for (HTTP basic authentication). `Debug` prints only its name.
#[derive(Clone)]
pub struct ProxyLogin {
    pub(crate) user: String,
    pub(crate) password: SecretString,
}

impl ProxyLogin {
    /// A login; `None` when the user name is empty or holds a colon, which basic authentication cannot carry.
    pub fn new(user: &str, password: SecretString) -> Option<Self> {
        let user = user.trim();
        (!user.is_empty() && !user.contains(':') && !password.expose_secret().is_empty())
            .then(|| Self { user: user.to_owned(), password })
    }
}

impl fmt::Debug for ProxyLogin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProxyLogin")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pasted_key_loses_its_blanks_and_is_never_shown() {
        let key = ArrKey::parse(" 0123abcd\n").unwrap();

        assert_eq!(key.secret().expose_secret(), "0123abcd");
        assert_eq!(format!("{key:?}"), "ArrKey");
    }

    #[test]
    fn what_cannot_be_a_key_is_refused_at_entry() {
        assert_eq!(ArrKey::parse("  ").unwrap_err(), KeyFault::Empty);
        for text in ["a b", "ключ", "a\r\nX-Other: b", "a\u{7f}"] {
            assert_eq!(ArrKey::parse(text).unwrap_err(), KeyFault::Characters, "{text}");
        }
    }

    #[test]
    fn a_proxys_login_needs_both_parts_and_no_colon_in_the_name() {
        assert!(ProxyLogin::new("me", "secret".into()).is_some());
        assert!(ProxyLogin::new(" ", "secret".into()).is_none());
        assert!(ProxyLogin::new("a:b", "secret".into()).is_none());
        assert!(ProxyLogin::new("me", "".into()).is_none());
    }
}

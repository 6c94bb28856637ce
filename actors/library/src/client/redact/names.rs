//! Names that tell of a secret.

/// Where a name stands: an address's query has shorter names for secrets than anything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Where {
    /// In an object, a header or a text.
    Member,
    /// In the query of an address.
    Query,
}

/// What the names of secrets end with, once everything but letters and digits is taken out.
const SUFFIXES: [&str; 19] = [
    "apikey",
    "accesskey",
    "authkey",
    "passkey",
    "rsskey",
    "privatekey",
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "token",
    "authorization",
    "credential",
    "credentials",
    "auth",
    "cookie",
    "cookies",
    "torrentpass",
];

/// What secrets in addresses are called beside that.
const IN_QUERIES: [&str; 8] = ["key", "sig", "signature", "pass", "hash", "rss", "jwt", "r"];

/// Whether a name tells of a secret: `X-Api-Key`, `torrent_pass`, `authToken`.
pub(super) fn is_secret(name: &str, place: Where) -> bool {
    let name: String =
        name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect();
    if SUFFIXES.iter().any(|suffix| name.ends_with(suffix)) {
        return true;
    }
    place == Where::Query && (IN_QUERIES.contains(&name.as_str()) || name.ends_with("key"))
}

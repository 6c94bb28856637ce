//! What proves to a service that we may ask it.

use std::fmt;

use reqwest::header::HeaderValue;
use reqwest::{RequestBuilder, Url};
use secrecy::{ExposeSecret, SecretString};

/// What proves to a service that we may ask it. Shows its secret to nobody but that service.
#[derive(Clone)]
pub enum Credential {
    /// The service asks for none.
    None,
    /// In the query of each request.
    Query {
        /// The parameter: `api_key`.
        name: &'static str,
        /// Its value.
        secret: SecretString,
    },
    /// As `Authorization: Bearer`.
    Bearer(SecretString),
    /// In a header of its own, beside which a proxy in front of the service may ask for a login.
    Header {
        /// The header: `x-api-key`.
        name: &'static str,
        /// Its value.
        secret: SecretString,
        /// What the proxy asks for.
        login: Option<Login>,
    },
}

/// A login by HTTP basic authentication.
#[derive(Clone)]
pub struct Login {
    /// The user's name.
    pub user: String,
    /// The password.
    pub password: SecretString,
}

impl Credential {
    pub(crate) fn put_in_query(&self, url: &mut Url) {
        if let Credential::Query { name, secret } = self {
            url.query_pairs_mut().append_pair(name, secret.expose_secret());
        }
    }

    pub(crate) fn put_in_headers(&self, request: RequestBuilder) -> RequestBuilder {
        match self {
            // reqwest marks this header's value as sensitive, so that not even its own trace lines print it.
            Credential::Bearer(secret) => request.bearer_auth(secret.expose_secret()),
            Credential::Header { name, secret, login } => {
                let request = match HeaderValue::from_str(secret.expose_secret()) {
                    Ok(mut value) => {
                        value.set_sensitive(true);
                        request.header(*name, value)
                    }
                    // Let the builder refuse it, as it refuses any other credential that no header may hold.
                    Err(_) => request.header(*name, "\n"),
                };
                match login {
                    Some(login) => request.basic_auth(&login.user, Some(login.password.expose_secret())),
                    None => request,
                }
            }
            Credential::None | Credential::Query { .. } => request,
        }
    }

    /// What a service said, without our secrets: some repeat the whole request in a refusal.
    pub(crate) fn strike_from(&self, said: Vec<u8>) -> Vec<u8> {
        let secrets = match self {
            Credential::None => return said,
            Credential::Query { secret, .. } | Credential::Bearer(secret) => [Some(secret), None],
            Credential::Header { secret, login, .. } => [Some(secret), login.as_ref().map(|login| &login.password)],
        };
        secrets.into_iter().flatten().map(ExposeSecret::expose_secret).fold(said, |said, secret| strike(&said, secret))
    }
}

/// On bytes, so that what is no text stays none.
fn strike(said: &[u8], secret: &str) -> Vec<u8> {
    let mut struck = Vec::with_capacity(said.len());
    let mut rest = said;
    while let Some(byte) = rest.first() {
        match rest.strip_prefix(secret.as_bytes()).filter(|_| !secret.is_empty()) {
            Some(after) => {
                struck.extend_from_slice(b"[REDACTED]");
                rest = after;
            }
            None => {
                struck.push(*byte);
                rest = &rest[1..];
            }
        }
    }
    struck
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Credential::None => "Credential::None",
            Credential::Query { .. } => "Credential::Query",
            Credential::Bearer(_) => "Credential::Bearer",
            Credential::Header { .. } => "Credential::Header",
        })
    }
}

impl fmt::Debug for Login {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Login")
    }
}

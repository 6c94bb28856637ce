//! What proves to a service that we may ask it.

use std::fmt;

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
            Credential::None | Credential::Query { .. } => request,
        }
    }

    /// What a service said, without our secret: some repeat the whole request in a refusal.
    pub(crate) fn strike_from(&self, said: Vec<u8>) -> Vec<u8> {
        let (Credential::Query { secret, .. } | Credential::Bearer(secret)) = self else { return said };
        let text = String::from_utf8_lossy(&said);
        match text.contains(secret.expose_secret()) && !secret.expose_secret().is_empty() {
            true => text.replace(secret.expose_secret(), "[secret]").into_bytes(),
            false => said,
        }
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Credential::None => "Credential::None",
            Credential::Query { .. } => "Credential::Query",
            Credential::Bearer(_) => "Credential::Bearer",
        })
    }
}

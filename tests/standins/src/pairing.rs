//! `POST /pair/init`: how the app gets its code and token.

use std::time::Duration;

use reqwest::header::CONTENT_TYPE;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::event::TvEvent;

/// What the app keeps in its preferences between two starts.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredPairing {
    /// The bearer token for `GET /bridge`.
    pub token: String,
    /// The code on the screen while nobody has claimed it; `None` from the first 101 on.
    pub code: Option<String>,
}

impl std::fmt::Debug for StoredPairing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoredPairing").field("code", &self.code).finish_non_exhaustive()
    }
}

/// The app's own limit for connecting and for reading.
const HTTP_TIMEOUT: Duration = Duration::from_secs(10);

/// An HTTP client with the app's time-outs, without any proxy: stand-ins stay on loopback.
pub(crate) fn http_client() -> Result<reqwest::Client, reqwest::Error> {
    reqwest::Client::builder()
        .no_proxy()
        // Loopback needs no TLS, and a machine without a certificate store must not stop a test.
        .tls_certs_only(std::iter::empty())
        .user_agent(USER_AGENT)
        .connect_timeout(HTTP_TIMEOUT)
        .read_timeout(HTTP_TIMEOUT)
        .build()
}

/// As OkHttp names itself.
pub(crate) const USER_AGENT: &str = "okhttp/4.12.0";

/// Asks once for a code and a token. The error is the event to show.
pub(crate) async fn ask_for_code(http: &reqwest::Client, relay: &Url) -> Result<StoredPairing, TvEvent> {
    #[derive(Deserialize)]
    struct Init {
        code: String,
        token: String,
    }
    let failed = |error: &dyn std::error::Error| TvEvent::PairingFailed { cause: error.to_string() };
    let url = relay.join("/pair/init").map_err(|error| failed(&error))?;
    let request = http.post(url).header(CONTENT_TYPE, "application/json; charset=utf-8").body("{}");
    let response = request.send().await.map_err(|error| failed(&error))?;
    let status = response.status();
    let body = response.text().await.map_err(|error| failed(&error))?;
    let refused = || TvEvent::PairingRefused { status: status.as_u16(), body: body.clone() };
    if !status.is_success() {
        return Err(refused());
    }
    // `expires_at` and anything else is ignored. A code that is not a string is no code: a leading zero must survive.
    let Init { code, token } = serde_json::from_str(&body).map_err(|_| refused())?;
    Ok(StoredPairing { token, code: Some(code) })
}

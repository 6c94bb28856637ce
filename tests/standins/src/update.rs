//! `GET /bridge/update`: what the self-updater (from 0.7.0 on) makes of a relay's answer.

use serde::Deserialize;
use url::Url;

/// The outcome of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UpdateCheck {
    /// Another status than 2xx: silent when the app's screen opens, shown as `bridge/update: HTTP n` after the button.
    Refused {
        /// The HTTP status.
        status: u16,
    },
    /// No answer, or a manifest that breaks the app's rules.
    Unusable {
        /// Why.
        cause: String,
    },
    /// A manifest that the app would download from.
    Offered {
        /// MAJOR.MINOR.PATCH.
        version: String,
    },
}

#[derive(Deserialize)]
struct Manifest {
    version: String,
    url: String,
    sha256: String,
    size_bytes: u64,
}

/// The largest package that the app downloads.
const MOST_BYTES: u64 = 209_715_200;

pub(crate) async fn check(http: &reqwest::Client, relay: &Url) -> UpdateCheck {
    match ask(http, relay).await {
        Ok(outcome) => outcome,
        Err(error) => UpdateCheck::Unusable { cause: error.to_string() },
    }
}

async fn ask(http: &reqwest::Client, relay: &Url) -> Result<UpdateCheck, Box<dyn std::error::Error + Send + Sync>> {
    // No credentials, by the contract.
    let response = http.get(relay.join("/bridge/update")?).send().await?;
    if !response.status().is_success() {
        return Ok(UpdateCheck::Refused { status: response.status().as_u16() });
    }
    let manifest: Manifest = serde_json::from_str(&response.text().await?)?;
    manifest.check()?;
    Ok(UpdateCheck::Offered { version: manifest.version })
}

impl Manifest {
    fn check(&self) -> Result<(), String> {
        let is_number = |part: &str| {
            let plain = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            plain && (part == "0" || !part.starts_with('0'))
        };
        let parts: Vec<&str> = self.version.split('.').collect();
        if parts.len() != 3 || !parts.iter().all(|part| is_number(part)) {
            return Err(format!("version {} is not MAJOR.MINOR.PATCH", self.version));
        }
        if !self.url.starts_with("https://") {
            return Err(format!("url {} does not start with https://", self.url));
        }
        let n_digits = self.sha256.chars().filter(|digit| *digit != ':').count();
        if n_digits != 64 || !self.sha256.chars().all(|digit| digit == ':' || digit.is_ascii_hexdigit()) {
            return Err("sha256 is not 64 hexadecimal digits".to_owned());
        }
        if !(1..=MOST_BYTES).contains(&self.size_bytes) {
            return Err(format!("size_bytes {} is not between 1 and {MOST_BYTES}", self.size_bytes));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(change: impl FnOnce(&mut Manifest)) -> Result<(), String> {
        let mut manifest = Manifest {
            version: "0.8.0".into(),
            url: "https://example.org/bridge.apk".into(),
            sha256: "AB:".repeat(31) + "cd",
            size_bytes: MOST_BYTES,
        };
        change(&mut manifest);
        manifest.check()
    }

    #[test]
    fn a_manifest_keeps_the_apps_rules() {
        assert_eq!(manifest(|_| {}), Ok(()));
        for version in ["v0.8.0", "0.8", "0.08.0", "0.8.0-rc1", ""] {
            assert!(manifest(|manifest| manifest.version = version.into()).is_err(), "{version}");
        }
        assert!(manifest(|manifest| manifest.url = "http://example.org/".into()).is_err());
        assert!(manifest(|manifest| manifest.sha256 = "abc".into()).is_err());
        for size_bytes in [0, MOST_BYTES + 1] {
            assert!(manifest(|manifest| manifest.size_bytes = size_bytes).is_err(), "{size_bytes}");
        }
    }
}

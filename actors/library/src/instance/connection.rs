//! Whether an instance is what it is said to be: one call, and a verdict that says what to put right.

use playhouse_bus::Deadline;
use playhouse_upstream::{RedirectTarget, Unreached, WebPage};
use serde::{Deserialize, Serialize};

use crate::client::wire::SystemStatus;
use crate::client::{ArrClient, ArrError, ArrFault, Patience};
use crate::service::Service;

/// What answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Connected {
    /// What it calls itself.
    pub app_name: String,
    /// Its version, as it writes it.
    pub version: String,
}

/// Why a connection is of no use. `Display` says what to put right and names neither address nor key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ConnectionFault {
    /// Nothing answers there.
    #[error("{why}; check that the service runs, and its host and port")]
    Unreachable {
        /// As far as it is known.
        why: Unreached,
    },
    /// The service did not answer in time.
    #[error("no answer within {seconds} s; check that the service runs, and its host and port")]
    TimedOut {
        /// How long was waited.
        seconds: u64,
    },
    /// Its certificate was not accepted.
    #[error(
        "TLS verification failed; use the name that its certificate is for, or http:// if it has none. The operator can add a private authority"
    )]
    Tls,
    /// The address is in a network that this server does not call.
    #[error("the address is in a network that this server does not call; the operator can allow it")]
    AddressNotAllowed,
    /// The key is not the service's.
    #[error("invalid API key (status 401); copy it from the service under Settings, General")]
    WrongKey,
    /// A redirect.
    #[error("wrong address: it answers with a redirect (status {status}) {target}")]
    Redirected {
        /// The HTTP status.
        status: u16,
        /// Where it leads, in so far as that tells what to put right.
        target: RedirectTarget,
    },
    /// A web page.
    #[error("wrong address: it answers with {page} instead of data; check the URL base, and any proxy in front of it")]
    WebPage {
        /// What the page looks like.
        page: WebPage,
    },
    /// Nothing is served under the path.
    #[error("wrong address: there is no {service} API under it (status 404); check the URL base")]
    NotFound {
        /// The service that was looked for.
        service: Service,
    },
    /// Another service answers.
    #[error("this is {found}, not {wanted}; check host and port, or choose the other service")]
    WrongService {
        /// What it should be.
        wanted: Service,
        /// What it calls itself.
        found: String,
    },
    /// Something answers that does not say what it is.
    #[error("this does not answer like {wanted}; check the address")]
    Unrecognised {
        /// What it should be.
        wanted: Service,
    },
    /// Too old for what is asked of it.
    #[error("{service} {found} is too old: version {oldest} or newer is needed; update it first")]
    TooOld {
        /// Which service.
        service: Service,
        /// Its version.
        found: String,
        /// The oldest that will do.
        oldest: u32,
    },
    /// The service is starting.
    #[error("the service is starting; try again in a minute")]
    Starting,
    /// Another status.
    #[error("the service answers with status {status}")]
    Status {
        /// The HTTP status.
        status: u16,
    },
    /// Anything else, in the client's own words.
    #[error("{words}")]
    Other {
        /// What the client says.
        words: String,
    },
}

/// The oldest major version that does what is asked of it, where there is a floor.
///
/// Radarr before 4 and Sonarr before 4 know the parameter `blocklist` of a removal under another name and ignore unknown ones: a bad
/// release would be removed without being blocked and come back. Sonarr before 4 also lacks custom formats. Lidarr has them from 1 on. Readarr and Chaptarr never
/// came past 0.
const fn oldest_version(service: Service) -> Option<u32> {
    match service {
        Service::Radarr | Service::Sonarr => Some(4),
        Service::Lidarr => Some(1),
        Service::Chaptarr => None,
    }
}

/// Asks the instance what it is.
///
/// # Errors
/// Why the connection is of no use.
pub(super) async fn test(client: &ArrClient, deadline: Deadline) -> Result<Connected, ConnectionFault> {
    let service = client.service();
    let status = client.read::<SystemStatus>("system/status", &[], Patience::Status10s, deadline).await;
    judge(service, status.map_err(|error| ConnectionFault::of(service, error))?)
}

fn judge(service: Service, status: SystemStatus) -> Result<Connected, ConnectionFault> {
    let Some(app_name) = status.app_name.filter(|name| !name.is_empty()) else {
        return Err(ConnectionFault::Unrecognised { wanted: service });
    };
    if !service.facts().app_names.iter().any(|known| known.eq_ignore_ascii_case(&app_name)) {
        return Err(ConnectionFault::WrongService { wanted: service, found: shortened(&app_name) });
    }
    let version = shortened(&status.version.unwrap_or_default());
    let major = version.split('.').next().and_then(|major| major.parse::<u32>().ok());
    match (oldest_version(service), major) {
        (Some(oldest), Some(major)) if major < oldest => {
            Err(ConnectionFault::TooOld { service, found: version, oldest })
        }
        // A version that cannot be read is a build of somebody's own: let in, as everything else about it is right.
        _ => Ok(Connected { app_name: shortened(&app_name), version }),
    }
}

impl ConnectionFault {
    fn of(service: Service, error: ArrError) -> Self {
        match error.fault {
            ArrFault::Unreachable { why } => ConnectionFault::Unreachable { why },
            ArrFault::TimedOut { waited } | ArrFault::Slow { waited } => {
                ConnectionFault::TimedOut { seconds: waited.as_secs() }
            }
            ArrFault::Tls => ConnectionFault::Tls,
            ArrFault::AddressNotAllowed => ConnectionFault::AddressNotAllowed,
            ArrFault::WrongKey => ConnectionFault::WrongKey,
            ArrFault::Redirect { status, target } => ConnectionFault::Redirected { status, target },
            ArrFault::Html { page } => ConnectionFault::WebPage { page },
            ArrFault::NotFound => ConnectionFault::NotFound { service },
            ArrFault::Starting => ConnectionFault::Starting,
            ArrFault::Status { status } => ConnectionFault::Status { status },
            ArrFault::Rejected { .. } => ConnectionFault::Status { status: 400 },
            ArrFault::NotJson | ArrFault::Shape { .. } | ArrFault::TooLarge { .. } => {
                ConnectionFault::Unrecognised { wanted: service }
            }
            ArrFault::Crowded
            | ArrFault::OtherServicesCommand
            | ArrFault::SlowDown { .. }
            | ArrFault::CircuitOpen { .. }
            | ArrFault::CutOff => ConnectionFault::Other { words: error.to_string() },
        }
    }
}

/// What another program calls itself, of a length that may be repeated and without control characters.
fn shortened(text: &str) -> String {
    text.chars().filter(|character| !character.is_control()).take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(service: Service, app_name: Option<&str>, version: &str) -> Result<Connected, ConnectionFault> {
        let status = SystemStatus {
            app_name: app_name.map(str::to_owned),
            version: Some(version.to_owned()),
            ..SystemStatus::default()
        };
        judge(service, status)
    }

    #[test]
    fn the_service_is_known_by_what_it_calls_itself() {
        for (service, app_name) in [
            (Service::Radarr, "Radarr"),
            (Service::Sonarr, "Sonarr"),
            (Service::Lidarr, "Lidarr"),
            (Service::Chaptarr, "Chaptarr"),
            (Service::Chaptarr, "Readarr"),
        ] {
            assert!(judged(service, Some(app_name), "").is_ok(), "{app_name}");
        }
        let fault = judged(Service::Radarr, Some("Sonarr"), "4.0.19.2979").unwrap_err();
        assert_eq!(fault.to_string(), "this is Sonarr, not Radarr; check host and port, or choose the other service");
        assert_eq!(
            judged(Service::Radarr, None, "5").unwrap_err(),
            ConnectionFault::Unrecognised { wanted: Service::Radarr }
        );
    }

    #[test]
    fn what_ignores_blocklist_is_too_old() {
        for (service, app_name, version) in [
            (Service::Radarr, "Radarr", "3.2.2.5080"),
            (Service::Sonarr, "Sonarr", "3.0.10.1567"),
            (Service::Lidarr, "Lidarr", "0.8.1.2135"),
        ] {
            let fault = judged(service, Some(app_name), version).unwrap_err();
            assert!(matches!(fault, ConnectionFault::TooOld { .. }), "{app_name} {version}: {fault}");
        }
        for (service, app_name, version) in [
            (Service::Radarr, "Radarr", "4.0.4.5922"),
            (Service::Sonarr, "Sonarr", "5.0.0.1"),
            (Service::Lidarr, "Lidarr", "2.10.3.4602"),
            (Service::Chaptarr, "Readarr", "0.4.18.2805"),
            (Service::Radarr, "Radarr", "my own build"),
        ] {
            assert!(judged(service, Some(app_name), version).is_ok(), "{app_name} {version}");
        }
    }
}

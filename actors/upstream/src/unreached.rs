//! Why a connection did not come about, without naming where it should have led.

use std::error::Error;
use std::fmt;
use std::io;

use serde::{Deserialize, Serialize};

use crate::http::LedNowhere;

/// Why a request was not answered at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unreached {
    /// Its name has no address.
    HostNotFound,
    /// Its address is one that this server does not call.
    NotAllowed,
    /// Nobody listens there.
    Refused,
    /// Its certificate was not accepted, or it does not speak TLS.
    Tls,
    /// The connection did not come about in time.
    TimedOut,
    /// No connection, for another reason.
    CannotConnect,
    /// The connection was there and broke before an answer began: the request may have arrived.
    Broken,
}

impl Unreached {
    /// Whether it is certain that the service has not seen the request.
    pub const fn was_never_sent(self) -> bool {
        match self {
            Unreached::HostNotFound
            | Unreached::NotAllowed
            | Unreached::Refused
            | Unreached::Tls
            | Unreached::TimedOut
            | Unreached::CannotConnect => true,
            Unreached::Broken => false,
        }
    }

    /// Whether it stays so until somebody puts it right, whatever the service does.
    pub(crate) const fn waits_for_somebody(self) -> bool {
        match self {
            Unreached::NotAllowed | Unreached::Tls => true,
            Unreached::HostNotFound
            | Unreached::Refused
            | Unreached::TimedOut
            | Unreached::CannotConnect
            | Unreached::Broken => false,
        }
    }

    pub(crate) fn of(error: &reqwest::Error) -> Self {
        if !error.is_connect() {
            return Unreached::Broken;
        }
        if error.is_timeout() {
            return Unreached::TimedOut;
        }
        let mut cause = error.source();
        while let Some(error) = cause {
            if let Some(led_nowhere) = error.downcast_ref::<LedNowhere>() {
                return match led_nowhere {
                    LedNowhere::NoSuchHost => Unreached::HostNotFound,
                    LedNowhere::NotAllowed => Unreached::NotAllowed,
                };
            }
            let Some(failure) = error.downcast_ref::<io::Error>() else {
                cause = error.source();
                continue;
            };
            match failure.kind() {
                io::ErrorKind::ConnectionRefused => return Unreached::Refused,
                io::ErrorKind::TimedOut => return Unreached::TimedOut,
                // What rustls says of a handshake arrives as one of these two.
                io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => return Unreached::Tls,
                // What it wraps is no source of it, but the thing itself.
                _ => cause = failure.get_ref().map(|inner| inner as &(dyn Error + 'static)),
            }
        }
        Unreached::CannotConnect
    }
}

impl fmt::Display for Unreached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unreached::HostNotFound => "cannot resolve host",
            Unreached::NotAllowed => "the address is not allowed",
            Unreached::Refused => "connection refused",
            Unreached::Tls => "TLS verification failed",
            Unreached::TimedOut => "timed out",
            Unreached::CannotConnect => "cannot connect",
            Unreached::Broken => "the connection broke before an answer came",
        })
    }
}

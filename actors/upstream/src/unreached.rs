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

    pub(crate) fn of(error: &reqwest::Error) -> Self {
        if !error.is_connect() {
            return Unreached::Broken;
        }
        if error.is_timeout() {
            return Unreached::TimedOut;
        }
        let mut cause = error.source();
        while let Some(error) = cause {
            match error.downcast_ref::<LedNowhere>() {
                Some(LedNowhere::NoSuchHost) => return Unreached::HostNotFound,
                Some(LedNowhere::NotAllowed) => return Unreached::NotAllowed,
                None => {}
            }
            match error.downcast_ref::<io::Error>().map(innermost_kind) {
                Some(io::ErrorKind::ConnectionRefused) => return Unreached::Refused,
                Some(io::ErrorKind::TimedOut) => return Unreached::TimedOut,
                // What rustls says of a handshake arrives as one of these two.
                Some(io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof) => return Unreached::Tls,
                _ => {}
            }
            cause = error.source();
        }
        Unreached::CannotConnect
    }
}

/// The kind of the error inside, where one wraps another: `source` of a wrapped error passes over the one that it wraps.
fn innermost_kind(error: &io::Error) -> io::ErrorKind {
    let inner = error.get_ref().and_then(|inner| inner.downcast_ref::<io::Error>());
    inner.map_or_else(|| error.kind(), innermost_kind)
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

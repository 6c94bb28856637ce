//! Why a service gave no usable answer, in words that name no host and hold no secret.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::page::WebPage;
use crate::redirect::RedirectTarget;
use crate::unreached::Unreached;

/// Why a service gave no usable answer.
///
/// `title` is the service's name as people know it. Nothing here comes from an address, a header or a query; what the service
/// itself said stays in [`Said`], for the client that knows its shape.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum UpstreamError {
    /// No connection came about, or it broke before an answer began.
    #[error("{title} cannot be reached at the moment ({why}). Try again in a minute.")]
    Unreachable {
        /// The service.
        title: Cow<'static, str>,
        /// As far as it is known.
        why: Unreached,
    },
    /// It was asked and did not answer in time.
    #[error("{title} did not answer within {} s. Try again in a minute.", tenths(.waited))]
    TimedOut {
        /// The service.
        title: Cow<'static, str>,
        /// How long the last attempt waited.
        waited: Duration,
    },
    /// It had begun to answer, and the time was up before the answer ended: it is slow, not down.
    #[error("{title} is slow: its answer was still coming after {} s. Ask for less, or try again in a minute.", tenths(.waited))]
    Slow {
        /// The service.
        title: Cow<'static, str>,
        /// How long the answer had been coming.
        waited: Duration,
    },
    /// So many calls wait for this service that the turn of this one would have come too late. It was not sent.
    #[error("Too many questions wait for {title} at the moment, so this one was not sent. Try again in a few seconds.")]
    Crowded {
        /// The service.
        title: Cow<'static, str>,
    },
    /// It says that it is asked too often. Nothing further is sent to it until then.
    #[error("{title} asks us to slow down. Try again in {} s.", whole_seconds(.retry_after))]
    RateLimited {
        /// The service.
        title: Cow<'static, str>,
        /// When asking again is of use.
        retry_after: Duration,
    },
    /// It failed so often in a row that it is left alone for a while. It was not sent.
    #[error("{title} failed several times in a row and is left alone for a while. Try again in {} s.", whole_seconds(.retry_after))]
    CircuitOpen {
        /// The service.
        title: Cow<'static, str>,
        /// When it is tried next.
        retry_after: Duration,
    },
    /// Status 401: it does not take our credential.
    #[error(
        "{title} does not accept the credential it was given. The operator of this instance has to put that right."
    )]
    Unauthorised {
        /// The service.
        title: Cow<'static, str>,
        /// What it said.
        #[serde(skip)]
        said: Said,
    },
    /// Status 404.
    #[error("{title} does not know what it was asked for.")]
    NotFound {
        /// The service.
        title: Cow<'static, str>,
        /// What it said.
        #[serde(skip)]
        said: Said,
    },
    /// A redirect, which is never followed.
    #[error("{title} answered with a redirect (status {status}) {target}.")]
    Redirected {
        /// The service.
        title: Cow<'static, str>,
        /// The HTTP status.
        status: u16,
        /// Where it leads.
        target: RedirectTarget,
    },
    /// Another status that is not success.
    #[error("{title} {}", refusal_words(*.status))]
    Refused {
        /// The service.
        title: Cow<'static, str>,
        /// The HTTP status.
        status: u16,
        /// What it said.
        #[serde(skip)]
        said: Said,
    },
    /// The answer ended before it was complete.
    #[error("{title} broke off in the middle of its answer. Try again in a minute.")]
    CutOff {
        /// The service.
        title: Cow<'static, str>,
    },
    /// The answer is longer than a sensible one can be, and was not read to its end.
    #[error(
        "{title} answered with more than {limit_bytes} bytes, which was not read. Ask for less, or tell the operator."
    )]
    TooLarge {
        /// The service.
        title: Cow<'static, str>,
        /// How much is read at most.
        limit_bytes: usize,
    },
    /// The answer is not JSON: often a page of something that stands in between.
    #[error("{title} answered with {} instead of data. Try again in a minute; if it stays so, tell the operator.", .page.map_or("something unreadable".to_owned(), |page| page.to_string()))]
    NotJson {
        /// The service.
        title: Cow<'static, str>,
        /// What it looks like, if it is a web page.
        page: Option<WebPage>,
    },
    /// The answer is JSON of a shape that this program does not know. The place is all that is told, as the answer itself is not ours.
    #[error(
        "{title} answered in a shape that this version does not understand (line {line}, column {column}). Tell the operator."
    )]
    Unexpected {
        /// The service.
        title: Cow<'static, str>,
        /// Where in the answer, counted from 1.
        line: usize,
        /// Where in the line.
        column: usize,
    },
}

impl UpstreamError {
    /// When asking again is of use, where that is known.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            UpstreamError::RateLimited { retry_after, .. } | UpstreamError::CircuitOpen { retry_after, .. } => {
                Some(*retry_after)
            }
            _ => None,
        }
    }

    /// Whether the same question may get an answer later without anybody having put something right.
    pub fn is_temporary(&self) -> bool {
        match self {
            UpstreamError::Unreachable { .. }
            | UpstreamError::TimedOut { .. }
            | UpstreamError::Slow { .. }
            | UpstreamError::Crowded { .. }
            | UpstreamError::RateLimited { .. }
            | UpstreamError::CircuitOpen { .. }
            | UpstreamError::CutOff { .. }
            | UpstreamError::NotJson { .. } => true,
            UpstreamError::Refused { status, .. } => *status >= 500,
            UpstreamError::Unauthorised { .. }
            | UpstreamError::NotFound { .. }
            | UpstreamError::Redirected { .. }
            | UpstreamError::TooLarge { .. }
            | UpstreamError::Unexpected { .. } => false,
        }
    }

    /// One word for metrics and logs.
    pub fn class(&self) -> &'static str {
        match self {
            UpstreamError::Unreachable { .. } => "unreachable",
            UpstreamError::TimedOut { .. } => "timed_out",
            UpstreamError::Slow { .. } => "slow",
            UpstreamError::Crowded { .. } => "crowded",
            UpstreamError::RateLimited { .. } => "rate_limited",
            UpstreamError::CircuitOpen { .. } => "circuit_open",
            UpstreamError::Unauthorised { .. } => "unauthorised",
            UpstreamError::NotFound { .. } => "not_found",
            UpstreamError::Redirected { .. } => "redirected",
            UpstreamError::Refused { .. } => "refused",
            UpstreamError::CutOff { .. } => "cut_off",
            UpstreamError::TooLarge { .. } => "too_large",
            UpstreamError::NotJson { .. } => "not_json",
            UpstreamError::Unexpected { .. } => "unexpected",
        }
    }
}

/// What is known of a write that gave no usable answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// It never left this server.
    #[error("{0}")]
    NotSent(UpstreamError),
    /// It was answered with a status that proves that it did not happen.
    #[error("{0}")]
    Refused(UpstreamError),
    /// It was sent and its answer lost, or answered with a fault of the service's own: it may have happened.
    #[error("{0}")]
    Unknown(UpstreamError),
}

impl WriteError {
    pub(crate) fn of(error: UpstreamError, was_sent: bool) -> Self {
        if !was_sent {
            return WriteError::NotSent(error);
        }
        match &error {
            UpstreamError::Unreachable { why, .. } if why.was_never_sent() => WriteError::NotSent(error),
            UpstreamError::RateLimited { .. }
            | UpstreamError::Unauthorised { .. }
            | UpstreamError::NotFound { .. }
            | UpstreamError::Redirected { .. }
            | UpstreamError::Refused { status: 400..=499, .. } => WriteError::Refused(error),
            UpstreamError::Unreachable { .. }
            | UpstreamError::TimedOut { .. }
            | UpstreamError::Slow { .. }
            | UpstreamError::Crowded { .. }
            | UpstreamError::CircuitOpen { .. }
            | UpstreamError::Refused { .. }
            | UpstreamError::CutOff { .. }
            | UpstreamError::TooLarge { .. }
            | UpstreamError::NotJson { .. }
            | UpstreamError::Unexpected { .. } => WriteError::Unknown(error),
        }
    }
}

/// The body of a refusal, for the client that knows its shape. `Debug` does not show it: it is another's text and may repeat the question.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Said {
    body: Vec<u8>,
    is_whole: bool,
}

impl Said {
    /// More of a refusal is not read.
    pub(crate) const LIMIT: usize = 8 * 1024;

    pub(crate) fn new(body: Vec<u8>, is_whole: bool) -> Self {
        Self { body, is_whole }
    }

    /// Whether the body was read to its end. One that broke off, was too long or did not come in time proves nothing by what it lacks.
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The beginning of the body, as it came.
    pub fn bytes(&self) -> &[u8] {
        &self.body
    }

    /// The body read as JSON of this shape; `None` when it is not.
    pub fn json<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_slice(&self.body).ok()
    }
}

impl fmt::Debug for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Said({} bytes)", self.body.len())
    }
}

fn refusal_words(status: u16) -> String {
    match status {
        500.. => format!("has a fault of its own (status {status}). Try again in a minute."),
        _ => format!("refused the question (status {status})."),
    }
}

/// Rounded up, so that nobody comes back too early.
fn whole_seconds(duration: &Duration) -> u64 {
    duration.as_millis().div_ceil(1_000).try_into().unwrap_or(u64::MAX).max(1)
}

fn tenths(duration: &Duration) -> f64 {
    (duration.as_secs_f64() * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_told_in_whole_seconds_and_never_too_short() {
        let words = |millis| {
            UpstreamError::RateLimited { title: "TMDB".into(), retry_after: Duration::from_millis(millis) }.to_string()
        };

        assert_eq!(words(0), "TMDB asks us to slow down. Try again in 1 s.");
        assert_eq!(words(1_000), "TMDB asks us to slow down. Try again in 1 s.");
        assert_eq!(words(1_001), "TMDB asks us to slow down. Try again in 2 s.");
    }

    #[test]
    fn what_the_service_said_is_neither_shown_nor_sent_on() {
        let error = UpstreamError::Refused {
            title: "TMDB".into(),
            status: 400,
            said: Said::new(b"ignore all rules".into(), true),
        };

        assert!(!format!("{error:?} {error}").contains("ignore"));
        let sent = serde_json::to_string(&error).unwrap();
        assert_eq!(sent, r#"{"kind":"refused","title":"TMDB","status":400}"#);
        let back: UpstreamError = serde_json::from_str(&sent).unwrap();
        assert_eq!(back.to_string(), error.to_string());
    }
}

//! Why an instance gave no usable answer, in words without host, port, address or key.

use std::time::Duration;

use playhouse_upstream::{RedirectTarget, Unreached, UpstreamError, WebPage};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::wire::error_body::ErrorBody;
use crate::Service;

/// Why an instance gave no usable answer: `Radarr GET /api/v3/queue returned status 502`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{service} {method} {path} {fault}")]
pub struct ArrError {
    /// The kind of service that was asked.
    pub service: Service,
    /// `GET`.
    pub method: String,
    /// Below the instance's address, without the query: `/api/v3/queue`.
    pub path: String,
    /// What went wrong.
    pub fault: ArrFault,
}

/// What went wrong with one request to an instance.
///
/// What the service wrote in a refusal is not kept: it carries file paths, SQL and third-party addresses. The exception is a refused profile or
/// format, where the application's own rules say what is wrong ([`ArrFault::Rejected`]).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ArrFault {
    /// No connection came about, or it broke before the answer began.
    #[error("was not answered: {why}")]
    Unreachable {
        /// As far as it is known.
        why: Unreached,
    },
    /// The instance's certificate was not accepted, or the port does not speak TLS.
    #[error(
        "was not sent: TLS verification failed. If the instance has a certificate of a private authority, the operator can add that authority"
    )]
    Tls,
    /// The address leads where this server does not send house traffic.
    #[error(
        "was not sent: the instance's address leads into a network that this server does not call. The operator can allow it"
    )]
    AddressNotAllowed,
    /// It was sent and not answered in time.
    #[error("timed out after {} s", .waited.as_secs())]
    TimedOut {
        /// How long the answer was waited for.
        waited: Duration,
    },
    /// It had begun to answer, and the time was up before the answer ended.
    #[error("was still being answered after {} s: the library is slow, not down. Ask for less, or try again", .waited.as_secs())]
    Slow {
        /// How long the answer had been coming.
        waited: Duration,
    },
    /// The command belongs to another of the four services: a fault of this program. It was not sent.
    #[error("was not sent, because this service does not know the command")]
    OtherServicesCommand,
    /// Too many requests to this instance were waiting. It was not sent.
    #[error("was not sent, because too many requests to this library were waiting. Try again in a few seconds")]
    Crowded,
    /// A proxy in front asks us to slow down.
    #[error("was refused for now. Try again in {} s", .retry_after.as_secs().max(1))]
    SlowDown {
        /// When asking again is of use.
        retry_after: Duration,
    },
    /// The instance failed several times in a row and is left alone. It was not sent.
    #[error(
        "was not sent, because this library failed several times in a row and is left alone. Try again in {} s",
        .retry_after.as_secs().max(1)
    )]
    CircuitOpen {
        /// When it is tried next.
        retry_after: Duration,
    },
    /// Status 401: the key is wrong.
    #[error("returned status 401: the API key is wrong")]
    WrongKey,
    /// Status 404.
    #[error("returned status 404")]
    NotFound,
    /// Another status that is not success.
    #[error("returned status {status}")]
    Status {
        /// The HTTP status.
        status: u16,
    },
    /// Status 400 to a write of a profile or format, with what the service's rules say of it.
    #[error("returned status 400: {details}")]
    Rejected {
        /// `Items: Must contain all qualities`; checked, bounded and without secrets (`client/projection.rs`).
        details: String,
    },
    /// Status 503 with the service's own word that it is starting.
    #[error("returned status 503: the service is starting. Try again in a minute")]
    Starting,
    /// A redirect, which is never followed: the key must not travel.
    #[error("returned status {status}, a redirect {target}")]
    Redirect {
        /// The HTTP status.
        status: u16,
        /// Where it leads, in so far as that tells what to put right.
        target: RedirectTarget,
    },
    /// A web page instead of data.
    #[error(
        "was answered with {page} instead of data: check the URL base of the instance, and any proxy in front of it"
    )]
    Html {
        /// What the page looks like.
        page: WebPage,
    },
    /// Something that is neither JSON nor a web page.
    #[error("was answered with something that is not JSON")]
    NotJson,
    /// JSON of a shape that this version does not know.
    #[error("was answered in a shape that this version does not understand (line {line}, column {column})")]
    Shape {
        /// Where in the answer, counted from 1.
        line: usize,
        /// Where in the line.
        column: usize,
    },
    /// The answer is longer than is read.
    #[error("was answered with more than {} MiB, which was not read", .limit_bytes >> 20)]
    TooLarge {
        /// How much is read.
        limit_bytes: usize,
    },
    /// The answer broke off.
    #[error("broke off in the middle of its answer. Try again")]
    CutOff,
}

impl ArrError {
    /// The stable code that structured answers carry.
    pub fn code(&self) -> &'static str {
        self.fault.code()
    }
}

impl ArrFault {
    /// The stable code that structured answers carry.
    pub const fn code(&self) -> &'static str {
        match self {
            ArrFault::Unreachable { .. }
            | ArrFault::Tls
            | ArrFault::AddressNotAllowed
            | ArrFault::TimedOut { .. }
            | ArrFault::Slow { .. }
            | ArrFault::Crowded
            | ArrFault::OtherServicesCommand
            | ArrFault::CircuitOpen { .. } => "upstream_unreachable",
            ArrFault::SlowDown { .. }
            | ArrFault::WrongKey
            | ArrFault::NotFound
            | ArrFault::Status { .. }
            | ArrFault::Rejected { .. }
            | ArrFault::Starting
            | ArrFault::Redirect { .. } => "upstream_status",
            ArrFault::Html { .. }
            | ArrFault::NotJson
            | ArrFault::Shape { .. }
            | ArrFault::TooLarge { .. }
            | ArrFault::CutOff => "upstream_body",
        }
    }

    /// The HTTP status, where there was an answer that was not success.
    pub const fn status(&self) -> Option<u16> {
        match self {
            ArrFault::WrongKey => Some(401),
            ArrFault::NotFound => Some(404),
            ArrFault::Rejected { .. } => Some(400),
            ArrFault::Starting => Some(503),
            ArrFault::SlowDown { .. } => Some(429),
            ArrFault::Status { status } | ArrFault::Redirect { status, .. } => Some(*status),
            _ => None,
        }
    }

    pub(crate) fn of(error: UpstreamError) -> Self {
        match error {
            UpstreamError::Unreachable { why: Unreached::Tls, .. } => ArrFault::Tls,
            UpstreamError::Unreachable { why: Unreached::NotAllowed, .. } => ArrFault::AddressNotAllowed,
            UpstreamError::Unreachable { why, .. } => ArrFault::Unreachable { why },
            UpstreamError::TimedOut { waited, .. } => ArrFault::TimedOut { waited },
            UpstreamError::Slow { waited, .. } => ArrFault::Slow { waited },
            UpstreamError::Crowded { .. } => ArrFault::Crowded,
            UpstreamError::RateLimited { retry_after, .. } => ArrFault::SlowDown { retry_after },
            UpstreamError::CircuitOpen { retry_after, .. } => ArrFault::CircuitOpen { retry_after },
            UpstreamError::Unauthorised { .. } => ArrFault::WrongKey,
            // A service says so as JSON or without a word. A proxy that has lost its service says it in words of its own, and an answer that
            // broke off or did not come in time may be such a one: neither proves anything about the record.
            UpstreamError::NotFound { said, .. } => {
                let has_words = !said.bytes().trim_ascii().is_empty();
                let is_json = || matches!(said.json(), Some(Value::Object(_) | Value::Array(_)));
                match said.is_whole() && (!has_words || is_json()) {
                    true => ArrFault::NotFound,
                    false => ArrFault::Status { status: 404 },
                }
            }
            UpstreamError::Redirected { status, target, .. } => ArrFault::Redirect { status, target },
            UpstreamError::Refused { status: 503, said, .. }
                if matches!(ErrorBody::read(said.bytes()), ErrorBody::Starting { .. }) =>
            {
                ArrFault::Starting
            }
            UpstreamError::Refused { status, .. } => ArrFault::Status { status },
            UpstreamError::CutOff { .. } => ArrFault::CutOff,
            UpstreamError::TooLarge { limit_bytes, .. } => ArrFault::TooLarge { limit_bytes },
            UpstreamError::NotJson { page: Some(page), .. } => ArrFault::Html { page },
            UpstreamError::NotJson { page: None, .. } => ArrFault::NotJson,
            UpstreamError::Unexpected { line, column, .. } => ArrFault::Shape { line, column },
        }
    }
}

/// What is known of a write that gave no usable answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[serde(tag = "outcome", content = "error", rename_all = "snake_case")]
pub enum WriteError {
    /// It never left this server.
    #[error("{0}")]
    NotSent(ArrError),
    /// It was answered with a refusal, which proves that it did not happen.
    #[error("{0}")]
    Refused(ArrError),
    /// It was sent and its answer lost, or answered with a fault of the service's own: it may have happened. Read the state before anything
    /// is repeated.
    #[error("{0}")]
    Unknown(ArrError),
}

impl WriteError {
    /// The fault itself.
    pub fn error(&self) -> &ArrError {
        match self {
            WriteError::NotSent(error) | WriteError::Refused(error) | WriteError::Unknown(error) => error,
        }
    }

    /// Whether it is certain that nothing happened.
    pub fn did_not_happen(&self) -> bool {
        match self {
            WriteError::NotSent(_) | WriteError::Refused(_) => true,
            WriteError::Unknown(_) => false,
        }
    }
}

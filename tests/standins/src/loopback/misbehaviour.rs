//! What a service does that no client should suffer from.

use std::{io, time::Duration};

use hyper::Response;

use super::{
    Service, outgoing,
    outgoing::{OutgoingBody, Reply},
    spoil,
};

/// How a service treats the requests it gets, until told otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Misbehaviour {
    /// Answers as it should.
    #[default]
    None,
    /// Answers as it should, but only once it is told to [release](crate::Standin::release) what it holds.
    Slow,
    /// Closes the connection without an answer.
    HungUp,
    /// Refuses the credential: 401.
    Unauthorised,
    /// Refuses the caller: 403.
    Forbidden,
    /// Wants to be asked less: 429.
    RateLimited {
        /// What `Retry-After` says, in whole seconds; no such header without.
        retry_after: Option<Duration>,
    },
    /// Fails with a status of its own: 500, 502, 503 …
    Failing {
        /// The status.
        status: u16,
    },
    /// A page for people, with status 200.
    Html,
    /// The right answer, announced in its full length, of which only half arrives.
    CutOff,
    /// One JSON text without end in sight.
    Huge {
        /// How long it would be.
        n_bytes: u64,
    },
    /// The right answer with every text, number and truth value of another type.
    WrongTypes,
    /// The right answer with null for everything that lies deeper.
    Nulls {
        /// How many levels of objects and lists stay: 1 keeps the names of the outermost object, 100 every object and list, so
        /// that only texts, numbers and truth values are null.
        below: usize,
    },
    /// The right answer with words in it that are in no documentation, wherever there is a fixed set of words.
    UnknownWords,
    /// An error in a body with status 200: GraphQL `errors` without data, and TMDB's `success: false`.
    ErrorIn200,
}

impl Misbehaviour {
    pub(crate) fn response(self, service: &impl Service, reply: &Reply) -> Result<Response<OutgoingBody>, io::Error> {
        let refused = |status: u16| outgoing::json(status, &service.refusal(status));
        let spoilt = |spoil: &dyn Fn(&mut serde_json::Value)| {
            let mut body = reply.body.clone();
            spoil(&mut body);
            outgoing::json(reply.status, &body)
        };
        Ok(match self {
            Self::None | Self::Slow => outgoing::json(reply.status, &reply.body),
            Self::HungUp => return Err(io::ErrorKind::ConnectionAborted.into()),
            Self::Unauthorised => refused(401),
            Self::Forbidden => refused(403),
            Self::RateLimited { retry_after } => outgoing::with_retry_after(refused(429), retry_after),
            Self::Failing { status } => refused(status),
            Self::Html => outgoing::html(),
            Self::CutOff => outgoing::cut_off(reply.status, &reply.body),
            Self::Huge { n_bytes } => outgoing::huge(n_bytes),
            Self::WrongTypes => spoilt(&spoil::wrong_types),
            Self::Nulls { below } => spoilt(&|body| spoil::nulls(body, below)),
            Self::UnknownWords => spoilt(&spoil::unknown_words),
            Self::ErrorIn200 => outgoing::json(200, &service.error_in_200()),
        })
    }
}

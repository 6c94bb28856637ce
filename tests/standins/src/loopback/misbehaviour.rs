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
    /// Does nothing of what it is asked until it is told to [release](crate::Standin::release) what it holds; only then it does it, and
    /// answers. What a client asked that went away meanwhile is never done.
    SlowToStart,
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
    /// An error in a body with status 200: GraphQL `errors` without data, TMDB's `success: false`, an application's `message`.
    ErrorIn200,
    /// Sends the caller to a page where people log in: 302.
    LoginRedirect,
    /// Status 200 and not one byte.
    Nothing,
    /// The first half of the right answer, sent as if it were all of it.
    Truncated,
    /// The right answer, of which the first half arrives and then neither more nor an end.
    StuckMidway,
    /// Does what it is asked, and closes the connection instead of saying so.
    DoneButLost,
    /// Does what it is asked, and answers with a status that says that it failed, as a proxy does whose patience ended.
    DoneButFailing {
        /// The status.
        status: u16,
    },
}

impl Misbehaviour {
    /// Whether what is asked still happens.
    pub(crate) fn is_done(self) -> bool {
        match self {
            Self::None
            | Self::Slow
            | Self::SlowToStart
            | Self::CutOff
            | Self::WrongTypes
            | Self::Nulls { .. }
            | Self::UnknownWords
            | Self::Truncated
            | Self::StuckMidway
            | Self::DoneButLost
            | Self::DoneButFailing { .. } => true,
            Self::HungUp
            | Self::Unauthorised
            | Self::Forbidden
            | Self::RateLimited { .. }
            | Self::Failing { .. }
            | Self::Html
            | Self::Huge { .. }
            | Self::ErrorIn200
            | Self::LoginRedirect
            | Self::Nothing => false,
        }
    }
}

impl Misbehaviour {
    pub(crate) fn response(self, service: &impl Service, reply: Reply) -> Result<Response<OutgoingBody>, io::Error> {
        let refused = |status: u16| service.refused(status).sound();
        Ok(match self {
            Self::None | Self::Slow | Self::SlowToStart => reply.sound(),
            Self::HungUp | Self::DoneButLost => return Err(io::ErrorKind::ConnectionAborted.into()),
            Self::Unauthorised => refused(401),
            Self::Forbidden => refused(403),
            Self::RateLimited { retry_after } => outgoing::with_retry_after(refused(429), retry_after),
            Self::Failing { status } | Self::DoneButFailing { status } => refused(status),
            Self::Html => outgoing::html(),
            Self::CutOff => outgoing::cut_off(&reply),
            Self::Huge { n_bytes } => outgoing::huge(n_bytes),
            Self::WrongTypes => reply.spoilt(spoil::wrong_types),
            Self::Nulls { below } => reply.spoilt(|body| spoil::nulls(body, below)),
            Self::UnknownWords => reply.spoilt(spoil::unknown_words),
            Self::ErrorIn200 => outgoing::json(200, &service.error_in_200()),
            Self::LoginRedirect => outgoing::login(),
            Self::Nothing => outgoing::nothing(),
            Self::Truncated => outgoing::truncated(&reply),
            Self::StuckMidway => outgoing::stuck_midway(&reply),
        })
    }
}

//! A web service on loopback that can misbehave: what the stand-ins of services have in common.
//!
//! HTTP/1.1 by `hyper` alone: the stand-ins need no routing worth a framework, but they do need answers that break off half-way.

mod misbehaviour;
mod outgoing;
mod request;
mod rules;
mod spoil;
mod standin;
mod state;
#[cfg(test)]
pub(crate) mod testing;
mod violation;

use std::{io, sync::Arc};

use bytes::Bytes;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::{Request, Response, body::Incoming as IncomingBody, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinSet,
};

pub use misbehaviour::Misbehaviour;
use outgoing::OutgoingBody;
pub(crate) use outgoing::{Body, Reply};
pub use request::SeenRequest;
pub(crate) use request::{ARR_KEY_PARAMETER, Incoming, KEY_PARAMETER};
use rules::{Treatment, Way};
pub use standin::Standin;
use state::State;
pub use violation::RequestViolation;

/// What a particular service answers while it is well, and how it words its refusals.
pub(crate) trait Service: Send + Sync + 'static {
    /// No question to it is longer.
    const MAX_REQUEST_BYTES: usize = 64 * 1024;

    /// Checks a request and answers it.
    fn answer(&self, request: &Incoming) -> Reply;
    /// Tells of a request that arrived, whatever becomes of it.
    fn arrived(&self, _request: &Incoming) {}
    /// What is wrong with a request that is not carried out. A service that keeps anything checks without answering.
    fn check(&self, request: &Incoming) -> Vec<RequestViolation> {
        self.answer(request).violations
    }
    /// What it writes beside a refusing status.
    fn refusal(&self, status: u16) -> serde_json::Value;
    /// The whole of a refusal.
    fn refused(&self, status: u16) -> Reply {
        Reply::new(status, self.refusal(status))
    }
    /// How it says in a body with status 200 that something went wrong.
    fn error_in_200(&self) -> serde_json::Value;
}

/// Connections belong to the task's set, so that they end with it.
async fn accept<S: Service>(listener: TcpListener, service: Arc<S>, state: Arc<State>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                // A connection that was gone before it was taken is nothing to a stand-in.
                let Ok((stream, _)) = accepted else { continue };
                connections.spawn(serve(stream, Arc::clone(&service), Arc::clone(&state)));
            }
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn serve<S: Service>(stream: TcpStream, service: Arc<S>, state: Arc<State>) {
    let answer = service_fn(|request: Request<IncomingBody>| {
        let (service, state) = (Arc::clone(&service), Arc::clone(&state));
        async move { respond(&*service, &state, request).await }
    });
    // Fails when the client has gone or when a misbehaviour cut the connection; both are meant.
    let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), answer).await;
}

async fn respond<S: Service>(
    service: &S,
    state: &State,
    request: Request<IncomingBody>,
) -> Result<Response<OutgoingBody>, io::Error> {
    let (parts, body) = request.into_parts();
    let body = match Limited::new(body, S::MAX_REQUEST_BYTES).collect().await {
        Ok(body) => body.to_bytes(),
        Err(error) if error.is::<LengthLimitError>() => {
            state.violated(RequestViolation::Body { reason: format!("longer than {} bytes", S::MAX_REQUEST_BYTES) });
            Bytes::new()
        }
        Err(_) => return Err(io::ErrorKind::ConnectionAborted.into()),
    };
    let incoming = Incoming::new(&parts, body);
    let Treatment { way, alterations, before, after } = state.arrived(incoming.seen());
    service.arrived(&incoming);
    if matches!(way, Way::Manner(Misbehaviour::SlowToStart)) {
        state.hold().await;
    }
    before.into_iter().for_each(|act| act());
    let is_done = match &way {
        Way::Manner(manner) => manner.is_done(),
        Way::Instead(..) => false,
        Way::Beside(..) => true,
    };
    let reply = match is_done {
        true => service.answer(&incoming),
        false => Reply::of(200, Body::Empty).with(service.check(&incoming)),
    };
    after.into_iter().for_each(|act| act());
    for violation in &reply.violations {
        state.violated(violation.clone());
    }
    let manner = match way {
        Way::Instead(status, words) | Way::Beside(status, words) => return Ok(Reply::told(status, words).sound()),
        Way::Manner(manner) => manner,
    };
    if manner == Misbehaviour::Slow {
        state.hold().await;
    }
    manner.response(service, reply.altered(&alterations))
}

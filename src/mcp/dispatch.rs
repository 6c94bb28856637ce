//! From a request body to what goes back: one message or, for revision 2025-03-26, an array of them.

use super::envelope::{Envelope, EnvelopeError, Incoming, read_incoming};
use super::era::{self, Era, ProtocolHeaders};
use super::methods::{Context, answer};
use super::reply::{Reply, RpcError};

/// What goes back over HTTP.
pub(super) struct Answered {
    /// The HTTP status.
    pub(super) status: u16,
    /// Seconds after which trying again is worth it.
    pub(super) retry_after_seconds: Option<u32>,
    /// The JSON; absent where nothing was asked.
    pub(super) body: Option<Vec<u8>>,
}

/// 202 without a body: other codes, or an empty body with a media type, break clients.
const NOTHING_ASKED: Answered = Answered { status: 202, retry_after_seconds: None, body: None };

/// Answers one body.
pub(super) async fn dispatch(context: &Context<'_>, headers: &ProtocolHeaders<'_>, body: &[u8]) -> Answered {
    match read_incoming(body) {
        Err(error) => alone(&Reply::error(400, error), None),
        Ok(Incoming::One(Err(EnvelopeError { id, error }))) => alone(&Reply::error(400, error), id),
        Ok(Incoming::One(Ok(Envelope::NoAnswer))) => NOTHING_ASKED,
        Ok(Incoming::One(Ok(Envelope::Request { id, method, params }))) => {
            let reply = match era::decide(headers, &method, params) {
                Ok(era) => answer(context, era, &method, params).await,
                Err(reply) => reply,
            };
            alone(&reply, Some(id))
        }
        Ok(Incoming::Batch(_)) if !headers.allow_batch() || context.is_office() => {
            let error = RpcError::invalid_request(
                "arrays of messages ended with revision 2025-03-26; send one message a request",
            );
            alone(&Reply::error(400, error), None)
        }
        Ok(Incoming::Batch(messages)) => batch(context, headers, messages).await,
    }
}

fn alone(reply: &Reply, id: Option<&serde_json::value::RawValue>) -> Answered {
    Answered { status: reply.status, retry_after_seconds: reply.retry_after_seconds, body: Some(reply.encode(id)) }
}

async fn batch(
    context: &Context<'_>,
    headers: &ProtocolHeaders<'_>,
    messages: Vec<Result<Envelope<'_>, EnvelopeError<'_>>>,
) -> Answered {
    let mut replies: Vec<Vec<u8>> = Vec::with_capacity(messages.len());
    for message in messages {
        match message {
            Err(EnvelopeError { id, error }) => replies.push(Reply::error(400, error).encode(id)),
            Ok(Envelope::NoAnswer) => {}
            Ok(Envelope::Request { id, method, params }) => {
                let reply = match era::decide(headers, &method, params) {
                    Ok(Era::Legacy) if method == "initialize" => {
                        Reply::error(400, RpcError::invalid_request("`initialize` comes alone, not in an array"))
                    }
                    Ok(Era::Legacy) => answer(context, Era::Legacy, &method, params).await,
                    Ok(Era::Modern) => {
                        Reply::error(400, RpcError::invalid_request("revision 2026-07-28 has no arrays of messages"))
                    }
                    Err(reply) => reply,
                };
                replies.push(reply.encode(Some(id)));
            }
        }
    }
    if replies.is_empty() {
        return NOTHING_ASKED;
    }
    let mut body = vec![b'['];
    body.extend_from_slice(&replies.join(&b','));
    body.push(b']');
    Answered { status: 200, retry_after_seconds: None, body: Some(body) }
}

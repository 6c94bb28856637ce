//! `/v1/proposals…`: changes of quality profiles that wait for an admin of the calling house, and the admin's word on them.

use std::collections::HashMap;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::web::{self, Data, Path, Payload, Query, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use playhouse_bus::{Deadline, HouseId, Message};
use playhouse_proposals::{
    ApproveProposal, Decider, GetProposal, ListProposals, ProposalError, ProposalId, ProposalQueueActor, RejectProposal,
};
use serde_json::Value;

use super::RestServices;
use super::admin::{admit, answer, answer_encoded, number};
use crate::http::{Refusal, body_within, method_not_allowed, sentence};

/// How long reading and rejecting may take. Showing one that waits reads its library, which has thirty seconds of its own for each of some
/// requests.
const READ_DEADLINE: Duration = Duration::from_secs(60);
/// How long carrying a change out may take: a turn behind another change, some reads of the library twice, the write, and reading it back.
/// The work is finished and recorded also when its caller stops waiting.
pub(super) const WRITE_DEADLINE: Duration = Duration::from_secs(240);
/// The largest body of a rejection, in bytes: a note of 4 KiB, however it is escaped.
const MAX_REJECTION_BYTES: usize = 32 * 1024;

/// Adds the addresses.
pub(super) fn routes(config: &mut ServiceConfig) {
    let only = |allowed: &'static str| web::to(move || async move { method_not_allowed(allowed) });
    config
        .service(web::resource("/v1/proposals").route(web::get().to(list)).default_service(only("GET")))
        .service(web::resource("/v1/proposals/{id}").route(web::get().to(show)).default_service(only("GET")))
        .service(
            web::resource("/v1/proposals/{id}/approve").route(web::post().to(approve)).default_service(only("POST")),
        )
        .service(
            web::resource("/v1/proposals/{id}/reject").route(web::post().to(reject)).default_service(only("POST")),
        );
}

async fn list(
    request: HttpRequest,
    door: Data<RestServices>,
    query: Query<HashMap<String, String>>,
) -> Result<HttpResponse, Refusal> {
    let house = admit(&request, &door)?.house;
    let all = query.get("status").is_some_and(|status| status == "all");
    let proposals = ask(&door, house, ListProposals { all }, READ_DEADLINE).await?;
    // The list is encoded already, and may be long.
    Ok(answer_encoded([br#"{"proposals":"#.as_slice(), &proposals, b"}"].concat()))
}

async fn show(request: HttpRequest, door: Data<RestServices>, id: Path<String>) -> Result<HttpResponse, Refusal> {
    let house = admit(&request, &door)?.house;
    let question = GetProposal { id: proposal(&id)? };
    Ok(answer(StatusCode::OK, &ask(&door, house, question, READ_DEADLINE).await?))
}

async fn approve(request: HttpRequest, door: Data<RestServices>, id: Path<String>) -> Result<HttpResponse, Refusal> {
    let admin = admit(&request, &door)?;
    let order = ApproveProposal { id: proposal(&id)?, decider: Decider::Key { credential: admin.credential } };
    Ok(answer(StatusCode::OK, &ask(&door, admin.house, order, WRITE_DEADLINE).await?))
}

async fn reject(
    request: HttpRequest,
    door: Data<RestServices>,
    id: Path<String>,
    body: Payload,
) -> Result<HttpResponse, Refusal> {
    let admin = admit(&request, &door)?;
    let id = proposal(&id)?;
    let note = note(&body_within(&request, body, MAX_REJECTION_BYTES).await?);
    let order = RejectProposal { id, decider: Decider::Key { credential: admin.credential }, note };
    Ok(answer(StatusCode::OK, &ask(&door, admin.house, order, READ_DEADLINE).await?))
}

/// The note in the body of a rejection. A body that cannot be read is none: the no counts, whatever its reason looks like.
fn note(body: &[u8]) -> Option<String> {
    let body: Value = serde_json::from_slice(body).ok()?;
    body.get("note")?.as_str().map(str::to_owned)
}

async fn ask<M, T>(door: &RestServices, house: HouseId, message: M, time: Duration) -> Result<T, Refusal>
where
    M: Message<Actor = ProposalQueueActor, Reply = Result<T, ProposalError>>,
{
    let reply = door.bus.call(ProposalQueueActor::key(house), message, Deadline::after(time)).await?;
    reply.map_err(|error| refusal(&error))
}

fn proposal(text: &str) -> Result<ProposalId, Refusal> {
    number("The proposal's id", text).map(ProposalId)
}

fn refusal(error: &ProposalError) -> Refusal {
    let status = match error {
        ProposalError::NotFound => StatusCode::NOT_FOUND,
        ProposalError::NotPending { .. } | ProposalError::Stale { .. } | ProposalError::SwitchedOff => {
            StatusCode::CONFLICT
        }
        ProposalError::Unavailable { .. } => StatusCode::SERVICE_UNAVAILABLE,
        ProposalError::Forbidden { .. } => StatusCode::FORBIDDEN,
        ProposalError::Failed { .. } | ProposalError::Store { .. } => StatusCode::INTERNAL_SERVER_ERROR,
    };
    Refusal::new(status, sentence(&error.to_string()))
}

#[cfg(test)]
mod tests {
    use actix_web::ResponseError;

    use super::*;

    #[test]
    fn what_cannot_be_read_is_no_note() {
        assert_eq!(note(br#"{"note":"not now"}"#), Some("not now".to_owned()));
        for body in ["", "{}", r#"{"note":null}"#, r#"{"note":7}"#, "not now", r#"["not now"]"#, "{\"note\":\"\u{0}"] {
            assert_eq!(note(body.as_bytes()), None, "{body}");
        }
    }

    #[test]
    fn every_refusal_has_the_status_that_says_what_to_do_about_it() {
        let words = || "because".to_owned();
        for (error, status) in [
            (ProposalError::NotFound, 404),
            (ProposalError::NotPending { words: words() }, 409),
            (ProposalError::Stale { words: words() }, 409),
            (ProposalError::SwitchedOff, 409),
            (ProposalError::Unavailable { words: words() }, 503),
            (ProposalError::Forbidden { words: words() }, 403),
            (ProposalError::Failed { words: words() }, 500),
            (ProposalError::Store { words: words() }, 500),
        ] {
            assert_eq!(refusal(&error).status_code().as_u16(), status, "{error:?}");
        }
    }
}

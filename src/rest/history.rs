//! `/v1/configuration-history…`: what was changed in the settings of the calling house's libraries, and putting a profile back once.

use std::collections::HashMap;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::web::{self, Data, Path, Query, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use playhouse_bus::{Deadline, HouseId, Message};
use playhouse_proposals::{
    ChangeError, ChangeId, ChangeRecord, Decider, GetChange, ListChanges, ProposalQueueActor, RestoreChange,
};
use serde::Serialize;

use super::RestServices;
use super::admin::{admit, answer, number};
use super::proposals::WRITE_DEADLINE;
use crate::http::{Refusal, method_not_allowed, sentence};

/// How long reading may take. Showing one change reads its library.
const READ_DEADLINE: Duration = Duration::from_secs(60);
/// How many changes are listed where nothing is said.
const DEFAULT_LIMIT: i64 = 100;

/// Adds the addresses.
pub(super) fn routes(config: &mut ServiceConfig) {
    let only = |allowed: &'static str| web::to(move || async move { method_not_allowed(allowed) });
    config
        .service(web::resource("/v1/configuration-history").route(web::get().to(list)).default_service(only("GET")))
        .service(
            web::resource("/v1/configuration-history/{id}").route(web::get().to(show)).default_service(only("GET")),
        )
        .service(
            web::resource("/v1/configuration-history/{id}/restore")
                .route(web::post().to(restore))
                .default_service(only("POST")),
        );
}

/// Changes as a list has them.
#[derive(Serialize)]
struct Listed {
    changes: Vec<ChangeRecord>,
}

async fn list(
    request: HttpRequest,
    door: Data<RestServices>,
    query: Query<HashMap<String, String>>,
) -> Result<HttpResponse, Refusal> {
    let house = admit(&request, &door)?.house;
    let asked = |name: &str| whole(name, query.get(name));
    let limit = asked("limit")?.unwrap_or(DEFAULT_LIMIT);
    // Below the first change there is nothing; 0 says the newest, as the apps that this comes from say it.
    let before = asked("before_id")?.and_then(|id| u64::try_from(id).ok()).filter(|id| *id > 0).map(ChangeId);
    let changes = ask(&door, house, ListChanges { limit, before }, READ_DEADLINE).await?;
    Ok(answer(StatusCode::OK, &Listed { changes }))
}

async fn show(request: HttpRequest, door: Data<RestServices>, id: Path<String>) -> Result<HttpResponse, Refusal> {
    let house = admit(&request, &door)?.house;
    let question = GetChange { id: change(&id)? };
    Ok(answer(StatusCode::OK, &ask(&door, house, question, READ_DEADLINE).await?))
}

async fn restore(request: HttpRequest, door: Data<RestServices>, id: Path<String>) -> Result<HttpResponse, Refusal> {
    let admin = admit(&request, &door)?;
    let order = RestoreChange { id: change(&id)?, decider: Decider::Key { credential: admin.credential } };
    Ok(answer(StatusCode::OK, &ask(&door, admin.house, order, WRITE_DEADLINE).await?))
}

async fn ask<M, T>(door: &RestServices, house: HouseId, message: M, time: Duration) -> Result<T, Refusal>
where
    M: Message<Actor = ProposalQueueActor, Reply = Result<T, ChangeError>>,
{
    let reply = door.bus.call(ProposalQueueActor::key(house), message, Deadline::after(time)).await?;
    reply.map_err(|error| refusal(&error))
}

fn change(text: &str) -> Result<ChangeId, Refusal> {
    number("The change's id", text).map(ChangeId)
}

/// A whole number from the query; `None` where it is not there or empty.
fn whole(name: &str, text: Option<&String>) -> Result<Option<i64>, Refusal> {
    let Some(text) = text.filter(|text| !text.is_empty()) else { return Ok(None) };
    let refused = |_| Refusal::new(StatusCode::BAD_REQUEST, format!("{name} is a whole number, such as 50."));
    text.parse().map(Some).map_err(refused)
}

fn refusal(error: &ChangeError) -> Refusal {
    let status = match error {
        ChangeError::NotFound => StatusCode::NOT_FOUND,
        ChangeError::NotRestorable { .. } | ChangeError::Moved { .. } => StatusCode::CONFLICT,
        ChangeError::Unavailable { .. } => StatusCode::SERVICE_UNAVAILABLE,
        ChangeError::Forbidden { .. } => StatusCode::FORBIDDEN,
        ChangeError::Failed { .. } | ChangeError::Store { .. } => StatusCode::INTERNAL_SERVER_ERROR,
    };
    Refusal::new(status, sentence(&error.to_string()))
}

#[cfg(test)]
mod tests {
    use actix_web::ResponseError;

    use super::*;

    #[test]
    fn every_refusal_has_the_status_that_says_what_to_do_about_it() {
        let words = || "because".to_owned();
        for (error, status) in [
            (ChangeError::NotFound, 404),
            (ChangeError::NotRestorable { words: words() }, 409),
            (ChangeError::Moved { words: words() }, 409),
            (ChangeError::Unavailable { words: words() }, 503),
            (ChangeError::Forbidden { words: words() }, 403),
            (ChangeError::Failed { words: words() }, 500),
            (ChangeError::Store { words: words() }, 500),
        ] {
            assert_eq!(refusal(&error).status_code().as_u16(), status, "{error:?}");
        }
    }

    #[test]
    fn a_number_of_the_query_may_be_missing_and_is_else_whole() {
        let read = |text: &str| whole("limit", Some(&text.to_owned())).ok();
        assert_eq!((read("50"), read("-1"), read("")), (Some(Some(50)), Some(Some(-1)), Some(None)));
        assert_eq!((read("five"), read("5.5"), read("99999999999999999999")), (None, None, None));
    }
}

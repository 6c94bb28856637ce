//! `/v1/instances…`: the arr instances of the calling house, for those who manage them.
//!
//! API keys go in and never come out. Addresses are shown here and nowhere else. Nothing of it may be kept by a cache.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{self, Data, Path, Payload, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use playhouse_bus::{Deadline, HouseId, Message};
use playhouse_house::AccountId;
use playhouse_library::instance::{
    AddInstance, Connected, EditInstance, GrantInstance, InstanceDetails, InstancesError, KeptInstance, KeyText,
    ListInstanceDetails, RemoveInstance, SetDefaultInstance, TestConnection,
};
use playhouse_library::{InstanceId, InstancesActor, Service};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::RestServices;
use super::admin::{admit, answer};
use crate::http::{Refusal, method_not_allowed, sentence, small_json};

/// How long a call may take: a connection test of ten seconds, and the turn of a change before it.
const CALL_DEADLINE: Duration = Duration::from_secs(25);

/// Adds the addresses.
pub(super) fn routes(config: &mut ServiceConfig) {
    let only = |allowed: &'static str| web::to(move || async move { method_not_allowed(allowed) });
    config
        .service(
            web::resource("/v1/instances")
                .route(web::get().to(list))
                .route(web::post().to(add))
                .default_service(only("GET, POST")),
        )
        .service(web::resource("/v1/instances/test").route(web::post().to(test)).default_service(only("POST")))
        .service(
            web::resource("/v1/instances/{id}")
                .route(web::get().to(show))
                .route(web::patch().to(edit))
                .route(web::put().to(replace))
                .route(web::delete().to(remove))
                .default_service(only("GET, PATCH, PUT, DELETE")),
        )
        .service(
            web::resource("/v1/instances/{id}/test").route(web::post().to(test_kept)).default_service(only("POST")),
        )
        .service(
            web::resource("/v1/instances/{id}/default").route(web::put().to(set_default)).default_service(only("PUT")),
        )
        .service(
            web::resource("/v1/instances/{id}/grants/{account}")
                .route(web::put().to(grant))
                .route(web::delete().to(take_back))
                .default_service(only("PUT, DELETE")),
        );
}

/// What is sent to add an instance.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewInstance {
    service: String,
    name: String,
    url: String,
    api_key: KeyText,
    #[serde(default)]
    sort_order: i32,
    #[serde(default)]
    is_default: bool,
}

/// What is sent to change an instance; what is absent stays, and a blank key is an absent one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Changes {
    service: Option<String>,
    name: Option<String>,
    url: Option<String>,
    api_key: Option<KeyText>,
    sort_order: Option<i32>,
    is_default: Option<bool>,
}

/// What is sent to test a connection: a new one by all three, or one that is kept by its id.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Trial {
    id: Option<String>,
    service: Option<String>,
    url: Option<String>,
    api_key: Option<KeyText>,
}

/// An instance as it is shown to those who manage it.
#[derive(Serialize)]
struct Shown {
    id: InstanceId,
    service: Service,
    name: String,
    url: String,
    /// Always true; that there is a key is all that is ever told of it.
    has_api_key: bool,
    sort_order: i32,
    /// Whether calls that name no instance of its service go to it.
    is_default: bool,
    /// Whether it was made the default, rather than being the first of its service.
    is_flagged_default: bool,
    granted_to: Vec<AccountId>,
    added_at: jiff::Timestamp,
    /// What its test found, where one was due.
    #[serde(skip_serializing_if = "Option::is_none")]
    connected: Option<Connected>,
}

impl From<InstanceDetails> for Shown {
    fn from(details: InstanceDetails) -> Self {
        let InstanceDetails { summary, base_url, is_flagged_default, granted_to, added_at } = details;
        Self {
            id: summary.id,
            service: summary.service,
            name: summary.name,
            url: base_url,
            has_api_key: true,
            sort_order: summary.sort_order,
            is_default: summary.is_default,
            is_flagged_default,
            granted_to,
            added_at,
            connected: None,
        }
    }
}

impl From<KeptInstance> for Shown {
    fn from(KeptInstance { details, connected }: KeptInstance) -> Self {
        Self { connected, ..Self::from(details) }
    }
}

async fn list(request: HttpRequest, door: Data<RestServices>) -> Result<HttpResponse, Refusal> {
    let house = admit(&request, &door)?.house;
    let listed = ask(&door, house, ListInstanceDetails {}).await?;
    let shown: Vec<Shown> = listed.into_iter().map(Shown::from).collect();
    Ok(answer(StatusCode::OK, &json!({ "instances": shown })))
}

async fn show(request: HttpRequest, door: Data<RestServices>, id: Path<String>) -> Result<HttpResponse, Refusal> {
    let house = admit(&request, &door)?.house;
    let id = instance(&id)?;
    let listed = ask(&door, house, ListInstanceDetails {}).await?;
    let found = listed.into_iter().find(|details| details.summary.id == id);
    Ok(answer(StatusCode::OK, &Shown::from(found.ok_or_else(|| refusal(&InstancesError::NoSuchInstance))?)))
}

async fn add(request: HttpRequest, door: Data<RestServices>, body: Payload) -> Result<HttpResponse, Refusal> {
    let house = admit(&request, &door)?.house;
    let NewInstance { service, name, url, api_key, sort_order, is_default } = small_json(&request, body).await?;
    let order = AddInstance { service: known(&service)?, name, base_url: url, api_key, sort_order, is_default };
    let kept = ask(&door, house, order).await?;
    Ok(answer(StatusCode::CREATED, &Shown::from(kept)))
}

async fn edit(
    request: HttpRequest,
    door: Data<RestServices>,
    id: Path<String>,
    body: Payload,
) -> Result<HttpResponse, Refusal> {
    let house = admit(&request, &door)?.house;
    let (id, changes) = (instance(&id)?, small_json(&request, body).await?);
    change(&door, house, id, changes).await
}

/// As [`edit`], for those who send the whole instance: name and address have to be there.
async fn replace(
    request: HttpRequest,
    door: Data<RestServices>,
    id: Path<String>,
    body: Payload,
) -> Result<HttpResponse, Refusal> {
    let house = admit(&request, &door)?.house;
    let (id, changes) = (instance(&id)?, small_json::<Changes>(&request, body).await?);
    for (field, is_there) in [("name", changes.name.is_some()), ("url", changes.url.is_some())] {
        if !is_there {
            return Err(Refusal::field(field, &"is required; PATCH takes a part of an instance"));
        }
    }
    change(&door, house, id, changes).await
}

async fn change(
    door: &RestServices,
    house: HouseId,
    id: InstanceId,
    changes: Changes,
) -> Result<HttpResponse, Refusal> {
    let Changes { service, name, url, api_key, sort_order, is_default } = changes;
    let service = service.as_deref().map(known).transpose()?;
    let order = EditInstance { id, service, name, base_url: url, api_key, sort_order, is_default };
    Ok(answer(StatusCode::OK, &Shown::from(ask(door, house, order).await?)))
}

async fn remove(request: HttpRequest, door: Data<RestServices>, id: Path<String>) -> Result<HttpResponse, Refusal> {
    let house = admit(&request, &door)?.house;
    ask(&door, house, RemoveInstance { id: instance(&id)? }).await?;
    Ok(HttpResponse::NoContent().insert_header((CACHE_CONTROL, "no-store")).finish())
}

async fn test(request: HttpRequest, door: Data<RestServices>, body: Payload) -> Result<HttpResponse, Refusal> {
    let house = admit(&request, &door)?.house;
    let Trial { id, service, url, api_key } = small_json(&request, body).await?;
    let service = service.as_deref().map(known).transpose()?;
    let order = match id {
        Some(id) => {
            let id = instance(&id)?;
            if let Some(asked) = service.filter(|asked| *asked != id.service()) {
                return Err(refusal(&InstancesError::ServiceIsFixed { kept: id.service(), asked }));
            }
            TestConnection::Kept { id, base_url: url, api_key }
        }
        None => TestConnection::New {
            service: service.ok_or_else(|| Refusal::field("service", &"is required, or `id` of an instance"))?,
            base_url: url.ok_or_else(|| Refusal::field("url", &"is required, or `id` of an instance"))?,
            api_key: api_key.ok_or_else(|| Refusal::field("api_key", &"is required, or `id` of an instance"))?,
        },
    };
    Ok(answer(StatusCode::OK, &ask(&door, house, order).await?))
}

async fn test_kept(request: HttpRequest, door: Data<RestServices>, id: Path<String>) -> Result<HttpResponse, Refusal> {
    let house = admit(&request, &door)?.house;
    let order = TestConnection::Kept { id: instance(&id)?, base_url: None, api_key: None };
    Ok(answer(StatusCode::OK, &ask(&door, house, order).await?))
}

async fn set_default(
    request: HttpRequest,
    door: Data<RestServices>,
    id: Path<String>,
) -> Result<HttpResponse, Refusal> {
    let house = admit(&request, &door)?.house;
    let details = ask(&door, house, SetDefaultInstance { id: instance(&id)? }).await?;
    Ok(answer(StatusCode::OK, &Shown::from(details)))
}

async fn grant(
    request: HttpRequest,
    door: Data<RestServices>,
    names: Path<(String, String)>,
) -> Result<HttpResponse, Refusal> {
    set_grant(&request, &door, &names, true).await
}

async fn take_back(
    request: HttpRequest,
    door: Data<RestServices>,
    names: Path<(String, String)>,
) -> Result<HttpResponse, Refusal> {
    set_grant(&request, &door, &names, false).await
}

async fn set_grant(
    request: &HttpRequest,
    door: &RestServices,
    (id, account): &(String, String),
    granted: bool,
) -> Result<HttpResponse, Refusal> {
    let house = admit(request, door)?.house;
    let id = instance(id)?;
    let account = account.parse().map_err(|_| refusal(&InstancesError::NoSuchAccount))?;
    let details = ask(door, house, GrantInstance { id, account, granted }).await?;
    Ok(answer(StatusCode::OK, &Shown::from(details)))
}

async fn ask<M, T>(door: &RestServices, house: HouseId, message: M) -> Result<T, Refusal>
where
    M: Message<Actor = InstancesActor, Reply = Result<T, InstancesError>>,
{
    let reply = door.bus.call(InstancesActor::key(house), message, Deadline::after(CALL_DEADLINE)).await?;
    reply.map_err(|error| refusal(&error))
}

/// What is no id at all is answered like an id that nobody has.
fn instance(text: &str) -> Result<InstanceId, Refusal> {
    text.parse().map_err(|_| refusal(&InstancesError::NoSuchInstance))
}

fn known(service: &str) -> Result<Service, Refusal> {
    Service::of_key(service).ok_or_else(|| {
        let words = "There is no such service; the services are radarr, sonarr, lidarr and chaptarr.";
        Refusal::new(StatusCode::BAD_REQUEST, words)
    })
}

fn refusal(error: &InstancesError) -> Refusal {
    let status = match error {
        InstancesError::NoSuchInstance | InstancesError::NoSuchAccount => StatusCode::NOT_FOUND,
        InstancesError::Name => return Refusal::field("name", error),
        InstancesError::Url(_) => return Refusal::field("url", error),
        InstancesError::Key { .. } => return Refusal::field("api_key", error),
        InstancesError::ServiceIsFixed { .. } | InstancesError::KeyNeeded | InstancesError::NotConnected(_) => {
            StatusCode::BAD_REQUEST
        }
        InstancesError::TooMany
        | InstancesError::TooManyGrants
        | InstancesError::NoDefaultFlag { .. }
        | InstancesError::Unopened
        | InstancesError::ChangedMeanwhile => StatusCode::CONFLICT,
        InstancesError::TooLate => StatusCode::GATEWAY_TIMEOUT,
        InstancesError::Store { .. } => StatusCode::INTERNAL_SERVER_ERROR,
    };
    Refusal::new(status, sentence_unless_quoted(error))
}

/// The words as a sentence; those of a failed test stay as people know them.
fn sentence_unless_quoted(error: &InstancesError) -> String {
    match error {
        InstancesError::NotConnected(_) => error.to_string(),
        _ => sentence(&error.to_string()),
    }
}

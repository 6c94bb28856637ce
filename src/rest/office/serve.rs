//! The way of a request through an endpoint: the checks in the order that both doors keep, then the work.

use std::time::Duration;

use actix_web::web::{Data, Payload};
use actix_web::{HttpRequest, HttpResponse};
use playhouse_bus::{Deadline, Message};
use playhouse_house::{CredentialUse, KeyRefusal, Principal, UsedVia};
use playhouse_production::import::limits::MAX_FILE_BYTES;
use playhouse_production::import::{self, EpisodeChoice, ImportOptions, ImportOrder};
use playhouse_production::media::SubmissionOrder;
use playhouse_production::messages::{AddNote, CreateAsset, Decide, FindMedia, whole_number};
use playhouse_production::model::{ImportKind, Via, Words};
use playhouse_production::{OfficeRefusal, ProductionActor, Reader, Writer, Written, tools};

use super::bodies::{MAX_JSON_BYTES, idempotency, idempotency_key, json, whole};
use super::form::SubmissionForm;
use super::parameters::{Parameters, shown};
use super::table::{Body, Door, Endpoint, Given, PathForm, Work};
use super::{OfficeServices, answers, content};
use crate::http;

/// How long the office may take for one answer.
const OFFICE_DEADLINE: Duration = Duration::from_secs(25);
/// How long an import may take, planning included: a long script against a large production.
const IMPORT_DEADLINE: Duration = Duration::from_secs(120);

/// Serves one request to `endpoint`. `base` is the base path under which it came.
pub(super) async fn serve(
    endpoint: &'static Endpoint,
    base: &'static str,
    request: HttpRequest,
    payload: Payload,
    services: Data<OfficeServices>,
) -> HttpResponse {
    if let Err(error) = http::check_announced_size(&request, max_body(endpoint, &services)) {
        return error.response();
    }
    let principal = match admit(endpoint, &request, &services) {
        Ok(principal) => principal,
        Err(refusal) => return http::key_refusal(&refusal),
    };
    let answered = match given(endpoint, &request) {
        Ok(given) => work(endpoint, base, &request, payload, &services, &principal, given).await,
        Err(refusal) => Err(refusal),
    };
    answered.unwrap_or_else(|refusal| answers::refusal(&refusal))
}

/// The largest body of an endpoint, in bytes.
fn max_body(endpoint: &Endpoint, services: &OfficeServices) -> usize {
    match endpoint.body {
        Body::None | Body::Json(_) => MAX_JSON_BYTES,
        Body::File => MAX_FILE_BYTES,
        Body::Submission => usize::try_from(services.max_submission_bytes).unwrap_or(usize::MAX),
    }
}

/// Key, then scopes, then door. The registry of tools keeps the same order.
fn admit(
    endpoint: &Endpoint,
    request: &HttpRequest,
    services: &OfficeServices,
) -> Result<std::sync::Arc<Principal>, KeyRefusal> {
    let now = (services.desk.clock)();
    let principal = http::check_bearer(request, &services.desk.key_ring, CredentialUse::Assistant, UsedVia::Rest, now)?;
    principal.require(endpoint.scope)?;
    if let (Some((word, scope)), PathForm::Text(name)) = (endpoint.scope_of_word, endpoint.path_form)
        && request.match_info().get(name) == Some(word)
    {
        principal.require(scope)?;
    }
    match endpoint.door {
        Door::Production if principal.engagement().is_some() => Err(KeyRefusal::EngagementDoor),
        Door::Production | Door::Either => Ok(principal),
    }
}

/// The parameters of path and query.
fn given(endpoint: &Endpoint, request: &HttpRequest) -> Result<Given, OfficeRefusal> {
    let query = Parameters::read(request.query_string(), endpoint.query)?;
    let in_path = |name: &str| request.match_info().get(name).unwrap_or_default();
    Ok(match endpoint.path_form {
        PathForm::Plain => Given { query, ..Given::default() },
        PathForm::Id(name) => Given { id: whole_number(name, in_path(name))?, query, ..Given::default() },
        PathForm::Text(name) => Given { word: in_path(name).to_owned(), query, ..Given::default() },
    })
}

async fn work(
    endpoint: &Endpoint,
    base: &str,
    request: &HttpRequest,
    payload: Payload,
    services: &OfficeServices,
    principal: &Principal,
    given: Given,
) -> Result<HttpResponse, OfficeRefusal> {
    let written = match &endpoint.work {
        Work::Read(question) => {
            let deadline = Deadline::after(OFFICE_DEADLINE);
            let document = tools::ask(&services.bus, principal, question(given), deadline).await?;
            return Ok(answers::document(&document, request.headers()));
        }
        Work::Content => {
            let file = call(services, principal, FindMedia { reader: Reader::from(principal), id: given.id }).await??;
            return content::send(request, &services.desk.media, file).await;
        }
        Work::CreateAsset => {
            let (asset, idempotency) = json(request, payload).await?;
            call(services, principal, CreateAsset { writer: Writer::of(principal), asset, idempotency }).await??
        }
        Work::AddNote => {
            let (note, idempotency) = json(request, payload).await?;
            let order = AddNote { writer: Writer::of(principal), node_id: given.id, note, idempotency };
            call(services, principal, order).await??
        }
        Work::Decide => {
            let (decision, idempotency) = json(request, payload).await?;
            let order = Decide { writer: Writer::of(principal), approval_id: given.id, decision, idempotency };
            call(services, principal, order).await??
        }
        Work::Submit => submit(request, payload, services, principal, given.id).await?,
        Work::Import => import(request, payload, services, principal, given).await?,
    };
    Ok(answers::written(&written, base))
}

/// Has the office of the caller's house handle a message.
async fn call<M: Message<Actor = ProductionActor>>(
    services: &OfficeServices,
    principal: &Principal,
    message: M,
) -> Result<M::Reply, OfficeRefusal> {
    let office = ProductionActor::key(principal.house);
    Ok(services.bus.call(office, message, Deadline::after(OFFICE_DEADLINE)).await?)
}

async fn submit(
    request: &HttpRequest,
    payload: Payload,
    services: &OfficeServices,
    principal: &Principal,
    turnover_id: i64,
) -> Result<Written, OfficeRefusal> {
    if !is_form(request) {
        return Err(OfficeRefusal::new(415, "Send the submission as multipart/form-data."));
    }
    let order = SubmissionOrder {
        turnover_id,
        via: Via::Rest,
        announced_bytes: announced(request),
        idempotency_key: idempotency_key(request.headers())?,
    };
    let mut form = SubmissionForm::new(request, payload, services.max_submission_bytes);
    services.desk.take(&services.bus, principal, order, &mut form).await
}

async fn import(
    request: &HttpRequest,
    payload: Payload,
    services: &OfficeServices,
    principal: &Principal,
    given: Given,
) -> Result<Written, OfficeRefusal> {
    let kind = ImportKind::named(&given.word)
        .ok_or_else(|| OfficeRefusal::new(404, format!("Unknown import '{}'.", shown(&given.word))))?;
    if is_form(request) {
        return Err(OfficeRefusal::new(415, "Send the file itself as the body, not a form."));
    }
    let bytes = whole(request, payload, MAX_FILE_BYTES).await?;
    let text = |name: &str| given.query.text(name).map(str::to_owned);
    let options = ImportOptions {
        episode: given.query.number("episode_id").map(EpisodeChoice::Id),
        colour: text("colour"),
        dated: given.query.date("dated"),
        delivery: text("delivery"),
        pattern: text("pattern"),
    };
    let order = ImportOrder {
        house: principal.house,
        writer: Writer::of(principal),
        kind,
        idempotency: idempotency(request, &bytes)?,
        bytes,
        options,
        dry_run: given.query.flag("dry_run"),
    };
    // Who sent the file sees how far it is in `GET /jobs`.
    import::run(&services.bus, order, Deadline::after(IMPORT_DEADLINE), |_| {}).await
}

fn is_form(request: &HttpRequest) -> bool {
    let declared = request.headers().get(actix_web::http::header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    declared.is_some_and(|declared| {
        declared.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("multipart/form-data")
    })
}

fn announced(request: &HttpRequest) -> u64 {
    let length = request.headers().get(actix_web::http::header::CONTENT_LENGTH);
    length.and_then(|length| length.to_str().ok()?.parse().ok()).unwrap_or(0)
}

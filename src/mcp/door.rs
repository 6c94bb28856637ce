//! HTTP's side of `/mcp`: what is refused before a message is read, and the form in which an answer goes out.

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{ACCEPT, CONTENT_TYPE, HOST, HeaderMap, ORIGIN, RETRY_AFTER};
use actix_web::web::{self, Data, Payload, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use playhouse_bus::Bus;
use playhouse_house::{Clock, CredentialUse, KeyRing, UsedVia};
use playhouse_tools::Registry;

use super::dispatch::{Answered, dispatch};
use super::era::ProtocolHeaders;
use super::methods::Context;
use super::well_known;
use crate::config::Reach;
use crate::http;

/// The largest request body, checked before anything else is: that of a key of a production's office, which sends work in.
pub const MAX_BODY_BYTES: usize = 12 * 1024 * 1024;
/// The largest request body of every other key: a custom format of 1 MiB with its envelope is the largest honest one.
const MAX_HOUSEHOLD_BODY_BYTES: usize = 2 * 1024 * 1024;

/// What the door works with.
#[derive(Clone)]
pub struct McpServices {
    /// The way to the routers.
    pub bus: Bus,
    /// The credentials in memory.
    pub key_ring: KeyRing,
    /// The time of day.
    pub clock: Clock,
    /// All tools, for their listed names.
    pub registry: Arc<Registry>,
    /// Which hosts and origins are ours.
    pub reach: Arc<Reach>,
    /// How long a tool may take.
    pub call_deadline: Duration,
    /// The address assistants are given, for the resource metadata.
    pub mcp_url: Arc<str>,
}

/// Adds the door: three spellings of its path, none of which redirects, and `/.well-known`.
pub fn routes(services: McpServices) -> impl FnOnce(&mut ServiceConfig) {
    move |config| {
        config.app_data(Data::new(services));
        for path in ["/mcp", "/mcp/", "/api/mcp"] {
            config.service(web::resource(path).route(web::post().to(post)).default_service(web::to(other_method)));
        }
        well_known::routes(config);
    }
}

async fn other_method() -> HttpResponse {
    http::method_not_allowed("POST")
}

async fn post(request: HttpRequest, payload: Payload, services: Data<McpServices>) -> HttpResponse {
    if let Some(refusal) = refuse_stranger(request.headers(), &services.reach) {
        return refusal;
    }
    if let Err(error) = http::check_announced_size(&request, MAX_BODY_BYTES) {
        return error.response();
    }
    if !http::is_json(&request) {
        return http::detail(StatusCode::UNSUPPORTED_MEDIA_TYPE, "Send the message as application/json.");
    }
    let Some(form) = AnswerForm::accepted_by(request.headers()) else {
        return http::detail(StatusCode::NOT_ACCEPTABLE, "Accept application/json or text/event-stream.");
    };
    let now = (services.clock)();
    let principal = match http::check_bearer(&request, &services.key_ring, CredentialUse::Assistant, UsedVia::Mcp, now)
    {
        Ok(principal) => principal,
        Err(refusal) => return http::key_refusal(&refusal),
    };
    let context = Context {
        principal: &principal,
        bus: &services.bus,
        registry: &services.registry,
        call_deadline: services.call_deadline,
    };
    let cap = if context.reaches_office() { MAX_BODY_BYTES } else { MAX_HOUSEHOLD_BODY_BYTES };
    let body = match http::read_body(&request, payload, cap).await {
        Ok(body) => body,
        Err(error) => return error.response(),
    };
    let answered = dispatch(&context, &ProtocolHeaders::of(request.headers()), &body).await;
    form.response(answered)
}

/// Refuses a request for another host or from another origin: a page in somebody's browser must not reach us through its own name.
fn refuse_stranger(headers: &HeaderMap, reach: &Reach) -> Option<HttpResponse> {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    if !reach.accepts_host(host) {
        return Some(http::detail(StatusCode::FORBIDDEN, "This host name is not served here."));
    }
    let origin = headers.get(ORIGIN)?;
    if origin.to_str().is_ok_and(|origin| reach.accepts_origin(origin)) {
        return None;
    }
    Some(http::detail(StatusCode::FORBIDDEN, "Requests from this origin are not accepted."))
}

/// In which form an answer goes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AnswerForm {
    Json,
    /// One server-sent event, for clients that accept nothing else.
    EventStream,
}

impl AnswerForm {
    /// JSON wherever it is accepted, also where nothing is said; `None` when neither form is.
    fn accepted_by(headers: &HeaderMap) -> Option<Self> {
        let mut listed = headers.get_all(ACCEPT).flat_map(|value| value.to_str().unwrap_or("").split(',')).peekable();
        listed.peek().is_none().then_some(AnswerForm::Json).or_else(|| {
            let mut form = None;
            for range in listed {
                let mut parts = range.split(';').map(str::trim);
                let media_range = parts.next().unwrap_or("").to_ascii_lowercase();
                // A weight of nought says that this is not wanted.
                if parts.any(|part| matches!(part, "q=0" | "q=0.0" | "q=0.00" | "q=0.000")) {
                    continue;
                }
                match media_range.as_str() {
                    "application/json" | "application/*" | "*/*" | "" => return Some(AnswerForm::Json),
                    "text/event-stream" | "text/*" => form = Some(AnswerForm::EventStream),
                    _ => {}
                }
            }
            form
        })
    }

    fn response(self, answered: Answered) -> HttpResponse {
        let mut response =
            HttpResponse::build(StatusCode::from_u16(answered.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR));
        if answered.status == 401 {
            // A key that was good when the call came in and died meanwhile.
            response.insert_header(http::challenge());
        }
        if let Some(seconds) = answered.retry_after_seconds {
            response.insert_header((RETRY_AFTER, seconds.to_string()));
        }
        match (answered.body, self) {
            (None, _) => response.finish(),
            // Refusals are JSON in any case: clients show the body of one as it is.
            (Some(json), _) if answered.status >= 400 => {
                response.insert_header((CONTENT_TYPE, "application/json")).body(json)
            }
            (Some(json), AnswerForm::Json) => response.insert_header((CONTENT_TYPE, "application/json")).body(json),
            (Some(json), AnswerForm::EventStream) => {
                let mut event = Vec::with_capacity(json.len() + 24);
                event.extend_from_slice(b"event: message\ndata: ");
                event.extend_from_slice(&json);
                event.extend_from_slice(b"\n\n");
                response.insert_header((CONTENT_TYPE, "text/event-stream")).body(event)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn form(accept: &str) -> Option<AnswerForm> {
        AnswerForm::accepted_by(TestRequest::default().insert_header((ACCEPT, accept)).to_http_request().headers())
    }

    #[test]
    fn json_is_answered_wherever_it_is_accepted() {
        assert_eq!(form("application/json;q=0, text/event-stream"), Some(AnswerForm::EventStream));
        for accept in
            ["application/json", "text/event-stream, application/json", "*/*", "application/json;q=0.1, text/*", ""]
        {
            assert_eq!(form(accept), Some(AnswerForm::Json), "{accept}");
        }
        assert_eq!(AnswerForm::accepted_by(&HeaderMap::new()), Some(AnswerForm::Json));
    }

    #[test]
    fn a_client_that_accepts_only_events_gets_one() {
        assert_eq!(form("text/event-stream"), Some(AnswerForm::EventStream));
    }

    #[test]
    fn neither_form_accepted_is_refused() {
        assert_eq!(form("text/html, image/png"), None);
    }
}

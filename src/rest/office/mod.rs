//! The production office's REST door: twenty-four endpoints under `/v1` and, the same, under `/api/v1`.
//!
//! ```text
//! table.rs       the endpoints as data
//! serve.rs       the checks in their order, then the work
//! parameters.rs  query strings        bodies.rs  JSON bodies, Idempotency-Key      form.rs  submissions as they stream in
//! answers.rs     documents, refusals  content.rs files, whole or in part           ranges.rs
//! openapi.rs     the OpenAPI document, made from the table
//! ```
//!
//! What the checks let through becomes a message of the office, whose answer is the body.

mod answers;
mod bodies;
mod content;
mod form;
mod openapi;
mod parameters;
mod ranges;
mod serve;
mod table;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use actix_web::http::header::{ALLOW, ContentType, HeaderValue};
use actix_web::http::{Method as HttpMethod, StatusCode};
use actix_web::web::{self, Bytes, Data, Payload, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use playhouse_bus::Bus;
use playhouse_house::{CredentialUse, UsedVia};
use playhouse_production::media::SubmissionDesk;

use crate::http;

pub use openapi::document as openapi_document;
pub use table::{Door, ENDPOINTS, Endpoint, Method};

/// The base paths. They answer alike.
pub const BASES: [&str; 2] = ["/v1", "/api/v1"];

/// What the door works with.
#[derive(Clone)]
pub struct OfficeServices {
    /// The way to the office.
    pub bus: Bus,
    /// The files, the keys and the time of day.
    pub desk: SubmissionDesk,
    /// The largest submission as a whole, in bytes.
    pub max_submission_bytes: u64,
}

/// Adds the door. It comes after all others: below its base paths it answers whatever is left.
pub fn routes(services: OfficeServices) -> impl FnOnce(&mut ServiceConfig) {
    move |config| {
        config.app_data(Data::new(services));
        config.service(web::resource("/openapi.json").route(web::get().to(openapi)).default_service(only("GET")));
        for base in BASES {
            add_endpoints(config, base);
            config.service(web::resource(format!("{base}/{{rest:.*}}")).default_service(web::to(nothing_there)));
        }
    }
}

fn add_endpoints(config: &mut ServiceConfig, base: &'static str) {
    let mut by_path: BTreeMap<&str, Vec<&'static Endpoint>> = BTreeMap::new();
    for endpoint in &ENDPOINTS {
        by_path.entry(endpoint.path).or_default().push(endpoint);
    }
    for (path, endpoints) in by_path {
        let mut resource = web::resource(format!("{base}{path}"));
        let mut allowed = Vec::new();
        for endpoint in endpoints {
            for method in endpoint.methods() {
                allowed.push(method.as_str().to_owned());
                resource = resource.route(web::method(method).to(
                    move |request: HttpRequest, payload: Payload, services: Data<OfficeServices>| {
                        serve::serve(endpoint, base, request, payload, services)
                    },
                ));
            }
        }
        config.service(resource.default_service(only(&allowed.join(", "))));
    }
}

impl Endpoint {
    /// The methods it answers to: files also tell their size without being sent.
    fn methods(&self) -> Vec<HttpMethod> {
        match (self.method, &self.work) {
            (Method::Get, table::Work::Content) => vec![HttpMethod::GET, HttpMethod::HEAD],
            (Method::Get, _) => vec![HttpMethod::GET],
            (Method::Post, _) => vec![HttpMethod::POST],
        }
    }
}

/// 405 with the methods that an address takes.
fn only(allowed: &str) -> actix_web::Route {
    let allowed = allowed.to_owned();
    web::to(move || {
        let mut response = http::detail(
            StatusCode::METHOD_NOT_ALLOWED,
            &format!("This address takes {}.", allowed.replace(", ", " and ")),
        );
        if let Ok(allowed) = HeaderValue::from_str(&allowed) {
            response.headers_mut().insert(ALLOW, allowed);
        }
        std::future::ready(response)
    })
}

/// The OpenAPI document, for anybody: it says what exists and nothing of what is in it.
async fn openapi() -> HttpResponse {
    // The same for as long as the program runs: put together for the first who asks.
    static DOCUMENT: LazyLock<Bytes> = LazyLock::new(|| openapi_document().to_string().into());
    HttpResponse::Ok().content_type(ContentType::json()).body(DOCUMENT.clone())
}

/// An address below the base that nothing is served at. Who has no key learns that first, as everywhere below the base.
async fn nothing_there(request: HttpRequest, services: Data<OfficeServices>) -> HttpResponse {
    let now = (services.desk.clock)();
    match http::check_bearer(&request, &services.desk.key_ring, CredentialUse::Assistant, UsedVia::Rest, now) {
        Ok(_) => http::not_found().await,
        Err(refusal) => http::key_refusal(&refusal),
    }
}

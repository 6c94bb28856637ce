//! `GET /healthz`: the process is up. `GET /readyz`: it can do its work now, or which part cannot.
//!
//! Both need no key and no `Host` of ours, since load balancers and orchestrators ask by address.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, HeaderValue};
use actix_web::web::{self, Data, ServiceConfig};
use futures_util::future::{BoxFuture, join_all};
use serde_json::{Map, json};

/// How long one check may take. Orchestrators commonly wait a little more than this.
const CHECK_DEADLINE: Duration = Duration::from_secs(1);

/// One thing that must work, asked afresh each time.
struct Check {
    name: &'static str,
    ask: Box<dyn Fn() -> BoxFuture<'static, Result<(), String>> + Send + Sync>,
}

/// The checks behind `/readyz`.
///
/// ```
/// # use playhouse::telemetry::health::Readiness;
/// let readiness = Readiness::default().with("store", || async { Ok(()) });
/// readiness.begin_shutdown(); // from now on: 503, so that no new work is sent here
/// ```
#[derive(Default)]
pub struct Readiness {
    checks: Vec<Check>,
    is_stopping: AtomicBool,
}

impl Readiness {
    /// Adds a check. The text of an error goes out to anybody who asks: no secrets and no house in it.
    #[must_use]
    pub fn with<F, Asked>(mut self, name: &'static str, ask: F) -> Self
    where
        F: Fn() -> Asked + Send + Sync + 'static,
        Asked: Future<Output = Result<(), String>> + Send + 'static,
    {
        self.checks.push(Check { name, ask: Box::new(move || Box::pin(ask())) });
        self
    }

    /// From now on the answer is "not ready", while calls under way are still finished.
    pub fn begin_shutdown(&self) {
        self.is_stopping.store(true, Ordering::Release);
    }

    /// Asks all checks at once. Each gets "ok" or why not; one that does not answer in a second has failed.
    pub async fn ask(&self) -> Vec<(&'static str, Result<(), String>)> {
        let mut answers = join_all(self.checks.iter().map(|check| async {
            let answer = tokio::time::timeout(CHECK_DEADLINE, (check.ask)()).await;
            (check.name, answer.unwrap_or_else(|_| Err("did not answer within a second".to_owned())))
        }))
        .await;
        if self.is_stopping.load(Ordering::Acquire) {
            answers.push(("shutdown", Err("shutting down".to_owned())));
        }
        answers
    }
}

/// Adds both addresses to the main listener.
pub fn routes(readiness: Arc<Readiness>) -> impl FnOnce(&mut ServiceConfig) {
    move |config| {
        config
            .app_data(Data::from(readiness))
            .service(web::resource("/healthz").route(web::get().to(healthz)).route(web::head().to(healthz)))
            .service(web::resource("/readyz").route(web::get().to(readyz)).route(web::head().to(readyz)));
    }
}

/// Answers as long as the process can answer at all.
pub(super) async fn healthz() -> HttpResponse {
    fresh(StatusCode::OK, &json!({ "status": "ok" }))
}

async fn readyz(readiness: Data<Readiness>) -> HttpResponse {
    let answers = readiness.ask().await;
    let unready: Vec<&str> = answers.iter().filter(|(_, answer)| answer.is_err()).map(|(name, _)| *name).collect();
    let checks: Map<_, _> = answers
        .iter()
        .map(|(name, answer)| ((*name).to_owned(), answer.as_ref().map_or_else(String::as_str, |()| "ok").into()))
        .collect();
    if unready.is_empty() {
        fresh(StatusCode::OK, &json!({ "ready": true, "checks": checks }))
    } else {
        let detail = format!("Not ready: {}.", unready.join(", "));
        fresh(StatusCode::SERVICE_UNAVAILABLE, &json!({ "ready": false, "detail": detail, "checks": checks }))
    }
}

/// No cache may answer in our place.
fn fresh(status: StatusCode, body: &serde_json::Value) -> HttpResponse {
    HttpResponse::build(status).insert_header((CACHE_CONTROL, HeaderValue::from_static("no-store"))).json(body)
}

#[cfg(test)]
mod tests {
    use actix_web::{App, test};
    use serde_json::Value;

    use super::*;

    async fn get(path: &str, readiness: Readiness) -> (u16, Value) {
        let app = test::init_service(App::new().configure(routes(Arc::new(readiness)))).await;
        let response = test::call_service(&app, test::TestRequest::get().uri(path).to_request()).await;
        assert_eq!(response.headers().get(CACHE_CONTROL).unwrap(), "no-store");
        (response.status().as_u16(), test::read_body_json(response).await)
    }

    #[actix_web::test]
    async fn a_process_that_answers_is_healthy_even_when_it_is_not_ready() {
        let readiness = Readiness::default().with("store", || async { Err("closed".to_owned()) });
        assert_eq!(get("/healthz", readiness).await, (200, json!({ "status": "ok" })));
    }

    #[actix_web::test]
    async fn ready_when_all_checks_are() {
        let readiness = Readiness::default().with("store", || async { Ok(()) }).with("bus", || async { Ok(()) });
        assert_eq!(
            get("/readyz", readiness).await,
            (200, json!({ "ready": true, "checks": { "bus": "ok", "store": "ok" } }))
        );
    }

    #[actix_web::test]
    async fn not_ready_names_the_part_and_the_reason() {
        let readiness =
            Readiness::default().with("store", || async { Err("closed".to_owned()) }).with("bus", || async { Ok(()) });
        let expected =
            json!({ "ready": false, "detail": "Not ready: store.", "checks": { "bus": "ok", "store": "closed" } });
        assert_eq!(get("/readyz", readiness).await, (503, expected));
    }

    #[actix_web::test]
    async fn not_ready_while_shutting_down() {
        let readiness = Readiness::default();
        readiness.begin_shutdown();
        let (status, body) = get("/readyz", readiness).await;
        assert_eq!((status, &body["checks"]["shutdown"]), (503, &"shutting down".into()));
    }

    #[actix_web::test]
    async fn a_check_that_hangs_has_failed_after_a_second() {
        tokio::time::pause();
        let readiness = Readiness::default().with("store", std::future::pending);
        let answers = tokio::time::timeout(CHECK_DEADLINE * 2, readiness.ask()).await.unwrap();
        assert_eq!(answers, [("store", Err("did not answer within a second".to_owned()))]);
    }

    #[actix_web::test]
    async fn head_is_answered_too() {
        let app = test::init_service(App::new().configure(routes(Arc::default()))).await;
        for path in ["/healthz", "/readyz"] {
            let request = test::TestRequest::with_uri(path).method(actix_web::http::Method::HEAD).to_request();
            assert_eq!(test::call_service(&app, request).await.status(), StatusCode::OK, "{path}");
        }
    }
}

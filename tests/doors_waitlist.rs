//! `POST /waitlist`, from outside.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

mod doors;

use std::sync::Arc;

use doors::{bus, serve, soon};
use governor::clock::DefaultClock;
use playhouse::config;
use playhouse::limits::Limits;
use playhouse::waitlist::{self, ListWaitlist, WaitlistActor, WaitlistDoor, WaitlistEntry, WaitlistServices};
use playhouse_bus::{Bus, Deadline};
use playhouse_store::{MemoryStore, SharedStore, system_clock};
use reqwest::StatusCode;
use serde_json::{Value, json};

struct Instance {
    url: String,
    bus: Bus,
    http: reqwest::Client,
}

impl Instance {
    async fn start(max_entries: usize, per_minute: u32) -> Instance {
        let store: SharedStore = Arc::new(MemoryStore::new());
        let bus = bus();
        bus.serve::<WaitlistActor>(WaitlistServices { store, clock: system_clock(), max_entries });
        let limits =
            config::Limits { waitlist_per_minute: per_minute, waitlist_burst: per_minute, ..config::Limits::default() };
        let limits = Arc::new(Limits::new(&limits, &config::Server::default(), &DefaultClock::default()));
        let address = serve(waitlist::routes(WaitlistDoor { bus: bus.clone(), limits })).await;
        let http = reqwest::Client::builder().no_proxy().build().unwrap();
        Instance { url: format!("http://{address}/waitlist"), bus, http }
    }

    /// Status, `Retry-After` and body of one application.
    async fn apply(&self, body: &Value) -> (StatusCode, Option<String>, Value) {
        self.answer_to(self.http.post(&self.url).json(body)).await
    }

    async fn answer_to(&self, request: reqwest::RequestBuilder) -> (StatusCode, Option<String>, Value) {
        let response = soon("an answer", request.send()).await.unwrap();
        let retry_after = response.headers().get("retry-after").map(|wait| wait.to_str().unwrap().to_owned());
        (response.status(), retry_after, response.json().await.unwrap())
    }

    /// Everybody on the list, by address.
    async fn listed(&self) -> Vec<WaitlistEntry> {
        let (mut entries, mut after) = (Vec::new(), None);
        loop {
            let question = ListWaitlist { after, limit: 2 };
            let page = self.bus.call(WaitlistActor::KEY, question, Deadline::after(std::time::Duration::from_secs(5)));
            let page = page.await.unwrap().unwrap();
            assert!(page.entries.len() <= 2);
            entries.extend(page.entries);
            after = page.next;
            if after.is_none() {
                entries.sort_by(|one, other| one.email.as_str().cmp(other.email.as_str()));
                return entries;
            }
        }
    }

    async fn addresses(&self) -> Vec<String> {
        self.listed().await.iter().map(|entry| entry.email.as_str().to_owned()).collect()
    }
}

#[actix_web::test]
async fn an_applicant_is_kept_with_name_and_note() {
    let instance = Instance::start(10, 100).await;
    let (status, _, answer) =
        instance.apply(&json!({ "email": " ada@Example.ORG ", "name": " Ada ", "note": "Three TVs." })).await;

    assert_eq!(status, StatusCode::ACCEPTED);
    assert!(answer["message"].is_string(), "{answer}");
    let listed = instance.listed().await;
    let [entry] = &listed[..] else { panic!("one entry expected") };
    assert_eq!(entry.email.as_str(), "ada@example.org");
    assert_eq!((entry.name.as_deref(), entry.note.as_deref()), (Some("Ada"), Some("Three TVs.")));
}

#[actix_web::test]
async fn a_known_address_gets_the_same_answer_and_overwrites_nothing() {
    let instance = Instance::start(10, 100).await;
    let first = instance.apply(&json!({ "email": "ada@example.org", "name": "Ada" })).await;
    let again = instance.apply(&json!({ "email": "ada@EXAMPLE.org", "name": "Somebody else" })).await;

    assert_eq!(first, again);
    let listed = instance.listed().await;
    assert_eq!(listed.len(), 1);
    assert_eq!(listed[0].name.as_deref(), Some("Ada"));
}

#[actix_web::test]
async fn what_is_no_address_is_refused_by_field_and_not_kept() {
    let instance = Instance::start(10, 100).await;
    for (body, field) in [
        (json!({ "email": "" }), "email"),
        (json!({ "email": "ada" }), "email"),
        (json!({ "email": "ada@" }), "email"),
        (json!({ "email": "a da@example.org" }), "email"),
        (json!({ "email": format!("{}@example.org", "a".repeat(300)) }), "email"),
        (json!({ "email": "ada@example.org", "name": "x".repeat(81) }), "name"),
        (json!({ "email": "ada@example.org", "name": "A\u{7}da" }), "name"),
        (json!({ "email": "ada@example.org", "note": "x".repeat(1_001) }), "note"),
    ] {
        let (status, _, answer) = instance.apply(&body).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
        assert_eq!(answer["errors"][0]["field"], field, "{body}: {answer}");
        assert!(answer["detail"].as_str().unwrap().starts_with(field), "{answer}");
    }
    assert!(instance.addresses().await.is_empty());
}

#[actix_web::test]
async fn a_body_that_is_not_the_json_wanted_is_refused_in_its_own_way() {
    let instance = Instance::start(10, 100).await;
    let post = || instance.http.post(&instance.url);
    let json = |body: String| post().header("content-type", "application/json").body(body);
    for (request, status) in [
        (post().body("{}"), StatusCode::UNSUPPORTED_MEDIA_TYPE),
        (
            post().header("content-type", "application/x-www-form-urlencoded").body("email=ada@example.org"),
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ),
        (json("{\"email\":".into()), StatusCode::BAD_REQUEST),
        (json("{}".into()), StatusCode::UNPROCESSABLE_ENTITY),
        (json(r#"{"email":"ada@example.org","house":"x"}"#.into()), StatusCode::UNPROCESSABLE_ENTITY),
        (json(format!(r#"{{"email":"{}"}}"#, "a".repeat(5_000))), StatusCode::PAYLOAD_TOO_LARGE),
        (instance.http.get(&instance.url), StatusCode::METHOD_NOT_ALLOWED),
    ] {
        let (answered, _, body) = instance.answer_to(request).await;
        assert_eq!(answered, status, "{body}");
        assert!(body["detail"].is_string(), "{body}");
    }
    assert!(instance.addresses().await.is_empty());
}

#[actix_web::test]
async fn a_full_list_refuses_known_and_new_addresses_alike() {
    let instance = Instance::start(2, 100).await;
    for email in ["a@example.org", "b@example.org"] {
        assert_eq!(instance.apply(&json!({ "email": email })).await.0, StatusCode::ACCEPTED);
    }
    let known = instance.apply(&json!({ "email": "a@example.org" })).await;
    let new = instance.apply(&json!({ "email": "c@example.org" })).await;

    assert_eq!(known.0, StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(known, new);
    assert_eq!(instance.addresses().await, ["a@example.org", "b@example.org"]);
}

#[actix_web::test]
async fn an_address_that_comes_too_often_is_told_when_to_come_back() {
    let instance = Instance::start(10, 1).await;
    assert_eq!(instance.apply(&json!({ "email": "a@example.org" })).await.0, StatusCode::ACCEPTED);
    let (status, retry_after, answer) = instance.apply(&json!({ "email": "b@example.org" })).await;

    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
    assert!(retry_after.unwrap().parse::<u64>().unwrap() >= 1);
    assert!(answer["detail"].is_string(), "{answer}");
    assert_eq!(instance.addresses().await, ["a@example.org"]);
}

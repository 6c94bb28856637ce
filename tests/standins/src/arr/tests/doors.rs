//! How one gets in, and what one sees who does not.

use serde_json::json;

use super::*;
use crate::Misbehaviour;

#[tokio::test]
async fn each_says_who_it_is_and_what_its_api_is_called() {
    for kind in ArrKind::ALL {
        let (arr, _) = start(kind);
        let status = get(&arr, "system/status").await;
        assert_eq!(status["appName"], kind.name());
        let (_, api) = send(request(&arr, Method::GET, "/api")).await;
        assert_eq!(api["current"], kind.facts().api);
        assert_eq!(send(http().get(arr.url().join("ping").unwrap())).await.1, json!({ "status": "OK" }));
    }
}

#[tokio::test]
async fn a_wrong_key_is_401_without_a_body() {
    let (arr, _) = start(ArrKind::Radarr);
    let wrong = http().get(arr.url().join("api/v3/queue").unwrap()).header("X-Api-Key", "wrong").send().await.unwrap();
    assert_eq!(wrong.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(wrong.headers()["x-application-version"], ArrKind::Radarr.facts().version);
    assert_eq!(wrong.text().await.unwrap(), "");
}

#[tokio::test]
async fn a_key_in_the_address_wins_over_the_header_and_is_a_violation() {
    let (arr, _) = start(ArrKind::Sonarr);
    let (status, _) = send(request(&arr, Method::GET, "/api/v3/health?apikey=")).await;
    assert_eq!(status, StatusCode::UNAUTHORIZED);
    assert!(matches!(arr.violations()[..], [RequestViolation::Credential { .. }]));
    assert!(arr.requests()[0].query.is_empty(), "it is not repeated");
}

#[tokio::test]
async fn what_is_outside_the_api_is_a_page_with_status_200() {
    let (arr, _) = start(ArrKind::Radarr);
    let page = request(&arr, Method::GET, "/radarr/api/v3/queue").send().await.unwrap();
    assert_eq!((page.status(), &page.headers()["content-type"] == "text/html"), (StatusCode::OK, true));
    assert_eq!(
        request(&arr, Method::POST, "/api-v3/command").send().await.unwrap().status(),
        StatusCode::METHOD_NOT_ALLOWED
    );
    assert_eq!(send(request(&arr, Method::GET, "/api/v3/nothing")).await, (StatusCode::NOT_FOUND, Value::Null));
    assert_eq!(arr.violations().len(), 3);
}

#[tokio::test]
async fn without_the_url_base_one_is_sent_there() {
    for (kind, expected) in [(ArrKind::Radarr, 307), (ArrKind::Chaptarr, 302)] {
        let settings = ArrSettings { url_base: "/arr".into(), ..ArrSettings::default() };
        let arr = ArrStandin::start_with(kind, settings, Library::empty(kind));
        assert_eq!(get(&arr, "system/status").await["urlBase"], "/arr");
        let without = arr.url().join("/api/v3/queue").unwrap();
        let response = http().get(without).header("X-Api-Key", ARR_KEY).send().await.unwrap();
        assert_eq!(response.status(), expected);
        assert_eq!(response.headers()["location"], "/arr/api/v3/queue");
    }
}

#[tokio::test]
async fn what_it_cannot_read_or_write_has_statuses_of_its_own() {
    let (arr, _) = start(ArrKind::Radarr);
    let html = request(&arr, Method::GET, "/api/v3/queue").header("Accept", "text/html");
    assert_eq!(send(html).await, (StatusCode::NOT_ACCEPTABLE, Value::Null));
    let text = request(&arr, Method::POST, "/api/v3/command").body("{\"name\":\"RssSync\"}");
    assert_eq!(send(text).await.0, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    let broken = request(&arr, Method::POST, "/api/v3/command").header("Content-Type", "application/json").body("{");
    assert_eq!(send(broken).await.1["title"], "One or more validation errors occurred.");
    let (status, body) = send(request(&arr, Method::GET, "/api/v3/queue?page=one")).await;
    assert_eq!((status, body["errors"]["page"].is_array()), (StatusCode::BAD_REQUEST, true));
}

#[tokio::test]
async fn while_it_starts_it_says_so_in_a_third_way() {
    let (arr, _) = start(ArrKind::Lidarr);
    arr.set_starting(true);
    let (status, body) = send(request(&arr, Method::GET, "/api/v1/artist")).await;
    assert_eq!(
        (status, body),
        (StatusCode::SERVICE_UNAVAILABLE, json!({ "errorMessage": "Lidarr is starting up, please try again later" }))
    );
    arr.set_starting(false);
    get(&arr, "artist").await;
}

#[tokio::test]
async fn some_calls_misbehave_while_others_do_not() {
    let (arr, movie) = start(ArrKind::Radarr);
    arr.misbehave("GET */queue", Misbehaviour::Failing { status: 502 });
    assert_eq!(send(request(&arr, Method::GET, "/api/v3/queue")).await.0, StatusCode::BAD_GATEWAY);
    get(&arr, "movie").await;
    arr.forget_rules();
    arr.misbehave_once("GET */movie/*", Misbehaviour::Truncated);
    let half = request(&arr, Method::GET, &format!("/api/v3/movie/{movie}")).send().await.unwrap();
    assert!(serde_json::from_str::<Value>(&half.text().await.unwrap()).is_err());
    get(&arr, &format!("movie/{movie}")).await;
    arr.alter("GET */queue", |page| page["totalRecords"] = json!(7));
    assert_eq!(get(&arr, "queue").await["totalRecords"], 7);
    arr.answer_instead("GET */health", 200, json!([]));
    assert_eq!(get(&arr, "health").await, json!([]));
}

#[tokio::test]
async fn a_lost_answer_says_nothing_about_whether_it_happened() {
    let (arr, movie) = start(ArrKind::Radarr);
    let remove = |id| request(&arr, Method::DELETE, &format!("/api/v3/queue/{id}?removeFromClient=true"));
    let first = arr.download("The.Heron.Year.2019-A", &[movie], true).unwrap();
    arr.misbehave_once("DELETE *", Misbehaviour::HungUp);
    assert!(remove(first).send().await.is_err());
    assert_eq!(arr.queue().len(), 1, "lost on the way there");
    arr.misbehave_once("DELETE *", Misbehaviour::DoneButLost);
    assert!(remove(first).send().await.is_err());
    assert_eq!(arr.queue().len(), 0, "lost on the way back");
    let second = arr.download("The.Heron.Year.2019-B", &[movie], true).unwrap();
    arr.misbehave_once("DELETE *", Misbehaviour::DoneButFailing { status: 504 });
    assert_eq!(remove(second).send().await.unwrap().status(), StatusCode::GATEWAY_TIMEOUT);
    assert_eq!(arr.queue().len(), 0);
}

#[tokio::test]
async fn it_can_look_well_and_be_anything_but() {
    let (arr, _) = start(ArrKind::Radarr);
    let ask = || http().get(arr.url().join("api/v3/queue").unwrap()).header("X-Api-Key", ARR_KEY);
    arr.behave(Misbehaviour::Nothing);
    assert_eq!(ask().send().await.unwrap().text().await.unwrap(), "");
    arr.behave(Misbehaviour::Html);
    assert!(ask().send().await.unwrap().text().await.unwrap().starts_with("<!doctype html>"));
    arr.behave(Misbehaviour::ErrorIn200);
    assert!(send(ask()).await.1["description"].is_string());
    arr.behave(Misbehaviour::LoginRedirect);
    let login = ask().send().await.unwrap();
    assert_eq!((login.status(), &login.headers()["location"] == "/login?returnUrl=%2F"), (StatusCode::FOUND, true));
    arr.behave(Misbehaviour::Failing { status: 503 });
    assert!(send(ask()).await.1["errorMessage"].is_string());
    arr.behave(Misbehaviour::Unauthorised);
    assert_eq!(ask().send().await.unwrap().text().await.unwrap(), "");
    arr.behave(Misbehaviour::CutOff);
    let cut = async { ask().send().await?.text().await };
    assert!(cut.await.is_err());
}

#[tokio::test]
async fn half_an_answer_may_be_all_that_ever_comes() {
    let (arr, _) = start(ArrKind::Radarr);
    arr.behave(Misbehaviour::StuckMidway);
    let mut response = request(&arr, Method::GET, "/api/v3/queue").send().await.unwrap();
    assert!(response.chunk().await.unwrap().is_some());
    let more = tokio::time::timeout(Duration::from_millis(50), response.chunk()).await;
    assert!(more.is_err(), "neither more nor an end");
}

#[tokio::test]
async fn what_is_refused_on_the_way_in_does_not_happen() {
    let refusals = [
        Misbehaviour::Failing { status: 502 },
        Misbehaviour::Unauthorised,
        Misbehaviour::Html,
        Misbehaviour::LoginRedirect,
        Misbehaviour::Nothing,
        Misbehaviour::ErrorIn200,
    ];
    for refusal in refusals {
        let (arr, movie) = start(ArrKind::Radarr);
        let row = arr.download("The.Heron.Year.2019-A", &[movie], true).unwrap();
        arr.behave(refusal);
        let removal = request(&arr, Method::DELETE, &format!("/api/v3/queue/{row}?removeFromClient=true"));
        // Whatever it is answered.
        let _ = removal.send().await;
        assert_eq!(arr.queue().len(), 1, "{refusal:?}");
        assert_eq!(arr.violations(), [], "it is looked at all the same");
    }
}

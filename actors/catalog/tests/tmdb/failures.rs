//! What is told when TMDB does not answer, and that the key is never part of it.

use std::time::Duration;

use crate::support::{Tmdb, V3_KEY, locale, recorded, soon};
use playhouse_bus::Deadline;
use playhouse_catalog::tmdb::{TitleQuestion, TmdbClient, TmdbError, TmdbKey, TmdbSettings};
use serde_json::json;
use wiremock::ResponseTemplate;

const V4_TOKEN: &str = "eyJhbGciOiJIUzI1NiJ9.eyJhdWQiOiJjMGZmZWUifQ.c2lnbmF0dXJl";

/// What is told when a search is answered with this.
async fn told(answer: ResponseTemplate) -> TmdbError {
    let tmdb = Tmdb::start().await;
    tmdb.answers("search/multi", answer).await;
    let error = tmdb.client.search(&TitleQuestion::named("x"), &locale(), soon()).await.unwrap_err();
    for text in [format!("{error} {error:?} {}", serde_json::to_string(&error).unwrap()), format!("{:?}", tmdb.client)]
    {
        assert!(!text.contains(V3_KEY) && !text.contains("127.0.0.1"), "{text}");
    }
    error
}

fn refusal(status: u16, code: u16) -> ResponseTemplate {
    let body = json!({"success": false, "status_code": code, "status_message": format!("no: api_key={V3_KEY}")});
    ResponseTemplate::new(status).set_body_json(body)
}

#[tokio::test]
async fn refusals_are_told_by_tmdbs_own_code() {
    assert_eq!(told(refusal(401, 7)).await, TmdbError::InvalidKey);
    assert_eq!(told(refusal(401, 10)).await, TmdbError::SuspendedKey);
    assert_eq!(told(refusal(403, 10)).await, TmdbError::SuspendedKey);
    assert_eq!(told(refusal(404, 34)).await, TmdbError::NotFound);
    assert_eq!(told(refusal(501, 46)).await, TmdbError::Maintenance);
    assert_eq!(told(ResponseTemplate::new(401).set_body_string("<html>")).await, TmdbError::InvalidKey);
}

#[tokio::test]
async fn whoever_reads_of_a_bad_key_learns_who_can_put_it_right() {
    assert_eq!(
        told(refusal(401, 7)).await.to_string(),
        "TMDB does not accept this instance's key. The operator has to set a valid TMDB_API_KEY."
    );
}

#[tokio::test]
async fn a_limit_is_told_with_the_time_to_wait() {
    let error = told(refusal(429, 25).insert_header("retry-after", "33")).await;

    assert_eq!(error.to_string(), "TMDB asks us to slow down. Try again in 33 s.");
    assert!(error.is_temporary());
}

#[tokio::test]
async fn a_web_page_is_told_as_one() {
    let page = ResponseTemplate::new(200).set_body_raw("<!doctype html><title>Wi-Fi sign-in</title>", "text/html");

    assert_eq!(
        told(page).await.to_string(),
        "TMDB answered with a web page instead of data. Try again in a minute; if it stays so, tell the operator."
    );
}

#[tokio::test]
async fn reasons_never_repeat_the_key() {
    let error = told(ResponseTemplate::new(422).set_body_json(json!({"errors": [format!("bad {V3_KEY}")]}))).await;

    assert_eq!(error.to_string(), "TMDB cannot answer this question: bad [REDACTED].");
}

#[tokio::test]
async fn tmdb_being_down_is_told_without_its_address() {
    let port = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    let base = format!("http://127.0.0.1:{port}/3").parse().unwrap();
    let client = TmdbClient::new(TmdbSettings { base, key: V3_KEY.parse().unwrap() }).unwrap();

    // Too soon for a second attempt, so that nothing is waited for.
    let deadline = Deadline::after(Duration::from_millis(120));
    let error = client.search(&TitleQuestion::named("x"), &locale(), deadline).await.unwrap_err();

    assert_eq!(error.to_string(), "TMDB cannot be reached at the moment (connection refused). Try again in a minute.");
}

#[tokio::test]
async fn a_v3_key_goes_into_the_query_and_a_v4_token_into_the_header() {
    for key in [V3_KEY, V4_TOKEN] {
        let tmdb = Tmdb::with_key(key).await;
        tmdb.knows("search/multi", json!({"results": []})).await;
        tmdb.client.search(&TitleQuestion::named("x"), &locale(), soon()).await.unwrap();

        let request = &tmdb.server.received_requests().await.unwrap()[0];
        let in_query = request.url.query_pairs().any(|(name, value)| name == "api_key" && value == key);
        let in_header = request.headers.get("authorization").is_some_and(|value| *value == format!("Bearer {key}"));
        assert_eq!((in_query, in_header), (key == V3_KEY, key == V4_TOKEN));
        assert_eq!(request.url.as_str().contains(key), in_query, "the token is in no address");
    }
}

#[test]
fn keys_and_settings_show_nothing() {
    for key in [V3_KEY, V4_TOKEN] {
        let settings = TmdbSettings { base: "http://localhost".parse().unwrap(), key: key.parse::<TmdbKey>().unwrap() };
        assert!(!format!("{settings:?} {:?}", settings.key).contains(key));
    }
}

#[tokio::test]
async fn recorded_refusals_are_understood() {
    let check = async |name: &str, status: u16, expected: fn(&TmdbError) -> bool| {
        let Some(recorded) = recorded(name) else { return };
        let error = told(ResponseTemplate::new(status).set_body_json(recorded)).await;
        assert!(expected(&error), "{name}: {error:?}");
    };

    check("tmdb-api-invalid-api-key.json", 401, |error| *error == TmdbError::InvalidKey).await;
    check("tmdb-api-resource-not-found.json", 404, |error| *error == TmdbError::NotFound).await;
    check("tmdb-api-validation-error.json", 422, |error| matches!(error, TmdbError::BadQuestion { .. })).await;
}

//! What becomes of everything that can come back over a real connection.

use std::time::Duration;

use crate::support::{Service, answer, json};
use playhouse_bus::Deadline;
use playhouse_upstream::{BuildError, CircuitState, Credential, Upstream, UpstreamError, UpstreamSettings, WebPage};
use serde::Deserialize;
use serde_json::json;
use url::Url;

#[derive(Debug, PartialEq, Deserialize)]
struct Film {
    id: u32,
}

fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(30))
}

async fn read(upstream: &Upstream) -> Result<Film, UpstreamError> {
    upstream.get_json("movie/550", &[], &Credential::None, soon()).await
}

/// What becomes of this reply.
async fn read_reply(reply: String) -> UpstreamError {
    read(&Service::with(&[reply]).await.upstream()).await.unwrap_err()
}

#[tokio::test]
async fn path_query_credential_and_agent_go_where_they_belong() {
    let service = Service::with(&[json(r#"{"id":550,"unknown":[]}"#)]).await;
    let credential = Credential::Query { name: "api_key", secret: "s3cret".into() };
    let query = [("query", "Fünf & Söhne?"), ("language", "de-DE")];

    let film: Film = service.upstream().get_json("/search/a b/../movie", &query, &credential, soon()).await.unwrap();

    assert_eq!(film, Film { id: 550 });
    let request = &service.requests()[0];
    assert!(
        request.starts_with(
            "GET /api/3/search/a%20b/movie?query=F%C3%BCnf+%26+S%C3%B6hne%3F&language=de-DE&api_key=s3cret HTTP/1.1\r\n"
        ),
        "{request}"
    );
    assert!(request.contains(&format!("user-agent: Playhouse/{}\r\n", env!("CARGO_PKG_VERSION"))), "{request}");
}

#[tokio::test]
async fn a_bearer_token_goes_into_the_header_and_nowhere_else() {
    let service = Service::with(&[json(r#"{"id":1}"#)]).await;

    let _: Film = service.upstream().get_json("x", &[], &Credential::Bearer("t0ken".into()), soon()).await.unwrap();

    let request = &service.requests()[0];
    assert!(request.starts_with("GET /api/3/x HTTP/1.1\r\n"), "{request}");
    assert!(request.contains("authorization: Bearer t0ken\r\n"), "{request}");
}

#[tokio::test]
async fn long_questions_are_posted_as_json() {
    let service = Service::with(&[json(r#"{"id":1}"#)]).await;
    let upstream = service.upstream();
    let body = json!({"query": "{ film }"});

    let _: Film = upstream.query_json("graphql", &body, &Credential::None, soon()).await.unwrap();

    for request in service.requests() {
        assert!(request.starts_with("POST /api/3/graphql HTTP/1.1\r\n"), "{request}");
        assert!(request.contains("content-type: application/json\r\n"), "{request}");
        assert!(request.ends_with("\r\n\r\n{\"query\":\"{ film }\"}"), "{request}");
    }
}

#[tokio::test]
async fn statuses_become_errors_that_say_what_to_do() {
    let check = async |status: &str, words: &str| {
        let error = read_reply(answer(status, "", r#"{"why":"because"}"#)).await;
        assert_eq!(error.to_string(), words);
        error
    };

    let unauthorised = check(
        "401 Unauthorized",
        "Testflix does not accept the credential it was given. The operator of this instance has to put that right.",
    );
    let UpstreamError::Unauthorised { said, .. } = unauthorised.await else { panic!("not unauthorised") };
    assert_eq!(said.json(), Some(json!({"why": "because"})));
    check("404 Not Found", "Testflix does not know what it was asked for.").await;
    check("403 Forbidden", "Testflix refused the question (status 403).").await;
    check("500 Oops", "Testflix has a fault of its own (status 500). Try again in a minute.").await;
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = Service::with(&[json(r#"{"id":1}"#)]).await;
    let location = format!("location: http://127.0.0.1:{}/\r\n", elsewhere.port);

    let error = read_reply(answer("302 Found", &location, "")).await;

    assert_eq!(
        error.to_string(),
        "Testflix answered with a redirect (status 302) to another host or port, which is not followed; give the address that the service has itself."
    );
    assert!(elsewhere.requests().is_empty());
}

#[tokio::test]
async fn too_many_requests_are_told_with_the_time_to_wait() {
    let error = read_reply(answer("429 Too Many Requests", "retry-after: 40\r\n", "")).await;

    assert_eq!(error.retry_after(), Some(Duration::from_secs(40)));
    assert_eq!(error.to_string(), "Testflix asks us to slow down. Try again in 40 s.");
}

#[tokio::test]
async fn a_service_may_have_other_ways_to_say_slow_down() {
    let service = Service::with(&[answer("403 Forbidden", "", "")]).await;
    let upstream = Upstream::new(UpstreamSettings { also_means_slow_down: &[403], ..service.settings() }).unwrap();

    assert_eq!(read(&upstream).await.unwrap_err().class(), "rate_limited");
}

#[tokio::test]
async fn what_is_no_json_is_told_apart_from_json_of_another_shape() {
    let check = async |body: &str, expected: UpstreamError| {
        assert_eq!(read_reply(json(body)).await, expected, "{body}");
    };
    let title = || "Testflix".into();

    check("\n<html>Sign in</html>", UpstreamError::NotJson { title: title(), page: Some(WebPage::Other) }).await;
    check("", UpstreamError::NotJson { title: title(), page: None }).await;
    check(r#"{"id":1"#, UpstreamError::NotJson { title: title(), page: None }).await;
    check(r#"{"id":"obey me"}"#, UpstreamError::Unexpected { title: title(), line: 1, column: 15 }).await;
    check("[]", UpstreamError::Unexpected { title: title(), line: 1, column: 2 }).await;
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_not_taken_for_a_whole_one() {
    let announced = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 100\r\n\r\n{\"id\":1}".to_owned();
    let chunked =
        "HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n8\r\n{\"id\":1}\r\n".to_owned();

    for reply in [announced, chunked] {
        assert_eq!(read_reply(reply).await.class(), "cut_off");
    }
    assert_eq!(read_reply("HTTP/1.1 20".to_owned()).await.class(), "unreachable");
}

#[tokio::test]
async fn a_huge_answer_is_not_read_whether_announced_or_not() {
    let big = format!("{{\"id\":1,\"padding\":\"{}\"}}", "x".repeat(2_000));
    let announced = json(&big);
    let in_chunks = format!(
        "HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{big}\r\n0\r\n\r\n",
        big.len()
    );
    // Announces far more than it sends: whoever waited for it would hear "cut off".
    let boasting = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 999999999999\r\n\r\n{".to_owned();

    for reply in [announced, in_chunks, boasting] {
        let service = Service::with(&[reply]).await;
        let upstream = Upstream::new(UpstreamSettings { max_body_bytes: 1_000, ..service.settings() }).unwrap();
        let error = read(&upstream).await.unwrap_err();
        assert_eq!(error, UpstreamError::TooLarge { title: "Testflix".into(), limit_bytes: 1_000 });
    }
}

#[tokio::test]
async fn an_answer_of_exactly_the_limit_is_read() {
    let body = r#"{"id":1}"#;
    let service = Service::with(&[json(body)]).await;
    let upstream = Upstream::new(UpstreamSettings { max_body_bytes: body.len(), ..service.settings() }).unwrap();

    assert_eq!(read(&upstream).await, Ok(Film { id: 1 }));
}

#[tokio::test]
async fn nobody_there_is_unreachable() {
    let upstream = Upstream::new(nobody()).unwrap();

    assert_eq!(read(&upstream).await.unwrap_err().class(), "unreachable");
}

/// An address that was free a moment ago.
fn nobody() -> UpstreamSettings {
    let port = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    let mut settings =
        UpstreamSettings::new("test", "Testflix", Url::parse(&format!("http://127.0.0.1:{port}")).unwrap());
    settings.retry.attempts = 1;
    settings
}

#[tokio::test(start_paused = true)]
async fn a_silent_service_is_given_up_after_its_time() {
    let clock = StoppedClock::stop();
    let service = Service::with(&[String::new()]).await;
    let upstream = service.upstream();

    let reading = tokio::spawn(async move { read(&upstream).await });
    service.is_asked().await;
    clock.advance(Duration::from_secs(10)).await;

    let error = reading.await.unwrap().unwrap_err();
    assert_eq!(error.to_string(), "Testflix did not answer within 10 s. Try again in a minute.");
}

#[tokio::test]
async fn the_circuit_opens_and_shows_it() {
    let upstream = Upstream::new(nobody()).unwrap();
    for _ in 0..5 {
        assert_eq!(upstream.circuit(), CircuitState::Closed);
        assert_eq!(read(&upstream).await.unwrap_err().class(), "unreachable");
    }

    assert!(matches!(upstream.circuit(), CircuitState::Open { .. }));
    assert_eq!(read(&upstream.clone()).await.unwrap_err().class(), "circuit_open", "clones share the circuit");
}

#[test]
fn addresses_that_cannot_be_meant_are_refused_without_being_repeated() {
    for address in ["ftp://h0st/", "data:h0st", "http://user:h0st@x/", "http://h0st/?api_key=1", "http://h0st/#x"] {
        let error = Upstream::new(UpstreamSettings::new("test", "Testflix", Url::parse(address).unwrap())).unwrap_err();
        assert!(matches!(error, BuildError::Base { .. }), "{address}");
        assert!(!format!("{error} {error:?}").contains("h0st"), "{error}");
    }
}

/// Time that moves only when told to. Without it, tokio's stopped clock leaps ahead whenever every task waits, also for a socket.
struct StoppedClock {
    _held: std::sync::mpsc::Sender<()>,
}

impl StoppedClock {
    fn stop() -> Self {
        let (_held, dropped) = std::sync::mpsc::channel();
        // The clock does not leap while a blocking task runs; this one runs until the sender is dropped.
        tokio::task::spawn_blocking(move || dropped.recv());
        Self { _held }
    }

    async fn advance(&self, duration: Duration) {
        tokio::time::advance(duration).await;
    }
}

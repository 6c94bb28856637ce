//! What is known of a write, whatever came back.

use std::time::Duration;

use crate::support::{Service, answer};
use playhouse_bus::Deadline;
use playhouse_upstream::{Credential, Request, Upstream, UpstreamSettings, Verb, WriteError};
use url::Url;

fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(30))
}

fn delete() -> Request<'static> {
    Request::new(Verb::Delete, "queue/7", &Credential::None)
}

/// What is known after this reply, and by which error.
async fn known_after(reply: String) -> (&'static str, &'static str) {
    let service = Service::with(&[reply]).await;
    let error = service.upstream().write(&delete(), soon()).await.unwrap_err();
    assert_eq!(service.requests().len(), 1, "a write is sent once");
    known(&error)
}

fn known(error: &WriteError) -> (&'static str, &'static str) {
    match error {
        WriteError::NotSent(error) => ("not sent", error.class()),
        WriteError::Refused(error) => ("refused", error.class()),
        WriteError::Unknown(error) => ("unknown", error.class()),
    }
}

#[tokio::test]
async fn success_needs_no_body() {
    for reply in [answer("200 OK", "", ""), answer("200 OK", "", "{}"), answer("204 No Content", "", "")] {
        let service = Service::with(&[reply]).await;

        service.upstream().write(&delete(), soon()).await.unwrap();

        assert!(service.requests()[0].starts_with("DELETE /api/3/queue/7 HTTP/1.1\r\n"));
    }
}

#[tokio::test]
async fn a_refusal_proves_that_it_did_not_happen() {
    assert_eq!(known_after(answer("400 Bad Request", "", "[]")).await, ("refused", "refused"));
    assert_eq!(known_after(answer("401 Unauthorized", "", "")).await, ("refused", "unauthorised"));
    assert_eq!(known_after(answer("404 Not Found", "", "")).await, ("refused", "not_found"));
    assert_eq!(known_after(answer("409 Conflict", "", "")).await, ("refused", "refused"));
    assert_eq!(known_after(answer("429 Slow Down", "", "")).await, ("refused", "rate_limited"));
    assert_eq!(
        known_after(answer("307 There", "location: /base/api/3/queue/7\r\n", "")).await,
        ("refused", "redirected")
    );
}

#[tokio::test]
async fn a_lost_answer_leaves_the_outcome_unknown() {
    let html = "content-type: text/html\r\n";
    assert_eq!(known_after(answer("500 Oops", "", "")).await, ("unknown", "refused"));
    assert_eq!(known_after(answer("504 Gateway", html, "<html>")).await, ("unknown", "refused"));
    assert_eq!(known_after("HTTP/1.1 20".to_owned()).await, ("unknown", "unreachable"));
    assert_eq!(known_after(answer("200 OK", html, "<html>Sign in</html>")).await, ("unknown", "not_json"));
    let half = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 100\r\n\r\n{".to_owned();
    assert_eq!(known_after(half).await, ("unknown", "cut_off"));
}

#[tokio::test]
async fn what_never_left_is_known_not_to_have_happened() {
    let port = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port();
    let base = Url::parse(&format!("http://127.0.0.1:{port}")).unwrap();
    let nobody = Upstream::new(UpstreamSettings::new("test", "Testflix", base)).unwrap();

    let refused = nobody.write(&delete(), soon()).await.unwrap_err();
    let late = nobody.write(&delete(), Deadline::after(Duration::ZERO)).await.unwrap_err();

    assert_eq!(known(&refused), ("not sent", "unreachable"));
    assert_eq!(known(&late), ("not sent", "timed_out"));
}

#[tokio::test]
async fn a_body_and_a_header_credential_go_where_they_belong() {
    let service = Service::with(&[answer("201 Created", "", "{}")]).await;
    let credential = Credential::Header {
        name: "x-api-key",
        secret: "s3cret".into(),
        login: Some(playhouse_upstream::Login { user: "me".into(), password: "pa55".into() }),
    };
    let request = Request {
        query: &[("ids", "1"), ("ids", "2"), ("downloadId", "a/b+c&d")],
        body: Some(b"{\"a\":1}"),
        ..Request::new(Verb::Put, "movie/editor", &credential)
    };

    service.upstream().write(&request, soon()).await.unwrap();

    let sent = &service.requests()[0];
    assert!(sent.starts_with("PUT /api/3/movie/editor?ids=1&ids=2&downloadId=a%2Fb%2Bc%26d HTTP/1.1\r\n"), "{sent}");
    assert!(sent.contains("x-api-key: s3cret\r\n"), "{sent}");
    assert!(sent.contains("authorization: Basic bWU6cGE1NQ==\r\n"), "{sent}");
    assert!(sent.contains("content-type: application/json\r\n") && sent.ends_with("{\"a\":1}"), "{sent}");
}

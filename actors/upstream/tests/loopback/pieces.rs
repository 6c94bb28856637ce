//! Answers read piece by piece, and answers that are slow.

use std::time::Duration;

use crate::support::{Service, json};
use bytes::Bytes;
use playhouse_bus::Deadline;
use playhouse_upstream::{Credential, Request, Sink, UpstreamError, Verb};

fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(30))
}

#[derive(Default)]
struct Taken(Vec<u8>);

impl Sink for Taken {
    async fn take(&mut self, piece: Bytes) {
        self.0.extend_from_slice(&piece);
    }
}

fn request() -> Request<'static> {
    Request { max_body_bytes: Some(10), ..Request::new(Verb::Get, "list", &Credential::None) }
}

#[tokio::test]
async fn every_byte_is_taken_once() {
    let service = Service::with(&[json("[1,2,3,4]")]).await;
    let mut taken = Taken::default();

    service.upstream().stream(&request(), soon(), &mut taken).await.unwrap();

    assert_eq!(taken.0, b"[1,2,3,4]");
}

#[tokio::test]
async fn a_stream_that_is_too_long_or_breaks_off_ends_in_an_error() {
    let chunked = |body: &str, end: &str| {
        let n = body.len();
        format!("HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n{n:x}\r\n{body}\r\n{end}")
    };
    for (reply, class) in [(chunked("[1,2,3,4,5,6]", "0\r\n\r\n"), "too_large"), (chunked("[1,2", ""), "cut_off")] {
        let service = Service::with(&[reply]).await;
        let outcome = service.upstream().stream(&request(), soon(), &mut Taken::default()).await;
        assert_eq!(outcome.unwrap_err().class(), class);
    }
}

#[tokio::test]
async fn an_answer_that_does_not_end_in_time_is_slow_and_not_down() {
    // Announces more than it sends, and keeps the connection: the rest never comes.
    let service = Service::with(&["HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n[1,\0".to_owned()]).await;
    let request = Request { read_timeout: Some(Duration::from_millis(200)), ..request() };

    let error = service.upstream().read(&request, soon()).await.unwrap_err();

    assert!(matches!(error, UpstreamError::Slow { .. }), "{error}");
    assert_eq!(service.requests().len(), 1);
}

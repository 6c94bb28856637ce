//! Answers that come compressed.

use std::io::Write;
use std::time::Duration;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use playhouse_bus::Deadline;
use playhouse_upstream::{
    AddressPolicy, Credential, HttpClient, HttpSettings, Request, Sink, Upstream, UpstreamError, UpstreamSettings, Verb,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use url::Url;

fn gzip(parts: impl IntoIterator<Item = Vec<u8>>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    parts.into_iter().for_each(|part| encoder.write_all(&part).unwrap());
    encoder.finish().unwrap()
}

/// A service that answers each request with this compressed body and tells what it was asked.
async fn that_answers(body: Vec<u8>) -> (Upstream, tokio::sync::mpsc::UnboundedReceiver<String>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let base = Url::parse(&format!("http://{}", listener.local_addr().unwrap())).unwrap();
    let (asked_tx, asked) = tokio::sync::mpsc::unbounded_channel();
    tokio::spawn(async move {
        loop {
            let (mut socket, _) = listener.accept().await.unwrap();
            let mut request = vec![0; 4_096];
            let n_bytes = socket.read(&mut request).await.unwrap();
            let _ = asked_tx.send(String::from_utf8_lossy(&request[..n_bytes]).to_lowercase());
            let head = format!(
                "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: {}\r\n\r\n",
                body.len()
            );
            // The client hangs up on what is too large.
            let _ = socket.write_all(&[head.as_bytes(), &body].concat()).await;
        }
    });
    let settings = HttpSettings { compressed: true, ..HttpSettings::guarded(AddressPolicy::self_hosted()) };
    let upstream = Upstream::over(UpstreamSettings::new("test", "Testflix", base), &HttpClient::new(settings).unwrap());
    (upstream, asked)
}

fn soon() -> Deadline {
    Deadline::after(Duration::from_secs(30))
}

/// How many bytes came out, and how many at once at most.
#[derive(Default)]
struct Counted {
    n_bytes: usize,
    n_at_once: usize,
}

impl Sink for Counted {
    async fn take(&mut self, piece: Bytes) {
        self.n_bytes += piece.len();
        self.n_at_once = self.n_at_once.max(piece.len());
    }
}

#[tokio::test]
async fn a_compressed_answer_is_asked_for_and_read() {
    let (upstream, mut asked) = that_answers(gzip([b"{\"id\":1}".to_vec()])).await;
    let read = upstream.read(&Request::new(Verb::Get, "x", &Credential::None), soon()).await.unwrap();
    assert_eq!(read, b"{\"id\":1}");
    assert!(asked.recv().await.unwrap().contains("accept-encoding: gzip"));
}

#[tokio::test]
async fn a_small_answer_that_unpacks_into_a_huge_one_is_read_no_further_than_its_limit() {
    let bomb = gzip((0..32).map(|_| vec![b' '; 1 << 20]));
    let limit_bytes = 1 << 20;
    assert!(bomb.len() < limit_bytes / 4);
    let (upstream, _asked) = that_answers(bomb).await;
    let request = Request { max_body_bytes: Some(limit_bytes), ..Request::new(Verb::Get, "x", &Credential::None) };
    let too_large = UpstreamError::TooLarge { title: "Testflix".into(), limit_bytes };

    assert_eq!(upstream.read(&request, soon()).await, Err(too_large.clone()));
    let mut counted = Counted::default();
    assert_eq!(upstream.stream(&request, soon(), &mut counted).await, Err(too_large));
    assert!(counted.n_bytes <= limit_bytes && counted.n_at_once <= 256 << 10, "{} bytes at once", counted.n_at_once);
}

#[tokio::test]
async fn a_compressed_answer_that_is_damaged_or_breaks_off_is_no_answer() {
    let whole = gzip([b"{\"id\":1}".repeat(100)]);
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 0xff;
    for body in [whole[..whole.len() / 2].to_vec(), damaged, b"{\"id\":1}".to_vec()] {
        let (upstream, _asked) = that_answers(body).await;
        let outcome = upstream.read(&Request::new(Verb::Get, "x", &Credential::None), soon()).await;
        assert!(matches!(outcome, Err(UpstreamError::CutOff { .. })), "{outcome:?}");
    }
}

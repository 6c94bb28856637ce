//! No error, `Debug` or log line holds a secret. Alone in its file: it listens to everything this process logs.

#![expect(clippy::unwrap_used, reason = "a test may stop where it is surprised")]

use std::error::Error;
use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use playhouse_bus::Deadline;
use playhouse_upstream::{Credential, Upstream, UpstreamError};
use serde_json::Value;
use support::{Service, answer, json};
use tracing_subscriber::util::SubscriberInitExt;

mod support;

const SECRET: &str = "c0ffee00c0ffee00c0ffee00c0ffee00";

#[derive(Clone, Default)]
struct Logged(Arc<Mutex<Vec<u8>>>);

impl Write for Logged {
    fn write(&mut self, text: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(text)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn no_text_that_leaves_here_holds_the_secret() {
    let logged = Logged::default();
    let writer = logged.clone();
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish()
        .init();
    let repeating = format!(r#"{{"errors":["no such key: {SECRET}"]}}"#);
    let replies = [
        json("{}"),
        json("[1]"),
        json("<html>"),
        answer("401 Unauthorized", "", &repeating),
        answer("404 Not Found", "", &repeating),
        answer("422 Unprocessable", "", &repeating),
        answer("302 Found", &format!("location: /?api_key={SECRET}\r\n"), &repeating),
        answer("429 Too Many Requests", "retry-after: 0\r\n", &repeating),
        answer("503 Unavailable", "", &repeating),
        "nonsense\r\n\r\n".to_owned(),
        "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n".to_owned(),
    ];
    let mut n_errors = 0;
    for credential in [Credential::Query { name: "api_key", secret: SECRET.into() }, Credential::Bearer(SECRET.into())]
    {
        let mut texts = vec![format!("{credential:?}")];
        for reply in &replies {
            let service = Service::with(std::slice::from_ref(reply)).await;
            let upstream = service.upstream();
            if let Err(error) = ask(&upstream, &credential).await {
                n_errors += 1;
                texts.push(all_texts(&error));
            }
            service.is_asked().await;
            assert!(service.requests()[0].contains(SECRET), "the service itself was not told the secret");
            texts.push(format!("{upstream:?}"));
        }
        for text in texts {
            assert!(!text.contains(SECRET), "{text}");
            assert!(!text.contains("127.0.0.1"), "{text}");
        }
    }

    assert_eq!(n_errors, 2 * (replies.len() - 1), "each reply but the first two is an error of one sort or another");
    let logged = String::from_utf8(logged.0.lock().unwrap().clone()).unwrap();
    assert!(logged.contains("upstream request failed"), "our own lines are heard");
    assert!(logged.contains("reqwest") || logged.contains("hyper"), "the libraries' lines are heard: {logged}");
    assert!(!logged.contains(SECRET), "{logged}");
}

async fn ask(upstream: &Upstream, credential: &Credential) -> Result<serde_json::Map<String, Value>, UpstreamError> {
    upstream.get_json("movie/550", &[], credential, Deadline::after(Duration::from_secs(30))).await
}

/// Everything that a careless caller could print.
fn all_texts(error: &UpstreamError) -> String {
    let mut texts = format!("{error} {error:?} {error:#?} {}", serde_json::to_string(error).unwrap());
    if let UpstreamError::Unauthorised { said, .. }
    | UpstreamError::NotFound { said, .. }
    | UpstreamError::Refused { said, .. } = error
    {
        texts += &said.json::<Value>().unwrap_or_default().to_string();
    }
    let mut source = error.source();
    while let Some(inner) = source {
        texts += &inner.to_string();
        source = inner.source();
    }
    texts
}

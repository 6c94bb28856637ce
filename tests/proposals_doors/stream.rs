//! A client of `/v1/events`.

use reqwest::Response;
use serde_json::Value;

use crate::common::{PATIENCE, Town};

/// One event as it came.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Event {
    pub(crate) id: u64,
    pub(crate) name: String,
    pub(crate) data: Value,
}

/// An open stream.
pub(crate) struct Stream {
    response: Response,
    read: String,
}

impl Stream {
    /// Opens a stream; `path` may say after which event, `last_seen` is what a browser says when it comes back. It has begun when this returns.
    pub(crate) async fn open(town: &Town, key: &str, path: &str, last_seen: Option<u64>) -> Self {
        let mut request = town.http.get(town.url(path)).bearer_auth(key);
        if let Some(id) = last_seen {
            request = request.header("Last-Event-ID", id);
        }
        let response = tokio::time::timeout(PATIENCE, request.send()).await.unwrap().unwrap();
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["cache-control"], "no-store");
        let mut stream = Self { response, read: String::new() };
        assert!(stream.piece().await.unwrap().starts_with("retry: "));
        stream
    }

    /// What comes up to the next empty line; `None` at the end.
    pub(crate) async fn piece(&mut self) -> Option<String> {
        loop {
            if let Some((piece, rest)) = self.read.split_once("\n\n") {
                let (piece, rest) = (piece.to_owned(), rest.to_owned());
                self.read = rest;
                return Some(piece);
            }
            let chunk = tokio::time::timeout(PATIENCE, self.response.chunk()).await.expect("the stream in time");
            self.read.push_str(std::str::from_utf8(&chunk.unwrap()?).unwrap());
        }
    }

    /// The next event; `None` at the end.
    pub(crate) async fn event(&mut self) -> Option<Event> {
        loop {
            let piece = self.piece().await?;
            let field = |name: &str| piece.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
            if let (Some(id), Some(name), Some(data)) = (field("id"), field("event"), field("data")) {
                let data = serde_json::from_str(data).unwrap();
                return Some(Event { id: id.parse().unwrap(), name: name.to_owned(), data });
            }
        }
    }
}

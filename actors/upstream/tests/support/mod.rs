//! A service on loopback that answers what it is told, byte for byte.

use std::sync::{Arc, Mutex};

use playhouse_upstream::{RetrySettings, Upstream, UpstreamSettings};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use url::Url;

/// A service on loopback. It gives one reply after the other, each on a connection of its own, and the last one for ever.
pub(crate) struct Service {
    pub(crate) port: u16,
    requests: Arc<Mutex<Vec<String>>>,
    asked: Arc<Notify>,
}

impl Service {
    /// Replies are what goes over the wire; an empty one is never sent, and the connection stays open, as it does after one that ends in NUL.
    pub(crate) async fn with(replies: &[String]) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let service =
            Self { port: listener.local_addr().unwrap().port(), requests: Arc::default(), asked: Arc::default() };
        let (requests, asked, replies) = (Arc::clone(&service.requests), Arc::clone(&service.asked), replies.to_vec());
        tokio::spawn(async move {
            for n in 0.. {
                let (mut socket, _) = listener.accept().await.unwrap();
                let request = read_request(&mut socket).await;
                requests.lock().unwrap().push(request);
                asked.notify_one();
                let reply = &replies[replies.len().min(n + 1) - 1];
                if reply.is_empty() {
                    std::future::pending::<()>().await;
                }
                // The client may hang up in the middle of what it does not want to read.
                let _ = socket.write_all(reply.trim_end_matches('\0').as_bytes()).await;
                if reply.ends_with('\0') {
                    std::future::pending::<()>().await;
                }
            }
        });
        service
    }

    pub(crate) fn settings(&self) -> UpstreamSettings {
        let base = Url::parse(&format!("http://127.0.0.1:{}/api/3", self.port)).unwrap();
        UpstreamSettings {
            // Waiting between attempts is tested where time is ours.
            retry: RetrySettings { attempts: 1, ..RetrySettings::default() },
            ..UpstreamSettings::new("test", "Testflix", base)
        }
    }

    pub(crate) fn upstream(&self) -> Upstream {
        Upstream::new(self.settings()).unwrap()
    }

    /// Heads and bodies of all requests, in order.
    pub(crate) fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// Waits for one more request.
    pub(crate) async fn is_asked(&self) {
        self.asked.notified().await;
    }
}

async fn read_request(socket: &mut TcpStream) -> String {
    let mut request = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&request).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let announced =
                head.to_lowercase().lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            if body.len() >= announced.unwrap_or(0) {
                return text;
            }
        }
        if socket.read_buf(&mut request).await.unwrap() == 0 {
            return text;
        }
    }
}

/// An answer with its length announced.
pub(crate) fn answer(status: &str, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\nconnection: close\r\n{headers}content-length: {}\r\n\r\n{body}", body.len())
}

/// A good answer.
pub(crate) fn json(body: &str) -> String {
    answer("200 OK", "content-type: application/json\r\n", body)
}

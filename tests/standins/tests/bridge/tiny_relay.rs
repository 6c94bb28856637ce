//! A relay of a few lines: enough to see from the other side what the simulated TV does.

use std::{
    collections::VecDeque,
    net::SocketAddr,
    sync::{Arc, Mutex},
};

use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
    sync::mpsc,
};
use tokio_tungstenite::{
    WebSocketStream, accept_hdr_async,
    tungstenite::{
        Message,
        handshake::server::{ErrorResponse, Request, Response},
        protocol::{CloseFrame, frame::coding::CloseCode},
    },
};
use url::Url;

pub(crate) struct TinyRelay {
    address: SocketAddr,
    shared: Arc<Shared>,
    sockets: mpsc::UnboundedReceiver<TinySocket>,
}

#[derive(Default)]
struct Shared {
    claimed: Mutex<bool>,
    pairing_answers: Mutex<VecDeque<(u16, &'static str)>>,
    /// Heads and bodies as they came.
    requests: Mutex<Vec<String>>,
}

pub(crate) struct TinySocket(WebSocketStream<TcpStream>);

impl TinyRelay {
    pub(crate) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared::default());
        let (opened, sockets) = mpsc::unbounded_channel();
        let seen = Arc::clone(&shared);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (seen, opened) = (Arc::clone(&seen), opened.clone());
                tokio::spawn(async move { serve(stream, &seen, &opened).await });
            }
        });
        Self { address, shared, sockets }
    }

    /// A relay at which every token is claimed.
    pub(crate) async fn claimed() -> Self {
        let relay = Self::start().await;
        relay.claim();
        relay
    }

    pub(crate) fn url(&self) -> Url {
        format!("http://{}", self.address).parse().unwrap()
    }

    pub(crate) fn claim(&self) {
        *self.shared.claimed.lock().unwrap() = true;
    }

    pub(crate) fn revoke(&self) {
        *self.shared.claimed.lock().unwrap() = false;
    }

    /// The next `POST /pair/init` is answered so.
    pub(crate) fn answer_pairing(&self, status: u16, body: &'static str) {
        self.shared.pairing_answers.lock().unwrap().push_back((status, body));
    }

    pub(crate) fn requests(&self) -> Vec<String> {
        self.shared.requests.lock().unwrap().clone()
    }

    /// The next socket that opened.
    pub(crate) async fn socket(&mut self) -> TinySocket {
        self.sockets.recv().await.unwrap()
    }
}

async fn serve(mut stream: TcpStream, shared: &Shared, opened: &mpsc::UnboundedSender<TinySocket>) {
    let mut start = [0; 18];
    while stream.peek(&mut start).await.unwrap_or(0) < start.len() {}
    if start.starts_with(b"POST") {
        answer_pairing(&mut stream, shared).await;
    } else if start.starts_with(b"GET /bridge/update") {
        read_until(&mut stream, b"\r\n\r\n").await;
        stream.write_all(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").await.unwrap();
    } else {
        upgrade(stream, shared, opened).await;
    }
}

async fn answer_pairing(stream: &mut TcpStream, shared: &Shared) {
    let request = read_until(stream, b"\r\n\r\n{}").await;
    shared.requests.lock().unwrap().push(String::from_utf8(request).unwrap());
    let (status, body) = shared
        .pairing_answers
        .lock()
        .unwrap()
        .pop_front()
        .unwrap_or((200, r#"{"code":"012345","token":"t-1","expires_at":"soon"}"#));
    let answer = format!("HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
    stream.write_all(answer.as_bytes()).await.unwrap();
}

/// Reads all of a request: closing a connection with unread bytes would reset it under the answer.
async fn read_until(stream: &mut TcpStream, end: &[u8]) -> Vec<u8> {
    let mut request = Vec::new();
    while !request.ends_with(end) && stream.read_buf(&mut request).await.unwrap() > 0 {}
    request
}

async fn upgrade(stream: TcpStream, shared: &Shared, opened: &mpsc::UnboundedSender<TinySocket>) {
    #[expect(clippy::result_large_err, reason = "the WebSocket library's own signature")]
    let check = |request: &Request, response: Response| -> Result<Response, ErrorResponse> {
        let head = format!("{} {} {:?}", request.method(), request.uri(), request.headers());
        shared.requests.lock().unwrap().push(head);
        if *shared.claimed.lock().unwrap() {
            return Ok(response);
        }
        let mut refusal = ErrorResponse::new(Some("not claimed yet".to_owned()));
        *refusal.status_mut() = tokio_tungstenite::tungstenite::http::StatusCode::UNAUTHORIZED;
        Err(refusal)
    };
    if let Ok(socket) = accept_hdr_async(stream, check).await {
        let _ = opened.send(TinySocket(socket));
    }
}

impl TinySocket {
    pub(crate) async fn send(&mut self, text: &str) {
        self.0.send(Message::text(text)).await.unwrap();
    }

    pub(crate) async fn send_message(&mut self, message: Message) {
        self.0.send(message).await.unwrap();
    }

    /// Sends bytes past the WebSocket library.
    pub(crate) async fn send_raw(&mut self, bytes: &[u8]) {
        self.0.get_mut().write_all(bytes).await.unwrap();
    }

    pub(crate) async fn close(&mut self, code: u16, reason: &str) {
        let frame = CloseFrame { code: CloseCode::from(code), reason: reason.into() };
        self.0.close(Some(frame)).await.unwrap();
    }

    /// The next message of any kind; `None` at the end of the connection, however it came.
    pub(crate) async fn next(&mut self) -> Option<Message> {
        self.0.next().await.and_then(Result::ok)
    }

    /// Reads to the end of the connection; answers the code and reason it was closed with.
    pub(crate) async fn closed(&mut self) -> (u16, String) {
        let mut close = None;
        while let Some(message) = self.next().await {
            if let Message::Close(Some(frame)) = message {
                close = Some((u16::from(frame.code), frame.reason.to_string()));
            }
        }
        close.expect("the TV was expected to close with a code")
    }

    /// The next text frame as JSON.
    pub(crate) async fn answer(&mut self) -> Value {
        loop {
            match self.next().await.expect("the TV was expected to answer") {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Binary(_) | Message::Close(_) => panic!("the TV was expected to answer in text"),
                _ => {}
            }
        }
    }
}

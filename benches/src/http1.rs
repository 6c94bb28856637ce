//! The least HTTP/1.1 that a load generator needs: one connection, one request at a time, answers with a length.

use anyhow::{Context, Result, bail, ensure};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::TcpStream,
};

/// A kept-alive connection.
pub(crate) struct Connection<S = TcpStream> {
    stream: S,
    /// What was read of the present answer; reused, so that a request allocates nothing.
    buffer: Vec<u8>,
}

/// An answer, borrowed from its connection until the next request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Response<'c> {
    pub(crate) status: u16,
    pub(crate) body: &'c [u8],
}

/// An answer larger than this is a mistake.
const MAX_ANSWER_BYTES: usize = 16 << 20;

impl Connection {
    pub(crate) async fn open(address: std::net::SocketAddr) -> Result<Self> {
        let stream = TcpStream::connect(address).await.with_context(|| format!("connect to {address}"))?;
        stream.set_nodelay(true)?;
        Ok(Self::over(stream))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Connection<S> {
    pub(crate) fn over(stream: S) -> Self {
        Self { stream, buffer: Vec::with_capacity(64 << 10) }
    }

    /// Sends a whole request and reads the whole answer.
    pub(crate) async fn exchange(&mut self, request: &[u8]) -> Result<Response<'_>> {
        self.stream.write_all(request).await.context("send a request")?;
        self.buffer.clear();
        let head = loop {
            self.read_more().await?;
            if let Some(head) = Head::read(&self.buffer)? {
                break head;
            }
        };
        while self.buffer.len() < head.n_bytes + head.n_body_bytes {
            self.read_more().await?;
        }
        ensure!(
            self.buffer.len() == head.n_bytes + head.n_body_bytes,
            "the server sent more than one answer to one request"
        );
        Ok(Response { status: head.status, body: &self.buffer[head.n_bytes..] })
    }

    async fn read_more(&mut self) -> Result<()> {
        ensure!(self.buffer.len() < MAX_ANSWER_BYTES, "an answer of more than {MAX_ANSWER_BYTES} bytes");
        let n_bytes = self.stream.read_buf(&mut self.buffer).await.context("read an answer")?;
        ensure!(n_bytes > 0, "the server closed the connection in the middle of an answer");
        Ok(())
    }
}

/// What is needed of an answer's head.
#[derive(Debug, PartialEq, Eq)]
struct Head {
    status: u16,
    n_bytes: usize,
    n_body_bytes: usize,
}

impl Head {
    /// `None` while the head has not arrived whole.
    fn read(bytes: &[u8]) -> Result<Option<Self>> {
        let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { return Ok(None) };
        let head = std::str::from_utf8(&bytes[..end]).context("an answer's head is not text")?;
        let mut lines = head.split("\r\n");
        let status_line = lines.next().unwrap_or_default();
        let status = status_line.split(' ').nth(1).and_then(|status| status.parse().ok());
        let Some(status) = status else { bail!("no HTTP answer: {status_line:?}") };
        let length = lines
            .filter_map(|line| line.split_once(':'))
            .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
            .and_then(|(_, value)| value.trim().parse::<usize>().ok())
            .filter(|length| *length <= MAX_ANSWER_BYTES);
        let Some(n_body_bytes) = length else { bail!("an answer without a usable Content-Length: {head:?}") };
        Ok(Some(Self { status, n_bytes: end + 4, n_body_bytes }))
    }
}

/// A whole GET, ready to send any number of times.
pub(crate) fn get(path: &str, host: &str, headers: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{headers}\r\n").into_bytes()
}

/// A whole JSON POST, ready to send any number of times.
pub(crate) fn post(path: &str, host: &str, headers: &str, body: &str) -> Vec<u8> {
    let n_bytes = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {n_bytes}\r\n{headers}\r\n{body}"
    )
    .into_bytes()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[tokio::test]
    async fn an_answer_is_read_whole_however_it_is_cut() {
        let answer = b"HTTP/1.1 200 OK\r\ncontent-length: 7\r\nx: y\r\n\r\n{\"a\":1}";
        for cut in 1..answer.len() {
            let (ours, mut theirs) = tokio::io::duplex(1024);
            let server = async move {
                theirs.write_all(&answer[..cut]).await.unwrap();
                tokio::task::yield_now().await;
                theirs.write_all(&answer[cut..]).await.unwrap();
                theirs
            };
            let mut connection = Connection::over(ours);
            let (response, _theirs) = tokio::join!(connection.exchange(b"GET"), server);
            assert_eq!(response.unwrap(), Response { status: 200, body: b"{\"a\":1}" }, "cut at {cut}");
        }
    }

    #[tokio::test]
    async fn a_connection_that_ends_early_is_an_error() {
        let (ours, mut theirs) = tokio::io::duplex(1024);
        theirs.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n{").await.unwrap();
        theirs.shutdown().await.unwrap();
        let error = Connection::over(ours).exchange(b"GET").await.unwrap_err();
        assert!(error.to_string().contains("closed"), "{error}");
    }

    #[test]
    fn a_head_needs_a_status_and_a_length() {
        for broken in
            ["HTTP/1.1 200 OK\r\n\r\n", "nonsense\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n"]
        {
            assert!(Head::read(broken.as_bytes()).is_err(), "{broken}");
        }
        assert_eq!(Head::read(b"HTTP/1.1 200 OK\r\nContent-").unwrap(), None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Head::read(&bytes);
        }
    }
}

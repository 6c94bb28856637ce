//! `GET /bridge`: the upgrade as OkHttp asks for it.

use std::{net::SocketAddr, time::Duration};

use tokio::{
    net::{TcpSocket, TcpStream, lookup_host},
    time::timeout,
};
use tokio_tungstenite::{
    WebSocketStream, client_async_with_config,
    tungstenite::{
        self,
        client::IntoClientRequest,
        http::{HeaderValue, header},
        protocol::WebSocketConfig,
    },
};
use url::Url;

use crate::pairing::USER_AGENT;

pub(crate) type Socket = WebSocketStream<TcpStream>;

/// Why a dial did not end in an open socket.
#[derive(Debug)]
pub(crate) enum DialError {
    /// Another status than 101.
    Refused { status: u16, body: String },
    /// No HTTP answer at all.
    Failed { cause: String },
}

impl DialError {
    fn failed(cause: impl Into<Box<dyn std::error::Error>>) -> Self {
        Self::Failed { cause: cause.into().to_string() }
    }
}

/// The app's own limit for connecting, and for reading the answer.
const DIAL_TIMEOUT: Duration = Duration::from_secs(10);

/// Dials once, from any local address.
pub(crate) async fn dial(relay: &Url, token: &str) -> Result<Socket, DialError> {
    let address = address_of(relay).await?;
    let connected = timeout(DIAL_TIMEOUT, TcpStream::connect(address)).await;
    let stream = connected.map_err(DialError::failed)?.map_err(DialError::failed)?;
    upgrade(stream, relay, token).await
}

/// Dials once from a given source address, so that one machine can open more sockets than one address has ports.
pub(crate) async fn dial_from(
    source: SocketAddr,
    address: SocketAddr,
    relay: &Url,
    token: &str,
) -> Result<Socket, DialError> {
    let socket = TcpSocket::new_v4().map_err(DialError::failed)?;
    socket.bind(source).map_err(DialError::failed)?;
    let connected = timeout(DIAL_TIMEOUT, socket.connect(address)).await;
    let stream = connected.map_err(DialError::failed)?.map_err(DialError::failed)?;
    upgrade(stream, relay, token).await
}

pub(crate) async fn address_of(relay: &Url) -> Result<SocketAddr, DialError> {
    let host = relay.host_str().unwrap_or_default().trim_matches(['[', ']']);
    let port = relay.port_or_known_default().unwrap_or_default();
    let mut addresses = lookup_host((host, port)).await.map_err(DialError::failed)?;
    addresses.next().ok_or_else(|| DialError::failed(format!("{host} has no address")))
}

async fn upgrade(stream: TcpStream, relay: &Url, token: &str) -> Result<Socket, DialError> {
    // Keys are small frames; Nagle would hold them back.
    stream.set_nodelay(true).map_err(DialError::failed)?;
    let url = relay.join("/bridge").map_err(DialError::failed)?.to_string();
    let url = url.replacen("http", "ws", 1);
    let mut request = url.into_client_request().map_err(DialError::failed)?;
    let bearer = HeaderValue::from_str(&format!("Bearer {token}")).map_err(DialError::failed)?;
    let headers = request.headers_mut();
    headers.insert(header::AUTHORIZATION, bearer);
    headers.insert(header::SEC_WEBSOCKET_EXTENSIONS, HeaderValue::from_static("permessage-deflate"));
    headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
    headers.insert(header::USER_AGENT, HeaderValue::from_static(USER_AGENT));
    // Small buffers, so that ten thousand idle sockets fit beside the server that is being measured.
    let config = WebSocketConfig::default().read_buffer_size(1024).write_buffer_size(0);
    let upgrade = timeout(DIAL_TIMEOUT, client_async_with_config(request, stream, Some(config)));
    match upgrade.await.map_err(DialError::failed)? {
        Ok((_, response)) if response.headers().contains_key(header::SEC_WEBSOCKET_EXTENSIONS) => {
            // OkHttp could go on; this stand-in has no inflater and says so.
            Err(DialError::failed("the relay accepted permessage-deflate, which this stand-in offers but cannot read"))
        }
        Ok((socket, _)) => Ok(socket),
        Err(tungstenite::Error::Http(response)) => {
            let body = response.body().as_deref().map(String::from_utf8_lossy).unwrap_or_default().into_owned();
            Err(DialError::Refused { status: response.status().as_u16(), body })
        }
        Err(error) => Err(DialError::failed(error)),
    }
}

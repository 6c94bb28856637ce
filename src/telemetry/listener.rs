//! The listener for Prometheus: `GET /metrics` and `GET /healthz`, on an address of its own so that it can stay off the
//! internet, and on a thread of its own so that it answers while the doors are busy.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Weak};
use std::time::Duration;

use actix_web::dev::Server;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::web::{self, Data};
use actix_web::{App, HttpResponse, HttpServer};

use super::health;
use super::recorder::Exposition;

/// How often histograms are tidied when nobody reads them.
const TIDY_PERIOD: Duration = Duration::from_secs(5);

/// A bound listener.
pub struct MetricsListener {
    /// Where it listens: the configured address, with the real port where that was 0.
    pub address: SocketAddr,
    /// To be awaited or spawned; serves until its handle stops it. Signals are left to the main listener.
    pub server: Server,
}

/// Binds the listener.
///
/// # Errors
/// The system's, when the address is taken or not ours: say the key `metrics.listen` with it.
pub fn bind(listen: SocketAddr, exposition: Exposition) -> io::Result<MetricsListener> {
    let exposition = Data::new(exposition);
    actix_web::rt::spawn(tidy_while_served(Arc::downgrade(&exposition.clone().into_inner())));
    let server = HttpServer::new(move || {
        App::new()
            .app_data(exposition.clone())
            .route("/metrics", web::get().to(metrics))
            .route("/healthz", web::get().to(health::healthz))
    })
    .workers(1)
    .disable_signals()
    .bind(listen)?;
    let address = server.addrs().first().copied().unwrap_or(listen);
    Ok(MetricsListener { address, server: server.run() })
}

async fn tidy_while_served(exposition: Weak<Exposition>) {
    let mut tick = tokio::time::interval(TIDY_PERIOD);
    while let Some(exposition) = exposition.upgrade() {
        exposition.tidy();
        // Not held while waiting, or it would keep itself alive.
        drop(exposition);
        tick.tick().await;
    }
}

async fn metrics(exposition: Data<Exposition>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8"))
        .body(exposition.render())
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    use super::super::{names, recorder};
    use super::*;

    async fn get(address: SocketAddr, path: &str) -> String {
        let mut socket = TcpStream::connect(address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: metrics\r\nConnection: close\r\n\r\n");
        socket.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).await.unwrap();
        answer
    }

    #[actix_web::test]
    async fn prometheus_can_read_what_was_counted_and_nothing_else_is_served() {
        let recorder = recorder::build().unwrap();
        metrics::with_local_recorder(&recorder, || metrics::counter!(names::PANICS).increment(3));
        let listener = bind("127.0.0.1:0".parse().unwrap(), Exposition::of(&recorder)).unwrap();
        let (address, handle) = (listener.address, listener.server.handle());
        let serving = actix_web::rt::spawn(listener.server);

        let answer = get(address, "/metrics").await;
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        assert!(answer.contains("content-type: text/plain; version=0.0.4; charset=utf-8\r\n"), "{answer}");
        assert!(answer.contains("\nplayhouse_panics_total 3\n"), "{answer}");
        assert!(get(address, "/healthz").await.starts_with("HTTP/1.1 200 OK\r\n"));
        assert!(get(address, "/mcp").await.starts_with("HTTP/1.1 404 "));

        handle.stop(true).await;
        serving.await.unwrap().unwrap();
    }

    #[actix_web::test]
    async fn a_taken_address_is_an_error() {
        let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let error = bind(taken.local_addr().unwrap(), Exposition::of(&recorder::build().unwrap())).err().unwrap();
        assert_eq!(error.kind(), io::ErrorKind::AddrInUse);
    }
}

//! Panics outside actors: each is logged with its place and counted; one in a request's handler is answered.
//!
//! Without [`answer_panics`] actix-web drops the connection, and the client sees an empty reply without a status.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::Once;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::StatusCode;
use actix_web::middleware::Next;
use actix_web::{HttpResponse, ResponseError};
use futures_util::FutureExt;

use super::names;
use crate::http;

/// Logs and counts panics instead of printing them. Comes before the bus, whose own hook keeps the panics of actors to
/// itself and hands all others on to this one.
pub fn install_hook() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| std::panic::set_hook(Box::new(note)));
}

fn note(info: &PanicHookInfo<'_>) {
    let place = info.location().map(ToString::to_string).unwrap_or_default();
    tracing::error!(place, text = text_of(info.payload()), "panicked");
    metrics::counter!(names::PANICS).increment(1);
}

fn text_of(payload: &dyn Any) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("a panic without a text")
}

/// Middleware (for [`actix_web::middleware::from_fn`]): a panic in a handler is answered 500 with `{"detail": …}`.
///
/// It cannot help once the answer's head is out: a body that panics while it streams ends its connection.
///
/// # Errors
/// Those of the handler, and the 500.
pub async fn answer_panics<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    // Safe to go on after: the request is gone with its handler, and what handlers share is behind the bus or atomic.
    match AssertUnwindSafe(next.call(request)).catch_unwind().await {
        Ok(result) => result,
        Err(payload) => {
            // A payload may be any value, and one whose destructor panics would escape from here.
            let _ = catch_unwind(AssertUnwindSafe(|| drop(payload)));
            Err(HandlerPanicked.into())
        }
    }
}

/// The text goes to the client; the panic's own text stays in the log.
#[derive(Debug)]
struct HandlerPanicked;

impl fmt::Display for HandlerPanicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Something went wrong on our side. Try again; if it stays, tell the operator the time it happened.")
    }
}

impl ResponseError for HandlerPanicked {
    fn status_code(&self) -> StatusCode {
        StatusCode::INTERNAL_SERVER_ERROR
    }

    fn error_response(&self) -> HttpResponse {
        http::detail(self.status_code(), &self.to_string())
    }
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use actix_web::middleware::from_fn;
    use actix_web::{App, HttpServer, web};
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    use super::super::logging::tests::logged;
    use super::*;
    use crate::config::LogFormat;

    async fn serve() -> (SocketAddr, actix_web::dev::ServerHandle) {
        let server = HttpServer::new(|| {
            App::new()
                .wrap(from_fn(answer_panics))
                .route("/at-once", web::get().to(|| async { panic!("the secret") as &'static str }))
                .route("/later", web::get().to(later))
                .route("/fine", web::get().to(|| async { "fine" }))
        })
        .workers(1)
        .disable_signals()
        .bind("127.0.0.1:0")
        .unwrap();
        let address = server.addrs()[0];
        let server = server.run();
        let handle = server.handle();
        actix_web::rt::spawn(server);
        (address, handle)
    }

    async fn later() -> &'static str {
        tokio::task::yield_now().await;
        panic!("the secret")
    }

    /// Sends requests over one connection, the last of which closes it.
    async fn get(address: SocketAddr, paths: &[&str]) -> String {
        let mut socket = TcpStream::connect(address).await.unwrap();
        for (n, path) in paths.iter().enumerate() {
            let connection = if n + 1 == paths.len() { "close" } else { "keep-alive" };
            let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: {connection}\r\n\r\n");
            socket.write_all(request.as_bytes()).await.unwrap();
        }
        let mut answers = String::new();
        socket.read_to_string(&mut answers).await.unwrap();
        answers
    }

    #[actix_web::test]
    async fn a_panic_in_a_handler_is_answered_500_and_the_connection_goes_on() {
        let (address, handle) = serve().await;
        for path in ["/at-once", "/later"] {
            let answers = get(address, &[path, "/fine"]).await;
            assert!(answers.starts_with("HTTP/1.1 500 Internal Server Error\r\n"), "{answers}");
            assert!(answers.contains("{\"detail\":\"Something went wrong on our side."), "{answers}");
            assert!(!answers.contains("secret"), "{answers}");
            assert!(answers.contains("HTTP/1.1 200 OK\r\n") && answers.ends_with("fine"), "{answers}");
        }
        handle.stop(false).await;
    }

    #[test]
    fn the_hook_logs_the_place_and_the_text() {
        install_hook();
        let text = logged(LogFormat::Json, "error", || {
            let _ = catch_unwind(|| panic!("no such channel: {}", 7));
        });
        let line: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!((&line["message"], &line["text"]), (&"panicked".into(), &"no such channel: 7".into()));
        assert!(line["place"].as_str().unwrap().starts_with("src/telemetry/panics.rs:"), "{line}");
    }
}

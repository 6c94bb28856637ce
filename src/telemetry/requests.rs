//! Counts and times HTTP requests, by door.

use std::time::Instant;

use actix_web::body::MessageBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::middleware::Next;

use super::names;

/// Which door a path belongs to, by its first part. All other paths, those that scanners try above all, are `other`.
const DOORS: [(&str, &str); 12] = [
    ("/mcp", "mcp"),
    ("/api/mcp", "mcp"),
    ("/pair", "pairing"),
    ("/claim", "pairing"),
    ("/bridge", "bridge"),
    ("/waitlist", "waitlist"),
    ("/v1", "rest"),
    ("/api/v1", "rest"),
    ("/openapi.json", "rest"),
    ("/.well-known", "well_known"),
    ("/healthz", "health"),
    ("/readyz", "health"),
];

/// Middleware (for [`actix_web::middleware::from_fn`]): counts each answer. It goes outside
/// [`answer_panics`](super::panics::answer_panics), so that those 500s count too.
///
/// # Errors
/// Those of the handler, passed on.
pub async fn count_requests<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let started = Instant::now();
    let door = door_of(request.path());
    let result = next.call(request).await;
    let status = match &result {
        Ok(response) => response.status(),
        Err(error) => error.as_response_error().status_code(),
    };
    metrics::counter!(names::HTTP_REQUESTS, "door" => door, "status" => status.as_str().to_owned()).increment(1);
    metrics::histogram!(names::HTTP_REQUEST_SECONDS, "door" => door).record(started.elapsed());
    result
}

fn door_of(path: &str) -> &'static str {
    let belongs = |start| path.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    DOORS.iter().find(|(start, _)| belongs(start)).map_or("other", |(_, door)| door)
}

#[cfg(test)]
mod tests {
    use actix_web::middleware::from_fn;
    use actix_web::test::{TestRequest, init_service, try_call_service};
    use actix_web::{App, HttpResponse, web};
    use metrics_exporter_prometheus::PrometheusBuilder;

    use super::super::panics::answer_panics;
    use super::*;

    #[actix_web::test]
    async fn each_answer_counts_under_its_door_and_status_also_after_a_panic() {
        let recorder = PrometheusBuilder::new().build_recorder();
        let _counting = metrics::set_default_local_recorder(&recorder);
        let app = init_service(
            App::new()
                .wrap(from_fn(answer_panics))
                .wrap(from_fn(count_requests))
                .route("/mcp", web::post().to(HttpResponse::Ok))
                .route("/pair/init", web::post().to(|| async { panic!("broken") as HttpResponse })),
        )
        .await;
        for path in ["/mcp", "/mcp", "/pair/init", "/wp-login.php"] {
            let _ = try_call_service(&app, TestRequest::post().uri(path).to_request()).await;
        }

        let text = recorder.handle().render();
        for (door, status, n) in [("mcp", 200, 2), ("pairing", 500, 1), ("other", 404, 1)] {
            let line = format!("playhouse_http_requests_total{{door=\"{door}\",status=\"{status}\"}} {n}\n");
            assert!(text.contains(&line), "{text}");
        }
        assert!(text.contains("playhouse_http_request_seconds_count{door=\"mcp\"} 2\n"), "{text}");
    }

    #[test]
    fn a_path_that_only_begins_like_a_door_is_no_door() {
        assert_eq!(door_of("/bridge/update"), "bridge");
        assert_eq!(door_of("/mcp/"), "mcp");
        assert_eq!(["/v1/events", "/api/v1/turnovers", "/openapi.json"].map(door_of), ["rest"; 3]);
        for path in ["/mcpx", "/bridges", "/", "", "/secret-house-name"] {
            assert_eq!(door_of(path), "other", "{path}");
        }
    }
}

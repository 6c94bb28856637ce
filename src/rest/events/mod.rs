//! `GET /v1/events`: what happens to the proposals of the calling house, as it happens, for its admins.
//!
//! A stream of server-sent events that can be taken up again where it broke off: `Last-Event-ID` (or `?after=` at the first request) names
//! the last event that was seen, and what came after it is sent first. Ids have no holes, so a client sees when more was missed than is
//! kept. An event may come twice with the same id, never out of order.

mod pump;
mod streams;

use std::collections::HashMap;
use std::time::Duration;

use actix_web::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use actix_web::web::{self, Bytes, Data, Query, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use futures_util::StreamExt;
use futures_util::stream::poll_fn;
use playhouse_bus::Deadline;
use playhouse_proposals::{EventId, ListEvents, ProposalQueueActor};
use tokio::sync::mpsc;

use self::pump::{Feed, MAX_WAITING, pump};
pub use self::streams::EventStreams;
use super::RestServices;
use super::admin::{admit, check_admin, number};
use crate::http::{Refusal, method_not_allowed};

/// How long one look at the kept events may take.
const LIST_DEADLINE: Duration = Duration::from_secs(20);

/// Adds the address.
pub(super) fn routes(config: &mut ServiceConfig) {
    let only = |allowed: &'static str| web::to(move || async move { method_not_allowed(allowed) });
    config.service(web::resource("/v1/events").route(web::get().to(stream)).default_service(only("GET")));
}

async fn stream(
    request: HttpRequest,
    door: Data<RestServices>,
    query: Query<HashMap<String, String>>,
) -> Result<HttpResponse, Refusal> {
    let admin = admit(&request, &door)?;
    let after = seen_last(&request, &query)?;
    let place = door.streams.take(admin.house)?;
    let closing = door.streams.closing();

    let (house, credential) = (admin.house, admin.credential);
    let (bus, key_ring, clock) = (door.bus.clone(), door.key_ring.clone(), door.clock.clone());
    let feed = Feed {
        // Before anything is read, so that nothing happens unheard in between.
        live: door.events.listen(house),
        seen: after,
        list: async move |after| {
            let asked = bus.call(ProposalQueueActor::key(house), ListEvents { after }, Deadline::after(LIST_DEADLINE));
            asked.await.ok()?.ok()
        },
        may_go_on: move || {
            let principal = key_ring.current(credential, clock());
            principal.is_ok_and(|principal| check_admin(&principal).is_ok())
        },
    };
    let (chunks, mut ready) = mpsc::channel(MAX_WAITING);
    actix_web::rt::spawn(async move {
        pump(feed, chunks, closing).await;
        drop(place);
    });
    let body = poll_fn(move |context| ready.poll_recv(context)).map(Ok::<Bytes, actix_web::Error>);
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/event-stream"))
        .insert_header((CACHE_CONTROL, "no-store"))
        // Proxies of the nginx family hold a stream back until their buffer is full, unless they are told.
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(body))
}

/// The last event that the client has seen. The header wins: browsers repeat the address of the first request for ever.
fn seen_last(request: &HttpRequest, query: &HashMap<String, String>) -> Result<Option<EventId>, Refusal> {
    let header = request.headers().get("Last-Event-ID").map(|value| value.to_str().unwrap_or("?"));
    let seen = header.or_else(|| query.get("after").map(String::as_str)).filter(|text| !text.is_empty());
    seen.map(|text| number("The id to go on after", text).map(EventId)).transpose()
}

#[cfg(test)]
mod tests {
    use actix_web::test::TestRequest;

    use super::*;

    fn seen(header: Option<&str>, query: Option<&str>) -> Result<Option<EventId>, u16> {
        let mut request = TestRequest::default();
        if let Some(header) = header {
            request = request.insert_header(("Last-Event-ID", header));
        }
        let query = query.map(|after| ("after".to_owned(), after.to_owned())).into_iter().collect();
        seen_last(&request.to_http_request(), &query).map_err(|refusal| {
            use actix_web::ResponseError;
            refusal.status_code().as_u16()
        })
    }

    #[test]
    fn the_header_says_better_than_the_address_what_was_seen() {
        assert_eq!(seen(None, None), Ok(None));
        assert_eq!(seen(None, Some("3")), Ok(Some(EventId(3))));
        assert_eq!(seen(Some("7"), Some("3")), Ok(Some(EventId(7))));
        assert_eq!(seen(Some(""), None), Ok(None));
        assert_eq!((seen(Some("x"), Some("3")), seen(None, Some("-1"))), (Err(400), Err(400)));
    }
}

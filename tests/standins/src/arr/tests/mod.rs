//! What a caller sees of the four.

mod described;
mod doors;
mod formats;
mod healing;
mod household;
mod meddling;
mod profiles;
mod traps;
mod work;

use std::time::Duration;

use jiff::Timestamp;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::Value;

use super::*;
use crate::loopback::testing::http;

/// A minute of a stand-in's time.
const A_MINUTE: Duration = Duration::from_secs(60);

/// A request to a path below the address.
fn request(arr: &ArrStandin, method: Method, path: &str) -> RequestBuilder {
    let address = format!("{}{path}", arr.url().as_str().trim_end_matches('/'));
    http().request(method, address).header("X-Api-Key", ARR_KEY)
}

async fn send(request: RequestBuilder) -> (StatusCode, Value) {
    let response = request.send().await.unwrap();
    (response.status(), response.json().await.unwrap_or(Value::Null))
}

/// A call below `/api/v3/` that is in order.
async fn get(arr: &ArrStandin, call: &str) -> Value {
    let (status, body) = send(request(arr, Method::GET, &format!("{}/{call}", arr.kind().api_base()))).await;
    assert_eq!(status, StatusCode::OK, "{call}: {body}");
    assert_eq!(arr.violations(), [], "{call}");
    body
}

async fn delete(arr: &ArrStandin, call: &str) -> StatusCode {
    send(request(arr, Method::DELETE, &format!("{}/{call}", arr.kind().api_base()))).await.0
}

async fn post(arr: &ArrStandin, call: &str, body: &Value) -> (StatusCode, Value) {
    send(request(arr, Method::POST, &format!("{}/{call}", arr.kind().api_base())).json(body)).await
}

async fn put(arr: &ArrStandin, call: &str, body: &Value) -> (StatusCode, Value) {
    send(request(arr, Method::PUT, &format!("{}/{call}", arr.kind().api_base())).json(body)).await
}

fn long_ago() -> Option<Timestamp> {
    Some("2019-05-04T20:00:00Z".parse().unwrap())
}

/// Something of each kind: a parent with one item that is not there yet.
fn shelf(kind: ArrKind) -> (Library, u32) {
    let mut library = Library::empty(kind);
    let item = match kind {
        ArrKind::Radarr => library.movie(27_000, "The Heron Year", 2019, long_ago()),
        ArrKind::Sonarr => {
            let series = library.series(41_000, 81_000, "Low Water", 2019);
            library.season(series, 1, &[long_ago(), long_ago(), None])[0]
        }
        ArrKind::Lidarr => {
            let artist = library.artist("The Weir Quartet");
            library.album(artist, "Sluice", long_ago(), 3)
        }
        ArrKind::Chaptarr => {
            let author = library.author("Ottoline Marsh");
            library.book(author, "A Field of Reeds", BookFormat::Ebook, long_ago())
        }
    };
    (library, item)
}

fn start(kind: ArrKind) -> (ArrStandin, u32) {
    let (library, item) = shelf(kind);
    (ArrStandin::start(kind, library), item)
}

//! What the reading tools say of one library: calendar, history, timelines, files and settings, through the door and against applications on
//! loopback.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

#[path = "../common/mod.rs"]
mod common;

mod calendar;
mod config;
mod faults;
mod files;
mod history;
mod timelines;

use std::time::Duration;

use jiff::Timestamp;
use playhouse_standins::{ArrStandin, SeenRequest};

/// So many hours from now on.
fn in_hours(hours: i64) -> Timestamp {
    let distance = Duration::from_secs(hours.unsigned_abs() * 3_600);
    let now = Timestamp::now();
    if hours < 0 { now.checked_sub(distance).unwrap() } else { now.checked_add(distance).unwrap() }
}

fn in_days(days: i64) -> Timestamp {
    in_hours(24 * days)
}

/// The reads of this path below the API: `/history`.
fn reads(arr: &ArrStandin, path: &str) -> Vec<SeenRequest> {
    let below = |request: &SeenRequest| Some(request.path.split_once("/api/v")?.1.split_once('/')?.1 == &path[1..]);
    let is_it = |request: &SeenRequest| request.method == "GET" && below(request) == Some(true);
    arr.requests().into_iter().filter(is_it).collect()
}

//! Media libraries: a large one, a long queue, one that hangs beside one that does not, and what idle ones cost in memory.

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use hdrhistogram::Histogram;
use playhouse_standins::{ArrKind, ArrStandin, Misbehaviour};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{task::JoinSet, time::sleep};

use super::Plan;
use crate::{
    library_house::LibraryHouse,
    playhouse::Playhouse,
    progress::Progress,
    report::{Report, median},
};

/// The whole server, while it reads a library of 10,000 films.
const MOST_PEAK_MEGABYTES: f64 = 150.0;
/// A filtered answer beside a bare download and typed parse of the same bytes.
const MOST_TIMES_BARE: f64 = 2.0;
/// What a queue of 1,000 rows may take beside the bare download of it.
const MOST_QUEUE_MILLIS: f64 = 50.0;
/// What a hanging library may change of another's p99.
const MOST_CHANGE_PERCENT: f64 = 10.0;
/// An idle library.
const MOST_KILOBYTES: f64 = 20.0;
/// Calls that hang at once while the other library is asked.
const N_HANGING: usize = 8;
/// How long after the last call idle connections are closed, and a little.
const CONNECTIONS_CLOSED: Duration = Duration::from_secs(35);

pub(crate) async fn run(program: &Path, plan: &Plan, report: &mut Report) -> Result<()> {
    large_library(program, plan, report).await.context("a large library")?;
    long_queue(program, plan, report).await.context("a long queue")?;
    hanging_library(program, plan, report).await.context("a library that hangs")?;
    idle_libraries(program, plan, report).await.context("idle libraries")
}

/// What of a film a typed parse reads: the fields that the library's rows are made of.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "read for the sake of reading")]
struct Film {
    id: i64,
    title: Option<String>,
    year: Option<i64>,
    tmdb_id: Option<i64>,
    monitored: Option<bool>,
    has_file: Option<bool>,
}

/// Downloads what `path` answers; how many bytes, and how long download and `parse` took.
async fn bare(arr: &ArrStandin, path: &str, parse: impl Fn(&[u8]) -> Result<()>) -> Result<(usize, Duration)> {
    let url = arr.url().join(path).context("an address")?;
    let http = reqwest::Client::builder().no_proxy().build()?;
    let began = Instant::now();
    let response = http.get(url).header("x-api-key", arr.api_key()).send().await?.error_for_status()?;
    let body = response.bytes().await?;
    parse(&body)?;
    Ok((body.len(), began.elapsed()))
}

async fn large_library(program: &Path, plan: &Plan, report: &mut Report) -> Result<()> {
    let arr = ArrStandin::with_films(plan.n_films);
    let playhouse = Playhouse::start(program).await?;
    let house = LibraryHouse::open(&playhouse, "films").await?;
    house.add(&arr, "Films").await?;
    let mut connection = house.connect().await?;
    let before = playhouse.server.resident_bytes()?;

    let filtered = json!({"media_type": "movie", "filter": "missing"});
    let mut ratios = Vec::new();
    let mut last = (0, Duration::ZERO, Duration::ZERO);
    for _ in 0..plan.n_rounds {
        let parse = |body: &[u8]| {
            serde_json::from_slice::<Vec<Film>>(body)?;
            Ok(())
        };
        let (n_bytes, bare) = bare(&arr, "api/v3/movie", parse).await?;
        let tool = house.call(&mut connection, "get_library", &filtered).await?;
        ratios.push(tool.as_secs_f64() / bare.as_secs_f64());
        last = (n_bytes, bare, tool);
    }
    let (n_bytes, bare, tool) = last;
    report.title(&format!("A library of {} films, {:.1} MB", plan.n_films, megabytes(n_bytes as u64)));
    report.line(&format!("bare download and typed parse {:.0} ms, get_library {:.0} ms", millis(bare), millis(tool)));
    let peak = megabytes(playhouse.server.peak_bytes()?);
    report.line(&format!("server {:.1} MB before, {peak:.1} MB at its peak", megabytes(before)));
    report.below("get_library, 10,000 films: the server's peak memory", MOST_PEAK_MEGABYTES, peak, " MB");
    report.below("get_library, filtered, beside bare download and parse", MOST_TIMES_BARE, median(ratios), " x");
    Ok(())
}

async fn long_queue(program: &Path, plan: &Plan, report: &mut Report) -> Result<()> {
    const PAGE: &str = "api/v3/queue?page=1&pageSize=1000&includeMovie=true&includeUnknownMovieItems=true&sortKey=id&sortDirection=ascending";
    let arr = ArrStandin::with_a_queue_of(plan.n_queue_rows);
    let playhouse = Playhouse::start(program).await?;
    let house = LibraryHouse::open(&playhouse, "queue").await?;
    house.add(&arr, "Queue").await?;
    let mut connection = house.connect().await?;

    let mut added = Vec::new();
    let mut last = (0, Duration::ZERO, Duration::ZERO);
    for _ in 0..plan.n_rounds * 4 {
        let (n_bytes, bare) = bare(&arr, PAGE, |_| Ok(())).await?;
        let tool = house.call(&mut connection, "get_queue", &json!({"media_type": "movie"})).await?;
        added.push(millis(tool) - millis(bare));
        last = (n_bytes, bare, tool);
    }
    let (n_bytes, bare, tool) = last;
    report.title(&format!("A queue of {} rows, {:.1} MB", plan.n_queue_rows, megabytes(n_bytes as u64)));
    report.line(&format!("bare download {:.1} ms, get_queue {:.1} ms", millis(bare), millis(tool)));
    report.below("get_queue, 1,000 items: adds to the bare download", MOST_QUEUE_MILLIS, median(added), " ms");
    Ok(())
}

async fn hanging_library(program: &Path, plan: &Plan, report: &mut Report) -> Result<()> {
    let (good, bad) = (ArrStandin::with_a_queue_of(20), ArrStandin::with_a_queue_of(20));
    let playhouse = Playhouse::start(program).await?;
    let house = Arc::new(LibraryHouse::open(&playhouse, "two").await?);
    let (good_id, bad_id) = (house.add(&good, "Good").await?, house.add(&bad, "Bad").await?);
    let reads = json!({"media_type": "movie", "instance_id": good_id});
    p99(&house, &reads, plan.n_calls).await?;

    let mut rounds = Vec::new();
    for _ in 0..plan.n_rounds {
        let alone = p99(&house, &reads, plan.n_calls).await?;
        bad.behave(Misbehaviour::Slow);
        let mut hanging = JoinSet::new();
        for _ in 0..N_HANGING {
            let (house, arguments) = (Arc::clone(&house), json!({"media_type": "movie", "instance_id": bad_id}));
            // How they end does not matter: they are let go below.
            hanging.spawn(async move { house.call(&mut house.connect().await?, "get_queue", &arguments).await });
        }
        while bad.n_requests() == 0 {
            sleep(Duration::from_millis(5)).await;
        }
        let beside = p99(&house, &reads, plan.n_calls).await?;
        bad.behave(Misbehaviour::None);
        bad.release();
        while hanging.join_next().await.is_some() {}
        bad.forget_requests();
        rounds.push([alone, beside]);
    }
    let of = |at: usize| median(rounds.iter().map(|round: &[f64; 2]| round[at]));
    let change = median(rounds.iter().map(|[alone, beside]| (beside / alone - 1.0) * 100.0));
    report.title(&format!("Reads of one library while {N_HANGING} calls hang at another"));
    report.line(&format!("p99 alone {:.2} ms, beside {:.2} ms", of(0), of(1)));
    report.below("a hanging library: changes another's p99", MOST_CHANGE_PERCENT, change, " %");
    Ok(())
}

/// The p99 of so many reads, one at a time, in milliseconds.
async fn p99(house: &LibraryHouse, arguments: &Value, n_calls: usize) -> Result<f64> {
    let mut connection = house.connect().await?;
    let mut latencies = Histogram::<u64>::new_with_bounds(1, 60_000_000, 3)?;
    for _ in 0..n_calls {
        let took = house.call(&mut connection, "get_queue", arguments).await?;
        latencies.saturating_record(u64::try_from(took.as_micros())?.max(1));
    }
    #[expect(clippy::cast_precision_loss, reason = "microseconds of one call")]
    Ok(latencies.value_at_quantile(0.99) as f64 / 1e3)
}

async fn idle_libraries(program: &Path, plan: &Plan, report: &mut Report) -> Result<()> {
    let kinds = [ArrKind::Radarr, ArrKind::Sonarr, ArrKind::Lidarr, ArrKind::Chaptarr];
    let standins: Vec<ArrStandin> = kinds.into_iter().map(ArrStandin::demo).collect();
    let playhouse = Playhouse::start(program).await?;
    let progress = Progress::new("opening houses", plan.n_library_houses);
    let mut houses = Vec::new();
    for n in 0..plan.n_library_houses {
        houses.push(LibraryHouse::open(&playhouse, &format!("house {n}")).await?);
        progress.step();
    }
    // One call first, so that what the first call ever allocates is not counted to the libraries.
    houses[0].call(&mut houses[0].connect().await?, "list_arr_instances", &json!({})).await?;
    let before = playhouse.server.resident_bytes()?;
    let progress = Progress::new("adding libraries", plan.n_library_houses);
    for house in &houses {
        for (kind, arr) in kinds.iter().zip(&standins) {
            house.add(arr, kind.name()).await?;
        }
        // Starts the actors of all four, with their clients.
        house.call(&mut house.connect().await?, "get_arr_health", &json!({"media_type": "all"})).await?;
        progress.step();
    }
    sleep(CONNECTIONS_CLOSED).await;
    let after = playhouse.server.resident_bytes()?;
    let n_libraries = plan.n_library_houses * kinds.len();
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 bytes")]
    let each = after.saturating_sub(before) as f64 / 1e3 / n_libraries as f64;
    report.title(&format!("{n_libraries} idle libraries of {} houses", plan.n_library_houses));
    report.line(&format!("server {:.1} MB before, {:.1} MB after", megabytes(before), megabytes(after)));
    report.below("an idle library: memory of the server", MOST_KILOBYTES, each, " KB");
    Ok(())
}

#[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 bytes")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

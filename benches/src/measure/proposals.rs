//! A house whose admin has many proposals to decide, and what an approval takes beside the library's own part of it.

use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use playhouse_standins::{ArrKind, ArrStandin, Library, SeenRequest};
use serde_json::{Value, json};

use super::{Plan, one_request_each, start_echo};
use crate::{
    calls::Call,
    http1::{Connection, get, post},
    library_house::LibraryHouse,
    playhouse::Playhouse,
    progress::Progress,
    report::{Report, median, micros},
};

/// A list of what waits must be answered within so many milliseconds, at p99.
const MOST_MILLIS: f64 = 5.0;
/// Admins who look at once.
const N_CONNECTIONS: usize = 16;
/// The profile of the stand-in that all others are copies of, and that is changed.
const PROFILE: u32 = 4;

pub(crate) async fn run(program: &Path, plan: &Plan, report: &mut Report) -> Result<()> {
    lists(program, plan, report).await.context("a house with many proposals")?;
    approvals(program, plan, report).await.context("approvals")
}

async fn lists(program: &Path, plan: &Plan, report: &mut Report) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let echo = start_echo(&folder.path().join("echo.log")).await?;
    let (playhouse, house, _arr) = house_with(program, plan.n_proposals).await?;
    report.title(&format!("{} proposals in one house, {N_CONNECTIONS} connections", plan.n_proposals));
    report.line(&format!("{:<40} {:>11} {:>9} {:>9} {:>12}", "", "requests/s", "p50 ms", "p99 ms", "p99 of bare"));
    let host = playhouse.address().to_string();
    for (name, path, is_judged) in [
        ("what waits, the newest 200", "/v1/proposals", true),
        ("all, the newest 200", "/v1/proposals?status=all", true),
        ("one, compared with its library", "/v1/proposals/1", false),
    ] {
        let request: Arc<[Vec<u8>]> = Arc::from([get(path, &host, &house.authorization())]);
        let mut rounds = Vec::new();
        for _ in 0..plan.n_rounds {
            let bare = one_request_each(&echo, Call::Echo, std::iter::repeat_n("", N_CONNECTIONS));
            let bare = plan.load(&echo, Call::Echo, bare).await?.outcome;
            let scripts = vec![Arc::clone(&request); N_CONNECTIONS];
            rounds.push((plan.load(&playhouse.server, Call::Office, scripts).await?.outcome, bare));
        }
        let p99 = median(rounds.iter().map(|(ours, _)| micros(ours.p99) / 1e3));
        report.line(&format!(
            "{name:<40} {:>11.0} {:>9.2} {p99:>9.2} {:>12.1}",
            median(rounds.iter().map(|(ours, _)| ours.requests_per_second)),
            median(rounds.iter().map(|(ours, _)| micros(ours.p50) / 1e3)),
            median(rounds.iter().map(|(ours, bare)| ours.p99.as_secs_f64() / bare.p99.as_secs_f64())),
        ));
        if is_judged {
            report.below(&format!("proposals, {name}: p99"), MOST_MILLIS, p99, " ms");
        }
    }
    Ok(())
}

/// A house with that many proposals that wait, each for a profile of its own.
async fn house_with(program: &Path, n_proposals: usize) -> Result<(Playhouse, LibraryHouse, ArrStandin)> {
    let arr = ArrStandin::start(ArrKind::Radarr, Library::empty(ArrKind::Radarr));
    // One more profile at a time, so that the list that is read does not grow with the proposals.
    let newest = Arc::new(AtomicU32::new(0));
    let shown = Arc::clone(&newest);
    arr.alter("GET */qualityprofile", move |profiles| {
        let Some(list) = profiles.as_array_mut() else { return };
        let Some(mut copy) = list.iter().find(|profile| profile["id"] == PROFILE).cloned() else { return };
        let id = shown.load(Ordering::Relaxed);
        copy["id"] = json!(id);
        copy["name"] = json!(format!("Profile {id}"));
        list.push(copy);
    });
    let playhouse = Playhouse::start(program).await?;
    let house = LibraryHouse::open(&playhouse, "many").await?;
    house.add(&arr, "Films").await?;
    let mut connection = house.connect().await?;
    let progress = Progress::new("proposing", n_proposals);
    for n in 0..n_proposals {
        let profile = 1_000 + u32::try_from(n)?;
        newest.store(profile, Ordering::Relaxed);
        let changes = json!({"upgrade_allowed": false, "cutoff_format_score": n});
        let arguments = json!({"service": "radarr", "profile_id": profile, "changes": changes});
        house.call(&mut connection, "preview_profile_change", &arguments).await?;
        progress.step();
    }
    Ok((playhouse, house, arr))
}

async fn approvals(program: &Path, plan: &Plan, report: &mut Report) -> Result<()> {
    let arr = ArrStandin::start(ArrKind::Radarr, Library::empty(ArrKind::Radarr));
    let playhouse = Playhouse::start(program).await?;
    let house = LibraryHouse::open(&playhouse, "approving").await?;
    house.add(&arr, "Films").await?;
    let host = playhouse.address().to_string();
    let mut connection = house.connect().await?;
    let http = reqwest::Client::builder().no_proxy().build()?;
    let (mut whole, mut bare, mut n_requests) = (Vec::new(), Vec::new(), 0);
    for id in 1..=plan.n_approvals {
        // Never what is there already, which is no change.
        let changes = json!({"cutoff_format_score": 1_000 + id});
        let arguments = json!({"service": "radarr", "profile_id": PROFILE, "changes": changes});
        house.call(&mut connection, "preview_profile_change", &arguments).await?;
        arr.forget_requests();
        let request = post(&format!("/v1/proposals/{id}/approve"), &host, &house.authorization(), "{}");
        let (took, answer) = timed(&mut connection, &request).await?;
        ensure!(answer["status"] == "applied", "approving was answered {answer}");
        whole.push(millis(took));
        // The same requests to the library without anything between them.
        let seen = arr.requests();
        n_requests = seen.len();
        bare.push(millis(replay(&http, &arr, &seen).await?));
    }
    let added = median(whole.iter().zip(&bare).map(|(whole, bare)| whole - bare));
    report.title("An approval: checked twice, written, read back, recorded");
    report.line(&format!(
        "{:.1} ms, of which {:.1} ms are the library's {n_requests} requests; Playhouse adds {added:.1} ms (not judged)",
        median(whole),
        median(bare)
    ));
    Ok(())
}

async fn timed(connection: &mut Connection, request: &[u8]) -> Result<(Duration, Value)> {
    let began = Instant::now();
    let response = connection.exchange(request).await?;
    let took = began.elapsed();
    Ok((took, serde_json::from_slice(response.body).context("an answer that is no JSON")?))
}

/// How long a plain client takes for the same requests, one after the other.
async fn replay(http: &reqwest::Client, arr: &ArrStandin, seen: &[SeenRequest]) -> Result<Duration> {
    let began = Instant::now();
    for request in seen {
        let mut url = arr.url().join(&request.path).context("an address")?;
        if !request.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&request.query);
        }
        let sent = http.request(request.method.parse()?, url).header("x-api-key", arr.api_key());
        let sent = match request.text() {
            "" => sent,
            body => sent.header("content-type", "application/json").body(body.to_owned()),
        };
        sent.send().await?.error_for_status()?.bytes().await?;
    }
    Ok(began.elapsed())
}

fn millis(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

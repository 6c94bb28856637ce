//! Reads of a large production over REST, and how soon it answers after a kill.

use std::{
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};

use super::{MOST_CONNECTIONS, Plan};
use crate::{
    calls::Call,
    http1::{Connection, get},
    office::{DEPARTMENTS, fill},
    playhouse::{Playhouse, store_folder},
    report::{Report, median, micros},
};

/// A single record or a filtered list must be answered within so many milliseconds, at p99.
const MOST_MILLIS: f64 = 5.0;
/// A production must answer within so long of the start of the server.
const OPEN_WITHIN: Duration = Duration::from_secs(2);
/// How many different records are asked for in turn.
const N_RECORDS: usize = 500;

pub(crate) async fn run(program: &Path, plan: &Plan, report: &mut Report) -> Result<()> {
    let folder = tempfile::tempdir().context("make a folder for the server")?;
    let size = plan.office;
    let key = fill(&store_folder(folder.path()), size).await.context("fill a production")?;
    let key = key.reveal().to_owned();
    let playhouse = Playhouse::start_in(program, folder, "").await?;
    report.title(&format!(
        "(g) A production of {} scenes, {} assets and {} activity entries, {MOST_CONNECTIONS} connections",
        size.n_scenes, size.n_assets, size.n_activity
    ));
    report.line(&format!("{:<40} {:>11} {:>9} {:>9}", "", "requests/s", "p50 ms", "p99 ms"));
    for (name, is_judged, paths) in questions(&playhouse, &key).await? {
        let mut rounds = Vec::new();
        for _ in 0..plan.n_rounds {
            rounds.push(plan.load(&playhouse.server, Call::Office, scripts(&playhouse, &key, &paths)).await?.outcome);
        }
        let p99 = median(rounds.iter().map(|round| micros(round.p99) / 1e3));
        report.line(&format!(
            "{name:<40} {:>11.0} {:>9.2} {p99:>9.2}",
            median(rounds.iter().map(|round| round.requests_per_second)),
            median(rounds.iter().map(|round| micros(round.p50) / 1e3)),
        ));
        if is_judged {
            report.below(&format!("(g) {name}: p99"), MOST_MILLIS, p99, " ms");
        }
    }
    reopen(playhouse, &key, plan.n_rounds, report).await
}

/// What is asked, whether its time is judged, and the paths.
async fn questions(playhouse: &Playhouse, key: &str) -> Result<Vec<(&'static str, bool, Vec<String>)>> {
    let assets = ids(playhouse, key, "/v1/assets").await?;
    let scenes = ids(playhouse, key, "/v1/scenes").await?;
    let some = |ids: &[u64], path: &str| -> Vec<String> {
        let step = (ids.len() / N_RECORDS).max(1);
        ids.iter().step_by(step).map(|id| format!("{path}/{id}")).collect()
    };
    let filtered = DEPARTMENTS.map(|slug| format!("/v1/assets?department={slug}&status=in_progress"));
    let lists = ["/v1/activity?limit=50", "/v1/approvals?status=pending", "/v1/deliveries", "/v1/departments"];
    Ok(vec![
        ("one asset", true, some(&assets, "/v1/assets")),
        ("one scene's bundle", true, some(&scenes, "/v1/bundles/scene")),
        ("the production at a glance", true, vec!["/v1/production".to_owned()]),
        ("assets of a department by status", true, filtered.to_vec()),
        ("the last 50 activity entries", true, vec![lists[0].to_owned()]),
        ("departments", true, vec![lists[3].to_owned()]),
        ("all scenes (not judged)", false, vec!["/v1/scenes".to_owned()]),
    ])
}

async fn ids(playhouse: &Playhouse, key: &str, path: &str) -> Result<Vec<u64>> {
    let rows: Vec<serde_json::Value> = serde_json::from_slice(&ask(playhouse, key, path).await?)?;
    Ok(rows.iter().filter_map(|row| row["node_id"].as_u64()).collect())
}

async fn ask(playhouse: &Playhouse, key: &str, path: &str) -> Result<Vec<u8>> {
    let mut connection = Connection::open(playhouse.address()).await?;
    let response = connection.exchange(&request(playhouse, key, path)).await?;
    let text = String::from_utf8_lossy(&response.body[..response.body.len().min(200)]);
    ensure!(response.status == 200, "GET {path} was answered {} {text}", response.status);
    Ok(response.body.to_vec())
}

fn request(playhouse: &Playhouse, key: &str, path: &str) -> Vec<u8> {
    get(path, &playhouse.address().to_string(), &format!("Authorization: Bearer {key}\r\n"))
}

/// Each connection asks all paths in turn, each beginning at another one.
fn scripts(playhouse: &Playhouse, key: &str, paths: &[String]) -> Vec<Arc<[Vec<u8>]>> {
    let requests: Vec<_> = paths.iter().map(|path| request(playhouse, key, path)).collect();
    let from = |connection: usize| {
        let mut script = requests.clone();
        script.rotate_left(connection * requests.len() / MOST_CONNECTIONS);
        script.into()
    };
    (0..MOST_CONNECTIONS).map(from).collect()
}

/// From the start of a killed server to the first answer of its production.
async fn reopen(mut playhouse: Playhouse, key: &str, n_rounds: usize, report: &mut Report) -> Result<()> {
    let (mut all, mut opening) = (Vec::new(), Vec::new());
    for _ in 0..n_rounds {
        let killed = Instant::now();
        playhouse = playhouse.kill_and_restart().await?;
        let listens = Instant::now();
        ask(&playhouse, key, "/v1/production").await?;
        all.push(killed.elapsed().as_secs_f64());
        opening.push(listens.elapsed().as_secs_f64());
    }
    let (all, opening) = (median(all), median(opening));
    report
        .line(&format!("After a kill it answers within {all:.2} s; {opening:.2} s of that after the server listens."));
    report.below("(g) the production answers after a restart", OPEN_WITHIN.as_secs_f64(), all, " s");
    Ok(())
}

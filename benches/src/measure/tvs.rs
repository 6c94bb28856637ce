//! Connected idle TVs: what each costs in memory, and how fast all are back after a kill.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use playhouse_standins::{Fleet, FleetSettings};
use tokio::time::{sleep, timeout};

use super::{Plan, one_request_each};
use crate::{
    calls::Call,
    playhouse::Playhouse,
    prepare::{PairedTv, open_houses},
    report::Report,
};

/// A connected idle TV may take so many thousand bytes.
const MOST_KILOBYTES: f64 = 20.0;
/// All TVs must be back within so long of a kill. They redial after 1, 2, 4 … seconds, all in step.
const BACK_WITHIN: Duration = Duration::from_secs(30);
/// When to give up on a fleet that does not come online.
const GIVE_UP: Duration = Duration::from_secs(120);
/// Houses opened right before the kill: what was acknowledged must be there afterwards.
const N_LAST_MINUTE: usize = 50;

pub(crate) async fn run(program: &Path, plan: &Plan, report: &mut Report) -> Result<()> {
    let [_, most] = plan.n_tvs;
    let prepared = Playhouse::start(program).await?;
    let tvs = open_houses(prepared.address(), most).await?;
    // Started anew, so that what pairing left behind in memory counts neither for nor against the TVs.
    let mut playhouse = prepared.kill_and_restart().await?;
    report.title(&format!("Memory of connected idle TVs, {:?} after the last one came online", plan.settling));
    report.line(&format!(
        "{:>10} {:>14} {:>14} {:>12} {:>14}",
        "TVs", "server MB", "before MB", "KB a TV", "online after s"
    ));
    let mut fleet = None;
    for n_tvs in plan.n_tvs {
        // A fresh server for each number: memory that a mass disconnect leaves behind would hide what the next TVs take.
        drop(fleet.take());
        playhouse = playhouse.kill_and_restart().await?;
        plan.load(
            &playhouse.server,
            Call::ListTools,
            one_request_each(&playhouse.server, Call::ListTools, tokens(&tvs[..1])),
        )
        .await?;
        let before = playhouse.server.resident_bytes()?;
        let began = Instant::now();
        let mut dialled = dial(&playhouse, &tvs[..n_tvs]).await?;
        all_online(&mut dialled, n_tvs).await?;
        let online_after = began.elapsed();
        sleep(plan.settling).await;
        ensure!(
            dialled.n_online() == n_tvs,
            "{} of {n_tvs} TVs lost their sockets while idle",
            n_tvs - dialled.n_online()
        );
        let after = playhouse.server.resident_bytes()?;
        fleet = Some(dialled);
        let kilobytes_each = kilobytes(after.saturating_sub(before)) / number(n_tvs);
        report.line(&format!(
            "{n_tvs:>10} {:>14.1} {:>14.1} {kilobytes_each:>12.1} {:>14.2}",
            kilobytes(after) / 1000.0,
            kilobytes(before) / 1000.0,
            online_after.as_secs_f64()
        ));
        report.below(&format!("{n_tvs} connected idle TVs: memory each"), MOST_KILOBYTES, kilobytes_each, " KB");
    }
    if let Some(fleet) = fleet {
        restart(playhouse, fleet, most, report).await?;
    }
    Ok(())
}

async fn restart(playhouse: Playhouse, mut fleet: Fleet, n_tvs: usize, report: &mut Report) -> Result<()> {
    let last_minute = open_houses(playhouse.address(), N_LAST_MINUTE).await?;
    let killed = Instant::now();
    let playhouse = playhouse.kill_and_restart().await?;
    let listens_after = killed.elapsed();
    // Not before the first socket was lost, or the old ones would count as back.
    timeout(GIVE_UP, fleet.offline(n_tvs - 1)).await?;
    all_online(&mut fleet, n_tvs).await?;
    let back_after = killed.elapsed();
    let n_kept = count_alive(&playhouse, &last_minute).await;
    report.title(&format!("{n_tvs} TVs after a kill and a start"));
    report.line(&format!("server listens again after {:.2} s", listens_after.as_secs_f64()));
    report.line(&format!("all TVs are back after {:.2} s", back_after.as_secs_f64()));
    report.line(&format!("{n_kept} of {N_LAST_MINUTE} houses that were opened right before the kill are there"));
    report.within(&format!("{n_tvs} TVs back after a kill"), BACK_WITHIN, back_after);
    let all = N_LAST_MINUTE.to_string();
    report.judge("acknowledged houses that survived the kill", all, n_kept.to_string(), n_kept == N_LAST_MINUTE);
    Ok(())
}

async fn count_alive(playhouse: &Playhouse, tvs: &[PairedTv]) -> usize {
    let mut n_alive = 0;
    for tv in tvs {
        let request = Call::ListDevices.request(playhouse.address(), &tv.assistant_token);
        let Ok(mut connection) = crate::http1::Connection::open(playhouse.address()).await else { continue };
        if let Ok(response) = connection.exchange(&request).await
            && Call::ListDevices.is_answered_by(response.status, response.body)
        {
            n_alive += 1;
        }
    }
    n_alive
}

async fn dial(playhouse: &Playhouse, tvs: &[PairedTv]) -> Result<Fleet> {
    let bridge_tokens = tvs.iter().map(|tv| tv.bridge_token.clone()).collect();
    Ok(Fleet::start(FleetSettings::new(playhouse.url()?, bridge_tokens)).await?)
}

async fn all_online(fleet: &mut Fleet, n_tvs: usize) -> Result<()> {
    let online = timeout(GIVE_UP, fleet.online(n_tvs)).await.is_ok();
    ensure!(online, "only {} of {n_tvs} TVs were online after {GIVE_UP:?}", fleet.n_online());
    Ok(())
}

fn tokens(tvs: &[PairedTv]) -> impl Iterator<Item = &str> {
    tvs.iter().map(|tv| tv.assistant_token.as_str())
}

#[expect(clippy::cast_precision_loss, reason = "memory sizes and counts are far below 2^52")]
fn kilobytes(n_bytes: u64) -> f64 {
    n_bytes as f64 / 1000.0
}

#[expect(clippy::cast_precision_loss, reason = "memory sizes and counts are far below 2^52")]
fn number(count: usize) -> f64 {
    count as f64
}

//! What finding a title that is known adds to opening its link on a TV that answers at once.

use std::path::Path;

use anyhow::{Context, Result};
use playhouse_standins::{JustWatchStandin, OpTimes, SimulatedTv, StandinSettings, StoredPairing, TmdbStandin};

use super::{Plan, one_request_each};
use crate::{
    calls::Call,
    playhouse::Playhouse,
    prepare::open_houses,
    report::{Report, median, micros},
};

/// What a known title may add to a launch, in milliseconds at p50.
const MOST_ADDED_MILLIS: f64 = 1.0;

pub(crate) async fn run(program: &Path, plan: &Plan, report: &mut Report) -> Result<()> {
    let settings = StandinSettings::default();
    let (tmdb, justwatch) = (TmdbStandin::start(&settings), JustWatchStandin::start(&settings));
    let sections = format!(
        "\n[resolver]\ntmdb_api_key = \"{}\"\ntmdb_url = \"{}\"\njustwatch_url = \"{}\"\n",
        "0".repeat(32),
        tmdb.url(),
        justwatch.url()
    );
    let playhouse = Playhouse::start_with(program, &sections).await?;
    let paired = open_houses(playhouse.address(), 1).await?.pop().context("pairing made no TV")?;
    let tv = SimulatedTv::builder(playhouse.url()?)
        .resume(StoredPairing { token: paired.bridge_token, code: None })
        .op_times(OpTimes::immediate())
        .start();
    tv.online().await;

    let mut rounds = Vec::new();
    for _ in 0..plan.n_rounds {
        let mut p50 = [0.0; 2];
        for (at, call) in [Call::LaunchApp, Call::PlayTitle].into_iter().enumerate() {
            let token = std::iter::once(paired.assistant_token.as_str());
            let load = one_request_each(&playhouse.server, call, token);
            p50[at] = micros(plan.load(&playhouse.server, call, load).await?.outcome.p50);
        }
        rounds.push(p50);
    }
    report.title("Titles, one at a time");
    for (at, call) in [Call::LaunchApp, Call::PlayTitle].into_iter().enumerate() {
        let p50 = median(rounds.iter().map(|round| round[at]));
        report.line(&format!("{:<28} p50 {p50:>7.0} µs", format!("({}) {}", call.letter(), call.name())));
    }
    let added = median(rounds.iter().map(|[launch, play]| play - launch)) / 1e3;
    report.below("(f) a known title: adds to a launch's p50", MOST_ADDED_MILLIS, added, " ms");
    report.line(&format!("TMDB was asked {} times, JustWatch {} times.", tmdb.n_requests(), justwatch.n_requests()));
    Ok(())
}

//! Requests a second and latencies of each call beside the bare server's.

use std::path::Path;

use anyhow::Result;
use playhouse_standins::{Fleet, FleetSettings};

use super::{MOST_CONNECTIONS, Measured, N_CONNECTIONS, Plan, one_request_each, start_echo};
use crate::{
    calls::Call,
    playhouse::Playhouse,
    prepare::open_houses,
    report::{Report, median, micros},
};

/// (b) and (c) must reach this part of (a)'s rate.
const LEAST_RATE: f64 = 0.5;
/// Their p99 must stay below so many times (a)'s.
const MOST_P99: f64 = 3.0;
/// What a key press may add to a TV that answers at once, in milliseconds at p50.
const MOST_ADDED_MILLIS: f64 = 1.0;

pub(crate) async fn run(program: &Path, plan: &Plan, report: &mut Report) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let echo = start_echo(&folder.path().join("echo.log")).await?;
    let playhouse = Playhouse::start(program).await?;
    // One house, one TV and one assistant a connection.
    let tvs = open_houses(playhouse.address(), MOST_CONNECTIONS).await?;
    let bridge_tokens = tvs.iter().map(|tv| tv.bridge_token.clone()).collect();
    let mut fleet = Fleet::start(FleetSettings::new(playhouse.url()?, bridge_tokens)).await?;
    fleet.online(tvs.len()).await;

    for n_connections in N_CONNECTIONS {
        let mut rounds: Vec<[Measured; 4]> = Vec::new();
        for _ in 0..plan.n_rounds {
            let mut round = Vec::new();
            for call in Call::ALL {
                let server = if call == Call::Echo { &echo } else { &playhouse.server };
                let tokens = tvs[..n_connections].iter().map(|tv| tv.assistant_token.as_str());
                round.push(plan.load(server, call, one_request_each(server, call, tokens)).await?);
            }
            // In the order of `Call::ALL`.
            rounds.push([round[0], round[1], round[2], round[3]]);
        }
        print(report, n_connections, &rounds);
        judge(report, n_connections, &rounds);
    }
    Ok(())
}

/// The median over the rounds of what `figure` reads of one call and of the bare server in the same round.
fn over_rounds(rounds: &[[Measured; 4]], call: usize, figure: impl Fn(&Measured, &Measured) -> f64) -> f64 {
    median(rounds.iter().map(|round| figure(&round[call], &round[0])))
}

fn rate(measured: &Measured, bare: &Measured) -> f64 {
    measured.outcome.requests_per_second / bare.outcome.requests_per_second
}

fn p99_ratio(measured: &Measured, bare: &Measured) -> f64 {
    measured.outcome.p99.as_secs_f64() / bare.outcome.p99.as_secs_f64()
}

fn added_micros(measured: &Measured, bare: &Measured) -> f64 {
    micros(measured.outcome.p50) - micros(bare.outcome.p50)
}

fn print(report: &Report, n_connections: usize, rounds: &[[Measured; 4]]) {
    report.title(&format!("Calls, {n_connections} at once"));
    report.line(&format!(
        "{:<22} {:>11} {:>7} {:>9} {:>9} {:>11} {:>10} {:>16}",
        "", "requests/s", "of (a)", "p50 µs", "p99 µs", "p99 of (a)", "adds µs", "server CPU µs"
    ));
    for (at, call) in Call::ALL.into_iter().enumerate() {
        report.line(&format!(
            "{:<22} {:>11.0} {:>7.2} {:>9.0} {:>9.0} {:>11.2} {:>10.0} {:>16.1}",
            format!("({}) {}", call.letter(), call.name()),
            over_rounds(rounds, at, |measured, _| measured.outcome.requests_per_second),
            over_rounds(rounds, at, rate),
            over_rounds(rounds, at, |measured, _| micros(measured.outcome.p50)),
            over_rounds(rounds, at, |measured, _| micros(measured.outcome.p99)),
            over_rounds(rounds, at, p99_ratio),
            over_rounds(rounds, at, added_micros),
            over_rounds(rounds, at, |measured, _| measured.processor_micros),
        ));
    }
}

fn judge(report: &mut Report, n_connections: usize, rounds: &[[Measured; 4]]) {
    let place = |call: Call| Call::ALL.iter().position(|other| *other == call).unwrap_or_default();
    if n_connections == MOST_CONNECTIONS {
        for call in [Call::ListTools, Call::ListDevices] {
            let name = format!("({}) {}, {n_connections} at once", call.letter(), call.name());
            report.at_least(
                &format!("{name}: rate, part of (a)'s"),
                LEAST_RATE,
                over_rounds(rounds, place(call), rate),
            );
            report.below(
                &format!("{name}: p99, times (a)'s"),
                MOST_P99,
                over_rounds(rounds, place(call), p99_ratio),
                "",
            );
        }
    }
    if n_connections == 1 {
        // One at a time: with more, what is added is mostly waiting for a core.
        let added = over_rounds(rounds, place(Call::SendKey), added_micros) / 1e3;
        report.below("(d) tv_send_key, one at a time: adds to (a)'s p50", MOST_ADDED_MILLIS, added, " ms");
    }
}

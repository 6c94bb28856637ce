//! Whether a call is slower where many houses are in the store.

use std::{path::Path, sync::Arc};

use anyhow::Result;

use super::{MOST_CONNECTIONS, Measured, Plan, one_request_each};
use crate::{
    calls::Call,
    playhouse::Playhouse,
    prepare::{PairedTv, open_houses},
    report::{Report, median, micros},
};

/// The rate with the most houses must reach this part of the rate with one.
const LEAST_RATE: f64 = 0.9;

/// Who calls.
#[derive(Debug, Clone, Copy)]
enum Callers {
    /// All connections for the same house; the others lie in the store.
    OneHouse,
    /// Every house in turn: no call meets what the last one left in the processor's caches.
    EveryHouse,
}

pub(crate) async fn run(program: &Path, plan: &Plan, report: &mut Report) -> Result<()> {
    // All at once and measured in turn: an idle server costs the others nothing, and the machine's moods hit all alike.
    let mut instances = Vec::new();
    for n_houses in plan.n_houses {
        let playhouse = Playhouse::start(program).await?;
        let tvs = open_houses(playhouse.address(), n_houses).await?;
        instances.push((playhouse, tvs));
    }
    let [fewest, .., most] = plan.n_houses;
    for callers in [Callers::OneHouse, Callers::EveryHouse] {
        let mut rounds: Vec<Vec<Measured>> = Vec::new();
        for _ in 0..plan.n_rounds {
            let mut round = Vec::new();
            for (playhouse, tvs) in &instances {
                let scripts = scripts(callers, playhouse, tvs);
                round.push(plan.load(&playhouse.server, Call::ListDevices, scripts).await?);
            }
            rounds.push(round);
        }
        let who = match callers {
            Callers::OneHouse => "one house calls",
            Callers::EveryHouse => "every house calls in turn",
        };
        report.title(&format!("(c) tv_list_devices by houses in the store, {MOST_CONNECTIONS} at once, {who}"));
        report.line(&format!(
            "{:>10} {:>11} {:>13} {:>9} {:>9} {:>16}",
            "houses", "requests/s", "of one house", "p50 µs", "p99 µs", "server CPU µs"
        ));
        let mut last = f64::NAN;
        for (at, n_houses) in plan.n_houses.into_iter().enumerate() {
            let over_rounds = |figure: fn(&Measured) -> f64| median(rounds.iter().map(|round| figure(&round[at])));
            let rate = |measured: &Measured| measured.outcome.requests_per_second;
            last = median(rounds.iter().map(|round| rate(&round[at]) / rate(&round[0])));
            report.line(&format!(
                "{n_houses:>10} {:>11.0} {last:>13.2} {:>9.0} {:>9.0} {:>16.1}",
                over_rounds(rate),
                over_rounds(|measured| micros(measured.outcome.p50)),
                over_rounds(|measured| micros(measured.outcome.p99)),
                over_rounds(|measured| measured.processor_micros),
            ));
        }
        // The target speaks of houses in the store. Calling ten thousand in turn measures the processor's caches as well: shown, not judged.
        if matches!(callers, Callers::OneHouse) {
            report.at_least(&format!("(c) with {most} houses in the store, part of {fewest}'s rate"), LEAST_RATE, last);
        }
    }
    Ok(())
}

fn scripts(callers: Callers, playhouse: &Playhouse, tvs: &[PairedTv]) -> Vec<Arc<[Vec<u8>]>> {
    let server = &playhouse.server;
    match callers {
        Callers::OneHouse => {
            let same = std::iter::repeat_n(tvs[0].assistant_token.as_str(), MOST_CONNECTIONS);
            one_request_each(server, Call::ListDevices, same)
        }
        Callers::EveryHouse => (0..MOST_CONNECTIONS)
            .map(|connection| {
                // With fewer houses than connections some share one.
                let share = tvs
                    .iter()
                    .cycle()
                    .skip(connection)
                    .step_by(MOST_CONNECTIONS)
                    .take(tvs.len().div_ceil(MOST_CONNECTIONS));
                share.map(|tv| Call::ListDevices.request(server.address, &tv.assistant_token)).collect()
            })
            .collect(),
    }
}

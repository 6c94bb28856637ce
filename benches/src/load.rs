//! Closed-loop load: so many connections, each sending its next request when the last is answered.

use std::{
    net::SocketAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Result, ensure};
use hdrhistogram::Histogram;
use tokio::{sync::Barrier, task::JoinSet};

use crate::{calls::Call, http1::Connection};

/// What every connection is to send.
pub(crate) struct Load {
    pub(crate) server: SocketAddr,
    pub(crate) call: Call,
    /// One list a connection, sent round and round.
    pub(crate) scripts: Vec<Arc<[Vec<u8>]>>,
    pub(crate) warm_up: Duration,
    pub(crate) measured: Duration,
}

/// What came of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome {
    pub(crate) requests_per_second: f64,
    pub(crate) p50: Duration,
    pub(crate) p99: Duration,
    pub(crate) n_requests: u64,
}

/// Latencies are kept in tenths of a microsecond, up to ten seconds.
const NANOS_PER_UNIT: u64 = 100;
const MOST_UNITS: u64 = 10_000_000_000 / NANOS_PER_UNIT;

impl Load {
    pub(crate) async fn run(self) -> Result<Outcome> {
        let start = Arc::new(Barrier::new(self.scripts.len()));
        let mut connections = JoinSet::new();
        for script in self.scripts {
            let start = Arc::clone(&start);
            let (call, server, warm_up, measured) = (self.call, self.server, self.warm_up, self.measured);
            connections.spawn(async move {
                // Opened before the barrier, so that nobody's connecting falls into another's measured time. A failed
                // opening still reaches the barrier, or the others would wait for ever.
                let connection = Connection::open(server).await;
                start.wait().await;
                let mut connection = connection?;
                let mut requests = script.iter().cycle();
                send_for(&mut connection, call, &mut requests, warm_up, |_| {}).await?;
                let mut latencies = Histogram::<u64>::new_with_bounds(1, MOST_UNITS, 3)?;
                let began = Instant::now();
                send_for(&mut connection, call, &mut requests, measured, |latency| {
                    let units = u64::try_from(latency.as_nanos()).unwrap_or(u64::MAX) / NANOS_PER_UNIT;
                    latencies.saturating_record(units.max(1));
                })
                .await?;
                anyhow::Ok((latencies, began.elapsed()))
            });
        }
        let mut all = Histogram::<u64>::new_with_bounds(1, MOST_UNITS, 3)?;
        let mut requests_per_second = 0.0;
        while let Some(connection) = connections.join_next().await {
            let (latencies, took) = connection??;
            #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 requests")]
            let n_requests = latencies.len() as f64;
            // Each by its own time: they do not all end at the same instant.
            requests_per_second += n_requests / took.as_secs_f64();
            all.add(latencies)?;
        }
        let quantile = |quantile| Duration::from_nanos(all.value_at_quantile(quantile) * NANOS_PER_UNIT);
        Ok(Outcome { requests_per_second, p50: quantile(0.5), p99: quantile(0.99), n_requests: all.len() })
    }
}

async fn send_for(
    connection: &mut Connection,
    call: Call,
    requests: &mut (impl Iterator<Item = &Vec<u8>> + Send),
    time: Duration,
    mut on_answer: impl FnMut(Duration),
) -> Result<()> {
    let until = Instant::now() + time;
    for request in requests {
        let sent = Instant::now();
        if sent >= until {
            break;
        }
        let response = connection.exchange(request).await?;
        on_answer(sent.elapsed());
        ensure!(
            call.is_answered_by(response.status, response.body),
            "{} was answered {} {}",
            call.name(),
            response.status,
            String::from_utf8_lossy(&response.body[..response.body.len().min(400)])
        );
    }
    Ok(())
}

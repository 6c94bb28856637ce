//! The parts of a run.

pub(crate) mod calls;
pub(crate) mod houses;
pub(crate) mod library;
pub(crate) mod production;
pub(crate) mod proposals;
pub(crate) mod titles;
pub(crate) mod tvs;
pub(crate) mod uploads;

use std::{path::Path, sync::Arc, time::Duration};

use anyhow::{Result, ensure};

use crate::{
    calls::Call,
    load::{Load, Outcome},
    office::OfficeSize,
    process::{Server, free_address, n_cores},
};

/// How much of everything.
pub(crate) struct Plan {
    pub(crate) n_rounds: usize,
    pub(crate) warm_up: Duration,
    pub(crate) measured: Duration,
    /// Houses in the store, from one upwards.
    pub(crate) n_houses: [usize; 3],
    /// Connected idle TVs.
    pub(crate) n_tvs: [usize; 2],
    /// Films in the large library.
    pub(crate) n_films: u32,
    /// Rows of the long queue.
    pub(crate) n_queue_rows: u32,
    /// Houses with four libraries each.
    pub(crate) n_library_houses: usize,
    /// Calls in one round of what is asked one at a time.
    pub(crate) n_calls: usize,
    /// Scenes, assets and activity entries of the large production.
    pub(crate) office: OfficeSize,
    /// Proposals that wait in one house.
    pub(crate) n_proposals: usize,
    /// Proposals that are approved one after the other.
    pub(crate) n_approvals: usize,
    /// The size of one submission.
    pub(crate) upload_bytes: u64,
    /// How long connected TVs are left alone before memory is read: past one round of the server's probes.
    pub(crate) settling: Duration,
}

/// Connections at once, in the order they are measured.
pub(crate) const N_CONNECTIONS: [usize; 3] = [1, 8, 64];
/// The number of connections that the targets speak of.
pub(crate) const MOST_CONNECTIONS: usize = N_CONNECTIONS[N_CONNECTIONS.len() - 1];

impl Plan {
    pub(crate) fn full() -> Self {
        Self {
            n_rounds: 5,
            warm_up: Duration::from_millis(500),
            measured: Duration::from_secs(2),
            n_houses: [1, 1_000, 10_000],
            n_tvs: [1_000, 10_000],
            n_films: 10_000,
            n_queue_rows: 1_000,
            n_library_houses: 500,
            n_calls: 300,
            office: OfficeSize { n_scenes: 2_000, n_assets: 10_000, n_activity: 100_000 },
            n_proposals: 1_000,
            n_approvals: 50,
            upload_bytes: 2 << 30,
            settling: Duration::from_secs(35),
        }
    }

    pub(crate) fn quick() -> Self {
        Self {
            n_rounds: 3,
            warm_up: Duration::from_millis(100),
            measured: Duration::from_millis(300),
            n_houses: [1, 100, 1_000],
            n_tvs: [100, 1_000],
            n_films: 1_000,
            n_queue_rows: 1_000,
            n_library_houses: 25,
            n_calls: 30,
            office: OfficeSize { n_scenes: 200, n_assets: 1_000, n_activity: 2_000 },
            n_proposals: 250,
            n_approvals: 5,
            upload_bytes: 64 << 20,
            settling: Duration::from_secs(2),
        }
    }

    /// Each TV takes a descriptor here and one in the server.
    pub(crate) fn check_descriptors(&self, n_descriptors: u64) -> Result<()> {
        let needed = self.n_tvs[1] + 1_000;
        ensure!(
            n_descriptors >= u64::try_from(needed)?,
            "{} TVs need {needed} open files, and the hard limit is {n_descriptors}; raise it (`ulimit -Hn`) or use --quick",
            self.n_tvs[1]
        );
        Ok(())
    }

    pub(crate) async fn load(&self, server: &Server, call: Call, scripts: Vec<Arc<[Vec<u8>]>>) -> Result<Measured> {
        let before = server.processor_time()?;
        let load = Load { server: server.address, call, scripts, warm_up: self.warm_up, measured: self.measured };
        let outcome = load.run().await?;
        let used = server.processor_time()?.saturating_sub(before);
        // The time was used for the warm-up too; its share of the requests is its share of the time.
        let share = self.measured.as_secs_f64() / (self.warm_up + self.measured).as_secs_f64();
        #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 requests")]
        let processor_micros = used.as_secs_f64() * 1e6 * share / outcome.n_requests as f64;
        Ok(Measured { outcome, processor_micros })
    }
}

/// One round of one call.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measured {
    pub(crate) outcome: Outcome,
    /// Processor time of the server for one request, in microseconds.
    pub(crate) processor_micros: f64,
}

/// The bare server, in a process of its own.
pub(crate) async fn start_echo(log: &Path) -> Result<Server> {
    let address = free_address()?;
    let arguments =
        ["echo".to_owned(), "--listen".to_owned(), address.to_string(), "--workers".to_owned(), n_cores().to_string()];
    Server::start(&std::env::current_exe()?, arguments, address, log).await
}

/// One connection a token, each repeating the same request.
pub(crate) fn one_request_each<'t>(
    server: &Server,
    call: Call,
    tokens: impl Iterator<Item = &'t str>,
) -> Vec<Arc<[Vec<u8>]>> {
    tokens.map(|token| Arc::from([call.request(server.address, token)])).collect()
}

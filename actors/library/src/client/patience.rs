//! How long a kind of call may take.

use std::time::Duration;

/// How long a kind of call may take, from sending it to the last byte of its answer; the caller's deadline ends it sooner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Patience {
    /// Status and connection tests.
    Status10s,
    /// Everything that reads the service's own database.
    Quick30s,
    /// Whole libraries, and what reads files.
    Slow120s,
    /// What asks every indexer: minutes are ordinary.
    Search180s,
}

impl Patience {
    pub(crate) const fn duration(self) -> Duration {
        Duration::from_secs(match self {
            Patience::Status10s => 10,
            Patience::Quick30s => 30,
            Patience::Slow120s => 120,
            Patience::Search180s => 180,
        })
    }
}

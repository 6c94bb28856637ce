//! What the instance tells its operator: log lines, metrics, and whether it is up and ready.
//!
//! | what | where |
//! |---|---|
//! | one span a call; panics outside actors | standard error ([`logging`], [`calls`], [`panics`]) |
//! | `GET /metrics` | the listener of `[metrics]` ([`listener`]), named in [`names`] |
//! | `GET /healthz`, `GET /readyz` | the main listener ([`health`]) |
//!
//! Two rules hold in all of it. Nothing secret: no arguments, no keys, no bodies. And metrics are house-free: no label
//! ever names a house, a TV or a person, which would tell one customer's habits to whoever reads the dashboard and would
//! grow without bound; [`house_free`] enforces it.
//!
//! [`install`] comes first in `main`, before the bus is made: the bus looks its meters up once, and hands panics that are
//! not its own to the hook that it finds.

pub mod calls;
pub mod health;
pub mod house_free;
pub mod listener;
pub mod logging;
pub mod names;
pub mod panics;
mod process;
pub mod recorder;
pub mod requests;

use crate::config::Config;
use recorder::Exposition;

/// Why telemetry could not be set up. Each of these is a programmer's mistake: something else was installed before.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// Another subscriber receives the log lines of this process.
    #[error("another subscriber for log lines is already installed")]
    Logging(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// Another recorder receives the metrics of this process.
    #[error("another recorder for metrics is already installed")]
    Metrics,
    /// The histograms' buckets are not usable.
    #[error("the metrics recorder cannot be built")]
    Recorder(#[source] metrics_exporter_prometheus::BuildError),
}

/// Sets up logging, the panic hook and, where enabled, metrics, for the whole process.
///
/// The answer is what [`listener::bind`] serves; `None` when `metrics.enabled` is false.
///
/// # Errors
/// [`TelemetryError`] when something else was installed before.
pub fn install(config: &Config) -> Result<Option<Exposition>, TelemetryError> {
    logging::install(&config.logging)?;
    panics::install_hook();
    if config.metrics.enabled { Exposition::of_process().map(Some) } else { Ok(None) }
}

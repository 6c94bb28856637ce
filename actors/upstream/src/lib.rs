//! Outbound HTTP with manners: one [`Upstream`] a service, through which every request to it goes.
//!
//! It bounds what a call may cost us (time-outs, a cap on the body, no redirects), what we cost the service (pacing, few in flight,
//! `Retry-After` kept by everyone, a circuit that opens when the service is down), and what a failure may say: no host, no address and no
//! secret in any error, `Debug` or log line. Only reads are tried again, and only within the caller's deadline.

mod body;
mod circuit;
mod credential;
mod discipline;
mod error;
mod meter;
mod pace;
mod retry;
mod retry_after;
mod settings;
mod upstream;

pub use circuit::CircuitState;
pub use credential::Credential;
pub use error::{Said, UpstreamError};
pub use settings::{BuildError, CircuitSettings, RetrySettings, UpstreamSettings};
pub use upstream::Upstream;

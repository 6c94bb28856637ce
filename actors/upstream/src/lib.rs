//! Outbound HTTP with manners: one [`Upstream`] a service, through which every request to it goes.
//!
//! It bounds what a call may cost us (time-outs, a cap on the body, no redirects), what we cost the service (pacing, few in flight,
//! `Retry-After` kept by everyone, a circuit that opens when the service is down), and what a failure may say: no host, no address and no
//! secret in any error, `Debug` or log line. Only reads are tried again, and only within the caller's deadline; what may change something
//! is sent once, and its error tells whether it may have happened.
//!
//! An upstream has connections of its own ([`Upstream::new`]) or shares those of an [`HttpClient`] with thousands of others
//! ([`Upstream::over`]), whose [`AddressPolicy`] judges each address when a connection is made.

mod address;
mod body;
mod circuit;
mod credential;
mod discipline;
mod error;
mod http;
mod meter;
mod pace;
mod page;
mod redirect;
mod request;
mod retry;
mod retry_after;
mod settings;
mod unreached;
mod upstream;

pub use address::AddressPolicy;
pub use body::Sink;
pub use circuit::CircuitState;
pub use credential::{Credential, Login};
pub use error::{Said, UpstreamError, WriteError};
pub use http::{HttpClient, HttpFault, HttpSettings};
pub use page::WebPage;
pub use redirect::RedirectTarget;
pub use request::{Request, Verb};
pub use settings::{BuildError, CircuitSettings, RetrySettings, UpstreamSettings};
pub use unreached::Unreached;
pub use upstream::Upstream;

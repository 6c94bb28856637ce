//! The client of the four services: against recorded answers, against their descriptions, and against a service on loopback that answers
//! what it is told.

#![expect(clippy::unwrap_used, reason = "a test may stop where it is surprised")]

mod answers;
mod cases;
mod descriptions;
mod recordings;
mod shared;
#[expect(dead_code, reason = "the upstream's own tests need more of it")]
#[path = "../../../upstream/tests/support/mod.rs"]
mod support;

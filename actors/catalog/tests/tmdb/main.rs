//! The TMDB client against a TMDB on loopback, and against recorded answers where they are at hand.

#![expect(clippy::unwrap_used, reason = "a test may stop where it is surprised")]

mod failures;
mod search;
mod support;
mod threads;
mod titles;

//! Settings changes from the question to the history, against applications on loopback.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

mod applying;
mod deciding;
mod history;
mod lane;
mod parking;
mod restoring;
mod storing;
mod sweeping;
mod town;
mod upserting;

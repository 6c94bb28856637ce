//! What a killed, a watched and a failing process show of the durability rule, seen from outside the process.
//!
//! The process is this test program itself, started again to run only [`writer::writing_process`].

#![expect(clippy::unwrap_used, reason = "a test may stop where it is surprised")]

mod failing_sync;
mod killed;
mod sync_order;
mod traced;
mod writer;

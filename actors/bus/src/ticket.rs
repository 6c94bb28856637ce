//! A call's place, and the books: every admitted call is counted once when it comes and once when it ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

use tokio::time::Instant;

use crate::Behaviour;
use crate::admission::Passes;
use crate::cell::Cell;
use crate::latency::Histogram;

/// A call's place at its actor, its house and the instance. Its drop gives all three back and books how the call ended, so no
/// path can forget to.
pub(crate) struct Ticket<B: Behaviour> {
    pub(crate) cell: Arc<Cell<B>>,
    admitted_at: Instant,
    begun: bool,
    end: End,
    _passes: Passes,
}

/// How a call ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Replied,
    Failed,
    /// Given up after its grace.
    Unknown,
    /// Nobody waited for the reply any more, or it was refused after it was queued.
    Abandoned,
}

/// One actor's counters.
#[derive(Default)]
pub(crate) struct Counts {
    /// Queued and in flight. Goes up only under the lock of the cell.
    pub(crate) admitted: AtomicU32,
    pub(crate) in_flight: AtomicU32,
    pub(crate) handled: AtomicU64,
    pub(crate) failed: AtomicU64,
    pub(crate) unknown: AtomicU64,
    pub(crate) abandoned: AtomicU64,
    /// On the bus's own clock.
    pub(crate) last_used_ms: AtomicU64,
    pub(crate) latency: Histogram,
    /// The last start found nothing: the cell goes with its last caller.
    pub(crate) nothing_stored: AtomicBool,
}

impl Counts {
    pub(crate) fn admitted(&self) -> u32 {
        self.admitted.load(Ordering::Acquire)
    }
}

impl<B: Behaviour> Ticket<B> {
    /// Counts a call; only under the lock of its cell.
    pub(crate) fn issue(cell: &Arc<Cell<B>>, passes: Passes, now: Instant) -> Self {
        cell.counts.admitted.fetch_add(1, Ordering::AcqRel);
        Self { cell: Arc::clone(cell), admitted_at: now, begun: false, end: End::Abandoned, _passes: passes }
    }

    /// The actor has taken the call from its queue.
    pub(crate) fn begin(&mut self) {
        self.begun = true;
        self.cell.counts.in_flight.fetch_add(1, Ordering::AcqRel);
    }

    /// The call ended so. A ticket that is merely dropped was abandoned.
    pub(crate) fn end(mut self, end: End) {
        self.end = end;
    }
}

impl<B: Behaviour> Drop for Ticket<B> {
    fn drop(&mut self) {
        let now = Instant::now();
        let Cell { counts, shared, .. } = &*self.cell;
        match self.end {
            End::Replied => {
                let waited = now - self.admitted_at;
                counts.handled.fetch_add(1, Ordering::Relaxed);
                counts.latency.record(waited);
                shared.totals.handled.add_one();
                shared.totals.seconds.record(waited);
            }
            End::Failed | End::Unknown => {
                counts.failed.fetch_add(1, Ordering::Relaxed);
                shared.totals.failed.add_one();
                if self.end == End::Unknown {
                    counts.unknown.fetch_add(1, Ordering::Relaxed);
                }
            }
            End::Abandoned => {
                counts.abandoned.fetch_add(1, Ordering::Relaxed);
                shared.totals.abandoned.add_one();
            }
        }
        if self.begun {
            counts.in_flight.fetch_sub(1, Ordering::AcqRel);
        }
        self.cell.used(now);
        let was_last = counts.admitted.fetch_sub(1, Ordering::AcqRel) == 1;
        if was_last && counts.nothing_stored.load(Ordering::Relaxed) {
            self.cell.forget();
        }
    }
}

//! Looks after what no call and no actor can notice by itself: blocked threads, lost actors, idle ones.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::bus::Inner;

/// Sweeps until the bus is closed or dropped. With arbiters of its own it runs on another one than any actor, or it could not
/// see theirs blocked.
pub(crate) async fn run(bus: Weak<Inner>, every: Duration) {
    let mut ticks = interval(every);
    // A machine that slept must not find many sweeps due at once: each counts as a chance to answer.
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let Some(bus) = bus.upgrade() else { return };
        if bus.is_closed() {
            return;
        }
        sweep(&bus);
    }
}

fn sweep(bus: &Arc<Inner>) {
    let settings = &bus.settings;
    let most_missed = settings.blocked_after.as_millis().div_ceil(settings.sweep_every.as_millis().max(1));
    let left = bus.surroundings.seats.sweep(u32::try_from(most_missed).unwrap_or(u32::MAX));
    let now = Instant::now();
    for served in bus.all_served() {
        for arbiter in &left {
            served.leave_arbiter(*arbiter);
        }
        served.sweep(now, settings.forget_after);
    }
    bus.surroundings.houses.forget_unused();
}

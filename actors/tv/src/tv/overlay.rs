//! Taking subtitles away again.
//!
//! A line stays on the screen until it is cleared, also when the relay goes away, so none may be left up: each is cleared after its time,
//! when the TV dials in again after it was lost with a line up, and when the relay shuts down in good order.

use std::time::Duration;

use playhouse_house::TvId;

use crate::links::Links;

/// Has whatever line is laid over `tv` taken away after `duration`. A line that is shown later runs on a time of its own.
pub(super) fn take_away_after(links: &Links, tv: TvId, duration: Duration) {
    let shown = links.overlays().note(tv);
    let links = links.clone();
    // Apart from the actor, which may be put away or rebuilt before the time is up.
    tokio::task::spawn_local(async move {
        tokio::time::sleep(duration).await;
        if links.overlays().is_latest(tv, shown) {
            clear_what_was_left(&links, tv);
        }
    });
}

/// Clears the line that is laid over `tv`, if there is one. While the TV is away it stays noted, for when the TV is back.
pub(super) fn clear_what_was_left(links: &Links, tv: TvId) {
    let Some(link) = links.current(tv).filter(|_| links.overlays().is_up(tv)) else { return };
    if link.send(link.clearing_frame()).is_ok() {
        links.overlays().forget(tv);
    }
}

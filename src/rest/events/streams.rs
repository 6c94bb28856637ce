//! How many streams of events there are at once, and their common end.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actix_web::http::StatusCode;
use playhouse_bus::HouseId;
use tokio::sync::watch;

use super::pump::HEARTBEAT;
use crate::config;
use crate::http::Refusal;
use crate::telemetry::names;

/// When trying again is worth it: a client that went without a word is noticed when a heartbeat cannot be written, the second at the latest.
const RETRY_AFTER: Duration = Duration::from_secs(2 * HEARTBEAT.as_secs());

/// The streams of one instance. Clones are one.
#[derive(Clone)]
pub struct EventStreams {
    shared: Arc<Shared>,
}

struct Shared {
    most: usize,
    most_of_house: usize,
    /// Streams of each house that has some.
    taken: Mutex<HashMap<HouseId, usize>>,
    closing: watch::Sender<bool>,
}

/// One stream's place; free again when it is dropped.
pub(super) struct Place {
    shared: Arc<Shared>,
    house: HouseId,
}

impl EventStreams {
    /// No streams yet, and as many places as configured.
    pub fn new(settings: &config::Events) -> Self {
        let shared = Shared {
            most: settings.max_streams,
            most_of_house: settings.max_streams_per_house,
            taken: Mutex::default(),
            closing: watch::Sender::new(false),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Ends all streams and lets no new one begin.
    pub fn close(&self) {
        self.shared.closing.send_replace(true);
    }

    /// Tells when all streams are to end.
    pub(super) fn closing(&self) -> watch::Receiver<bool> {
        self.shared.closing.subscribe()
    }

    /// Takes a place for one more stream of `house`.
    pub(super) fn take(&self, house: HouseId) -> Result<Place, Refusal> {
        if *self.shared.closing.borrow() {
            return Err(Refusal::later("This server is shutting down.", RETRY_AFTER));
        }
        let mut taken = self.shared.taken();
        if taken.values().sum::<usize>() >= self.shared.most {
            return Err(Refusal::later("Too many event streams are open on this server.", RETRY_AFTER));
        }
        let of_house = taken.entry(house).or_default();
        if *of_house >= self.shared.most_of_house {
            return Err(Refusal::Plain {
                status: StatusCode::TOO_MANY_REQUESTS,
                detail: format!("This house has {of_house} event streams open, the most it may have. Close one first."),
                retry_after: Some(RETRY_AFTER),
            });
        }
        *of_house += 1;
        metrics::gauge!(names::EVENT_STREAMS).increment(1);
        Ok(Place { shared: Arc::clone(&self.shared), house })
    }
}

impl Shared {
    fn taken(&self) -> MutexGuard<'_, HashMap<HouseId, usize>> {
        // Counts cannot be left half-changed by a panic.
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.shared.taken();
        if let Some(of_house) = taken.get_mut(&self.house) {
            *of_house -= 1;
            if *of_house == 0 {
                taken.remove(&self.house);
            }
        }
        metrics::gauge!(names::EVENT_STREAMS).decrement(1);
    }
}

#[cfg(test)]
mod tests {
    use actix_web::ResponseError;

    use super::*;

    fn streams(max_streams: usize, max_streams_per_house: usize) -> EventStreams {
        EventStreams::new(&config::Events { max_streams, max_streams_per_house })
    }

    fn house(number: u128) -> HouseId {
        HouseId::from_uuid(uuid::Uuid::from_u128(number))
    }

    fn status(taken: Result<Place, Refusal>) -> u16 {
        taken.err().map_or(200, |refusal| refusal.status_code().as_u16())
    }

    #[test]
    fn a_house_that_has_all_its_streams_leaves_the_others_theirs() {
        let streams = streams(10, 2);
        let first = streams.take(house(1)).unwrap();
        let _second = streams.take(house(1)).unwrap();
        assert_eq!(status(streams.take(house(1))), 429);
        let refused = streams.take(house(1)).err().unwrap().error_response();
        assert_eq!(refused.headers().get("Retry-After").unwrap(), "30");
        assert_eq!(status(streams.take(house(2))), 200);
        drop(first);
        assert_eq!(status(streams.take(house(1))), 200);
    }

    #[test]
    fn a_full_server_says_so_to_every_house() {
        let streams = streams(2, 2);
        let _taken = [streams.take(house(1)).unwrap(), streams.take(house(2)).unwrap()];
        assert_eq!(status(streams.take(house(3))), 503);
    }

    #[test]
    fn a_house_without_streams_takes_no_memory() {
        let streams = streams(2, 2);
        drop(streams.take(house(1)));
        assert!(streams.shared.taken().is_empty());
    }

    #[test]
    fn no_stream_begins_while_all_end() {
        let streams = streams(2, 2);
        let closing = streams.closing();
        streams.close();
        assert!(*closing.borrow());
        assert_eq!(status(streams.take(house(1))), 503);
    }
}

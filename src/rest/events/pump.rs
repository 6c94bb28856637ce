//! One stream: from what was kept, and what happens now, to the bytes of server-sent events.

use std::sync::Arc;
use std::time::Duration;

use actix_web::web::Bytes;
use playhouse_proposals::{AdminEvent, EventId};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc, watch};
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};

/// How often a silent stream says that it is alive. Proxies cut what is silent for a minute.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(15);
/// Pieces that may wait for a client. With that many waiting, nothing more is read for it.
pub(super) const MAX_WAITING: usize = 16;
/// How long a client may leave all those waiting. It then takes the stream up again where it was.
const MAX_STALL: Duration = Duration::from_secs(30);
/// After how many milliseconds a browser takes a stream up again.
const OPENING: &str = "retry: 3000\n: profile_change_pending and profile_change_decided, as they happen\n\n";
const ALIVE: &str = ": alive\n\n";
const LOCKED_OUT: &str = ": this key does not open this stream any more\n\n";

/// What a stream is made of.
pub(super) struct Feed<List, MayGoOn> {
    /// What happens from now on.
    pub(super) live: broadcast::Receiver<Arc<AdminEvent>>,
    /// The last event that the client says it has seen; `None` for one that wants new events only.
    pub(super) seen: Option<EventId>,
    /// Reads kept events after one, the oldest first; none when there are no more. `None` when they cannot be read.
    pub(super) list: List,
    /// Whether the key still opens the stream. Asked before every event and every heartbeat.
    pub(super) may_go_on: MayGoOn,
}

/// Feeds `out` until the client is gone, its key opens this no more, it reads too slowly, events cannot be read, or all streams close. What is
/// not sent is kept: the client takes the stream up again.
pub(super) async fn pump<List, MayGoOn>(
    feed: Feed<List, MayGoOn>,
    out: mpsc::Sender<Bytes>,
    mut closing: watch::Receiver<bool>,
) where
    List: AsyncFn(EventId) -> Option<Vec<AdminEvent>>,
    MayGoOn: Fn() -> bool,
{
    let gone = out.clone();
    let Feed { live, seen, list, may_go_on } = feed;
    let line = Line { out, list, may_go_on, last: seen, has_sent: false };
    tokio::select! {
        _ = line.run(live) => {}
        () = gone.closed() => {}
        // An error means that the server itself is gone.
        _ = closing.wait_for(|is_closing| *is_closing) => {}
    }
}

/// The stream is over; why is of no use to anybody but the client, who sees it.
struct Over;

struct Line<List, MayGoOn> {
    out: mpsc::Sender<Bytes>,
    list: List,
    may_go_on: MayGoOn,
    /// The last event that the client has, by its own word until something was sent.
    last: Option<EventId>,
    has_sent: bool,
}

impl<List, MayGoOn> Line<List, MayGoOn>
where
    List: AsyncFn(EventId) -> Option<Vec<AdminEvent>>,
    MayGoOn: Fn() -> bool,
{
    async fn run(mut self, mut live: broadcast::Receiver<Arc<AdminEvent>>) -> Result<(), Over> {
        self.send(OPENING).await?;
        if let Some(seen) = self.last {
            self.catch_up(seen).await?;
        }
        let mut heartbeat = interval_at(Instant::now() + HEARTBEAT, HEARTBEAT);
        heartbeat.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut n_missed = 0;
        loop {
            tokio::select! {
                event = live.recv() => match event {
                    Ok(event) => self.take(&event, std::mem::take(&mut n_missed)).await?,
                    Err(RecvError::Lagged(n)) => n_missed += n,
                    Err(RecvError::Closed) => return Err(Over),
                },
                _ = heartbeat.tick() => self.send_if_open(ALIVE).await?,
            }
        }
    }

    /// Passes on what happened now, after what was missed before it.
    async fn take(&mut self, event: &AdminEvent, n_missed: u64) -> Result<(), Over> {
        let before = EventId(event.id.0.saturating_sub(1));
        match self.last {
            Some(last) if last < before => self.catch_up(last).await?,
            // One that was read from the store meanwhile. What a client only says it has may be of a store that is no more.
            Some(last) if last > before && self.has_sent => return Ok(()),
            None if n_missed > 0 => self.catch_up(EventId(before.0.saturating_sub(n_missed))).await?,
            Some(_) | None => {}
        }
        // Reading what was missed has brought this one along, as a rule.
        if self.has_sent && self.last.is_some_and(|last| last >= event.id) {
            return Ok(());
        }
        self.pass(event).await
    }

    /// Passes on all that is kept after `last`.
    async fn catch_up(&mut self, mut last: EventId) -> Result<(), Over> {
        loop {
            let page = (self.list)(last).await.ok_or(Over)?;
            let new = page.iter().filter(|event| event.id > last);
            let mut newest = last;
            for event in new {
                self.pass(event).await?;
                newest = event.id;
            }
            if newest == last {
                return Ok(());
            }
            last = newest;
        }
    }

    async fn pass(&mut self, event: &AdminEvent) -> Result<(), Over> {
        let data = serde_json::to_string(event).map_err(|_| Over)?;
        self.send_if_open(format!("id: {}\nevent: {}\ndata: {data}\n\n", event.id, event.kind.name())).await?;
        self.last = Some(event.id);
        self.has_sent = true;
        Ok(())
    }

    /// Sends what only a key may have that still opens the stream. It is looked up when there is room: the wait for it may be long.
    async fn send_if_open(&self, piece: impl Into<Bytes>) -> Result<(), Over> {
        let room = self.room().await?;
        if (self.may_go_on)() {
            room.send(piece.into());
            return Ok(());
        }
        room.send(LOCKED_OUT.into());
        Err(Over)
    }

    async fn send(&self, piece: impl Into<Bytes>) -> Result<(), Over> {
        self.room().await?.send(piece.into());
        Ok(())
    }

    /// Room for one more piece that waits for the client.
    async fn room(&self) -> Result<mpsc::Permit<'_, Bytes>, Over> {
        let room = timeout(MAX_STALL, self.out.reserve()).await;
        room.map_err(|_| Over)?.map_err(|_| Over)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::{Cell, RefCell};
    use std::rc::Rc;

    use playhouse_proposals::{EventKind, ProposalId};

    use super::*;

    fn event(id: u64) -> AdminEvent {
        let kind = EventKind::ProfileChangeDecided { proposal_id: ProposalId(id), pending_count: 0 };
        AdminEvent { id: EventId(id), at: jiff::Timestamp::UNIX_EPOCH, kind }
    }

    /// A stream under test: what is kept, what happens, and what the client gets.
    struct Bench {
        kept: Rc<RefCell<Vec<u64>>>,
        n_reads: Rc<Cell<usize>>,
        may_go_on: Rc<Cell<bool>>,
        happens: broadcast::Sender<Arc<AdminEvent>>,
        closing: watch::Sender<bool>,
        pieces: mpsc::Receiver<Bytes>,
    }

    impl Bench {
        /// A stream of a client that has seen `seen`, over a store that keeps `kept`. Runs on a local set.
        fn start(seen: Option<u64>, kept: &[u64]) -> Self {
            let kept = Rc::new(RefCell::new(kept.to_vec()));
            let (n_reads, may_go_on) = (Rc::new(Cell::new(0)), Rc::new(Cell::new(true)));
            // As many as a listener may be behind in the tests.
            let (happens, live) = broadcast::channel(4);
            let (chunks, pieces) = mpsc::channel(MAX_WAITING);
            let closing = watch::Sender::new(false);
            let (stored, counted, allowed) = (Rc::clone(&kept), Rc::clone(&n_reads), Rc::clone(&may_go_on));
            let feed = Feed {
                live,
                seen: seen.map(EventId),
                list: async move |after: EventId| {
                    counted.set(counted.get() + 1);
                    // Two a page, so that pages are turned.
                    let page =
                        stored.borrow().iter().filter(|id| **id > after.0).take(2).map(|id| event(*id)).collect();
                    Some(page)
                },
                may_go_on: move || allowed.get(),
            };
            tokio::task::spawn_local(pump(feed, chunks, closing.subscribe()));
            Self { kept, n_reads, may_go_on, happens, closing, pieces }
        }

        /// Keeps an event and tells of it, as the house's queue does.
        fn happen(&self, id: u64) {
            self.kept.borrow_mut().push(id);
            let _ = self.happens.send(Arc::new(event(id)));
        }

        /// The next piece; `None` at the end of the stream.
        async fn next(&mut self) -> Option<String> {
            self.pieces.recv().await.map(|piece| String::from_utf8(piece.to_vec()).unwrap())
        }

        /// The ids of the next `n` events.
        async fn ids(&mut self, n: usize) -> Vec<u64> {
            let mut ids = Vec::new();
            while ids.len() < n {
                let piece = self.next().await.expect("the stream goes on");
                ids.extend(piece.lines().find_map(|line| line.strip_prefix("id: ")?.parse::<u64>().ok()));
            }
            ids
        }
    }

    async fn on_a_thread_of_its_own(test: impl Future<Output = ()>) {
        tokio::time::pause();
        tokio::task::LocalSet::new().run_until(test).await;
    }

    #[tokio::test]
    async fn what_was_missed_comes_first_then_what_happens_each_once_and_in_order() {
        on_a_thread_of_its_own(async {
            let mut bench = Bench::start(Some(2), &[1, 2, 3, 4, 5]);
            assert_eq!(bench.ids(3).await, [3, 4, 5]);
            bench.happen(6);
            bench.happen(7);
            assert_eq!(bench.ids(2).await, [6, 7]);
        })
        .await;
    }

    #[tokio::test]
    async fn who_names_no_event_gets_new_ones_only_and_nothing_is_read() {
        on_a_thread_of_its_own(async {
            let mut bench = Bench::start(None, &[1, 2, 3]);
            assert!(bench.next().await.unwrap().starts_with("retry: 3000\n"));
            bench.happen(4);
            assert_eq!(bench.ids(1).await, [4]);
            assert_eq!(bench.n_reads.get(), 0);
        })
        .await;
    }

    #[tokio::test]
    async fn one_that_happens_while_the_kept_ones_are_read_comes_once() {
        on_a_thread_of_its_own(async {
            let mut bench = Bench::start(Some(0), &[1]);
            bench.happen(2);
            assert_eq!(bench.ids(2).await, [1, 2]);
            bench.happen(3);
            assert_eq!(bench.ids(1).await, [3]);
        })
        .await;
    }

    #[tokio::test]
    async fn a_listener_that_falls_behind_reads_what_it_missed() {
        on_a_thread_of_its_own(async {
            for seen in [None, Some(1)] {
                let mut bench = Bench::start(seen, &[1]);
                assert!(bench.next().await.unwrap().starts_with("retry: 3000\n"));
                // More at once than are held for a listener.
                (2..=12).for_each(|id| bench.happen(id));
                assert_eq!(bench.ids(11).await, (2..=12).collect::<Vec<_>>(), "{seen:?}");
            }
        })
        .await;
    }

    #[tokio::test]
    async fn events_told_out_of_order_are_passed_on_in_order() {
        on_a_thread_of_its_own(async {
            let mut bench = Bench::start(Some(1), &[1]);
            bench.kept.borrow_mut().extend([2, 3]);
            for id in [3, 2] {
                bench.happens.send(Arc::new(event(id))).unwrap();
            }
            bench.happen(4);
            assert_eq!(bench.ids(3).await, [2, 3, 4]);
        })
        .await;
    }

    #[tokio::test]
    async fn a_client_of_a_store_that_is_no_more_hears_of_this_one() {
        on_a_thread_of_its_own(async {
            let mut bench = Bench::start(Some(5_000), &[1]);
            assert!(bench.next().await.unwrap().starts_with("retry: 3000\n"));
            tokio::task::yield_now().await;
            bench.happen(2);
            bench.happen(3);
            assert_eq!(bench.ids(2).await, [2, 3]);
        })
        .await;
    }

    #[tokio::test]
    async fn a_silent_stream_says_every_fifteen_seconds_that_it_is_alive() {
        on_a_thread_of_its_own(async {
            let mut bench = Bench::start(None, &[]);
            let began = Instant::now();
            bench.next().await;
            for n_beats in 1..=3 {
                assert_eq!(bench.next().await.as_deref(), Some(ALIVE));
                assert_eq!(began.elapsed().as_secs(), (HEARTBEAT * n_beats).as_secs());
            }
        })
        .await;
    }

    #[tokio::test]
    async fn a_key_that_opens_this_no_more_ends_the_stream_before_the_next_event() {
        on_a_thread_of_its_own(async {
            let mut bench = Bench::start(None, &[]);
            bench.next().await;
            bench.may_go_on.set(false);
            bench.happen(1);
            assert_eq!(bench.next().await.as_deref(), Some(LOCKED_OUT));
            assert_eq!(bench.next().await, None);
        })
        .await;
    }

    #[tokio::test]
    async fn a_key_that_opens_this_no_more_ends_a_silent_stream_at_its_next_heartbeat() {
        on_a_thread_of_its_own(async {
            let mut bench = Bench::start(None, &[]);
            bench.next().await;
            bench.may_go_on.set(false);
            assert_eq!((bench.next().await.as_deref(), bench.next().await), (Some(LOCKED_OUT), None));
        })
        .await;
    }

    #[tokio::test]
    async fn what_waited_for_room_is_not_sent_to_a_key_that_was_revoked_meanwhile() {
        on_a_thread_of_its_own(async {
            let mut bench = Bench::start(Some(0), &(1..=20).collect::<Vec<_>>());
            // Until as much waits as may: the opening and the first events.
            tokio::time::sleep(Duration::from_secs(1)).await;
            bench.may_go_on.set(false);
            assert_eq!(bench.ids(MAX_WAITING - 1).await, (1..MAX_WAITING as u64).collect::<Vec<_>>());
            assert_eq!((bench.next().await.as_deref(), bench.next().await), (Some(LOCKED_OUT), None));
        })
        .await;
    }

    #[tokio::test]
    async fn a_client_that_does_not_read_is_let_go_and_holds_up_nobody() {
        on_a_thread_of_its_own(async {
            let bench = Bench::start(None, &[]);
            tokio::task::yield_now().await;
            let began = Instant::now();
            while bench.happens.receiver_count() > 0 {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            // The opening and fifteen heartbeats wait; the next one is not taken in time.
            let expected = HEARTBEAT * u32::try_from(MAX_WAITING).unwrap() + MAX_STALL;
            assert!(began.elapsed() <= expected + Duration::from_secs(1), "{:?}", began.elapsed());
            assert!(began.elapsed() >= MAX_STALL, "{:?}", began.elapsed());
        })
        .await;
    }

    #[tokio::test]
    async fn all_streams_end_when_the_server_does() {
        on_a_thread_of_its_own(async {
            let mut bench = Bench::start(None, &[]);
            bench.next().await;
            bench.closing.send_replace(true);
            assert_eq!(bench.next().await, None);
        })
        .await;
    }

    #[tokio::test]
    async fn a_client_that_is_gone_ends_its_stream_at_once() {
        on_a_thread_of_its_own(async {
            let Bench { pieces, happens, closing: _closing, .. } = Bench::start(None, &[]);
            tokio::task::yield_now().await;
            drop(pieces);
            tokio::task::yield_now().await;
            assert_eq!(happens.receiver_count(), 0);
        })
        .await;
    }

    #[tokio::test]
    async fn an_event_is_named_numbered_and_on_one_line() {
        on_a_thread_of_its_own(async {
            let mut bench = Bench::start(Some(0), &[7]);
            bench.next().await;
            assert_eq!(
                bench.next().await.as_deref(),
                Some(concat!(
                    "id: 7\nevent: profile_change_decided\n",
                    r#"data: {"id":7,"at":"1970-01-01T00:00:00Z","event":"profile_change_decided","proposal_id":7,"pending_count":0}"#,
                    "\n\n"
                ))
            );
        })
        .await;
    }
}

//! How much may be under way at one instance.

use std::collections::HashMap;
use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;
use playhouse_bus::{ActorKey, Deadline};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::{timeout, timeout_at};

use crate::settings::WriteLease;

/// Reads under way at one instance. Behind an arr sit SQLite and two worker threads; more at once only makes each slower.
const QUICK_READS: usize = 3;

/// How long the lane for writes can be held over several calls. A holder that died gives nothing back, and must not block the instance for
/// good; one that lives needs a look and a write, each of which may take two minutes.
const LEASE_LIMIT: Duration = Duration::from_secs(300);

/// What may be under way at one instance: a few quick reads, one slow search beside them, and one write.
///
/// Each lane waits for itself only, so a search that asks indexers for minutes holds back neither reads nor writes.
pub(crate) struct Lanes {
    quick: Semaphore,
    slow: Semaphore,
    write: Arc<Semaphore>,
    /// Who holds the lane for writes over several calls. Invariant: nobody else gets into it meanwhile.
    lease: Mutex<Option<Lease>>,
    n_leases: Arc<AtomicU64>,
}

/// The lane for writes, held over several calls.
struct Lease {
    number: WriteLease,
    /// `None` while a write under it is under way, which has it then.
    turn: Option<OwnedSemaphorePermit>,
    /// Dropping it ends the wait for [`LEASE_LIMIT`].
    _kept: oneshot::Sender<()>,
}

impl Lanes {
    /// `n_leases` counts the leases of all lanes, so that no two ever have the same number.
    fn new(n_leases: Arc<AtomicU64>) -> Self {
        Self {
            quick: Semaphore::new(QUICK_READS),
            slow: Semaphore::new(1),
            write: Arc::new(Semaphore::new(1)),
            lease: Mutex::default(),
            n_leases,
        }
    }

    /// Runs a quick read when there is room. Dropping it gives the place back.
    pub(crate) async fn quick<T>(&self, read: impl Future<Output = T>) -> T {
        in_turn(&self.quick, read).await
    }

    /// Runs a slow search when no other one runs.
    pub(crate) async fn slow<T>(&self, search: impl Future<Output = T>) -> T {
        in_turn(&self.slow, search).await
    }

    /// Runs a quick read when there is room; `None` when there was none by `deadline`, and then it was not begun.
    pub(crate) async fn quick_by<T>(&self, deadline: Deadline, read: impl Future<Output = T>) -> Option<T> {
        in_turn_by(&self.quick, deadline, || read).await
    }

    /// Runs a slow search when no other one runs; `None` as for [`Lanes::quick_by`].
    pub(crate) async fn slow_by<T>(&self, deadline: Deadline, search: impl Future<Output = T>) -> Option<T> {
        in_turn_by(&self.slow, deadline, || search).await
    }

    /// Runs a write when no other one runs; `None` when its turn did not come by `deadline`, and then it was not begun.
    pub(crate) async fn write<T, F: Future<Output = T>>(
        &self,
        deadline: Deadline,
        begin: impl FnOnce() -> F,
    ) -> Option<T> {
        in_turn_by(&self.write, deadline, begin).await
    }

    /// Takes the lane for writes when no write runs, and holds it over several calls; `None` when its turn did not come by `deadline`. It ends with
    /// [`Lanes::release`] or after [`LEASE_LIMIT`], and keeps these lanes in use until then, so that the next incarnation of the actor finds it.
    pub(crate) async fn hold(self: &Arc<Self>, deadline: Deadline) -> Option<WriteLease> {
        // No lane is ever closed, so what was acquired is a turn.
        let turn = timeout_at(deadline.instant(), Arc::clone(&self.write).acquire_owned()).await.ok()?.ok()?;
        // The turn may have come in the same instant in which the caller stopped waiting.
        if deadline.has_passed() {
            return None;
        }
        let number = WriteLease(self.n_leases.fetch_add(1, Ordering::Relaxed) + 1);
        let (kept, released) = oneshot::channel();
        *self.lease.lock() = Some(Lease { number, turn: Some(turn), _kept: kept });
        // Its end is bound to the task rather than to its coming to its end: a thread that stops drops the task.
        let end = LeaseEnd { lanes: Arc::clone(self), number };
        tokio::spawn(async move {
            let _ = timeout(LEASE_LIMIT, released).await;
            drop(end);
        });
        Some(number)
    }

    /// Ends a lease. Of one that is over, nothing happens. A write that is under way under it keeps the lane until it ends.
    pub(crate) fn release(&self, lease: WriteLease) -> bool {
        let ended = self.lease.lock().take_if(|held| held.number == lease);
        ended.is_some()
    }

    /// Runs a write in the lane that `lease` holds, at once; `None` when it does not hold it, or not any more, or another write runs under it, and
    /// then it was not begun.
    pub(crate) async fn write_under<T, F: Future<Output = T>>(
        &self,
        lease: WriteLease,
        begin: impl FnOnce() -> F,
    ) -> Option<T> {
        let turn = self.lease.lock().as_mut().filter(|held| held.number == lease)?.turn.take()?;
        let _borrowed = Borrowed { lanes: self, lease, turn: Some(turn) };
        Some(begin().await)
    }

    /// What is under way: quick reads, slow searches, writes. Who holds the lane for writes counts as a write.
    pub(crate) fn under_way(&self) -> (usize, usize, usize) {
        (
            QUICK_READS - self.quick.available_permits(),
            1 - self.slow.available_permits(),
            1 - self.write.available_permits(),
        )
    }
}

/// Ends a lease when it is dropped, if that is not over yet.
struct LeaseEnd {
    lanes: Arc<Lanes>,
    number: WriteLease,
}

impl Drop for LeaseEnd {
    fn drop(&mut self) {
        if self.lanes.release(self.number) {
            tracing::warn!(
                lease = self.number.0,
                "whoever held the lane for writes did not give it back; it is free again"
            );
        }
    }
}

/// The turn of a lease while a write has it. It goes back to the lease, or is over where the lease is.
struct Borrowed<'a> {
    lanes: &'a Lanes,
    lease: WriteLease,
    turn: Option<OwnedSemaphorePermit>,
}

impl Drop for Borrowed<'_> {
    fn drop(&mut self) {
        if let Some(held) = self.lanes.lease.lock().as_mut().filter(|held| held.number == self.lease) {
            held.turn = self.turn.take();
        }
    }
}

async fn in_turn<T>(lane: &Semaphore, work: impl Future<Output = T>) -> T {
    // No lane is ever closed, so there is always a turn to hold.
    let _turn = lane.acquire().await.ok();
    work.await
}

/// `None` when the turn did not come by `deadline`.
async fn in_turn_by<T, F: Future<Output = T>>(
    lane: &Semaphore,
    deadline: Deadline,
    begin: impl FnOnce() -> F,
) -> Option<T> {
    // No lane is ever closed, so what was acquired is a turn.
    let _turn = timeout_at(deadline.instant(), lane.acquire()).await.ok()?;
    // The turn may have come in the same instant in which the caller stopped waiting.
    if deadline.has_passed() {
        return None;
    }
    Some(begin().await)
}

/// The lanes of all instances, kept apart from their actors: work that an earlier incarnation of an actor began still has its place when
/// the next one starts, so that writes stay one after the other over an edit, a panic or a rest.
#[derive(Clone, Default)]
pub struct LaneBook {
    lanes: Arc<Mutex<HashMap<ActorKey, Weak<Lanes>>>>,
    n_leases: Arc<AtomicU64>,
}

impl LaneBook {
    /// The lanes of one instance: those in use, if anybody has them.
    pub(crate) fn of(&self, key: ActorKey) -> Arc<Lanes> {
        let mut book = self.lanes.lock();
        if let Some(lanes) = book.get(&key).and_then(Weak::upgrade) {
            return lanes;
        }
        let lanes = Arc::new(Lanes::new(Arc::clone(&self.n_leases)));
        book.retain(|_, lanes| lanes.strong_count() > 0);
        book.insert(key, Arc::downgrade(&lanes));
        lanes
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use futures_util::future::{join_all, pending};
    use playhouse_bus::{ActorKind, HouseId};
    use tokio::time::sleep;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn lanes() -> Arc<Lanes> {
        Arc::new(Lanes::new(Arc::default()))
    }

    /// Whether nobody is in the lane for writes.
    async fn is_free(lanes: &Lanes) -> bool {
        lanes.write(Deadline::after(SECOND / 1_000), || async {}).await.is_some()
    }

    #[tokio::test(start_paused = true)]
    async fn quick_reads_run_three_at_a_time() {
        let lanes = lanes();
        let running = Cell::new(0);
        let most = Cell::new(0);
        let read = || {
            lanes.quick(async {
                running.set(running.get() + 1);
                most.set(most.get().max(running.get()));
                sleep(SECOND).await;
                running.set(running.get() - 1);
            })
        };
        join_all((0..7).map(|_| read())).await;
        assert_eq!(most.get(), 3);
    }

    #[tokio::test(start_paused = true)]
    async fn a_read_that_has_no_room_in_time_is_not_begun() {
        let lanes = lanes();
        let hanging = join_all((0..QUICK_READS).map(|_| lanes.quick(pending::<()>())));
        let searching = lanes.slow(pending::<()>());
        let begun = Cell::new(0);
        let late = async {
            let begin = async { begun.set(begun.get() + 1) };
            let quick = lanes.quick_by(Deadline::after(SECOND), begin).await;
            let begin = async { begun.set(begun.get() + 1) };
            (quick, lanes.slow_by(Deadline::after(SECOND), begin).await)
        };
        tokio::select! {
            biased;
            _ = hanging => panic!("it hangs"),
            () = searching => panic!("it hangs"),
            ended = late => assert_eq!((ended, begun.get()), ((None, None), 0)),
        }
        assert_eq!(lanes.quick_by(Deadline::after(SECOND), async { 7 }).await, Some(7));
    }

    #[tokio::test(start_paused = true)]
    async fn a_search_that_hangs_holds_back_neither_reads_nor_writes() {
        let lanes = lanes();
        let search = lanes.slow(pending::<()>());
        tokio::pin!(search);
        let others = async {
            lanes.quick(async {}).await;
            lanes.write(Deadline::after(SECOND), || async { 7 }).await
        };
        tokio::select! {
            // The search first, so that it has its place when the others ask.
            biased;
            () = &mut search => unreachable!("it hangs"),
            written = others => assert_eq!(written, Some(7)),
        }
        assert!(timeout(SECOND, lanes.slow(async {})).await.is_err(), "two searches ran at once");
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_waits_for_the_one_before_it_and_is_not_begun_when_its_caller_has_gone() {
        let lanes = lanes();
        let began = Cell::new(false);
        let first = lanes.write(Deadline::after(SECOND), || sleep(5 * SECOND));
        let second = lanes.write(Deadline::after(2 * SECOND), || async { began.set(true) });
        let third = lanes.write(Deadline::after(9 * SECOND), || async { 3 });

        let (first, second, third) = tokio::join!(first, second, third);

        assert_eq!((first, second, began.get(), third), (Some(()), None, false, Some(3)));
    }

    #[tokio::test(start_paused = true)]
    async fn the_next_incarnation_of_an_actor_finds_the_write_of_the_one_before_it() {
        let book = LaneBook::default();
        let key = ActorKey::only(HouseId::INSTANCE, ActorKind::Arr);
        let first = book.of(key);
        let under_way = first.write(Deadline::after(SECOND), || sleep(5 * SECOND));
        let next = book.of(key);
        let second = next.write(Deadline::after(SECOND), || async {});

        let (first_ended, second_ended) = tokio::join!(under_way, second);

        assert_eq!((first_ended, second_ended), (Some(()), None));
        drop((first, next));
        assert_eq!(book.of(key).under_way(), (0, 0, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn who_holds_the_lane_writes_without_waiting_and_everybody_else_waits() {
        let lanes = lanes();
        let lease = lanes.hold(Deadline::after(SECOND)).await.unwrap();
        assert_eq!(lanes.under_way(), (0, 0, 1));
        assert!(!is_free(&lanes).await && lanes.hold(Deadline::after(SECOND)).await.is_none());

        let mut written = Vec::new();
        for n in [7, 8] {
            let begun = tokio::time::Instant::now();
            written.push(lanes.write_under(lease, || async { n }).await);
            assert_eq!(begun.elapsed(), Duration::ZERO);
        }

        assert_eq!(written, [Some(7), Some(8)]);
        assert!(lanes.release(lease) && !lanes.release(lease));
        assert!(is_free(&lanes).await);
        assert_eq!(lanes.under_way(), (0, 0, 0));
    }

    #[tokio::test(start_paused = true)]
    async fn nothing_is_written_under_a_lease_that_is_not_held() {
        let lanes = lanes();
        let over = lanes.hold(Deadline::after(SECOND)).await.unwrap();
        lanes.release(over);
        assert_eq!(lanes.write_under(over, || async {}).await, None);
        let held = lanes.hold(Deadline::after(SECOND)).await.unwrap();
        assert_eq!(lanes.write_under(over, || async {}).await, None);
        assert!(!lanes.release(over), "who is over ends nobody else's");
        assert_eq!(lanes.write_under(held, || async {}).await, Some(()));
    }

    #[tokio::test(start_paused = true)]
    async fn two_writes_under_one_lease_do_not_overlap() {
        let lanes = lanes();
        let lease = lanes.hold(Deadline::after(SECOND)).await.unwrap();
        let first = lanes.write_under(lease, || sleep(SECOND));
        let second = lanes.write_under(lease, || async {});
        assert_eq!(tokio::join!(first, second), (Some(()), None));
    }

    #[tokio::test(start_paused = true)]
    async fn a_holder_that_died_blocks_nobody_for_ever() {
        let book = LaneBook::default();
        let key = ActorKey::only(HouseId::INSTANCE, ActorKind::Arr);
        // Nobody else has the lanes in hand: an actor that is put away keeps the lease all the same.
        let lease = book.of(key).hold(Deadline::after(SECOND)).await.unwrap();
        assert_eq!(book.of(key).under_way(), (0, 0, 1));

        let waited = tokio::time::Instant::now();
        let next = book.of(key).hold(Deadline::after(2 * LEASE_LIMIT)).await.unwrap();

        assert_eq!(waited.elapsed(), LEASE_LIMIT);
        assert_ne!(next, lease);
        assert_eq!(book.of(key).write_under(lease, || async {}).await, None);
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_keeps_the_lane_when_its_lease_ends_under_it() {
        for is_released in [false, true] {
            let lanes = lanes();
            let lease = lanes.hold(Deadline::after(SECOND)).await.unwrap();
            let begun = tokio::time::Instant::now();
            let write = lanes.write_under(lease, || sleep(LEASE_LIMIT + 5 * SECOND));
            let next = async {
                if is_released {
                    sleep(SECOND).await;
                    assert!(lanes.release(lease));
                }
                lanes.write(Deadline::after(2 * LEASE_LIMIT), || async { begun.elapsed() }).await
            };

            let (written, next) = tokio::join!(write, next);

            assert_eq!((written, next), (Some(()), Some(LEASE_LIMIT + 5 * SECOND)));
            assert_eq!(lanes.write_under(lease, || async {}).await, None);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_write_that_was_given_up_leaves_the_lane_to_its_lease() {
        let lanes = lanes();
        let lease = lanes.hold(Deadline::after(SECOND)).await.unwrap();
        assert!(timeout(SECOND, lanes.write_under(lease, pending::<()>)).await.is_err());
        assert!(!is_free(&lanes).await);
        assert!(lanes.release(lease) && is_free(&lanes).await);
    }

    #[tokio::test(start_paused = true)]
    async fn lanes_nobody_holds_are_forgotten() {
        let book = LaneBook::default();
        let key = ActorKey::only(HouseId::INSTANCE, ActorKind::Arr);
        let lanes = book.of(key);
        let lease = lanes.hold(Deadline::after(SECOND)).await.unwrap();
        lanes.release(lease);
        let left = Arc::downgrade(&lanes);
        drop(lanes);
        tokio::task::yield_now().await;
        assert!(left.upgrade().is_none(), "the task that waited for the end of the lease has ended");
        // Their numbers go on, so that who held the old ones writes nothing in the new ones.
        assert_ne!(book.of(key).hold(Deadline::after(SECOND)).await, Some(lease));
    }
}

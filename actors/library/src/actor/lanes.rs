//! How much may be under way at one instance.

use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use playhouse_bus::{ActorKey, Deadline};
use tokio::sync::Semaphore;
use tokio::time::timeout_at;

/// Reads under way at one instance. Behind an arr sit SQLite and two worker threads; more at once only makes each slower.
const QUICK_READS: usize = 3;

/// What may be under way at one instance: a few quick reads, one slow search beside them, and one write.
///
/// Each lane waits for itself only, so a search that asks indexers for minutes holds back neither reads nor writes.
pub(crate) struct Lanes {
    quick: Semaphore,
    slow: Semaphore,
    write: Semaphore,
}

impl Lanes {
    fn new() -> Self {
        Self { quick: Semaphore::new(QUICK_READS), slow: Semaphore::new(1), write: Semaphore::new(1) }
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

    /// What is under way: quick reads, slow searches, writes.
    pub(crate) fn under_way(&self) -> (usize, usize, usize) {
        (
            QUICK_READS - self.quick.available_permits(),
            1 - self.slow.available_permits(),
            1 - self.write.available_permits(),
        )
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
pub struct LaneBook(Arc<Mutex<HashMap<ActorKey, Weak<Lanes>>>>);

impl LaneBook {
    /// The lanes of one instance: those in use, if anybody has them.
    pub(crate) fn of(&self, key: ActorKey) -> Arc<Lanes> {
        let mut book = self.0.lock();
        if let Some(lanes) = book.get(&key).and_then(Weak::upgrade) {
            return lanes;
        }
        let lanes = Arc::new(Lanes::new());
        book.retain(|_, lanes| lanes.strong_count() > 0);
        book.insert(key, Arc::downgrade(&lanes));
        lanes
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::rc::Rc;
    use std::time::Duration;

    use futures_util::future::{join_all, pending};
    use playhouse_bus::{ActorKind, HouseId};
    use tokio::time::{sleep, timeout};

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn quick_reads_run_three_at_a_time() {
        let lanes = Lanes::new();
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
        let lanes = Lanes::new();
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
        let lanes = Lanes::new();
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
        let lanes = Rc::new(Lanes::new());
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
}

//! What must outlive an incarnation of a house's queue: the order of changes at each instance, and which work is still under way.
//!
//! An actor may be put away or fail while a write of its is under way, and the next incarnation starts beside that write. It finds here the locks
//! that the write holds, and learns what it must not take for left behind.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use playhouse_bus::{Deadline, HouseId};
use playhouse_library::InstanceId;
use tokio::sync::OwnedMutexGuard;
use tokio::time::timeout_at;

use crate::expiry::Expiries;
use crate::{ChangeId, ProposalId};

/// The works of all houses. Cheap to clone; all clones are one.
#[derive(Clone, Default)]
pub struct WorkBook(Arc<Mutex<HashMap<HouseId, Weak<Works>>>>);

/// What is under way in one house.
#[derive(Default)]
pub(crate) struct Works {
    /// Held by whoever changes the house's records.
    turn: Arc<tokio::sync::Mutex<()>>,
    /// Commits that were begun. Whoever has seen fewer reads the records anew.
    n_commits: AtomicU64,
    /// The highest number of a change that was given out, whether or not it was recorded.
    last_change: AtomicU64,
    instances: Mutex<HashMap<InstanceId, Weak<tokio::sync::Mutex<()>>>>,
    under_way: Mutex<HashSet<Work>>,
}

/// One piece of work whose record says "executing".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Work {
    Proposal(ProposalId),
    Change(ChangeId),
}

/// The right to change an instance's settings, as long as it is held.
pub(crate) type InstanceTurn = OwnedMutexGuard<()>;

impl WorkBook {
    /// The works of one house: those in use, if anybody has them.
    pub(crate) fn of(&self, house: HouseId) -> Arc<Works> {
        let mut book = self.0.lock();
        if let Some(works) = book.get(&house).and_then(Weak::upgrade) {
            return works;
        }
        let works = Arc::new(Works::default());
        book.retain(|_, works| works.strong_count() > 0);
        book.insert(house, Arc::downgrade(&works));
        works
    }
}

impl Works {
    /// Waits until nobody else changes the house's records.
    pub(crate) async fn turn(&self) -> OwnedMutexGuard<()> {
        Arc::clone(&self.turn).lock_owned().await
    }

    pub(crate) fn n_commits(&self) -> u64 {
        self.n_commits.load(Ordering::Acquire)
    }

    /// Notes that a commit begins: what others have read may be old from now on. Answers how many there were with it.
    pub(crate) fn commit_begins(&self) -> u64 {
        self.n_commits.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// A number for a change that nobody else has; `next` is the first one that no record has.
    pub(crate) fn reserve_change(&self, next: u64) -> ChangeId {
        // Under the turn, so that nobody reserves in between.
        let number = next.max(self.last_change.load(Ordering::Acquire) + 1);
        self.last_change.store(number, Ordering::Release);
        ChangeId(number)
    }

    /// Waits for the right to change the settings of `instance`; `None` when it did not come by `deadline`. Whoever stops waiting leaves the
    /// order of the others as it is.
    pub(crate) async fn lock(&self, instance: InstanceId, deadline: Deadline) -> Option<InstanceTurn> {
        let lock = {
            let mut instances = self.instances.lock();
            match instances.get(&instance).and_then(Weak::upgrade) {
                Some(lock) => lock,
                None => {
                    let lock = Arc::new(tokio::sync::Mutex::default());
                    instances.retain(|_, lock| lock.strong_count() > 0);
                    instances.insert(instance, Arc::downgrade(&lock));
                    lock
                }
            }
        };
        let held = timeout_at(deadline.instant(), lock.lock_owned()).await.ok()?;
        // It may have come in the same instant in which the caller stopped waiting.
        (!deadline.has_passed()).then_some(held)
    }

    pub(crate) fn is_under_way(&self, work: Work) -> bool {
        self.under_way.lock().contains(&work)
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.under_way.lock().is_empty()
    }
}

/// Marks work as under way until it is dropped, however that comes about.
pub(crate) struct UnderWay {
    works: Arc<Works>,
    work: Work,
    /// Who is to look after what is left when this ends without [`UnderWay::recorded`].
    left_behind: Option<(Expiries, HouseId)>,
}

impl UnderWay {
    pub(crate) fn begin(works: &Arc<Works>, work: Work, expiries: &Expiries, house: HouseId) -> Self {
        works.under_way.lock().insert(work);
        Self { works: Arc::clone(works), work, left_behind: Some((expiries.clone(), house)) }
    }

    /// Its end stands in its record, so nobody needs to look after it.
    pub(crate) fn recorded(mut self) {
        self.left_behind = None;
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.works.under_way.lock().remove(&self.work);
        if let Some((expiries, house)) = self.left_behind.take() {
            expiries.set_left_behind(house, true);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn instance() -> InstanceId {
        "radarr-00000001".parse().unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn case_37_who_stops_waiting_leaves_the_lock_to_the_next() {
        let book = WorkBook::default();
        let works = book.of(HouseId::INSTANCE);
        let in_seconds = |seconds| Deadline::after(Duration::from_secs(seconds));
        let first = works.lock(instance(), in_seconds(9)).await.unwrap();

        let (second, third, ()) = tokio::join!(
            works.lock(instance(), in_seconds(1)),
            async {
                // The next incarnation of the actor finds the same lock.
                let held = book.of(HouseId::INSTANCE).lock(instance(), in_seconds(9)).await;
                held.is_some()
            },
            async {
                tokio::time::sleep(Duration::from_secs(2)).await;
                drop(first);
            }
        );

        assert!(second.is_none() && third);
    }

    #[test]
    fn work_that_ends_unrecorded_is_due_to_be_looked_after() {
        let (works, expiries) = (WorkBook::default().of(HouseId::INSTANCE), Expiries::default());
        let work = Work::Change(ChangeId(1));

        let recorded = UnderWay::begin(&works, work, &expiries, HouseId::INSTANCE);
        assert!(works.is_under_way(work));
        recorded.recorded();
        assert!(!works.is_under_way(work) && expiries.due(jiff::Timestamp::MAX).is_empty());

        drop(UnderWay::begin(&works, work, &expiries, HouseId::INSTANCE));
        assert_eq!(expiries.due(jiff::Timestamp::UNIX_EPOCH), [HouseId::INSTANCE]);
    }

    #[test]
    fn no_number_of_a_change_is_given_out_twice() {
        let works = Works::default();
        assert_eq!([1, 1, 1, 7, 7].map(|next| works.reserve_change(next).0), [1, 2, 3, 7, 8]);
    }
}

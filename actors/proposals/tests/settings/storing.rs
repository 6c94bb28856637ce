//! What is said and kept where the store does not do what it is asked.

use std::sync::Arc;

use async_trait::async_trait;
use parking_lot::Mutex;
use playhouse_bus::HouseId;
use playhouse_library::answer::Code;
use playhouse_proposals::{ProposalError, ProposalStatus, SettingsFailure};
use playhouse_standins::{ArrKind, Misbehaviour, StoreManners, UnreliableStore};
use playhouse_store::{CommitError, Fence, Key, MAX_PAGE_ENTRIES, MemoryStore, Op, Path, Store, Version};

use crate::town::{Town, min_score};

/// What a commit comes to.
enum Fate {
    /// It does not happen, and that is said.
    Refused,
    /// It happens, and nothing is known of it.
    Doubted,
    /// It happens after something else did.
    After(Box<dyn FnOnce() + Send>),
}

/// A store that treats some commits in its own way: the next, and those after it in their order.
#[derive(Default)]
struct Odd {
    fates: Mutex<Vec<Option<Fate>>>,
}

impl Odd {
    /// Treats the n-th commit from now so, counted from 1.
    fn at(&self, nth: usize, fate: Fate) {
        let mut fates: Vec<Option<Fate>> = (1..nth).map(|_| None).collect();
        fates.push(Some(fate));
        fates.reverse();
        *self.fates.lock() = fates;
    }
}

#[async_trait]
impl StoreManners for Odd {
    async fn commit(
        &self,
        kept: &MemoryStore,
        house: HouseId,
        ops: Vec<Op>,
        fence: Option<Fence>,
    ) -> Result<Vec<Version>, CommitError> {
        let fate = self.fates.lock().pop().flatten();
        match fate {
            None => {}
            Some(Fate::Refused) => return Err(CommitError::Unavailable { cause: "the disk is full".to_owned() }),
            Some(Fate::Doubted) => {
                kept.commit(house, ops, fence).await?;
                return Err(CommitError::Indeterminate);
            }
            Some(Fate::After(act)) => act(),
        }
        kept.commit(house, ops, fence).await
    }
}

async fn n_records(store: &dyn Store, house: HouseId, prefix: &'static str) -> usize {
    let prefix = Key::new(house, Path::literal(prefix));
    store.scan(&prefix, None, MAX_PAGE_ENTRIES).await.unwrap().entries.len()
}

async fn town() -> (Town, Arc<UnreliableStore<Odd>>) {
    let store = UnreliableStore::new(Odd::default());
    (Town::over(store.clone(), ArrKind::Radarr).await, store)
}

#[actix_rt::test]
async fn case_85_while_proposals_cannot_be_kept_that_is_said_and_nothing_waits() {
    let (town, store) = town().await;
    store.at(1, Fate::Refused);
    let Err(SettingsFailure::Refused { code, words }) = town.ask(town.preview(min_score(1))).await else { panic!() };
    assert_eq!(code, Code::ProposalsUnavailable);
    assert!(words.contains("nothing was proposed"), "{words}");
    assert_eq!((town.list(true).await, town.told().await), (vec![], vec![]));

    // Where it is not known, that is said, and the same once more makes no second one.
    store.at(1, Fate::Doubted);
    let Err(SettingsFailure::Refused { code, words }) = town.ask(town.preview(min_score(1))).await else { panic!() };
    assert_eq!(code, Code::ProposalsUnavailable);
    assert!(words.contains("not known") && !words.contains("nothing was proposed"), "{words}");
    town.propose(min_score(1)).await;
    assert_eq!((town.list(true).await.len(), town.n_writes()), (1, 0));
}

#[actix_rt::test]
async fn an_approval_that_could_not_be_given_back_is_taken_up_by_the_very_next_yes() {
    let (town, store) = town().await;
    let proposal = town.propose(min_score(1)).await;
    town.arr.misbehave("GET */qualityprofile", Misbehaviour::Failing { status: 503 });
    // The first takes it, the second would give it back.
    store.at(2, Fate::Refused);
    let failed = town.approve(proposal.id).await.unwrap_err();
    assert!(matches!(failed, ProposalError::Store { .. }), "{failed:?}");
    assert_eq!(town.expiries.due(town.now()), [town.house]);
    town.arr.forget_rules();

    let applied = town.approve(proposal.id).await.unwrap();

    assert_eq!((applied.status, town.n_writes()), (ProposalStatus::Applied, 1));
    assert_eq!(town.expiries.due(town.now()), []);
}

#[actix_rt::test]
async fn what_was_written_down_for_a_change_that_is_not_begun_is_removed() {
    let (town, store) = town().await;
    let proposal = town.propose(min_score(1)).await;
    let (switches, house) = (town.switches.clone(), town.house);
    // The fourth writes the last of the three texts; then the entry would come.
    store.at(4, Fate::After(Box::new(move || switches.set(house, ["apply_profile_change".to_owned()].into()))));
    assert_eq!(town.approve(proposal.id).await, Err(ProposalError::SwitchedOff));
    assert_eq!(store.fates.lock().len(), 0, "the moment was reached");
    assert_eq!((town.get(proposal.id).await.status, town.n_writes()), (ProposalStatus::Pending, 0));
    assert_eq!((n_records(&*store, house, "change_text").await, n_records(&*store, house, "change").await), (0, 0));
    assert_eq!(town.expiries.due(town.now()), []);
}

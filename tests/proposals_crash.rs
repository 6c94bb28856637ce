//! A process that dies anywhere between a decision about a library's settings and the record of its end: what the next one says is true, and
//! nothing is sent a second time.
//!
//! Each walk runs its order once to count what is committed and what is asked of the library. Then, for each of these moments, it starts
//! a process that stops there for good, starts another one over the same store and the same library, and asks what became of it.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use playhouse::config::Config;
use playhouse::instance::Instance;
use playhouse_bus::{Deadline, HouseId, Message};
use playhouse_house::{CreateKey, CredentialId, HouseActor, Scope, Scopes, TvGrant, open_house, system_clock};
use playhouse_library::instance::{AddInstance, KeyText};
use playhouse_library::settings::{JsonText, ProfileChanges};
use playhouse_library::{InstancesActor, Service};
use playhouse_proposals::{
    ApproveProposal, Caller, ChangeError, ChangeId, ChangeRecord, ChangeStatus, Decider, GetProposal, ListChanges,
    Origin, PreviewProfileChange, ProposalError, ProposalId, ProposalQueueActor, ProposalStatus, RestoreChange,
    SweepProposals, UpsertCustomFormat,
};
use playhouse_standins::{ArrKind, ArrStandin, Library, Misbehaviour, StoreManners, UnreliableStore};
use playhouse_store::{CommitError, Fence, MemoryStore, Op, SharedStore, Store, Version};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::Notify;

/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(20);

/// The profile that is changed: "HD-1080p".
const PROFILE: i64 = 4;

/// A store that stops for good at its n-th commit from some moment on, with or without having done that one.
#[derive(Default)]
struct Mortal {
    n_commits: AtomicUsize,
    /// Which commit is the last; none while it is 0.
    last: AtomicUsize,
    does_the_last: AtomicBool,
    stopped: Notify,
}

impl Mortal {
    fn stop_at(&self, nth: usize, does_the_last: bool) {
        self.does_the_last.store(does_the_last, Ordering::SeqCst);
        self.last.store(self.n_commits.load(Ordering::SeqCst) + nth, Ordering::SeqCst);
    }
}

#[async_trait]
impl StoreManners for Mortal {
    async fn commit(
        &self,
        kept: &MemoryStore,
        house: HouseId,
        ops: Vec<Op>,
        fence: Option<Fence>,
    ) -> Result<Vec<Version>, CommitError> {
        let number = self.n_commits.fetch_add(1, Ordering::SeqCst) + 1;
        let last = self.last.load(Ordering::SeqCst);
        if last == 0 || number < last {
            return kept.commit(house, ops, fence).await;
        }
        if number == last {
            if self.does_the_last.load(Ordering::SeqCst) {
                kept.commit(house, ops, fence).await?;
            }
            self.stopped.notify_one();
        }
        std::future::pending().await
    }
}

/// A moment at which the process stops for good.
#[derive(Debug, Clone, Copy)]
enum Moment {
    /// At the n-th commit, done or not.
    Commit(usize, bool),
    /// At the n-th request to the library, which holds it back before it does anything, or answers nothing when it has.
    Request(usize, bool),
}

/// Everything that outlives a process: the disk and the library.
struct World {
    folder: TempDir,
    kept: Arc<MemoryStore>,
    arr: ArrStandin,
    house: HouseId,
    caller: Option<Caller>,
}

/// One process over a world.
struct Process {
    instance: Instance,
    store: Arc<UnreliableStore<Mortal>>,
}

impl Process {
    async fn start(folder: &TempDir, kept: &Arc<MemoryStore>) -> Self {
        let mut config = Config::default();
        config.data.folder = folder.path().to_path_buf();
        let store = UnreliableStore::over(Arc::clone(kept), Mortal::default());
        let shared: SharedStore = Arc::clone(&store) as SharedStore;
        Self { instance: Instance::over(config, shared, system_clock()).await.unwrap(), store }
    }

    async fn ask<M: Message<Actor = ProposalQueueActor>>(&self, house: HouseId, message: M) -> M::Reply {
        let key = ProposalQueueActor::key(house);
        self.instance.bus.call(key, message, Deadline::after(PATIENCE)).await.unwrap()
    }

    /// Ends without a word to anybody: what is under way is dropped.
    async fn die(self) {
        self.instance.bus.close(Duration::ZERO).await;
    }
}

impl World {
    /// A house with a Radarr, in which a change of a profile waits as proposal 1.
    async fn new() -> (Self, Process) {
        let folder = tempfile::tempdir().unwrap();
        let kept = Arc::new(MemoryStore::new());
        let process = Process::start(&folder, &kept).await;
        let arr = ArrStandin::start(ArrKind::Radarr, Library::empty(ArrKind::Radarr));
        let Instance { store, clock, bus, key_ring, .. } = &process.instance;
        let house = open_house(store, "Kestrel Street", clock).await.unwrap().id;
        let deadline = Deadline::after(PATIENCE);
        let order = AddInstance {
            service: Service::Radarr,
            name: "Films".to_owned(),
            base_url: arr.url().to_string(),
            api_key: KeyText::from(arr.api_key()),
            sort_order: 0,
            is_default: true,
        };
        bus.call(InstancesActor::key(house), order, deadline).await.unwrap().unwrap();
        let order = CreateKey {
            label: "laptop".to_owned(),
            scopes: Scopes::of(&[Scope::MediaAdmin]),
            tvs: TvGrant::All,
            account: None,
            engagement: None,
            expires_at: None,
        };
        let key: CredentialId = bus.call(HouseActor::key(house), order, deadline).await.unwrap().unwrap().summary.id;
        let principal = (*key_ring.current(key, clock()).unwrap()).clone();
        let caller = Caller { principal, origin: Origin::ExternalMcp };
        let world = Self { folder, kept, arr, house, caller: Some(caller) };
        let preview = PreviewProfileChange {
            caller: world.caller(),
            service: Service::Radarr,
            instance_id: None,
            profile_id: PROFILE,
            changes: ProfileChanges { min_format_score: Some(1), ..ProfileChanges::default() },
        };
        process.ask(house, preview).await.unwrap();
        world.arr.forget_requests();
        (world, process)
    }

    fn caller(&self) -> Caller {
        self.caller.clone().unwrap()
    }

    /// The PUTs and POSTs that the library has seen.
    fn n_writes(&self) -> usize {
        self.arr.requests().iter().filter(|request| request.method != "GET").count()
    }

    fn min_score(&self) -> Value {
        self.arr.profiles().into_iter().find(|profile| profile["id"] == PROFILE).unwrap()["minFormatScore"].clone()
    }

    fn has_format(&self) -> bool {
        self.arr.formats().iter().any(|format| format["name"] == "HDR10")
    }

    /// Starts `order`, ends the process at `moment`, and answers the next process, which has looked after what is due.
    async fn die_during<M>(&self, process: Process, order: M, moment: Moment) -> Process
    where
        M: Message<Actor = ProposalQueueActor>,
    {
        match moment {
            Moment::Commit(nth, done) => process.store.stop_at(nth, done),
            Moment::Request(nth, done) => {
                let manner = if done { Misbehaviour::Slow } else { Misbehaviour::SlowToStart };
                self.arr.misbehave_nth("*", nth, manner);
            }
        }
        let (bus, key) = (process.instance.bus.clone(), ProposalQueueActor::key(self.house));
        let call = actix_web::rt::spawn(async move { bus.call(key, order, Deadline::after(PATIENCE)).await.map(drop) });
        let reached = async {
            match moment {
                Moment::Commit(..) => process.store.stopped.notified().await,
                Moment::Request(..) => self.arr.until_held(1).await,
            }
        };
        tokio::time::timeout(PATIENCE, reached).await.unwrap_or_else(|_| panic!("{moment:?} was not reached"));
        process.die().await;
        drop(call);
        self.arr.until_none_is_held().await;
        self.arr.forget_rules();

        let next = Process::start(&self.folder, &self.kept).await;
        for house in next.instance.expiries.due((next.instance.clock)()) {
            next.ask(house, SweepProposals {}).await;
        }
        assert_eq!(next.instance.expiries.due((next.instance.clock)()), [], "{moment:?}: something is still left");
        next
    }

    async fn history(&self, process: &Process) -> Vec<ChangeRecord> {
        process.ask(self.house, ListChanges { limit: 0, before: None }).await.unwrap()
    }
}

/// Every moment of an order that commits and asks so often.
fn moments(n_commits: usize, n_requests: usize) -> impl Iterator<Item = Moment> {
    let commits = (1..=n_commits).flat_map(|nth| [Moment::Commit(nth, false), Moment::Commit(nth, true)]);
    let requests = (1..=n_requests).flat_map(|nth| [Moment::Request(nth, false), Moment::Request(nth, true)]);
    commits.chain(requests)
}

/// How often `order` commits and asks, when nothing stops it.
async fn counted<M>(world: &World, process: &Process, order: M) -> (usize, usize, M::Reply)
where
    M: Message<Actor = ProposalQueueActor>,
{
    let n_before = process.store.n_commits.load(Ordering::SeqCst);
    world.arr.forget_requests();
    let reply = process.ask(world.house, order).await;
    (process.store.n_commits.load(Ordering::SeqCst) - n_before, world.arr.n_requests(), reply)
}

/// That an entry of the history is true of a library which has the change or has it not.
fn is_true(change: &ChangeRecord, is_stored: bool, moment: Moment) {
    match change.status {
        ChangeStatus::Applied => assert!(is_stored, "{moment:?}: said to be applied and is not"),
        ChangeStatus::Failed => assert!(!is_stored, "{moment:?}: said to have failed and is applied"),
        ChangeStatus::OutcomeUnknown => assert!(change.error_text.is_some(), "{moment:?}"),
        ChangeStatus::Executing => panic!("{moment:?}: nobody is at it any more"),
    }
}

fn approve() -> ApproveProposal {
    ApproveProposal { id: ProposalId(1), decider: Decider::Operator }
}

#[actix_web::test]
async fn case_95_no_death_during_an_approval_leaves_anything_untrue_or_sends_anything_twice() {
    let (world, process) = World::new().await;
    let (n_commits, n_requests, approved) = counted(&world, &process, approve()).await;
    assert_eq!(approved.unwrap().status, ProposalStatus::Applied);
    process.die().await;
    assert!(n_commits >= 5 && n_requests >= 8, "{n_commits} {n_requests}");

    let mut seen = BTreeSet::new();
    for moment in moments(n_commits, n_requests) {
        let (world, process) = World::new().await;
        let next = world.die_during(process, approve(), moment).await;

        let is_stored = world.min_score() == 1;
        let history = world.history(&next).await;
        history.iter().for_each(|change| is_true(change, is_stored, moment));
        let proposal = next.ask(world.house, GetProposal { id: ProposalId(1) }).await.unwrap();
        seen.insert((format!("{:?}", proposal.status), is_stored));
        match proposal.status {
            ProposalStatus::Pending => {
                assert_eq!((world.n_writes(), history.len()), (0, 0), "{moment:?}: something was sent");
            }
            ProposalStatus::Applied => {
                assert_eq!(history[0].status, ChangeStatus::Applied, "{moment:?}");
                assert_eq!(proposal.setting_change_id, Some(history[0].id));
            }
            ProposalStatus::Failed => {
                assert_eq!(history[0].status, ChangeStatus::OutcomeUnknown, "{moment:?}");
                assert_eq!(proposal.setting_change_id, Some(history[0].id));
                assert!(proposal.result_text.unwrap().contains("unknown"));
            }
            other => panic!("{moment:?}: {other:?}"),
        }

        // Once more: what waits is carried out, what has ended stays as it is, and nothing is sent twice.
        let again = next.ask(world.house, approve()).await;
        match proposal.status {
            ProposalStatus::Pending => assert_eq!(again.unwrap().status, ProposalStatus::Applied, "{moment:?}"),
            _ => assert!(matches!(again, Err(ProposalError::NotPending { .. })), "{moment:?}: {again:?}"),
        }
        next.ask(world.house, SweepProposals {}).await;
        assert!(world.n_writes() <= 1, "{moment:?}: {} writes", world.n_writes());
        next.die().await;
    }
    // The walk has been everywhere: before anything was sent, between the write and its record, and behind it.
    let seen: Vec<_> = seen.iter().map(|(status, is_stored)| (status.as_str(), *is_stored)).collect();
    assert_eq!(seen, [("Applied", true), ("Failed", false), ("Failed", true), ("Pending", false)]);
}

#[actix_web::test]
async fn no_death_while_a_format_is_made_leaves_anything_untrue_or_sends_anything_twice() {
    let order = |world: &World| {
        let condition = json!({"name": "HDR", "implementation": "ReleaseTitleSpecification", "negate": false,
            "required": true, "fields": [{"name": "value", "value": "HDR10"}]});
        let format = json!({"name": "HDR10", "specifications": [condition]}).to_string();
        UpsertCustomFormat {
            caller: world.caller(),
            service: Service::Radarr,
            instance_id: None,
            custom_format: JsonText::new(format).unwrap(),
        }
    };
    let (world, process) = World::new().await;
    let (n_commits, n_requests, made) = counted(&world, &process, order(&world)).await;
    assert!(made.unwrap().change.is_some());
    process.die().await;
    assert!(n_commits >= 5 && n_requests >= 5, "{n_commits} {n_requests}");

    for moment in moments(n_commits, n_requests) {
        let (world, process) = World::new().await;
        let next = world.die_during(process, order(&world), moment).await;

        let history = world.history(&next).await;
        history.iter().for_each(|change| is_true(change, world.has_format(), moment));
        if history.is_empty() {
            assert_eq!(world.n_writes(), 0, "{moment:?}: something was sent of which nothing is known");
        }
        next.ask(world.house, SweepProposals {}).await;
        assert!(world.n_writes() <= 1, "{moment:?}");
        // The proposal of the same house is as it was.
        let proposal = next.ask(world.house, GetProposal { id: ProposalId(1) }).await.unwrap();
        assert_eq!(proposal.status, ProposalStatus::Pending);
        next.die().await;
    }
}

#[actix_web::test]
async fn no_death_during_a_restore_leaves_anything_untrue_or_sends_anything_twice() {
    let order = || RestoreChange { id: ChangeId(1), decider: Decider::Operator };
    let applied = async || {
        let (world, process) = World::new().await;
        process.ask(world.house, approve()).await.unwrap();
        world.arr.forget_requests();
        (world, process)
    };
    let (world, process) = applied().await;
    let (n_commits, n_requests, restored) = counted(&world, &process, order()).await;
    assert_eq!(restored.unwrap().status, ChangeStatus::Applied);
    process.die().await;
    assert!(n_commits >= 4 && n_requests >= 6, "{n_commits} {n_requests}");

    for moment in moments(n_commits, n_requests) {
        let (world, process) = applied().await;
        let next = world.die_during(process, order(), moment).await;

        let is_stored = world.min_score() == 0;
        let history = world.history(&next).await;
        let restores: Vec<_> = history.iter().filter(|change| change.parent_id.is_some()).cloned().collect();
        restores.iter().for_each(|change| is_true(change, is_stored, moment));
        let again = next.ask(world.house, order()).await;
        match restores.first() {
            None => {
                assert_eq!(again.unwrap().status, ChangeStatus::Applied, "{moment:?}: nothing stands in its way");
            }
            Some(_) => assert!(matches!(again, Err(ChangeError::NotRestorable { .. })), "{moment:?}: {again:?}"),
        }
        next.ask(world.house, SweepProposals {}).await;
        assert!(world.n_writes() <= 1, "{moment:?}: {} writes", world.n_writes());
        next.die().await;
    }
}

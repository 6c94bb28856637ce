//! The proposal queue of one house: its address, its start, and which message leads to which work.

use std::cell::RefCell;
use std::future::Future;
use std::rc::Rc;

use bytes::Bytes;
use playhouse_bus::{ActorKey, ActorKind, Answer, Behaviour, Bus, CallInfo, Handle, HouseId, StartError};
use playhouse_house::{Clock, HouseRecord, KeyRing, ToolSwitches, house_path};
use playhouse_store::{Key, Op, SharedStore, StoreError, read};

use crate::armed::ArmedBook;
use crate::desk::Desk;
use crate::expiry::Expiries;
use crate::queue::sweep::SweepError;
use crate::records::{EVENTS, EventRow, TEXTS, event_path, texts_path};
use crate::state::{MAX_LISTED, State, first_records};
use crate::works::WorkBook;
use crate::{
    AdminEvent, ApplyProfileChange, ApproveProposal, ChangeError, ChangeId, ChangeRecord, EventHub, GetChange,
    GetProposal, ListChanges, ListEvents, ListProposals, ObserveProposals, PreviewProfileChange, Previewed, Proposal,
    ProposalError, ProposalsStatus, RejectProposal, RestoreChange, SettingsFailure, SweepProposals, UpsertCustomFormat,
    Upserted, apply, history, queue, upsert,
};

/// What every house's queue is started with.
#[derive(Clone)]
pub struct ProposalServices {
    /// Where proposals and history are kept.
    pub store: SharedStore,
    /// The way to the libraries.
    pub bus: Bus,
    /// The credentials in memory, for checking them again.
    pub key_ring: KeyRing,
    /// What houses have switched off, in memory.
    pub switches: ToolSwitches,
    /// Where listeners hear of what happens.
    pub events: EventHub,
    /// The time of day.
    pub clock: Clock,
    /// When which house has something to look after.
    pub expiries: Expiries,
    /// What is under way, over all incarnations of the queues.
    pub works: WorkBook,
    /// What can be applied in the app's own chat.
    pub armed: ArmedBook,
}

/// Changes of one house's library settings that wait, those under way, and their history.
///
/// All of its work runs beside its mailbox; what changes the house's records takes turns ([`WorkBook`]).
pub struct ProposalQueueActor {
    desk: Rc<Desk>,
}

impl ProposalQueueActor {
    /// The address of `house`'s queue.
    pub const fn key(house: HouseId) -> ActorKey {
        ActorKey::only(house, ActorKind::Proposals)
    }
}

impl Behaviour for ProposalQueueActor {
    const KIND: ActorKind = ActorKind::Proposals;
    type Services = ProposalServices;

    async fn start(key: ActorKey, services: ProposalServices) -> Result<Self, StartError> {
        let house = key.house;
        let found = read::<HouseRecord>(&*services.store, &Key::new(house, house_path())).await;
        found.map_err(|error| StartError::unavailable(&error))?.ok_or(StartError::NotFound)?;
        let works = services.works.of(house);
        let seen = works.n_commits();
        let state = State::read(house, &*services.store, seen).await;
        let state = state.map_err(|error| StartError::unavailable(&error))?;
        let desk = Desk { house, services, works, state: RefCell::new(state) };
        desk.sweep().await.map_err(|error| StartError::unavailable(&error))?;
        desk.remove_orphans().await.map_err(|error| StartError::unavailable(&error))?;
        Ok(Self { desk: Rc::new(desk) })
    }
}

impl Desk {
    /// Removes the texts of changes that never came to an entry in the history. They do no harm, but they may be long.
    async fn remove_orphans(&self) -> Result<(), StoreError> {
        // Under the turn: an earlier incarnation's work, which may still go on, takes its number under it.
        let _turn = self.turn().await?;
        if !self.works.is_idle() {
            return Ok(());
        }
        let next = ChangeId(self.state.borrow().counters.next_change);
        let after = Key::new(self.house, texts_path(next));
        loop {
            let page = self.services.store.scan(&Key::new(self.house, TEXTS), Some(&after), 100).await?;
            let ops: Vec<Op> = page
                .entries
                .into_iter()
                .map(|(key, found)| Op::delete(key.path, playhouse_store::Expect::Version(found.version)))
                .collect();
            if ops.is_empty() {
                return Ok(());
            }
            if let Err(error) = self.services.store.commit(self.house, ops, None).await {
                tracing::warn!(house = %self.house, %error, "texts of a change that was never begun could not be removed");
                return Ok(());
            }
        }
    }
}

/// Ties a message to work that waits for its turn first and is finished from then on, whoever waits for it.
macro_rules! changes {
    ($($message:ident => $work:path => $reply:ty),* $(,)?) => {
        $(
            impl Handle<$message> for ProposalQueueActor {
                fn handle(&mut self, order: $message, call: CallInfo) -> Answer<Self, $reply> {
                    Answer::prepared($work(Rc::clone(&self.desk), order, call.deadline))
                }
            }
        )*
    };
}

changes! {
    UpsertCustomFormat => upsert::upsert => Result<Upserted, SettingsFailure>,
    PreviewProfileChange => queue::preview::preview => Result<Previewed, SettingsFailure>,
    ApplyProfileChange => apply::apply => Result<ChangeRecord, SettingsFailure>,
    ApproveProposal => queue::approve::approve => Result<Proposal, ProposalError>,
    RestoreChange => history::restore::restore => Result<ChangeRecord, ChangeError>,
}

impl Handle<RejectProposal> for ProposalQueueActor {
    fn handle(&mut self, order: RejectProposal, _: CallInfo) -> Answer<Self, Result<Proposal, ProposalError>> {
        Answer::to_the_end(queue::reject::reject(Rc::clone(&self.desk), order))
    }
}

impl Handle<ListProposals> for ProposalQueueActor {
    fn handle(&mut self, question: ListProposals, _: CallInfo) -> Answer<Self, Result<Bytes, ProposalError>> {
        match self.is_current() {
            true => Answer::now(self.desk.listed(question.all)),
            false => Answer::to_the_end(queue::list::list(Rc::clone(&self.desk), question.all)),
        }
    }
}

impl Handle<GetProposal> for ProposalQueueActor {
    fn handle(&mut self, question: GetProposal, call: CallInfo) -> Answer<Self, Result<Proposal, ProposalError>> {
        self.once_current(move |desk| queue::list::show(desk, question.id, call.deadline))
    }
}

impl Handle<SweepProposals> for ProposalQueueActor {
    fn handle(&mut self, _: SweepProposals, _: CallInfo) -> Answer<Self, ()> {
        let desk = Rc::clone(&self.desk);
        Answer::to_the_end(async move {
            if let Err(error) = desk.sweep().await {
                tracing::warn!(house = %desk.house, %error, "proposals could not be looked after");
            }
        })
    }
}

impl Handle<ListChanges> for ProposalQueueActor {
    fn handle(&mut self, question: ListChanges, _: CallInfo) -> Answer<Self, Result<Vec<ChangeRecord>, ChangeError>> {
        self.once_current(move |desk| history::list::list(desk, question))
    }
}

impl Handle<GetChange> for ProposalQueueActor {
    fn handle(&mut self, question: GetChange, call: CallInfo) -> Answer<Self, Result<ChangeRecord, ChangeError>> {
        self.once_current(move |desk| history::show::show(desk, question.id, call.deadline))
    }
}

impl Handle<ListEvents> for ProposalQueueActor {
    fn handle(&mut self, question: ListEvents, _: CallInfo) -> Answer<Self, Result<Vec<AdminEvent>, ProposalError>> {
        let desk = Rc::clone(&self.desk);
        Answer::later(async move {
            let after = Some(event_path(question.after));
            let rows: Vec<EventRow> =
                first_records(desk.house, &*desk.services.store, EVENTS, after, MAX_LISTED).await?;
            Ok(rows.into_iter().map(|EventRow(event)| event).collect())
        })
    }
}

impl Handle<ObserveProposals> for ProposalQueueActor {
    fn handle(&mut self, _: ObserveProposals, _: CallInfo) -> Answer<Self, ProposalsStatus> {
        let desk = &self.desk;
        let state = desk.state.borrow();
        let n_proposals = state.open.values().filter(|kept| kept.record.is_executing()).count();
        Answer::now(ProposalsStatus {
            n_pending: state.n_pending(),
            n_executing: n_proposals + state.open_changes.len(),
            n_armed: desk.services.armed.n_armed(desk.house, desk.now()),
        })
    }
}

impl ProposalQueueActor {
    /// Whether what is in memory can be answered from: nothing was written behind its back, and nothing is due.
    fn is_current(&self) -> bool {
        self.desk.is_fresh() && !self.desk.is_due()
    }

    /// Answers a question after everything was looked after that is due. Most of the time nothing is.
    fn once_current<T, E, F>(&self, answer: impl FnOnce(Rc<Desk>) -> F + 'static) -> Answer<Self, Result<T, E>>
    where
        T: 'static,
        E: From<SweepError> + 'static,
        F: Future<Output = Result<T, E>> + 'static,
    {
        let desk = Rc::clone(&self.desk);
        match self.is_current() {
            true => Answer::later(answer(desk)),
            // Sweeping writes, and what writes is not dropped half way.
            false => Answer::to_the_end(async move {
                desk.sweep().await?;
                answer(desk).await
            }),
        }
    }
}

//! The one way of a change: decide against the working set, commit, apply, answer.

use std::sync::Arc;

use jiff::Timestamp;
use playhouse_bus::{Answer, CallInfo, Handle, HouseId};
use playhouse_house::{Credential, EngagementStanding, credential_path};
use playhouse_store::{CommitError, Key, Op, read};

use super::{ProductionActor, opened};
use crate::import::Begun;
use crate::messages::{
    AddNote, Applied, ApplyImport, BeginSubmission, CommitSubmission, CreateAsset, Decide, EndJob, Idempotency,
    NoteKey, OfficeRefusal, ReportJob, SetUp, StartJob, SubmissionWelcome, Writer, Written,
};
use crate::model::{ActivityEntry, Actor, ActorKind, EntityKey, Job, JobId, JobStatus};
use crate::office::{
    Changes, Ledger, NotCommitted, Office, Opened, Replies, Reply, change_operations, name_of, standings,
};
use crate::writes::{self, Desk};

/// A reply that an idempotency key may ask for again; others are worked out anew.
pub(super) trait Outcome: Sized + Send + 'static {
    fn written(&self) -> Option<&Written> {
        None
    }

    fn replay(_: Written) -> Option<Self> {
        None
    }
}

impl Outcome for Written {
    fn written(&self) -> Option<&Written> {
        Some(self)
    }

    fn replay(written: Written) -> Option<Self> {
        Some(written)
    }
}

impl Outcome for Applied {
    fn written(&self) -> Option<&Written> {
        match self {
            Applied::Written(written) => Some(written),
            Applied::Stale => None,
        }
    }

    fn replay(written: Written) -> Option<Self> {
        Some(Applied::Written(written))
    }
}

/// Nothing is written yet that could be replayed, but there may be from before.
impl Outcome for Begun {
    fn replay(written: Written) -> Option<Self> {
        Some(Begun::Replayed(written))
    }
}

impl Outcome for u32 {}
impl Outcome for JobId {}
impl Outcome for () {}

/// What became of a change.
enum Change<T> {
    /// Refused, or there was nothing to do.
    Nothing(Result<T, OfficeRefusal>),
    Committed(Box<Committed<T>>),
    /// The commit ended in doubt. The office was read anew, if it could be.
    Doubt(Option<Box<Opened>>),
}

struct Committed<T> {
    work: After,
    standings: Vec<EngagementStanding>,
    entries: Vec<ActivityEntry>,
    reply: Option<(String, Reply)>,
    forgotten: Vec<String>,
    ledger: Ledger,
    /// Whether it is the bookkeeping of jobs alone.
    is_about_jobs: bool,
    outcome: T,
}

impl ProductionActor {
    /// Lets `decide` say what changes, commits it and answers what `decide` answered. With `is_long` it decides on a thread of its own.
    pub(super) fn change<T: Outcome>(
        &mut self,
        writer: Writer,
        idempotency: Option<Idempotency>,
        is_long: bool,
        decide: impl FnOnce(&mut Desk<'_>) -> Result<T, OfficeRefusal> + Send + 'static,
    ) -> Answer<Self, Result<T, OfficeRefusal>> {
        if self.in_doubt {
            return self.recover();
        }
        let now = self.now();
        let idempotency = writer.credential().zip(idempotency);
        let idempotency = idempotency.map(|(credential, asked)| (name_of(credential, &asked.key), asked));
        if let Some((name, asked)) = &idempotency {
            match self.replies.find(name, asked, now) {
                Err(refusal) => return Answer::now(Err(refusal)),
                Ok(Some(written)) => {
                    if let Some(outcome) = T::replay(written) {
                        return Answer::now(Ok(outcome));
                    }
                }
                Ok(None) => {}
            }
        }
        let attempt = Attempt {
            house: self.house,
            services: self.services.clone(),
            office: Arc::clone(&self.office),
            replies: Arc::clone(&self.replies),
            ledger: self.ledger.clone(),
            now,
            writer,
            idempotency,
            is_long,
        };
        Answer::alone(attempt.run(decide), Self::settle)
    }

    /// Takes over what became of a change.
    fn settle<T>(&mut self, change: Change<T>) -> Result<T, OfficeRefusal> {
        match change {
            Change::Nothing(outcome) => outcome,
            Change::Doubt(opened) => {
                self.in_doubt = true;
                if let Some(opened) = opened {
                    self.take_over(*opened);
                }
                Err(OfficeRefusal::in_doubt())
            }
            Change::Committed(committed) => {
                let Committed { work, standings, entries, reply, forgotten, ledger, is_about_jobs, outcome } =
                    *committed;
                for standing in standings {
                    self.services.key_ring.set_engagement(self.house, standing);
                }
                match work {
                    After::Apply(changes) => Arc::make_mut(&mut self.office).apply(changes),
                    After::Applied(office) => self.office = office,
                }
                for entry in entries {
                    self.activity.push(entry);
                }
                if let Some((name, reply)) = reply {
                    let replies = Arc::make_mut(&mut self.replies);
                    replies.forget(&forgotten);
                    replies.keep(name, reply);
                }
                self.ledger = ledger;
                if is_about_jobs {
                    self.answers.forget_jobs();
                } else {
                    self.answers.clear();
                }
                Ok(outcome)
            }
        }
    }
}

/// What is left to do in memory once a change is committed.
enum After {
    /// Few records: they are applied where the working set is.
    Apply(Changes),
    /// Many, or what follows from them is: they were applied to a copy already.
    Applied(Arc<Office>),
}

impl After {
    async fn of(changes: Changes, office: Arc<Office>) -> Self {
        // What engagements reach is worked out anew from everything.
        let is_long = changes.len() >= MANY || (changes.touches_reach() && office.is_large());
        if !is_long {
            return After::Apply(changes);
        }
        let copy = changes.clone();
        let work = move || {
            let mut office = Arc::unwrap_or_clone(office);
            office.apply(copy);
            Arc::new(office)
        };
        // What was committed is applied, if not there then here.
        elsewhere(work).await.map_or(After::Apply(changes), After::Applied)
    }
}

/// How many records are so many that applying them holds an actor's neighbours up.
const MANY: usize = 200;

/// Does work that takes long on a thread of its own.
async fn elsewhere<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, OfficeRefusal> {
    tokio::task::spawn_blocking(work).await.map_err(|error| {
        tracing::error!(%error, "work on an office broke off");
        OfficeRefusal::unavailable()
    })
}

/// One change on its way.
struct Attempt {
    house: HouseId,
    services: super::ProductionServices,
    office: Arc<Office>,
    replies: Arc<Replies>,
    ledger: Ledger,
    now: Timestamp,
    writer: Writer,
    idempotency: Option<(String, Idempotency)>,
    /// Whether deciding takes long.
    is_long: bool,
}

/// A change that is decided, with what it takes to commit it.
struct Prepared<T> {
    changes: Changes,
    entries: Vec<ActivityEntry>,
    reply: Option<(String, Reply)>,
    forgotten: Vec<String>,
    ops: Vec<Op>,
    outcome: T,
}

impl Attempt {
    async fn run<T: Outcome>(
        mut self,
        decide: impl FnOnce(&mut Desk<'_>) -> Result<T, OfficeRefusal> + Send + 'static,
    ) -> Change<T> {
        let by = match self.label().await {
            Ok(by) => by,
            Err(refusal) => return Change::Nothing(Err(refusal)),
        };
        let (mut ledger, house, services) = (self.ledger.clone(), self.house, self.services.clone());
        let office = Arc::clone(&self.office);
        let prepared = if self.is_long {
            elsewhere(move || self.prepare(by, decide))
                .await
                .unwrap_or_else(|refusal| Err(Change::Nothing(Err(refusal))))
        } else {
            self.prepare(by, decide)
        };
        let Prepared { changes, entries, reply, forgotten, ops, outcome } = match prepared {
            Ok(prepared) => prepared,
            Err(change) => return change,
        };
        match ledger.commit(ops, changes.counters().clone()).await {
            Ok(()) => {
                let standings = standings(&changes).collect();
                let is_about_jobs = changes.entities().all(|(key, _)| matches!(key, EntityKey::Job(_)));
                let work = After::of(changes, office).await;
                let committed =
                    Committed { work, standings, entries, reply, forgotten, ledger, is_about_jobs, outcome };
                Change::Committed(Box::new(committed))
            }
            Err(NotCommitted::Nothing(refusal)) => Change::Nothing(Err(refusal)),
            Err(NotCommitted::Doubtful(error)) => {
                tracing::error!(%house, %error, "a commit ended in doubt; the office is read anew");
                match opened(&services, house).await {
                    Ok(opened) => Change::Doubt(Some(Box::new(opened))),
                    Err(error) => {
                        tracing::error!(%house, %error, "the office could not be read anew");
                        Change::Doubt(None)
                    }
                }
            }
        }
    }

    /// Decides, and writes down what there is to commit. An error is what the change comes to without a commit.
    fn prepare<T: Outcome>(
        &mut self,
        by: Actor,
        decide: impl FnOnce(&mut Desk<'_>) -> Result<T, OfficeRefusal>,
    ) -> Result<Prepared<T>, Change<T>> {
        let mut desk = Desk::at(&self.office, self.now, &self.writer, by);
        let outcome = decide(&mut desk).map_err(|refusal| Change::Nothing(Err(refusal)))?;
        desk.settle_approvals();
        let (changes, entries) = desk.into_parts();
        if changes.is_empty() && entries.is_empty() {
            return Err(Change::Nothing(Ok(outcome)));
        }
        let reply = self.idempotency.take().zip(outcome.written()).map(|((name, asked), written)| {
            (name, Reply { at: self.now, request_sha256: asked.request_sha256, written: written.clone() })
        });
        let ops = change_operations(&self.office, &changes, &entries, &self.replies, reply.as_ref());
        let (ops, forgotten) = ops.map_err(|error| {
            tracing::error!(house = %self.house, %error, "a change cannot be written down");
            Change::Nothing(Err(OfficeRefusal::unavailable()))
        })?;
        Ok(Prepared { changes, entries, reply, forgotten, ops, outcome })
    }

    /// Who writes, as others will see it.
    async fn label(&self) -> Result<Actor, OfficeRefusal> {
        let credential = match &self.writer {
            Writer::Key { credential, .. } => *credential,
            Writer::Person { name } => return Ok(Actor { kind: ActorKind::Person, label: name.clone() }),
            Writer::System => return Ok(Actor { kind: ActorKind::System, label: "Playhouse".to_owned() }),
        };
        let key = Key::new(self.house, credential_path(credential));
        let found = read::<Credential>(&*self.services.store, &key).await.map_err(|error| {
            tracing::warn!(house = %self.house, %error, "a key's label could not be read");
            OfficeRefusal::unavailable()
        })?;
        let label = found.map_or_else(|| format!("key {credential}"), |(credential, _)| credential.label);
        Ok(Actor { kind: ActorKind::Key, label })
    }
}

/// Ends the jobs that were running when the service stopped: nobody goes on with them.
pub(super) async fn end_cut_jobs(opened: &mut Opened, now: Timestamp) -> Result<(), CommitError> {
    let is_open = |job: &&Job| matches!(job.status, JobStatus::Queued | JobStatus::Running);
    let mut changes = Changes::upon(&opened.office, now);
    for job in opened.office.jobs().iter().filter(is_open) {
        let error = Some("The service was restarted before it was done.".to_owned());
        let finished_at = Some(changes.at());
        changes.put(Job { status: JobStatus::Failed, finished_at, error, ..job.clone() });
    }
    if changes.is_empty() {
        return Ok(());
    }
    let unwritable = |error: &dyn std::fmt::Display| CommitError::Unavailable { cause: error.to_string() };
    let ops = change_operations(&opened.office, &changes, &[], &opened.replies, None);
    let (ops, _) = ops.map_err(|error| unwritable(&error))?;
    match opened.ledger.commit(ops, changes.counters().clone()).await {
        Ok(()) => opened.office.apply(changes),
        Err(NotCommitted::Doubtful(error)) => return Err(error),
        Err(NotCommitted::Nothing(refusal)) => return Err(unwritable(&refusal)),
    }
    Ok(())
}

/// Ties a message to the function that decides about it.
macro_rules! changes {
    ($($message:ident => $reply:ty, $is_long:expr, |$desk:ident, $order:ident| $decide:expr;)*) => {
        $(
            impl Handle<$message> for ProductionActor {
                fn handle(&mut self, $order: $message, _: CallInfo) -> Answer<Self, Result<$reply, OfficeRefusal>> {
                    let is_long = $is_long(&$order);
                    self.change($order.writer.clone(), $order.idempotency.clone(), is_long, move |$desk| $decide)
                }
            }
        )*
    };
}

fn short<M>(_: &M) -> bool {
    false
}

changes! {
    CreateAsset => Written, short, |desk, order| writes::create_asset(desk, &order.asset);
    AddNote => Written, short, |desk, order| writes::add_note(desk, order.node_id, &order.note);
    Decide => Written, short, |desk, order| writes::decide(desk, order.approval_id, &order.decision);
    CommitSubmission => Written, short, |desk, order| writes::submit(desk, order);
    ApplyImport => Applied, (|order: &ApplyImport| order.plan.changes.len() >= MANY), |desk, order| writes::apply_import(desk, order.plan, order.job);
}

impl Handle<BeginSubmission> for ProductionActor {
    fn handle(
        &mut self,
        order: BeginSubmission,
        _: CallInfo,
    ) -> Answer<Self, Result<SubmissionWelcome, OfficeRefusal>> {
        if self.in_doubt {
            return self.recover();
        }
        let BeginSubmission { writer, turnover_id, idempotency_key } = order;
        let name = writer.credential().zip(idempotency_key).map(|(credential, key)| name_of(credential, &key));
        let is_repeated = name.is_some_and(|name| self.replies.has(&name, self.now()));
        Answer::now(writes::welcome(&self.office, &writer, turnover_id, is_repeated))
    }
}

impl Handle<SetUp> for ProductionActor {
    fn handle(&mut self, SetUp { by, step }: SetUp, _: CallInfo) -> Answer<Self, Result<u32, OfficeRefusal>> {
        self.change(Writer::Person { name: by }, None, false, move |desk| writes::set_up(desk, step))
    }
}

impl Handle<NoteKey> for ProductionActor {
    fn handle(&mut self, order: NoteKey, _: CallInfo) -> Answer<Self, Result<(), OfficeRefusal>> {
        // Said before, by an order whose answer was lost or by one that changed nothing.
        let is_noted = writes::key_entry(&self.office, &order).is_ok_and(|(verb, summary)| {
            self.activity.has_recent(|entry| entry.verb == verb && entry.summary == summary)
        });
        if is_noted && !self.in_doubt {
            return Answer::now(Ok(()));
        }
        let by = Writer::Person { name: order.by.clone() };
        self.change(by, None, false, move |desk| writes::note_key(desk, &order))
    }
}

impl Handle<StartJob> for ProductionActor {
    fn handle(&mut self, StartJob { kind }: StartJob, _: CallInfo) -> Answer<Self, Result<JobId, OfficeRefusal>> {
        self.change(Writer::System, None, false, move |desk| Ok(writes::start_job(desk, kind)))
    }
}

impl Handle<ReportJob> for ProductionActor {
    fn handle(
        &mut self,
        ReportJob { id, progress }: ReportJob,
        _: CallInfo,
    ) -> Answer<Self, Result<(), OfficeRefusal>> {
        if let Some(job) = self.office.jobs().get(&id).filter(|job| job.status == JobStatus::Running) {
            let job = Job { progress: progress.clamp(0.0, 1.0), ..job.clone() };
            Arc::make_mut(&mut self.office).insert(job.into());
            self.answers.forget_jobs();
        }
        Answer::now(Ok(()))
    }
}

impl Handle<EndJob> for ProductionActor {
    fn handle(&mut self, EndJob { id, outcome }: EndJob, _: CallInfo) -> Answer<Self, Result<(), OfficeRefusal>> {
        self.change(Writer::System, None, false, move |desk| {
            writes::end_job(desk, id, outcome);
            Ok(())
        })
    }
}

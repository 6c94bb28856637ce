//! Running an import: begin, plan beside other work, write alone.
//!
//! [`run`] is the one way in, for REST and for the command line. The office is told three times: that an import begins, which shows in its jobs;
//! what the file is, which it plans on a thread of its own against a snapshot; and the plan, which it writes whole or not at all. What
//! was written in between makes a plan stale, and it is drawn up again.

use std::rc::Rc;

use bytes::Bytes;
use playhouse_bus::{Bus, Deadline, HouseId, Message};
use serde::{Deserialize, Serialize};

use super::ImportOptions;
use super::limits::MAX_FILE_BYTES;
use crate::ProductionActor;
use crate::messages::{
    Applied, ApplyImport, Document, EndJob, Idempotency, ImportAnswer, ImportPlan, OfficeRefusal, ReportJob, Writer,
    Written,
};
use crate::model::{ImportKind, JobId};

/// How often a plan that went stale is drawn up again. Others would have to write in every one of these moments.
const MAX_ATTEMPTS: u32 = 5;
/// How far an import is once its file is in the office's hands.
const BEGUN: f64 = 0.1;
/// How far it is once it is planned.
const PLANNED: f64 = 0.7;

/// An import that somebody asks for.
#[derive(Clone)]
pub struct ImportOrder {
    /// Into which house's production.
    pub house: HouseId,
    /// Who imports.
    pub writer: Writer,
    /// What the file is.
    pub kind: ImportKind,
    /// The file.
    pub bytes: Bytes,
    /// What stands beside it.
    pub options: ImportOptions,
    /// Whether nothing is to be written.
    pub dry_run: bool,
    /// The `Idempotency-Key`, if there was one.
    pub idempotency: Option<Idempotency>,
}

impl std::fmt::Debug for ImportOrder {
    /// Not what the file says: it may be somebody's script.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "ImportOrder({}, {} bytes)", self.kind, self.bytes.len())
    }
}

/// Imports a file. `progress` is told how far it is, from 0 to 1.
///
/// The same file again answers 200 and changes nothing. It goes on to its end also when the future is dropped, as it is when a client
/// hangs up; runs on an actix thread.
///
/// # Errors
/// 403 as the scopes and the door say, 404 for what the options name and is not there, 409 for an archived production or a settled turnover,
/// 413 for a file over [`MAX_FILE_BYTES`], 422 for what is wrong with the file (with `rows` where it has lines), 503 while the office
/// cannot write.
pub async fn run(
    bus: &Bus,
    order: ImportOrder,
    deadline: Deadline,
    progress: impl Fn(f64) + 'static,
) -> Result<Written, OfficeRefusal> {
    if order.bytes.len() > MAX_FILE_BYTES {
        return Err(super::ImportFault::TooLarge.into());
    }
    let import = Rc::new(Import { bus: bus.clone(), order, deadline, progress: Box::new(progress) });
    let work = tokio::task::spawn_local(async move { import.run().await });
    work.await.unwrap_or_else(|error| {
        tracing::error!(%error, "an import broke off");
        Err(OfficeRefusal::unavailable())
    })
}

struct Import {
    bus: Bus,
    order: ImportOrder,
    deadline: Deadline,
    progress: Box<dyn Fn(f64)>,
}

impl Import {
    async fn run(&self) -> Result<Written, OfficeRefusal> {
        let ImportOrder { writer, kind, dry_run, .. } = &self.order;
        if *dry_run {
            let plan = self.plan().await?;
            (self.progress)(1.0);
            let document = Document::of(&ImportAnswer { job_id: None, dry_run: true, report: plan.report })?;
            return Ok(Written { document, status: 200, location: None, replayed: false });
        }
        let begin = BeginImport { writer: writer.clone(), kind: *kind, idempotency: self.order.idempotency.clone() };
        let job = match self.call(begin).await?? {
            Begun::Job(job) => job,
            Begun::Replayed(written) => {
                (self.progress)(1.0);
                return Ok(written);
            }
        };
        self.report(job, BEGUN).await;
        let outcome = self.plan_and_write(job).await;
        match &outcome {
            // The plan ended the job in its own commit. Of two that came at once under one key the later one finds the reply only now.
            Ok(Written { replayed: false, .. }) => {}
            Ok(_) => self.end(job, Ok(serde_json::json!({ "replayed": true }))).await,
            Err(refusal) => self.end(job, Err(refusal.detail.clone())).await,
        }
        (self.progress)(1.0);
        outcome
    }

    async fn plan_and_write(&self, job: JobId) -> Result<Written, OfficeRefusal> {
        for _ in 0..MAX_ATTEMPTS {
            let plan = self.plan().await?;
            self.report(job, PLANNED).await;
            let ImportOrder { writer, idempotency, .. } = self.order.clone();
            match self.call(ApplyImport { writer, plan, job: Some(job), idempotency }).await?? {
                Applied::Written(written) => return Ok(written),
                Applied::Stale => tracing::debug!(house = %self.order.house, %job, "an import is planned again"),
            }
        }
        Err(OfficeRefusal::unavailable())
    }

    async fn plan(&self) -> Result<ImportPlan, OfficeRefusal> {
        let ImportOrder { writer, kind, bytes, options, .. } = self.order.clone();
        self.call(PlanImport { writer, kind, bytes, options }).await?
    }

    /// Says how far it is. Nothing hangs on it, so a failure is not one of the import.
    async fn report(&self, id: JobId, progress: f64) {
        (self.progress)(progress);
        let told = self.call(ReportJob { id, progress }).await;
        if let Err(refusal) | Ok(Err(refusal)) = told {
            tracing::debug!(house = %self.order.house, %refusal, "the progress of an import was not noted");
        }
    }

    async fn end(&self, id: JobId, outcome: Result<serde_json::Value, String>) {
        let told = self.call(EndJob { id, outcome }).await;
        if let Err(refusal) | Ok(Err(refusal)) = told {
            tracing::warn!(house = %self.order.house, job = %id, %refusal, "the end of an import was not noted");
        }
    }

    async fn call<M: Message<Actor = ProductionActor>>(&self, message: M) -> Result<M::Reply, OfficeRefusal> {
        Ok(self.bus.call(ProductionActor::key(self.order.house), message, self.deadline).await?)
    }
}

/// Says that an import begins: its job runs from now on. Refused for who may not import, and by an archived production. Repeating it
/// begins another.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BeginImport {
    /// Who imports.
    pub writer: Writer,
    /// What.
    pub kind: ImportKind,
    /// The `Idempotency-Key`, if there was one: a request that was answered before begins no job.
    pub idempotency: Option<Idempotency>,
}

/// What became of the beginning of an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Begun {
    /// Its job runs.
    Job(JobId),
    /// It was made before under the same idempotency key; this is what was answered then.
    Replayed(Written),
}

impl Message for BeginImport {
    type Actor = ProductionActor;
    type Reply = Result<Begun, OfficeRefusal>;
}

/// Asks what a file would change. Changes nothing.
#[derive(Clone, Serialize, Deserialize)]
pub struct PlanImport {
    /// Who imports.
    pub writer: Writer,
    /// What the file is.
    pub kind: ImportKind,
    /// The file.
    pub bytes: Bytes,
    /// What stands beside it.
    pub options: ImportOptions,
}

impl std::fmt::Debug for PlanImport {
    /// Not what the file says: it may be somebody's script.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "PlanImport({}, {} bytes)", self.kind, self.bytes.len())
    }
}

impl Message for PlanImport {
    type Actor = ProductionActor;
    type Reply = Result<ImportPlan, OfficeRefusal>;
}

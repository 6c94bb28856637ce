//! Imports: the beginning, and the plan, which is drawn up on a thread of its own.

use playhouse_bus::{Answer, CallInfo, Handle};

use super::ProductionActor;
use crate::import::{BeginImport, Begun, PlanImport, plan};
use crate::messages::{ImportPlan, OfficeRefusal};
use crate::writes;

impl Handle<BeginImport> for ProductionActor {
    fn handle(
        &mut self,
        BeginImport { writer, kind, idempotency }: BeginImport,
        _: CallInfo,
    ) -> Answer<Self, Result<Begun, OfficeRefusal>> {
        self.change(writer, idempotency, false, move |desk| writes::begin_import(desk, kind).map(Begun::Job))
    }
}

impl Handle<PlanImport> for ProductionActor {
    fn handle(&mut self, order: PlanImport, _: CallInfo) -> Answer<Self, Result<ImportPlan, OfficeRefusal>> {
        if self.in_doubt {
            return self.recover();
        }
        if let Err(refusal) = writes::may_import(&self.office, &order.writer, order.kind) {
            return Answer::now(Err(refusal));
        }
        let (office, now) = (self.snapshot(), self.now());
        Answer::later(async move {
            let PlanImport { kind, bytes, options, .. } = order;
            let planned = tokio::task::spawn_blocking(move || plan(kind, &bytes, &options, &office, now)).await;
            match planned {
                Ok(planned) => Ok(planned?),
                // As if it had happened here: the bus answers the caller and keeps the cause.
                Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
                Err(_) => Err(OfficeRefusal::unavailable()),
            }
        })
    }
}

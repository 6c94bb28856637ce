//! Making or changing a custom format, at once.

use std::future::Future;
use std::rc::Rc;

use playhouse_bus::{CallError, Deadline};
use playhouse_library::InstanceLabel;
use playhouse_library::answer::{ArrFailure, Code};
use playhouse_library::settings::{FormatAction, JsonText, PrepareFormat, PreparedFormat};

use crate::desk::{Desk, to_read};
use crate::gate::Gate;
use crate::records::Object;
use crate::target::Target;
use crate::tools::UPSERT;
use crate::who::{Who, source_of};
use crate::write::format::{WrittenFormat, carry_out};
use crate::write::{Draft, Held, Written};
use crate::{Operation, SettingsFailure, UpsertCustomFormat, Upserted};

type Reply = Result<Upserted, SettingsFailure>;

/// Works it out twice, with the library's lane taken in between; what is handed over carries it out, whoever waits for it.
pub(crate) async fn upsert(
    desk: Rc<Desk>,
    order: UpsertCustomFormat,
    deadline: Deadline,
) -> Result<impl Future<Output = Reply>, Reply> {
    let gate = Gate::of_tool(&order.caller, UPSERT);
    match prepare(&desk, order, &gate, deadline).await {
        Ok(Prepared::Unchanged(upserted)) => Err(Ok(*upserted)),
        Ok(Prepared::ToSend { target, held, prepared, draft }) => Ok(async move {
            let (instance, action, name) = (prepared.instance.clone(), prepared.action, prepared.name.clone());
            let written = Box::pin(carry_out(&desk, *prepared, held, *draft, &gate)).await;
            drop(target);
            answer(&desk, written, instance, action, name).await
        }),
        Err(failure) => Err(Err(failure)),
    }
}

enum Prepared {
    Unchanged(Box<Upserted>),
    ToSend { target: Target, held: Held, prepared: Box<PreparedFormat>, draft: Box<Draft> },
}

async fn prepare(
    desk: &Desk,
    order: UpsertCustomFormat,
    gate: &Gate,
    deadline: Deadline,
) -> Result<Prepared, SettingsFailure> {
    let UpsertCustomFormat { caller, service, instance_id, custom_format } = order;
    gate.check(desk)?;
    let target = Target::choose(desk, service, instance_id.as_deref(), deadline).await?;
    gate.check(desk)?;
    let first = look(desk, &target, &custom_format, deadline).await?;
    if let FormatAction::Unchanged { id } = first.action {
        return Ok(Prepared::Unchanged(Box::new(Upserted {
            instance: first.instance,
            action: first.action,
            format_id: id,
            name: first.name,
            change: None,
            stored_no_difference: false,
        })));
    }
    gate.check(desk)?;
    // Before the second look, so that nothing is waited for behind it. Dropped on every way out.
    let held = Held::take(desk, target.instance.id, deadline).await?;
    gate.check(desk)?;
    let moved = target.has_moved(desk, deadline).await?;
    let second = look(desk, &target, &custom_format, deadline).await?;
    gate.check(desk)?;
    if moved || second.connection != first.connection {
        let words = format!(
            "Nothing was written: {} changed while this was being prepared. Try again.",
            second.instance.title()
        );
        return Err(SettingsFailure::refused(Code::InstanceChanged, words));
    }
    let planned = |prepared: &PreparedFormat| {
        (prepared.action, prepared.name.clone(), prepared.before_digest, prepared.desired_digest)
    };
    if planned(&first) != planned(&second) {
        let words = format!(
            "Nothing was written: the custom format \"{}\" changed in {} while this was being prepared. Look at it and try again.",
            second.name,
            second.instance.title()
        );
        return Err(SettingsFailure::refused(Code::ObjectChanged, words));
    }
    let who = Who::calls(desk, &caller).await.map_err(|error| SettingsFailure::not_recorded(&error))?;
    let (operation, id) = match second.action {
        FormatAction::Update { id } => (Operation::Update, Some(id)),
        FormatAction::Create | FormatAction::Unchanged { .. } => (Operation::Create, None),
    };
    let draft = Draft {
        who,
        source: source_of(&caller.origin),
        instance: second.instance.clone(),
        operation,
        object: Object::Format { action: second.action, id },
        resource_id: id.map_or_else(|| format!("name:{}", second.name), |id| id.to_string()),
        resource_name: second.name.clone(),
        connection: second.connection,
        before: second.before.clone(),
        before_digest: second.before_digest,
        after: second.desired.clone(),
        after_digest: second.desired_digest,
        fields: second.fields.clone(),
        proposal: None,
        parent: None,
    };
    Ok(Prepared::ToSend { target, held, prepared: Box::new(second), draft: Box::new(draft) })
}

async fn look(
    desk: &Desk,
    target: &Target,
    custom_format: &JsonText,
    deadline: Deadline,
) -> Result<PreparedFormat, SettingsFailure> {
    let order = PrepareFormat { payload: custom_format.clone() };
    let looked = desk.ask(target.instance.id, order, to_read(deadline)).await;
    Ok(looked.unwrap_or_else(|error: CallError| Err(ArrFailure::from(error)))?)
}

async fn answer(
    desk: &Desk,
    written: WrittenFormat,
    instance: InstanceLabel,
    action: FormatAction,
    name: String,
) -> Reply {
    let WrittenFormat { written, id, stored_no_difference } = written;
    match written {
        Written::Applied(row) => Ok(Upserted {
            instance,
            action,
            format_id: id.unwrap_or_default(),
            name,
            change: Some(desk.with_differences(*row).await),
            stored_no_difference,
        }),
        Written::NotBegun(not_begun) => Err(not_begun.into()),
        Written::Failed { code, words, .. } => Err(SettingsFailure::Definite { code, words }),
        Written::Unsure(unsure) => Err(unsure.into()),
    }
}

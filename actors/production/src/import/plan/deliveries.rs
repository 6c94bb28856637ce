//! A table of deliveries, told apart by code.

use std::collections::HashMap;

use serde_json::json;

use super::super::ImportFault;
use super::super::table::{Column, date, read_table};
use super::rows::{Fields, Names, name, word};
use super::{Desk, many};
use crate::messages::ImportPlan;
use crate::model::{Delivery, DeliveryStatus, Subject, SubjectType, Verb};

const COLUMNS: [Column; 7] = [
    Column::needed("code"),
    Column::optional("title"),
    Column::optional("kind"),
    Column::optional("episode"),
    Column::optional("engagement"),
    Column::optional("due_on"),
    Column::optional("status"),
];

pub(super) fn plan(mut desk: Desk<'_>, bytes: &[u8]) -> Result<ImportPlan, ImportFault> {
    let table = read_table(bytes, &COLUMNS)?;
    let names = Names::of(desk.office, None);
    let by_code: HashMap<&str, &Delivery> =
        desk.office.deliveries().iter().map(|delivery| (delivery.code.as_str(), delivery)).collect();
    let (mut faults, mut seen) = (Vec::new(), HashMap::new());
    let mut touched = Vec::new();
    for row in &table.rows {
        let mut fields = Fields::of(row, &mut faults);
        let Some(code) = fields.needed("code", None, name) else { continue };
        if let Some(first) = seen.insert(code.clone(), row.number) {
            fields.fault("code", format!("code '{code}' stands in row {first} already"));
        }
        let known = by_code.get(code.as_str()).copied();
        let title = fields.needed("title", known.map(|delivery| delivery.title.clone()), name);
        let kind = fields.needed("kind", known.map(|delivery| delivery.kind), |cell| word("kind", cell));
        let status =
            fields.needed("status", Some(known.map_or(DeliveryStatus::Planned, |delivery| delivery.status)), |cell| {
                let status: DeliveryStatus = word("status", cell)?;
                match known.map(|delivery| delivery.status) {
                    Some(old) if !old.may_become(status) => Err(format!("status cannot go from {old} to {status}")),
                    _ => Ok(status),
                }
            });
        let episode_id =
            fields.optional("episode", known.and_then(|delivery| delivery.episode_id), |cell| names.episode(cell));
        let engagement_id = fields.optional("engagement", known.and_then(|delivery| delivery.engagement_id), |cell| {
            Ok(names.engagement(cell)?.0)
        });
        let due_on = fields.optional("due_on", known.and_then(|delivery| delivery.due_on), date);
        let sound = fields.is_sound();
        let (Some(title), Some(kind), Some(status), true) = (title, kind, status, sound) else { continue };

        let id = known.map_or_else(|| desk.changes.next_id(), |delivery| delivery.id);
        let delivery = Delivery {
            id,
            code: code.clone(),
            title: title.clone(),
            kind,
            status,
            episode_id,
            engagement_id,
            due_on,
            spec: known.and_then(|delivery| delivery.spec.clone()),
            package: known.map(|delivery| delivery.package.clone()).unwrap_or_default(),
            accepted_submission_id: known.and_then(|delivery| delivery.accepted_submission_id),
        };
        if known == Some(&delivery) {
            desk.unchanged();
            continue;
        }
        desk.changes.put(delivery);
        touched.push(Subject { subject_type: SubjectType::Delivery, id: id.0, title });
        match known {
            Some(_) => desk.updated(json!({ "change": "updated", "id": id, "code": code })),
            None => desk.added(json!({ "change": "added", "id": id, "code": code })),
        }
    }
    ImportFault::unless_sound(faults)?;
    desk.warn_all(table.warnings);
    let verb = if desk.report.added > 0 { Verb::DeliveryCreated } else { Verb::DeliveryUpdated };
    let subject = match <[Subject; 1]>::try_from(touched) {
        Ok([only]) => only,
        Err(_) => many(SubjectType::Delivery, "Deliveries"),
    };
    Ok(desk.finish(verb, subject, "deliveries imported"))
}

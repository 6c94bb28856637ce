//! A table of purchase orders, told apart by number. No amount leaves it but in the records themselves.

use std::collections::HashMap;

use serde_json::json;

use super::super::ImportFault;
use super::super::table::{Column, date, parse_amount, read_table};
use super::rows::{Fields, Names, name, shown, text, word};
use super::{Desk, many};
use crate::messages::ImportPlan;
use crate::model::{OrderStatus, PurchaseOrder, SubjectType, Verb};

const COLUMNS: [Column; 9] = [
    Column::needed("number"),
    Column::optional("vendor"),
    Column::optional("engagement"),
    Column::optional("department"),
    Column::optional("status"),
    Column::optional("currency"),
    Column::optional("total"),
    Column::optional("issued_on"),
    Column::optional("description"),
];

pub(super) fn plan(mut desk: Desk<'_>, bytes: &[u8]) -> Result<ImportPlan, ImportFault> {
    let table = read_table(bytes, &COLUMNS)?;
    let names = Names::of(desk.office, None);
    let by_number: HashMap<&str, &PurchaseOrder> =
        desk.office.orders().iter().map(|order| (order.number.as_str(), order)).collect();
    let (mut faults, mut seen) = (Vec::new(), HashMap::new());
    for row in &table.rows {
        let mut fields = Fields::of(row, &mut faults);
        let Some(number) = fields.needed("number", None, name) else { continue };
        if let Some(first) = seen.insert(number.clone(), row.number) {
            fields.fault("number", format!("number '{number}' stands in row {first} already"));
        }
        let known = by_number.get(number.as_str()).copied();
        let vendor = fields.needed("vendor", known.map(|order| order.vendor), |cell| names.vendor(cell));
        let engagement_id = fields.optional("engagement", known.and_then(|order| order.engagement_id), |cell| {
            match names.engagement(cell)? {
                (id, of) if vendor.is_none() || vendor == Some(of) => Ok(id),
                _ => Err(format!("engagement '{}' is another vendor's", shown(cell))),
            }
        });
        let department = fields
            .optional("department", known.and_then(|order| order.department.clone()), |cell| names.department(cell));
        let old_status = known.map(|order| order.status);
        let status = fields.needed("status", Some(old_status.unwrap_or(OrderStatus::Draft)), |cell| {
            let status: OrderStatus = word("status", cell)?;
            match old_status {
                Some(old) if !old.may_become(status) => Err(format!("status cannot go from {old} to {status}")),
                _ => Ok(status),
            }
        });
        let old_currency = known.map_or(&desk.production.currency, |order| &order.currency).clone();
        let currency = fields.needed("currency", Some(old_currency.clone()), currency).unwrap_or(old_currency.clone());
        // An old total in another currency is another amount: then the row has to say the new one.
        let old_total = known.filter(|_| currency == old_currency).map(|order| order.total_minor);
        let total_minor = fields.needed("total", old_total, |cell| parse_amount(cell, &currency));
        let issued_on = fields.optional("issued_on", known.and_then(|order| order.issued_on), date);
        let description = fields.optional("description", known.and_then(|order| order.description.clone()), text);
        let sound = fields.is_sound();
        let (Some(vendor), Some(status), Some(total_minor), true) = (vendor, status, total_minor, sound) else {
            continue;
        };

        let id = known.map_or_else(|| desk.changes.next_id(), |order| order.id);
        let order = PurchaseOrder {
            id,
            number: number.clone(),
            vendor,
            engagement_id,
            department,
            description,
            status,
            currency,
            total_minor,
            invoiced_minor: known.map_or(0, |order| order.invoiced_minor),
            paid_minor: known.map_or(0, |order| order.paid_minor),
            issued_on,
            budget_code: known.and_then(|order| order.budget_code.clone()),
            approved_by: known.and_then(|order| order.approved_by.clone()),
            internal_note: known.and_then(|order| order.internal_note.clone()),
            lines: known.map(|order| order.lines.clone()).unwrap_or_default(),
        };
        match known {
            Some(known) if *known == order => desk.unchanged(),
            Some(_) => {
                desk.changes.put(order);
                desk.updated(json!({ "change": "updated", "id": id, "number": number }));
            }
            None => {
                desk.changes.put(order);
                desk.added(json!({ "change": "added", "id": id, "number": number }));
            }
        }
    }
    ImportFault::unless_sound(faults)?;
    desk.warn_all(table.warnings);
    Ok(desk.finish(Verb::OrderImported, many(SubjectType::PurchaseOrder, "Purchase orders"), "orders imported"))
}

/// A currency's code: three letters.
fn currency(text: &str) -> Result<String, String> {
    let code = text.to_uppercase();
    let sound = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase());
    if sound { Ok(code) } else { Err(format!("'{}' is no currency; write it as GBP", shown(text))) }
}

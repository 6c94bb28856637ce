//! Purchase orders: the only place where money appears.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;

use super::View;
use super::shapes::Day;
use crate::model::{EngagementId, OrderId, OrderStatus, VendorId};

#[derive(Serialize, JsonSchema)]
pub(super) struct OrderRow<'a> {
    id: OrderId,
    number: &'a str,
    vendor: VendorRef<'a>,
    #[schemars(with = "Option<u32>")]
    engagement_id: Option<EngagementId>,
    department: Option<&'a str>,
    description: Option<&'a str>,
    status: OrderStatus,
    currency: &'a str,
    total_minor: i64,
    invoiced_minor: i64,
    paid_minor: i64,
    #[schemars(with = "Option<Day>")]
    issued_on: Option<Date>,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget_code: Option<Option<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    approved_by: Option<Option<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    internal_note: Option<Option<&'a str>>,
}

#[derive(Serialize, JsonSchema)]
struct VendorRef<'a> {
    id: VendorId,
    name: &'a str,
}

/// `GET /purchase-orders`: by number.
pub(super) fn list<'a>(view: &View<'a>) -> Vec<OrderRow<'a>> {
    let mut orders: Vec<_> = view.office.orders.iter().filter_map(|order| view.sight.order(order)).collect();
    orders.sort_by(|(a, _), (b, _)| (&a.number, a.id).cmp(&(&b.number, b.id)));
    let row = |(order, internal): (&'a crate::model::PurchaseOrder, crate::clamp::Shown<_>)| OrderRow {
        id: order.id,
        number: &order.number,
        vendor: VendorRef {
            id: order.vendor,
            name: view.office.vendors.get(&order.vendor).map_or("", |vendor| vendor.name.as_str()),
        },
        engagement_id: order.engagement_id,
        department: order.department.as_deref(),
        description: order.description.as_deref(),
        status: order.status,
        currency: &order.currency,
        total_minor: order.total_minor,
        invoiced_minor: order.invoiced_minor,
        paid_minor: order.paid_minor,
        issued_on: order.issued_on,
        budget_code: internal.map(|it: &'a crate::model::PurchaseOrder| it.budget_code.as_deref()),
        approved_by: internal.map(|it| it.approved_by.as_deref()),
        internal_note: internal.map(|it| it.internal_note.as_deref()),
    };
    orders.into_iter().map(row).collect()
}

//! Departments and people.

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;

use super::shapes::Day;
use super::{View, by_due};
use crate::messages::OfficeRefusal;
use crate::model::{
    AssetKind, AssetStatus, Delivery, DeliveryId, DeliveryStatus, Department, NodeId, Person, PersonId,
};

#[derive(Serialize, JsonSchema)]
pub(super) struct DepartmentRow<'a> {
    slug: &'a str,
    name: &'a str,
    head: Option<Head<'a>>,
    counts: Counts,
}

#[derive(Serialize, JsonSchema)]
struct Head<'a> {
    person_id: PersonId,
    name: &'a str,
}

#[derive(Serialize, JsonSchema)]
struct Counts {
    assets: usize,
    not_approved: usize,
    overdue: usize,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct DepartmentAnswer<'a> {
    #[serde(flatten)]
    row: DepartmentRow<'a>,
    people: Vec<PersonRow<'a>>,
    assets: Vec<AssetRef<'a>>,
    deliveries: Vec<DeliveryRef<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct AssetRef<'a> {
    node_id: NodeId,
    code: &'a str,
    name: &'a str,
    kind: AssetKind,
    status: AssetStatus,
}

#[derive(Serialize, JsonSchema)]
struct DeliveryRef<'a> {
    id: DeliveryId,
    title: &'a str,
    status: DeliveryStatus,
    #[schemars(with = "Option<Day>")]
    due_on: Option<Date>,
}

/// A person as lists show them: without the telephone number.
#[derive(Serialize, JsonSchema)]
pub(super) struct PersonRow<'a> {
    id: PersonId,
    name: &'a str,
    role: Option<&'a str>,
    department: Option<&'a str>,
    vendor: Option<&'a str>,
    email: Option<&'a str>,
}

/// `GET /departments`: by name.
pub(super) fn list<'a>(view: &View<'a>) -> Vec<DepartmentRow<'a>> {
    let mut rows: Vec<_> = view.office.departments.iter().map(|department| row(view, department)).collect();
    rows.sort_by(|a, b| (a.name, a.slug).cmp(&(b.name, b.slug)));
    rows
}

/// `GET /departments/{slug}`.
pub(super) fn get<'a>(view: &View<'a>, slug: &str) -> Result<DepartmentAnswer<'a>, OfficeRefusal> {
    let department = view.office.departments.get(&slug.to_owned());
    let department = department.ok_or_else(|| OfficeRefusal::not_found("Department"))?;
    let mut deliveries: Vec<_> = deliveries_of(view, &department.slug).collect();
    deliveries.sort_by_key(|delivery| (by_due(delivery.due_on), delivery.id));
    let asset = |node: &NodeId| {
        let asset = view.office.assets.get(node)?;
        let (node_id, kind, status) = (asset.node_id, asset.kind, asset.status);
        Some(AssetRef { node_id, code: &asset.code, name: &asset.name, kind, status })
    };
    Ok(DepartmentAnswer {
        row: row(view, department),
        people: people(view, Some(&department.slug)),
        assets: view.office.assets_of_department(&department.slug).filter_map(|node| asset(&node)).collect(),
        deliveries: deliveries
            .into_iter()
            .map(|it| DeliveryRef { id: it.id, title: &it.title, status: it.status, due_on: it.due_on })
            .collect(),
    })
}

/// `GET /people`: by name.
pub(super) fn people<'a>(view: &View<'a>, department: Option<&str>) -> Vec<PersonRow<'a>> {
    let office = view.office;
    let wanted = |person: &&Person| department.is_none_or(|slug| person.department.as_deref() == Some(slug));
    let row = |person: &'a Person| PersonRow {
        id: person.id,
        name: &person.name,
        role: person.role.as_deref(),
        department: person.department.as_deref(),
        vendor: person.vendor.and_then(|id| office.vendors.get(&id)).map(|vendor| vendor.name.as_str()),
        email: person.email.as_deref(),
    };
    let mut rows: Vec<_> = office.people.iter().filter(wanted).map(row).collect();
    rows.sort_by(|a, b| (a.name, a.id).cmp(&(b.name, b.id)));
    rows
}

fn row<'a>(view: &View<'a>, department: &'a Department) -> DepartmentRow<'a> {
    let office = view.office;
    let assets = || office.assets_of_department(&department.slug).filter_map(|node| office.assets.get(&node));
    let head = department.head.and_then(|id| office.people.get(&id));
    DepartmentRow {
        slug: &department.slug,
        name: &department.name,
        head: head.map(|person| Head { person_id: person.id, name: &person.name }),
        counts: Counts {
            assets: assets().count(),
            not_approved: assets().filter(|asset| asset.status.is_outstanding()).count(),
            overdue: deliveries_of(view, &department.slug).filter(|delivery| view.is_overdue(delivery)).count(),
        },
    }
}

/// The deliveries of the department's engagements.
fn deliveries_of<'a>(view: &View<'a>, slug: &'a str) -> impl Iterator<Item = &'a Delivery> {
    let office = view.office;
    office.deliveries.iter().filter(move |delivery| {
        let engagement = delivery.engagement_id.and_then(|id| office.engagements.get(&id));
        engagement.is_some_and(|engagement| engagement.department.as_deref() == Some(slug))
    })
}

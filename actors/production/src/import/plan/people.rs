//! A table of people: by e-mail address, else by name and role.

use std::collections::HashMap;

use serde_json::json;

use super::super::ImportFault;
use super::super::table::{Cell, Column, read_table};
use super::rows::{Fields, Names, name, shown};
use super::{Desk, many};
use crate::messages::ImportPlan;
use crate::model::{Person, SubjectType, Verb};

const COLUMNS: [Column; 5] = [
    Column::needed("name"),
    Column::optional("role"),
    Column::optional("department"),
    Column::optional("vendor"),
    Column::optional("email"),
];

pub(super) fn plan(mut desk: Desk<'_>, bytes: &[u8]) -> Result<ImportPlan, ImportFault> {
    let table = read_table(bytes, &COLUMNS)?;
    let names = Names::of(desk.office, None);
    let people = desk.office.people();
    let by_email: HashMap<String, &Person> =
        people.iter().filter_map(|person| Some((person.email.as_ref()?.to_lowercase(), person))).collect();
    let by_name: HashMap<(&str, Option<&str>), &Person> =
        people.iter().map(|person| ((person.name.as_str(), person.role.as_deref()), person)).collect();
    let (mut faults, mut seen) = (Vec::new(), HashMap::new());
    for row in &table.rows {
        let mut fields = Fields::of(row, &mut faults);
        let Some(person_name) = fields.needed("name", None, name) else { continue };
        let address = fields.optional("email", None, email);
        let with_address = address.as_ref().and_then(|address| by_email.get(&address.to_lowercase()));
        // Somebody who had no address before, or whose row has none, is known by name and role.
        let named = by_name.get(&(person_name.as_str(), row.value("role")));
        let known = with_address.or(named.filter(|person| address.is_none() || person.email.is_none())).copied();
        let who = address.as_ref().map_or_else(
            || format!("{person_name}, {}", row.value("role").unwrap_or_default()),
            |address| address.to_lowercase(),
        );
        if let Some(first) = seen.insert(who, row.number) {
            let column = if address.is_some() { "email" } else { "name" };
            fields.fault(column, format!("the same person stands in row {first} already"));
        }
        let role = fields.optional("role", known.and_then(|person| person.role.clone()), name);
        let department = fields
            .optional("department", known.and_then(|person| person.department.clone()), |cell| names.department(cell));
        let vendor = fields.optional("vendor", known.and_then(|person| person.vendor), |cell| names.vendor(cell));
        let email = match row.cell("email") {
            Cell::Keep => known.and_then(|person| person.email.clone()),
            Cell::Clear | Cell::Value(_) => address,
        };
        if !fields.is_sound() {
            continue;
        }
        let id = known.map_or_else(|| desk.changes.next_id(), |person| person.id);
        let phone = known.and_then(|person| person.phone.clone());
        let person = Person { id, name: person_name.clone(), role, department, vendor, email, phone };
        match known {
            Some(known) if *known == person => desk.unchanged(),
            Some(_) => {
                desk.changes.put(person);
                desk.updated(json!({ "change": "updated", "id": id, "name": person_name }));
            }
            None => {
                desk.changes.put(person);
                desk.added(json!({ "change": "added", "id": id, "name": person_name }));
            }
        }
    }
    ImportFault::unless_sound(faults)?;
    desk.warn_all(table.warnings);
    // The list of verbs has none for people: they are of the production.
    Ok(desk.finish(Verb::ProductionUpdated, many(SubjectType::Person, "People"), "people imported"))
}

/// An address has something on both sides of one `@`, and no blank.
fn email(text: &str) -> Result<String, String> {
    let sound = text.len() <= 254
        && !text.contains(char::is_whitespace)
        && text.split_once('@').is_some_and(|(user, host)| !user.is_empty() && !host.is_empty() && !host.contains('@'));
    if sound { Ok(text.to_owned()) } else { Err(format!("'{}' is no e-mail address", shown(text))) }
}

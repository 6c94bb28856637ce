//! A custom format as somebody hands it over, in the form in which it is sent.

use std::collections::BTreeSet;

use super::{NAME, SPECIFICATIONS};
use crate::settings::exact::{Exact, Members};
use crate::settings::profile::MAX_NAME_BYTES;

/// A payload is not longer.
const MAX_BYTES: usize = 1 << 20;

/// A format has no more conditions.
const MAX_SPECIFICATIONS: usize = 256;

/// An object has no more members, so that a record of what changed stays readable.
const MAX_MEMBERS: usize = 500;

/// A payload that can be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Payload {
    /// To the byte: blanks round it are part of it.
    pub(super) name: String,
    /// Without an id; fields of conditions as lists.
    pub(super) members: Members,
}

impl Payload {
    /// Reads one, and says in words what is wrong with it.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        if text.len() > MAX_BYTES {
            return Err(format!("it has more than {} MiB", MAX_BYTES >> 20));
        }
        let Exact::Object(mut members) = Exact::parse(text).map_err(|why| why.to_string())? else {
            return Err("it is no JSON object".to_owned());
        };
        check_names(&members)?;
        // An id belongs to the instance that it comes from.
        members.remove("id");
        let name = members.get(NAME).and_then(Exact::as_text).filter(|name| !name.trim().is_empty());
        let name = name.ok_or("it has no `name`")?.to_owned();
        if name.len() > MAX_NAME_BYTES {
            return Err(format!("its `name` has more than {MAX_NAME_BYTES} bytes"));
        }
        let Some(Exact::List(specifications)) = members.get_mut(SPECIFICATIONS) else {
            return Err("it has no list `specifications`".to_owned());
        };
        if specifications.len() > MAX_SPECIFICATIONS {
            return Err(format!("it has more than {MAX_SPECIFICATIONS} specifications"));
        }
        specifications.iter_mut().try_for_each(normalise)?;
        Ok(Self { name, members })
    }
}

/// The services take names of members in any case, and of two that differ by case only it is not said which one holds: `ID` beside
/// the `id` that is sent could lead to another format.
fn check_names(members: &Members) -> Result<(), String> {
    if members.len() > MAX_MEMBERS {
        return Err(format!("it has more than {MAX_MEMBERS} members"));
    }
    let known = [NAME, SPECIFICATIONS, super::RENAMING, "id"];
    let mut seen = BTreeSet::new();
    for name in members.keys() {
        if name.is_empty() || name.len() > MAX_NAME_BYTES {
            return Err(format!("the name of one of its members has not 1 to {MAX_NAME_BYTES} bytes"));
        }
        let is_misspelt = known.iter().any(|known| known.eq_ignore_ascii_case(name) && known != name);
        if is_misspelt || !seen.insert(name.to_lowercase()) {
            return Err(format!(
                "its member {name:?} differs from another, or from one that is known, by upper and lower case only"
            ));
        }
    }
    Ok(())
}

/// Fields that a guide writes as an object become the list that a service takes.
fn normalise(specification: &mut Exact) -> Result<(), String> {
    let Exact::Object(specification) = specification else {
        return Err("one of its specifications is no object".to_owned());
    };
    match specification.get("fields") {
        Some(Exact::List(_)) => Ok(()),
        Some(Exact::Object(fields)) => {
            // By name, as the members of an object always are here.
            let field = |(name, value): (&String, &Exact)| {
                let members = [("name".to_owned(), Exact::text(name.clone())), ("value".to_owned(), value.clone())];
                Exact::Object(members.into())
            };
            let listed = Exact::List(fields.iter().map(field).collect());
            specification.insert("fields".to_owned(), listed);
            Ok(())
        }
        _ => Err("one of its specifications has no `fields`".to_owned()),
    }
}

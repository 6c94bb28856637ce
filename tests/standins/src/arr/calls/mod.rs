//! Every call that there is, with the parameters it takes: our own table, so that requests are checked without any other document.

mod body;
mod chaptarr;
mod common;
mod lidarr;
mod radarr;
mod sonarr;

use super::{ask::Ask, kind::ArrKind, world::World};
use crate::loopback::{Incoming, Reply, RequestViolation};

pub(crate) use body::{Shape, faults as body_faults, is_ids};

/// One call.
pub(crate) struct Call {
    pub(crate) method: &'static str,
    /// Below `/api/v3`; `{id}` stands for a number.
    pub(crate) path: &'static str,
    pub(crate) query: &'static [(&'static str, Sort)],
    pub(crate) body: Shape,
    pub(crate) answer: fn(&mut World, &Ask<'_>) -> Reply,
}

/// What a parameter's value must look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    Number,
    /// Repeated; joined by commas it is not understood.
    Numbers,
    /// `true` or `false`.
    Flag,
    Text,
    /// With its zone, since without one it is the server's local time.
    Instant,
    Direction,
}

pub(crate) enum Found {
    Call(&'static Call, Option<u32>),
    /// The path exists, but not for this method.
    WrongMethod,
    Nothing,
}

const fn call(
    method: &'static str,
    path: &'static str,
    query: &'static [(&'static str, Sort)],
    answer: fn(&mut World, &Ask<'_>) -> Reply,
) -> Call {
    Call { method, path, query, body: Shape::None, answer }
}

const fn get(
    path: &'static str,
    query: &'static [(&'static str, Sort)],
    answer: fn(&mut World, &Ask<'_>) -> Reply,
) -> Call {
    call("GET", path, query, answer)
}

impl Call {
    const fn taking(self, body: Shape) -> Self {
        Self { body, ..self }
    }
}

pub(super) fn table(kind: ArrKind) -> impl Iterator<Item = &'static Call> {
    let own: &[Call] = match kind {
        ArrKind::Radarr => radarr::CALLS,
        ArrKind::Sonarr => sonarr::CALLS,
        ArrKind::Lidarr => lidarr::CALLS,
        ArrKind::Chaptarr => chaptarr::CALLS,
    };
    own.iter().chain(common::CALLS)
}

/// The call at a path below `/api/v3/`.
pub(crate) fn find(kind: ArrKind, method: &str, path: &str) -> Found {
    let mut found = Found::Nothing;
    for call in table(kind) {
        let Some(id) = fits(call.path, path) else { continue };
        if call.method == method {
            return Found::Call(call, id);
        }
        found = Found::WrongMethod;
    }
    found
}

/// The number in the path, if there is to be one, when the path is of this form.
fn fits(template: &str, path: &str) -> Option<Option<u32>> {
    match template.split_once("{id}") {
        None => (template == path.trim_end_matches('/')).then_some(None),
        Some((before, after)) => {
            let id = path.strip_prefix(before)?.strip_suffix(after)?;
            Some(Some(id.parse().ok()?))
        }
    }
}

/// What is wrong with the parameters of a request, and whether one of them is such that the application refuses it.
pub(crate) fn query_faults(call: &Call, request: &Incoming) -> (Vec<RequestViolation>, Option<String>) {
    let (mut violations, mut unreadable) = (Vec::new(), None);
    for (name, value) in &request.query {
        if name.eq_ignore_ascii_case(crate::loopback::ARR_KEY_PARAMETER) {
            continue;
        }
        let (path, name) = (request.path.clone(), name.clone());
        match call.query.iter().find(|(known, _)| known.eq_ignore_ascii_case(&name)) {
            None => violations.push(RequestViolation::UnknownParameter { path, name }),
            Some((_, sort)) if !sort.fits(value) => {
                if sort.is_bound() {
                    unreadable.get_or_insert_with(|| name.clone());
                }
                violations.push(RequestViolation::Parameter { path, name, value: value.clone() });
            }
            Some(_) => {}
        }
    }
    (violations, unreadable)
}

impl Sort {
    fn fits(self, value: &str) -> bool {
        match self {
            Self::Number | Self::Numbers => value.parse::<i32>().is_ok(),
            Self::Flag => ["true", "false"].iter().any(|word| word.eq_ignore_ascii_case(value)),
            Self::Text => true,
            Self::Instant => value.parse::<jiff::Timestamp>().is_ok(),
            Self::Direction => matches!(value, "ascending" | "descending" | "default"),
        }
    }

    /// Whether a value that does not fit is a 400. A time without its zone is read, as another time than was meant.
    fn is_bound(self) -> bool {
        !matches!(self, Self::Text | Self::Instant)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_a_number_fits_no_word() {
        assert_eq!(fits("queue/{id}", "queue/7"), Some(Some(7)));
        assert_eq!(fits("queue/{id}", "queue/bulk"), None);
        assert_eq!(fits("queue", "queue/"), Some(None));
    }

    #[test]
    fn no_call_is_in_the_table_twice() {
        for kind in ArrKind::ALL {
            let mut seen = std::collections::BTreeSet::new();
            for call in table(kind) {
                assert!(seen.insert((call.method, call.path)), "{} {} {}", kind.name(), call.method, call.path);
            }
        }
    }
}

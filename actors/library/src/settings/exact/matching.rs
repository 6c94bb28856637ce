//! Whether one value contains another.
//!
//! A service adds members to what it is sent and returns lists in an order of its own. So what was sent is found again when each of its
//! members is there, and each element of its lists has a partner of its own.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::{Exact, Members, number};

/// How many pairs of values one comparison may look at. Matching lists costs the product of their lengths at every level, and both sides are
/// other people's. The largest format of the guides costs less than a hundred thousand.
const MAX_PAIRS: usize = 4_000_000;

/// What a comparison may still cost. When it is used up nothing is contained any more: a change is then sent, or not confirmed, rather
/// than taken for done.
pub(in crate::settings) struct Budget(Cell<usize>);

impl Budget {
    /// Enough for everything that people make.
    pub(in crate::settings) fn new() -> Self {
        Self(Cell::new(MAX_PAIRS))
    }

    fn pays(&self) -> bool {
        let left = self.0.get();
        self.0.set(left.saturating_sub(1));
        left > 0
    }
}

/// What is asked of the members that the planned value does not mention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::settings) enum Containment {
    /// Nothing: the question is whether what was sent is there.
    Readback,
    /// That they say nothing (`false`, 0, empty), where the service would reset them if the planned value were sent: fields of a condition, and its
    /// switches. The question is whether sending would change anything.
    Unchanged,
}

/// A condition's members that are reset to `false` when they are left out.
const SWITCHES: [&str; 2] = ["negate", "required"];

impl Containment {
    /// Whether `live` contains `planned`.
    pub(in crate::settings) fn holds(self, live: &Exact, planned: &Exact, budget: &Budget) -> bool {
        if !budget.pays() {
            return false;
        }
        match (live, planned) {
            (Exact::Object(live), Exact::Object(planned)) => self.object_holds(live, planned, budget),
            (Exact::List(live), Exact::List(planned)) => self.list_holds(live, planned, budget),
            (Exact::Number(live), Exact::Number(planned)) => number::is_same(live, planned),
            (live, planned) => live == planned,
        }
    }

    /// The conditions of a format: one to one, in any order.
    pub(in crate::settings) fn specifications_hold(self, live: &Exact, planned: &Exact, budget: &Budget) -> bool {
        let (Some(live), Some(planned)) = (live.elements(), planned.elements()) else { return false };
        pairs_up(live, planned, |live, planned| self.specification_holds(live, planned, budget))
    }

    fn specification_holds(self, live: &Exact, planned: &Exact, budget: &Budget) -> bool {
        let (Some(live), Some(planned)) = (live.members(), planned.members()) else { return false };
        let is_reset =
            |name: &str| !planned.contains_key(name) && live.get(name).is_some_and(|switch| !switch.is_falsy());
        if self == Containment::Unchanged && SWITCHES.into_iter().any(is_reset) {
            return false;
        }
        budget.pays()
            && planned.iter().all(|(name, planned)| match (name.as_str(), live.get(name)) {
                ("fields", Some(live)) => self.fields_hold(live, planned, budget),
                (_, Some(live)) => self.holds(live, planned, budget),
                (_, None) => is_left_out(planned),
            })
    }

    /// The fields of a condition, found by name. The service knows more of them than a guide writes down.
    fn fields_hold(self, live: &Exact, planned: &Exact, budget: &Budget) -> bool {
        let (Some(live), Some(planned)) = (live.elements(), planned.elements()) else { return false };
        let (Some(live_by_name), Some(planned_by_name)) = (by_name(live), by_name(planned)) else {
            return self.list_holds(live, planned, budget);
        };
        let planned_are_there = planned_by_name.iter().all(|(name, planned)| match live_by_name.get(name) {
            Some(live) => self.object_holds(live, planned, budget),
            None => planned.get("value").is_none_or(is_left_out),
        });
        let says_nothing = |field: &Members| field.get("value").is_none_or(Exact::is_falsy);
        planned_are_there
            && (self == Containment::Readback
                || live_by_name.iter().all(|(name, live)| planned_by_name.contains_key(name) || says_nothing(live)))
    }

    fn object_holds(self, live: &Members, planned: &Members, budget: &Budget) -> bool {
        planned.iter().all(|(name, planned)| match live.get(name) {
            Some(live) => self.holds(live, planned, budget),
            None => is_left_out(planned),
        })
    }

    fn list_holds(self, live: &[Exact], planned: &[Exact], budget: &Budget) -> bool {
        pairs_up(live, planned, |live, planned| self.holds(live, planned, budget))
    }
}

/// The services leave out what is `null`.
fn is_left_out(planned: &Exact) -> bool {
    *planned == Exact::Null
}

/// Fields by their names; `None` where one has none, or two have the same.
fn by_name(fields: &[Exact]) -> Option<BTreeMap<&str, &Members>> {
    let mut named = BTreeMap::new();
    for field in fields {
        let members = field.members()?;
        if named.insert(members.get("name")?.as_text()?, members).is_some() {
            return None;
        }
    }
    Some(named)
}

/// Whether each planned element has a live partner of its own and none is left over. "Contains" is no equivalence: one live element may contain
/// several planned ones, so that the first partner found is not always the right one, and partners have to be exchanged.
fn pairs_up(live: &[Exact], planned: &[Exact], fits: impl Fn(&Exact, &Exact) -> bool) -> bool {
    if live.len() != planned.len() {
        return false;
    }
    // Mostly nothing was reordered.
    if live.iter().zip(planned).all(|(live, planned)| fits(live, planned)) {
        return true;
    }
    let choices: Vec<Vec<usize>> =
        planned.iter().map(|planned| (0..live.len()).filter(|at| fits(&live[*at], planned)).collect()).collect();
    let mut taken_by: Vec<Option<usize>> = vec![None; live.len()];
    (0..planned.len()).all(|begin| find_partner(begin, &choices, &mut taken_by))
}

/// Gives `begin` a partner, by a chain of exchanges where all of its choices are taken. Without recursion: a chain may be as long as the list.
fn find_partner(begin: usize, choices: &[Vec<usize>], taken_by: &mut [Option<usize>]) -> bool {
    let mut reached_from: Vec<Option<usize>> = vec![None; taken_by.len()];
    let mut to_look_at = vec![begin];
    while let Some(planned) = to_look_at.pop() {
        for &live in &choices[planned] {
            if reached_from[live].is_some() {
                continue;
            }
            reached_from[live] = Some(planned);
            match taken_by[live] {
                Some(holder) => to_look_at.push(holder),
                None => {
                    exchange(live, begin, &reached_from, taken_by);
                    return true;
                }
            }
        }
    }
    false
}

/// Hands each live element of the chain that ends in `free` to the planned one that reached it.
fn exchange(free: usize, begin: usize, reached_from: &[Option<usize>], taken_by: &mut [Option<usize>]) {
    let mut live = free;
    while let Some(planned) = reached_from[live] {
        let before = taken_by.iter().position(|holder| *holder == Some(planned));
        taken_by[live] = Some(planned);
        match before {
            Some(before) if planned != begin => live = before,
            _ => return,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(containment: Containment, live: &str, planned: &str) -> bool {
        containment.holds(&Exact::parse(live).unwrap(), &Exact::parse(planned).unwrap(), &Budget::new())
    }

    fn specifications_hold(containment: Containment, live: &str, planned: &str) -> bool {
        containment.specifications_hold(&Exact::parse(live).unwrap(), &Exact::parse(planned).unwrap(), &Budget::new())
    }

    #[test]
    fn what_the_service_adds_is_passed_over_and_what_it_lacks_is_not() {
        for (live, planned, contained) in [
            (r#"{"a":1,"more":2}"#, r#"{"a":1.0}"#, true),
            (r#"{"a":1}"#, r#"{"a":1,"more":2}"#, false),
            (r#"{"a":1}"#, r#"{"a":1,"more":null}"#, true),
            ("[2,1]", "[1,2]", true),
            ("[1,2,3]", "[1,2]", false),
            (r#""1""#, "1", false),
        ] {
            assert_eq!(holds(Containment::Readback, live, planned), contained, "{live} {planned}");
        }
    }

    #[test]
    fn partners_are_exchanged_where_the_first_one_found_is_needed_by_another() {
        let live = r#"[{"a":1,"b":1},{"a":1},{"a":1,"c":1}]"#;
        let planned = r#"[{"a":1},{"a":1,"b":1},{"a":1,"c":1}]"#;
        assert!(holds(Containment::Readback, live, planned));
        assert!(!holds(Containment::Readback, live, r#"[{"b":1},{"b":1},{"a":1}]"#));
        let chain = |n: usize, from: usize| {
            let objects = (0..n).map(|at| {
                let names: Vec<String> =
                    [at + from, at + from + 1].iter().map(|name| format!(r#""{name}":0"#)).collect();
                format!("{{{}}}", names.join(","))
            });
            format!("[{}]", objects.collect::<Vec<_>>().join(","))
        };
        let singles =
            |n: usize| format!("[{}]", (0..n).map(|at| format!(r#"{{"{}":0}}"#, at + 1)).collect::<Vec<_>>().join(","));
        assert!(holds(Containment::Readback, &chain(200, 0), &singles(200)));
        assert!(holds(Containment::Readback, &chain(200, 1), &singles(200)));
    }

    #[test]
    fn fields_are_found_by_name_and_what_a_guide_leaves_out_must_say_nothing() {
        let live = |except: &str| {
            format!(
                r#"[{{"name":"L","negate":false,"required":false,"fields":[{{"order":0,"name":"value","value":4}},
                {{"order":1,"name":"exceptLanguage","value":{except}}}]}}]"#
            )
        };
        let planned = r#"[{"name":"L","fields":[{"name":"value","value":4.0}]}]"#;
        assert!(specifications_hold(Containment::Unchanged, &live("false"), planned));
        assert!(!specifications_hold(Containment::Unchanged, &live("true"), planned));
        assert!(specifications_hold(Containment::Readback, &live("true"), planned));
        assert!(!specifications_hold(
            Containment::Readback,
            &live("false"),
            r#"[{"fields":[{"name":"min","value":1}]}]"#
        ));
    }

    #[test]
    fn a_switch_that_is_on_and_left_out_would_be_reset() {
        let live = r#"[{"name":"x","negate":true,"fields":[]}]"#;
        assert!(!specifications_hold(Containment::Unchanged, live, r#"[{"name":"x","fields":[]}]"#));
        assert!(specifications_hold(Containment::Unchanged, live, r#"[{"name":"x","negate":true,"fields":[]}]"#));
    }

    #[test]
    fn a_comparison_that_would_never_end_is_given_up() {
        let list = |last: &str| format!("[{}{last}]", "0,".repeat(20_000));
        let nested = |last: &str| format!("[{last},{}]", vec![list("0"); 3].join(","));
        assert!(!holds(Containment::Readback, &nested(&list("1")), &nested(&list("2"))));
    }
}

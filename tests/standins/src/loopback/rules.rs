//! What a service does to some of its calls only.

use std::sync::Arc;

use bytes::Bytes;
use serde_json::Value;

use super::{Misbehaviour, SeenRequest};

/// Changes the JSON of a right answer.
pub(crate) type Alteration = Arc<dyn Fn(&mut Value) + Send + Sync>;

/// Something that happens beside a call, once.
pub(crate) type Meanwhile = Box<dyn FnOnce() + Send>;

/// How one request is treated.
pub(crate) struct Treatment {
    pub(crate) way: Way,
    /// What changes in a right answer.
    pub(crate) alterations: Vec<Alteration>,
    /// What happens before the request is carried out, and after.
    pub(crate) before: Vec<Meanwhile>,
    pub(crate) after: Vec<Meanwhile>,
}

/// Who answers a request.
pub(crate) enum Way {
    /// The service, spoilt on the way out where it says so.
    Manner(Misbehaviour),
    /// Not the service, but these words.
    Instead(u16, Words),
    /// The service does what it is asked, and these words go out in place of its own.
    Beside(u16, Words),
}

/// The body of an answer that a test gives.
#[derive(Debug, Clone)]
pub(crate) enum Words {
    Json(Value),
    /// Whatever it is, it is said to be JSON.
    Bytes(Bytes),
}

/// Which calls, and what is done to them.
pub(crate) struct Rule {
    calls: Calls,
    done: Done,
    /// So many of them are left alone first.
    n_before: usize,
    /// How many calls it still holds for; for all of them without.
    n_left: Option<usize>,
}

pub(crate) enum Done {
    Misbehave(Misbehaviour),
    Alter(Alteration),
    Instead(u16, Words),
    Beside(u16, Words),
    /// Nothing once it has happened.
    Before(Option<Meanwhile>),
    After(Option<Meanwhile>),
}

impl Rule {
    /// `calls` is a path in which `*` stands for anything, with or without a method before it: `DELETE */queue/*`.
    pub(crate) fn new(calls: &str, done: Done) -> Self {
        let (method, path) = match calls.split_once(' ') {
            Some((method, path)) => (Some(method.to_owned()), path),
            None => (None, calls),
        };
        Self { calls: Calls { method, path: path.to_owned() }, done, n_before: 0, n_left: None }
    }

    /// For the n-th of these calls only, counted from 1.
    pub(crate) fn for_nth(self, nth: usize) -> Self {
        Self { n_before: nth.saturating_sub(1), n_left: Some(1), ..self }
    }

    /// Whether the request is one of those that it is about, and its turn.
    fn is_due(&mut self, request: &SeenRequest) -> bool {
        if self.n_left == Some(0) || !self.calls.include(request) {
            return false;
        }
        if self.n_before > 0 {
            self.n_before -= 1;
            return false;
        }
        true
    }

    fn is_used(&mut self) {
        self.n_left = self.n_left.map(|n_left| n_left.saturating_sub(1));
    }
}

struct Calls {
    method: Option<String>,
    path: String,
}

impl Calls {
    fn include(&self, request: &SeenRequest) -> bool {
        self.method.as_ref().is_none_or(|method| *method == request.method) && fits(&self.path, &request.path)
    }
}

fn fits(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => text
            .strip_prefix(start)
            .is_some_and(|text| (0..=text.len()).any(|at| text.is_char_boundary(at) && fits(rest, &text[at..]))),
    }
}

/// Treats a request by the rules, the newest first, and as `otherwise` where none decides. What was `prepared` for it decides before all rules.
pub(crate) fn treat(
    rules: &mut [Rule],
    request: &SeenRequest,
    prepared: Option<Misbehaviour>,
    otherwise: Misbehaviour,
) -> Treatment {
    let mut way = prepared.map(Way::Manner);
    let (mut alterations, mut before, mut after) = (Vec::new(), Vec::new(), Vec::new());
    for rule in rules.iter_mut().rev().filter_map(|rule| rule.is_due(request).then_some(rule)) {
        match &mut rule.done {
            // These happen whoever answers.
            Done::Before(act) => before.extend(act.take()),
            Done::After(act) => after.extend(act.take()),
            // An older rule waits for its turn while a newer one decides.
            _ if way.is_some() => continue,
            Done::Misbehave(misbehaviour) => way = Some(Way::Manner(*misbehaviour)),
            Done::Instead(status, words) => way = Some(Way::Instead(*status, words.clone())),
            Done::Beside(status, words) => way = Some(Way::Beside(*status, words.clone())),
            Done::Alter(alteration) => alterations.push(Arc::clone(alteration)),
        }
        rule.is_used();
    }
    Treatment { way: way.unwrap_or(Way::Manner(otherwise)), alterations, before, after }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    };

    use super::*;

    #[test]
    fn a_star_stands_for_anything_and_nothing_else_does() {
        assert!(fits("*/queue/*", "/api/v3/queue/7") && fits("/ping", "/ping") && fits("*", ""));
        assert!(!fits("*/queue", "/api/v3/queue/7") && !fits("/ping", "/ping/"));
    }

    fn decided(rules: &mut [Rule], prepared: Option<Misbehaviour>) -> Misbehaviour {
        let request = SeenRequest::of("GET", "/api/v3/queue");
        let treatment = treat(rules, &request, prepared, Misbehaviour::None);
        treatment.before.into_iter().chain(treatment.after).for_each(|act| act());
        let Way::Manner(manner) = treatment.way else { return Misbehaviour::None };
        manner
    }

    #[test]
    fn the_newest_rule_decides_and_an_older_one_keeps_its_turn() {
        let once = |misbehaviour| Rule::new("*", Done::Misbehave(misbehaviour)).for_nth(1);
        let mut rules = [once(Misbehaviour::Html), once(Misbehaviour::HungUp)];
        let decided: Vec<_> = (0..3).map(|_| decided(&mut rules, None)).collect();
        assert_eq!(decided, [Misbehaviour::HungUp, Misbehaviour::Html, Misbehaviour::None]);
    }

    #[test]
    fn what_happens_beside_a_call_happens_once_whoever_answers_it() {
        let n_times = Arc::new(AtomicUsize::new(0));
        let act = || {
            let n_times = Arc::clone(&n_times);
            Some(Box::new(move || {
                n_times.fetch_add(1, Ordering::Relaxed);
            }) as Meanwhile)
        };
        let mut rules = [
            Rule::new("GET */queue", Done::Before(act())).for_nth(2),
            Rule::new("*", Done::After(act())).for_nth(2),
            Rule::new("*", Done::Misbehave(Misbehaviour::HungUp)),
            Rule::new("POST *", Done::Before(act())).for_nth(1),
        ];
        let mut seen = Vec::new();
        for prepared in [None, Some(Misbehaviour::Html), None] {
            let manner = decided(&mut rules, prepared);
            seen.push((manner, n_times.load(Ordering::Relaxed)));
        }
        assert_eq!(seen, [(Misbehaviour::HungUp, 0), (Misbehaviour::Html, 2), (Misbehaviour::HungUp, 2)]);
    }
}

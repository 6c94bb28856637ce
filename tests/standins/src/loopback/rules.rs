//! What a service does to some of its calls only.

use std::sync::Arc;

use serde_json::Value;

use super::{Misbehaviour, SeenRequest};

/// Changes the JSON of a right answer.
pub(crate) type Alteration = Arc<dyn Fn(&mut Value) + Send + Sync>;

/// How one request is treated.
pub(crate) enum Treatment {
    /// Answered and, where it says so, spoilt on the way out.
    Manner(Misbehaviour, Vec<Alteration>),
    /// Not answered by the service, but by these words.
    Answer(u16, Value),
}

/// Which calls, and what is done to them.
pub(crate) struct Rule {
    calls: Calls,
    done: Done,
    /// How many calls it still holds for; for all of them without.
    n_left: Option<usize>,
}

pub(crate) enum Done {
    Misbehave(Misbehaviour),
    Alter(Alteration),
    Answer(u16, Value),
}

impl Rule {
    /// `calls` is a path in which `*` stands for anything, with or without a method before it: `DELETE */queue/*`.
    pub(crate) fn new(calls: &str, done: Done, n_left: Option<usize>) -> Self {
        let (method, path) = match calls.split_once(' ') {
            Some((method, path)) => (Some(method.to_owned()), path),
            None => (None, calls),
        };
        Self { calls: Calls { method, path: path.to_owned() }, done, n_left }
    }

    /// Whether it holds for this request; if so, that is one less.
    fn takes(&mut self, request: &SeenRequest) -> bool {
        if self.n_left == Some(0) || !self.calls.include(request) {
            return false;
        }
        self.n_left = self.n_left.map(|n_left| n_left - 1);
        true
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

/// Treats a request by the rules, the newest first, and as `otherwise` where none decides.
pub(crate) fn treat(rules: &mut [Rule], request: &SeenRequest, otherwise: Misbehaviour) -> Treatment {
    let mut alterations = Vec::new();
    for rule in rules.iter_mut().rev() {
        if !rule.takes(request) {
            continue;
        }
        match &rule.done {
            Done::Misbehave(misbehaviour) => return Treatment::Manner(*misbehaviour, alterations),
            Done::Answer(status, body) => return Treatment::Answer(*status, body.clone()),
            Done::Alter(alteration) => alterations.push(Arc::clone(alteration)),
        }
    }
    Treatment::Manner(otherwise, alterations)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_star_stands_for_anything_and_nothing_else_does() {
        assert!(fits("*/queue/*", "/api/v3/queue/7") && fits("/ping", "/ping") && fits("*", ""));
        assert!(!fits("*/queue", "/api/v3/queue/7") && !fits("/ping", "/ping/"));
    }
}

//! The applications' own descriptions of their API, when they are at hand: a second opinion on what is asked and on what is answered.
//!
//! They are not part of this repository: put `arr-openapi` into a folder that `PLAYHOUSE_SHARED` names, or into a folder `shared` beside the
//! repository. Where a description is known to be behind its application, [`lag`] says so.

mod lag;
mod schema;

use std::{
    fs,
    sync::{Arc, LazyLock},
};

use serde_json::Value;

use super::kind::ArrKind;
use crate::{
    at_hand,
    loopback::{ARR_KEY_PARAMETER, Incoming, RequestViolation},
};
use schema::Schemas;

/// What an application says of its own API.
#[derive(Debug)]
pub(crate) struct Description {
    /// By the parts of their templates.
    paths: Vec<(Vec<String>, Value)>,
    schemas: Schemas,
}

impl Description {
    /// The description of an application, when it is at hand; read once.
    pub(crate) fn of(kind: ArrKind) -> Option<Arc<Self>> {
        static KNOWN: LazyLock<Vec<(ArrKind, Option<Arc<Description>>)>> = LazyLock::new(|| {
            ArrKind::ALL.into_iter().map(|kind| (kind, Description::read(kind).map(Arc::new))).collect()
        });
        KNOWN.iter().find(|(known, _)| *known == kind)?.1.clone()
    }

    fn read(kind: ArrKind) -> Option<Self> {
        let path = at_hand::find(&format!("arr-openapi/{}.json", kind.name().to_lowercase()))?;
        let text = fs::read(path).ok()?;
        let mut whole: Value = serde_json::from_slice(&text).ok()?;
        let schemas = Schemas::new(whole["components"]["schemas"].take());
        let paths = whole["paths"].as_object_mut()?;
        let paths = std::mem::take(paths)
            .into_iter()
            .map(|(path, methods)| (parts(&path).map(str::to_owned).collect(), methods));
        Some(Self { paths: paths.collect(), schemas })
    }

    /// What it says of a call; paths below the URL base.
    pub(crate) fn operation(&self, method: &str, path: &str) -> Option<&Value> {
        let asked: Vec<&str> = parts(path).collect();
        let fits = |template: &[String]| {
            let is_part =
                |(own, asked): (&String, &&str)| own == asked || own.starts_with('{') && asked.parse::<i64>().is_ok();
            template.len() == asked.len() && template.iter().zip(&asked).all(is_part)
        };
        let mut known = self.paths.iter().filter(|(template, _)| fits(template));
        known.find_map(|(_, methods)| methods.get(method.to_lowercase()))
    }

    /// What is wrong with a request by this description.
    pub(crate) fn request_faults(&self, request: &Incoming, path: &str, body: &Value) -> Vec<RequestViolation> {
        let call = format!("{} {path}", request.method);
        let fault = |reason: String| RequestViolation::Undescribed { call: call.clone(), reason };
        if lag::is_undescribed(path) {
            return Vec::new();
        }
        let Some(operation) = self.operation(&request.method, path) else {
            return vec![fault("there is none".to_owned())];
        };
        let known = operation["parameters"].as_array().cloned().unwrap_or_default();
        let mut faults = Vec::new();
        for (name, value) in request.query.iter().filter(|(name, _)| !name.eq_ignore_ascii_case(ARR_KEY_PARAMETER)) {
            match known.iter().find(|parameter| parameter["in"] == "query" && is_called(parameter, name)) {
                None => faults.push(fault(format!("no parameter `{name}`"))),
                Some(parameter) if !self.schemas.takes(&parameter["schema"], value) => {
                    faults.push(fault(format!("`{value}` is no {name}")));
                }
                Some(_) => {}
            }
        }
        if let Some(schema) = json_schema(&operation["requestBody"]["content"]) {
            let mut reasons = Vec::new();
            self.schemas.check(schema, body, "", lag::is_open(path), &mut reasons);
            reasons.retain(|reason| !lag::is_younger(reason));
            faults.extend(reasons.into_iter().map(fault));
        }
        faults
    }

    /// What is in an answer that the description does not know, or knows otherwise.
    #[cfg(test)]
    pub(crate) fn answer_faults(&self, method: &str, path: &str, body: &Value) -> Vec<String> {
        if lag::is_undescribed(path) {
            return Vec::new();
        }
        let Some(operation) = self.operation(method, path) else { return vec![format!("no call {method} {path}")] };
        let mut reasons = Vec::new();
        if let Some(schema) = json_schema(&operation["responses"]["200"]["content"]) {
            self.schemas.check(schema, body, "", false, &mut reasons);
        }
        reasons.retain(|reason| !lag::is_known(reason) && !lag::is_younger(reason));
        reasons
    }
}

fn is_called(parameter: &Value, name: &str) -> bool {
    parameter["name"].as_str().is_some_and(|known| known.eq_ignore_ascii_case(name))
}

fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.trim_matches('/').split('/')
}

/// Of the several content types that a call may have, all say the same.
fn json_schema(content: &Value) -> Option<&Value> {
    let by_type = content.as_object()?;
    by_type.get("application/json").or_else(|| by_type.values().next())?.get("schema")
}

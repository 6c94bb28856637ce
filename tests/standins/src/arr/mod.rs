//! The four arr applications, as far as an assistant operates them: one state, one set of rules, and the names of each as data.
//!
//! | file | what it is about |
//! | --- | --- |
//! | `kind`, `library`, `quality`, `world` | what differs by name, what is on the shelves, what an application knows at one moment |
//! | `calls`, `ask`, `paging`, `wire` | every call with its parameters, answers and the five shapes of errors, pages, how values are written |
//! | `download`, `queue`, `removal`, `imports` | downloads: what they are, how they are read, how they leave, how they arrive |
//! | `ailment`, `afflict` | every way in which a download can be stuck, as a table, and downloads made from it |
//! | `profiles` | quality profiles, custom formats and languages: rules, what is kept, and what tests do to them |
//! | `demo`, `generated` | a household's four libraries, and one of any size |
//! | `commands`, `releases`, `history`, `blocklist` | what takes time, what indexers have, what happened, what is not wanted again |
//! | `settings`, `standin`, `seen` | how one is set up, held, and looked into |
//! | `description` | what the applications say of their own API, where it is at hand |
//! | `resources`, `calendar`, `system`, `config` | the library, what is to come, the application and its settings as they are written |

mod afflict;
mod ailment;
mod ask;
mod blocklist;
mod calendar;
mod calls;
mod commands;
mod config;
mod demo;
mod description;
mod download;
pub(crate) mod generated;
mod history;
mod imports;
mod kind;
mod library;
mod paging;
mod profiles;
mod quality;
mod queue;
mod releases;
mod removal;
mod resources;
mod seen;
mod settings;
mod standin;
mod system;
#[cfg(test)]
mod tests;
mod wire;
mod world;

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use crate::loopback::{ARR_KEY_PARAMETER, Body, Incoming, Reply, RequestViolation, Service};
pub use afflict::Afflicted;
pub use ailment::{Ailment, Cure, ailments};
use ask::{Ask, bare, unbindable};
use calls::{Call, Found};
use description::Description;
pub use kind::ArrKind;
pub use library::{BookFormat, Library};
pub use profiles::{Listing, Preferences, SettingsWrites};
pub use seen::{Blocklisted, CommandSeen, FileSeen, Happened, QueueRow};
pub use settings::{ARR_KEY, ArrSettings};
pub use standin::ArrStandin;
pub use world::Fate;
use world::World;

/// What [`ArrStandin`] knows.
pub struct Arr {
    kind: ArrKind,
    world: Mutex<World>,
}

impl Arr {
    fn world(&self) -> MutexGuard<'_, World> {
        // A panic elsewhere must not hide a test's own message behind a poisoned lock.
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The call that a request is for, or the answer to one that is for none.
    fn find(
        &self,
        world: &World,
        request: &Incoming,
    ) -> Result<(&'static Call, Option<u32>, Vec<RequestViolation>), Reply> {
        let base = &world.settings.url_base;
        let unknown = || {
            let (method, path) = (request.method.clone(), request.path.clone());
            vec![RequestViolation::Unknown { method, path }]
        };
        let Some(path) = request.path.strip_prefix(base.as_str()).filter(|path| path.starts_with('/')) else {
            // Readarr said 302 and so does what came of it, which turns a POST into a GET.
            let status = if self.kind == ArrKind::Chaptarr { 302 } else { 307 };
            return Err(bare(status).header("location", &format!("{base}{}", request.path)).with(unknown()));
        };
        if path == "/ping" {
            return Err(Reply::ok(json!({ "status": "OK" })));
        }
        if path != "/api" && !path.starts_with("/api/") {
            // The web page, which answers whatever one asks of it.
            let page = if request.method == "GET" { page_of(self.kind) } else { bare(405) };
            return Err(page.with(unknown()));
        }
        let mut violations = credential_faults(request);
        if !is_authorised(request, &world.settings.api_key) {
            // Not one byte: there is no JSON to read.
            return Err(bare(401).with(violations));
        }
        if world.is_starting {
            return Err(self.refused(503).with(violations));
        }
        if !takes_json(request) {
            return Err(bare(406).with(violations));
        }
        if path == "/api" {
            return Err(Reply::ok(json!({ "current": self.kind.facts().api, "deprecated": [] })).with(violations));
        }
        let own = path.strip_prefix(&format!("{}/", self.kind.api_base()));
        match own.map_or(Found::Nothing, |path| calls::find(self.kind, &request.method, path)) {
            Found::Call(call, id) => Ok((call, id, violations)),
            Found::WrongMethod => {
                violations.extend(unknown());
                Err(bare(405).with(violations))
            }
            Found::Nothing => {
                violations.extend(unknown());
                Err(bare(404).with(violations))
            }
        }
    }

    /// What is wrong with a request for a call, with its body, or the refusal that it gets.
    fn read(&self, call: &Call, request: &Incoming, base: &str) -> (Vec<RequestViolation>, Result<Value, Reply>) {
        let (mut violations, unreadable) = calls::query_faults(call, request);
        if let Some(name) = unreadable {
            return (violations, Err(unbindable(&name, &format!("The value is not valid for {name}."))));
        }
        if call.body == calls::Shape::None {
            violations.extend(self.undescribed(request, base, &Value::Null));
            return (violations, Ok(Value::Null));
        }
        let is_json = request.content_type.as_deref().is_some_and(|sort| sort.starts_with("application/json"));
        if !is_json {
            violations.push(RequestViolation::Body { reason: "not said to be application/json".to_owned() });
            return (violations, Err(bare(415)));
        }
        match serde_json::from_slice(&request.body) {
            Ok(body) => {
                violations.extend(calls::body_faults(self.kind, call.body, &body));
                violations.extend(self.undescribed(request, base, &body));
                (violations, Ok(body))
            }
            Err(_) => {
                violations.push(RequestViolation::Body { reason: "not JSON".to_owned() });
                (violations, Err(unbindable("$", "The input does not contain any JSON tokens.")))
            }
        }
    }
}

impl Arr {
    /// What the application's own description says against a request, where it is at hand.
    fn undescribed(&self, request: &Incoming, base: &str, body: &Value) -> Vec<RequestViolation> {
        let path = request.path.strip_prefix(base).unwrap_or(&request.path);
        Description::of(self.kind).map_or_else(Vec::new, |description| description.request_faults(request, path, body))
    }
}

impl Service for Arr {
    // A custom format may be as long as a million bytes, with all that the application said about it besides.
    const MAX_REQUEST_BYTES: usize = 8 * 1024 * 1024;

    fn arrived(&self, request: &Incoming) {
        if matches!(request.method.as_str(), "PUT" | "POST") {
            let mut world = self.world();
            let path = request.path.strip_prefix(world.settings.url_base.as_str()).unwrap_or(&request.path);
            let own = path.strip_prefix(&format!("{}/", self.kind.api_base())).unwrap_or("");
            if profiles::is_ours(own) {
                world.preferences.note_write();
            }
        }
    }

    fn answer(&self, request: &Incoming) -> Reply {
        let mut world = self.world();
        world.catch_up();
        let reply = match self.find(&world, request) {
            Err(reply) => reply,
            Ok((call, id, mut violations)) => {
                let (faults, body) = self.read(call, request, &world.settings.url_base);
                violations.extend(faults);
                let reply = match body {
                    Ok(body) => (call.answer)(&mut world, &Ask { incoming: request, id, body }),
                    Err(refusal) => refusal,
                };
                reply.with(violations)
            }
        };
        let version = world.settings.version.as_deref().unwrap_or(self.kind.facts().version).to_owned();
        reply.header("x-application-version", &version)
    }

    fn check(&self, request: &Incoming) -> Vec<RequestViolation> {
        let world = self.world();
        match self.find(&world, request) {
            Err(reply) => reply.violations,
            Ok((call, _, mut violations)) => {
                violations.extend(self.read(call, request, &world.settings.url_base).0);
                violations
            }
        }
    }

    fn refusal(&self, status: u16) -> Value {
        match status {
            503 => json!({ "errorMessage": format!("{} is starting up, please try again later", self.kind.name()) }),
            _ => json!({ "message": "database is locked", "description": "code = Busy (5), message = \
                System.Data.SQLite.SQLiteException (0x87AF00AA): database is locked\n   at /config/app.db" }),
        }
    }

    fn refused(&self, status: u16) -> Reply {
        match status {
            401 | 403 | 404 | 405 | 406 | 415 => bare(status),
            _ => Reply::new(status, self.refusal(status)),
        }
    }

    fn error_in_200(&self) -> Value {
        self.refusal(500)
    }
}

fn page_of(kind: ArrKind) -> Reply {
    let name = kind.name();
    Reply::of(
        200,
        Body::Html(format!(
            "<!doctype html>\n<html><head><title>{name}</title></head><body><div id=\"root\"></div></body></html>"
        )),
    )
}

fn credential_faults(request: &Incoming) -> Vec<RequestViolation> {
    let in_query = request.query.iter().any(|(name, _)| name.eq_ignore_ascii_case(ARR_KEY_PARAMETER));
    let reason = match (in_query, &request.api_key) {
        (true, _) => "the key is in the address, where proxies write it down",
        (false, None) => "there is no `X-Api-Key`",
        (false, Some(_)) => return Vec::new(),
    };
    vec![RequestViolation::Credential { reason }]
}

/// The parameter wins over the header, even when there is nothing in it; a bearer token comes last.
fn is_authorised(request: &Incoming, key: &str) -> bool {
    let in_query = request.query.iter().find(|(name, _)| name.eq_ignore_ascii_case(ARR_KEY_PARAMETER));
    let bearer = request.authorization.as_deref().and_then(|header| header.strip_prefix("Bearer "));
    let given = in_query.map(|(_, value)| value.as_str()).or(request.api_key.as_deref()).or(bearer);
    given == Some(key)
}

fn takes_json(request: &Incoming) -> bool {
    let Some(accept) = request.accept.as_deref() else { return true };
    accept.split(',').any(|sort| {
        let sort = sort.split(';').next().unwrap_or("").trim();
        matches!(sort, "" | "*/*" | "application/*" | "application/json" | "text/json")
    })
}

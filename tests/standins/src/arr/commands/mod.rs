//! Commands: they are queued, two are at work at a time, and they end when their time has come.

pub(crate) mod names;
mod work;

use std::time::Duration;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{
    ask::{Ask, bare, created, done, found, listed, no_such_model, property, raised},
    kind::ArrKind,
    wire::{YEAR_ONE, date, resource},
    world::World,
};
use crate::loopback::Reply;

/// As many as are worked on at a time.
const N_WORKERS: usize = 2;

/// How long an ended command is remembered.
const KEPT: Duration = Duration::from_secs(5 * 60);

#[derive(Default)]
pub(crate) struct Commands {
    known: Vec<Command>,
    n_given: u32,
}

#[derive(Debug, Clone)]
pub(crate) struct Command {
    pub(crate) id: u32,
    /// In its own spelling.
    pub(crate) name: String,
    /// As it was posted.
    pub(crate) body: Value,
    pub(crate) trigger: Trigger,
    pub(crate) status: Status,
    pub(crate) message: Option<String>,
    pub(crate) exception: Option<String>,
    queued: Timestamp,
    started: Option<Timestamp>,
    ended: Option<Timestamp>,
    takes: Duration,
    is_on_disk: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trigger {
    /// The application's own doing.
    Unspecified,
    /// Somebody posted it.
    Manual,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    Queued,
    Started,
    Completed,
    Failed,
    Cancelled,
}

impl Status {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Started => "started",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

impl Commands {
    pub(crate) fn all(&self) -> &[Command] {
        &self.known
    }

    /// Queues a command of the application's own, whose name is known.
    pub(crate) fn enqueue(&mut self, body: Value, trigger: Trigger, now: Timestamp) -> u32 {
        self.add(body, trigger, now, Duration::from_secs(40), false)
    }

    fn add(&mut self, body: Value, trigger: Trigger, queued: Timestamp, takes: Duration, is_on_disk: bool) -> u32 {
        self.n_given += 1;
        let id = 3000 + self.n_given;
        let name = property(&body, "name").and_then(Value::as_str).unwrap_or_default().to_owned();
        self.known.push(Command {
            id,
            name,
            body,
            trigger,
            status: Status::Queued,
            message: None,
            exception: None,
            queued,
            started: None,
            ended: None,
            takes,
            is_on_disk,
        });
        id
    }

    /// The queued or running command that this one would be merged with.
    fn equal(&self, name: &str, body: &Value) -> Option<&Command> {
        self.known.iter().find(|command| {
            matches!(command.status, Status::Queued | Status::Started)
                && command.name == name
                && is_equal(name, &command.body, body)
        })
    }

    /// Puts to work what a worker is free for. What touches the disk waits for the other that does.
    pub(crate) fn start_waiting(&mut self, now: Timestamp) {
        loop {
            let running = || self.known.iter().filter(|command| command.status == Status::Started);
            if running().count() >= N_WORKERS {
                return;
            }
            let is_disk_taken = running().any(|command| command.is_on_disk);
            let next = self
                .known
                .iter_mut()
                .find(|command| command.status == Status::Queued && !(command.is_on_disk && is_disk_taken));
            let Some(next) = next else { return };
            next.status = Status::Started;
            next.started = Some(now);
        }
    }

    fn end_of(command: &Command) -> Option<Timestamp> {
        (command.status == Status::Started).then_some(command.started? + command.takes)
    }

    pub(crate) fn next_end(&self) -> Option<Timestamp> {
        self.known.iter().filter_map(Self::end_of).min()
    }

    pub(crate) fn forget_old(&mut self, now: Timestamp) {
        self.known.retain(|command| command.ended.is_none_or(|ended| ended + KEPT > now));
    }
}

/// Whether two commands of one name count as one. Manual imports are told apart by their paths alone.
fn is_equal(name: &str, one: &Value, other: &Value) -> bool {
    let paths = |body: &Value| -> Vec<String> {
        let files = property(body, "files").and_then(Value::as_array);
        files.into_iter().flatten().filter_map(|file| property(file, "path")?.as_str().map(str::to_owned)).collect()
    };
    match name {
        "ManualImport" => paths(one) == paths(other),
        // The comparison ends at the first property that neither has, which comes before the client's id.
        "DownloadedMoviesScan" | "DownloadedEpisodesScan" => property(one, "path") == property(other, "path"),
        _ => one == other,
    }
}

impl World {
    /// Ends the command whose end is next, and does what it was to do.
    pub(crate) fn end_command(&mut self) {
        let next = self.commands.known.iter().filter(|command| Commands::end_of(command).is_some());
        let Some(command) = next.min_by_key(|command| Commands::end_of(command)).cloned() else { return };
        let outcome = work::perform(self, &command.name, &command.body);
        let now = self.now;
        if let Some(known) = self.commands.known.iter_mut().find(|known| known.id == command.id) {
            known.ended = Some(now);
            match outcome {
                Ok(message) => (known.status, known.message) = (Status::Completed, Some(message)),
                Err(exception) => (known.status, known.exception) = (Status::Failed, Some(exception)),
            }
        }
    }
}

pub(crate) fn post(world: &mut World, ask: &Ask<'_>) -> Reply {
    let name = property(&ask.body, "name").and_then(Value::as_str).unwrap_or("");
    let Some(known) = names::known(world.kind, name) else {
        return raised(500, "Sequence contains no matching element");
    };
    let mut body = ask.body.clone();
    if let Some(fields) = body.as_object_mut() {
        fields.retain(|field, _| !field.eq_ignore_ascii_case("name"));
        fields.insert("name".to_owned(), json!(known));
    }
    let id = match world.commands.equal(known, &body) {
        Some(equal) => equal.id,
        None => {
            let takes = names::duration(world.kind, known, names::is_about_everything(world.kind, known, &body));
            let is_on_disk = names::is_on_disk(world.kind, known);
            world.commands.add(body, Trigger::Manual, world.now, takes, is_on_disk)
        }
    };
    let command = world.commands.known.iter().find(|command| command.id == id);
    created(command.map_or(Value::Null, |command| command_resource(world.kind, command)))
}

pub(crate) fn list(world: &mut World, _: &Ask<'_>) -> Reply {
    listed(world.commands.known.iter().map(|command| resource(command_resource(world.kind, command))))
}

pub(crate) fn one(world: &mut World, ask: &Ask<'_>) -> Reply {
    let id = ask.id.unwrap_or(0);
    match world.commands.known.iter().find(|command| command.id == id) {
        Some(command) => found(command_resource(world.kind, command)),
        None => no_such_model("CommandModel", id),
    }
}

/// Only what still waits can be taken back.
pub(crate) fn cancel(world: &mut World, ask: &Ask<'_>) -> Reply {
    let (id, now) = (ask.id.unwrap_or(0), world.now);
    match world.commands.known.iter_mut().find(|command| command.id == id) {
        None => bare(404),
        Some(command) if command.status == Status::Queued => {
            (command.status, command.ended) = (Status::Cancelled, Some(now));
            done()
        }
        Some(_) => raised(409, "Unable to cancel task"),
    }
}

fn command_resource(kind: ArrKind, command: &Command) -> Value {
    let words = spaced(&command.name);
    let mut body = json!({
        "sendUpdatesToClient": true, "updateScheduledTask": false, "completionMessage": "Completed",
        "requiresDiskAccess": command.is_on_disk, "isExclusive": false, "isLongRunning": false,
        "name": command.name, "trigger": if command.trigger == Trigger::Manual { "manual" } else { "unspecified" },
        "suppressMessages": false,
        // It never ran before.
        "lastExecutionTime": YEAR_ONE,
    });
    if let (Some(body), Some(posted)) = (body.as_object_mut(), command.body.as_object()) {
        body.extend(posted.iter().map(|(name, value)| (name.clone(), value.clone())));
    }
    let result = match command.status {
        Status::Completed => "successful",
        Status::Failed => "unsuccessful",
        _ => "unknown",
    };
    let took = command.started.zip(command.ended).map(|(started, ended)| {
        let took = Duration::try_from(started.duration_until(ended)).unwrap_or_default();
        format!("{}.3358380", super::wire::span(took))
    });
    let user_agent = (kind != ArrKind::Sonarr).then_some("");
    json!({
        "id": command.id, "name": command.name, "commandName": words, "message": command.message, "body": body,
        "priority": if command.trigger == Trigger::Manual { "high" } else { "normal" },
        "status": command.status.name(), "result": result,
        "queued": date(command.queued), "started": command.started.map(date), "ended": command.ended.map(date),
        "duration": took, "exception": command.exception,
        "trigger": if command.trigger == Trigger::Manual { "manual" } else { "unspecified" },
        "clientUserAgent": user_agent,
        "stateChangeTime": date(command.ended.or(command.started).unwrap_or(command.queued)),
        "sendUpdatesToClient": true, "updateScheduledTask": false, "lastExecutionTime": YEAR_ONE,
    })
}

/// `RescanMovie` as `Rescan Movie`.
fn spaced(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.push(letter);
    }
    words
}

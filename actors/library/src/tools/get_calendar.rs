//! `get_calendar`

use futures_util::future::join_all;
use playhouse_house::Scope;
use playhouse_tools::{Answer, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::one_library::about_skipped;
use super::{Libraries, ask};
use crate::answer::{ArrFailure, Code, Envelope, Library};
use crate::instance::{ChooseRefusal, Chosen, InstanceSummary};
use crate::reads::{Calendar, CalendarEntry, NO_BOOKS, ReadCalendar, calendar_prose};
use crate::service::{MediaSelection, Service};

/// `get_calendar`
pub(super) struct GetCalendar;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Which library, by its id from list_arr_instances. Left out: the default of each service.
    instance_id: Option<String>,
    /// Whose calendar. Books have none. Left out: movies, series and music.
    #[serde(default)]
    media_type: MediaSelection,
    /// How many days ahead, 1 to 60. Left out: 14.
    days: Option<i64>,
}

#[derive(Default, Serialize, JsonSchema)]
pub(super) struct Output {
    #[serde(flatten)]
    envelope: Envelope,
    /// How many days ahead was looked.
    days: i64,
    /// What comes out: by day, then by line.
    entries: Vec<CalendarEntry>,
    /// How many lines more there are.
    n_more: usize,
}

impl From<Envelope> for Output {
    fn from(envelope: Envelope) -> Self {
        Self { envelope, ..Self::default() }
    }
}

/// What became of asking one service.
type Asked = Result<(InstanceSummary, Result<Calendar, ArrFailure>), ChooseRefusal>;

impl Tool for GetCalendar {
    type Arguments = Arguments;
    type Output = Output;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "get_calendar",
            title: "Upcoming releases",
            description: "Shows what comes out in the next days among the monitored titles of Radarr (each of cinema, digital and physical release), \
                          Sonarr (episodes, in UTC) and Lidarr (albums), and whether the library holds it already. Books have no calendar.",
            scope: Scope::MediaAdmin,
            effect: Effect::Reads,
            admin_only: true,
            ..Descriptor::DEFAULT
        }
    }

    async fn call(&self, call: ToolCall, arguments: Arguments) -> Result<Answer<Output>, Failure> {
        let libraries = Libraries::of(&call).await?;
        let Arguments { instance_id, media_type, days } = arguments;
        let (call, libraries, asked) = (&call, &libraries, instance_id.as_deref());
        let read = media_type.services().into_iter().map(|service| async move {
            let Chosen { instance, .. } = libraries.to_read(service, asked)?;
            let calendar = ask(call, &instance, ReadCalendar { days }).await;
            Ok((instance, calendar))
        });
        let asked: Vec<Asked> = join_all(read).await;
        answer(asked, media_type)
    }
}

fn answer(asked: Vec<Asked>, selection: MediaSelection) -> Result<Answer<Output>, Failure> {
    // One library was asked for, and it failed: then that is the answer. Of several, one that failed is named beside the others.
    if let (Some(_), [Ok((_, Err(failure)))]) = (selection.one(), asked.as_slice())
        && !failure.is_refusal()
    {
        return Err(Failure::world(failure.to_string()));
    }
    let has_failed =
        asked.iter().any(|one| matches!(one, Ok((_, Err(failure))) if failure.code().is_upstream_failure()));
    let mut output = Output::default();
    let (mut notes, mut read, mut n_skipped) = (Vec::new(), Vec::new(), 0);
    for one in asked {
        match one {
            Err(refusal) => {
                output.envelope.code.get_or_insert(refusal.code());
                notes.push(refusal.to_string());
                output.envelope.libraries.extend(refusal.library());
            }
            Ok((instance, Err(failure))) if instance.service == Service::Chaptarr && failure.is_refusal() => {
                output.envelope.code.get_or_insert(Code::MediaTypeUnsupported);
                notes.push(NO_BOOKS.to_owned());
                output.envelope.libraries.push(Library::unsupported(&instance, NO_BOOKS));
            }
            Ok((instance, Err(failure))) => {
                output.envelope.code.get_or_insert(failure.code());
                notes.push(format!(
                    "{} could not be read, so its releases are missing here: {failure}",
                    instance.title()
                ));
                output.envelope.libraries.push(Library::unreadable(&instance, failure.to_string()));
            }
            Ok((instance, Ok(calendar))) => {
                output.days = calendar.days;
                output.n_more += calendar.n_more;
                output.entries.extend(calendar.entries);
                n_skipped += calendar.n_skipped;
                read.push(instance.title());
                output.envelope.libraries.push(Library::read(&instance));
            }
        }
    }
    let Some(code) = output.envelope.code.take().filter(|_| read.is_empty()) else {
        crate::reads::sort_calendar(&mut output.entries);
        let prose = prose(&output, &read, &notes, n_skipped);
        return Ok(Answer::new(output, prose));
    };
    // Nothing was read at all. An answer says why, unless a service failed: whatever is said of the others, its calendar may be full.
    if has_failed {
        return Err(Failure::world(notes.join("\n")));
    }
    let envelope = Envelope::refused(code, output.envelope.libraries);
    Ok(Answer::new(Output::from(envelope), notes.join("\n")))
}

fn prose(output: &Output, read: &[String], notes: &[String], n_skipped: usize) -> String {
    let days = if output.days == 1 { "day".to_owned() } else { format!("{} days", output.days) };
    let mut prose = match output.entries.is_empty() {
        true if n_skipped > 0 => {
            format!("{}: nothing that could be read is scheduled in the next {days}.", read.join(", "))
        }
        true => format!("{}: nothing is scheduled in the next {days}.", read.join(", ")),
        false => format!("{}, the next {days}:\n{}", read.join(", "), calendar_prose(&output.entries)),
    };
    if output.n_more > 0 {
        prose.push_str(&format!("\n…and {} more", output.n_more));
    }
    prose.push_str(&about_skipped(n_skipped));
    for note in notes {
        prose.push_str(&format!("\nNote: {note}"));
    }
    prose
}

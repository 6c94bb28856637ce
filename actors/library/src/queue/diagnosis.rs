//! Diagnosing one library's queue: the Doctor's verdict on each download, and the exact call that heals it.

mod second_look;

use std::collections::{HashMap, HashSet};

use playhouse_bus::{Answer, CallInfo, Deadline, Handle, Message};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::item::Downloads;
use super::text::{clean, short};
use super::{narrow, read_queue, row};
use crate::ArrActor;
use crate::actor::Hands;
use crate::answer::{ArrFailure, Scope};
use crate::client::wire::QueueRow;
use crate::doctor::{
    CauseCode, Evidence, LibraryFile, MessageGroup, NextCall, Patient, Severity, Symptoms, Verb, Verdict, diagnose,
    next_calls, preventions,
};
use crate::service::{MediaType, Service};
use second_look::SecondLook;

/// Most problems of one library that an answer shows.
const MAX_PROBLEMS: usize = 50;

/// Has the Doctor look at the queue. Changes nothing.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct DiagnoseQueue {
    /// What it is narrowed to.
    pub(crate) scope: Scope,
    /// Whether the caller named the instance: the suggested calls then name it too.
    pub(crate) instance_was_named: bool,
}

/// What the Doctor found in one library.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct DiagnosedQueue {
    /// What is wrong, worst first, at most [`MAX_PROBLEMS`].
    pub(crate) problems: Vec<Problem>,
    /// How many problems there are.
    pub(crate) n_problems: usize,
    /// How many items have none.
    pub(crate) n_healthy: usize,
    /// How many items there are.
    pub(crate) n_items: usize,
    /// Where to look so that it does not come back.
    pub(crate) hints: Vec<PreventionHint>,
    /// Whether the service itself is at fault somewhere, so that its health is worth a look.
    pub(crate) concerns_the_service: bool,
}

/// One stuck download.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct Problem {
    /// By which other tools name it.
    pub(crate) queue_id: i64,
    /// Whose queue it is in.
    pub(crate) media_type: MediaType,
    /// What it is for; the release's name where it belongs to nothing in the library.
    pub(crate) title: String,
    /// Other items of the same download. What is done to one is done to all.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) same_download: Vec<i64>,
    /// The cause: a stable name.
    pub(crate) code: CauseCode,
    /// The cause in a few words.
    pub(crate) label: String,
    /// How bad it is.
    pub(crate) severity: Severity,
    /// What it means.
    pub(crate) explanation: String,
    /// What the verdict rests on, in the service's own words.
    pub(crate) evidence: Vec<Evidence>,
    /// What can be done, best first; empty where nothing is to be done here.
    pub(crate) actions: Vec<Verb>,
    /// The calls for the first of the actions, to be made as they stand and in this order.
    pub(crate) next: Vec<NextCall>,
    /// What to do before or after those calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
    /// Whose queue it is in, by name.
    pub(crate) library: String,
}

/// A section of the settings to look at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub(crate) struct PreventionHint {
    /// Whose settings.
    pub(crate) service: Service,
    /// The section, as get_service_config takes it.
    pub(crate) section: String,
    /// Why.
    pub(crate) reason: String,
}

impl Message for DiagnoseQueue {
    type Actor = ArrActor;
    type Reply = Result<DiagnosedQueue, ArrFailure>;
}

impl Handle<DiagnoseQueue> for ArrActor {
    fn handle(&mut self, asked: DiagnoseQueue, call: CallInfo) -> Answer<Self, Result<DiagnosedQueue, ArrFailure>> {
        self.answer_read(|hands| async move { read_and_diagnose(&hands, &asked, call.deadline).await })
    }
}

async fn read_and_diagnose(
    hands: &Hands,
    asked: &DiagnoseQueue,
    deadline: Deadline,
) -> Result<DiagnosedQueue, ArrFailure> {
    let rows = read_queue(hands, deadline).await?;
    // Told before anything is left out: what is done to a download is done to all its rows.
    let downloads = Downloads::of(&rows);
    let files = files_by_download(&rows, hands.service);
    let meant = narrow(rows, &asked.scope, hands, deadline).await?;
    let mut second_look = SecondLook::new(hands, deadline);
    let mut told = HashSet::new();
    let mut n_healthy = 0;
    let mut problems = Vec::new();
    for row in &meant {
        let groups = groups(row);
        let texts = Texts::of(row);
        let symptoms = texts.symptoms(row, &groups, files.of(row));
        let verdict = diagnose(&symptoms);
        if verdict.is_healthy() {
            n_healthy += 1;
            continue;
        }
        let once = row::download_id(row).map(|download| (download, verdict.code, verdict.verbs.clone()));
        if once.is_some_and(|once| !told.insert(once)) {
            continue;
        }
        let verdict = second_look.at(row, &symptoms, verdict).await;
        problems.push(problem(row, verdict, &downloads, hands, asked.instance_was_named));
    }
    let codes: Vec<CauseCode> = problems.iter().map(|problem| problem.code).collect();
    let hint = |hint: &crate::doctor::Prevention| PreventionHint {
        service: hands.service,
        section: hint.section.to_owned(),
        reason: hint.reason.to_owned(),
    };
    // Stable, so that equals stay in the order of the queue.
    problems.sort_by_key(|problem| std::cmp::Reverse(problem.severity));
    problems.truncate(MAX_PROBLEMS);
    Ok(DiagnosedQueue {
        problems,
        n_problems: codes.len(),
        n_healthy,
        n_items: meant.len(),
        hints: preventions(&codes).iter().map(hint).collect(),
        concerns_the_service: codes.iter().any(|code| code.concerns_the_service()),
    })
}

fn problem(
    row: &QueueRow,
    verdict: Verdict,
    downloads: &Downloads,
    hands: &Hands,
    instance_was_named: bool,
) -> Problem {
    let service = hands.service;
    let instance_id = hands.instance.id.to_string();
    let patient = Patient {
        queue_id: row.id,
        media_type: service.media_type(),
        item_title: row::owner_title(row, service),
        owner_id: row::owner_id(row, service),
        instance_id: instance_was_named.then_some(instance_id.as_str()),
    };
    let next = next_calls(&verdict, patient);
    let shortened = |evidence: Evidence| Evidence { text: short(&evidence.text), ..evidence };
    Problem {
        queue_id: row.id,
        media_type: service.media_type(),
        title: short(&row::item_title(row, service)),
        same_download: downloads.beside(row),
        code: verdict.code,
        label: verdict.code.label().to_owned(),
        severity: verdict.severity,
        explanation: verdict.explanation,
        evidence: verdict.evidence.into_iter().map(shortened).collect(),
        actions: verdict.verbs,
        next: next.calls,
        hint: next.hint,
        library: hands.instance.title(),
    }
}

/// Whether the library has the items of each download: only where it has all of them does losing the download lose nothing.
struct Files {
    by_download: HashMap<String, LibraryFile>,
    service: Service,
}

fn files_by_download(rows: &[QueueRow], service: Service) -> Files {
    let mut by_download: HashMap<String, LibraryFile> = HashMap::new();
    for row in rows {
        let Some(download) = row::download_id(row) else { continue };
        let file = row::library_file(row, service);
        by_download
            .entry(download.to_owned())
            .and_modify(|known| {
                *known = match (*known, file) {
                    (LibraryFile::Present, file) | (file, LibraryFile::Present) => file,
                    (LibraryFile::Absent, _) | (_, LibraryFile::Absent) => LibraryFile::Absent,
                    (LibraryFile::Unknown, LibraryFile::Unknown) => LibraryFile::Unknown,
                };
            })
            .or_insert(file);
    }
    Files { by_download, service }
}

impl Files {
    fn of(&self, row: &QueueRow) -> LibraryFile {
        let of_download = row::download_id(row).and_then(|download| self.by_download.get(download));
        of_download.copied().unwrap_or_else(|| row::library_file(row, self.service))
    }
}

fn groups(row: &QueueRow) -> Vec<MessageGroup> {
    let group = |sent: &crate::client::wire::StatusMessage| MessageGroup {
        title: sent.title.as_deref().map(clean).unwrap_or_default(),
        lines: sent.messages.iter().map(|line| clean(line)).collect(),
    };
    row.status_messages.iter().map(group).collect()
}

/// The texts of a row that a verdict may repeat, without what must not go further. The Doctor reads them in their whole length: what is shown of
/// them is cut afterwards.
struct Texts {
    release_title: String,
    error_message: String,
}

impl Texts {
    fn of(row: &QueueRow) -> Self {
        Self {
            release_title: clean(row::release_title(row)),
            error_message: row.error_message.as_deref().map(clean).unwrap_or_default(),
        }
    }

    fn symptoms<'a>(
        &'a self,
        row: &'a QueueRow,
        messages: &'a [MessageGroup],
        library_file: LibraryFile,
    ) -> Symptoms<'a> {
        Symptoms {
            release_title: &self.release_title,
            status: row.status.as_deref().unwrap_or_default(),
            tracked_status: row.tracked_download_status.as_deref().unwrap_or_default(),
            tracked_state: row.tracked_download_state.as_deref().unwrap_or_default(),
            error_message: &self.error_message,
            messages,
            library_file,
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_doctor_reads_a_complaint_to_its_end_and_without_its_secrets() {
        let complaint =
            format!("{} apikey=s3cret The download is stalled with no connections", "Tracker gone.".repeat(40));
        let row: QueueRow = serde_json::from_value(json!({
            "id": 7, "title": "Some.Release", "status": "warning", "trackedDownloadStatus": "warning", "errorMessage": complaint,
        }))
        .unwrap();
        let texts = Texts::of(&row);
        let verdict = diagnose(&texts.symptoms(&row, &[], LibraryFile::Unknown));
        assert_eq!(
            verdict.code,
            CauseCode::DownloadStalled,
            "the words that matter stand behind the first 300 characters"
        );
        assert!(!texts.error_message.contains("s3cret") && texts.error_message.contains("apikey=[REDACTED]"));
    }

    #[test]
    fn a_complaint_that_the_doctor_repeats_is_cut() {
        let row: QueueRow = serde_json::from_value(json!({
            "id": 7, "title": "Some.Release", "trackedDownloadStatus": "error", "errorMessage": "unheard of ".repeat(100),
        }))
        .unwrap();
        let verdict = diagnose(&Texts::of(&row).symptoms(&row, &[], LibraryFile::Unknown));
        assert!(
            verdict.explanation.chars().count() < 400 && verdict.explanation.contains('…'),
            "{}",
            verdict.explanation
        );
    }
}

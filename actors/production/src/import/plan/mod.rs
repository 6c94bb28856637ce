//! What a file would change: parsed values against the working set.
//!
//! Planning changes nothing. It works on a snapshot of the [`Office`], beside other calls, and ends in an [`ImportPlan`] that the office writes
//! whole or not at all. A dry run is the same plan, not written.

mod assets;
mod cut;
mod deliveries;
mod orders;
mod people;
mod rows;
mod runs;
mod schedule;
mod script;
mod versions;

use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::limits::MAX_WARNINGS;
use super::{ImportFault, Warning};
use crate::messages::{ImportActivity, ImportPlan, ImportReport, ImportWarning};
use crate::model::{Episode, ImportKind, Production, ProductionKind, Subject, SubjectType, Verb};
use crate::office::{Changes, Office};

/// What stands beside a file. What a kind has no use for is not looked at.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ImportOptions {
    /// Scripts: the episode, which a series needs and a film has not. Tables: the episode that bare scene numbers are of.
    pub episode: Option<EpisodeChoice>,
    /// Scripts: the colour of the pages. The title page's revision, else the next colour in turn, when absent.
    pub colour: Option<String>,
    /// Scripts: the day on the title page. What the title page says, when absent.
    pub dated: Option<Date>,
    /// Cuts: the code of the turnover whose shots the cut gives.
    pub delivery: Option<String>,
    /// Cuts: how shots are named; `{show}_{episode}_{scene}_{shot}` when absent, without the episode for a film.
    pub pattern: Option<String>,
}

/// An episode as a caller names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EpisodeChoice {
    /// By its id, as REST does.
    Id(i64),
    /// By its number, as people do: 101.
    Number(u32),
}

/// Reads `bytes` and works out what they would change in `office`, at the time `now`.
///
/// # Errors
/// [`ImportFault`]: what is wrong with the file or the options, in words for whoever sent it.
pub fn plan(
    kind: ImportKind,
    bytes: &[u8],
    options: &ImportOptions,
    office: &Office,
    now: Timestamp,
) -> Result<ImportPlan, ImportFault> {
    let production = office.production().ok_or_else(|| ImportFault::NotFound {
        what: "This house has no production yet; open one first.".to_owned(),
    })?;
    let desk = Desk {
        kind,
        options,
        office,
        production,
        changes: Changes::upon(office, now),
        report: ImportReport::default(),
    };
    match kind {
        ImportKind::Script => script::plan(desk, bytes),
        ImportKind::Assets => assets::plan(desk, bytes),
        ImportKind::Schedule => schedule::plan(desk, bytes),
        ImportKind::People => people::plan(desk, bytes),
        ImportKind::Deliveries => deliveries::plan(desk, bytes),
        ImportKind::PurchaseOrders => orders::plan(desk, bytes),
        ImportKind::Cut => cut::plan(desk, bytes),
    }
}

/// Where a plan is drawn up: what is there, what is asked for, and what has come together so far.
struct Desk<'a> {
    kind: ImportKind,
    options: &'a ImportOptions,
    office: &'a Office,
    production: &'a Production,
    changes: Changes,
    report: ImportReport,
}

impl<'a> Desk<'a> {
    /// The episode that was asked for; none for a film, or when none was named.
    fn episode(&self) -> Result<Option<&'a Episode>, ImportFault> {
        let Some(choice) = self.options.episode else { return Ok(None) };
        let found = match choice {
            EpisodeChoice::Id(id) => {
                u32::try_from(id).ok().and_then(|id| self.office.episodes().get(&crate::model::EpisodeId(id)))
            }
            EpisodeChoice::Number(number) => self.office.episode_numbered(number),
        };
        found.map(Some).ok_or_else(|| ImportFault::NotFound { what: "Episode not found.".to_owned() })
    }

    /// Whether the script is told apart by episodes.
    fn is_series(&self) -> bool {
        self.production.kind == ProductionKind::Series
    }

    fn warn(&mut self, line: u32, message: impl Into<String>) {
        self.report.warnings.push(ImportWarning { line, message: message.into() });
    }

    fn warn_all(&mut self, warnings: Vec<Warning>) {
        self.report
            .warnings
            .extend(warnings.into_iter().map(|Warning { line, message }| ImportWarning { line, message }));
    }

    fn added(&mut self, change: Value) {
        self.report.added += 1;
        self.report.changes.push(change);
    }

    fn updated(&mut self, change: Value) {
        self.report.updated += 1;
        self.report.changes.push(change);
    }

    fn omitted(&mut self, change: Value) {
        self.report.omitted += 1;
        self.report.changes.push(change);
    }

    fn unchanged(&mut self) {
        self.report.unchanged += 1;
    }

    /// The counts as a person reads them.
    fn counts(&self) -> String {
        let report = &self.report;
        let mut counts = format!("{} added, {} updated", report.added, report.updated);
        if report.omitted > 0 {
            let what = if self.kind == ImportKind::Script { "omitted" } else { "removed" };
            counts.push_str(&format!(", {} {what}", report.omitted));
        }
        counts.push_str(&format!(", {} unchanged", report.unchanged));
        counts
    }

    /// The plan, with its entry in the activity list.
    fn finish(mut self, verb: Verb, subject: Subject, what: &str) -> ImportPlan {
        let summary = format!("{what}: {}", self.counts());
        let n_more = self.report.warnings.len().saturating_sub(MAX_WARNINGS);
        self.report.warnings.sort_by_key(|warning| warning.line);
        if n_more > 0 {
            self.report.warnings.truncate(MAX_WARNINGS);
            self.warn(1, format!("and {n_more} warnings more"));
        }
        ImportPlan {
            kind: self.kind,
            changes: self.changes,
            activity: ImportActivity { verb, subject, summary },
            report: self.report,
        }
    }
}

/// The subject of an import that is about many things of a sort: it has no number.
fn many(subject_type: SubjectType, title: &str) -> Subject {
    Subject { subject_type, id: 0, title: title.to_owned() }
}

#[cfg(test)]
pub(super) mod tests;

//! Commands about a production: set it up, import files into it.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use bytes::Bytes;
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use jiff::civil::Date;
use playhouse_production::import::limits::MAX_FILE_BYTES;
use playhouse_production::import::{EpisodeChoice, ImportOptions};
use playhouse_production::messages::{ImportAnswer, ImportReport};
use playhouse_production::model::ImportKind;
use serde_json::Value;

use crate::config::Config;
use crate::control::{Controller, OpenedProduction, ProductionOrder, ProductionReply, PurgedFile};

/// Changes that a report lists on a terminal.
const MAX_CHANGES_SHOWN: usize = 40;

/// What can be done with productions.
#[derive(Debug, Subcommand)]
pub enum ProductionCommand {
    /// Set a house's production up, or bring it up to date: the production, its episodes, departments, vendors, engagements and their reach.
    Open {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
        /// The file (JSON); the README has an example.
        file: PathBuf,
    },
    /// Remove the bytes of a file for good. What is known of it stays, and whoever asks for it is told that it was removed.
    Purge {
        /// The house, by id or name.
        house: String,
        /// The SHA-256 of the file, as `/v1/media/{id}` shows it.
        sha256: String,
    },
}

/// What can be imported. Every one works while the server runs.
#[derive(Debug, Subcommand)]
pub enum ImportCommand {
    /// Import a draft of the script: .fountain or .fdx.
    ImportScript {
        /// The file and where it goes.
        #[command(flatten)]
        file: FileOptions,
        /// The colour of its pages, as in `blue` or `second blue`. What the title page says if absent.
        #[arg(long)]
        colour: Option<String>,
        /// The day on its title page, as in 2026-09-15. What the title page says if absent.
        #[arg(long, value_name = "DATE")]
        dated: Option<Date>,
    },
    /// Import assets: a table (CSV) with code, name, kind, department, status, scenes, engagement, description.
    ImportAssets(FileOptions),
    /// Import a schedule: a table (CSV) with day_number, date, unit, kind, call_time, location, scenes, note.
    ImportSchedule(FileOptions),
    /// Import people: a table (CSV) with name, role, department, vendor, email.
    ImportPeople(FileOptions),
    /// Import deliveries: a table (CSV) with code, title, kind, episode, engagement, due_on, status.
    ImportDeliveries(FileOptions),
    /// Import purchase orders: a table (CSV) with number, vendor, engagement, department, status, currency, total, issued_on, description.
    ImportOrders(FileOptions),
    /// Import a cut: .edl (CMX 3600) or .otio. It gives a turnover its shots.
    ImportCut {
        /// The file and where it goes.
        #[command(flatten)]
        file: FileOptions,
        /// The code of the turnover.
        #[arg(long, value_name = "CODE")]
        delivery: String,
        /// How shots are named. {show}_{episode}_{scene}_{shot} if absent, without the episode for a film.
        #[arg(long)]
        pattern: Option<String>,
    },
}

/// A file to import, and where it goes.
#[derive(Debug, Args)]
pub struct FileOptions {
    /// The file; 5 MB at most.
    pub file: PathBuf,
    /// The house, by id or name.
    #[arg(long)]
    pub house: String,
    /// The episode by its number, as in 101: what a script is of, and what bare scene numbers in a table are of.
    #[arg(long, value_name = "NUMBER")]
    pub episode: Option<u32>,
    /// Say what would change, and change nothing.
    #[arg(long)]
    pub dry_run: bool,
}

/// Does something with a production.
pub(super) async fn run(config: Config, json: bool, command: ProductionCommand) -> anyhow::Result<()> {
    let (order, bytes) = match command {
        ProductionCommand::Open { house, file } => (ProductionOrder::Open { house }, read(&file).await?),
        ProductionCommand::Purge { house, sha256 } => (ProductionOrder::Purge { house, sha256 }, Bytes::new()),
    };
    match perform(config, order, bytes, ProgressBar::hidden()).await? {
        ProductionReply::Opened(opened) if json => println!("{}", serde_json::to_string(&opened)?),
        ProductionReply::Opened(opened) => print!("{}", opened_text(&opened)),
        ProductionReply::Purged(purged) if json => println!("{}", serde_json::to_string(&purged)?),
        ProductionReply::Purged(purged) => print!("{}", purged_text(&purged)),
        ProductionReply::Imported(_) => bail!("the server answered something else than was asked"),
    }
    Ok(())
}

/// Imports a file.
pub(super) async fn import(config: Config, json: bool, command: ImportCommand) -> anyhow::Result<()> {
    let (kind, file, options) = taken_apart(command);
    let bytes = read(&file.file).await?;
    let options = ImportOptions { episode: file.episode.map(EpisodeChoice::Number), ..options };
    let order = ProductionOrder::Import { house: file.house, kind, options, dry_run: file.dry_run };
    match perform(config, order, bytes, bar(&file.file)).await? {
        ProductionReply::Imported(answer) if json => println!("{}", serde_json::to_string(&answer)?),
        ProductionReply::Imported(answer) => print!("{}", report_text(&answer)),
        ProductionReply::Opened(_) | ProductionReply::Purged(_) => {
            bail!("the server answered something else than was asked")
        }
    }
    Ok(())
}

fn taken_apart(command: ImportCommand) -> (ImportKind, FileOptions, ImportOptions) {
    let plain = ImportOptions::default();
    match command {
        ImportCommand::ImportScript { file, colour, dated } => {
            (ImportKind::Script, file, ImportOptions { colour, dated, ..plain })
        }
        ImportCommand::ImportAssets(file) => (ImportKind::Assets, file, plain),
        ImportCommand::ImportSchedule(file) => (ImportKind::Schedule, file, plain),
        ImportCommand::ImportPeople(file) => (ImportKind::People, file, plain),
        ImportCommand::ImportDeliveries(file) => (ImportKind::Deliveries, file, plain),
        ImportCommand::ImportOrders(file) => (ImportKind::PurchaseOrders, file, plain),
        ImportCommand::ImportCut { file, delivery, pattern } => {
            (ImportKind::Cut, file, ImportOptions { delivery: Some(delivery), pattern, ..plain })
        }
    }
}

async fn perform(
    config: Config,
    order: ProductionOrder,
    bytes: Bytes,
    bar: ProgressBar,
) -> anyhow::Result<ProductionReply> {
    let controller = Controller::of(config).await?;
    let shown = bar.clone();
    let reply = controller.production(order, bytes, move |done| shown.set_position(percent(done))).await;
    bar.finish_and_clear();
    // Closed also where the order was refused: what was committed has to be on the disk before the process ends.
    let closed = controller.close().await;
    let reply = reply?;
    closed?;
    Ok(reply)
}

/// A bar on standard error; nothing where that is no terminal.
fn bar(file: &Path) -> ProgressBar {
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let bar = ProgressBar::new(100).with_message(name);
    match ProgressStyle::with_template("{msg} [{bar:30}] {percent} %") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn percent(done: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 100 after the clamp")]
    let percent = (done.clamp(0.0, 1.0) * 100.0) as u64;
    percent
}

async fn read(file: &Path) -> anyhow::Result<Bytes> {
    let wrong = || format!("cannot read {}", file.display());
    let length = tokio::fs::metadata(file).await.with_context(wrong)?.len();
    if length > u64::try_from(MAX_FILE_BYTES).unwrap_or(u64::MAX) {
        bail!("{} is larger than {} MB", file.display(), MAX_FILE_BYTES / (1024 * 1024));
    }
    Ok(tokio::fs::read(file).await.with_context(wrong)?.into())
}

fn opened_text(opened: &OpenedProduction) -> String {
    let mut text = format!("{} is set up.\n", opened.title);
    for engagement in &opened.engagements {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(text, "  engagement {}  {}  {}", engagement.id, engagement.code, engagement.title);
    }
    if !opened.engagements.is_empty() {
        text.push_str("A vendor's key is bound to one: `playhouse key create --engagement NUMBER …`\n");
    }
    for note in &opened.notes {
        let _ = writeln!(text, "{note}");
    }
    text
}

fn purged_text(purged: &PurgedFile) -> String {
    let files = if purged.n_files == 1 { "1 file".to_owned() } else { format!("{} files", purged.n_files) };
    let bytes = match purged.bytes_are_gone {
        true => "Their bytes are off the disk.",
        false => "The bytes stay: another house has the same, or somebody is sending them now.",
    };
    format!("{files} removed. {bytes}\n")
}

/// The report in words.
fn report_text(answer: &ImportAnswer) -> String {
    let report = &answer.report;
    let ImportReport { added, updated, omitted, unchanged, .. } = report;
    let mut text = String::new();
    let would = if answer.dry_run { "would be " } else { "" };
    let _ = write!(text, "{added} {would}added, {updated} updated, {omitted} omitted, {unchanged} unchanged");
    if let Some(draft) = report.draft_id.filter(|_| !answer.dry_run) {
        let _ = write!(text, "; draft {draft}");
    }
    text.push('\n');
    for change in report.changes.iter().take(MAX_CHANGES_SHOWN) {
        let _ = writeln!(text, "  {}", change_text(change));
    }
    if report.changes.len() > MAX_CHANGES_SHOWN {
        let _ = writeln!(text, "  and {} more; --json has them all", report.changes.len() - MAX_CHANGES_SHOWN);
    }
    for warning in &report.warnings {
        let _ = writeln!(text, "  line {}: {}", warning.line, warning.message);
    }
    text
}

/// One change: what it is about, and what became of that.
fn change_text(change: &Value) -> String {
    let word = |name: &str| change[name].as_str().filter(|word| !word.is_empty());
    let subject = ["number", "code", "name", "date"].into_iter().find_map(word).unwrap_or("a scene without a number");
    let what = word("change").unwrap_or("changed").replace('_', " ");
    let frames = |name: &str| change[name].as_u64();
    match (frames("frames_before"), frames("frames_after")) {
        (Some(before), Some(after)) => format!("{subject}: {what}, {before} to {after} frames"),
        _ => format!("{subject}: {what}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_report_is_said_in_words() {
        let answer: ImportAnswer = serde_json::from_value(json!({ "job_id": 8, "dry_run": false, "draft_id": 5, "added": 1, "updated": 1,
            "omitted": 0, "unchanged": 4, "warnings": [{ "line": 12, "message": "odd." }],
            "changes": [{ "number": "4A", "change": "added" }, { "code": "KST_1", "change": "updated", "frames_before": 75, "frames_after": 50 }] }))
        .unwrap();
        let expected = "1 added, 1 updated, 0 omitted, 4 unchanged; draft 5\n  4A: added\n  KST_1: updated, 75 to 50 frames\n  line 12: odd.\n";
        assert_eq!(report_text(&answer), expected);
    }
}

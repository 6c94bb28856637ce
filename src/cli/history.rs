//! `playhouse history …`: what was changed in libraries' settings, as typed and as printed.

use clap::Subcommand;
use playhouse_library::settings::{FieldChange, FieldState, LiveState};
use playhouse_proposals::{ChangeId, ChangeRecord, ChangeSource, ChangeStatus, Operation, ResourceType};

use super::print::{minute, plain, table};
use crate::control::{HistoryOrder, Order};

/// What can be done with changes of settings.
#[derive(Debug, Subcommand)]
pub enum HistoryCommand {
    /// List changes, the newest first.
    List {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
        /// How many, from 1 to 200.
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(i64).range(1..=200))]
        limit: i64,
        /// Only those before this one.
        #[arg(long, value_name = "ID")]
        before: Option<ChangeId>,
    },
    /// Show one with its differences, compared with what the library has now.
    Show {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
        /// Its number.
        id: ChangeId,
    },
    /// Put a quality profile back to what it was before a change. Possible once, and only while the profile is as the change left it.
    Restore {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
        /// The change's number.
        id: ChangeId,
    },
}

/// The order behind a command.
pub(super) fn order(command: HistoryCommand) -> Order {
    Order::History(match command {
        HistoryCommand::List { house, limit, before } => HistoryOrder::List { house, limit, before },
        HistoryCommand::Show { house, id } => HistoryOrder::Show { house, id },
        HistoryCommand::Restore { house, id } => HistoryOrder::Restore { house, id },
    })
}

/// Changes in lines for a terminal.
pub(super) fn list(changes: &[ChangeRecord]) -> String {
    if changes.is_empty() {
        return "no settings were changed from here".to_owned();
    }
    table(changes.iter().map(|change| {
        vec![
            change.id.to_string(),
            status(change.status).to_owned(),
            operation(change),
            resource(change),
            library(change),
            format!("by {}", plain(&change.actor_name)),
            minute(change.created_at),
        ]
    }))
}

/// One change in lines for a terminal.
pub(super) fn one(change: &ChangeRecord) -> String {
    let ChangeRecord { id, actor_name, resource_id, .. } = change;
    let mut lines = vec![
        vec!["change".to_owned(), format!("{id}, {}", status(change.status))],
        vec!["what".to_owned(), format!("{} of {} [{}]", operation(change), resource(change), plain(resource_id))],
        vec!["where".to_owned(), library(change)],
        vec!["who".to_owned(), format!("{}, {}", plain(actor_name), source(change.source))],
        vec!["begun".to_owned(), minute(change.created_at)],
    ];
    let mut line = |name: &str, value: String| lines.push(vec![name.to_owned(), value]);
    if let Some(at) = change.completed_at {
        line("ended", minute(at));
    }
    if let Some(parent) = change.parent_id {
        line("takes back", format!("change {parent}"));
    }
    if let Some(error) = &change.error_text {
        line("error", plain(error));
    }
    if let Some(state) = change.current_status {
        let why = change.current_error.as_ref().map(|words| format!(": {}", plain(words))).unwrap_or_default();
        line("now", format!("{}{why}", now(state)));
        line("restore", if change.can_revert { "possible" } else { "not possible" }.to_owned());
    }
    let differences = table(change.changes.iter().map(difference));
    let differences: String = differences.lines().map(|line| format!("\n  {line}")).collect();
    table(lines) + &differences
}

fn difference(field: &FieldChange) -> Vec<String> {
    let current = match (field.current_state, &field.current) {
        (Some(FieldState::MatchesApplied), _) => "now as changed".to_owned(),
        (Some(FieldState::MatchesBefore), _) => "now as before".to_owned(),
        (Some(FieldState::Different), Some(value)) => format!("now {}", plain(value)),
        (Some(FieldState::Different), None) => "now different".to_owned(),
        (None, _) => String::new(),
    };
    vec![plain(&field.label), plain(&field.before), "->".to_owned(), plain(&field.after), current]
}

fn library(change: &ChangeRecord) -> String {
    format!("{} \"{}\"", change.service_type, plain(&change.instance_name))
}

fn resource(change: &ChangeRecord) -> String {
    let kind = match change.resource_type {
        ResourceType::QualityProfile => "profile",
        ResourceType::CustomFormat => "custom format",
    };
    format!("{kind} \"{}\"", plain(&change.resource_name))
}

fn operation(change: &ChangeRecord) -> String {
    match (change.operation, change.parent_id) {
        (Operation::Update, _) => "update".to_owned(),
        (Operation::Create, _) => "create".to_owned(),
        (Operation::Revert, Some(parent)) => format!("restore of {parent}"),
        (Operation::Revert, None) => "restore".to_owned(),
    }
}

const fn status(status: ChangeStatus) -> &'static str {
    match status {
        ChangeStatus::Executing => "executing",
        ChangeStatus::Applied => "applied",
        ChangeStatus::Failed => "failed",
        ChangeStatus::OutcomeUnknown => "outcome unknown",
    }
}

const fn source(source: ChangeSource) -> &'static str {
    match source {
        ChangeSource::AiChat => "in the app's chat",
        ChangeSource::ExternalMcp => "over MCP",
        ChangeSource::System => "the server itself",
        ChangeSource::AdminRevert => "putting it back",
    }
}

const fn now(state: LiveState) -> &'static str {
    match state {
        LiveState::MatchesApplied => "as the change left it",
        LiveState::Different => "different",
        LiveState::Unavailable => "cannot be compared",
    }
}

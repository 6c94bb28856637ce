//! `playhouse proposals …`: changes of quality profiles that wait for a word, as typed and as printed.

use clap::Subcommand;
use playhouse_proposals::{Proposal, ProposalId, ProposalState, ProposalStatus};

use super::print::{minute, plain, table};
use crate::control::{Order, ProposalOrder};

/// What can be done with proposals.
#[derive(Debug, Subcommand)]
pub enum ProposalCommand {
    /// List the proposals that wait, the newest first.
    List {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
        /// Also those that are decided; the newest 200.
        #[arg(long)]
        all: bool,
    },
    /// Show one, with its differences and whether it could be carried out now.
    Show {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
        /// Its number.
        id: ProposalId,
    },
    /// Approve one: the profile is changed now, if nothing has changed since. May take some minutes when the library is busy.
    Approve {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
        /// Its number.
        id: ProposalId,
    },
    /// Reject one. The library is not touched.
    Reject {
        /// The house, by id or name.
        #[arg(long)]
        house: String,
        /// Its number.
        id: ProposalId,
        /// Why, for the record.
        #[arg(long)]
        note: Option<String>,
    },
}

/// The order behind a command.
pub(super) fn order(command: ProposalCommand) -> Order {
    Order::Proposal(match command {
        ProposalCommand::List { house, all } => ProposalOrder::List { house, all },
        ProposalCommand::Show { house, id } => ProposalOrder::Show { house, id },
        ProposalCommand::Approve { house, id } => ProposalOrder::Approve { house, id },
        ProposalCommand::Reject { house, id, note } => ProposalOrder::Reject { house, id, note },
    })
}

/// Proposals in lines for a terminal.
pub(super) fn list(proposals: &[Proposal]) -> String {
    if proposals.is_empty() {
        return "no proposals; an assistant with a `media:admin` key makes one with preview_profile_change".to_owned();
    }
    table(proposals.iter().map(|proposal| {
        let n_changes = match proposal.diff.len() {
            1 => "1 difference".to_owned(),
            n => format!("{n} differences"),
        };
        vec![
            proposal.id.to_string(),
            status(proposal.status).to_owned(),
            library(proposal),
            plain(&proposal.profile_name),
            n_changes,
            format!("by {}", plain(&proposal.proposed_by_name)),
            minute(proposal.created_at),
        ]
    }))
}

/// One proposal in lines for a terminal.
pub(super) fn one(proposal: &Proposal) -> String {
    let Proposal { id, profile_id, profile_name, proposed_by_name, source_client, .. } = proposal;
    let state = proposal.current_status.map(|state| format!(", {}", now(state))).unwrap_or_default();
    let client = source_client.as_ref().map(|client| format!(" ({})", plain(client))).unwrap_or_default();
    let mut lines = vec![
        vec!["proposal".to_owned(), format!("{id}, {}{state}", status(proposal.status))],
        vec!["profile".to_owned(), format!("{} [{profile_id}] in {}", plain(profile_name), library(proposal))],
        vec!["proposed".to_owned(), format!("{} by {}{client}", minute(proposal.created_at), plain(proposed_by_name))],
    ];
    let mut line = |name: &str, value: String| lines.push(vec![name.to_owned(), value]);
    if proposal.status == ProposalStatus::Pending {
        line("expires", minute(proposal.expires_at));
    }
    if let Some(at) = proposal.decided_at {
        let by = proposal.decided_by_name.as_ref().map(|name| format!(" by {}", plain(name))).unwrap_or_default();
        line("decided", format!("{}{by}", minute(at)));
    }
    if let Some(note) = &proposal.reject_note {
        line("note", plain(note));
    }
    if let Some(result) = &proposal.result_text {
        line("result", plain(result));
    }
    if let Some(change) = proposal.setting_change_id {
        line("history", format!("change {change}"));
    }
    let differences = proposal.diff.iter().map(|difference| format!("\n  {}", plain(difference)));
    table(lines) + &differences.collect::<String>()
}

fn library(proposal: &Proposal) -> String {
    format!("{} \"{}\"", proposal.service, plain(&proposal.instance_name))
}

const fn status(status: ProposalStatus) -> &'static str {
    match status {
        ProposalStatus::Pending => "pending",
        ProposalStatus::Executing => "executing",
        ProposalStatus::Applied => "applied",
        ProposalStatus::Rejected => "rejected",
        ProposalStatus::Superseded => "superseded",
        ProposalStatus::Expired => "expired",
        ProposalStatus::Failed => "failed",
    }
}

const fn now(state: ProposalState) -> &'static str {
    match state {
        ProposalState::Applicable => "can be carried out now",
        ProposalState::Stale => "cannot be carried out: what it was worked out against has changed",
        ProposalState::Unavailable => "its library cannot be read now",
    }
}

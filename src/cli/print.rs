//! Answers as people read them: aligned columns, and the plain key where there is one.

use jiff::Timestamp;
use playhouse_house::{Account, CredentialKind, KeySummary};

use crate::control::{OrderReply, ToolState, TvSummary};

/// The answer in lines for a terminal.
pub(super) fn text(reply: &OrderReply) -> String {
    match reply {
        OrderReply::House(house) => format!("{}  {}", house.id, house.name),
        OrderReply::Houses(houses) if houses.is_empty() => {
            "no houses; `playhouse house create NAME` opens one".to_owned()
        }
        OrderReply::Houses(houses) => {
            table(houses.iter().map(|house| vec![house.id.to_string(), day(house.created_at), house.name.clone()]))
        }
        OrderReply::NewKey(created) => {
            format!(
                "{}\nkeep it now: it cannot be shown again. It has the scopes {}.",
                created.plain.reveal(),
                created.summary.scopes
            )
        }
        OrderReply::Key(key) => table([key_row(key)]),
        OrderReply::Keys(keys) if keys.is_empty() => "no keys; `playhouse key create` makes one".to_owned(),
        OrderReply::Keys(keys) => table(keys.iter().map(key_row)),
        OrderReply::Tv(tv) => table([tv_row(tv)]),
        OrderReply::Tvs(tvs) if tvs.is_empty() => "no TVs; pair one by its code on /claim".to_owned(),
        OrderReply::Tvs(tvs) => table(tvs.iter().map(tv_row)),
        OrderReply::TvToken(created) => format!("{}\nkeep it now: it cannot be shown again.", created.token.reveal()),
        OrderReply::Revoked(n_tokens) => format!("{n_tokens} token(s) revoked"),
        OrderReply::Waitlist(entries) if entries.is_empty() => "nobody waits".to_owned(),
        OrderReply::Waitlist(entries) => table(entries.iter().map(|entry| {
            let note = plain(entry.note.as_deref().unwrap_or_default());
            vec![day(entry.joined_at), entry.email.as_str().to_owned(), entry.name.clone().unwrap_or_default(), note]
        })),
        OrderReply::Account(account) => table([account_row(account)]),
        OrderReply::Accounts(accounts) if accounts.is_empty() => {
            "no accounts; `playhouse account create` makes one".to_owned()
        }
        OrderReply::Accounts(accounts) => table(accounts.iter().map(account_row)),
        OrderReply::Instance(reply) => super::instances::text(reply),
        OrderReply::Proposal(proposal) => super::proposals::one(proposal),
        OrderReply::Proposals(proposals) => super::proposals::list(proposals),
        OrderReply::Change(change) => super::history::one(change),
        OrderReply::Changes(changes) => super::history::list(changes),
        OrderReply::Tools(tools) => table(tools.iter().map(tool_row)),
        OrderReply::SwitchedOff(tools) if tools.is_empty() => "no tool is switched off in this house".to_owned(),
        OrderReply::SwitchedOff(tools) => {
            format!("switched off in this house: {}", tools.iter().map(String::as_str).collect::<Vec<_>>().join(", "))
        }
    }
}

fn key_row(key: &KeySummary) -> Vec<String> {
    let kind = match &key.kind {
        CredentialKind::Key { .. } => "key",
        CredentialKind::TvAssistant { .. } => "assistant's TV token",
        CredentialKind::TvBridge { .. } => "bridge token",
    };
    let state = match (key.revoked_at, key.expires_at) {
        (Some(at), _) => format!("revoked {}", day(at)),
        (None, Some(at)) => format!("until {}", day(at)),
        (None, None) => "good".to_owned(),
    };
    let used = key.last_used_at.map_or_else(|| "never used".to_owned(), |at| format!("used {}", day(at)));
    vec![key.id.to_string(), kind.to_owned(), state, used, key.scopes.to_string(), key.label.clone()]
}

fn account_row(account: &Account) -> Vec<String> {
    vec![account.id.to_string(), account.role.to_string(), day(account.created_at), account.name.clone()]
}

fn tv_row(tv: &TvSummary) -> Vec<String> {
    let state = if tv.online { "online" } else { "offline" };
    vec![tv.name.to_string(), state.to_owned(), format!("paired {}", day(tv.paired_at)), tv.id.to_string()]
}

fn tool_row(tool: &ToolState) -> Vec<String> {
    let state = if tool.enabled { "on" } else { "off" };
    let for_whom = if tool.admin_only { "admins" } else { "" };
    vec![tool.name.clone(), state.to_owned(), tool.scope.clone(), for_whom.to_owned(), tool.title.clone()]
}

/// A moment to the minute.
pub(super) fn minute(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}

/// Words from outside on one line, without what could steer a terminal or show them in another order than they stand in: an operator decides by
/// what is read here.
pub(super) fn plain(words: &str) -> String {
    words.replace(steers, " ")
}

/// Whether a character is no letter of a line but an order to whatever shows it: controls, line separators, and the marks of writing direction
/// (Unicode Standard Annex 9, section 2).
fn steers(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn day(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d").to_string()
}

/// Rows with their columns aligned, two spaces apart. Every cell is made [`plain`]: names are whatever somebody in a house typed.
pub(super) fn table(rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let rows: Vec<Vec<String>> = rows.into_iter().map(|row| row.iter().map(|cell| plain(cell)).collect()).collect();
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..n_columns)
        .map(|n| rows.iter().filter_map(|row| row.get(n)).map(|cell| cell.chars().count()).max().unwrap_or(0))
        .collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_from_outside_stay_on_their_line_and_in_their_order() {
        assert_eq!(plain("a\n\u{1b}[2Jb\u{2028}c"), "a  [2Jb c");
        assert_eq!(plain("off \u{202e}no\u{202c} \u{2066}x\u{2069}\u{200f}\u{61c}"), "off  no   x   ");
        assert_eq!(plain("Amélie – 千と千尋 👨\u{200d}👩"), "Amélie – 千と千尋 👨\u{200d}👩");
    }

    #[test]
    fn columns_are_aligned_and_lines_have_no_tail() {
        let rows = [vec!["a".to_owned(), "bb".to_owned()], vec!["ccc".to_owned(), String::new()]];
        assert_eq!(table(rows), "a    bb\nccc");
        assert_eq!(table([vec!["Den\u{202e}\n".to_owned(), "x".to_owned()]]), "Den    x");
    }
}

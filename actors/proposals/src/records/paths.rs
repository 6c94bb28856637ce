//! Where things lie in a house.

use playhouse_store::Path;

use super::TextName;
use crate::{ChangeId, EventId, ProposalId};

pub(crate) const COUNTERS: Path = Path::literal("proposal_counters");
pub(crate) const PROPOSALS: Path = Path::literal("proposal");
pub(crate) const OPEN_PROPOSALS: Path = Path::literal("proposal_open");
pub(crate) const CHANGES: Path = Path::literal("change");
pub(crate) const OPEN_CHANGES: Path = Path::literal("change_open");
pub(crate) const TEXTS: Path = Path::literal("change_text");
pub(crate) const EVENTS: Path = Path::literal("admin_event");

/// Twenty digits hold every number, so that the order of paths is that of numbers.
fn numbered(prefix: &Path, number: u64) -> Path {
    prefix.join(format_args!("{number:020}")).expect("digits are a segment")
}

pub(crate) fn proposal_path(id: ProposalId) -> Path {
    numbered(&PROPOSALS, u64::MAX - id.0)
}

pub(crate) fn open_proposal_path(id: ProposalId) -> Path {
    numbered(&OPEN_PROPOSALS, id.0)
}

pub(crate) fn change_path(id: ChangeId) -> Path {
    numbered(&CHANGES, u64::MAX - id.0)
}

pub(crate) fn open_change_path(id: ChangeId) -> Path {
    numbered(&OPEN_CHANGES, id.0)
}

/// All texts of one change.
pub(crate) fn texts_path(id: ChangeId) -> Path {
    numbered(&TEXTS, id.0)
}

pub(crate) fn text_path(id: ChangeId, name: TextName, part: u32) -> Path {
    let path = texts_path(id).join(name.as_str()).expect("a text's name is a segment");
    path.join(format_args!("{part:05}")).expect("digits are a segment")
}

pub(crate) fn event_path(id: EventId) -> Path {
    numbered(&EVENTS, id.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_proposal_comes_first_and_the_oldest_event() {
        assert!(proposal_path(ProposalId(10)) < proposal_path(ProposalId(9)));
        assert!(change_path(ChangeId(10)) < change_path(ChangeId(9)));
        assert!(event_path(EventId(9)) < event_path(EventId(10)));
        assert!(text_path(ChangeId(9), TextName::Before, 10) > text_path(ChangeId(9), TextName::Before, 9));
    }
}

//! What is kept of a house's proposals and changes, and where.
//!
//! | path in the house | what |
//! |---|---|
//! | `proposal_counters` | the next numbers; written with every new one, which also keeps two writers apart |
//! | `proposal/<inverted number>` | a proposal, the newest first |
//! | `proposal_open/<number>` | that it waits or is being carried out, and when it is due |
//! | `change/<inverted number>` | an entry of the history without its details, the newest first |
//! | `change_open/<number>` | that it is being carried out |
//! | `change_text/<number>/<which>/<part>` | its details and the objects from before and after, cut to the size of a record |
//! | `admin_event/<number>` | what admins were told, the newest thousand |
//!
//! Texts are committed before the entry that names them. A crash in between leaves texts that nothing names; they are overwritten or removed.

mod change;
mod counters;
mod event;
mod paths;
mod proposal;
mod texts;

pub(crate) use change::{ChangeRow, Object, OpenChange};
pub(crate) use counters::Counters;
pub(crate) use event::{EventRow, MAX_EVENTS};
pub(crate) use paths::{
    CHANGES, COUNTERS, EVENTS, OPEN_CHANGES, OPEN_PROPOSALS, PROPOSALS, TEXTS, change_path, event_path,
    open_change_path, open_proposal_path, proposal_path, text_path, texts_path,
};
pub(crate) use proposal::{MAX_RECORD_BYTES, OpenProposal, ProposalRecord};
pub(crate) use texts::{Text, TextError, TextName, TextPart};

use playhouse_store::KnownKind;

/// The records this crate knows, for the store to check at its start.
pub fn known_kinds() -> Vec<KnownKind> {
    vec![
        KnownKind::of::<Counters>(),
        KnownKind::of::<ProposalRecord>(),
        KnownKind::of::<OpenProposal>(),
        KnownKind::of::<ChangeRow>(),
        KnownKind::of::<OpenChange>(),
        KnownKind::of::<TextPart>(),
        KnownKind::of::<EventRow>(),
    ]
}

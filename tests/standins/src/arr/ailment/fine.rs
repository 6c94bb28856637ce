//! What needs nothing but time.

use super::{Ailment, Cure, Folder, Is, OLD, State, VIDEO, ailment};

/// On its way, with all that it promises.
const fn moving(name: &'static str) -> Ailment {
    Ailment {
        folder: Folder::Sound,
        ..ailment(name, "ok").fine("downloading", Is::Moving).in_state("ok", State::Downloading)
    }
}

pub(super) static AILMENTS: &[Ailment] = &[
    moving("moving"),
    moving("moving-pack").pack(),
    ailment("paused", "ok").fine("paused", Is::Unwanted).in_state("ok", State::Downloading),
    ailment("queued", "ok").fine("queued", Is::Unwanted).in_state("ok", State::Downloading).usenet(),
    Ailment {
        is_without_size: true,
        error: Some("qBittorrent is downloading metadata"),
        ..ailment("metadata", "ok").fine("queued", Is::Unwanted).in_state("ok", State::Downloading)
    },
    ailment("importing", "ok").fine("completed", Is::Unwanted).in_state("ok", State::Importing),
    ailment("imported", "ok").fine("completed", Is::Unwanted).in_state("ok", State::Imported),
    Ailment { tracked: None, ..ailment("delayed", "ok").fine("delay", Is::Pending(299)).usenet() },
    Ailment { tracked: None, ..ailment("fallback", "ok").fine("fallback", Is::Pending(10)) },
    // Not stuck by itself: the client is away.
    Ailment {
        tracked: None,
        cure: Cure::Operator,
        ..ailment("waits-for-client", "client_unreachable").fine("downloadClientUnavailable", Is::Pending(5))
    },
    ailment("seeding", "ok").on(VIDEO).fine("completed", Is::Unwanted).in_state("ok", State::Imported),
    ailment("checking", "ok").on(OLD).fine("queued", Is::Unwanted).in_state("ok", State::Downloading),
];

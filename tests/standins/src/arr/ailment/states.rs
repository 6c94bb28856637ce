//! What says nothing that anybody could look up, so that only the state tells.

use super::{Ailment, Cure, Folder, Is, Say, State, ailment};

pub(super) static AILMENTS: &[Ailment] = &[
    ailment("waiting", "import_waiting").in_state("ok", State::ImportPending).waiting(0),
    ailment("blocked-wordless", "import_blocked").blocked(),
    ailment("blocked-in-german", "import_blocked").blocked().says(&[Say::Release(
        "Automatischer Import ist nicht möglich, bitte manuell importieren. Weitere Informationen im Wiki.",
    )]),
    ailment("blocked-in-japanese", "import_blocked").blocked().says(&[Say::Release("手動インポートが必要です")]),
    // The name of the release says what is only true of the words of a message.
    Ailment {
        of_title: Some("Sampler"),
        ..ailment("called-sampler", "import_blocked").blocked().says(&[Say::Release("Sonstiger Grund")])
    },
    Ailment {
        cure: Cure::Operator,
        is: Is::Unwanted,
        folder: Folder::Sound,
        is_unknown: true,
        ..ailment("foreign", "foreign_download")
            .says(&[Say::Release("Download wasn't grabbed by {app} and not in a category, Skipping.")])
    },
    Ailment {
        cure: Cure::Remove,
        is: Is::Hopeless,
        folder: Folder::Empty,
        is_unknown: true,
        ..ailment("foreign-failed", "foreign_download")
            .says(&[Say::Release("Download wasn't grabbed by {app}, has failed and cannot be handled automatically.")])
            .usenet()
    },
];

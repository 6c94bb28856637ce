//! Where a description is behind its application, or says nothing.

/// Calls that exist and are not described.
pub(super) fn is_undescribed(path: &str) -> bool {
    path.ends_with("/indexerstatus")
}

/// Bodies with members that no description knows: a command's parameters stand beside its name, and a custom format as people pass it on has notes
/// of its author in it, which are passed over.
pub(super) fn is_open(path: &str) -> bool {
    path.ends_with("/command") || path.contains("/customformat")
}

/// What an application learned since it was described: Sonarr's profiles have the sizes that were with the qualities.
pub(super) fn is_younger(reason: &str) -> bool {
    ["minSize is not described", "maxSize is not described", "preferredSize is not described"]
        .iter()
        .any(|young| reason.ends_with(young))
}

/// What is answered although no description has it.
#[cfg(test)]
pub(super) fn is_known(reason: &str) -> bool {
    // Rows of the database shine through, with their nulls and names of their own.
    let is_raw = ["lastAlbum.", "lastBook.", "nextAlbum.", "nextBook."].iter().any(|raw| reason.contains(raw));
    // Addresses and spans of time are text on the wire, whatever they are described as.
    let is_text = ["wikiUrl is", "duration is", "timeleft is"].iter().any(|text| reason.contains(text));
    is_raw || is_text
}

//! Where a description is behind its application, or says nothing.

/// Calls that exist and are not described.
pub(super) fn is_undescribed(path: &str) -> bool {
    path.ends_with("/indexerstatus")
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

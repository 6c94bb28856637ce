//! What only music and books know: what it is must be guessed from tags, and all of it must be there.

use super::{Ailment, Chaptarr, Lidarr, OLD, Say, State, ailment};

/// Seen by the application, tried, and given up.
const fn tried(name: &'static str, code: &'static str) -> Ailment {
    ailment(name, code).in_state("warning", State::ImportFailed)
}

pub(super) static AILMENTS: &[Ailment] = &[
    tried("no-similar-album", "not_identified").on(&[Lidarr]).says(&[
        Say::Release("Couldn't find similar album for {release}"),
        Say::File("01 - Movement 1.flac", "Couldn't find similar album for {release}"),
    ]),
    tried("no-similar-book", "not_identified")
        .on(&[Chaptarr])
        .says(&[Say::Release("Couldn't find similar book for {release}")]),
    tried("several-artists", "not_identified").on(&[Lidarr]).says(&[Say::Release(
        "Unable to import automatically, found multiple artists: A Reed Choir and The Weir Quartet",
    )]),
    tried("artist-mismatch", "title_mismatch")
        .on(&[Lidarr])
        .blocked()
        .says(&[Say::Release("Artist name mismatch, automatic import is not possible.")]),
    tried("album-unparsable", "unparsable")
        .on(&[Lidarr])
        .says(&[Say::Release("Unable to parse albums from title, automatic import is not possible.")]),
    tried("book-unparsable", "unparsable")
        .on(&[Chaptarr])
        .says(&[Say::Release("Unable to parse download, automatic import is not possible.")]),
    tried("album-match", "weak_match")
        .on(&[Lidarr])
        .blocked()
        .says(&[Say::Release("Album match is not close enough: 73.5% vs 80% [album, tracks]")]),
    tried("book-match", "weak_match")
        .on(&[Chaptarr])
        .blocked()
        .says(&[Say::Release("Book match is not close enough: 61.0% vs 80% [author, title]")]),
    tried("missing-tracks", "track_mismatch")
        .on(&[Lidarr])
        .says(&[Say::Release("Has missing tracks"), Say::File("01 - Movement 1.flac", "Has missing tracks")]),
    tried("unmatched-tracks", "track_mismatch").on(&[Lidarr]).says(&[Say::Release("Has unmatched tracks")]),
    ailment("fewer-tracks", "not_upgrade")
        .on(&[Lidarr])
        .says(&[Say::Release("Has fewer tracks than existing release")])
        .superfluous("Has fewer tracks than existing release"),
    ailment("same-size", "not_upgrade")
        .on(OLD)
        .says(&[Say::Release("Has the same filesize as existing file")])
        .superfluous("Has the same filesize as existing file"),
];

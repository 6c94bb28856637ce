//! Lidarr's own.

use super::{
    super::{blocklist, calendar, history, imports, queue, releases, resources::music, system},
    Call,
    Sort::{Direction, Flag, Instant, Number, Numbers, Text},
    call, get,
};

pub(super) static CALLS: &[Call] = &[
    get(
        "queue",
        &[
            ("page", Number),
            ("pageSize", Number),
            ("sortKey", Text),
            ("sortDirection", Direction),
            ("includeUnknownArtistItems", Flag),
            ("includeArtist", Flag),
            ("includeAlbum", Flag),
            ("artistIds", Numbers),
            ("protocol", Text),
            ("quality", Numbers),
        ],
        queue::page,
    ),
    get(
        "queue/details",
        &[("artistId", Number), ("albumIds", Numbers), ("includeArtist", Flag), ("includeAlbum", Flag)],
        queue::details,
    ),
    get("queue/status", &[], queue::status),
    get("artist", &[("mbId", Text)], music::artists),
    get("artist/{id}", &[], music::artist),
    get(
        "album",
        &[("artistId", Number), ("albumIds", Numbers), ("foreignAlbumId", Text), ("includeAllArtistAlbums", Flag)],
        music::albums,
    ),
    get("album/{id}", &[], music::album),
    get(
        "track",
        &[("artistId", Number), ("albumId", Number), ("albumReleaseId", Number), ("trackIds", Numbers)],
        music::tracks,
    ),
    get(
        "trackfile",
        &[("artistId", Number), ("trackFileIds", Numbers), ("albumId", Numbers), ("unmapped", Flag)],
        music::files,
    ),
    get("trackfile/{id}", &[], music::file),
    call("DELETE", "trackfile/{id}", &[], system::delete_file),
    get(
        "calendar",
        &[("start", Instant), ("end", Instant), ("unmonitored", Flag), ("includeArtist", Flag), ("tags", Text)],
        calendar::list,
    ),
    get(
        "history",
        &[
            ("page", Number),
            ("pageSize", Number),
            ("sortKey", Text),
            ("sortDirection", Direction),
            ("includeArtist", Flag),
            ("includeAlbum", Flag),
            ("includeTrack", Flag),
            ("eventType", Numbers),
            ("albumId", Number),
            ("downloadId", Text),
            ("artistIds", Numbers),
            ("quality", Numbers),
        ],
        history::page,
    ),
    get(
        "history/since",
        &[
            ("date", Instant),
            ("eventType", Text),
            ("includeArtist", Flag),
            ("includeAlbum", Flag),
            ("includeTrack", Flag),
        ],
        history::since,
    ),
    get(
        "history/artist",
        &[
            ("artistId", Number),
            ("albumId", Number),
            ("eventType", Text),
            ("includeArtist", Flag),
            ("includeAlbum", Flag),
            ("includeTrack", Flag),
        ],
        history::of_parent,
    ),
    get(
        "blocklist",
        &[("page", Number), ("pageSize", Number), ("sortKey", Text), ("sortDirection", Direction)],
        blocklist::page,
    ),
    get("release", &[("albumId", Number), ("artistId", Number)], releases::search),
    get(
        "manualimport",
        &[
            ("folder", Text),
            ("downloadId", Text),
            ("artistId", Number),
            ("filterExistingFiles", Flag),
            ("replaceExistingFiles", Flag),
        ],
        imports::candidates,
    ),
    get("rootfolder", &[], system::root_folders),
    get(
        "wanted/missing",
        &[
            ("page", Number),
            ("pageSize", Number),
            ("sortKey", Text),
            ("sortDirection", Direction),
            ("includeArtist", Flag),
            ("monitored", Flag),
        ],
        calendar::missing,
    ),
];

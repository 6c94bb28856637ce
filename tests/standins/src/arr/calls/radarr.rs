//! Radarr's own.

use super::{
    super::{blocklist, calendar, history, imports, profiles, queue, releases, resources::movies, system},
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
            ("includeUnknownMovieItems", Flag),
            ("includeMovie", Flag),
            ("movieIds", Numbers),
            ("protocol", Text),
            ("languages", Numbers),
            ("quality", Numbers),
            ("status", Text),
        ],
        queue::page,
    ),
    get("queue/details", &[("movieId", Number), ("includeMovie", Flag)], queue::details),
    get("queue/status", &[], queue::status),
    get("movie", &[("tmdbId", Number), ("excludeLocalCovers", Flag), ("languageId", Number)], movies::list),
    get("movie/{id}", &[], movies::one),
    get("moviefile", &[("movieId", Numbers), ("movieFileIds", Numbers)], movies::files),
    get("moviefile/{id}", &[], movies::file),
    call("DELETE", "moviefile/{id}", &[], system::delete_file),
    get("calendar", &[("start", Instant), ("end", Instant), ("unmonitored", Flag), ("tags", Text)], calendar::list),
    get(
        "history",
        &[
            ("page", Number),
            ("pageSize", Number),
            ("sortKey", Text),
            ("sortDirection", Direction),
            ("includeMovie", Flag),
            ("eventType", Numbers),
            ("downloadId", Text),
            ("movieIds", Numbers),
            ("languages", Numbers),
            ("quality", Numbers),
        ],
        history::page,
    ),
    get("history/since", &[("date", Instant), ("eventType", Text), ("includeMovie", Flag)], history::since),
    get("history/movie", &[("movieId", Number), ("eventType", Text), ("includeMovie", Flag)], history::of_parent),
    get(
        "blocklist",
        &[
            ("page", Number),
            ("pageSize", Number),
            ("sortKey", Text),
            ("sortDirection", Direction),
            ("movieIds", Numbers),
            ("protocols", Text),
        ],
        blocklist::page,
    ),
    get("release", &[("movieId", Number)], releases::search),
    get(
        "manualimport",
        &[("folder", Text), ("downloadId", Text), ("movieId", Number), ("filterExistingFiles", Flag)],
        imports::candidates,
    ),
    get("qualityprofile", &[], profiles::profiles),
    get("rootfolder", &[], system::root_folders),
    get(
        "wanted/missing",
        &[("page", Number), ("pageSize", Number), ("sortKey", Text), ("sortDirection", Direction), ("monitored", Flag)],
        calendar::missing,
    ),
];

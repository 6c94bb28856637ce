//! Every call that this program makes to the four services, as a table.
//!
//! The services pass over a misspelt parameter without a word and then answer, or do, something wider. So each call is listed here with
//! the parameters it may have, a test holds the list against the services' own descriptions, and the client sends nothing that is not
//! in it.

use playhouse_upstream::Verb;

use crate::Service::{self, Chaptarr, Lidarr, Radarr, Sonarr};

/// One call: what may be sent to whom.
#[derive(Debug)]
pub struct ListedCall {
    /// The services that know it.
    pub services: &'static [Service],
    /// What it does.
    pub verb: Verb,
    /// Below the service's API. `{id}` stands for a number.
    pub path: &'static str,
    /// The parameters that may stand in the query, of any of the services.
    pub query: &'static [&'static str],
}

const ALL: &[Service] = &Service::ALL;

const fn get(services: &'static [Service], path: &'static str, query: &'static [&'static str]) -> ListedCall {
    ListedCall { services, verb: Verb::Get, path, query }
}

/// Every call, by service and path.
pub static CALLS: &[ListedCall] = &[
    get(ALL, "system/status", &[]),
    get(ALL, "health", &[]),
    get(ALL, "diskspace", &[]),
    get(ALL, "command/{id}", &[]),
    ListedCall { services: ALL, verb: Verb::Post, path: "command", query: &[] },
    // The queue and what is done to it.
    get(
        &[Radarr],
        "queue",
        &["page", "pageSize", "sortKey", "sortDirection", "includeMovie", "includeUnknownMovieItems"],
    ),
    get(
        &[Sonarr],
        "queue",
        &[
            "page",
            "pageSize",
            "sortKey",
            "sortDirection",
            "includeSeries",
            "includeEpisode",
            "includeUnknownSeriesItems",
        ],
    ),
    get(
        &[Lidarr],
        "queue",
        &["page", "pageSize", "sortKey", "sortDirection", "includeArtist", "includeAlbum", "includeUnknownArtistItems"],
    ),
    get(
        &[Chaptarr],
        "queue",
        &["page", "pageSize", "sortKey", "sortDirection", "includeAuthor", "includeBook", "includeUnknownAuthorItems"],
    ),
    ListedCall {
        services: ALL,
        verb: Verb::Delete,
        path: "queue/{id}",
        query: &["removeFromClient", "blocklist", "skipRedownload", "changeCategory"],
    },
    get(ALL, "manualimport", &["downloadId", "filterExistingFiles"]),
    // The library.
    get(&[Radarr], "movie", &["tmdbId", "excludeLocalCovers"]),
    get(&[Radarr], "movie/{id}", &[]),
    get(&[Radarr], "moviefile", &["movieId"]),
    get(&[Radarr], "moviefile/{id}", &[]),
    get(&[Sonarr], "series", &["tvdbId"]),
    get(&[Sonarr], "series/{id}", &[]),
    get(&[Sonarr], "episode", &["seriesId", "seasonNumber", "episodeIds", "includeEpisodeFile"]),
    get(&[Sonarr], "episode/{id}", &[]),
    get(&[Sonarr], "episodefile", &["seriesId"]),
    get(&[Sonarr], "episodefile/{id}", &[]),
    get(&[Lidarr], "artist", &[]),
    get(&[Lidarr], "artist/{id}", &[]),
    get(&[Lidarr], "album", &["artistId"]),
    get(&[Lidarr], "album/{id}", &[]),
    get(&[Lidarr], "track", &["albumId", "artistId"]),
    get(&[Lidarr], "trackfile", &["albumId", "artistId"]),
    get(&[Chaptarr], "author", &[]),
    get(&[Chaptarr], "author/{id}", &[]),
    get(&[Chaptarr], "book", &["authorId"]),
    get(&[Chaptarr], "book/{id}", &[]),
    get(&[Chaptarr], "bookfile", &["bookId", "authorId"]),
    // What comes and what happened.
    get(&[Radarr], "calendar", &["start", "end", "unmonitored"]),
    get(&[Sonarr], "calendar", &["start", "end", "unmonitored", "includeSeries"]),
    get(&[Lidarr], "calendar", &["start", "end", "unmonitored", "includeArtist"]),
    get(
        &[Radarr],
        "history",
        &["page", "pageSize", "sortKey", "sortDirection", "eventType", "downloadId", "includeMovie", "movieIds"],
    ),
    get(
        &[Sonarr],
        "history",
        &[
            "page",
            "pageSize",
            "sortKey",
            "sortDirection",
            "eventType",
            "downloadId",
            "includeSeries",
            "includeEpisode",
            "episodeId",
            "seriesIds",
        ],
    ),
    get(
        &[Lidarr],
        "history",
        &[
            "page",
            "pageSize",
            "sortKey",
            "sortDirection",
            "eventType",
            "downloadId",
            "includeArtist",
            "includeAlbum",
            "includeTrack",
            "albumId",
            "artistIds",
        ],
    ),
    get(
        &[Chaptarr],
        "history",
        &[
            "page",
            "pageSize",
            "sortKey",
            "sortDirection",
            "eventType",
            "downloadId",
            "includeAuthor",
            "includeBook",
            "bookId",
        ],
    ),
    get(&[Radarr], "history/movie", &["movieId", "eventType", "includeMovie"]),
    get(&[Sonarr], "history/series", &["seriesId", "seasonNumber", "eventType", "includeSeries", "includeEpisode"]),
    get(
        &[Lidarr],
        "history/artist",
        &["artistId", "albumId", "eventType", "includeArtist", "includeAlbum", "includeTrack"],
    ),
    get(&[Chaptarr], "history/author", &["authorId", "bookId", "eventType", "includeAuthor", "includeBook"]),
    // Releases. None of these goes out without its id: the answer would be everything that the indexers published.
    get(&[Radarr], "release", &["movieId"]),
    get(&[Sonarr], "release", &["seriesId", "seasonNumber", "episodeId"]),
    get(&[Lidarr], "release", &["albumId", "artistId"]),
    get(&[Chaptarr], "release", &["bookId", "authorId"]),
    ListedCall { services: ALL, verb: Verb::Post, path: "release", query: &[] },
    // Settings.
    get(ALL, "indexer", &[]),
    get(ALL, "delayprofile", &[]),
    get(ALL, "releaseprofile", &[]),
    get(ALL, "downloadclient", &[]),
    get(ALL, "remotepathmapping", &[]),
    get(ALL, "qualityprofile", &[]),
    ListedCall { services: ALL, verb: Verb::Put, path: "qualityprofile/{id}", query: &[] },
    get(ALL, "customformat", &[]),
    ListedCall { services: ALL, verb: Verb::Post, path: "customformat", query: &[] },
    ListedCall { services: ALL, verb: Verb::Put, path: "customformat/{id}", query: &[] },
    // The others have languages too, which neither their profiles nor their formats refer to.
    get(&[Radarr, Sonarr], "language", &[]),
];

/// Whether a call is in the table, with these parameters.
pub(crate) fn is_listed(service: Service, verb: Verb, path: &str, query: &[(&str, &str)]) -> bool {
    CALLS.iter().any(|call| {
        call.verb == verb
            && call.services.contains(&service)
            && fits(call.path, path)
            && query.iter().all(|(name, _)| call.query.contains(name))
    })
}

/// Whether `path` is what `listed` describes: equal, with a number for `{id}`.
fn fits(listed: &str, path: &str) -> bool {
    match listed.strip_suffix("{id}") {
        Some(before) => {
            path.strip_prefix(before).is_some_and(|id| !id.is_empty() && id.bytes().all(|digit| digit.is_ascii_digit()))
        }
        None => listed == path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_known_by_service_verb_path_and_parameters() {
        assert!(is_listed(Radarr, Verb::Get, "movie/7", &[]));
        assert!(is_listed(Sonarr, Verb::Delete, "queue/7", &[("blocklist", "true")]));
        assert!(!is_listed(Radarr, Verb::Get, "movie/seven", &[]));
        assert!(!is_listed(Radarr, Verb::Get, "movie/", &[]));
        assert!(!is_listed(Sonarr, Verb::Get, "movie/7", &[]));
        assert!(
            !is_listed(Sonarr, Verb::Delete, "queue/7", &[("blacklist", "true")]),
            "an old name does nothing, silently"
        );
        assert!(!is_listed(Radarr, Verb::Post, "movie/7", &[]));
    }

    #[test]
    fn each_service_reads_its_queue_by_listed_parameters() {
        for service in Service::ALL {
            assert!(is_listed(service, Verb::Get, "queue", service.facts().queue_query), "{service}");
        }
    }
}

//! From a verdict to its calls: provenance, next calls, prevention.

use serde_json::json;

use super::*;
use crate::service::MediaType;

#[test]
fn an_upgrade_that_nobody_asked_for_needs_no_replacement() {
    use LibraryFile::{Absent, Present, Unknown};
    let cases = [
        ("117 stalled, RSS grab, file present", Present, Some("Rss"), BlocklistOnly),
        ("118 stalled, user search, file present", Present, Some("UserInvokedSearch"), BlocklistSearch),
        ("119 stalled, unknown origin", Present, None, BlocklistSearch),
        ("119 stalled, empty origin", Present, Some(" "), BlocklistSearch),
        ("120 stalled, RSS, no file", Absent, Some("Rss"), BlocklistSearch),
        ("121 stalled, RSS, file state unknown", Unknown, Some("Rss"), BlocklistSearch),
    ];
    for (name, file, source, verb) in cases {
        let stalled = complained("The download is stalled with no connections");
        let verdict = spare_the_owner(stalled, file, &GrabSource::of(source));
        assert_eq!((verdict.code, verdict.verbs.as_slice()), (C::DownloadStalled, &[verb][..]), "{name}");
    }
}

/// 122, 123: the history is only read where it could change the answer.
#[test]
fn provenance_is_read_only_where_it_matters() {
    use LibraryFile::{Absent, Present, Unknown};
    let stalled = complained("stalled");
    let offers_an_import = said("Unable to parse file");
    assert!(wants_provenance(&stalled, Present));
    assert!(!wants_provenance(&offers_an_import, Present), "122 a verdict that also offers an import");
    assert!(!wants_provenance(&stalled, Absent), "123 a library gap");
    assert!(!wants_provenance(&stalled, Unknown));
}

fn patient(media_type: MediaType, owner_id: Option<i64>, item_title: Option<&str>) -> Patient<'_> {
    Patient { queue_id: 7, media_type, item_title, owner_id, instance_id: None }
}

#[test]
fn each_verb_becomes_its_call() {
    let movie = patient(MediaType::Movie, Some(603), Some("The Matrix"));
    for (verb, expected) in [
        (Process, json!([{"tool": "rescan_media", "args": {"tmdb_id": 603, "media_type": "movie"}}])),
        (Rescan, json!([{"tool": "rescan_media", "args": {"tmdb_id": 603, "media_type": "movie"}}])),
        (
            ManualImport,
            json!([
                {"tool": "get_manual_import_candidates", "args": {"queue_id": 7, "media_type": "movie"}},
                {"tool": "execute_manual_import", "args": {"queue_id": 7, "media_type": "movie"}},
            ]),
        ),
        (
            ForceImport,
            json!([{"tool": "execute_manual_import", "args": {"queue_id": 7, "media_type": "movie", "force": true}}]),
        ),
        (
            Remove,
            json!([{"tool": "remediate_queue_item", "args": {"queue_id": 7, "media_type": "movie", "action": "remove"}}]),
        ),
        (
            BlocklistSearch,
            json!([{"tool": "remediate_queue_item", "args": {"queue_id": 7, "media_type": "movie", "action": "blocklist_search"}}]),
        ),
        (
            BlocklistOnly,
            json!([{"tool": "remediate_queue_item", "args": {"queue_id": 7, "media_type": "movie", "action": "blocklist_only"}}]),
        ),
        (
            ChangeCategory,
            json!([{"tool": "remediate_queue_item", "args": {"queue_id": 7, "media_type": "movie", "action": "change_category"}}]),
        ),
    ] {
        let verdict = Verdict { verbs: vec![verb, Remove], ..complained("stalled") };
        assert_eq!(serde_json::to_value(next_calls(&verdict, movie).calls).unwrap(), expected, "{verb}");
    }
}

/// 126: a movie's rescan carries its TMDB id, a series' hints how to find it, books and music carry their own.
#[test]
fn a_rescan_names_the_item() {
    let no_space = said("Not enough free space");
    let calls = |patient| {
        let next = next_calls(&no_space, patient);
        (serde_json::to_value(&next.calls).unwrap(), next.hint.unwrap_or_default())
    };
    let (call, _) = calls(patient(MediaType::Music, Some(12), Some("Artist")));
    assert_eq!(call, json!([{"tool": "rescan_media", "args": {"artist_id": 12, "media_type": "music"}}]));
    let (call, _) = calls(patient(MediaType::Book, Some(13), Some("Author")));
    assert_eq!(call, json!([{"tool": "rescan_media", "args": {"author_id": 13, "media_type": "book"}}]));
    let (call, _) = calls(patient(MediaType::Tv, Some(66732), Some("Stranger Things")));
    assert_eq!(call, json!([{"tool": "rescan_media", "args": {"tmdb_id": 66732, "media_type": "tv"}}]));
    let (call, hint) = calls(patient(MediaType::Tv, None, Some("Stranger Things")));
    assert_eq!(call, json!([{"tool": "get_library", "args": {"query": "Stranger Things", "media_type": "tv"}}]));
    assert!(hint.contains("tmdb_id") && hint.contains("rescan_media"), "{hint}");
}

#[test]
fn what_belongs_to_no_item_is_not_rescanned() {
    let unmatched = patient(MediaType::Movie, None, None);
    let next = next_calls(&said("Not enough free space"), unmatched);
    assert!(next.calls.is_empty() && next.hint.is_some(), "{next:?}");
    let waiting = diagnose(&row(["completed", "ok", "importPending", ""], &[]));
    assert_eq!(next_calls(&waiting, unmatched).calls[0].tool, "get_manual_import_candidates");
}

/// 127
#[test]
fn unmonitored_and_client_unreachable_have_no_next() {
    let movie = patient(MediaType::Movie, Some(1), Some("x"));
    for verdict in [said("Movie is not monitored"), complained("Unable to communicate with qBittorrent")] {
        assert_eq!(next_calls(&verdict, movie), NextCalls::default());
    }
}

#[test]
fn a_targeted_read_names_its_instance_in_every_call() {
    let targeted = Patient { instance_id: Some("radarr-1a2b3c4d"), ..patient(MediaType::Movie, Some(603), None) };
    for verdict in [said("Unable to parse file"), said("Not enough free space"), complained("stalled"), said("Sample")]
    {
        let calls = next_calls(&verdict, targeted).calls;
        assert!(
            !calls.is_empty() && calls.iter().all(|call| call.args["instance_id"] == "radarr-1a2b3c4d"),
            "{calls:?}"
        );
    }
}

#[test]
fn recurring_causes_point_to_a_section_of_the_settings() {
    let sections = |codes: &[CauseCode]| preventions(codes).iter().map(|hint| hint.section).collect::<Vec<_>>();
    assert_eq!(sections(&[C::PathMapping, C::PathMapping, C::DownloadStalled]), ["remote_path_mappings", "indexers"]);
    assert_eq!(sections(&[C::ClientError]), ["download_clients"]);
    assert!(sections(&[C::NotUpgrade, C::Sample]).is_empty());
    assert_eq!(sections(&[C::NotUpgrade, C::NotCfUpgrade]), ["release_profiles", "delay_profiles"]);
}

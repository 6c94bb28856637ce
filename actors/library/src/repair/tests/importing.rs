//! Importing by hand.

use serde_json::Value;

use super::*;
use crate::answer::ArrFailure;
use crate::client::wire::ImportCandidate;
use crate::repair::candidates::{CandidateFile, Download};
use crate::repair::selection::{Rules, Selection};
use crate::service::Service;

/// The one command that was posted.
fn command(ward: &Ward) -> Value {
    let commands = ward.calls("POST", "/command");
    assert_eq!(commands.len(), 1);
    commands[0].body.clone().unwrap()
}

/// 93
#[tokio::test]
async fn the_import_mode_goes_by_protocol_and_service() {
    for (kind, is_torrent, mode) in [
        (ArrKind::Radarr, true, "copy"),
        (ArrKind::Radarr, false, "move"),
        (ArrKind::Sonarr, true, "copy"),
        (ArrKind::Sonarr, false, "move"),
        (ArrKind::Lidarr, true, "auto"),
        (ArrKind::Chaptarr, false, "auto"),
    ] {
        let (ward, item) = ward(kind);
        let stuck = ward.arr.afflict("blocked-wordless", &[item]).unwrap();
        ward.arr.alter("GET */queue", move |page| {
            page["records"][0]["protocol"] = json!(if is_torrent { "torrent" } else { "usenet" });
        });
        let accepted = imported(&ward, stuck.queue_id, false, Scope::default()).await.unwrap();
        assert!(!accepted.requested.is_empty(), "{kind:?}");
        let command = command(&ward);
        assert_eq!((&command["name"], &command["importMode"]), (&json!("ManualImport"), &json!(mode)), "{kind:?}");
        assert_eq!(command["files"][0]["downloadId"], json!(stuck.download_id), "{kind:?}");
        assert_eq!(ward.arr.violations(), [], "{kind:?}");
        ward.arr.settle();
        assert!(ward.arr.is_healed(&stuck), "{kind:?}");
    }
}

#[tokio::test]
async fn each_service_gets_its_own_file_object() {
    let common = ["path", "quality", "downloadId", "indexerFlags"];
    for (kind, own) in [
        (ArrKind::Radarr, &["folderName", "movieId", "languages", "releaseGroup"][..]),
        (ArrKind::Sonarr, &["folderName", "seriesId", "episodeIds", "languages", "releaseGroup", "releaseType"][..]),
        (ArrKind::Lidarr, &["artistId", "albumId", "albumReleaseId", "trackIds", "disableReleaseSwitching"][..]),
        (ArrKind::Chaptarr, &["authorId", "bookId", "foreignEditionId", "disableReleaseSwitching"][..]),
    ] {
        let (ward, item) = ward(kind);
        let stuck = ward.arr.afflict("blocked-wordless", &[item]).unwrap();
        imported(&ward, stuck.queue_id, false, Scope::default()).await.unwrap();
        let command = command(&ward);
        let mut names: Vec<&str> = command["files"][0].as_object().unwrap().keys().map(String::as_str).collect();
        let mut expected: Vec<&str> = common.iter().chain(own).copied().collect();
        names.sort_unstable();
        expected.sort_unstable();
        assert_eq!(names, expected, "{kind:?}");
        assert_eq!(command.get("replaceExistingFiles").is_some(), kind == ArrKind::Lidarr, "{kind:?}");
    }
}

fn candidates(text: &str) -> Vec<ImportCandidate> {
    serde_json::from_str(text).unwrap()
}

fn selected(service: Service, files: &str, force: bool, scope: &Scope) -> Selection {
    Rules { service, download_id: "ABC", force, scope }.select(&candidates(files))
}

const QUALITY: &str =
    r#"{"quality":{"id":7,"name":"Bluray-1080p"},"revision":{"version":1,"real":0,"isRepack":false},"odd":1.50}"#;

/// 94
#[test]
fn quality_goes_back_byte_for_byte() {
    let file = format!(
        r#"[{{"path":"/d/a.mkv","movie":{{"id":7,"tmdbId":603}},"languages":[ {{"id":1}} ],"quality":{QUALITY}}}]"#
    );
    let selection = selected(Service::Radarr, &file, false, &Scope::default());
    let sent = serde_json::to_string(&selection.files[0]).unwrap();
    assert!(sent.contains(&format!("\"quality\":{QUALITY}")), "{sent}");
    assert!(sent.contains(r#""languages":[ {"id":1} ]"#), "{sent}");
}

#[test]
fn a_file_without_languages_sends_none_and_one_without_quality_is_left_out() {
    let file = format!(
        r#"[{{"path":"/d/a.mkv","movie":{{"id":7}},"quality":{QUALITY}}},{{"path":"/d/b.mkv","movie":{{"id":7}}}}]"#
    );
    let selection = selected(Service::Radarr, &file, true, &Scope::default());
    assert!(serde_json::to_string(&selection.files[0]).unwrap().contains(r#""languages":[]"#));
    assert_eq!((selection.names, selection.skipped[0].reason.contains("quality")), (vec!["a.mkv".to_owned()], true));
}

fn movie_file(name: &str, rejections: &str) -> String {
    format!(r#"{{"path":"/d/{name}","movie":{{"id":7,"tmdbId":603}},"quality":{QUALITY},"rejections":{rejections}}}"#)
}

const FOR_GOOD: &str = r#"[{"reason":"Sample","type":"permanent"}]"#;
const FOR_NOW: &str = r#"[{"reason":"Locked file, try again later","type":"temporary"}]"#;

/// 95, 96
#[test]
fn permanent_rejections_are_left_out_unless_forced_and_temporary_ones_are_not() {
    let files =
        format!("[{},{},{}]", movie_file("a.mkv", "[]"), movie_file("b.mkv", "[]"), movie_file("c.mkv", FOR_GOOD));
    let selection = selected(Service::Radarr, &files, false, &Scope::default());
    assert_eq!(selection.names, ["a.mkv", "b.mkv"]);
    assert_eq!((selection.skipped.len(), selection.skipped[0].name.as_str()), (1, "c.mkv"));
    assert!(selection.skipped[0].reason.contains("Sample"));
    assert_eq!(selected(Service::Radarr, &files, true, &Scope::default()).names.len(), 3, "force");

    let temporary = format!("[{},{}]", movie_file("a.mkv", FOR_NOW), movie_file("b.mkv", FOR_NOW));
    assert_eq!(selected(Service::Radarr, &temporary, false, &Scope::default()).names.len(), 2, "96");
}

/// 97
#[tokio::test]
async fn where_all_is_rejected_nothing_is_sent_and_force_is_named() {
    let (ward, item) = ward(ArrKind::Radarr);
    let stuck = ward.arr.afflict("sample", &[item]).unwrap();
    let ended = imported(&ward, stuck.queue_id, false, Scope::default()).await.unwrap_err();
    assert_eq!((ended.outcome(), ended.code(), n_writes(&ward)), (Outcome::NotStarted, Code::NothingImportable, 0));
    assert!(ended.to_string().contains("Sample") && ended.to_string().contains("\"force\": true"), "{ended}");
    imported(&ward, stuck.queue_id, true, Scope::default()).await.unwrap();
    ward.arr.settle();
    assert!(ward.arr.is_healed(&stuck));
}

/// 98
#[test]
fn what_is_not_mapped_is_never_imported() {
    for (service, file, missing) in [
        (Service::Sonarr, r#"{"series":{"id":3},"episodes":[]}"#, "episode_ids"),
        (Service::Radarr, r#"{"movie":{"id":0}}"#, "movie_id"),
        (Service::Chaptarr, r#"{"author":{"id":3},"book":{"id":0}}"#, "book_id"),
        (
            Service::Lidarr,
            r#"{"artist":{"id":3},"album":{"id":4},"albumReleaseId":0,"tracks":[]}"#,
            "album_release_id, track_ids",
        ),
    ] {
        let file = format!(r#"[{{"path":"/d/a.mkv","quality":{QUALITY},{}]"#, &file[1..]);
        let selection = selected(service, &file, true, &Scope::default());
        assert!(selection.files.is_empty());
        assert!(selection.skipped[0].reason.contains("cannot be imported without mapping"), "{service}");
        assert!(selection.skipped[0].reason.ends_with(missing), "{}", selection.skipped[0].reason);
        let shown = CandidateFile::of(&candidates(&file)[0], service);
        assert!(!shown.importable && !shown.missing_ids.is_empty());
    }
}

fn episode_file(name: &str, episodes: &str) -> String {
    format!(r#"{{"path":"/d/{name}","series":{{"id":3,"tvdbId":81189}},"episodes":{episodes},"quality":{QUALITY}}}"#)
}

const FIRST: &str = r#"{"id":5,"seasonNumber":1,"episodeNumber":1}"#;
const SECOND: &str = r#"{"id":6,"seasonNumber":1,"episodeNumber":2}"#;

/// 99, 100
#[test]
fn only_what_lies_wholly_inside_the_scope_is_imported() {
    let scope = Scope { tvdb_id: Some(81_189), season_number: Some(1), episode_number: Some(1), ..Scope::default() };
    let files = format!(
        "[{},{},{}]",
        episode_file("one.mkv", &format!("[{FIRST}]")),
        episode_file("two.mkv", &format!("[{SECOND}]")),
        episode_file("both.mkv", &format!("[{FIRST},{SECOND}]")),
    );
    let selection = selected(Service::Sonarr, &files, true, &scope);
    assert_eq!(selection.names, ["one.mkv"]);
    assert_eq!(selection.skipped.len(), 2, "a file that reaches beyond the scope is left out too");

    let foreign = format!("[{}]", episode_file("two.mkv", &format!("[{SECOND}]")));
    let selection = selected(Service::Sonarr, &foreign, true, &scope);
    assert!(selection.files.is_empty());
    assert_eq!(selection.nothing().code(), Code::ScopeMismatch);
}

/// 101
#[tokio::test]
async fn a_release_that_no_client_has_yet_has_no_files() {
    let (ward, item) = ward(ArrKind::Radarr);
    let delayed = ward.arr.afflict("delayed", &[item]).unwrap();
    let read = Download::find(&ward.hands, i64::from(delayed.queue_id), &Scope::default(), in_time()).await;
    assert_eq!(read.err().as_ref().map(ArrFailure::code), Some(Code::NoDownloadId));
    let ended = imported(&ward, delayed.queue_id, false, Scope::default()).await.unwrap_err();
    assert_eq!((ended.outcome(), ended.code()), (Outcome::NotStarted, Code::NoDownloadId));
    assert_eq!(ward.calls("GET", "/manualimport").len() + n_writes(&ward), 0);
}

/// 102
#[tokio::test]
async fn a_download_id_of_any_characters_arrives_as_it_is() {
    let (ward, item) = ward(ArrKind::Radarr);
    let row = ward.arr.download("R-GRP", &[item], true).unwrap();
    ward.arr.alter("GET */queue", |page| page["records"][0]["downloadId"] = json!("a/b+c&d=e f%20ü"));
    let found = Download::find(&ward.hands, i64::from(row), &Scope::default(), in_time()).await.unwrap();
    assert!(found.files.is_empty());
    let calls = ward.calls("GET", "/manualimport");
    assert_eq!(calls[0].parameter("downloadId"), Some("a/b+c&d=e f%20ü"));
    assert_eq!(calls[0].parameter("filterExistingFiles"), Some("false"));
    let ended = imported(&ward, row, false, Scope::default()).await.unwrap_err();
    assert_eq!((ended.code(), n_writes(&ward)), (Code::NoCandidates, 0));
    assert!(ended.to_string().contains("archive"), "{ended}");
}

#[tokio::test]
async fn the_rows_download_must_be_the_one_that_is_meant() {
    let (ward, item) = ward(ArrKind::Radarr);
    let stuck = ward.arr.afflict("blocked-wordless", &[item]).unwrap();
    let of_another = Scope { download_id: Some("another".to_owned()), ..Scope::default() };
    let ended = imported(&ward, stuck.queue_id, false, of_another).await.unwrap_err();
    assert_eq!((ended.outcome(), ended.code(), n_writes(&ward)), (Outcome::NotStarted, Code::QueueItemMissing, 0));
}

#[test]
fn a_file_is_shown_by_its_name_and_never_by_its_path() {
    let shown = |json: &str| CandidateFile::of(&candidates(&format!("[{json}]"))[0], Service::Radarr);
    let file = shown(&format!(
        r#"{{"path":"/downloads/secret folder/a.mkv","movie":{{"id":7,"title":"Dune"}},"quality":{QUALITY}}}"#
    ));
    assert_eq!((file.name.as_str(), file.mapping.title.as_deref(), file.importable), ("a.mkv", Some("Dune"), true));
    assert!(!serde_json::to_string(&file).unwrap().contains("secret"));
    assert_eq!(shown(r#"{"path":"D:\\downloads\\b.mkv"}"#).name, "b.mkv");
    let rejected = shown(&movie_file("c.mkv", FOR_GOOD));
    assert_eq!((rejected.importable, rejected.rejections[0].kind.as_str()), (false, "permanent"));
    assert!(shown(&movie_file("d.mkv", FOR_NOW)).importable);
}

#[test]
fn a_file_without_path_or_quality_is_not_importable_and_says_what_is_missing() {
    let shown = |json: &str| CandidateFile::of(&candidates(&format!("[{json}]"))[0], Service::Radarr);
    for (json, missing) in [
        (r#"{"path":"/d/a.mkv","movie":{"id":7}}"#.to_owned(), &["quality"][..]),
        (format!(r#"{{"movie":{{"id":7}},"quality":{QUALITY}}}"#), &["path"]),
        (format!(r#"{{"path":" ","movie":{{"id":7}},"quality":{QUALITY}}}"#), &["path"]),
        (r#"{"relativePath":"a.mkv"}"#.to_owned(), &["movie_id", "path", "quality"]),
    ] {
        let file = shown(&json);
        assert_eq!(
            (file.importable, file.missing_ids.as_slice()),
            (false, missing.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>().as_slice()),
            "{json}"
        );
        assert!(selected(Service::Radarr, &format!("[{json}]"), true, &Scope::default()).files.is_empty(), "{json}");
    }
}

#[tokio::test]
async fn nothing_is_imported_over_a_list_that_could_not_be_read_whole() {
    for kind in ArrKind::ALL {
        let (ward, item) = ward(kind);
        let stuck = ward.arr.afflict("blocked-wordless", &[item]).unwrap();
        ward.arr.alter("GET */manualimport", |list| list.as_array_mut().unwrap().push(json!("odd")));
        for force in [false, true] {
            let ended = imported(&ward, stuck.queue_id, force, Scope::default()).await.unwrap_err();
            assert_eq!((ended.outcome(), ended.code(), n_writes(&ward)), (Outcome::NotStarted, Code::UpstreamBody, 0));
            assert!(ended.to_string().contains("could not be read whole"), "{ended}");
        }
        ward.arr.forget_rules();
        imported(&ward, stuck.queue_id, false, Scope::default()).await.unwrap();
    }
}

#[tokio::test]
async fn an_import_whose_answer_is_lost_is_unknown_and_sent_once() {
    for misbehaviour in [Misbehaviour::DoneButLost, Misbehaviour::Failing { status: 500 }, Misbehaviour::Html] {
        let (ward, item) = ward(ArrKind::Radarr);
        let stuck = ward.arr.afflict("blocked-wordless", &[item]).unwrap();
        ward.arr.misbehave("POST */command", misbehaviour);
        let ended = imported(&ward, stuck.queue_id, false, Scope::default()).await.unwrap_err();
        assert_eq!(ended.outcome(), Outcome::Unknown, "{misbehaviour:?}: {ended}");
        assert_eq!(ward.calls("POST", "/command").len(), 1, "{misbehaviour:?}");
        ward.arr.settle();
        assert_eq!(ward.arr.queue().is_empty(), misbehaviour == Misbehaviour::DoneButLost, "{misbehaviour:?}");
    }
}

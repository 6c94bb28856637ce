//! What looks right and is not.

use serde_json::json;

use super::*;

async fn completed(arr: &ArrStandin, body: Value) -> Value {
    let (status, command) = post(arr, "command", &body).await;
    assert_eq!(status, StatusCode::CREATED, "{command}");
    arr.settle();
    get_loosely(arr, &format!("command/{}", command["id"])).await.1
}

/// A call that need not be in order.
async fn get_loosely(arr: &ArrStandin, call: &str) -> (StatusCode, Value) {
    send(request(arr, Method::GET, &format!("{}/{call}", arr.kind().api_base()))).await
}

#[tokio::test]
async fn past_the_end_of_the_queue_an_earlier_page_comes_again() {
    let arr = ArrStandin::with_a_queue_of(25);
    let third = get(&arr, "queue?page=3&pageSize=10&sortKey=id&sortDirection=ascending").await;
    let beyond = get(&arr, "queue?page=9&pageSize=10&sortKey=id&sortDirection=ascending").await;
    assert_eq!((&beyond["page"], &beyond["records"]), (&json!(3), &third["records"]));
    assert_eq!(get(&arr, "history?page=9&pageSize=10").await["records"], json!([]), "other pages are just empty");
}

#[tokio::test]
async fn without_a_word_about_it_the_direction_is_descending() {
    let arr = ArrStandin::with_a_queue_of(5);
    let page = get(&arr, "queue?sortKey=id").await;
    let ids: Vec<u64> = page["records"].as_array().unwrap().iter().map(|row| row["id"].as_u64().unwrap()).collect();
    assert!(ids.is_sorted_by(|one, other| one > other), "{ids:?}");
    assert_eq!(page["sortDirection"], "descending");
}

#[tokio::test]
async fn a_sort_key_that_is_none_is_replaced_in_silence() {
    for (kind, key) in [(ArrKind::Radarr, "id"), (ArrKind::Sonarr, "timeleft")] {
        let (arr, item) = start(kind);
        arr.download("A release of it-GRP", &[item], true);
        assert_eq!(get(&arr, "queue?sortKey=id&sortDirection=ascending").await["sortKey"], key);
        assert_eq!(get(&arr, "queue?sortKey=nonsense").await["sortKey"], "timeleft");
    }
}

#[tokio::test]
async fn a_search_without_its_full_scope_is_a_feed_of_everything() {
    let arr = ArrStandin::demo(ArrKind::Sonarr);
    let scoped = get(&arr, "release?seriesId=1&seasonNumber=1").await;
    assert_eq!(arr.n_feeds(), 0);
    let unscoped = get(&arr, "release?seriesId=1").await;
    assert!(unscoped.as_array().unwrap().len() > 10 * scoped.as_array().unwrap().len());
    assert_eq!(arr.n_feeds(), 1);
    get(&arr, "release").await;
    assert_eq!(arr.n_feeds(), 2);
}

#[tokio::test]
async fn a_rescan_that_does_not_say_what_of_is_one_of_everything() {
    let (arr, movie) = start(ArrKind::Radarr);
    completed(&arr, json!({ "name": "RescanMovie", "movieId": movie })).await;
    assert_eq!((arr.n_library_scans(), arr.violations()), (0, vec![]));
    for body in [json!({ "name": "RescanMovie" }), json!({ "name": "RescanMovie", "movieIds": [movie] })] {
        let command = completed(&arr, body).await;
        assert_eq!((&command["status"], &command["result"]), (&json!("completed"), &json!("successful")));
    }
    assert_eq!(arr.n_library_scans(), 2);
    assert!(!arr.violations().is_empty());

    for kind in [ArrKind::Lidarr, ArrKind::Chaptarr] {
        let (arr, _) = start(kind);
        completed(&arr, json!({ "name": "RescanFolders", "folders": [], kind.facts().parent.id: 1 })).await;
        assert_eq!((arr.n_library_scans(), arr.n_parents()), (1, 2), "and something new is found there");
    }
}

#[tokio::test]
async fn a_rescan_finds_out_what_is_no_longer_there() {
    for kind in ArrKind::ALL {
        let arr = ArrStandin::demo(kind);
        let file = arr.files()[0].clone();
        arr.lose_file(file.id);
        let parent = arr.change(|world| world.library.files[0].parent);
        let folder = arr.change(|world| world.library.find_parent(parent).unwrap().folder.clone());
        let body = match kind {
            ArrKind::Radarr => json!({ "name": "RescanMovie", "movieId": parent }),
            ArrKind::Sonarr => json!({ "name": "RescanSeries", "seriesId": parent }),
            ArrKind::Lidarr => {
                json!({ "name": "RescanFolders", "folders": [folder], "filter": "matched", "addNewArtists": false, "artistIds": [parent] })
            }
            ArrKind::Chaptarr => {
                json!({ "name": "RescanFolders", "folders": [folder], "filter": "matched", "addNewAuthors": false, "authorIds": [parent] })
            }
        };
        completed(&arr, body).await;
        assert!(arr.files().iter().all(|known| known.id != file.id));
        assert!(arr.history().last().unwrap().event.ends_with("Deleted"));
        assert_eq!((arr.violations(), arr.n_library_scans()), (vec![], 0));
    }
}

#[tokio::test]
async fn parameters_of_a_command_in_the_address_are_ignored() {
    let (arr, _) = start(ArrKind::Radarr);
    assert_eq!(get_loosely(&arr, "command?name=MoviesSearch&movieIds=1").await, (StatusCode::OK, json!([])));
    let (status, _) =
        send(request(&arr, Method::POST, "/api/v3/command?movieId=1").json(&json!({ "name": "RescanMovie" }))).await;
    assert_eq!(status, StatusCode::CREATED);
    arr.settle();
    assert_eq!(arr.n_library_scans(), 1);
    assert!(arr.violations().iter().any(|violation| matches!(violation, RequestViolation::UnknownParameter { .. })));
}

#[tokio::test]
async fn an_unknown_command_is_a_fault_of_the_application() {
    let (arr, _) = start(ArrKind::Radarr);
    let (status, body) = post(&arr, "command", &json!({ "name": "MovieSearch" })).await;
    assert_eq!(
        (status, &body["message"]),
        (StatusCode::INTERNAL_SERVER_ERROR, &json!("Sequence contains no matching element"))
    );
    assert!(body["description"].as_str().unwrap().contains("/config/"), "with a trace that gives things away");
}

#[tokio::test]
async fn equal_commands_are_one_while_the_first_waits_or_runs() {
    let (arr, movie) = start(ArrKind::Radarr);
    let body = json!({ "name": "MoviesSearch", "movieIds": [movie] });
    let (first, second) = (post(&arr, "command", &body).await.1, post(&arr, "command", &body).await.1);
    assert_eq!(first["id"], second["id"]);
    arr.settle();
    assert_ne!(post(&arr, "command", &body).await.1["id"], first["id"]);
}

#[tokio::test]
async fn imports_by_hand_are_told_apart_by_their_paths_alone() {
    let (arr, movie) = start(ArrKind::Radarr);
    let body = |movie: u32| {
        let file =
            json!({ "path": "/downloads/a.mkv", "movieId": movie, "quality": {}, "languages": [], "downloadId": "A" });
        json!({ "name": "ManualImport", "importMode": "auto", "files": [file] })
    };
    let first = post(&arr, "command", &body(movie)).await.1;
    assert_eq!(post(&arr, "command", &body(movie + 1)).await.1["id"], first["id"], "the correction is swallowed");
}

#[tokio::test]
async fn two_work_at_a_time_and_one_of_them_on_the_disk() {
    let (arr, movie) = start(ArrKind::Radarr);
    for body in [
        json!({ "name": "RescanMovie", "movieId": movie }),
        json!({ "name": "ProcessMonitoredDownloads" }),
        json!({ "name": "RssSync" }),
        json!({ "name": "CheckHealth" }),
    ] {
        post(&arr, "command", &body).await;
    }
    arr.advance(Duration::ZERO);
    let status = || -> Vec<String> { arr.commands().into_iter().map(|command| command.status).collect() };
    assert_eq!(status(), ["started", "queued", "started", "queued"]);
    arr.advance(Duration::from_secs(10));
    assert_eq!(status()[..2], ["completed", "started"]);
    arr.settle();
    assert!(status().iter().all(|status| status == "completed"));
    arr.advance(6 * A_MINUTE);
    assert_eq!(arr.commands(), [], "after five minutes nobody remembers");
    assert_eq!(get_loosely(&arr, "command/3001").await.0, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn only_what_waits_can_be_taken_back() {
    let (arr, movie) = start(ArrKind::Radarr);
    let scan = post(&arr, "command", &json!({ "name": "RescanMovie", "movieId": movie })).await.1;
    let pass = post(&arr, "command", &json!({ "name": "ProcessMonitoredDownloads" })).await.1;
    arr.advance(Duration::ZERO);
    assert_eq!(delete(&arr, &format!("command/{}", scan["id"])).await, StatusCode::CONFLICT);
    assert_eq!(delete(&arr, &format!("command/{}", pass["id"])).await, StatusCode::OK);
}

#[tokio::test]
async fn a_release_can_be_taken_for_half_an_hour() {
    for kind in ArrKind::ALL {
        let (arr, item) = start(kind);
        let search = format!("release?{}={item}", kind.facts().item.id);
        let found = get(&arr, &search).await;
        // One of the four wraps its list.
        let releases = if kind == ArrKind::Chaptarr { &found["releases"] } else { &found };
        let pick = json!({ "guid": releases[0]["guid"], "indexerId": releases[0]["indexerId"] });
        arr.advance(31 * A_MINUTE);
        let (status, body) = post(&arr, "release", &pick).await;
        assert_eq!((status, body["message"].as_str().unwrap().contains("cache")), (StatusCode::NOT_FOUND, true));
        get(&arr, &search).await;
        assert_eq!(post(&arr, "release", &pick).await, (StatusCode::OK, pick), "one's own words, and no receipt");
        assert_eq!(arr.queue().len(), 1);
        assert_eq!(arr.history()[0].event, "grabbed");
        let broken = releases.as_array().unwrap().iter().find(|release| release["indexerId"] == 9).unwrap();
        let pick = json!({ "guid": broken["guid"], "indexerId": 9 });
        assert_eq!(post(&arr, "release", &pick).await.0, StatusCode::CONFLICT);
    }
}

#[tokio::test]
async fn the_same_number_is_a_deletion_here_and_a_renaming_there() {
    for (kind, number) in [(ArrKind::Radarr, 6), (ArrKind::Sonarr, 5), (ArrKind::Lidarr, 5), (ArrKind::Chaptarr, 5)] {
        let arr = ArrStandin::demo(kind);
        let file = arr.files()[0].id;
        arr.change(|world| world.drop_file(file, "Manual"));
        let deleted = get(&arr, &format!("history?page=1&pageSize=10&eventType={number}")).await;
        assert_eq!(deleted["totalRecords"], 1, "{}", kind.name());
        assert!(deleted["records"][0]["eventType"].as_str().unwrap().ends_with("FileDeleted"));
        let (status, _) = get_loosely(&arr, "history?eventType=grabbed").await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "a name is none of the numbers");
    }
}

#[tokio::test]
async fn filters_that_are_none() {
    let arr = ArrStandin::demo(ArrKind::Chaptarr);
    let books = get(&arr, "book?authorId=1").await;
    assert!(books.as_array().unwrap().iter().any(|book| book["authorId"] != 1));
    let of_author = get(&arr, "bookfile?bookId=101").await;
    assert!(of_author.as_array().unwrap().iter().any(|file| file["bookId"] != 101));
    let arr = ArrStandin::demo(ArrKind::Lidarr);
    let albums = get(&arr, "album?artistId=1").await;
    assert!(albums.as_array().unwrap().iter().any(|album| album["artistId"] != 1));
    assert_eq!(get_loosely(&arr, "trackfile").await.0, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_list_joined_by_commas_is_not_understood() {
    let (arr, _) = start(ArrKind::Radarr);
    assert_eq!(get_loosely(&arr, "queue?movieIds=1,2").await.0, StatusCode::BAD_REQUEST);
    assert_eq!(get(&ArrStandin::demo(ArrKind::Radarr), "queue?movieIds=1&movieIds=21").await["totalRecords"], 1);
}

#[tokio::test]
async fn secrets_are_behind_stars_but_for_one() {
    for kind in ArrKind::ALL {
        let (arr, _) = start(kind);
        let text = get(&arr, "indexer").await.to_string() + &get(&arr, "downloadclient").await.to_string();
        assert_eq!(text.contains("correct horse"), kind == ArrKind::Chaptarr, "{}", kind.name());
        assert_eq!(text.contains("********"), kind != ArrKind::Chaptarr);
    }
}

#[tokio::test]
async fn a_label_is_looked_up_before_it_is_written_small() {
    let (arr, _) = start(ArrKind::Radarr);
    assert_eq!(post(&arr, "tag", &json!({ "label": "Anna" })).await.0, StatusCode::CONFLICT);
    assert_eq!(post(&arr, "tag", &json!({ "label": "anna" })).await.1, json!({ "id": 2, "label": "anna" }));
    assert_eq!(
        post(&arr, "tag", &json!({ "label": "Berta" })).await,
        (StatusCode::CREATED, json!({ "id": 3, "label": "berta" }))
    );
}

#[tokio::test]
async fn an_import_that_is_said_to_be_done_may_have_left_a_file() {
    let (arr, movie) = start(ArrKind::Radarr);
    let sick = arr.afflict("executable", &[movie]).unwrap();
    let candidates =
        get(&arr, &format!("manualimport?downloadId={}&filterExistingFiles=false", sick.download_id.clone().unwrap()))
            .await;
    let file = json!({ "path": candidates[0]["path"], "movieId": movie, "quality": candidates[0]["quality"],
        "languages": candidates[0]["languages"], "downloadId": sick.download_id });
    let command = completed(&arr, json!({ "name": "ManualImport", "importMode": "auto", "files": [file] })).await;
    assert_eq!((&command["status"], &command["message"]), (&json!("completed"), &json!("Manually imported 1 files")));
    assert!(!arr.is_healed(&sick) && arr.files().is_empty());
}

#[tokio::test]
async fn an_album_without_its_tracks_is_a_null_reference() {
    let (arr, album) = start(ArrKind::Lidarr);
    let file =
        json!({ "path": "/downloads/x.flac", "artistId": 1, "albumId": album, "quality": {}, "downloadId": "A" });
    let command = completed(&arr, json!({ "name": "ManualImport", "files": [file] })).await;
    assert_eq!((&command["status"], &command["result"]), (&json!("failed"), &json!("unsuccessful")));
    assert!(command["exception"].as_str().unwrap().contains("NullReference"));
}

#[tokio::test]
async fn marking_as_failed_searches_at_once() {
    let (arr, movie) = start(ArrKind::Radarr);
    arr.download("The.Heron.Year.2019-A", &[movie], true);
    assert_eq!(send(request(&arr, Method::POST, "/api/v3/history/failed/1")).await.0, StatusCode::OK);
    assert_eq!((arr.blocklist().len(), arr.commands().len()), (1, 1));
    assert!(!arr.commands()[0].is_posted);
}

#[tokio::test]
async fn what_waits_for_a_delay_has_no_download_and_can_be_sent_at_once() {
    let (arr, movie) = start(ArrKind::Radarr);
    let sick = arr.afflict("delayed", &[movie]).unwrap();
    let row = &get(&arr, "queue").await["records"][0];
    assert_eq!((&row["status"], row.get("downloadId"), row.get("trackedDownloadState")), (&json!("delay"), None, None));
    assert_eq!(
        send(request(&arr, Method::POST, &format!("/api/v3/queue/grab/{}", sick.queue_id))).await.0,
        StatusCode::CREATED
    );
    assert_eq!(arr.queue()[0].status, "downloading");
}

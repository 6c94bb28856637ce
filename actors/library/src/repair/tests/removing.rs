//! Removing and remedying, on all four services.

use playhouse_store::{LogId, Path, Seq};

use super::*;

/// 76
#[tokio::test]
async fn removing_is_exactly_one_delete_with_all_flags_and_no_read_before() {
    for kind in ArrKind::ALL {
        for blocklist in [false, true] {
            let (ward, item) = ward(kind);
            let row = ward.arr.download("A bad release-GRP", &[item], true).unwrap();
            removed(&ward, row, blocklist).await.unwrap();
            let requests = ward.arr.requests();
            assert_eq!(requests.len(), 1, "{kind:?}");
            assert_eq!(requests[0].path, format!("{}/queue/{row}", kind.api_base()));
            assert_eq!((requests[0].method.as_str(), flags(&requests[0])), ("DELETE", [true, blocklist, false, false]));
            assert!(ward.arr.queue().iter().all(|seen| seen.id != row));
            assert_eq!(ward.arr.violations(), []);
        }
    }
}

/// 77, 78, 79
#[tokio::test]
async fn each_remedy_is_one_delete_with_its_flags_and_never_a_search_of_ours() {
    for kind in ArrKind::ALL {
        for (remedy, expected) in [
            (Remedy::Remove, [true, false, false, false]),
            (Remedy::BlocklistSearch, [true, true, false, false]),
            (Remedy::BlocklistOnly, [true, true, true, false]),
            (Remedy::ChangeCategory, [false, false, false, true]),
        ] {
            let (ward, item) = ward(kind);
            let row = ward.arr.download("A bad release-GRP", &[item], true).unwrap();
            let done = remedied(&ward, row, remedy).await.unwrap();
            assert_eq!((done.requested, done.effective, done.downgrade_reason), (remedy, remedy, None));
            let deletes = ward.calls("DELETE", "/queue/");
            assert_eq!((deletes.len(), flags(&deletes[0])), (1, expected), "{kind:?} {remedy}");
            assert_eq!(n_writes(&ward), 1, "{kind:?} {remedy}");
            assert_eq!(ward.arr.violations(), []);
        }
    }
}

/// 80
#[tokio::test]
async fn a_vanished_item_is_not_started_and_nothing_is_sent() {
    for kind in ArrKind::ALL {
        let (ward, _) = ward(kind);
        let ended = remedied(&ward, 77, Remedy::Remove).await.unwrap_err();
        assert_eq!((ended.outcome(), ended.code(), n_writes(&ward)), (Outcome::NotStarted, Code::QueueItemMissing, 0));
        let ended = removed(&ward, 77, false).await.unwrap_err();
        assert_eq!(
            (ended.outcome(), ended.code()),
            (Outcome::NotStarted, Code::QueueItemMissing),
            "status 404 proves it"
        );
    }
}

#[tokio::test]
async fn a_queue_that_does_not_prove_itself_whole_stops_the_removal() {
    let (ward, item) = ward(ArrKind::Radarr);
    let row = ward.arr.download("A bad release-GRP", &[item], true).unwrap();
    ward.arr.alter("GET */queue", |page| page["totalRecords"] = json!(2));
    let ended = remedied(&ward, row, Remedy::Remove).await.unwrap_err();
    assert_eq!((ended.outcome(), ended.code(), n_writes(&ward)), (Outcome::NotStarted, Code::SnapshotIncomplete, 0));
}

/// 90
#[tokio::test]
async fn what_cannot_be_recorded_is_not_begun() {
    let (ward, item) = ward(ArrKind::Radarr);
    let row = ward.arr.download("A bad release-GRP", &[item], true).unwrap();
    ward.store.close().await.unwrap();
    let ended = remedied(&ward, row, Remedy::Remove).await.unwrap_err();
    assert_eq!((ended.outcome(), n_writes(&ward)), (Outcome::NotStarted, 0), "{ended}");
}

#[tokio::test]
async fn what_is_done_is_recorded_first() {
    let (ward, item) = ward(ArrKind::Radarr);
    let row = ward.arr.download("A bad release-GRP", &[item], true).unwrap();
    ward.arr.misbehave("DELETE *", Misbehaviour::Failing { status: 500 });
    remedied(&ward, row, Remedy::BlocklistOnly).await.unwrap_err();
    let path: Path = Path::literal("arr_journal").join("radarr-00000001").unwrap();
    let log = LogId::new(playhouse_bus::HouseId::INSTANCE, path);
    let entries = ward.store.read_log(&log, Seq::FIRST, 10).await.unwrap();
    let intent: journal::Intent = playhouse_store::decode(&entries[0].record).unwrap();
    assert_eq!((entries.len(), intent.queue_id, intent.effective), (1, i64::from(row), Remedy::BlocklistOnly));
}

/// A pack is one download: removing one of its rows removes all, and the answer names the others.
#[tokio::test]
async fn the_rows_of_one_download_go_together() {
    let mut library = Library::empty(ArrKind::Sonarr);
    let series = library.series(66_732, 305_288, "Weir Street", 2019);
    let episodes = library.season(series, 1, &[None, None, None]);
    let ward = Ward::open(ArrKind::Sonarr, library);
    let row = ward.arr.download("Weir.Street.S01-GRP", &episodes, true).unwrap();
    let done = remedied(&ward, row, Remedy::Remove).await.unwrap();
    assert_eq!(done.same_download.len(), 2);
    assert_eq!(ward.arr.queue(), []);
}

/// The answer is lost after the service did it, or before: the outcome is unknown either way, one request was sent, and the next read shows
/// the truth.
#[tokio::test]
async fn a_lost_answer_is_unknown_and_is_never_repeated() {
    for (misbehaviour, happened) in [
        (Misbehaviour::DoneButLost, true),
        (Misbehaviour::DoneButFailing { status: 504 }, true),
        (Misbehaviour::Failing { status: 500 }, false),
        (Misbehaviour::HungUp, false),
    ] {
        for remedy in [None, Some(Remedy::Remove)] {
            let (ward, item) = ward(ArrKind::Radarr);
            let row = ward.arr.download("A bad release-GRP", &[item], true).unwrap();
            ward.arr.misbehave("DELETE *", misbehaviour);
            let ended = match remedy {
                None => removed(&ward, row, false).await.unwrap_err(),
                Some(remedy) => remedied(&ward, row, remedy).await.unwrap_err(),
            };
            assert_eq!(ended.outcome(), Outcome::Unknown, "{misbehaviour:?}: {ended}");
            assert!(ended.to_string().contains("Do not repeat it"), "{ended}");
            assert_eq!(ward.calls("DELETE", "/queue/").len(), 1, "{misbehaviour:?}");
            assert_eq!(ward.arr.queue().is_empty(), happened, "{misbehaviour:?}");
        }
    }
}

/// A 200 that answers a removal with something else proves nothing of it, and a login page took nothing.
#[tokio::test]
async fn a_web_page_or_a_redirect_is_no_success() {
    for misbehaviour in [Misbehaviour::Html, Misbehaviour::LoginRedirect, Misbehaviour::Unauthorised] {
        let (ward, item) = ward(ArrKind::Radarr);
        let row = ward.arr.download("A bad release-GRP", &[item], true).unwrap();
        ward.arr.misbehave("DELETE *", misbehaviour);
        let ended = removed(&ward, row, false).await.unwrap_err();
        assert_ne!(ended.outcome(), Outcome::Done, "{misbehaviour:?}");
        assert_eq!(ward.arr.queue().len(), 1, "{misbehaviour:?}");
        assert!(!ended.to_string().contains("127.0.0.1"), "{ended}");
    }
}

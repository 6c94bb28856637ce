//! Having a service look again.

use serde_json::Value;

use super::*;
use crate::repair::rescan::rescan;

fn commands(ward: &Ward) -> Vec<Value> {
    ward.calls("POST", "/command").into_iter().map(|call| call.body.unwrap()).collect()
}

fn item_of(kind: ArrKind) -> RescanItem {
    match kind {
        ArrKind::Radarr => RescanItem::Title { tmdb_id: 603 },
        ArrKind::Sonarr => RescanItem::Title { tmdb_id: 66_732 },
        // The first that was put on the shelves.
        ArrKind::Lidarr | ArrKind::Chaptarr => RescanItem::Creator { id: 1 },
    }
}

/// 103, 106
#[tokio::test]
async fn a_rescan_is_two_commands_in_order_and_about_one_item_only() {
    for (kind, expected) in [
        (ArrKind::Radarr, json!({"name": "RescanMovie", "movieId": 1})),
        (ArrKind::Sonarr, json!({"name": "RescanSeries", "seriesId": 1})),
        (
            ArrKind::Lidarr,
            json!({
                "name": "RescanFolders", "folders": ["/media/music/A Reed Choir"], "filter": "matched", "addNewArtists": false,
                "artistIds": [1],
            }),
        ),
        (
            ArrKind::Chaptarr,
            json!({
                "name": "RescanFolders", "folders": ["/media/books/Agnes Weir"], "filter": "matched", "addNewAuthors": false,
                "authorIds": [1],
            }),
        ),
    ] {
        let (ward, _) = ward(kind);
        rescan(&ward.hands, item_of(kind), in_time()).await.unwrap();
        assert_eq!(commands(&ward), [expected, json!({"name": "ProcessMonitoredDownloads"})], "{kind:?}");
        ward.arr.settle();
        assert_eq!(ward.arr.n_library_scans(), 0, "{kind:?}: the whole library was scanned");
        assert_eq!(ward.arr.violations(), [], "{kind:?}");
    }
}

/// 104
#[tokio::test]
async fn where_the_second_fails_the_rescan_is_said_to_be_accepted() {
    for misbehaviour in [Misbehaviour::Failing { status: 500 }, Misbehaviour::Unauthorised, Misbehaviour::HungUp] {
        let (ward, _) = ward(ArrKind::Radarr);
        ward.arr.misbehave("POST */command", misbehaviour);
        ward.arr.misbehave_once("POST */command", Misbehaviour::None);
        let ended = rescan(&ward.hands, item_of(ArrKind::Radarr), in_time()).await.unwrap_err();
        assert_eq!(ended.outcome(), Outcome::Partial, "{misbehaviour:?}: {ended}");
        let words = ended.to_string();
        assert!(words.contains("The Lantern Keeper was accepted") && words.contains("import pass"), "{words}");
        assert_eq!(commands(&ward).len(), 2, "{misbehaviour:?}: neither was repeated");
    }
}

#[tokio::test]
async fn what_the_library_does_not_have_is_not_rescanned() {
    for kind in ArrKind::ALL {
        let (ward, _) = ward(kind);
        let unknown = match kind {
            ArrKind::Radarr | ArrKind::Sonarr => RescanItem::Title { tmdb_id: 999 },
            ArrKind::Lidarr | ArrKind::Chaptarr => RescanItem::Creator { id: 999 },
        };
        let ended = rescan(&ward.hands, unknown, in_time()).await.unwrap_err();
        assert_eq!((ended.outcome(), ended.code()), (Outcome::NotStarted, Code::NotInLibrary), "{kind:?}: {ended}");
        assert_eq!(n_writes(&ward), 0, "{kind:?}");
    }
}

#[tokio::test]
async fn a_folder_that_is_not_told_is_not_guessed() {
    let (ward, _) = ward(ArrKind::Lidarr);
    ward.arr.alter("GET */artist/*", |artist| {
        artist.as_object_mut().unwrap().remove("path");
    });
    let ended = rescan(&ward.hands, item_of(ArrKind::Lidarr), in_time()).await.unwrap_err();
    assert_eq!((ended.outcome(), n_writes(&ward)), (Outcome::NotStarted, 0), "{ended}");
}

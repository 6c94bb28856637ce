//! What operations do.

use serde_json::json;

use super::*;

#[tokio::test]
async fn a_download_is_listed_with_its_parent_when_asked_and_comes_in_by_itself() {
    for kind in ArrKind::ALL {
        let (arr, item) = start(kind);
        let row = arr.download("A release of it-GRP", &[item], true).unwrap();
        let facts = kind.facts();
        let call = format!("queue?page=1&pageSize=1000&{}=true&{}=true", facts.parent.include, facts.include_unknown);
        let page = get(&arr, &call).await;
        assert_eq!((&page["totalRecords"], &page["records"][0]["id"]), (&json!(1), &json!(row)));
        assert_eq!(page["records"][0][facts.parent.one]["id"], page["records"][0][facts.parent.id]);
        assert!(page["records"][0]["timeleft"].is_string() && page["records"][0].get("errorMessage").is_none());

        arr.advance(41 * A_MINUTE);
        let (status, _) = post(&arr, "command", &json!({ "name": "ProcessMonitoredDownloads" })).await;
        assert_eq!(status, StatusCode::CREATED);
        assert_eq!(arr.queue().len(), 1, "a command takes time");
        arr.settle();
        assert_eq!(arr.queue(), [], "{kind:?}");
        assert!(arr.files().iter().any(|file| file.items == [item]));
        assert_eq!(arr.fate(&arr.history()[0].download_id.clone().unwrap()), Some(Fate::Imported));
    }
}

#[tokio::test]
async fn removing_says_200_and_an_old_id_404() {
    for kind in ArrKind::ALL {
        let (arr, item) = start(kind);
        let row = arr.download("A release of it-GRP", &[item], true).unwrap();
        let call =
            format!("queue/{row}?removeFromClient=true&blocklist=false&skipRedownload=false&changeCategory=false");
        assert_eq!(delete(&arr, &call).await, StatusCode::OK);
        assert_eq!(delete(&arr, &call).await, StatusCode::NOT_FOUND);
        assert_eq!((arr.queue().len(), arr.blocklist().len(), arr.commands().len()), (0, 0, 0));
        assert_eq!(arr.violations(), []);
    }
}

#[tokio::test]
async fn blocklisting_searches_again_unless_told_not_to() {
    for kind in ArrKind::ALL {
        for (skips, n_searches) in [(false, 1), (true, 0)] {
            let (arr, item) = start(kind);
            let row = arr.download("A bad release of it-GRP", &[item], true).unwrap();
            delete(
                &arr,
                &format!(
                    "queue/{row}?removeFromClient=true&blocklist=true&skipRedownload={skips}&changeCategory=false"
                ),
            )
            .await;
            assert_eq!(arr.blocklist()[0].items, [item]);
            assert_eq!(arr.commands().len(), n_searches);
            arr.settle();
            assert_eq!(arr.queue().len(), n_searches, "the search finds another one");
            assert!(arr.queue().iter().all(|row| row.title != "A bad release of it-GRP"));
        }
    }
}

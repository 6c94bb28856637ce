use jiff::Timestamp;
use playhouse_standins::{ArrKind, Library};
use serde_json::{Value, json};

use super::item::{Downloads, QueueItem};
use super::{narrow, read_queue, row, snapshot};
use crate::answer::{ArrFailure, Code, Scope};
use crate::client::wire::QueueRow;
use crate::doctor::LibraryFile;
use crate::service::Service;
use crate::testing::{Ward, in_time};

fn rows(records: Value) -> Vec<QueueRow> {
    serde_json::from_value(records).unwrap()
}

fn proved(page: &Value) -> Result<usize, Code> {
    let page = serde_json::from_str(&page.to_string()).unwrap();
    snapshot::prove(page, "Radarr instance \"Films\"").map(|rows| rows.len()).map_err(|failure| {
        assert!(failure.to_string().contains("Films") && !failure.is_refusal(), "{failure}");
        failure.code()
    })
}

#[test]
fn a_queue_is_read_whole_or_not_at_all() {
    let ids = |ids: &[i64]| ids.iter().map(|id| json!({ "id": id })).collect::<Vec<_>>();
    for (case, page, expected) in [
        ("an empty queue", json!({"totalRecords": 0, "records": []}), Ok(0)),
        ("two of two", json!({"totalRecords": 2, "records": ids(&[7, 8])}), Ok(2)),
        (
            "18 totalRecords 2, one record",
            json!({"totalRecords": 2, "records": ids(&[7])}),
            Err(Code::SnapshotIncomplete),
        ),
        (
            "18 totalRecords 1, two records",
            json!({"totalRecords": 1, "records": ids(&[7, 8])}),
            Err(Code::SnapshotIncomplete),
        ),
        ("19 totalRecords 1001", json!({"totalRecords": 1001, "records": ids(&[7])}), Err(Code::SnapshotOversized)),
        ("totalRecords below zero", json!({"totalRecords": -1, "records": []}), Err(Code::SnapshotOversized)),
        ("20 two rows id 7", json!({"totalRecords": 2, "records": ids(&[7, 7])}), Err(Code::SnapshotInvalid)),
        ("21 id 0", json!({"totalRecords": 1, "records": ids(&[0])}), Err(Code::SnapshotInvalid)),
        ("a row that is none", json!({"totalRecords": 2, "records": [{"id": 7}, "odd"]}), Err(Code::SnapshotInvalid)),
        ("no total", json!({"records": ids(&[7])}), Err(Code::SnapshotIncomplete)),
    ] {
        assert_eq!(proved(&page), expected, "{case}");
    }
}

fn item(record: Value, service: Service) -> QueueItem {
    let rows = rows(Value::Array(vec![record]));
    QueueItem::of(&rows[0], service, &Downloads::of(&rows))
}

#[test]
fn a_row_without_a_movie_is_listed_under_its_releases_name() {
    let unknown = item(json!({"id": 7, "title": "Some.Linux.Iso", "movieId": 0}), Service::Radarr);
    assert_eq!((unknown.title.as_str(), unknown.release_title.as_str()), ("Some.Linux.Iso", "Some.Linux.Iso"));
}

#[test]
fn each_service_names_its_items_in_its_own_way() {
    for (service, record, expected) in [
        (Service::Radarr, json!({"movie": {"title": "Dune", "year": 2026}}), "Dune (2026)"),
        (Service::Radarr, json!({"movie": {"title": "Dune", "year": 0}}), "Dune"),
        (
            Service::Sonarr,
            json!({"series": {"title": "Show"}, "episode": {"seasonNumber": 0, "episodeNumber": 3, "title": "Pilot"}}),
            "Show S00E03 \"Pilot\"",
        ),
        (Service::Sonarr, json!({"series": {"title": "Show"}}), "Show"),
        (
            Service::Chaptarr,
            json!({"author": {"authorName": "Le Guin"}, "book": {"title": "Lavinia"}}),
            "Le Guin — Lavinia",
        ),
        (Service::Lidarr, json!({"artist": {"artistName": "Björk"}, "album": {"title": "Post"}}), "Björk — Post"),
        (Service::Lidarr, json!({}), "Release"),
    ] {
        let mut record = record;
        record["id"] = json!(1);
        record["title"] = json!("Release");
        assert_eq!(item(record, service).title, expected);
    }
}

#[test]
fn size_100_left_25_is_75_percent_and_size_0_is_none() {
    let of = |size, left| item(json!({"id": 7, "size": size, "sizeleft": left}), Service::Radarr).percent;
    assert_eq!(of(100.0, 25.0), Some(75.0));
    assert_eq!(of(3.0, 1.0), Some(66.7));
    assert_eq!(of(0.0, 0.0), None);
}

#[test]
fn rows_of_one_download_name_each_other_and_never_the_downloads_id() {
    let rows = rows(json!([
        {"id": 1, "downloadId": "ABC"}, {"id": 2, "downloadId": "ABC"}, {"id": 3, "downloadId": "DEF"}, {"id": 4}, {"id": 5, "downloadId": ""},
    ]));
    let downloads = Downloads::of(&rows);
    let items: Vec<QueueItem> = rows.iter().map(|row| QueueItem::of(row, Service::Sonarr, &downloads)).collect();
    let together: Vec<(Vec<i64>, bool)> =
        items.iter().map(|item| (item.same_download.clone(), item.download_id_present)).collect();
    assert_eq!(together, [(vec![2], true), (vec![1], true), (vec![], true), (vec![], false), (vec![], false)]);
    assert!(!serde_json::to_string(&items).unwrap().contains("ABC"));
}

#[test]
fn tracks_are_counted_for_music_only() {
    let record = json!({"id": 7, "trackFileCount": 12, "trackHasFileCount": 3});
    let music = item(record.clone(), Service::Lidarr);
    assert_eq!((music.tracks_total, music.tracks_have), (Some(12), Some(3)));
    assert_eq!(item(record, Service::Chaptarr).tracks_total, None);
}

#[test]
fn a_file_is_known_only_from_a_row_that_agrees_with_itself() {
    use LibraryFile::{Absent, Present, Unknown};
    let movie = |movie_id, id, tmdb_id, file_id: Value| {
        let record =
            json!([{"id": 1, "movieId": movie_id, "movie": {"id": id, "tmdbId": tmdb_id, "movieFileId": file_id}}]);
        row::library_file(&rows(record)[0], Service::Radarr)
    };
    assert_eq!(movie(7, 7, 603, json!(9)), Present);
    assert_eq!(movie(7, 7, 603, json!(0)), Absent, "125 movieFileId 0");
    assert_eq!(movie(7, 7, 603, Value::Null), Unknown, "125 movieFileId omitted");
    assert_eq!(movie(7, 8, 603, json!(9)), Unknown, "124 row movieId 7, embedded movie id 8");
    assert_eq!(movie(7, 7, 0, json!(9)), Unknown);

    let episode = |change: fn(&mut Value)| {
        let mut record = json!([{
            "id": 1, "seriesId": 3, "episodeId": 5, "episodeHasFile": true, "series": {"id": 3, "tvdbId": 81189},
            "episode": {"id": 5, "seriesId": 3, "episodeNumber": 2, "episodeFileId": 9, "hasFile": true},
        }]);
        change(&mut record[0]);
        row::library_file(&rows(record)[0], Service::Sonarr)
    };
    assert_eq!(episode(|_| {}), Present);
    assert_eq!(episode(|row| row["episodeHasFile"] = json!(false)), Unknown);
    assert_eq!(episode(|row| row["episode"]["seriesId"] = json!(4)), Unknown);
    assert_eq!(episode(|row| row["series"]["tvdbId"] = json!(0)), Unknown);
    assert_eq!(episode(|row| row["episode"]["episodeNumber"] = json!(0)), Unknown);

    let tracks =
        |have: Value| row::library_file(&rows(json!([{"id": 1, "trackHasFileCount": have}]))[0], Service::Lidarr);
    assert_eq!((tracks(json!(3)), tracks(json!(0)), tracks(Value::Null)), (Present, Unknown, Unknown));
}

fn two_films() -> (Library, u32, u32) {
    let mut library = Library::empty(ArrKind::Radarr);
    let first = library.movie(603, "The Lantern Keeper", 2019, None);
    let second = library.movie(604, "The Other One", 2020, None);
    (library, first, second)
}

async fn meant(ward: &Ward, scope: &Scope) -> Result<Vec<i64>, ArrFailure> {
    let rows = read_queue(&ward.hands, in_time()).await?;
    Ok(narrow(rows, scope, &ward.hands, in_time()).await?.iter().map(|row| row.id).collect())
}

/// 29
#[tokio::test]
async fn a_row_without_a_tmdb_id_is_proved_by_its_movies_record() {
    let (library, first, second) = two_films();
    let ward = Ward::open(ArrKind::Radarr, library);
    let row = i64::from(ward.arr.download("One", &[first], true).unwrap());
    ward.arr.download("Other", &[second], true).unwrap();
    ward.arr.alter("GET */queue", |page| {
        for record in page["records"].as_array_mut().unwrap() {
            record["movie"].as_object_mut().unwrap().remove("tmdbId");
        }
    });
    let scope = Scope { tmdb_id: Some(603), ..Scope::default() };
    assert_eq!(meant(&ward, &scope).await.unwrap(), [row]);
    assert_eq!(ward.calls("GET", "/movie/").len(), 2);

    ward.arr.answer_instead(&format!("GET */movie/{second}"), 500, json!({}));
    let failed = meant(&ward, &scope).await.unwrap_err();
    assert_eq!(failed.code(), Code::UpstreamStatus, "a failing look-up fails the whole: {failed}");
}

/// 30
#[tokio::test]
async fn a_series_row_with_one_agreeing_and_one_differing_id_is_left_out() {
    let mut library = Library::empty(ArrKind::Sonarr);
    let series = library.series(66_732, 305_288, "Show", 2016);
    let episodes = library.season(series, 1, &[Some(Timestamp::UNIX_EPOCH), None]);
    let ward = Ward::open(ArrKind::Sonarr, library);
    let row = i64::from(ward.arr.download("Show.S01E01", &episodes[..1], true).unwrap());
    let scope = |tvdb_id, tmdb_id, season_number, episode_number| Scope {
        tvdb_id,
        tmdb_id,
        season_number,
        episode_number,
        ..Scope::default()
    };
    for (case, scope, expected) in [
        ("TVDB agrees, TMDB differs", scope(Some(305_288), Some(1), None, None), vec![]),
        ("both agree", scope(Some(305_288), Some(66_732), None, None), vec![row]),
        ("its season", scope(Some(305_288), None, Some(1), None), vec![row]),
        ("another season", scope(Some(305_288), None, Some(2), None), vec![]),
        ("the specials are a season, not any season", scope(Some(305_288), None, Some(0), None), vec![]),
        ("its episode", scope(Some(305_288), None, Some(1), Some(1)), vec![row]),
        ("another episode", scope(Some(305_288), None, Some(1), Some(2)), vec![]),
    ] {
        assert_eq!(meant(&ward, &scope).await.unwrap(), expected, "{case}");
    }
}

#[tokio::test]
async fn queue_id_and_download_id_must_be_the_rows_own() {
    let (library, first, second) = two_films();
    let ward = Ward::open(ArrKind::Radarr, library);
    let row = ward.arr.download("One", &[first], true).unwrap();
    ward.arr.download("Other", &[second], true).unwrap();
    let download_id = ward.arr.queue().iter().find(|seen| seen.id == row).unwrap().download_id.clone();
    let by_row = Scope { queue_id: Some(i64::from(row)), ..Scope::default() };
    let by_download = Scope { download_id: download_id.clone(), ..Scope::default() };
    let by_both = Scope { queue_id: Some(1), download_id, ..Scope::default() };
    assert_eq!(meant(&ward, &by_row).await.unwrap(), [i64::from(row)]);
    assert_eq!(meant(&ward, &by_download).await.unwrap(), [i64::from(row)]);
    assert_eq!(meant(&ward, &by_both).await.unwrap(), Vec::<i64>::new());
}

#[tokio::test]
async fn every_service_is_asked_for_its_whole_queue_with_unknown_downloads_in_one_call() {
    for kind in ArrKind::ALL {
        let ward = Ward::open(kind, Library::empty(kind));
        read_queue(&ward.hands, in_time()).await.unwrap();
        let calls = ward.calls("GET", "/queue");
        assert_eq!(calls.len(), 1);
        assert_eq!((calls[0].parameter("page"), calls[0].parameter("pageSize")), (Some("1"), Some("1000")));
        let unknown = calls[0].query.iter().find(|(name, _)| name.starts_with("includeUnknown"));
        assert_eq!(unknown.map(|(_, value)| value.as_str()), Some("true"), "{kind:?}");
        assert_eq!(ward.arr.violations(), []);
    }
}

//! Nothing is searched for that has not aired.

use std::time::Duration;

use super::*;

/// A ward with a season whose episodes air at these distances from now, in minutes; `None` has no date. Answers their ids.
fn season(minutes: &[Option<i64>]) -> (Ward, Vec<u32>) {
    let now = Ward::open(ArrKind::Sonarr, Library::empty(ArrKind::Sonarr)).arr.now();
    let at = |minutes: i64| {
        let span = Duration::from_secs(minutes.unsigned_abs() * 60);
        if minutes < 0 { now - span } else { now + span }
    };
    let dates: Vec<Option<Timestamp>> = minutes.iter().map(|minutes| minutes.map(at)).collect();
    let mut library = Library::empty(ArrKind::Sonarr);
    let series = library.series(66_732, 305_288, "Weir Street", 2019);
    let episodes = library.season(series, 1, &dates);
    (Ward::open(ArrKind::Sonarr, library), episodes)
}

fn skip_redownload(ward: &Ward) -> bool {
    let deletes = ward.calls("DELETE", "/queue/");
    assert_eq!(deletes.len(), 1);
    flags(&deletes[0])[2]
}

const HOUR: i64 = 60;

/// 81 to 84
#[tokio::test]
async fn the_air_date_decides_whether_a_replacement_is_searched_for() {
    for (case, airs, skips) in [
        ("81 airs in 72 h", Some(72 * HOUR), true),
        ("82 airs in 10 min", Some(10), true),
        ("83 aired", Some(-HOUR), false),
        ("84 no air date", None, false),
    ] {
        let (ward, episodes) = season(&[airs]);
        let row = ward.arr.download("Weir.Street.S01E01-GRP", &episodes, true).unwrap();
        let done = remedied(&ward, row, Remedy::BlocklistSearch).await.unwrap();
        assert_eq!(skip_redownload(&ward), skips, "{case}");
        let effective = if skips { Remedy::BlocklistOnly } else { Remedy::BlocklistSearch };
        assert_eq!((done.requested, done.effective), (Remedy::BlocklistSearch, effective), "{case}");
        let reason = done.downgrade_reason.unwrap_or_default();
        assert_eq!(reason.contains("not aired"), skips, "{case}: {reason}");
        assert_eq!(ward.arr.violations(), []);
    }
}

/// 85
#[tokio::test]
async fn an_unaired_sibling_in_the_queue_counts() {
    let (ward, episodes) = season(&[Some(-HOUR), Some(72 * HOUR)]);
    let row = ward.arr.download("Weir.Street.S01-GRP", &episodes, true).unwrap();
    remedied(&ward, row, Remedy::BlocklistSearch).await.unwrap();
    assert!(skip_redownload(&ward));
}

/// 86
#[tokio::test]
async fn a_sibling_that_left_the_queue_counts_by_its_grab() {
    let (ward, episodes) = season(&[Some(-HOUR), Some(72 * HOUR)]);
    let row = ward.arr.download("Weir.Street.S01-GRP", &episodes, true).unwrap();
    ward.arr.alter("GET */queue", move |page| {
        page["records"].as_array_mut().unwrap().retain(|record| record["id"] == row);
        page["totalRecords"] = json!(1);
    });
    remedied(&ward, row, Remedy::BlocklistSearch).await.unwrap();
    assert!(skip_redownload(&ward));
}

async fn is_not_started(case: &str, ward: &Ward, row: u32) {
    let ended = remedied(ward, row, Remedy::BlocklistSearch).await.unwrap_err();
    assert_eq!((ended.outcome(), ended.code()), (Outcome::NotStarted, Code::AirDatesUnverified), "{case}: {ended}");
    assert_eq!(n_writes(ward), 0, "{case}");
    assert!(ended.to_string().contains("blocklist_only"), "{case}: {ended}");
}

/// 87, 88, 89
#[tokio::test]
async fn what_cannot_be_proved_stops_it() {
    let begin = || {
        let (ward, episodes) = season(&[Some(-HOUR), Some(-HOUR)]);
        let row = ward.arr.download("Weir.Street.S01-GRP", &episodes, true).unwrap();
        (ward, row)
    };
    let (ward, row) = begin();
    ward.arr.alter("GET */history", |page| {
        page["records"].as_array_mut().unwrap().pop();
    });
    is_not_started("87 the history says 2 and delivers 1", &ward, row).await;

    let (ward, row) = begin();
    ward.arr.alter("GET */episode", |list| list[0]["seriesId"] = json!(99));
    is_not_started("88 an episode of another series", &ward, row).await;

    let (ward, row) = begin();
    ward.arr.alter("GET */history", |page| page["records"][0]["seriesId"] = json!(99));
    is_not_started("88 a grab for another series", &ward, row).await;

    let (ward, row) = begin();
    ward.arr.alter("GET */episode", |list| {
        list.as_array_mut().unwrap().remove(0);
    });
    is_not_started("an episode that the series does not have", &ward, row).await;

    let (ward, row) = begin();
    ward.arr.misbehave("GET */episode", Misbehaviour::Failing { status: 503 });
    is_not_started("89 the episode read answers 503", &ward, row).await;

    let (ward, row) = begin();
    ward.arr.misbehave("GET */history", Misbehaviour::Failing { status: 503 });
    is_not_started("the history read answers 503", &ward, row).await;

    let (ward, row) = begin();
    ward.arr.alter("GET */queue", |page| page["records"][0]["episodeId"] = json!(0));
    is_not_started("a row that is matched to no episode", &ward, row).await;
}

/// 91
#[tokio::test]
async fn without_a_download_id_only_the_rows_own_episode_is_looked_at() {
    let (ward, episodes) = season(&[Some(-HOUR), Some(72 * HOUR)]);
    let row = ward.arr.download("Weir.Street.S01-GRP", &episodes, true).unwrap();
    ward.arr.alter("GET */queue", |page| {
        for record in page["records"].as_array_mut().unwrap() {
            record.as_object_mut().unwrap().remove("downloadId");
        }
    });
    remedied(&ward, row, Remedy::BlocklistSearch).await.unwrap();
    assert!(!skip_redownload(&ward), "the second episode is somebody else's");
    assert_eq!(ward.calls("GET", "/history").len(), 0);
}

/// 92
#[tokio::test]
async fn blocklist_only_is_never_more_and_needs_no_air_date() {
    let (ward, episodes) = season(&[Some(-HOUR)]);
    let row = ward.arr.download("Weir.Street.S01E01-GRP", &episodes, true).unwrap();
    ward.arr.misbehave("GET */episode", Misbehaviour::Failing { status: 503 });
    remedied(&ward, row, Remedy::BlocklistOnly).await.unwrap();
    assert!(skip_redownload(&ward));
    assert_eq!(ward.calls("GET", "/episode").len(), 0);
}

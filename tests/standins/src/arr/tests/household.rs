//! The household's four, and the large ones.

use serde_json::json;

use super::*;

#[tokio::test]
async fn what_comes_next_week_is_in_the_calendar() {
    for (kind, title) in [
        (ArrKind::Radarr, "Salt and Lanterns"),
        (ArrKind::Sonarr, "Low Water"),
        (ArrKind::Lidarr, "Tailrace"),
        (ArrKind::Chaptarr, "Withy"),
    ] {
        let arr = ArrStandin::demo(kind);
        let (start, end) = (arr.now(), arr.now() + 30 * 24 * 60 * A_MINUTE);
        let include = if kind == ArrKind::Sonarr { "&includeSeries=true" } else { "" };
        let call = format!("calendar?start={}&end={}&unmonitored=false{include}", wire::date(start), wire::date(end));
        let coming = get(&arr, &call).await;
        let titles: Vec<&Value> = coming
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| match kind {
                ArrKind::Sonarr => &entry["series"]["title"],
                _ => &entry["title"],
            })
            .collect();
        assert!(titles.contains(&&json!(title)), "{}: {titles:?}", kind.name());
    }
}

#[tokio::test]
async fn a_time_without_its_zone_is_another_time_than_was_meant() {
    let arr = ArrStandin::demo(ArrKind::Radarr);
    send(request(&arr, Method::GET, "/api/v3/calendar?start=2026-11-01")).await;
    assert!(matches!(arr.violations()[0], RequestViolation::Parameter { .. }));
}

#[tokio::test]
async fn what_follows_the_clock_takes_in_by_itself_what_came_and_nothing_else() {
    let a_while_ago = Timestamp::now() - 60 * A_MINUTE;
    let settings = ArrSettings { now: a_while_ago, follows_the_clock: true, ..ArrSettings::default() };
    let arr = ArrStandin::demo_with(ArrKind::Radarr, settings);
    assert!(arr.queue().iter().all(|row| row.status != "downloading"), "the one on its way needed half an hour");
    assert!(arr.history().last().unwrap().title.starts_with("The.Ferryman.s.Ledger"));
    assert!(arr.queue().len() > 8, "what is stuck stays");
}

#[tokio::test]
async fn ten_thousand_films_are_as_long_as_real_ones_and_held_by_nobody() {
    let arr = ArrStandin::with_films(10_000);
    let mut response = request(&arr, Method::GET, "/api/v3/movie").send().await.unwrap();
    let (mut n_bytes, mut largest) = (0, 0);
    while let Some(chunk) = response.chunk().await.unwrap() {
        n_bytes += chunk.len();
        largest = largest.max(chunk.len());
    }
    assert!((43_000_000..50_000_000).contains(&n_bytes), "{n_bytes} bytes");
    assert!(largest < 1_000_000, "{largest} bytes at once");
    assert_eq!(get(&arr, "movie?tmdbId=500777").await[0]["id"], 777);
}

#[tokio::test]
async fn a_thousand_rows_fit_on_one_page() {
    let arr = ArrStandin::with_a_queue_of(1000);
    let page = get(&arr, "queue?page=1&pageSize=1000&sortKey=id&sortDirection=ascending&includeMovie=true").await;
    assert_eq!((page["records"].as_array().unwrap().len(), &page["totalRecords"]), (1000, &json!(1000)));
    let ids: std::collections::BTreeSet<u64> =
        page["records"].as_array().unwrap().iter().map(|row| row["id"].as_u64().unwrap()).collect();
    assert_eq!(ids.len(), 1000);
}

#[tokio::test]
async fn what_is_on_the_shelves_has_a_profile_of_the_house() {
    for kind in ArrKind::ALL {
        let arr = ArrStandin::demo(kind);
        let ids: Vec<Value> = arr.profiles().iter().map(|profile| profile["id"].clone()).collect();
        assert!(ids.len() > 1 && arr.formats().len() > 2, "{}", kind.name());
        for parent in get(&arr, kind.facts().parent.one).await.as_array().unwrap() {
            for name in ["qualityProfileId", "ebookQualityProfileId", "audiobookQualityProfileId"] {
                assert!(parent[name].is_null() || ids.contains(&parent[name]), "{} {name}", kind.name());
            }
        }
    }
}

#[tokio::test]
async fn only_a_profile_for_any_language_scores_one() {
    let arr = ArrStandin::demo(ArrKind::Radarr);
    let is_language = |format: &Value| format["specifications"][0]["implementation"] == "LanguageSpecification";
    let formats = arr.formats();
    let of_language = &formats.iter().find(|format| is_language(format)).unwrap()["id"];
    let scores = arr.profiles().into_iter().map(|profile| {
        let entry = profile["formatItems"].as_array().unwrap().iter().find(|entry| entry["format"] == *of_language);
        (profile["language"]["id"].clone(), entry.unwrap()["score"] != 0)
    });
    assert_eq!(scores.collect::<Vec<_>>(), [(json!(-1), true), (json!(-2), false), (json!(1), false)]);
}

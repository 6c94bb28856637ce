//! `get_episode_timeline`, `get_book_timeline` and `get_album_timeline`

use jiff::Timestamp;
use playhouse_standins::{ArrKind, ArrStandin, Library, Misbehaviour};
use serde_json::{Value, json};

use crate::common::library::{LibraryHouse, prose_of};
use crate::{in_days, in_hours};

/// A series with a finished first season and a second one of which the first `n_early` episodes have files before they air.
fn series_with(n_early: usize) -> Library {
    let mut library = Library::empty(ArrKind::Sonarr);
    let series = library.series(1_396, 81_189, "Salt Flats", 2024);
    for episode in library.season(series, 1, &[Some(in_days(-60)), Some(in_days(-53))]) {
        library.keep(episode, in_days(-50));
    }
    let dates: Vec<Option<Timestamp>> = (0..5).map(|week| Some(in_days(13 + 7 * week))).collect();
    for episode in library.season(series, 2, &dates).into_iter().take(n_early) {
        library.keep(episode, in_hours(-1));
    }
    library
}

async fn with_series(n_early: usize) -> (LibraryHouse, ArrStandin, String) {
    LibraryHouse::with(ArrKind::Sonarr, series_with(n_early)).await
}

fn season(number: i64) -> Value {
    json!({"media_type": "tv", "tmdb_id": 1_396, "season_number": number})
}

#[actix_web::test]
async fn case_131_files_13_days_early_are_a_finding_with_one_proposal() {
    let (house, sonarr, _) = with_series(2).await;
    let result = house.result("get_episode_timeline", season(2)).await;
    let timeline = &result["structuredContent"];
    assert_eq!(timeline["pre_air_fill"], true, "{timeline}");
    assert_eq!((&timeline["unaired_with_file"], &timeline["imported_before_air"]), (&json!([1, 2]), &json!([1, 2])));
    let args = json!({"media_type": "tv", "tmdb_id": 1_396, "season": 2, "episodes": [1, 2], "blocklist": true});
    assert_eq!(timeline["next"], json!({"tool": "delete_media_files", "args": args}));
    let verdict = json!({"kind": "season_clean", "exact_scope": true, "target_present": true});
    assert_eq!(timeline["verification"], verdict);
    let prose = prose_of(&result);
    assert!(prose.contains("cannot be the episodes") && prose.contains("no separate search"), "{prose}");
    assert_eq!(sonarr.violations(), []);
    house.town.stop().await;
}

#[actix_web::test]
async fn a_season_of_which_records_could_not_be_read_is_not_called_clean() {
    let (house, sonarr, _) = with_series(0).await;
    assert_eq!(house.ask("get_episode_timeline", season(2)).await["verification"]["target_present"], false);
    for (calls, odd) in [
        ("GET */episode", json!("odd")),
        ("GET */episodefile", json!("odd")),
        ("GET */episode", json!({"id": 9_999, "title": "of no season"})),
    ] {
        sonarr.alter(calls, move |list| list.as_array_mut().unwrap().push(odd.clone()));
        let timeline = house.ask("get_episode_timeline", season(2)).await;
        assert_eq!(timeline.get("verification"), None, "{calls}: {timeline}");
        assert!(timeline["explanation"].as_str().unwrap().contains("Not all records"), "{calls}: {timeline}");
        let words = house.failure("get_episode_timeline", season(9)).await;
        assert!(words.contains("not certain"), "{words}");
        let overview = json!({"media_type": "tv", "tmdb_id": 1_396});
        let prose = house.prose("get_episode_timeline", overview).await;
        assert!(prose.contains("No season is known to hold"), "{prose}");
        sonarr.forget_rules();
    }
    house.town.stop().await;

    // What is there is there, whatever else could not be read.
    let (house, sonarr, _) = with_series(2).await;
    sonarr.alter("GET */episode", |list| list.as_array_mut().unwrap().push(json!("odd")));
    let timeline = house.ask("get_episode_timeline", season(2)).await;
    assert_eq!(timeline["verification"]["target_present"], true, "{timeline}");
    house.town.stop().await;
}

#[actix_web::test]
async fn a_history_of_which_an_event_could_not_be_read_is_not_complete() {
    let mut library = Library::empty(ArrKind::Chaptarr);
    let author = library.author("Ada Fenwick");
    let book = library.book(author, "Salt", playhouse_standins::BookFormat::Ebook, None);
    let (house, chaptarr, _) = LibraryHouse::with(ArrKind::Chaptarr, library).await;
    chaptarr.alter("GET */history", |page| {
        page["records"].as_array_mut().unwrap().push(json!("odd"));
    });
    let asked = json!({"media_type": "book", "book_id": book});
    let result = house.result("get_book_timeline", asked.clone()).await;
    assert_eq!(result["structuredContent"]["history_state"], "unreadable", "{result}");
    assert!(prose_of(&result).contains("could not be understood"), "{result}");
    chaptarr.forget_rules();
    chaptarr.alter("GET */bookfile", |list| *list = json!(["odd"]));
    let prose = house.prose("get_book_timeline", asked).await;
    assert!(!prose.contains("genuine absence") && prose.contains("Files: none that could be read"), "{prose}");
    house.town.stop().await;
}

#[actix_web::test]
async fn case_132_and_143_one_early_file_is_a_near_miss_and_the_season_counts_as_clean() {
    let (house, _sonarr, _) = with_series(1).await;
    let result = house.result("get_episode_timeline", season(2)).await;
    let timeline = &result["structuredContent"];
    assert_eq!((&timeline["pre_air_fill"], timeline.get("next")), (&json!(false), None));
    assert_eq!(timeline["verification"]["target_present"], false);
    assert!(prose_of(&result).contains("a single early file is mostly a wrong date"));
    house.town.stop().await;
}

#[actix_web::test]
async fn case_138_a_finding_without_import_dates_proposes_nothing() {
    let (house, sonarr, _) = with_series(2).await;
    sonarr.answer_instead("GET */episodefile", 200, json!([]));
    let timeline = house.ask("get_episode_timeline", season(2)).await;
    assert_eq!((&timeline["pre_air_fill"], timeline.get("next")), (&json!(true), None));
    house.town.stop().await;
}

#[actix_web::test]
async fn case_139_and_140_an_overview_details_the_newest_flagged_season_and_gives_no_verdict() {
    let (house, _sonarr, _) = with_series(2).await;
    let overview = json!({"media_type": "tv", "tmdb_id": 1_396});
    let timeline = house.ask("get_episode_timeline", overview.clone()).await;
    let numbers: Vec<_> =
        timeline["seasons"].as_array().unwrap().iter().map(|season| season["season"].clone()).collect();
    assert_eq!(numbers, [1, 2]);
    assert_eq!(timeline["season"], 2);
    assert_eq!(timeline["verification"], Value::Null);
    house.town.stop().await;

    let (house, _sonarr, _) = with_series(0).await;
    let prose = house.prose("get_episode_timeline", overview).await;
    assert!(prose.ends_with("No season holds files for episodes that have not aired."), "{prose}");
    house.town.stop().await;
}

#[actix_web::test]
async fn case_142_an_unknown_season_is_named_with_those_there_are_and_gives_no_verdict() {
    let (house, _sonarr, _) = with_series(0).await;
    let result = house.result("get_episode_timeline", season(7)).await;
    assert_eq!((&result["isError"], &result["structuredContent"]["code"]), (&json!(false), &json!("season_unknown")));
    assert_eq!(result["structuredContent"]["verification"], Value::Null);
    let prose = prose_of(&result);
    assert!(prose.contains("no season 7") && prose.contains("seasons 1, 2"), "{prose}");
    house.town.stop().await;
}

#[actix_web::test]
async fn the_specials_can_be_laid_out_and_give_no_verdict() {
    let mut library = series_with(0);
    library.season(1, 0, &[Some(in_days(-3))]);
    let (house, _sonarr, _) = LibraryHouse::with(ArrKind::Sonarr, library).await;
    let timeline = house.ask("get_episode_timeline", season(0)).await;
    assert_eq!((&timeline["season"], &timeline["total"]), (&json!(0), &json!(1)), "{timeline}");
    assert_eq!(timeline["verification"], Value::Null);
    house.town.stop().await;
}

#[actix_web::test]
async fn case_144_and_145_other_types_and_a_missing_id_are_answers() {
    let (house, sonarr, _) = with_series(0).await;
    for (arguments, words) in [
        (json!({"media_type": "movie", "tmdb_id": 1}), "get_media_file_details"),
        (json!({"media_type": "book"}), "get_book_timeline"),
        (json!({"media_type": "music"}), "get_album_timeline"),
        (json!({"media_type": "tv"}), "tmdb_id"),
        (json!({"media_type": "tv", "tmdb_id": 4}), "no series with TMDB id 4"),
    ] {
        let result = house.result("get_episode_timeline", arguments.clone()).await;
        assert_eq!(
            (&result["isError"], &result["structuredContent"]["outcome"]),
            (&json!(false), &json!("refused")),
            "{arguments}"
        );
        assert!(prose_of(&result).contains(words), "{arguments}: {result}");
    }
    assert_eq!(sonarr.violations(), []);
    house.town.stop().await;
}

/// A demo Chaptarr, and a book in it that was grabbed and imported.
async fn with_book() -> (LibraryHouse, ArrStandin, Value) {
    let house = LibraryHouse::empty().await;
    let chaptarr = ArrStandin::demo(ArrKind::Chaptarr);
    house.add(&chaptarr, "Shelf").await;
    let history = chaptarr.history();
    let imported = history.iter().find(|event| event.event == "bookFileImported").unwrap();
    let arguments = json!({"media_type": "book", "book_id": imported.item});
    (house, chaptarr, arguments)
}

#[actix_web::test]
async fn a_books_receipts_join_its_files_to_what_happened() {
    let (house, chaptarr, book) = with_book().await;
    let result = house.result("get_book_timeline", book).await;
    let receipts = &result["structuredContent"];
    assert_eq!(receipts["history_state"], "complete", "{receipts}");
    let kinds: Vec<_> =
        receipts["events"].as_array().unwrap().iter().map(|event| event["kind"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"grabbed") && kinds.contains(&"imported"), "{kinds:?}");
    assert!(!receipts["files"].as_array().unwrap().is_empty(), "{receipts}");
    assert!(prose_of(&result).contains("History (grabs and imports):"));
    assert_eq!(chaptarr.violations(), []);
    house.town.stop().await;
}

#[actix_web::test]
async fn case_149_an_import_history_of_99_of_which_30_are_read_is_unreadable_and_grabs_are_listed() {
    let (house, chaptarr, book) = with_book().await;
    chaptarr.alter("GET */history", |page| {
        if page["records"][0]["eventType"] == "bookFileImported" {
            page["totalRecords"] = json!(99);
        }
    });
    let result = house.result("get_book_timeline", book).await;
    let (receipts, prose) = (&result["structuredContent"], prose_of(&result));
    assert_eq!(receipts["history_state"], "grabs_only", "{receipts}");
    assert!(receipts["events"].as_array().unwrap().iter().all(|event| event["kind"] == "grabbed"), "{receipts}");
    assert!(prose.contains("import history is UNREADABLE") && prose.contains("99 events"), "{prose}");
    assert!(!prose.contains("grabs and imports"), "{prose}");
    house.town.stop().await;
}

#[actix_web::test]
async fn case_150_when_both_halves_fail_the_files_are_still_listed() {
    let (house, chaptarr, book) = with_book().await;
    chaptarr.misbehave("GET */history", Misbehaviour::Failing { status: 502 });
    let result = house.result("get_book_timeline", book).await;
    let receipts = &result["structuredContent"];
    assert_eq!(receipts["history_state"], "unreadable");
    assert!(!receipts["files"].as_array().unwrap().is_empty());
    assert!(prose_of(&result).contains("History: UNREADABLE"));
    house.town.stop().await;
}

#[actix_web::test]
async fn a_half_that_answers_other_titles_is_unreadable() {
    let (house, chaptarr, book) = with_book().await;
    chaptarr.misbehave_once("GET */history", Misbehaviour::HungUp);
    let receipts = house.ask("get_book_timeline", book.clone()).await;
    assert_eq!(receipts["history_state"], "imports_only");
    let foreign = json!({"totalRecords": 1, "records": [{"id": 1, "bookId": 999_999, "eventType": "grabbed"}]});
    chaptarr.answer_instead("GET */history", 200, foreign);
    let receipts = house.ask("get_book_timeline", book).await;
    assert_eq!((&receipts["history_state"], &receipts["events"]), (&json!("unreadable"), &json!([])));
    house.town.stop().await;
}

#[actix_web::test]
async fn case_151_a_book_without_files_is_a_genuine_absence_and_other_books_files_are_not_its() {
    let mut library = Library::empty(ArrKind::Chaptarr);
    let author = library.author("Ada Fenwick");
    let book = library.book(author, "Salt", playhouse_standins::BookFormat::Ebook, None);
    let (house, chaptarr, _) = LibraryHouse::with(ArrKind::Chaptarr, library).await;
    chaptarr.answer_instead(
        "GET */bookfile",
        200,
        json!([{"id": 1, "bookId": book + 1, "path": "/books/Other.epub", "size": 5}]),
    );
    let result = house.result("get_book_timeline", json!({"media_type": "book", "book_id": book})).await;
    assert_eq!(result["structuredContent"]["files"], json!([]));
    assert!(prose_of(&result).contains("genuine absence"));
    house.town.stop().await;
}

#[actix_web::test]
async fn case_152_an_album_that_is_not_there_is_not_in_the_library() {
    let (house, lidarr, _) = LibraryHouse::with(ArrKind::Lidarr, Library::empty(ArrKind::Lidarr)).await;
    let result = house.result("get_album_timeline", json!({"album_id": 5})).await;
    assert_eq!((&result["isError"], &result["structuredContent"]["code"]), (&json!(false), &json!("not_in_library")));
    assert_eq!(lidarr.violations(), []);
    for (arguments, words) in [
        (json!({"media_type": "music"}), "album_id"),
        (json!({"media_type": "book", "album_id": 5}), "get_book_timeline"),
        (json!({"media_type": "tv", "album_id": 5}), "get_episode_timeline"),
        (json!({"media_type": "movie", "album_id": 5}), "get_media_file_details"),
    ] {
        let prose = house.prose("get_album_timeline", arguments).await;
        assert!(prose.contains(words), "{prose}");
    }
    house.town.stop().await;
}

#[actix_web::test]
async fn an_albums_imports_are_asked_for_by_track_and_by_download() {
    let mut library = Library::empty(ArrKind::Lidarr);
    let artist = library.artist("Nine Herons");
    let album = library.album(artist, "Low Water", None, 40);
    library.keep(album, in_days(-2));
    let (house, lidarr, _) = LibraryHouse::with(ArrKind::Lidarr, library).await;
    let receipts = house.ask("get_album_timeline", json!({"media_type": "music", "album_id": album})).await;
    assert_eq!(receipts["files"].as_array().unwrap().len(), 40);
    let pages = crate::reads(&lidarr, "/history");
    let kinds = |n: usize| -> Vec<&str> {
        pages[n].query.iter().filter(|(name, _)| name == "eventType").map(|(_, value)| value.as_str()).collect()
    };
    assert_eq!((kinds(0), kinds(1)), (vec!["1"], vec!["3", "8"]));
    assert_eq!(pages[1].parameter("pageSize"), Some("200"));
    assert_eq!(lidarr.violations(), []);
    house.town.stop().await;
}

//! `grab_release`

use std::time::Duration;

use playhouse_bus::Deadline;
use playhouse_library::answer::{Code, Outcome};
use playhouse_library::client::ReleaseReference;
use playhouse_library::search::{GrabRelease, ReleaseScope, ScopeArguments};
use playhouse_library::{ArrActor, MediaType};
use playhouse_standins::{ArrKind, ArrStandin, Library, Misbehaviour};
use serde_json::{Value, json};

use crate::common::library::{LibraryHouse, prose_of};
use crate::{gives_no_guid_away, in_days, requests};

fn film() -> Library {
    let mut library = Library::empty(ArrKind::Radarr);
    library.movie(603, "The Lantern Keeper", 2019, Some(in_days(-400)));
    library
}

async fn with_film() -> (LibraryHouse, ArrStandin, String) {
    LibraryHouse::with(ArrKind::Radarr, film()).await
}

/// The releases of the one film, as a search shows them.
async fn releases(house: &LibraryHouse) -> Vec<Value> {
    let found = house.ask("search_releases", json!({"media_type": "movie", "tmdb_id": 603})).await;
    found["releases"].as_array().unwrap().clone()
}

fn order(release: &Value) -> Value {
    json!({"media_type": "movie", "tmdb_id": 603, "guid": release["reference"], "indexer_id": release["indexer_id"]})
}

fn ending<'r>(releases: &'r [Value], end: &str) -> &'r Value {
    releases.iter().find(|release| release["title"].as_str().unwrap().ends_with(end)).unwrap()
}

/// That an order was not begun for this reason.
async fn not_started(house: &LibraryHouse, arguments: Value, code: &str) -> String {
    let result = house.result("grab_release", arguments.clone()).await;
    let content = &result["structuredContent"];
    let found = (&result["isError"], &content["outcome"], &content["code"]);
    assert_eq!(found, (&json!(true), &json!("not_started"), &json!(code)), "{arguments}: {result}");
    gives_no_guid_away(&result.to_string());
    prose_of(&result)
}

fn orders(arr: &ArrStandin) -> Vec<Value> {
    requests(arr, "POST", "/release").into_iter().filter_map(|request| request.body).collect()
}

#[actix_web::test]
async fn a_release_that_was_shown_is_downloaded() {
    let (house, radarr, _) = with_film().await;
    let releases = releases(&house).await;
    let result = house.result("grab_release", order(ending(&releases, "-GRP"))).await;
    let done = &result["structuredContent"];
    assert_eq!(
        (&result["isError"], &done["outcome"], &done["protocol"]),
        (&json!(false), &json!("done"), &json!("torrent"))
    );
    assert_eq!(done["library"], "Radarr instance \"Radarr\"");
    gives_no_guid_away(&result.to_string());
    assert_eq!(radarr.queue().len(), 1);
    let sent = &orders(&radarr)[0];
    assert!(sent["guid"].as_str().unwrap().contains("passkey"), "the guid itself goes back");
    assert_eq!((radarr.n_feeds(), radarr.violations()), (0, vec![]));
    house.town.stop().await;
}

#[actix_web::test]
async fn a_rejected_release_is_downloaded_too_and_the_reasons_are_said() {
    let (house, radarr, _) = with_film().await;
    let releases = releases(&house).await;
    let result = house.result("grab_release", order(ending(&releases, "-LOUD"))).await;
    let overridden = &result["structuredContent"]["overridden_rejections"];
    assert_eq!(overridden[0], "Custom Formats have score -10000 below the profile's minimum 0", "{result}");
    assert!(prose_of(&result).contains("overridden: Custom Formats"), "{result}");
    assert_eq!(radarr.queue().len(), 1);
    house.town.stop().await;
}

#[actix_web::test]
async fn case_69_what_is_malformed_or_out_of_scope_is_not_started_and_asks_nothing() {
    let (house, radarr, _) = with_film().await;
    let reference = "[REDACTED release sha256:0123456789abcdef]";
    let film = |guid: &str| json!({"media_type": "movie", "tmdb_id": 603, "guid": guid, "indexer_id": 2});
    for guid in [
        "https://rookery.example.org/download/1?passkey=secret",
        "[REDACTED release sha256:0123456789ABCDEF]",
        "[REDACTED release sha256:0123456789abcde]",
        " [REDACTED release sha256:0123456789abcdef]",
        "",
    ] {
        let words = not_started(&house, film(guid), "reference_malformed").await;
        assert!(!words.contains("secret"), "{words}");
    }
    for (arguments, code) in [
        (json!({"media_type": "movie", "tmdb_id": 603, "season_number": 1}), "scope_extraneous"),
        (json!({"media_type": "movie"}), "scope_missing"),
        (json!({"media_type": "tv", "tmdb_id": 603}), "scope_missing"),
        (json!({"media_type": "book", "book_id": 1, "tmdb_id": 603}), "scope_extraneous"),
        (json!({"media_type": "music"}), "scope_missing"),
    ] {
        let mut arguments = arguments;
        (arguments["guid"], arguments["indexer_id"]) = (json!(reference), json!(2));
        not_started(&house, arguments, code).await;
    }
    for (name, value) in
        [("indexer_id", json!(null)), ("indexer_id", json!(0)), ("guid", json!(null)), ("media_type", json!("podcast"))]
    {
        let mut arguments = film(reference);
        arguments[name] = value;
        let words = house.failure("grab_release", arguments).await;
        assert!(words.contains(name), "{words}");
    }
    assert_eq!(radarr.n_requests(), 0);
    house.town.stop().await;
}

#[actix_web::test]
async fn case_70_and_72_another_indexer_and_a_reference_from_another_scope_are_not_found() {
    let mut library = film();
    library.movie(604, "Another Film", 2020, Some(in_days(-300)));
    let (house, radarr, _) = LibraryHouse::with(ArrKind::Radarr, library).await;
    let releases = releases(&house).await;
    let mut wrong_indexer = order(&releases[0]);
    wrong_indexer["indexer_id"] = json!(77);
    let words = not_started(&house, wrong_indexer, "reference_not_found").await;
    assert!(words.contains("Search again"), "{words}");
    let mut other_scope = order(&releases[0]);
    other_scope["tmdb_id"] = json!(604);
    not_started(&house, other_scope, "reference_not_found").await;
    let mut not_there = order(&releases[0]);
    not_there["tmdb_id"] = json!(5);
    not_started(&house, not_there, "not_in_library").await;
    assert_eq!(orders(&radarr), Vec::<Value>::new());
    house.town.stop().await;
}

#[actix_web::test]
async fn case_71_the_same_guid_twice_is_ambiguous() {
    let (house, radarr, _) = with_film().await;
    let releases = releases(&house).await;
    radarr.alter("GET */release", |list| {
        let twice: Vec<Value> =
            list.as_array().unwrap().iter().flat_map(|release| [release.clone(), release.clone()]).collect();
        *list = json!(twice);
    });
    not_started(&house, order(&releases[0]), "reference_ambiguous").await;
    assert_eq!(orders(&radarr), Vec::<Value>::new());
    house.town.stop().await;
}

#[actix_web::test]
async fn two_films_of_one_number_leave_it_uncertain_which_is_meant() {
    let (house, radarr, _) = with_film().await;
    let releases = releases(&house).await;
    radarr.alter("GET */movie", |list| {
        let mut second = list[0].clone();
        second["id"] = json!(9_999);
        list.as_array_mut().unwrap().push(second);
    });
    let words = not_started(&house, order(&releases[0]), "upstream_body").await;
    assert!(words.contains("2 movies"), "{words}");
    house.town.stop().await;
}

#[actix_web::test]
async fn case_73_an_episode_is_searched_exactly_and_ordered_once_with_its_raw_guid() {
    let mut library = Library::empty(ArrKind::Sonarr);
    let series = library.series(1_396, 81_189, "Salt Flats", 2024);
    let episodes = library.season(series, 2, &[Some(in_days(-9)), Some(in_days(-2))]);
    let (house, sonarr, _) = LibraryHouse::with(ArrKind::Sonarr, library).await;
    let scope = json!({"media_type": "tv", "tmdb_id": 1_396, "season_number": 2, "episode_number": 1});
    let found = house.ask("search_releases", scope.clone()).await;
    sonarr.forget_requests();
    let mut arguments = scope;
    (arguments["guid"], arguments["indexer_id"]) =
        (found["releases"][0]["reference"].clone(), found["releases"][0]["indexer_id"].clone());

    house.ask("grab_release", arguments).await;

    let searched = requests(&sonarr, "GET", "/release");
    assert_eq!(searched.len(), 1);
    assert_eq!(searched[0].query, [("episodeId".to_owned(), episodes[0].to_string())]);
    let sent = orders(&sonarr);
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0]["indexerId"], found["releases"][0]["indexer_id"]);
    assert!(!sent[0]["guid"].as_str().unwrap().starts_with("[REDACTED"), "{sent:?}");
    house.town.stop().await;
}

#[actix_web::test]
async fn case_74_a_grab_in_one_library_asks_nothing_of_the_default() {
    let house = LibraryHouse::empty().await;
    let (first, second) = (ArrStandin::start(ArrKind::Radarr, film()), ArrStandin::start(ArrKind::Radarr, film()));
    house.add(&first, "Films").await;
    let id = house.add(&second, "Second").await;
    let asked = json!({"media_type": "movie", "tmdb_id": 603, "instance_id": id});
    let found = house.ask("search_releases", asked.clone()).await;
    let mut arguments = asked;
    (arguments["guid"], arguments["indexer_id"]) =
        (found["releases"][0]["reference"].clone(), found["releases"][0]["indexer_id"].clone());
    house.ask("grab_release", arguments.clone()).await;
    assert_eq!((first.n_requests(), orders(&second).len()), (0, 1));

    arguments["instance_id"] = json!("radarr-ffffffff");
    not_started(&house, arguments, "instance_unknown").await;
    assert_eq!(first.n_requests(), 0);
    house.town.stop().await;
}

#[actix_web::test]
async fn case_75_an_order_that_is_refused_is_not_started_and_one_whose_answer_is_lost_is_unknown() {
    let (house, radarr, _) = with_film().await;
    let releases = releases(&house).await;
    let grab = order(ending(&releases, "-GRP"));

    radarr.answer_instead("POST */release", 404, json!({"message": "not in cache"}));
    let words = not_started(&house, grab.clone(), "reference_not_found").await;
    assert!(words.contains("expired") && words.contains("Search again"), "{words}");
    radarr.forget_rules();

    let words = not_started(&house, order(ending(&releases, "-BROKEN")), "upstream_status").await;
    assert!(words.contains("could not deliver"), "{words}");

    for misbehaviour in
        [Misbehaviour::DoneButLost, Misbehaviour::DoneButFailing { status: 502 }, Misbehaviour::Failing { status: 500 }]
    {
        radarr.forget_requests();
        radarr.misbehave_once("POST */release", misbehaviour);
        let result = house.result("grab_release", grab.clone()).await;
        let found = (&result["isError"], &result["structuredContent"]["outcome"]);
        assert_eq!(found, (&json!(true), &json!("unknown")), "{misbehaviour:?}: {result}");
        assert!(prose_of(&result).contains("Do not repeat it"), "{result}");
        gives_no_guid_away(&result.to_string());
        assert_eq!(orders(&radarr).len(), 1, "it is never repeated by itself");
    }
    house.town.stop().await;
}

#[actix_web::test]
async fn a_search_that_fails_orders_nothing() {
    let (house, radarr, _) = with_film().await;
    let releases = releases(&house).await;
    for (calls, misbehaviour) in [
        ("GET */release", Misbehaviour::Failing { status: 504 }),
        ("GET */release", Misbehaviour::Html),
        ("GET */movie", Misbehaviour::Truncated),
        ("GET */movie", Misbehaviour::HungUp),
    ] {
        radarr.misbehave_once(calls, misbehaviour);
        let result = house.result("grab_release", order(&releases[0])).await;
        let found = (&result["isError"], &result["structuredContent"]["outcome"]);
        assert_eq!(found, (&json!(true), &json!("not_started")), "{calls} {misbehaviour:?}: {result}");
    }
    assert_eq!(orders(&radarr), Vec::<Value>::new());
    house.town.stop().await;
}

#[actix_web::test]
async fn an_order_behind_another_change_is_told_in_time_that_it_was_not_started() {
    let (house, radarr, id) = with_film().await;
    let found = releases(&house).await;
    let order = order(&found[0]);
    radarr.misbehave_once("POST */command", Misbehaviour::Slow);
    // Its own time limit is minutes long; a call with less of it goes by the message itself.
    let grab = GrabRelease {
        scope: ReleaseScope::of(MediaType::Movie, ScopeArguments { tmdb_id: Some(603), ..ScopeArguments::default() })
            .unwrap(),
        reference: ReleaseReference::parse(order["guid"].as_str().unwrap()).unwrap(),
        indexer_id: order["indexer_id"].as_i64().unwrap(),
    };
    let bus = house.town.running.instance.bus.clone();
    let key = ArrActor::key(house.house.parse().unwrap(), id.parse().unwrap());
    let hanging = house.result("trigger_search", json!({"media_type": "movie", "tmdb_id": 603}));
    let behind = async {
        radarr.until_held(1).await;
        let ended = bus.call(key, grab, Deadline::after(Duration::from_secs(8))).await;
        radarr.release();
        ended
    };
    let (_, ended) = futures_util::join!(hanging, behind);
    let ended = ended.expect("an answer in time").unwrap_err();
    assert_eq!((ended.outcome(), ended.code()), (Outcome::NotStarted, Code::Busy), "{ended}");
    assert_eq!(orders(&radarr), Vec::<Value>::new());
    house.town.stop().await;
}

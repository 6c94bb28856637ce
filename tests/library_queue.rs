//! Queues and their repair through the door: what is refused before anybody is asked, what each fault of a service comes to, and what is said of a
//! change whose answer was lost.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

mod common;

use common::library::{LibraryHouse, prose_of};
use playhouse_house::Scope;
use playhouse_standins::{ArrKind, ArrStandin, Library, Misbehaviour};
use serde_json::{Value, json};

const TOOLS: [&str; 7] = [
    "get_queue",
    "diagnose_queue",
    "remove_queue_item",
    "remediate_queue_item",
    "get_manual_import_candidates",
    "execute_manual_import",
    "rescan_media",
];

fn one_film() -> (Library, u32) {
    let mut library = Library::empty(ArrKind::Radarr);
    let film = library.movie(603, "The Lantern Keeper", 2019, None);
    (library, film)
}

/// A house with one film on its way; answers the queue item's id too.
async fn downloading() -> (LibraryHouse, ArrStandin, String, u32) {
    let (library, film) = one_film();
    let (house, arr, id) = LibraryHouse::with(ArrKind::Radarr, library).await;
    let row = arr.download("The.Lantern.Keeper.2019.1080p-GRP", &[film], true).unwrap();
    (house, arr, id, row)
}

/// A call that is in order, of each tool.
fn in_order(tool: &str, row: u32) -> Value {
    match tool {
        "get_queue" | "diagnose_queue" => json!({ "media_type": "movie" }),
        "remediate_queue_item" => json!({ "queue_id": row, "media_type": "movie", "action": "remove" }),
        "rescan_media" => json!({ "media_type": "movie", "tmdb_id": 603 }),
        _ => json!({ "queue_id": row, "media_type": "movie" }),
    }
}

fn n_writes(arr: &ArrStandin) -> usize {
    arr.requests().iter().filter(|request| request.method != "GET").count()
}

#[actix_web::test]
async fn arguments_that_do_not_fit_are_named_and_nobody_is_asked() {
    let (house, arr, _, row) = downloading().await;
    let mut cases: Vec<(&str, Value, &str)> = Vec::new();
    for tool in TOOLS {
        let with = |name: &str, value: Value| {
            let mut arguments = in_order(tool, row);
            arguments[name] = value;
            arguments
        };
        // 26
        cases.push((tool, with("media_type", json!("podcast")), "movie"));
        cases.push((tool, with("media_type", json!(7)), "media_type"));
        cases.push((tool, with("instance_id", json!(7)), "instance_id"));
        cases.push((tool, with("instance", json!("x")), "instance_id"));
        cases.push((tool, with("download_id", json!("ABC")), "download_id"));
        if !matches!(tool, "get_queue" | "diagnose_queue") {
            cases.push((tool, json!({}), "media_type"));
            cases.push((tool, with("media_type", json!("all")), "media_type"));
        }
        if !matches!(tool, "get_queue" | "diagnose_queue" | "rescan_media") {
            for odd in [json!(0), json!(-1), json!("7"), json!(1.5), json!(null), json!([7])] {
                cases.push((tool, with("queue_id", odd), "queue_id"));
            }
        }
    }
    cases.push((
        "remove_queue_item",
        json!({ "queue_id": row, "media_type": "movie", "blocklist": "yes" }),
        "blocklist",
    ));
    cases.push(("execute_manual_import", json!({ "queue_id": row, "media_type": "movie", "force": 1 }), "force"));
    // 80
    cases.push((
        "remediate_queue_item",
        json!({ "queue_id": row, "media_type": "movie", "action": "delete" }),
        "blocklist_search",
    ));
    cases.push(("rescan_media", json!({ "media_type": "movie", "tmdb_id": 0 }), "tmdb_id"));
    cases.push(("rescan_media", json!({ "media_type": "book", "author_id": "3" }), "author_id"));
    for (tool, arguments, named) in cases {
        let result = house.result(tool, arguments.clone()).await;
        assert_eq!(result["isError"], true, "{tool} {arguments}: {result}");
        assert!(prose_of(&result).contains(named), "{tool} {arguments}: {result}");
    }
    // 105, and ids that belong to another media type
    for (arguments, code) in [
        (json!({ "media_type": "book" }), "scope_missing"),
        (json!({ "media_type": "movie" }), "scope_missing"),
        (json!({ "media_type": "movie", "tmdb_id": 603, "artist_id": 1 }), "scope_extraneous"),
    ] {
        let result = house.result("rescan_media", arguments.clone()).await;
        let structured = &result["structuredContent"];
        assert_eq!(
            (&result["isError"], &structured["outcome"], &structured["code"]),
            (&json!(true), &json!("not_started"), &json!(code)),
            "{arguments}: {result}"
        );
    }
    assert_eq!(arr.n_requests(), 0);
    house.town.stop().await;
}

#[actix_web::test]
async fn input_schemas_are_plain_objects_that_every_host_takes() {
    let (house, ..) = downloading().await;
    let listed = house.town.rpc(&house.key, "tools/list", json!({})).await.result();
    for tool in
        listed["tools"].as_array().unwrap().iter().filter(|tool| TOOLS.contains(&tool["name"].as_str().unwrap()))
    {
        let schema = tool["inputSchema"].to_string();
        for keyword in ["oneOf", "anyOf", "allOf", "$ref", "\"const\""] {
            assert!(!schema.contains(keyword), "{}: {schema}", tool["name"]);
        }
    }
    house.town.stop().await;
}

#[actix_web::test]
async fn without_the_scope_nobody_is_asked() {
    let (house, arr, _, row) = downloading().await;
    let key = house.town.key(&house.house, &[Scope::Media, Scope::Tv]).await;
    for tool in TOOLS {
        let refused = house.town.call(&key, tool, in_order(tool, row)).await;
        assert_eq!(refused.status, 403, "{tool}: {refused:?}");
    }
    assert_eq!(arr.n_requests(), 0);
    house.town.stop().await;
}

/// An id of another house reads like one that nobody has, and an id of another service is never answered by its service.
#[actix_web::test]
async fn ids_of_another_house_and_of_another_service_reach_nobody() {
    let (house, arr, _, row) = downloading().await;
    let neighbour = house.town.house("Heron Court").await;
    let theirs = ArrStandin::start(ArrKind::Radarr, one_film().0);
    let order = playhouse::control::InstanceOrder::Add {
        house: neighbour,
        service: playhouse_library::Service::Radarr,
        name: "Theirs".to_owned(),
        url: theirs.url().to_string(),
        api_key: theirs.api_key().into(),
        sort_order: 0,
        is_default: false,
    };
    let kept = match house.town.order(playhouse::control::Order::Instance(order)).await.unwrap() {
        playhouse::control::OrderReply::Instance(playhouse::control::InstanceReply::Kept(kept)) => kept,
        _ => panic!("not an instance"),
    };
    let sonarr = ArrStandin::start(ArrKind::Sonarr, Library::empty(ArrKind::Sonarr));
    let sonarr_id = house.add(&sonarr, "Series").await;
    theirs.forget_requests();
    let their_id = kept.details.summary.id.to_string();
    for tool in TOOLS {
        let with = |id: &str| {
            let mut arguments = in_order(tool, row);
            arguments["instance_id"] = json!(id);
            arguments
        };
        let foreign = house.result(tool, with(&their_id)).await;
        let nobodys = house.result(tool, with("radarr-ffffffff")).await;
        let words = |result: &Value, id: &str| result.to_string().replace(id, "ID");
        assert_eq!(words(&foreign, &their_id), words(&nobodys, "radarr-ffffffff"), "{tool}");
        assert_eq!(foreign["structuredContent"]["code"], "instance_unknown", "{tool}: {foreign}");
        let other_service = house.result(tool, with(&sonarr_id)).await;
        let code = other_service["structuredContent"]["code"].as_str().unwrap();
        let writes = !matches!(tool, "get_queue" | "diagnose_queue" | "get_manual_import_candidates");
        assert_eq!(code, if writes { "instance_wrong_service" } else { "instance_unknown" }, "{tool}");
        assert_eq!(foreign["isError"], json!(writes), "{tool}: a refused read is an answer");
    }
    assert_eq!((arr.n_requests(), theirs.n_requests(), sonarr.n_requests()), (0, 0, 0));
    house.town.stop().await;
}

/// 28
#[actix_web::test]
async fn all_names_what_is_not_configured_and_fails_whole_where_one_library_is_down() {
    let (house, arr, _, row) = downloading().await;
    let all = house.ask("get_queue", json!({})).await;
    assert_eq!((&all["items"][0]["queue_id"], all["libraries"].as_array().unwrap().len()), (&json!(row), 4), "{all}");
    let states: Vec<&str> =
        all["libraries"].as_array().unwrap().iter().map(|library| library["state"].as_str().unwrap()).collect();
    assert_eq!(states, ["read", "not_configured", "not_configured", "not_configured"]);
    assert_eq!(all["verification"], json!(null));
    let diagnosed = house.ask("diagnose_queue", json!({})).await;
    assert_eq!((&diagnosed["healthy"], diagnosed["notes"].as_array().unwrap().len()), (&json!(1), 3), "{diagnosed}");

    let sonarr = ArrStandin::start(ArrKind::Sonarr, Library::empty(ArrKind::Sonarr));
    house.add(&sonarr, "Series upstairs").await;
    sonarr.behave(Misbehaviour::Failing { status: 502 });
    for tool in ["get_queue", "diagnose_queue"] {
        let words = house.failure(tool, json!({})).await;
        assert!(words.contains("Series upstairs") && words.contains("502"), "{words}");
        assert_eq!(house.ask(tool, json!({ "media_type": "movie" })).await["outcome"], "answered");
    }
    let alone = LibraryHouse::empty().await;
    let refused = alone.ask("get_queue", json!({ "media_type": "music" })).await;
    assert_eq!((&refused["outcome"], &refused["code"]), (&json!("refused"), &json!("not_configured")));
    assert_eq!(arr.violations(), []);
    alone.town.stop().await;
    house.town.stop().await;
}

#[actix_web::test]
async fn every_service_answers_its_queue_and_says_which_library_it_was() {
    for kind in ArrKind::ALL {
        let house = LibraryHouse::empty().await;
        let (arr, afflicted) = ArrStandin::with_every_ailment(kind);
        house.add(&arr, "Ward").await;
        let result = house
            .result("get_queue", json!({ "media_type": common::library::service(kind).media_type().as_str() }))
            .await;
        let queue = &result["structuredContent"]["queues"][0];
        assert_eq!(
            (&queue["shown"], queue["total"].as_u64().unwrap() as usize),
            (&json!(30), arr.queue().len()),
            "{kind:?}"
        );
        assert!(queue["total"].as_u64().unwrap() as usize >= afflicted.len());
        let prose = prose_of(&result);
        assert!(prose.contains("\"Ward\"") && prose.contains("more ("), "{prose}");
        let text = result.to_string();
        assert!(!text.contains("0123456789abcdef") && !text.contains("127.0.0.1"), "{kind:?}");
        for download in afflicted.iter().filter_map(|download| download.download_id.as_ref()) {
            assert!(!text.contains(download.as_str()), "{kind:?}: {download}");
        }
        house.town.stop().await;
    }
}

/// What each fault comes to: words that a model can act on, and never a part of the queue, a host or a body.
#[actix_web::test]
async fn a_service_that_answers_wrongly_is_never_an_empty_queue() {
    let (house, arr, _, _) = downloading().await;
    for misbehaviour in [
        Misbehaviour::HungUp,
        Misbehaviour::Unauthorised,
        Misbehaviour::Forbidden,
        Misbehaviour::RateLimited { retry_after: None },
        Misbehaviour::Failing { status: 500 },
        Misbehaviour::Failing { status: 503 },
        Misbehaviour::Html,
        Misbehaviour::CutOff,
        Misbehaviour::Truncated,
        Misbehaviour::Huge { n_bytes: 65 << 20 },
        Misbehaviour::WrongTypes,
        Misbehaviour::Nulls { below: 1 },
        Misbehaviour::ErrorIn200,
        Misbehaviour::LoginRedirect,
        Misbehaviour::Nothing,
    ] {
        for tool in ["get_queue", "diagnose_queue"] {
            arr.prepare([misbehaviour]);
            let words = house.failure(tool, json!({ "media_type": "movie" })).await;
            assert!(words.contains("Radarr"), "{misbehaviour:?}: {words}");
            for leaked in ["127.0.0.1", "localhost", "System.Data", "/config", "<html"] {
                assert!(!words.contains(leaked), "{misbehaviour:?}: {words}");
            }
        }
    }
    for (shape, status, body) in [
        (
            "a validation error",
            400,
            json!([{ "propertyName": "page", "errorMessage": "secret /config", "severity": "error" }]),
        ),
        (
            "a problem",
            400,
            json!({ "type": "x", "title": "secret /config", "status": 400, "errors": { "page": ["secret"] } }),
        ),
        ("a message", 500, json!({ "message": "secret /config", "description": "at System.Data" })),
        ("starting", 503, json!({ "errorMessage": "Radarr is starting up, please try again later" })),
        ("a message with 200", 200, json!({ "message": "secret /config" })),
    ] {
        arr.answer_instead("GET */queue", status, body);
        let words = house.failure("get_queue", json!({ "media_type": "movie" })).await;
        assert!(words.contains("Radarr") && !words.contains("secret"), "{shape}: {words}");
        arr.forget_rules();
    }
    // 18 to 21 over the wire
    for (case, change) in [
        ("18", (|page: &mut Value| page["totalRecords"] = json!(2)) as fn(&mut Value)),
        ("19", |page| page["totalRecords"] = json!(1001)),
        ("21", |page| page["records"][0]["id"] = json!(0)),
        ("20", |page| {
            let twin = page["records"][0].clone();
            page["records"].as_array_mut().unwrap().push(twin);
            page["totalRecords"] = json!(2);
        }),
    ] {
        arr.alter("GET */queue", change);
        let words = house.failure("get_queue", json!({ "media_type": "movie" })).await;
        assert!(words.contains("Nothing of it is shown"), "{case}: {words}");
        arr.forget_rules();
    }
    assert_eq!(
        house.ask("get_queue", json!({ "media_type": "movie" })).await["queues"][0]["total"],
        1,
        "it heals by itself"
    );
    house.town.stop().await;
}

/// The answer is lost after the service did it, or before: the tool says that it is unknown and where to look, one request was sent, and the next
/// read shows the truth.
#[actix_web::test]
async fn a_change_whose_answer_is_lost_is_unknown_and_the_next_read_shows_the_truth() {
    for (misbehaviour, happened) in [
        (Misbehaviour::DoneButLost, true),
        (Misbehaviour::DoneButFailing { status: 504 }, true),
        (Misbehaviour::Failing { status: 502 }, false),
        (Misbehaviour::HungUp, false),
    ] {
        for tool in ["remove_queue_item", "remediate_queue_item"] {
            let (house, arr, _, row) = downloading().await;
            arr.misbehave("DELETE *", misbehaviour);
            let result = house.result(tool, in_order(tool, row)).await;
            let structured = &result["structuredContent"];
            assert_eq!(
                (&result["isError"], &structured["outcome"]),
                (&json!(true), &json!("unknown")),
                "{tool} {misbehaviour:?}: {result}"
            );
            assert!(structured["code"].is_string() && structured.get("removed_queue_id").is_none(), "{structured}");
            let prose = prose_of(&result);
            assert!(
                prose.contains("Do not repeat it") && prose.contains("get_queue {\"media_type\":\"movie\"}"),
                "{prose}"
            );
            assert_eq!(n_writes(&arr), 1, "{tool} {misbehaviour:?}");
            arr.forget_rules();
            let total = house.ask("get_queue", json!({ "media_type": "movie" })).await["queues"][0]["total"].clone();
            assert_eq!(total, json!(u32::from(!happened)), "{tool} {misbehaviour:?}");
            assert_eq!(n_writes(&arr), 1, "{tool} {misbehaviour:?}: it was repeated");
            house.town.stop().await;
        }
    }
}

#[actix_web::test]
async fn an_import_and_a_rescan_whose_answers_are_lost_say_so() {
    let (library, film) = one_film();
    let (house, arr, _) = LibraryHouse::with(ArrKind::Radarr, library).await;
    let stuck = arr.afflict("blocked-wordless", &[film]).unwrap();
    arr.misbehave("POST */command", Misbehaviour::DoneButLost);
    for tool in ["execute_manual_import", "rescan_media"] {
        arr.forget_requests();
        let result = house.result(tool, in_order(tool, stuck.queue_id)).await;
        assert_eq!(
            (&result["isError"], &result["structuredContent"]["outcome"]),
            (&json!(true), &json!("unknown")),
            "{tool}: {result}"
        );
        assert!(prose_of(&result).contains("get_queue"), "{result}");
        assert_eq!(n_writes(&arr), 1, "{tool}");
    }
    arr.forget_rules();
    arr.settle();
    assert!(arr.is_healed(&stuck), "the import had been taken");
    assert_eq!(house.ask("get_queue", json!({ "media_type": "movie" })).await["queues"][0]["total"], 0);

    // 104
    arr.forget_requests();
    arr.misbehave("POST */command", Misbehaviour::Failing { status: 500 });
    arr.misbehave_once("POST */command", Misbehaviour::None);
    let partial = house.result("rescan_media", json!({ "media_type": "movie", "tmdb_id": 603 })).await;
    assert_eq!(
        (&partial["isError"], &partial["structuredContent"]["outcome"]),
        (&json!(true), &json!("partial")),
        "{partial}"
    );
    assert!(prose_of(&partial).contains("was accepted"), "{partial}");
    assert_eq!(n_writes(&arr), 2);
    house.town.stop().await;
}

#[actix_web::test]
async fn what_was_done_is_said_in_words_and_in_structure() {
    let (house, arr, id, row) = downloading().await;
    let removed =
        house.result("remove_queue_item", json!({ "queue_id": row, "media_type": "movie", "blocklist": true })).await;
    let structured = &removed["structuredContent"];
    assert_eq!(
        (
            &structured["outcome"],
            &structured["removed_queue_id"],
            &structured["blocklisted"],
            &structured["libraries"][0]["instance_id"]
        ),
        (&json!("done"), &json!(row), &json!(true), &json!(id))
    );
    assert!(prose_of(&removed).contains("whole download"), "{removed}");
    let gone = house.result("remediate_queue_item", in_order("remediate_queue_item", row)).await;
    assert_eq!(
        (&gone["isError"], &gone["structuredContent"]["outcome"], &gone["structuredContent"]["code"]),
        (&json!(true), &json!("not_started"), &json!("queue_item_missing"))
    );
    assert_eq!(arr.violations(), []);
    house.town.stop().await;
}

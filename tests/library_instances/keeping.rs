//! Adding, testing, editing, granting and removing a library.

use playhouse::control::{AccountOrder, InstanceOrder, Order, OrderReply};
use playhouse_house::{AccountId, Role, Scope};
use playhouse_library::Service;
use playhouse_standins::{ArrKind, ArrSettings, ArrStandin, Library, Misbehaviour};
use reqwest::Method;
use serde_json::{Value, json};

use crate::common::Town;
use crate::common::library::{KEY, LibraryHouse};
use crate::{body, missing, radarr};

#[actix_web::test]
async fn a_library_is_added_listed_edited_and_removed_over_rest_and_its_key_never_comes_out() {
    let house = LibraryHouse::empty().await;
    let standin = radarr();

    let added = house.rest(Method::POST, "/v1/instances", Some(body(&standin, "Films"))).await;
    assert_eq!(added.status, 201, "{added:?}");
    let id = added.json()["id"].as_str().unwrap().to_owned();
    assert!(id.strip_prefix("radarr-").is_some_and(|digits| digits.len() == 8), "{id}");
    assert_eq!(added.json()["connected"]["app_name"], "Radarr");

    let edited = house.rest(Method::PATCH, &format!("/v1/instances/{id}"), Some(json!({ "name": "4K" }))).await;
    let listed = house.rest(Method::GET, "/v1/instances", None).await;
    let shown = house.rest(Method::GET, &format!("/v1/instances/{id}"), None).await;
    for answer in [&added, &edited, &listed, &shown] {
        assert!(!answer.text.contains(KEY), "{answer:?}");
        assert_eq!(answer.header("cache-control"), Some("no-store"), "{answer:?}");
    }
    assert_eq!(listed.json()["instances"][0]["name"], "4K");
    assert_eq!((&shown.json()["is_default"], &shown.json()["has_api_key"]), (&json!(true), &json!(true)));

    let removed = house.rest(Method::DELETE, &format!("/v1/instances/{id}"), None).await;
    assert_eq!(removed.status, 204);
    for (method, path) in [
        (Method::GET, format!("/v1/instances/{id}")),
        (Method::DELETE, format!("/v1/instances/{id}")),
        (Method::GET, "/v1/instances/radarr-00000000".to_owned()),
        (Method::GET, "/v1/instances/nonsense".to_owned()),
    ] {
        let gone = house.rest(method, &path, None).await;
        assert_eq!((gone.status, gone.text.as_str()), (404, missing().as_str()), "{path}");
    }
    house.town.stop().await;
}

#[actix_web::test]
async fn a_removed_library_is_unknown_on_the_very_next_call() {
    let (house, standin, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let asked = json!({ "media_type": "movie", "instance_id": id });
    assert_eq!(house.ask("get_arr_health", asked.clone()).await["outcome"], "answered");
    standin.forget_requests();

    assert_eq!(house.rest(Method::DELETE, &format!("/v1/instances/{id}"), None).await.status, 204);

    let answer = house.ask("get_arr_health", asked).await;
    assert_eq!((&answer["outcome"], &answer["code"]), (&json!("refused"), &json!("instance_unknown")));
    assert_eq!(standin.n_requests(), 0);
    house.town.stop().await;
}

#[actix_web::test]
async fn a_new_address_holds_for_the_very_next_call() {
    let (house, old, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let new = ArrStandin::start_with(
        ArrKind::Radarr,
        ArrSettings { api_key: "0".repeat(32), ..ArrSettings::default() },
        Library::empty(ArrKind::Radarr),
    );
    house.ask("get_arr_health", json!({ "media_type": "movie" })).await;
    old.forget_requests();

    let changes = json!({ "url": new.url().as_str(), "api_key": new.api_key() });
    assert_eq!(house.rest(Method::PATCH, &format!("/v1/instances/{id}"), Some(changes)).await.status, 200);
    new.forget_requests();
    house.ask("get_arr_health", json!({ "media_type": "movie" })).await;

    assert_eq!((old.n_requests(), new.n_requests()), (0, 1));
    house.town.stop().await;
}

#[actix_web::test]
async fn a_blank_key_on_an_edit_keeps_the_stored_one() {
    let (house, standin, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let whole = json!({ "name": "Films", "url": standin.url().as_str(), "api_key": "  " });
    let edited = house.rest(Method::PUT, &format!("/v1/instances/{id}"), Some(whole)).await;
    assert_eq!(edited.status, 200, "{edited:?}");
    assert_eq!(house.ask("get_arr_health", json!({ "media_type": "movie" })).await["outcome"], "answered");
    house.town.stop().await;
}

#[actix_web::test]
async fn the_stored_key_goes_to_the_scheme_host_and_port_it_was_given_for_and_nowhere_else() {
    let (house, standin, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let other = radarr();
    let port = standin.url().port().unwrap();
    let by_name = format!("http://localhost:{port}");
    let secure = format!("https://127.0.0.1:{port}");
    for url in [other.url().as_str(), &by_name, &secure] {
        for key in [None, Some("  ")] {
            let mut changes = json!({ "url": url });
            if let Some(key) = key {
                changes["api_key"] = json!(key);
            }
            let edited = house.rest(Method::PATCH, &format!("/v1/instances/{id}"), Some(changes.clone())).await;
            changes["id"] = json!(id);
            let tested = house.rest(Method::POST, "/v1/instances/test", Some(changes)).await;
            for refused in [edited, tested] {
                assert_eq!(refused.status, 400, "{url}: {refused:?}");
                let detail = refused.json()["detail"].as_str().unwrap().to_owned();
                assert!(detail.starts_with("Another address needs the API key again"), "{detail}");
            }
        }
        let order = InstanceOrder::Edit {
            house: house.house.clone(),
            instance: id.clone(),
            name: None,
            url: Some(url.to_owned()),
            api_key: None,
            sort_order: None,
        };
        let words = house.town.order(Order::Instance(order)).await.err().unwrap();
        assert!(words.starts_with("another address needs the API key again"), "{words}");
    }
    assert_eq!((standin.n_requests(), other.n_requests()), (0, 0), "the key was sent there");

    let with_its_key = json!({ "id": id, "url": other.url().as_str(), "api_key": other.api_key() });
    assert_eq!(house.rest(Method::POST, "/v1/instances/test", Some(with_its_key)).await.status, 200);
    let shown = house.rest(Method::GET, &format!("/v1/instances/{id}"), None).await.json();
    assert_eq!(shown["url"], standin.url().as_str().trim_end_matches('/'));
    house.town.stop().await;
}

#[actix_web::test]
async fn another_path_at_the_same_origin_keeps_the_stored_key() {
    let house = LibraryHouse::empty().await;
    let settings = ArrSettings { url_base: "/radarr".to_owned(), ..ArrSettings::default() };
    let standin = ArrStandin::start_with(ArrKind::Radarr, settings, Library::empty(ArrKind::Radarr));
    let id = house.add(&standin, "Films").await;
    let mut elsewhere = standin.url();
    elsewhere.set_path("/films");
    let changes = json!({ "url": elsewhere.as_str() });
    let edited = house.rest(Method::PATCH, &format!("/v1/instances/{id}"), Some(changes)).await;
    assert!(edited.json()["detail"].as_str().unwrap().starts_with("connection test failed"), "{edited:?}");
    assert_eq!(standin.n_requests(), 1, "it was not even asked");
    let same = json!({ "url": standin.url().as_str() });
    assert_eq!(house.rest(Method::PATCH, &format!("/v1/instances/{id}"), Some(same)).await.status, 200);
    house.town.stop().await;
}

#[actix_web::test]
async fn an_edit_whose_connection_was_changed_by_another_meanwhile_is_a_conflict() {
    let (house, old, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let new = radarr();
    let path = format!("/v1/instances/{id}");
    // The key alone is tested against the old address, while somebody moves the library to another.
    old.misbehave("GET */system/status", Misbehaviour::Slow);
    let first = house.rest(Method::PATCH, &path, Some(json!({ "name": "Mine", "api_key": old.api_key() })));
    let second = async {
        old.until_held(1).await;
        let changes = json!({ "url": new.url().as_str(), "api_key": new.api_key() });
        let moved = house.rest(Method::PATCH, &path, Some(changes)).await;
        old.release();
        moved
    };
    let (first, second) = futures_util::join!(first, second);
    assert_eq!((first.status, second.status), (409, 200), "{first:?}");
    assert!(first.json()["detail"].as_str().unwrap().contains("while the connection was tested"), "{first:?}");
    let shown = house.rest(Method::GET, &path, None).await.json();
    assert_eq!((&shown["name"], shown["url"].as_str()), (&json!("Radarr"), new.url().as_str().strip_suffix('/')));

    // What does not touch the connection is no conflict.
    old.forget_rules();
    new.misbehave("GET */system/status", Misbehaviour::Slow);
    let first = house.rest(Method::PATCH, &path, Some(json!({ "api_key": new.api_key() })));
    let second = async {
        new.until_held(1).await;
        let renamed = house.rest(Method::PATCH, &path, Some(json!({ "name": "4K" }))).await;
        new.release();
        renamed
    };
    let (first, second) = futures_util::join!(first, second);
    assert_eq!((first.status, second.status), (200, 200), "{first:?}");
    assert_eq!(house.rest(Method::GET, &path, None).await.json()["name"], "4K");
    house.town.stop().await;
}

#[actix_web::test]
async fn a_library_keeps_its_service() {
    let (house, _standin, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let changes = Some(json!({ "service": "sonarr" }));
    let refused = house.rest(Method::PATCH, &format!("/v1/instances/{id}"), changes).await;
    assert_eq!(refused.status, 400, "{refused:?}");
    assert!(refused.json()["detail"].as_str().unwrap().contains("this one is Radarr"), "{refused:?}");
    house.town.stop().await;
}

/// What an application that is not as it should be makes of a connection test.
#[actix_web::test]
async fn the_connection_test_tells_apart_what_is_wrong() {
    let house = LibraryHouse::empty().await;
    let old = |kind, version: &str| {
        let settings = ArrSettings { version: Some(version.to_owned()), ..ArrSettings::default() };
        ArrStandin::start_with(kind, settings, Library::empty(kind))
    };
    let based = ArrStandin::start_with(
        ArrKind::Radarr,
        ArrSettings { url_base: "/radarr".to_owned(), ..ArrSettings::default() },
        Library::empty(ArrKind::Radarr),
    );
    let standin = radarr();
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        format!("http://{}", listener.local_addr().unwrap())
    };
    let mut without_base = based.url();
    without_base.set_path("");
    let starting = radarr();
    starting.set_starting(true);
    let page = radarr();
    page.behave(Misbehaviour::Html);
    let login = radarr();
    login.behave(Misbehaviour::LoginRedirect);
    let failing = radarr();
    failing.behave(Misbehaviour::Failing { status: 502 });
    let sonarr = ArrStandin::start(ArrKind::Sonarr, Library::empty(ArrKind::Sonarr));
    let old_radarr = old(ArrKind::Radarr, "3.2.2.5080");
    let wrong_path = format!("{}no/such", standin.url());
    let secure = standin.url().as_str().replace("http://", "https://");

    for (case, url, key, expected) in [
        ("unreachable: refused", closed.as_str(), KEY, "connection refused"),
        ("unreachable: no such host", "http://no-such-host.invalid:7878", KEY, "cannot resolve host"),
        ("TLS", secure.as_str(), KEY, "TLS verification failed"),
        ("wrong base path: redirect", without_base.as_str(), KEY, "redirect (status 307)"),
        ("wrong base path: HTML", wrong_path.as_str(), KEY, "instead of data"),
        ("a login page", page.url().as_str(), KEY, "instead of data"),
        ("a redirect to a login", login.url().as_str(), KEY, "redirect (status 302)"),
        ("wrong key", standin.url().as_str(), "ffffffffffffffffffffffffffffffff", "invalid API key"),
        ("wrong service", sonarr.url().as_str(), KEY, "this is Sonarr, not Radarr"),
        ("too old", old_radarr.url().as_str(), KEY, "Radarr 3.2.2.5080 is too old: version 4"),
        ("starting", starting.url().as_str(), KEY, "is starting"),
        ("another status", failing.url().as_str(), KEY, "status 502"),
    ] {
        let sent = json!({ "service": "radarr", "name": "Films", "url": url, "api_key": key });
        let added = house.rest(Method::POST, "/v1/instances", Some(sent.clone())).await;
        let mut trial = sent;
        trial.as_object_mut().unwrap().remove("name");
        let tested = house.rest(Method::POST, "/v1/instances/test", Some(trial)).await;
        for answer in [added, tested] {
            assert_eq!(answer.status, 400, "{case}: {answer:?}");
            let detail = answer.json()["detail"].as_str().unwrap().to_owned();
            assert!(detail.starts_with("connection test failed: "), "{case}: {detail}");
            assert!(detail.contains(expected), "{case}: {detail}");
            for secret in [KEY, "127.0.0.1", "no-such-host"] {
                assert!(!detail.contains(secret), "{case}: {detail}");
            }
        }
    }
    assert_eq!(house.rest(Method::GET, "/v1/instances", None).await.json()["instances"], json!([]));
    house.town.stop().await;
}

#[actix_web::test]
async fn a_readarr_is_taken_for_a_chaptarr() {
    let house = LibraryHouse::empty().await;
    let settings = ArrSettings { app_name: Some("Readarr".to_owned()), ..ArrSettings::default() };
    let readarr = ArrStandin::start_with(ArrKind::Chaptarr, settings, Library::empty(ArrKind::Chaptarr));
    let added = house.rest(Method::POST, "/v1/instances", Some(body(&readarr, "Books"))).await;
    assert_eq!((added.status, &added.json()["connected"]["app_name"]), (201, &json!("Readarr")));
    house.town.stop().await;
}

#[actix_web::test]
async fn an_edit_that_does_not_connect_changes_nothing() {
    let (house, standin, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let changes = Some(json!({ "name": "Other", "api_key": "ffffffffffffffffffffffffffffffff" }));
    let refused = house.rest(Method::PATCH, &format!("/v1/instances/{id}"), changes).await;
    assert_eq!(refused.status, 400, "{refused:?}");
    assert_eq!(house.rest(Method::GET, &format!("/v1/instances/{id}"), None).await.json()["name"], "Radarr");
    assert_eq!(house.ask("get_arr_health", json!({ "media_type": "movie" })).await["outcome"], "answered");
    assert_eq!(standin.violations(), []);
    house.town.stop().await;
}

#[actix_web::test]
async fn a_name_can_be_changed_while_the_library_is_down() {
    let (house, standin, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    standin.behave(Misbehaviour::HungUp);
    let edited = house.rest(Method::PATCH, &format!("/v1/instances/{id}"), Some(json!({ "name": "4K" }))).await;
    assert_eq!((edited.status, &edited.json()["name"]), (200, &json!("4K")));
    assert_eq!(standin.n_requests(), 0);
    house.town.stop().await;
}

#[actix_web::test]
async fn case_160_an_address_is_scheme_host_port_and_base_and_nothing_else() {
    let house = LibraryHouse::empty().await;
    for url in
        ["http://me:pass@radarr", "http://radarr?apikey=1", "http://radarr/#x", "radarr:7878", "ftp://radarr", ""]
    {
        let sent = json!({ "service": "radarr", "name": "Films", "url": url, "api_key": KEY });
        let refused = house.rest(Method::POST, "/v1/instances", Some(sent)).await;
        assert_eq!((refused.status, &refused.json()["errors"][0]["field"]), (422, &json!("url")), "{url}: {refused:?}");
    }
    // Names inside a cluster are addresses; that nothing answers there comes out later.
    for url in ["http://sonarr", "http://chaptarr:8787/books"] {
        let sent = json!({ "service": "sonarr", "name": "Series", "url": url, "api_key": KEY });
        let refused = house.rest(Method::POST, "/v1/instances", Some(sent)).await;
        assert_eq!(refused.status, 400, "{url}: {refused:?}");
        assert!(refused.json()["detail"].as_str().unwrap().starts_with("connection test failed"), "{refused:?}");
    }
    house.town.stop().await;
}

#[actix_web::test]
async fn case_161_a_test_of_a_kept_library_uses_its_key() {
    let (house, standin, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let test = async |body: Value| house.rest(Method::POST, "/v1/instances/test", Some(body)).await;
    assert_eq!(test(json!({ "id": id, "api_key": "" })).await.json()["app_name"], "Radarr");
    assert_eq!(house.rest(Method::POST, &format!("/v1/instances/{id}/test"), None).await.status, 200);
    assert_eq!(test(json!({ "id": id, "api_key": "f".repeat(32) })).await.status, 400);
    assert_eq!(test(json!({ "id": "radarr-ffffffff", "api_key": KEY })).await.status, 404);
    let unknown = json!({ "service": "prowlarr", "url": standin.url().as_str(), "api_key": KEY });
    assert_eq!(test(unknown).await.status, 400);
    assert_eq!(test(json!({ "id": id, "service": "sonarr" })).await.status, 400);
    assert_eq!(test(json!({ "service": "radarr" })).await.status, 422);
    assert_eq!(standin.violations(), []);
    house.town.stop().await;
}

#[actix_web::test]
async fn names_keys_and_numbers_are_bounded() {
    let house = LibraryHouse::empty().await;
    let standin = radarr();
    for (field, value) in [
        ("name", json!("")),
        ("name", json!("x".repeat(81))),
        ("name", json!("a\nb")),
        ("url", json!(format!("http://radarr/{}", "x".repeat(2_000)))),
        ("api_key", json!("")),
        ("api_key", json!("a b")),
        ("api_key", json!("x".repeat(257))),
        ("sort_order", json!("first")),
        ("colour", json!("red")),
    ] {
        let mut sent = body(&standin, "Films");
        sent[field] = value.clone();
        let refused = house.rest(Method::POST, "/v1/instances", Some(sent)).await;
        assert_eq!(refused.status, 422, "{field} {value}: {refused:?}");
    }
    assert_eq!(standin.n_requests(), 0);
    house.town.stop().await;
}

#[actix_web::test]
async fn a_grant_is_listed_and_goes_with_its_account() {
    let (house, _standin, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let create = AccountOrder::Create { house: house.house.clone(), name: "Ada".into(), role: Role::User };
    let Ok(OrderReply::Account(ada)) = house.town.order(Order::Account(create)).await else { panic!("an account") };
    let path = format!("/v1/instances/{id}/grants/{}", ada.id);

    for _ in 0..2 {
        let granted = house.rest(Method::PUT, &path, None).await;
        assert_eq!((granted.status, &granted.json()["granted_to"]), (200, &json!([ada.id])), "{granted:?}");
    }
    assert_eq!(house.rest(Method::DELETE, &path, None).await.json()["granted_to"], json!([]));
    house.rest(Method::PUT, &path, None).await;
    let remove = AccountOrder::Remove { house: house.house.clone(), account: "Ada".into() };
    house.town.order(Order::Account(remove)).await.unwrap();
    assert_eq!(house.rest(Method::GET, &format!("/v1/instances/{id}"), None).await.json()["granted_to"], json!([]));

    for nobody in [AccountId::new().to_string(), "nonsense".to_owned()] {
        let refused = house.rest(Method::PUT, &format!("/v1/instances/{id}/grants/{nobody}"), None).await;
        assert_eq!(refused.status, 404, "{refused:?}");
    }
    house.town.stop().await;
}

#[actix_web::test]
async fn another_houses_library_is_answered_like_one_that_there_is_not() {
    let (house, standin, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let other = house.town.house("Other").await;
    let key = house.town.key(&other, &[Scope::MediaAdmin, Scope::HouseAdmin]).await;
    let health = async |id: &str| {
        let arguments = json!({ "media_type": "movie", "instance_id": id });
        house.town.call(&key, "get_arr_health", arguments).await.text.replace(id, "ID")
    };
    assert_eq!(health(&id).await, health("radarr-00000000").await);
    let get = |id: &str| house.town.http.get(house.town.url(&format!("/v1/instances/{id}"))).bearer_auth(&key);
    let (theirs, nobodys) = (house.town.send(get(&id)).await, house.town.send(get("radarr-00000000")).await);
    assert_eq!((theirs.status, theirs.text), (nobodys.status, nobodys.text));
    assert_eq!(standin.n_requests(), 0);
    house.town.stop().await;
}

#[actix_web::test]
async fn libraries_survive_a_restart() {
    let (house, standin, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let (id_of_house, folder) = (house.house.clone(), house.town.stop().await);
    let town = Town::start_in(folder, |_| {}).await;
    let key = town.key(&id_of_house, &[Scope::MediaAdmin]).await;
    let answer = town.ask(&key, "get_arr_health", json!({ "instance_id": id, "media_type": "movie" })).await;
    assert_eq!((&answer["outcome"], standin.n_requests()), (&json!("answered"), 1));
    town.stop().await;
}

#[actix_web::test]
async fn a_server_that_many_share_calls_nothing_in_its_own_network() {
    let house = LibraryHouse::in_town(Town::start_with(|config| config.library.hosted = true).await).await;
    let standin = radarr();
    let refused = house.rest(Method::POST, "/v1/instances", Some(body(&standin, "Films"))).await;
    assert_eq!(refused.status, 400, "{refused:?}");
    assert!(refused.json()["detail"].as_str().unwrap().contains("does not call"), "{refused:?}");
    assert_eq!(standin.n_requests(), 0);
    house.town.stop().await;
}

#[actix_web::test]
async fn a_house_has_at_most_64_libraries() {
    let house = LibraryHouse::empty().await;
    let standin = radarr();
    for n in 0..64 {
        let added = house.try_add(Service::Radarr, &format!("Films {n}"), standin.url().as_str(), KEY).await;
        assert!(added.is_ok(), "{n}: {added:?}");
    }
    let refused = house.try_add(Service::Radarr, "One more", standin.url().as_str(), KEY).await;
    assert!(refused.unwrap_err().contains("64 instances"));
    house.town.stop().await;
}

#[actix_web::test]
async fn the_operator_names_a_library_by_its_name_where_there_is_one_of_it() {
    let (house, standin, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let order =
        |named: &str| Order::Instance(InstanceOrder::Test { house: house.house.clone(), instance: named.to_owned() });
    for named in ["Radarr", id.as_str()] {
        assert!(house.town.order(order(named)).await.is_ok(), "{named}");
    }
    house.add(&standin, "Radarr").await;
    assert!(house.town.order(order("Radarr")).await.is_err_and(|words| words.contains("several")));
    assert!(house.town.order(order("Films")).await.is_err_and(|words| words.contains("no instance `Films`")));
    // One that is called by another's id does not stand in its way.
    house.add(&standin, &id).await;
    assert!(house.town.order(order(&id)).await.is_ok());
    house.town.stop().await;
}

#[actix_web::test]
async fn the_health_page_shows_which_library_is_left_alone() {
    let (house, standin, id) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let operator = house.town.operator_key().await;
    let page = async || {
        let get = house.town.http.get(house.town.url("/v1/health/actors")).bearer_auth(&operator);
        house.town.send(get).await.json()["libraries"].clone()
    };
    assert_eq!(page().await, json!([]), "an actor was started for it");
    standin.behave(Misbehaviour::HungUp);
    let health = json!({ "media_type": "movie" });
    while page().await[0]["circuit"]["state"] != "open" {
        house.failure("get_arr_health", health.clone()).await;
    }
    assert_eq!(page().await[0]["instance"], json!(id));
    standin.forget_requests();
    let words = house.failure("get_arr_health", health).await;
    assert!(words.contains("left alone"), "{words}");
    assert_eq!(standin.n_requests(), 0);
    house.town.stop().await;
}

//! The stream of what happens to proposals.

use playhouse::control::{AccountOrder, Order};
use playhouse_house::{Role, Scope};
use serde_json::json;

use crate::common::Town;
use crate::scene::{PROFILE, Scene};
use crate::stream::Stream;

#[actix_web::test]
async fn a_house_that_has_all_its_streams_is_told_when_to_come_back_and_others_have_theirs() {
    let town = Town::start_with(|config| config.events.max_streams_per_house = 2).await;
    let (house, other) = (town.house("Kestrel Street").await, town.house("Elsewhere").await);
    let admin = town.key(&house, &[Scope::HouseAdmin]).await;
    let stranger = town.key(&other, &[Scope::HouseAdmin]).await;
    let _first = Stream::open(&town, &admin, "/v1/events", None).await;
    let _second = Stream::open(&town, &admin, "/v1/events", None).await;
    let refused = town.rest(&admin, "GET", "/v1/events", None).await;
    assert_eq!((refused.status, refused.header("retry-after")), (429, Some("30")));
    assert!(refused.json()["detail"].as_str().unwrap().contains("2 event streams"), "{refused:?}");
    let _theirs = Stream::open(&town, &stranger, "/v1/events", None).await;
    town.stop().await;
}

#[actix_web::test]
async fn a_server_that_has_all_its_streams_says_when_to_come_back() {
    let town = Town::start_with(|config| {
        config.events = playhouse::config::Events { max_streams: 1, max_streams_per_house: 1 }
    })
    .await;
    let (house, other) = (town.house("Kestrel Street").await, town.house("Elsewhere").await);
    let admin = town.key(&house, &[Scope::HouseAdmin]).await;
    let stranger = town.key(&other, &[Scope::HouseAdmin]).await;
    let _only = Stream::open(&town, &admin, "/v1/events", None).await;
    let refused = town.rest(&stranger, "GET", "/v1/events", None).await;
    assert_eq!((refused.status, refused.header("retry-after")), (503, Some("30")));
    town.stop().await;
}

#[actix_web::test]
async fn an_event_to_go_on_after_is_a_number() {
    let town = Town::start().await;
    let house = town.house("Kestrel Street").await;
    let admin = town.key(&house, &[Scope::HouseAdmin]).await;
    for path in ["/v1/events?after=x", "/v1/events?after=-1"] {
        assert_eq!(town.rest(&admin, "GET", path, None).await.status, 400, "{path}");
    }
    let odd = town.http.get(town.url("/v1/events")).bearer_auth(&admin).header("Last-Event-ID", "x");
    let refused = town.send(odd).await;
    let words = json!({ "detail": "The id to go on after is a whole number, such as 7." });
    assert_eq!((refused.status, refused.json()), (400, words));
    town.stop().await;
}

#[actix_web::test]
async fn a_server_that_stops_ends_its_streams_and_does_not_wait_for_them() {
    let town = Town::start().await;
    let house = town.house("Kestrel Street").await;
    let admin = town.key(&house, &[Scope::HouseAdmin]).await;
    let mut stream = Stream::open(&town, &admin, "/v1/events", None).await;
    let began = std::time::Instant::now();
    town.stop().await;
    assert_eq!(stream.event().await, None);
    assert!(began.elapsed() < std::time::Duration::from_secs(10), "{:?}", began.elapsed());
}

#[actix_web::test]
async fn an_admin_hears_of_a_proposal_and_of_what_became_of_it() {
    let scene = Scene::set().await;
    let admin = scene.house.admin.as_str();
    let mut stream = Stream::open(scene.town(), admin, "/v1/events", None).await;
    let first = scene.propose(10).await;
    let pending = stream.event().await.unwrap();
    assert_eq!(pending.name, "profile_change_pending");
    for (field, value) in [
        ("proposal_id", first["id"].clone()),
        ("service", json!("radarr")),
        ("instance_id", json!(scene.library)),
        ("profile_id", json!(PROFILE)),
        ("profile_name", json!("HD-1080p")),
        ("pending_count", json!(1)),
    ] {
        assert_eq!(pending.data[field], value, "{field} in {pending:?}");
    }
    // The same again pages nobody; another one takes its place.
    scene.propose(10).await;
    let second = scene.propose(20).await;
    let replaced = [stream.event().await.unwrap(), stream.event().await.unwrap()];
    assert_eq!(
        replaced.each_ref().map(|event| event.name.as_str()),
        ["profile_change_decided", "profile_change_pending"]
    );
    assert_eq!(replaced.each_ref().map(|event| &event.data["proposal_id"]), [&first["id"], &second["id"]]);

    assert_eq!(scene.approve(&second).await.status, 200);
    let decided = stream.event().await.unwrap();
    assert_eq!((decided.name.as_str(), &decided.data["pending_count"]), ("profile_change_decided", &json!(0)));
    assert_eq!([pending.id, replaced[0].id, replaced[1].id, decided.id], [1, 2, 3, 4]);

    // Taken up again where it broke off, by header and by address, and from the beginning.
    for (path, last_seen, expected) in [
        ("/v1/events", Some(2), &[3, 4][..]),
        ("/v1/events?after=1", None, &[2, 3, 4]),
        ("/v1/events?after=0", Some(3), &[4]),
    ] {
        let mut again = Stream::open(scene.town(), admin, path, last_seen).await;
        for id in expected {
            assert_eq!(again.event().await.map(|event| event.id), Some(*id), "{path} {last_seen:?}");
        }
    }
    scene.house.town.stop().await;
}

#[actix_web::test]
async fn a_revoked_key_hears_nothing_any_more_and_other_houses_never_did() {
    let scene = Scene::set().await;
    let house = scene.house.house.as_str();
    let revoked = scene.town().key(house, &[Scope::HouseAdmin]).await;
    let demoted = scene.town().key_of_person(house, "Ada", Role::Admin, &[Scope::HouseAdmin]).await;
    let other = scene.town().house("Elsewhere").await;
    let stranger = scene.town().key(&other, &[Scope::HouseAdmin]).await;
    let mut of_revoked = Stream::open(scene.town(), &revoked, "/v1/events", None).await;
    let mut of_demoted = Stream::open(scene.town(), &demoted, "/v1/events", None).await;
    let mut of_other = Stream::open(scene.town(), &stranger, "/v1/events", None).await;
    scene.propose(1).await;
    assert!(of_revoked.event().await.is_some() && of_demoted.event().await.is_some());

    scene.town().revoke(house, &revoked).await;
    let role = AccountOrder::SetRole { house: house.to_owned(), account: "Ada".to_owned(), role: Role::User };
    scene.town().order(Order::Account(role)).await.unwrap();
    scene.propose(2).await;
    assert_eq!((of_revoked.event().await, of_demoted.event().await), (None, None));
    scene.town().revoke(&other, &stranger).await;
    scene.house.town.stop().await;
    assert_eq!(of_other.event().await, None);
}

#[actix_web::test]
async fn events_outlive_the_server() {
    let scene = Scene::set().await;
    scene.propose(1).await;
    let admin = scene.house.admin.clone();
    let town = Town::start_in(scene.house.town.stop().await, |_| {}).await;
    let mut stream = Stream::open(&town, &admin, "/v1/events?after=0", None).await;
    assert_eq!(
        stream.event().await.map(|event| (event.id, event.name)),
        Some((1, "profile_change_pending".to_owned()))
    );
    town.stop().await;
}

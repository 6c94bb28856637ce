//! The stream of what happens to proposals.

use playhouse_house::Scope;
use serde_json::json;

use super::stream::Stream;
use crate::common::Town;

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

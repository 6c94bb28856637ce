//! What happens to proposals when nobody asks for them.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use jiff::Timestamp;
use playhouse_proposals::EventKind;

use crate::common::PATIENCE;
use crate::scene::Scene;

#[actix_web::test]
async fn what_nobody_decided_is_told_to_have_expired_within_a_minute_though_nobody_asks() {
    let now = Arc::new(AtomicI64::new(1_796_040_000));
    let reading = Arc::clone(&now);
    let scene = Scene::set_at(Arc::new(move || Timestamp::from_second(reading.load(Ordering::Relaxed)).unwrap())).await;
    let house = scene.house.house.parse().unwrap();
    scene.propose(1).await;
    let mut heard = scene.town().running.instance.events.listen(house);
    now.fetch_add(7 * 24 * 60 * 60, Ordering::Relaxed);

    // A minute of those that the server counts; from there on its clock goes on by itself.
    tokio::time::pause();
    tokio::time::advance(Duration::from_secs(61)).await;
    tokio::time::resume();

    let event = tokio::time::timeout(PATIENCE, heard.recv()).await.unwrap().unwrap();
    assert!(matches!(event.kind, EventKind::ProfileChangeDecided { pending_count: 0, .. }), "{event:?}");
}

use std::sync::Arc;

use jiff::ToSpan;
use playhouse_catalog::tmdb::TitleKind;
use playhouse_store::{MemoryStore, encode};

use super::*;
use crate::offer::{Level, Service, TitleOffer};
use crate::provider::Provider;
use crate::resolution::{MatchedTitle, Missing, Nowhere, Source};

fn noon() -> Timestamp {
    "2026-11-30T12:00:00Z".parse().unwrap()
}

fn title() -> MatchedTitle {
    MatchedTitle {
        tmdb_id: 603,
        kind: TitleKind::Movie,
        name: "The Matrix".into(),
        year: Some(1999),
        season: None,
        episode: None,
        imdb_id: None,
    }
}

fn offer(available_to: Option<&str>) -> TitleOffer {
    let service = Service {
        provider: Some(Provider::Netflix),
        is_channel: false,
        technical_name: "netflix".into(),
        name: "Netflix".into(),
    };
    TitleOffer {
        service,
        links: vec![],
        level: Level::Title,
        available_to: available_to.map(|day| day.parse().unwrap()),
    }
}

fn resolved(available_to: Option<&str>, keep: Keep) -> Walked {
    let resolution = Resolution {
        title: title(),
        source: Source::JustWatch,
        offers: vec![offer(available_to)],
        alternatives: vec![],
        runners_up: vec![],
    };
    Walked { answer: Ok(resolution), keep }
}

fn failed(error: ResolveError, keep: Keep) -> Walked {
    Walked { answer: Err(error), keep }
}

fn store() -> SharedStore {
    Arc::new(MemoryStore::new())
}

async fn cache(store: &SharedStore, max_entries: usize) -> Cache {
    Cache::open(store.clone(), max_entries).await.unwrap()
}

/// The hours for which an answer is given again, up to a year.
async fn kept_hours(walked: &Walked) -> i64 {
    let cache = cache(&store(), 10).await;
    cache.put("q", walked, noon()).await;
    let mut hours = 0;
    while hours < 365 * 24 && cache.get("q", noon() + hours.hours()).await.is_some() {
        hours += 1;
    }
    hours
}

#[tokio::test]
async fn a_resolution_is_kept_for_sixty_days() {
    assert_eq!(kept_hours(&resolved(None, Keep::Long)).await, 60 * 24);
}

#[tokio::test]
async fn a_resolution_is_not_kept_beyond_the_last_day_of_an_offer() {
    assert_eq!(kept_hours(&resolved(Some("2026-12-02"), Keep::Long)).await, 12 + 2 * 24);
    assert_eq!(kept_hours(&resolved(Some("2028-01-01"), Keep::Long)).await, 60 * 24);
}

#[tokio::test]
async fn failures_and_no_offers_are_kept_for_hours_and_troubles_not_at_all() {
    assert_eq!(kept_hours(&failed(ResolveError::NotFound(Missing::Title), Keep::Hours)).await, 6);
    let nowhere = Nowhere {
        title: title(),
        country: "US".parse().unwrap(),
        asked: None,
        alternatives: vec![],
        only_paid: true,
        without_links: false,
        runners_up: vec![],
    };
    assert_eq!(kept_hours(&failed(ResolveError::NoProvider(Box::new(nowhere)), Keep::Hours)).await, 6);
    assert_eq!(kept_hours(&resolved(None, Keep::Briefly)).await, 1, "20 minutes");
    assert_eq!(kept_hours(&failed(ResolveError::BrokenOff, Keep::No)).await, 0);
}

#[tokio::test]
async fn what_is_kept_survives_a_restart() {
    let store = store();
    let before = resolved(Some("2027-01-01"), Keep::Long);
    cache(&store, 10).await.put("q", &before, noon()).await;

    let after = cache(&store, 10).await;

    assert_eq!(after.n_entries(), 1);
    assert_eq!(after.get("q", noon()).await, Some(before.answer));
    assert_eq!(after.get("another", noon()).await, None);
}

#[tokio::test]
async fn an_answer_of_another_map_or_schema_is_not_used() {
    for (schema, map) in [(SCHEMA_REVISION + 1, map_revision()), (SCHEMA_REVISION, map_revision() - 1)] {
        let store = store();
        let Walked { answer, .. } = resolved(None, Keep::Long);
        let kept = KeptAnswer { schema, map, made_at: noon(), expires_at: noon() + 1000.hours(), answer };
        let put = put(path_of("q").unwrap(), &kept, Expect::Any).unwrap();
        store.commit(HouseId::INSTANCE, vec![put], None).await.unwrap();
        let cache = cache(&store, 10).await;
        assert_eq!(cache.get("q", noon()).await, None);

        cache.put("q", &resolved(None, Keep::Long), noon()).await;
        assert!(cache.get("q", noon()).await.is_some(), "it is written anew");
    }
}

#[tokio::test]
async fn an_unreadable_entry_is_passed_over_and_goes_first() {
    let store = store();
    let broken = Op::put(path_of("broken").unwrap(), encode(&Age { made_at: noon() }).unwrap(), Expect::Any);
    let garbage = Op::put(path_of("garbage").unwrap(), "garbage".as_bytes().to_vec(), Expect::Any);
    store.commit(HouseId::INSTANCE, vec![broken, garbage], None).await.unwrap();
    let cache = cache(&store, 2).await;
    assert_eq!(cache.get("broken", noon()).await, None);
    assert_eq!(cache.get("garbage", noon()).await, None);

    cache.put("q", &resolved(None, Keep::Long), noon() + 1.hour()).await;

    let garbage = Key::new(HouseId::INSTANCE, path_of("garbage").unwrap());
    assert_eq!(store.get(&garbage).await.unwrap(), None);
    assert_eq!(cache.n_entries(), 2);
}

#[tokio::test]
async fn the_oldest_answers_make_room_also_after_a_restart() {
    let store = store();
    for minute in 0..5 {
        let cache = cache(&store, 3).await;
        cache.put(&minute.to_string(), &resolved(None, Keep::Long), noon() + minute.minutes()).await;
        assert!(cache.n_entries() <= 3);
    }
    let cache = cache(&store, 3).await;
    let mut there = Vec::new();
    for minute in 0..5 {
        there.push(cache.get(&minute.to_string(), noon()).await.is_some());
    }
    assert_eq!(there, [false, false, true, true, true]);
}

#[tokio::test]
async fn answering_the_same_question_again_takes_no_more_room() {
    let cache = cache(&store(), 3).await;
    for minute in 0..5 {
        cache.put("q", &resolved(None, Keep::Long), noon() + minute.minutes()).await;
    }
    assert_eq!(cache.n_entries(), 1);
}

//! Titles through the door: resolved against stand-ins of TMDB and JustWatch, opened on a simulated TV.

mod common;

use common::{PATIENCE, Town};
use playhouse::config::{Config, Resolver, Secret};
use playhouse_house::Scope;
use playhouse_standins::{Act, JustWatchStandin, Misbehaviour, SimulatedTv, StandinSettings, TmdbStandin};
use serde_json::{Value, json};

struct Cinema {
    town: Town,
    tmdb: TmdbStandin,
    justwatch: JustWatchStandin,
    tv: SimulatedTv,
    key: String,
}

fn resolver(tmdb: &TmdbStandin, justwatch: &JustWatchStandin) -> Resolver {
    Resolver {
        tmdb_api_key: Secret::new("00000000000000000000000000000000"),
        tmdb_url: tmdb.url(),
        justwatch_url: justwatch.url(),
        ..Resolver::default()
    }
}

impl Cinema {
    async fn open() -> Self {
        let settings = StandinSettings::default();
        let (tmdb, justwatch) = (TmdbStandin::start(&settings), JustWatchStandin::start(&settings));
        let configured = resolver(&tmdb, &justwatch);
        let town = Town::start_with(|config: &mut Config| config.resolver = configured).await;
        let house = town.house("Kestrel Street").await;
        let key = town.key(&house, &[Scope::Tv, Scope::HouseAdmin]).await;
        let (tv, _) = town.tv(&key, "living-room").await;
        Self { town, tmdb, justwatch, tv, key }
    }

    async fn ask(&self, tool: &str, arguments: Value) -> Value {
        self.town.ask(&self.key, tool, arguments).await
    }

    async fn failure(&self, tool: &str, arguments: Value) -> String {
        self.town.failure(&self.key, tool, arguments).await
    }

    async fn close(self) {
        assert_eq!(self.tmdb.violations(), []);
        assert_eq!(self.justwatch.violations(), []);
        assert_eq!(self.tv.violations(), []);
        self.town.stop().await;
    }
}

#[actix_web::test]
async fn an_episode_is_opened_in_the_app_that_has_it() {
    let cinema = Cinema::open().await;
    let episode = json!({ "title": "Stranger Things", "season": 1, "episode": 1, "country": "US", "provider": "netflix", "observe": false });
    let played = cinema.ask("tv_play_title", episode.clone()).await;
    assert_eq!((&played["launched"], &played["bridge_result"]["ok"]), (&json!(true), &json!(true)), "{played}");
    let resolved = &played["resolved"];
    assert_eq!(
        (&resolved["provider"], &resolved["package"], &resolved["kind"]),
        (&json!("netflix"), &json!("com.netflix.ninja"), &json!("direct"))
    );
    assert_eq!((&resolved["matched"]["tmdb_id"], &resolved["matched"]["season"]), (&json!(66732), &json!(1)));
    assert_eq!(cinema.tv.world().screen.package, "com.netflix.ninja");

    let (n_tmdb, n_justwatch) = (cinema.tmdb.n_requests(), cinema.justwatch.n_requests());
    assert!(n_tmdb <= 4 && n_justwatch <= 3, "{n_tmdb} and {n_justwatch} requests");
    cinema.ask("tv.play_title", episode).await;
    assert_eq!(
        (cinema.tmdb.n_requests(), cinema.justwatch.n_requests()),
        (n_tmdb, n_justwatch),
        "the second time it is known"
    );
    cinema.close().await;
}

#[actix_web::test]
async fn resolving_opens_nothing() {
    let cinema = Cinema::open().await;
    let resolved =
        cinema.ask("tv_resolve_title", json!({ "title": "Oppenheimer", "year": 2023, "country": "US" })).await;
    assert!(resolved["resolved"]["deep_link"].is_string(), "{resolved}");
    assert!(cinema.tv.world().launches.is_empty());
    cinema.close().await;
}

#[actix_web::test]
async fn the_seeds_three_failures_have_the_seeds_words() {
    let cinema = Cinema::open().await;
    let unknown = cinema.failure("tv_play_title", json!({ "title": "No Such Film Was Ever Made" })).await;
    assert!(unknown.contains("title not found on TMDB"), "{unknown}");
    let nowhere = cinema
        .failure("tv_play_title", json!({ "title": "Stranger Things", "country": "US", "provider": "hulu" }))
        .await;
    assert!(nowhere.contains("no matching streaming provider for this title in this country"), "{nowhere}");
    cinema.close().await;

    let town = Town::start().await;
    let house = town.house("Kestrel Street").await;
    let key = town.key(&house, &[Scope::Tv, Scope::HouseAdmin]).await;
    let _tv = town.tv(&key, "living-room").await;
    let disabled = town.failure(&key, "tv_play_title", json!({ "title": "Oppenheimer" })).await;
    assert!(disabled.contains("resolver disabled: TMDB_API_KEY is not set"), "{disabled}");
    town.stop().await;
}

#[actix_web::test]
async fn a_tv_that_is_off_keeps_the_resolution() {
    let cinema = Cinema::open().await;
    cinema.tv.act(Act::SwitchOff).await.unwrap();
    let off = async { while cinema.ask("tv_list_devices", json!({})).await["devices"][0]["online"] == json!(true) {} };
    tokio::time::timeout(PATIENCE, off).await.expect("the TV goes off");
    let words = cinema.failure("tv_play_title", json!({ "title": "Oppenheimer", "year": 2023, "country": "US" })).await;
    assert!(words.contains("off") && words.contains("Oppenheimer"), "{words}");
    cinema.close().await;
}

#[actix_web::test]
async fn a_source_that_is_down_is_said_so_and_hurts_no_key_press() {
    let cinema = Cinema::open().await;
    cinema.tmdb.behave(Misbehaviour::Html);
    let words = cinema.failure("tv_play_title", json!({ "title": "Oppenheimer", "year": 2023 })).await;
    assert!(words.contains("TMDB") && !words.contains("127.0.0.1"), "{words}");
    assert_eq!(cinema.ask("tv_send_key", json!({ "key": "HOME" })).await["pressed"], 1);
    cinema.town.stop().await;
}

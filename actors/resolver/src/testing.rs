//! A small TMDB and a small JustWatch on loopback, and a resolver that asks them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::Timestamp;
use playhouse_bus::{Bus, BusSettings, CallError, Deadline, Placement};
use playhouse_catalog::comparable_title;
use playhouse_catalog::tmdb::{TmdbClient, TmdbSettings};
use playhouse_store::{Clock, MemoryStore, SharedStore};
use serde_json::{Value, json};
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate};

use crate::actor::{ResolveTitle, ResolverActor, ResolverServices};
use crate::justwatch::{JustWatchClient, JustWatchSettings};
use crate::question::Question;
use crate::resolution::{Resolution, ResolveError};

const KEY: &str = "0123456789abcdef0123456789abcdef";

/// The day on which every test happens, unless it says otherwise.
pub(crate) fn noon() -> Timestamp {
    "2026-11-30T12:00:00Z".parse().unwrap()
}

pub(crate) fn question(title: &str) -> Question {
    Question {
        title: title.to_owned(),
        country: "US".parse().unwrap(),
        season: None,
        episode: None,
        year: None,
        provider: None,
    }
}

pub(crate) fn episode(title: &str, season: u32, episode: u32) -> Question {
    Question { season: Some(season), episode: Some(episode), ..question(title) }
}

/// How a service behaves instead of answering.
pub(crate) type Misbehaviour = Arc<Mutex<Option<ResponseTemplate>>>;

/// Both services, and what JustWatch has on offer.
pub(crate) struct World {
    pub(crate) tmdb: MockServer,
    pub(crate) justwatch: MockServer,
    pub(crate) tmdb_instead: Misbehaviour,
    pub(crate) justwatch_instead: Misbehaviour,
    pub(crate) offers: Offers,
}

/// The offers of JustWatch, by node and country.
#[derive(Clone, Default)]
pub(crate) struct Offers(Arc<Mutex<ByNodeAndCountry>>);

type ByNodeAndCountry = HashMap<(String, String), Vec<Value>>;

impl Offers {
    /// Puts a title at a service.
    pub(crate) fn put(&self, node: &str, country: &str, offer: Value) {
        self.0.lock().unwrap().entry((node.to_owned(), country.to_owned())).or_default().push(offer);
    }

    fn of(&self, node: &str, country: &str) -> Value {
        self.0.lock().unwrap().get(&(node.to_owned(), country.to_owned())).cloned().unwrap_or_default().into()
    }
}

/// An offer of a subscription.
pub(crate) fn offer(id: u64, technical_name: &str, android_tv: Option<&str>, web: &str) -> Value {
    json!({
        "monetizationType": "FLATRATE", "type": "STANDARD", "elementCount": 0, "availableTo": null,
        "standardWebURL": web, "deeplinkURL": android_tv,
        "package": { "packageId": id, "technicalName": technical_name, "clearName": technical_name, "shortName": "xxx" },
    })
}

pub(crate) fn netflix(id: u64) -> Value {
    let link = format!(
        "intent://www.netflix.com/watch/{id}#Intent;launchFlags=0x00800000;scheme=https;package=com.netflix.ninja;S.source=30;end"
    );
    offer(8, "netflix", Some(&link), &format!("https://www.netflix.com/title/{id}"))
}

pub(crate) fn rental() -> Value {
    let mut rental = offer(10, "amazon", None, "https://watch.amazon.com/detail?gti=1");
    rental["monetizationType"] = json!("RENT");
    rental
}

impl World {
    pub(crate) async fn new() -> Self {
        let world = World {
            tmdb: MockServer::start().await,
            justwatch: MockServer::start().await,
            tmdb_instead: Misbehaviour::default(),
            justwatch_instead: Misbehaviour::default(),
            offers: Offers::default(),
        };
        Mock::given(any()).respond_with(SmallTmdb(world.tmdb_instead.clone())).mount(&world.tmdb).await;
        let small = SmallJustWatch(world.justwatch_instead.clone(), world.offers.clone());
        Mock::given(any()).respond_with(small).mount(&world.justwatch).await;
        world
    }

    /// Requests that came to TMDB and to JustWatch.
    pub(crate) async fn n_requests(&self) -> (usize, usize) {
        let n = async |server: &MockServer| server.received_requests().await.unwrap().len();
        (n(&self.tmdb).await, n(&self.justwatch).await)
    }
}

pub(crate) fn tmdb_at(address: &str) -> TmdbClient {
    TmdbClient::new(TmdbSettings { base: address.parse().unwrap(), key: KEY.parse().unwrap() }).unwrap()
}

/// Without a pause between requests: the pause itself is the outbound client's, and tested there.
pub(crate) fn justwatch_at(address: &str) -> JustWatchClient {
    let settings = JustWatchSettings::at(address.parse().unwrap());
    JustWatchClient::new(JustWatchSettings { min_interval: Duration::ZERO, ..settings }).unwrap()
}

/// An address on which nothing listens any more.
pub(crate) fn gone() -> String {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

/// A resolver over a world.
pub(crate) struct Stage {
    pub(crate) world: World,
    pub(crate) store: SharedStore,
    pub(crate) bus: Bus,
}

impl Stage {
    pub(crate) async fn new() -> Self {
        Self::with(World::new().await, |_| {})
    }

    pub(crate) fn with(world: World, change: impl FnOnce(&mut ResolverServices)) -> Self {
        let store: SharedStore = Arc::new(MemoryStore::new());
        let bus = bus_with(&world, &store, change);
        Self { world, store, bus }
    }

    /// The process starts anew over the same store.
    pub(crate) fn restarted(self) -> Self {
        let bus = bus_with(&self.world, &self.store, |_| {});
        Self { bus, ..self }
    }

    pub(crate) async fn ask(&self, question: Question) -> Result<Resolution, ResolveError> {
        self.ask_within(question, 60).await.unwrap()
    }

    pub(crate) async fn ask_within(
        &self,
        question: Question,
        seconds: u64,
    ) -> Result<Result<Resolution, ResolveError>, CallError> {
        let deadline = Deadline::after(Duration::from_secs(seconds));
        self.bus.call(ResolverActor::key(), ResolveTitle { question }, deadline).await
    }

    /// What the question is refused with.
    pub(crate) async fn refused(&self, question: Question) -> String {
        self.ask(question).await.unwrap_err().to_string()
    }
}

fn bus_with(world: &World, store: &SharedStore, change: impl FnOnce(&mut ResolverServices)) -> Bus {
    let clock: Clock = Arc::new(noon);
    let mut services = ResolverServices {
        store: store.clone(),
        clock,
        tmdb: Some(tmdb_at(&world.tmdb.uri())),
        justwatch: Some(justwatch_at(&world.justwatch.uri())),
        max_kept: 100,
    };
    change(&mut services);
    let bus = Bus::new(BusSettings { seed: 1, now: noon(), ..BusSettings::new(Placement::Current) });
    bus.serve::<ResolverActor>(services);
    bus
}

/// A title of the small TMDB.
struct KnownTitle {
    is_series: bool,
    id: u64,
    title: &'static str,
    original: &'static str,
    year: i16,
    popularity: f64,
    imdb: Option<&'static str>,
    /// Number, episodes and year of each season.
    seasons: &'static [(u32, u32, i16)],
}

const TITLES: [KnownTitle; 8] = [
    movie(603, "The Matrix", "The Matrix", 1999, 80.0, Some("tt0133093")),
    movie(438_631, "Dune", "Dune", 2021, 200.0, Some("tt1160419")),
    movie(841, "Dune", "Dune", 1984, 40.0, Some("tt0087182")),
    movie(9, "Home Video", "Home Video", 2020, 1.0, None),
    series(
        66_732,
        "Stranger Things",
        "Stranger Things",
        2016,
        Some("tt4574334"),
        &[(0, 3, 2017), (1, 8, 2016), (2, 9, 2017), (4, 9, 2022)],
    ),
    series(71_446, "Money Heist", "La casa de papel", 2017, Some("tt6468322"), &[(1, 9, 2017), (2, 8, 2017)]),
    series(4_556, "Scrubs", "Scrubs", 2001, Some("tt0285403"), &[(1, 24, 2001), (9, 13, 2009)]),
    series(2_004, "Fargo", "Fargo", 2014, Some("tt2802850"), &[(1, 10, 2014)]),
];

const fn movie(
    id: u64,
    title: &'static str,
    original: &'static str,
    year: i16,
    popularity: f64,
    imdb: Option<&'static str>,
) -> KnownTitle {
    KnownTitle { is_series: false, id, title, original, year, popularity, imdb, seasons: &[] }
}

const fn series(
    id: u64,
    title: &'static str,
    original: &'static str,
    year: i16,
    imdb: Option<&'static str>,
    seasons: &'static [(u32, u32, i16)],
) -> KnownTitle {
    KnownTitle { is_series: true, id, title, original, year, popularity: 50.0, imdb, seasons }
}

impl KnownTitle {
    fn is_called(&self, query: &str) -> bool {
        let query = comparable_title(query);
        [self.title, self.original].iter().any(|name| comparable_title(name).contains(&query))
    }

    fn summary(&self) -> Value {
        let date = format!("{}-06-01", self.year);
        match self.is_series {
            true => json!({ "media_type": "tv", "id": self.id, "name": self.title, "original_name": self.original,
                "first_air_date": date, "popularity": self.popularity, "vote_count": 0 }),
            false => {
                json!({ "media_type": "movie", "id": self.id, "title": self.title, "original_title": self.original,
                "release_date": date, "popularity": self.popularity, "vote_count": 0 })
            }
        }
    }

    fn details(&self) -> Value {
        let mut details = self.summary();
        let season = |(number, n, year): &(u32, u32, i16)| json!({ "season_number": number, "episode_count": n, "air_date": format!("{year}-06-01") });
        details["seasons"] = self.seasons.iter().map(season).collect();
        details["external_ids"] = json!({ "imdb_id": self.imdb });
        details["watch/providers"] = json!({ "results": { "US": {
            "flatrate": [{ "provider_id": 8, "provider_name": "Netflix" }], "rent": [{ "provider_id": 2, "provider_name": "Apple TV" }],
        } } });
        details
    }
}

struct SmallTmdb(Misbehaviour);

impl Respond for SmallTmdb {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        if let Some(instead) = self.0.lock().unwrap().clone() {
            return instead;
        }
        let query: HashMap<String, String> = request.url.query_pairs().into_owned().collect();
        assert_eq!(query.get("api_key").map(String::as_str), Some(KEY));
        let year = |name: &str| query.get(name).map(|year| year.parse::<i16>().unwrap());
        let path: Vec<&str> = request.url.path().trim_start_matches('/').split('/').collect();
        let found = |fits: &dyn Fn(&KnownTitle) -> bool| -> ResponseTemplate {
            let results: Vec<Value> = TITLES
                .iter()
                .filter(|title| title.is_called(&query["query"]) && fits(title))
                .map(KnownTitle::summary)
                .collect();
            ResponseTemplate::new(200).set_body_json(json!({ "page": 1, "results": results }))
        };
        match path[..] {
            ["search", "multi"] => found(&|_| true),
            ["search", "movie"] => {
                found(&|title| !title.is_series && year("year").is_none_or(|year| title.year == year))
            }
            ["search", "tv"] => found(&|title| {
                let aired =
                    |year: i16| title.year == year || title.seasons.iter().any(|(_, _, season)| *season == year);
                title.is_series
                    && year("first_air_date_year").is_none_or(|year| title.year == year)
                    && year("year").is_none_or(aired)
            }),
            ["movie" | "tv", id] => {
                let title =
                    TITLES.iter().find(|title| title.id.to_string() == id && title.is_series == (path[0] == "tv"));
                title.map_or_else(not_found, |title| ResponseTemplate::new(200).set_body_json(title.details()))
            }
            _ => not_found(),
        }
    }
}

fn not_found() -> ResponseTemplate {
    ResponseTemplate::new(404)
        .set_body_json(json!({ "success": false, "status_code": 34, "status_message": "not found" }))
}

struct SmallJustWatch(Misbehaviour, Offers);

impl Respond for SmallJustWatch {
    fn respond(&self, request: &Request) -> ResponseTemplate {
        if let Some(instead) = self.0.lock().unwrap().clone() {
            return instead;
        }
        assert_eq!(request.url.path(), "/graphql");
        let body: Value = serde_json::from_slice(&request.body).unwrap();
        let country = body["variables"]["country"].as_str().unwrap();
        assert!(body["query"].as_str().unwrap().contains("deeplinkURL(platform: ANDROID_TV)"));
        let data = match body["operationName"].as_str().unwrap() {
            "GetSearchTitles" => self.search(&body["variables"]["searchTitlesFilter"], country),
            "GetTitleNode" => self.parts(body["variables"]["nodeId"].as_str().unwrap(), country),
            other => panic!("no operation {other}"),
        };
        ResponseTemplate::new(200).set_body_json(json!({ "data": data }))
    }
}

impl SmallJustWatch {
    /// Names here are the original ones, so that `Money Heist` takes a second try.
    fn search(&self, filter: &Value, country: &str) -> Value {
        let wanted = filter["searchQuery"].as_str().unwrap();
        let object_type = filter["objectTypes"][0].as_str().unwrap();
        let node = |title: &KnownTitle| {
            let id = format!("{}{}", if title.is_series { "ts" } else { "tm" }, title.id);
            json!({ "node": {
                "id": id, "objectType": if title.is_series { "SHOW" } else { "MOVIE" },
                "content": { "title": title.original, "originalReleaseYear": title.year,
                    "externalIds": { "tmdbId": title.id.to_string(), "imdbId": title.imdb } },
                "offers": self.1.of(&id, country),
            } })
        };
        let named = |title: &&KnownTitle| comparable_title(title.original).contains(&comparable_title(wanted));
        let edges: Vec<Value> =
            TITLES.iter().filter(|title| title.is_series == (object_type == "SHOW")).filter(named).map(node).collect();
        json!({ "popularTitles": { "edges": edges } })
    }

    /// Seasons are `tss<show>-<season>`, episodes `tse<show>-<season>-<episode>`.
    fn parts(&self, id: &str, country: &str) -> Value {
        let (show, season) = match id.strip_prefix("tss") {
            Some(season) => season.split_once('-').map(|(show, season)| (show, Some(season))).unwrap(),
            None => (id.strip_prefix("ts").unwrap(), None),
        };
        let title = TITLES.iter().find(|title| title.is_series && title.id.to_string() == show).unwrap();
        let part =
            |id: String, content: Value| json!({ "id": id, "content": content, "offers": self.1.of(&id, country) });
        match season {
            None => {
                let seasons = title.seasons.iter();
                let seasons = seasons
                    .map(|(number, _, _)| part(format!("tss{show}-{number}"), json!({ "seasonNumber": number })));
                json!({ "node": { "id": id, "seasons": seasons.collect::<Vec<_>>() } })
            }
            Some(season) => {
                let n_episodes = title.seasons.iter().find(|(number, _, _)| number.to_string() == season).unwrap().1;
                let episodes = (1..=n_episodes).map(|episode| {
                    part(
                        format!("tse{show}-{season}-{episode}"),
                        json!({ "seasonNumber": null, "episodeNumber": episode }),
                    )
                });
                json!({ "node": { "id": id, "episodes": episodes.collect::<Vec<_>>() } })
            }
        }
    }
}

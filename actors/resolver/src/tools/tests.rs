use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use playhouse_bus::{Bus, BusSettings, HouseId, Placement};
use playhouse_catalog::tmdb::{TitleKind, TmdbClient, TmdbSettings};
use playhouse_house::{Caller, CredentialId, Principal, Role, Scope, Scopes, ToolSwitches, TvId};
use playhouse_store::{Clock, Expect, MemoryStore, Path, SharedStore, put};
use playhouse_tools::Outcome;
use playhouse_tv::wire::parse_frame;
use playhouse_tv::{LinkOpened, LinkSettings, Links, Outgoing, TvActor, TvRecord, TvServices};
use serde_json::{Value, json};
use uuid::Uuid;

use super::*;
use crate::actor::ResolverServices;
use crate::cache::Cache;
use crate::links::DeepLink;
use crate::offer::{Level, Service, TitleOffer};
use crate::provider::Provider;
use crate::question::QuestionWords;
use crate::resolution::{MatchedTitle, OtherTitle, ResolveError, Source};
use crate::testing::noon;
use crate::walk::{Keep, Walked};

const HOUSE: HouseId = HouseId::from_uuid(Uuid::from_u128(0xA));

fn den() -> TvId {
    TvId::from_uuid(Uuid::from_u128(1))
}

/// A house with one TV, `den`, and a resolver that knows the answers it is given and would have to ask for others.
struct Stage {
    bus: Bus,
    store: SharedStore,
    links: Links,
    registry: Registry,
}

impl Stage {
    /// With time stopped.
    async fn new() -> Self {
        tokio::time::pause();
        Self::another().await
    }

    /// Another one in the same test, whose time is stopped already.
    async fn another() -> Self {
        let store: SharedStore = Arc::new(MemoryStore::new());
        let record =
            TvRecord { name: "den".parse().unwrap(), bridge: CredentialId::draw(&mut rand::rng()), paired_at: noon() };
        let path = Path::literal("tv").join(den()).unwrap();
        store.commit(HOUSE, vec![put(path, &record, Expect::Absent).unwrap()], None).await.unwrap();
        let (directory, links) = (TvDirectory::new(), Links::new(LinkSettings::default()));
        directory.load(&*store).await.unwrap();

        let clock: Clock = Arc::new(noon);
        let bus = Bus::new(BusSettings { seed: 1, now: noon(), ..BusSettings::new(Placement::Current) });
        bus.serve::<TvActor>(TvServices {
            store: store.clone(),
            links: links.clone(),
            directory: directory.clone(),
            clock: clock.clone(),
        });
        let key = "0123456789abcdef0123456789abcdef".parse().unwrap();
        // Nothing listens there: whatever is not kept fails.
        let tmdb = TmdbClient::new(TmdbSettings { base: "http://127.0.0.1:1".parse().unwrap(), key }).unwrap();
        let services =
            ResolverServices { store: store.clone(), clock, tmdb: Some(tmdb), justwatch: None, max_kept: 100 };
        bus.serve::<ResolverActor>(services);
        let mut registry = Registry::new(ToolSwitches::new());
        add_tools(&mut registry, &directory, ToolSettings { default_country: "US".parse().unwrap() }).unwrap();
        Self { bus, store, links, registry }
    }

    /// The resolver has found this before.
    async fn knows(&self, words: QuestionWords<'_>, answer: Result<Resolution, ResolveError>) {
        let question = Question::from_words(&words, "US".parse().unwrap()).unwrap();
        let cache = Cache::open(self.store.clone(), 100).await.unwrap();
        cache.put(&question.key(), &Walked { answer, keep: Keep::Long }, noon()).await;
    }

    /// The TV dials in, with these apps.
    async fn switch_on(&self, packages: &[&str]) -> Rc<RefCell<FakeTv>> {
        let mut frames = self.links.open(den(), noon());
        let link = frames.link().clone();
        let tv = Rc::new(RefCell::new(FakeTv::with(packages)));
        let of_task = Rc::clone(&tv);
        self.bus.call(TvActor::key(HOUSE, den()), LinkOpened { link: link.id() }, in_seconds(5)).await.unwrap();
        actix_rt::spawn(async move {
            while let Some(Outgoing::Frame(text)) = frames.next().await {
                let Some(reply) = of_task.borrow_mut().reply(&serde_json::from_str(&text).unwrap()) else { continue };
                link.take_reply(parse_frame(&reply.to_string()).unwrap());
            }
        });
        tv
    }

    async fn call(&self, name: &str, arguments: Value) -> Outcome {
        let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
        let principal = Principal {
            house: HOUSE,
            credential: CredentialId::draw(&mut rand::rng()),
            caller: Caller::Tv(den()),
            scopes: Scopes::of(&[Scope::Tv]),
            role: Role::Admin,
        };
        let call = ToolCall { principal, bus: self.bus.clone(), deadline: in_seconds(25), chosen: None };
        self.registry.call(name, arguments, call).await
    }

    async fn answered(&self, name: &str, arguments: Value) -> (Value, String) {
        match self.call(name, arguments).await {
            Outcome::Answered { structured, prose, is_error: false } => {
                (serde_json::from_str(&structured).unwrap(), prose)
            }
            other => panic!("expected an answer, not {other:?}"),
        }
    }

    async fn failed(&self, name: &str, arguments: Value) -> String {
        match self.call(name, arguments).await {
            Outcome::Failed { words } => words,
            other => panic!("expected a failure, not {other:?}"),
        }
    }
}

fn in_seconds(seconds: u64) -> Deadline {
    Deadline::after(Duration::from_secs(seconds))
}

/// A TV that does as its app does.
struct FakeTv {
    packages: Vec<String>,
    /// What was launched: data and package.
    launched: Vec<(String, String)>,
    /// Launches that contain this are refused, as by an app that does not take them.
    refuses: Option<&'static str>,
    /// Texts on the screen.
    texts: Vec<&'static str>,
    front: String,
    n_listed: u32,
    n_observed: u32,
    /// Leaves launches without an answer.
    silent: bool,
}

impl FakeTv {
    fn with(packages: &[&str]) -> Self {
        Self {
            packages: packages.iter().map(|package| (*package).to_owned()).collect(),
            launched: vec![],
            refuses: None,
            texts: vec![],
            front: "com.google.android.tvlauncher".to_owned(),
            n_listed: 0,
            n_observed: 0,
            silent: false,
        }
    }

    fn reply(&mut self, frame: &Value) -> Option<Value> {
        let id = frame["id"].clone();
        let ok =
            |field: &str, value: Value| Some(json!({ "id": id, "ok": true, "data": { field: value.to_string() } }));
        match frame["op"].as_str().unwrap() {
            "list_apps" => {
                self.n_listed += 1;
                let app = |package: &String| json!({ "package": package, "label": package, "leanback": true });
                ok("apps_json", self.packages.iter().map(app).collect())
            }
            "observe" => {
                self.n_observed += 1;
                let visible: Vec<Value> =
                    self.texts.iter().map(|text| json!({ "text": text, "clickable": true })).collect();
                ok(
                    "observe_json",
                    json!({ "package": self.front, "activity": "FrameLayout", "focused": {}, "visible": visible }),
                )
            }
            "launch_app" => {
                let text = |name: &str| frame["params"][name].as_str().unwrap_or_default().to_owned();
                let (data, package) = (text("data"), text("package"));
                let refused = self.refuses.is_some_and(|part| data.contains(part)) || !self.packages.contains(&package);
                if self.silent {
                    return None;
                }
                if refused {
                    let message = format!("no activity matches intent (data={data} package={package})");
                    return Some(json!({ "id": id, "ok": false, "message": message }));
                }
                self.front = package.clone();
                self.launched.push((data, package));
                Some(json!({ "id": id, "ok": true }))
            }
            other => panic!("unexpected {other}"),
        }
    }
}

fn title() -> MatchedTitle {
    MatchedTitle {
        tmdb_id: 66_732,
        kind: TitleKind::Series,
        name: "Stranger Things".to_owned(),
        year: Some(2016),
        season: Some(1),
        episode: Some(1),
        imdb_id: None,
    }
}

fn offer(provider: Provider, uri: Option<&str>, level: Level) -> TitleOffer {
    let service = Service {
        provider: Some(provider),
        is_channel: false,
        technical_name: provider.as_str().to_owned(),
        name: provider.name().to_owned(),
    };
    let link = |uri: &str| DeepLink {
        uri: uri.to_owned(),
        package: None,
        extras: if provider == Provider::Netflix { vec![("source".to_owned(), "30".to_owned())] } else { vec![] },
        as_intent: false,
    };
    TitleOffer { service, links: uri.map(link).into_iter().collect(), level, available_to: None }
}

fn netflix() -> TitleOffer {
    offer(Provider::Netflix, Some("https://www.netflix.com/watch/811"), Level::Title)
}

fn hulu() -> TitleOffer {
    offer(Provider::Hulu, Some("https://www.hulu.com/watch/1"), Level::Title)
}

fn resolved(offers: Vec<TitleOffer>) -> Result<Resolution, ResolveError> {
    Ok(Resolution { title: title(), source: Source::JustWatch, offers, alternatives: vec![], runners_up: vec![] })
}

const ASKED: QuestionWords<'static> = QuestionWords {
    title: "Stranger Things",
    country: None,
    season: Some(1),
    episode: Some(1),
    year: None,
    provider: None,
};

fn arguments() -> Value {
    json!({ "title": "Stranger Things", "season": 1, "episode": 1 })
}

const NINJA: &str = "com.netflix.ninja";

/// A stage on which Netflix has the episode, and a TV with these apps.
async fn on_netflix(packages: &[&str]) -> (Stage, Rc<RefCell<FakeTv>>) {
    put_netflix_on(Stage::new().await, packages).await
}

async fn put_netflix_on(stage: Stage, packages: &[&str]) -> (Stage, Rc<RefCell<FakeTv>>) {
    stage.knows(ASKED, resolved(vec![netflix()])).await;
    let tv = stage.switch_on(packages).await;
    (stage, tv)
}

#[actix::test]
async fn the_answer_has_the_seeds_fields_and_says_opened_and_never_playing() {
    let (stage, tv) = on_netflix(&[NINJA]).await;

    let (answer, prose) = stage.answered("tv.play_title", arguments()).await;

    let link = "intent://www.netflix.com/watch/811#Intent;scheme=https;package=com.netflix.ninja;S.source=30;end";
    assert_eq!(answer["launched"], true);
    assert_eq!(answer["bridge_result"], json!({ "ok": true, "message": "" }));
    assert_eq!(
        answer["resolved"],
        json!({
            "source": "justwatch", "provider": "netflix", "package": NINJA, "deep_link": link, "kind": "direct",
            "matched": { "tmdb_id": 66_732, "media_type": "tv", "title": "Stranger Things", "year": 2016, "season": 1, "episode": 1 },
        })
    );
    assert_eq!(tv.borrow().launched, [(link.to_owned(), NINJA.to_owned())]);
    assert!(prose.starts_with("Opened \"Stranger Things\" (2016) season 1 episode 1 on den in Netflix"), "{prose}");
    assert!(!prose.to_lowercase().contains("playing"), "{prose}");
    for named in ["TMDB", "JustWatch"] {
        assert!(prose.contains(named) && answer["attribution"].as_str().unwrap().contains(named), "{prose}");
    }
}

#[actix::test]
async fn the_screen_is_looked_at_once_and_not_when_that_is_not_wanted() {
    let (stage, tv) = on_netflix(&[NINJA]).await;
    let (answer, prose) = stage.answered("tv_play_title", arguments()).await;
    assert_eq!((&answer["in_front"], tv.borrow().n_observed), (&json!({ "package": NINJA }), 1));
    assert!(prose.contains("The app is in front."), "{prose}");

    let mut without = arguments();
    without["observe"] = json!(false);
    let (answer, prose) = stage.answered("tv_play_title", without).await;
    assert_eq!((answer.get("in_front"), tv.borrow().n_observed), (None, 1));
    assert!(prose.contains("Check with tv_observe"), "{prose}");
}

#[actix::test]
async fn a_profile_picker_or_pin_is_called_by_its_name() {
    tokio::time::pause();
    for (texts, gate, words) in [
        (vec!["Who's watching?", "Ada"], "profile_picker", "ask who is watching"),
        (vec!["Enter your PIN"], "pin", "A PIN is asked for"),
    ] {
        let (stage, tv) = put_netflix_on(Stage::another().await, &[NINJA]).await;
        tv.borrow_mut().texts = texts;
        let (answer, prose) = stage.answered("tv_play_title", arguments()).await;
        assert_eq!(answer["in_front"]["gate"], gate);
        assert!(prose.contains(words), "{prose}");
    }
}

#[actix::test]
async fn the_first_installed_service_wins_and_the_others_are_named() {
    let stage = Stage::new().await;
    stage.knows(ASKED, resolved(vec![netflix(), hulu()])).await;
    stage.switch_on(&["com.hulu.livingroomplus"]).await;
    let (answer, prose) = stage.answered("tv_play_title", arguments()).await;
    assert_eq!(
        (&answer["resolved"]["provider"], &answer["alternatives"][0]["provider"]),
        (&json!("hulu"), &json!("netflix"))
    );
    assert!(prose.contains("Also on Netflix (provider `netflix`)"), "{prose}");
}

#[actix::test]
async fn an_app_that_is_missing_is_named_after_the_tv_was_asked_anew() {
    let (stage, tv) = on_netflix(&["com.hulu.livingroomplus"]).await;
    let words = stage.failed("tv_play_title", arguments()).await;
    assert!(words.contains("Netflix") && words.contains(NINJA) && words.contains("not installed on den"), "{words}");

    // Installed some minutes later, within the time for which the list is remembered.
    tv.borrow_mut().packages.push(NINJA.to_owned());
    tokio::time::advance(Duration::from_secs(300)).await;
    let (answer, _) = stage.answered("tv_play_title", arguments()).await;
    assert_eq!((&answer["launched"], tv.borrow().n_listed), (&json!(true), 2));
}

#[actix::test]
async fn the_apps_of_a_tv_are_remembered_for_an_hour() {
    let (stage, tv) = on_netflix(&[NINJA]).await;
    stage.answered("tv_play_title", arguments()).await;
    stage.answered("tv_resolve_title", arguments()).await;
    assert_eq!(tv.borrow().n_listed, 1);

    tokio::time::advance(Duration::from_secs(3_600)).await;
    stage.answered("tv_play_title", arguments()).await;
    assert_eq!(tv.borrow().n_listed, 2);
}

#[actix::test]
async fn a_launch_that_nothing_takes_has_the_apps_listed_anew_and_another_tried() {
    let stage = Stage::new().await;
    stage.knows(ASKED, resolved(vec![netflix(), hulu()])).await;
    let tv = stage.switch_on(&[NINJA, "com.hulu.livingroomplus"]).await;
    stage.answered("tv_play_title", arguments()).await;

    // Netflix was removed since.
    tv.borrow_mut().packages.remove(0);
    let (answer, _) = stage.answered("tv_play_title", arguments()).await;

    assert_eq!((&answer["resolved"]["provider"], tv.borrow().n_listed), (&json!("hulu"), 2));
}

#[actix::test]
async fn a_link_that_the_app_does_not_take_leaves_the_app_itself() {
    let (stage, tv) = on_netflix(&[NINJA]).await;
    tv.borrow_mut().refuses = Some("watch/811");
    let (answer, prose) = stage.answered("tv_play_title", arguments()).await;
    assert_eq!(answer["resolved"]["kind"], "app");
    assert!(prose.contains("only the app opens"), "{prose}");
    assert_eq!(tv.borrow().launched.len(), 1);
}

#[actix::test]
async fn the_level_that_was_hit_is_told() {
    tokio::time::pause();
    for (offer, kind, words) in [
        (
            offer(Provider::Netflix, Some("https://www.netflix.com/title/81"), Level::Season),
            "season",
            "Only the season's page",
        ),
        (
            offer(Provider::Netflix, Some("https://www.netflix.com/title/80"), Level::Show),
            "show",
            "Only the series' page",
        ),
        (offer(Provider::Netflix, None, Level::Show), "app", "only the app opens"),
    ] {
        let stage = Stage::another().await;
        stage.knows(ASKED, resolved(vec![offer])).await;
        stage.switch_on(&[NINJA]).await;
        let (answer, prose) = stage.answered("tv_play_title", arguments()).await;
        assert_eq!(answer["resolved"]["kind"], kind);
        assert!(prose.contains(words), "{prose}");
    }
}

#[actix::test]
async fn a_tv_that_is_off_is_told_and_what_was_found_is_kept() {
    let stage = Stage::new().await;
    stage.knows(ASKED, resolved(vec![netflix()])).await;

    let words = stage.failed("tv_play_title", arguments()).await;
    assert!(words.contains("was found on Netflix") && words.contains("The TV `den` is off"), "{words}");

    let tv = stage.switch_on(&[NINJA]).await;
    stage.answered("tv_play_title", arguments()).await;
    assert_eq!(tv.borrow().launched.len(), 1);
}

#[actix::test]
async fn a_launch_without_an_answer_is_not_repeated_and_told_as_unknown() {
    let (stage, tv) = on_netflix(&[NINJA]).await;
    tv.borrow_mut().silent = true;
    let words = stage.failed("tv_play_title", arguments()).await;
    assert!(words.contains("was found and sent to the TV") && words.contains("unknown"), "{words}");
    assert!(!words.contains("was not opened"), "{words}");
}

#[actix::test]
async fn runners_up_are_named_so_that_the_assistant_can_ask() {
    let stage = Stage::new().await;
    let mut resolution = resolved(vec![netflix()]).unwrap();
    resolution.runners_up =
        vec![OtherTitle { tmdb_id: 1, kind: TitleKind::Movie, name: "Stranger Things".to_owned(), year: Some(2010) }];
    stage.knows(ASKED, Ok(resolution)).await;
    stage.switch_on(&[NINJA]).await;
    let (answer, prose) = stage.answered("tv_play_title", arguments()).await;
    assert_eq!(
        answer["runners_up"][0],
        json!({ "tmdb_id": 1, "media_type": "movie", "title": "Stranger Things", "year": 2010 })
    );
    assert!(prose.contains("\"Stranger Things\" (2010), a movie"), "{prose}");
}

#[actix::test]
async fn resolving_answers_the_same_and_opens_nothing() {
    let (stage, tv) = on_netflix(&[NINJA]).await;
    let (played, _) = stage.answered("tv_play_title", arguments()).await;
    tv.borrow_mut().launched.clear();

    let (found, prose) = stage.answered("tv_resolve_title", arguments()).await;

    assert_eq!(found["resolved"], played["resolved"]);
    assert_eq!((&found["installed"], tv.borrow().launched.len(), tv.borrow().n_observed), (&json!(true), 0, 1));
    assert!(prose.contains("Nothing was opened"), "{prose}");
}

#[actix::test]
async fn resolving_needs_no_tv_that_is_on_and_says_what_is_not_installed() {
    let stage = Stage::new().await;
    stage.knows(ASKED, resolved(vec![netflix()])).await;
    let (found, prose) = stage.answered("tv_resolve_title", arguments()).await;
    assert_eq!((found.get("installed"), &found["resolved"]["package"]), (None, &json!(NINJA)));
    assert!(prose.contains("could not be asked"), "{prose}");

    stage.switch_on(&["com.hulu.livingroomplus"]).await;
    let (found, prose) = stage.answered("tv_resolve_title", arguments()).await;
    assert_eq!(found["installed"], false);
    assert!(prose.contains("not installed on den"), "{prose}");
}

#[actix::test]
async fn a_fire_tv_gets_its_own_app() {
    let stage = Stage::new().await;
    let prime = offer(Provider::PrimeVideo, Some("https://app.primevideo.com/detail?gti=1"), Level::Title);
    stage.knows(ASKED, resolved(vec![prime])).await;
    stage.switch_on(&["com.amazon.firebat", "com.amazon.venezia"]).await;
    let (answer, _) = stage.answered("tv_play_title", arguments()).await;
    assert_eq!(answer["resolved"]["package"], "com.amazon.firebat");
}

#[actix::test]
async fn what_is_no_question_is_refused_in_the_callers_terms() {
    let stage = Stage::new().await;
    for (arguments, expected) in [
        (json!({}), "`title` is required"),
        (json!({ "title": "x", "provider": "blockbuster" }), "`blockbuster` is not a known provider"),
        (json!({ "title": "x", "country": "u1" }), "`country` is `u1`"),
        (json!({ "title": "x", "episode": 2 }), "needs `season`"),
        (json!({ "title": "x", "sason": 2 }), "did you mean `season`?"),
        (json!({ "title": "x", "season": -1 }), "expected at least 0"),
    ] {
        for tool in ["tv_play_title", "tv_resolve_title"] {
            let words = stage.failed(tool, arguments.clone()).await;
            assert!(words.contains(expected), "{tool}: {words}");
        }
    }
}

#[actix::test]
async fn the_seeds_failures_reach_the_caller_in_its_words() {
    let stage = Stage::new().await;
    stage.knows(ASKED, Err(ResolveError::NotFound(crate::resolution::Missing::Title))).await;
    let words = stage.failed("tv_play_title", arguments()).await;
    assert!(words.starts_with("title not found on TMDB"), "{words}");
}

#[actix::test]
async fn the_schemas_are_plain_objects_with_the_seeds_arguments() {
    let stage = Stage::new().await;
    for document in stage.registry.documents() {
        let text = serde_json::to_string(&(&document.input, &document.output)).unwrap();
        for keyword in ["$ref", "oneOf", "anyOf", "allOf", "$defs", "\"null\""] {
            assert!(!text.contains(keyword), "{keyword} in {}: {text}", document.name);
        }
        for name in ["title", "country", "season", "episode", "year", "provider"] {
            assert!(document.input["properties"].get(name).is_some(), "{name} in {}", document.name);
        }
        assert_eq!(document.input["required"], json!(["title"]));
    }
}

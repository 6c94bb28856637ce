//! Resolving against the stand-ins of TMDB and JustWatch, which check each request and hold every trap that the two are known for.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use playhouse_bus::{Bus, BusSettings, Deadline, Placement};
use playhouse_catalog::tmdb::{TmdbClient, TmdbSettings};
use playhouse_resolver::{
    JustWatchClient, JustWatchSettings, Level, MAX_KEPT, Provider, Question, Resolution, ResolveError, ResolveTitle,
    ResolverActor, ResolverServices, Source,
};
use playhouse_standins::{JustWatchStandin, Misbehaviour, PLAYABLE, StandinSettings, TmdbStandin};
use playhouse_store::MemoryStore;

const NOON: &str = "2026-11-30T12:00:00Z";

struct Stage {
    tmdb: TmdbStandin,
    justwatch: JustWatchStandin,
    bus: Bus,
}

impl Stage {
    fn new() -> Self {
        let now: Timestamp = NOON.parse().unwrap();
        let settings = StandinSettings { today: "2026-11-30".parse().unwrap(), ..StandinSettings::default() };
        let (tmdb, justwatch) = (TmdbStandin::start(&settings), JustWatchStandin::start(&settings));
        let key = "0123456789abcdef0123456789abcdef".parse().unwrap();
        // The pause between requests is tested where it is made; here it would only take time.
        let asked = JustWatchSettings { min_interval: Duration::ZERO, ..JustWatchSettings::at(justwatch.url()) };
        let bus = Bus::new(BusSettings { seed: 1, now, ..BusSettings::new(Placement::Current) });
        bus.serve::<ResolverActor>(ResolverServices {
            store: Arc::new(MemoryStore::new()),
            clock: Arc::new(move || now),
            tmdb: Some(TmdbClient::new(TmdbSettings { base: tmdb.url(), key }).unwrap()),
            justwatch: Some(JustWatchClient::new(asked).unwrap()),
            max_kept: MAX_KEPT,
        });
        Self { tmdb, justwatch, bus }
    }

    async fn ask(&self, question: Question) -> Result<Resolution, ResolveError> {
        let deadline = Deadline::after(Duration::from_secs(30));
        self.bus.call(ResolverActor::key(), ResolveTitle { question }, deadline).await.unwrap()
    }

    async fn found(&self, question: Question) -> Resolution {
        let asked = question.clone();
        self.ask(question).await.unwrap_or_else(|error| panic!("{asked:?}: {error}"))
    }

    #[track_caller]
    fn assert_no_violations(&self) {
        assert_eq!((self.tmdb.violations(), self.justwatch.violations()), (vec![], vec![]));
    }
}

fn movie(title: &str, country: &str) -> Question {
    Question {
        title: title.to_owned(),
        country: country.parse().unwrap(),
        season: None,
        episode: None,
        year: None,
        provider: None,
    }
}

fn episode(title: &str, season: u32, episode: u32, country: &str) -> Question {
    Question { season: Some(season), episode: Some(episode), ..movie(title, country) }
}

fn services(offers: &[playhouse_resolver::TitleOffer]) -> Vec<&str> {
    offers.iter().map(|offer| offer.service.key()).collect()
}

#[actix::test]
async fn every_provider_plays_a_movie_and_an_episode_in_every_country_where_it_has_them() {
    let stage = Stage::new();
    for playable in PLAYABLE {
        let provider = Provider::from_words(playable.provider).unwrap();
        for country in playable.countries {
            let year = |year: u16| Some(i16::try_from(year).unwrap());
            let film = Question { year: year(playable.movie_year), ..movie(playable.movie, country) };
            let series = Question { year: year(playable.series_year), ..episode(playable.series, 1, 1, country) };
            for question in [film, series] {
                let question = Question { provider: Some(provider), ..question };
                let resolution = stage.found(question.clone()).await;
                let offer = &resolution.offers[0];
                assert_eq!(
                    (resolution.source, offer.service.provider),
                    (Source::JustWatch, Some(provider)),
                    "{question:?}"
                );
                assert_eq!(offer.links.is_empty(), !playable.links_name_titles, "{question:?}: {:?}", offer.links);
                assert_eq!(offer.level, Level::Title, "{question:?}");
            }
        }
    }
    stage.assert_no_violations();
}

#[actix::test]
async fn stremio_plays_everything_without_justwatch() {
    let stage = Stage::new();
    for question in [movie("Inception", "US"), episode("Stranger Things", 1, 1, "GB")] {
        let resolution = stage.found(Question { provider: Some(Provider::Stremio), ..question }).await;
        assert!(resolution.offers[0].links[0].uri.starts_with("stremio:///detail/"));
    }
    assert_eq!(stage.justwatch.n_requests(), 0);
    stage.assert_no_violations();
}

#[actix::test]
async fn remakes_and_namesakes_are_told_apart_by_the_year_and_named_without_one() {
    let stage = Stage::new();
    let dune = stage.found(movie("Dune", "US")).await;
    assert_eq!(
        (dune.title.year, dune.runners_up.iter().map(|other| other.year).collect::<Vec<_>>()),
        (Some(2021), vec![Some(1984)])
    );

    for year in [2001, 2005] {
        let office = stage.ask(Question { year: Some(year), ..episode("The Office", 1, 1, "US") }).await;
        let title = match office {
            Ok(resolution) => resolution.title,
            Err(ResolveError::NoProvider(nowhere)) => nowhere.title,
            Err(error) => panic!("{error}"),
        };
        assert_eq!(title.year, Some(year));
    }
    let inception = stage.ask(movie("Inception", "US")).await.unwrap_err().to_string();
    assert!(inception.contains("\"Inception\" (2010)"), "the film, not the entry without a date: {inception}");
    stage.assert_no_violations();
}

#[actix::test]
async fn a_title_is_found_whatever_justwatch_lacks_of_it() {
    let stage = Stage::new();
    for (title, country, service) in [
        // No ids, and a year that is one off.
        ("Spirited Away", "US", "max"),
        ("Spirited Away", "GB", "netflix"),
        // No ids.
        ("Night of the Living Dead", "US", "youtube"),
        // Only by its original name.
        ("Amélie", "GB", "netflix"),
        ("Amelie", "FR", "prime_video"),
    ] {
        let resolution = stage.found(movie(title, country)).await;
        let found = (resolution.source, resolution.offers[0].service.key());
        assert_eq!(found, (Source::JustWatch, service), "{title} in {country}");
    }
    stage.assert_no_violations();
}

#[actix::test]
async fn the_level_that_has_an_offer_is_taken_and_told() {
    let stage = Stage::new();
    let scrubs = stage.found(episode("Scrubs", 1, 1, "US")).await;
    assert_eq!((services(&scrubs.offers), scrubs.offers[0].level), (vec!["hulu"], Level::Show));
    let special = stage.found(episode("Sherlock", 0, 1, "US")).await;
    assert_eq!((special.title.season, special.offers[0].level), (Some(0), Level::Season));
    stage.assert_no_violations();
}

#[actix::test]
async fn a_reseller_is_an_alternative_and_never_the_service_asked_for() {
    let stage = Stage::new();
    let max = Question { provider: Some(Provider::Max), ..episode("The Last of Us", 1, 1, "US") };
    let resolution = stage.found(max).await;
    assert_eq!((services(&resolution.offers), services(&resolution.alternatives)), (vec!["max"], vec!["amazonhbomax"]));

    let paramount =
        Question { provider: Some(Provider::ParamountPlus), ..movie("Star Trek: Strange New Worlds", "FR") };
    let refused = stage.ask(paramount).await.unwrap_err().to_string();
    assert!(
        refused.starts_with("no matching streaming provider") && refused.contains("Paramount+ Amazon Channel"),
        "{refused}"
    );
    stage.assert_no_violations();
}

#[actix::test]
async fn a_redirect_to_a_host_that_only_looks_right_is_not_followed() {
    let stage = Stage::new();
    let lion_king = stage.found(Question { year: Some(2019), ..movie("The Lion King", "GB") }).await;
    let links = &lion_king.offers[0].links;
    assert!(links.iter().all(|link| link.uri.starts_with("https://www.disneyplus.com/")), "{links:?}");
    assert_eq!(services(&lion_king.offers), ["disney_plus"]);
    stage.assert_no_violations();
}

#[actix::test]
async fn what_cannot_be_read_is_passed_over_and_what_comes_behind_it_is_taken() {
    let stage = Stage::new();
    let interstellar = stage.found(movie("Interstellar", "US")).await;
    assert_eq!(interstellar.source, Source::JustWatch);
    assert_eq!(
        interstellar.offers.last().unwrap().service.key(),
        "paramount_plus",
        "{:?}",
        services(&interstellar.offers)
    );
    assert_eq!(services(&interstellar.alternatives), ["youtubetv"], "YouTube TV is another service than YouTube");
    stage.assert_no_violations();
}

#[actix::test]
async fn an_offer_counts_until_its_last_day_is_over() {
    let stage = Stage::new();
    let tomorrow = stage.found(movie("Top Gun: Maverick", "US")).await.offers[0].available_to;
    assert_eq!(tomorrow.unwrap().to_string(), "2026-12-01");
    let pulp_fiction = stage.found(movie("Pulp Fiction", "GB")).await;
    assert_eq!(services(&pulp_fiction.offers), ["prime_video"], "Netflix lost it yesterday");
    stage.assert_no_violations();
}

#[actix::test]
async fn no_misbehaviour_of_justwatch_keeps_the_service_from_being_named() {
    let stage = Stage::new();
    for (misbehaviour, title) in [
        (Misbehaviour::HungUp, "Moana"),
        (Misbehaviour::Html, "CODA"),
        (Misbehaviour::CutOff, "Oppenheimer"),
        (Misbehaviour::WrongTypes, "Palm Springs"),
        (Misbehaviour::Nulls { below: 2 }, "Manchester by the Sea"),
        (Misbehaviour::Nulls { below: 100 }, "The Godfather"),
    ] {
        stage.justwatch.behave(misbehaviour);
        match stage.ask(movie(title, "US")).await {
            Ok(resolution) => assert_eq!(resolution.source, Source::Tmdb, "{title}"),
            Err(error) => panic!("{title}: {error}"),
        }
    }
}

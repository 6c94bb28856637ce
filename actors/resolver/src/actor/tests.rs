use futures_util::future::join_all;
use serde_json::{Value, json};
use wiremock::ResponseTemplate;

use super::*;
use crate::offer::Level;
use crate::provider::Provider;
use crate::resolution::Source;
use crate::testing::{Stage, World, episode, gone, justwatch_at, netflix, offer, question, rental, tmdb_at};

fn status(status: u16, body: Value) -> ResponseTemplate {
    ResponseTemplate::new(status).set_body_json(body)
}

fn html() -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_raw("<!doctype html><title>Just a moment</title>", "text/html")
}

/// A stage where Netflix has The Matrix and the first episode of Stranger Things.
async fn on_netflix() -> Stage {
    let stage = Stage::new().await;
    stage.world.offers.put("tm603", "US", netflix(70));
    stage.world.offers.put("ts66732", "US", netflix(80));
    stage.world.offers.put("tss66732-1", "US", netflix(81));
    stage.world.offers.put("tse66732-1-1", "US", netflix(811));
    stage
}

fn first(resolution: &Resolution) -> (&str, Level, Option<&str>) {
    let offer = &resolution.offers[0];
    (offer.service.key(), offer.level, offer.links.first().map(|link| link.uri.as_str()))
}

#[actix::test]
async fn a_movie_takes_two_requests_to_tmdb_and_one_to_justwatch() {
    let stage = on_netflix().await;

    let resolution = stage.ask(question("The Matrix")).await.unwrap();

    assert_eq!(first(&resolution), ("netflix", Level::Title, Some("https://www.netflix.com/watch/70")));
    assert_eq!(
        (resolution.source, resolution.title.tmdb_id, resolution.title.year),
        (Source::JustWatch, 603, Some(1999))
    );
    assert_eq!(stage.world.n_requests().await, (2, 1));
}

#[actix::test]
async fn an_episode_is_found_by_search_season_and_episode() {
    let stage = on_netflix().await;

    let resolution = stage.ask(episode("stranger things", 1, 1)).await.unwrap();

    assert_eq!(first(&resolution), ("netflix", Level::Title, Some("https://www.netflix.com/watch/811")));
    assert_eq!(stage.world.n_requests().await, (2, 3));
}

#[actix::test]
async fn an_episode_without_offers_falls_back_to_its_season_and_then_its_show() {
    let stage = on_netflix().await;
    let season = stage.ask(episode("Stranger Things", 1, 2)).await.unwrap();
    assert_eq!(first(&season), ("netflix", Level::Season, Some("https://www.netflix.com/title/81")));

    let show = stage.ask(episode("Stranger Things", 2, 1)).await.unwrap();
    assert_eq!(first(&show), ("netflix", Level::Show, Some("https://www.netflix.com/title/80")));

    let asked_for_show = stage.ask(question("Stranger Things")).await.unwrap();
    assert_eq!(first(&asked_for_show), ("netflix", Level::Show, Some("https://www.netflix.com/title/80")));
}

#[actix::test]
async fn specials_are_season_zero() {
    let stage = Stage::new().await;
    stage.world.offers.put("tse66732-0-3", "US", netflix(803));

    let resolution = stage.ask(episode("Stranger Things", 0, 3)).await.unwrap();

    assert_eq!(first(&resolution), ("netflix", Level::Title, Some("https://www.netflix.com/watch/803")));
    assert_eq!(resolution.title.season, Some(0));
}

#[actix::test]
async fn no_resolution_asks_more_than_four_times_at_tmdb_and_three_times_at_justwatch() {
    let stage = on_netflix().await;
    let hardest = [
        // The year of a season; no year at all; one off; a second try at JustWatch.
        Question { year: Some(2022), ..episode("Stranger Things", 4, 1) },
        Question { year: Some(2022), ..question("Stranger Things") },
        Question { year: Some(2015), ..episode("Stranger Things", 1, 1) },
        Question { year: Some(2018), ..episode("Money Heist", 1, 1) },
        Question { year: Some(2000), ..question("The Matrix") },
        Question { year: Some(2012), ..question("The Matrix") },
        episode("Scrubs", 1, 99),
    ];
    for question in hardest {
        let before = stage.world.n_requests().await;
        let _ = stage.ask(question.clone()).await;
        let after = stage.world.n_requests().await;
        let (tmdb, justwatch) = (after.0 - before.0, after.1 - before.1);
        assert!(tmdb <= 4 && justwatch <= 3, "{question:?}: {tmdb} and {justwatch}");
    }
}

#[actix::test]
async fn the_year_may_be_that_of_a_season_or_one_off() {
    let stage = on_netflix().await;
    for year in [2015, 2016, 2017, 2022] {
        let resolution = stage.ask(Question { year: Some(year), ..episode("Stranger Things", 1, 1) }).await.unwrap();
        assert_eq!(resolution.title.tmdb_id, 66_732, "{year}");
    }
    let resolution = stage.ask(Question { year: Some(2022), ..question("Stranger Things") }).await.unwrap();
    assert_eq!(resolution.title.tmdb_id, 66_732);
    assert_eq!(stage.ask(Question { year: Some(1998), ..question("The Matrix") }).await.unwrap().title.tmdb_id, 603);
}

#[actix::test]
async fn a_year_that_nothing_fits_names_what_there_is() {
    let stage = on_netflix().await;
    let refused = stage.refused(Question { year: Some(2001), ..question("Dune") }).await;
    assert!(refused.starts_with("title not found on TMDB"), "{refused}");
    assert!(
        refused.contains("from 2001") && refused.contains("\"Dune\" (2021)") && refused.contains("\"Dune\" (1984)"),
        "{refused}"
    );
}

#[actix::test]
async fn namesakes_are_named_beside_the_answer() {
    let stage = Stage::new().await;
    stage.world.offers.put("tm438631", "US", netflix(1));
    stage.world.offers.put("tm841", "US", netflix(2));

    let likeliest = stage.ask(question("Dune")).await.unwrap();
    assert_eq!((likeliest.title.year, likeliest.runners_up.len()), (Some(2021), 1));
    assert_eq!(likeliest.runners_up[0].year, Some(1984));

    let decided = stage.ask(Question { year: Some(1984), ..question("Dune") }).await.unwrap();
    assert_eq!((decided.title.year, decided.runners_up.len()), (Some(1984), 0));
}

#[actix::test]
async fn a_title_that_justwatch_knows_by_its_original_name_is_found_at_the_second_try() {
    let stage = Stage::new().await;
    stage.world.offers.put("ts71446", "US", netflix(1));
    stage.world.offers.put("tss71446-1", "US", netflix(2));

    let resolution = stage.ask(episode("Money Heist", 1, 1)).await.unwrap();

    assert_eq!(first(&resolution).1, Level::Season, "the third request was the last");
    assert_eq!(stage.world.n_requests().await.1, 3);
}

#[actix::test]
async fn a_season_or_episode_that_does_not_exist_is_told_before_justwatch_is_asked() {
    let stage = on_netflix().await;
    let season = stage.refused(episode("Stranger Things", 9, 1)).await;
    assert!(season.starts_with("title not found on TMDB") && season.contains("season 9"), "{season}");
    assert!(season.contains("1 (8 episodes)"), "{season}");
    let episode_refused = stage.refused(episode("Scrubs", 1, 99)).await;
    assert!(episode_refused.contains("season 1 episode 99"), "{episode_refused}");
    assert_eq!(stage.world.n_requests().await.1, 0);
}

#[actix::test]
async fn the_failures_are_said_in_the_seeds_words() {
    let stage = Stage::new().await;
    assert!(stage.refused(question("No Such Title")).await.starts_with("title not found on TMDB"));
    let nowhere = stage.refused(question("The Matrix")).await;
    assert!(nowhere.starts_with("no matching streaming provider for this title in this country"), "{nowhere}");
    assert!(nowhere.contains("provider: \"stremio\""), "{nowhere}");

    let stage = Stage::with(World::new().await, |services| services.tmdb = None);
    assert_eq!(stage.refused(question("The Matrix")).await, "resolver disabled: TMDB_API_KEY is not set");
}

#[actix::test]
async fn only_rentals_are_told_and_not_opened() {
    let stage = Stage::new().await;
    stage.world.offers.put("tm603", "US", rental());
    let refused = stage.refused(question("The Matrix")).await;
    assert!(refused.contains("only be rented or bought"), "{refused}");
}

#[actix::test]
async fn another_country_has_other_offers() {
    let stage = on_netflix().await;
    stage.world.offers.put("tm603", "GB", offer(337, "disneyplus", None, "https://www.disneyplus.com/play/1"));
    let british = Question { country: "GB".parse().unwrap(), ..question("The Matrix") };
    assert_eq!(first(&stage.ask(british).await.unwrap()).0, "disney_plus");
    assert_eq!(first(&stage.ask(question("The Matrix")).await.unwrap()).0, "netflix");
}

#[actix::test]
async fn every_provider_is_resolved_for_a_movie_and_an_episode_in_two_countries() {
    let stage = Stage::new().await;
    let catalogue = [
        (Provider::Netflix, 8, "netflix", "https://www.netflix.com/title/1"),
        (Provider::DisneyPlus, 337, "disneyplus", "https://www.disneyplus.com/play/1"),
        (Provider::PrimeVideo, 119, "amazonprime", "https://app.primevideo.com/detail?gti=1"),
        (Provider::Max, 1899, "max", "https://play.hbomax.com/video/watch/1"),
        (Provider::Hulu, 15, "hulu", "https://www.hulu.com/watch/1"),
        (Provider::AppleTvPlus, 350, "appletvplus", "https://tv.apple.com/us/movie/x/umc.cmc.1"),
        (Provider::ParamountPlus, 2303, "paramountpluspremium", "https://www.paramountplus.com/movies/video/1"),
        (Provider::Peacock, 386, "peacocktv", "https://www.peacocktv.com/watch/asset/movies/x/1"),
        (Provider::FuboTv, 257, "fubotv", "https://www.fubo.tv/welcome/1"),
        (Provider::Youtube, 235, "youtubefree", "https://www.youtube.com/watch?v=1"),
    ];
    for country in ["US", "GB"] {
        for (_, id, name, web) in catalogue {
            for node in ["tm603", "tse66732-1-1"] {
                stage.world.offers.put(node, country, offer(id, name, None, web));
            }
        }
        for provider in Provider::ALL {
            for asked in [question("The Matrix"), episode("Stranger Things", 1, 1)] {
                let asked = Question { country: country.parse().unwrap(), provider: Some(provider), ..asked };
                let resolution = stage.ask(asked).await.unwrap();
                let (key, level, link) = first(&resolution);
                assert_eq!((key, level), (provider.as_str(), Level::Title), "{provider} in {country}");
                assert_eq!(link.is_some(), provider != Provider::FuboTv, "{provider} in {country}");
            }
        }
    }
}

#[actix::test]
async fn stremio_needs_only_the_imdb_id_and_no_justwatch() {
    let stage = Stage::new().await;
    let stremio = |question: Question| Question { provider: Some(Provider::Stremio), ..question };

    let movie = stage.ask(stremio(question("The Matrix"))).await.unwrap();
    assert_eq!(first(&movie), ("stremio", Level::Title, Some("stremio:///detail/movie/tt0133093/tt0133093")));
    assert_eq!(movie.source, Source::Stremio);
    let part = stage.ask(stremio(episode("Stranger Things", 1, 1))).await.unwrap();
    assert_eq!(first(&part).2, Some("stremio:///detail/series/tt4574334/tt4574334:1:1?autoPlay=true"));
    assert_eq!(stage.world.n_requests().await.1, 0);

    let without_id = stage.refused(stremio(question("Home Video"))).await;
    assert!(
        without_id.starts_with("no matching streaming provider") && without_id.contains("no IMDb id"),
        "{without_id}"
    );
}

#[actix::test]
async fn a_thousand_equal_questions_at_once_make_one_walk() {
    let stage = on_netflix().await;
    let askers = (0..1_000).map(|n| {
        let title = if n % 2 == 0 { "The Matrix" } else { "  the   MATRIX" };
        stage.ask(question(title))
    });

    let answers = join_all(askers).await;

    assert!(answers.iter().all(|answer| answer == &answers[0] && answer.is_ok()));
    assert_eq!(stage.world.n_requests().await, (2, 1));
}

#[actix::test]
async fn a_kept_answer_asks_nobody_also_after_a_restart() {
    let stage = on_netflix().await;
    let before = stage.ask(question("The Matrix")).await;
    let stage = stage.restarted();

    assert_eq!(stage.ask(question("the matrix")).await, before);
    assert_eq!(stage.world.n_requests().await, (2, 1));
    let status = stage
        .bus
        .call(ResolverActor::key(), ObserveResolver {}, Deadline::after(Duration::from_secs(5)))
        .await
        .unwrap();
    assert_eq!((status.enabled, status.n_kept, status.n_walks), (true, 1, 0));
}

#[actix::test]
async fn a_question_with_a_year_never_shares_the_answer_of_one_without() {
    let stage = on_netflix().await;
    stage.ask(question("The Matrix")).await.unwrap();
    stage.ask(Question { year: Some(1999), ..question("The Matrix") }).await.unwrap();
    assert_eq!(stage.world.n_requests().await, (5, 2));
}

#[actix::test]
async fn that_nothing_was_found_is_kept_and_that_tmdb_failed_is_not() {
    let stage = Stage::new().await;
    stage.refused(question("No Such Title")).await;
    stage.refused(question("No Such Title")).await;
    assert_eq!(stage.world.n_requests().await.0, 1);

    *stage.world.tmdb_instead.lock().unwrap() = Some(status(401, json!({ "status_code": 7, "success": false })));
    let refused = stage.refused(question("The Matrix")).await;
    assert!(refused.contains("TMDB_API_KEY"), "{refused}");
    *stage.world.tmdb_instead.lock().unwrap() = None;
    stage.world.offers.put("tm603", "US", netflix(70));
    assert!(stage.ask(question("The Matrix")).await.is_ok());
}

#[actix::test]
async fn what_tmdb_does_instead_of_answering_is_told_and_nothing_secret_with_it() {
    for (instead, expected) in [
        (status(401, json!({ "status_code": 7 })), "does not accept"),
        (status(429, json!({ "status_code": 25 })).insert_header("Retry-After", "60"), "slow down"),
        (html(), "a web page"),
        (status(503, json!({})), "TMDB"),
    ] {
        let stage = Stage::new().await;
        *stage.world.tmdb_instead.lock().unwrap() = Some(instead);
        let refused = stage.refused(question("The Matrix")).await;
        assert!(refused.contains(expected), "{refused}");
        assert!(!refused.contains("127.0.0.1") && !refused.contains("0123456789abcdef"), "{refused}");
    }
}

#[actix::test]
async fn what_justwatch_does_instead_of_answering_leaves_the_service_without_a_link() {
    for instead in [
        status(500, json!({})),
        status(403, json!({})),
        status(429, json!({})),
        status(200, json!({ "errors": [{ "message": "Country must match" }], "data": null })),
        status(200, json!({ "errors": [{ "message": "too complex" }] })),
        status(200, json!({ "data": null })),
        status(200, json!({ "data": { "popularTitles": { "edges": [{ "node": null }, null] } } })),
        html(),
    ] {
        let stage = Stage::new().await;
        *stage.world.justwatch_instead.lock().unwrap() = Some(instead);
        let resolution = stage.ask(question("The Matrix")).await.unwrap();
        assert_eq!((first(&resolution).0, first(&resolution).2, resolution.source), ("netflix", None, Source::Tmdb));
    }
}

#[actix::test]
async fn justwatch_can_be_switched_off() {
    let stage = Stage::with(World::new().await, |services| services.justwatch = None);
    let resolution = stage.ask(question("The Matrix")).await.unwrap();
    assert_eq!((first(&resolution).0, resolution.source), ("netflix", Source::Tmdb));
    assert_eq!(stage.world.n_requests().await.1, 0);
}

#[actix::test]
async fn unknown_words_and_nulls_cost_only_the_offers_they_are_in() {
    let stage = on_netflix().await;
    stage.world.offers.put("tm603", "US", json!(null));
    stage.world.offers.put(
        "tm603",
        "US",
        json!({ "monetizationType": "HOLOGRAM", "type": "NEW", "package": { "packageId": 1 } }),
    );
    stage.world.offers.put(
        "tm603",
        "US",
        json!({ "monetizationType": "FLATRATE", "package": null, "presentationType": "_16K" }),
    );

    let resolution = stage.ask(question("The Matrix")).await.unwrap();

    assert_eq!((resolution.offers.len(), first(&resolution).0), (1, "netflix"));
}

#[actix::test]
async fn tmdb_and_justwatch_that_cannot_be_reached_are_told_apart() {
    let stage = Stage::with(World::new().await, |services| services.justwatch = Some(justwatch_at(&gone())));
    assert_eq!(stage.ask(question("The Matrix")).await.unwrap().source, Source::Tmdb);

    let stage = Stage::with(World::new().await, |services| services.tmdb = Some(tmdb_at(&gone())));
    let refused = stage.refused(question("The Matrix")).await;
    assert!(refused.contains("TMDB cannot be reached"), "{refused}");
}

/// Takes connections and never answers. Time is stopped, so that every time-out comes as soon as nothing else happens.
fn silent() -> (tokio::net::TcpListener, String) {
    tokio::time::pause();
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    (tokio::net::TcpListener::from_std(listener).unwrap(), address)
}

#[actix::test]
async fn a_tmdb_that_does_not_answer_is_told_within_the_time_of_a_walk() {
    let (_listener, address) = silent();
    let stage = Stage::with(World::new().await, |services| services.tmdb = Some(tmdb_at(&address)));
    let begin = tokio::time::Instant::now();

    let refused = stage.refused(question("The Matrix")).await;

    assert!(refused.starts_with("The title could not be looked up. TMDB"), "{refused}");
    assert!(begin.elapsed() <= WALK_WITHIN + Duration::from_secs(1), "{:?}", begin.elapsed());
}

#[actix::test]
async fn a_walk_goes_on_for_those_who_joined_when_its_first_caller_has_gone() {
    let stage = on_netflix().await;
    {
        let mut first = std::pin::pin!(stage.ask(question("The Matrix")));
        // Begun, and dropped before it can end.
        assert!(futures_util::poll!(&mut first).is_pending());
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
    }

    assert!(stage.ask(question("The Matrix")).await.is_ok());
    assert_eq!(stage.world.n_requests().await, (2, 1));
}

use serde_json::{Value, json};

use super::*;

const TODAY: Date = jiff::civil::date(2026, 11, 30);

fn offer(condition: &str, id: u64, technical_name: &str, web: &str) -> Value {
    json!({
        "monetizationType": condition, "standardWebURL": web, "deeplinkURL": null, "availableTo": null,
        "package": { "packageId": id, "technicalName": technical_name, "clearName": technical_name.to_uppercase() },
    })
}

fn until(mut offer: Value, day: &str) -> Value {
    offer["availableTo"] = json!(day);
    offer
}

fn netflix() -> Value {
    offer("FLATRATE", 8, "netflix", "https://www.netflix.com/title/1")
}

fn max() -> Value {
    offer("FLATRATE", 1899, "max", "https://play.hbomax.com/video/watch/1")
}

fn max_on_amazon() -> Value {
    offer("FLATRATE", 1825, "amazonhbomax", "https://watch.amazon.com/detail?gti=1")
}

fn hulu() -> Value {
    offer("FLATRATE", 15, "hulu", "https://www.hulu.com/watch/1")
}

fn rental() -> Value {
    offer("RENT", 10, "amazon", "https://watch.amazon.com/detail?gti=1")
}

fn gathered(offers: &[Value], level: Level) -> Gathered {
    let offers: Vec<Offer> = offers.iter().map(|offer| serde_json::from_value(offer.clone()).unwrap()).collect();
    gather(&offers, level, TODAY)
}

fn keys(offers: &[TitleOffer]) -> Vec<&str> {
    offers.iter().map(|offer| offer.service.key()).collect()
}

fn at_title(offers: &[Value], asked: Option<Provider>) -> Chosen {
    choose(vec![gathered(offers, Level::Title)], asked)
}

#[test]
fn only_playable_offers_count_and_rentals_are_remembered() {
    let cinema = offer("CINEMA", 60, "fandango", "https://www.fandango.com/x");
    let found = gathered(&[rental(), cinema, netflix()], Level::Title);
    assert_eq!((keys(&found.playable), found.has_paid), (vec!["netflix"], true));
    let only_paid = gathered(&[rental()], Level::Title);
    assert!(only_paid.playable.is_empty() && only_paid.has_paid);
    let nothing = gathered(&[], Level::Title);
    assert!(nothing.playable.is_empty() && !nothing.has_paid);
}

#[test]
fn a_service_that_comes_in_several_qualities_or_tiers_is_one() {
    let with_ads = offer("FLATRATE", 1796, "netflixbasicwithads", "https://www.netflix.com/title/1");
    assert_eq!(keys(&gathered(&[netflix(), netflix(), with_ads], Level::Title).playable), ["netflix"]);
    let tiers = [
        offer("FLATRATE", 2616, "paramountplusessential", "https://www.paramountplus.com/"),
        offer("FLATRATE", 2303, "paramountpluspremium", "https://www.paramountplus.com/movies/video/1"),
    ];
    let found = gathered(&tiers, Level::Title);
    assert_eq!(found.playable.len(), 1);
    assert_eq!(
        found.playable[0].links[0].uri, "https://www.paramountplus.com/movies/video/1",
        "the tier with a link lends it"
    );
}

#[test]
fn asking_for_max_does_not_pick_its_channel_on_amazon_but_offers_it() {
    let chosen = at_title(&[max_on_amazon(), max()], Some(Provider::Max));
    assert_eq!((keys(&chosen.offers), keys(&chosen.alternatives)), (vec!["max"], vec!["amazonhbomax"]));

    let chosen = at_title(&[max_on_amazon()], Some(Provider::Max));
    assert_eq!((keys(&chosen.offers), keys(&chosen.alternatives)), (vec![], vec!["amazonhbomax"]));
}

#[test]
fn asking_for_prime_video_does_not_pick_a_channel_in_it() {
    assert!(at_title(&[max_on_amazon()], Some(Provider::PrimeVideo)).offers.is_empty());
}

#[test]
fn without_a_wish_the_services_themselves_come_before_channels() {
    let chosen = at_title(&[max_on_amazon(), max(), hulu()], None);
    assert_eq!((keys(&chosen.offers), keys(&chosen.alternatives)), (vec!["max", "hulu"], vec!["amazonhbomax"]));
    assert_eq!(keys(&at_title(&[max_on_amazon()], None).offers), ["amazonhbomax"], "a channel is better than nothing");
}

#[test]
fn a_service_that_no_known_app_opens_is_only_named() {
    let spectrum = offer("FREE", 486, "spectrumondemand", "https://ondemand.spectrum.net/tv/1");
    let chosen = at_title(std::slice::from_ref(&spectrum), None);
    assert_eq!((keys(&chosen.offers), keys(&chosen.alternatives)), (vec![], vec!["spectrumondemand"]));

    let mut tubi = offer("ADS", 73, "tubitv", "https://tubitv.com/movies/1");
    tubi["deeplinkURL"] = json!("intent://tubitv.com/movies/1#Intent;scheme=https;package=com.tubitv;end");
    assert_eq!(keys(&at_title(&[spectrum, tubi], None).offers), ["tubitv"]);
}

#[test]
fn the_episode_is_taken_before_the_season_and_the_season_before_the_show() {
    let levels = |episode: &[Value], season: &[Value], show: &[Value]| {
        vec![gathered(episode, Level::Title), gathered(season, Level::Season), gathered(show, Level::Show)]
    };
    let level = |levels, asked| choose(levels, asked).offers.first().map(|offer| offer.level);
    assert_eq!(level(levels(&[hulu()], &[hulu()], &[hulu()]), None), Some(Level::Title));
    assert_eq!(level(levels(&[], &[hulu()], &[hulu()]), None), Some(Level::Season));
    assert_eq!(level(levels(&[rental()], &[], &[hulu()]), None), Some(Level::Show));
    assert_eq!(
        level(levels(&[hulu()], &[hulu(), netflix()], &[netflix()]), Some(Provider::Netflix)),
        Some(Level::Season)
    );
    assert_eq!(level(levels(&[hulu()], &[hulu()], &[hulu()]), Some(Provider::Netflix)), None);
}

#[test]
fn what_was_asked_for_and_is_nowhere_leaves_what_is_there_as_alternatives() {
    let chosen = at_title(&[hulu(), max_on_amazon()], Some(Provider::Netflix));
    assert_eq!((keys(&chosen.offers), keys(&chosen.alternatives)), (vec![], vec!["hulu", "amazonhbomax"]));
}

#[test]
fn an_offer_is_there_until_its_last_day_is_over() {
    let there =
        |day: &str| gathered(&[until(netflix(), day)], Level::Title).playable.first().map(|offer| offer.available_to);
    assert_eq!(there("2026-11-29"), None);
    assert_eq!(there("2026-11-30"), Some(Some(TODAY)));
    assert_eq!(there("2026-12-01T04:00:00Z"), Some(Some(jiff::civil::date(2026, 12, 1))));
    assert_eq!(there("someday"), Some(None));
}

#[test]
fn an_affiliate_redirect_from_outside_leaves_an_offer_that_opens_the_app() {
    let disney =
        offer("FLATRATE", 337, "disneyplus", "https://evil.example/?u=https%3A%2F%2Fevildisneyplus.com%2Fplay%2F1");
    let found = gathered(&[disney], Level::Title);
    assert_eq!((keys(&found.playable), found.playable[0].links.len()), (vec!["disney_plus"], 0));
}

#[test]
fn tmdb_knows_services_by_the_same_ids_and_no_links() {
    let providers: CountryProviders = serde_json::from_value(json!({
        "link": "https://www.themoviedb.org/x",
        "flatrate": [{ "provider_id": 1825, "provider_name": "HBO Max Amazon Channel" }, { "provider_id": 1899, "provider_name": "Max" }],
        "ads": [{ "provider_id": 8, "provider_name": "Netflix" }, { "provider_id": 1796, "provider_name": "Netflix with Ads" }],
        "rent": [{ "provider_id": 2, "provider_name": "Apple TV" }],
    }))
    .unwrap();
    let found = gather_from_tmdb(&providers, Level::Title);
    assert!(found.has_paid && found.playable.iter().all(|offer| offer.links.is_empty()));
    let chosen = choose(vec![found], None);
    assert_eq!((keys(&chosen.offers), keys(&chosen.alternatives)), (vec!["max", "netflix"], vec!["tmdb:1825"]));
}

#[test]
fn an_answer_stays_small_however_much_a_catalogue_sends() {
    let endless = "x".repeat(5_000);
    let many: Vec<Value> = (0..500)
        .map(|n| offer("ADS", 10_000 + n, &format!("service{n}"), &format!("https://service{n}.example/{endless}")))
        .chain([offer("FLATRATE", 8, "netflix", &format!("https://www.netflix.com/title/{}", "1".repeat(5_000)))])
        .collect();
    let found = gathered(&many, Level::Title);
    assert_eq!(found.playable.len(), 40);
    assert!(found.playable.iter().all(|offer| offer.links.iter().all(|link| link.uri.len() <= 1_500)));
}

#[test]
fn names_from_outside_are_short_plain_text() {
    let mut long = netflix();
    long["package"]["clearName"] = json!(format!("Net\u{7}\n\tflix {}", "x".repeat(500)));
    let found = gathered(&[long], Level::Title);
    assert!(found.playable[0].service.name.starts_with("Net flix x"), "{}", found.playable[0].service.name);
    assert_eq!(found.playable[0].service.name.chars().count(), 60);
}

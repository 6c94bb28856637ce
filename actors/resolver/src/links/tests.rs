use playhouse_tv::launch::LaunchIntent;
use proptest::prelude::*;

use super::*;

const UUID: &str = "26fb7558-a0bb-4153-9dde-18800e1738a9";

/// The page that a web link of an offer leads to.
fn page(provider: Provider, link: &str) -> Option<String> {
    let links = links_of_offer(Some(provider), None, Some(link), Level::Title);
    links.first().map(|link| link.uri.clone())
}

/// What a TV would be handed for an offer, for every link of it.
fn handed(provider: Provider, android_tv: Option<&str>, web: Option<&str>, package: &str) -> Vec<String> {
    let links = links_of_offer(Some(provider), android_tv, web, Level::Title);
    links.iter().map(|link| link.for_package(package)).collect()
}

#[track_caller]
fn opens(provider: Provider, link: &str, expected: &str) {
    assert_eq!(page(provider, link).as_deref(), Some(expected), "{link}");
}

#[track_caller]
fn only_opens_the_app(provider: Provider, link: &str) {
    assert_eq!(page(provider, link), None, "{link}");
}

#[test]
fn an_affiliate_redirect_is_unwrapped() {
    opens(
        Provider::DisneyPlus,
        "https://disneyplus.bn5x.net/c/1206980/705874/9358?u=https%3A%2F%2Fwww.disneyplus.com%2Fplay%2F26fb7558-a0bb-4153-9dde-18800e1738a9&subId3=justappsvod",
        &format!("https://www.disneyplus.com/play/{UUID}"),
    );
}

#[test]
fn hosts_count_only_from_a_label_boundary_on() {
    for elsewhere in [
        "https://evildisneyplus.com/play/x",
        "https://disneyplus.com.evil.example/play/x",
        "https://www.disneyplus.com@evil.example/play/x",
        "https://www.disneyplus.com:8443/play/x",
        "https://evil.example/?u=https%3A%2F%2Fevildisneyplus.com%2Fplay%2Fx",
        "https://evil.example/?u=javascript%3Aalert(1)%2F%2Fwww.disneyplus.com%2Fplay%2Fx",
        "https://evil.example/www.disneyplus.com/play/x",
        "ftp://www.disneyplus.com/play/x",
        "not a link",
    ] {
        only_opens_the_app(Provider::DisneyPlus, elsewhere);
    }
    opens(Provider::DisneyPlus, "https://WWW.DisneyPlus.com/play/x", "https://www.disneyplus.com/play/x");
}

#[test]
fn what_only_counts_clicks_is_stripped_and_what_plays_is_kept() {
    opens(
        Provider::AppleTvPlus,
        "https://tv.apple.com/us/episode/coin-flip/umc.cmc.2nmk?at=1000l3V2&ct=app_tvplus&itscg=30200&itsct=justwatch_tv&playableId=tvs.sbd.4000%3AA0080801001&showId=umc.cmc.apzy",
        "https://tv.apple.com/us/episode/coin-flip/umc.cmc.2nmk?playableId=tvs.sbd.4000%3AA0080801001&showId=umc.cmc.apzy",
    );
    opens(
        Provider::Max,
        "https://play.hbomax.com/video/watch/c8b6375a?utm_source=universal_search",
        "https://play.hbomax.com/video/watch/c8b6375a",
    );
}

#[test]
fn netflix_gets_the_extra_without_which_it_shows_its_home_screen() {
    let web =
        handed(Provider::Netflix, None, Some("http://netflix.com/gb/title/70025587?trackId=1"), "com.netflix.ninja");
    assert_eq!(
        web,
        ["intent://www.netflix.com/title/70025587#Intent;scheme=https;package=com.netflix.ninja;S.source=30;end"]
    );
    let without = "intent://www.netflix.com/watch/81767873#Intent;launchFlags=0x00800000;scheme=https;package=com.netflix.ninja;end";
    assert_eq!(
        handed(Provider::Netflix, Some(without), None, "com.netflix.ninja"),
        ["intent://www.netflix.com/watch/81767873#Intent;scheme=https;package=com.netflix.ninja;S.source=30;end"]
    );
    let own_scheme =
        handed(Provider::Netflix, Some("nflx://www.netflix.com/watch/80057281"), None, "com.netflix.ninja");
    assert!(own_scheme[0].contains("//www.netflix.com/watch/80057281#Intent;scheme=https;"), "{own_scheme:?}");
}

#[test]
fn a_netflix_series_opens_its_page_and_not_where_somebody_left_off() {
    let show = "intent://www.netflix.com/watch/80057281#Intent;scheme=https;package=com.netflix.ninja;S.source=30;end";
    for (level, expected) in [
        (Level::Title, "https://www.netflix.com/watch/80057281"),
        (Level::Season, "https://www.netflix.com/title/80057281"),
        (Level::Show, "https://www.netflix.com/title/80057281"),
    ] {
        let links = links_of_offer(Some(Provider::Netflix), Some(show), None, level);
        assert_eq!(links[0].uri, expected);
    }
}

#[test]
fn the_android_tv_link_comes_before_the_web_link() {
    let links = handed(
        Provider::PrimeVideo,
        Some(
            "intent://app.primevideo.com/watch?gti=amzn1.dv.gti.1#Intent;package=com.amazon.amazonvideo.livingroom;scheme=https;end",
        ),
        Some("https://watch.amazon.com/detail?gti=amzn1.dv.gti.1"),
        "com.amazon.amazonvideo.livingroom",
    );
    assert_eq!(
        links,
        [
            "intent://app.primevideo.com/watch?gti=amzn1.dv.gti.1#Intent;scheme=https;package=com.amazon.amazonvideo.livingroom;end",
            "https://watch.amazon.com/detail?gti=amzn1.dv.gti.1"
        ]
    );
}

#[test]
fn a_justwatch_link_is_rewritten_for_fire_tv() {
    let link =
        "intent://app.primevideo.com/watch?gti=x#Intent;package=com.amazon.amazonvideo.livingroom;scheme=https;end";
    assert_eq!(
        handed(Provider::PrimeVideo, Some(link), None, "com.amazon.firebat"),
        ["intent://app.primevideo.com/watch?gti=x#Intent;scheme=https;package=com.amazon.firebat;end"]
    );
}

#[test]
fn hulus_own_action_becomes_the_page_that_opens_the_same() {
    let link = "intent://launch/#Intent;action=hulu.intent.action.PLAY_CONTENT;package=com.hulu.livingroomplus;\
                S.content_id=502bbc34-fa19-48fb-89c6-074da28335d3;end";
    assert_eq!(
        handed(Provider::Hulu, Some(link), None, "com.hulu.plus"),
        [
            "intent://www.hulu.com/watch/502bbc34-fa19-48fb-89c6-074da28335d3#Intent;scheme=https;package=com.hulu.plus;end"
        ]
    );
}

#[test]
fn a_link_without_a_content_id_only_opens_the_app() {
    only_opens_the_app(Provider::AppleTvPlus, "https://tv.apple.com");
    only_opens_the_app(Provider::AppleTvPlus, "https://tv.apple.com/us/channel/x/tvs.sbd.4000");
    only_opens_the_app(Provider::Youtube, "https://www.youtube.com");
    only_opens_the_app(Provider::Youtube, "https://www.youtube.com/results?search_query=the+matrix");
    only_opens_the_app(Provider::ParamountPlus, "https://www.paramountplus.com/");
    only_opens_the_app(Provider::FuboTv, "https://www.fubo.tv/welcome/series/1");
    only_opens_the_app(Provider::Netflix, "https://www.netflix.com/browse");
    only_opens_the_app(Provider::PrimeVideo, "https://watch.amazon.com/detail?gti=");
    only_opens_the_app(Provider::Max, "https://play.hbomax.com/");
    let peacock =
        "intent://#Intent;launchFlags=0x00800000;component=com.peacock.peacockfiretv/com.peacock.MainActivity;end";
    assert!(links_of_offer(Some(Provider::Peacock), Some(peacock), None, Level::Title).is_empty());
}

#[test]
fn every_recorded_link_to_a_title_is_one() {
    for (provider, link) in [
        (Provider::DisneyPlus, "https://www.disneyplus.com/browse/entity-784d3d44-0cf3-429c-a372-bbf8ecbedba7"),
        (Provider::DisneyPlus, "https://www.disneyplus.com/video/784d3d44"),
        (Provider::PrimeVideo, "https://watch.amazon.com/detail?gti=amzn1.dv.gti.c764f1ee"),
        (Provider::PrimeVideo, "https://app.primevideo.com/detail?gti=amzn1.dv.gti.3760f179"),
        (Provider::Max, "https://play.hbomax.com/show/012cacbd-5893-4379-b7a6-d3737c61d4b5"),
        (Provider::Max, "https://play.max.com/video/watch/c8b6375a"),
        (Provider::Hulu, "https://www.hulu.com/watch/26fb7558-a0bb-4153-9dde-18800e1738a9"),
        (Provider::AppleTvPlus, "https://tv.apple.com/gb/movie/the-matrix/umc.cmc.af8k9kcq9r1s1qmmdxpq4itn"),
        (
            Provider::ParamountPlus,
            "https://www.paramountplus.com/shows/the-madison/video/bHtHvqPASEerVDrmdAVSkVzWTjAy7_9P/the-madison-pilot",
        ),
        (Provider::ParamountPlus, "https://www.paramountplus.com/movies/video/abc"),
        (Provider::Peacock, "https://www.peacocktv.com/watch/asset/movies/hamnet/b9ada8e7-9ebd-3516-9f61-a58f239ec5e2"),
        (Provider::Youtube, "https://www.youtube.com/watch?v=jNQXAC9IVRw"),
    ] {
        opens(provider, link, link);
    }
    let peacock =
        "intent://www.peacocktv.com/deeplink?deeplinkData=%7B%22pvid%22%3A%22abc%22%7D#Intent;scheme=https;end";
    assert_eq!(
        handed(Provider::Peacock, Some(peacock), None, "com.peacocktv.peacockandroid"),
        [
            "intent://www.peacocktv.com/deeplink?deeplinkData=%7B%22pvid%22%3A%22abc%22%7D#Intent;scheme=https;package=com.peacocktv.peacockandroid;end"
        ]
    );
    let youtube = handed(Provider::Youtube, Some("vnd.youtube://jNQXAC9IVRw"), None, "com.google.android.youtube.tv");
    assert_eq!(youtube, ["vnd.youtube://jNQXAC9IVRw"]);
}

#[test]
fn a_service_that_the_map_does_not_know_opens_only_by_its_android_tv_link() {
    let link = "intent://tubitv.com/movies/100#Intent;scheme=https;package=com.tubitv;end";
    let links = links_of_offer(None, Some(link), Some("https://tubitv.com/movies/100"), Level::Title);
    assert_eq!(links.len(), 1);
    assert_eq!(
        (links[0].uri.as_str(), links[0].package.as_deref()),
        ("https://tubitv.com/movies/100", Some("com.tubitv"))
    );
    assert!(links_of_offer(None, None, Some("https://tubitv.com/movies/100"), Level::Title).is_empty());
}

#[test]
fn stremio_links_have_three_slashes_and_name_the_video_twice() {
    let link = |is_series, episode| {
        let (link, level) = stremio_link(&"tt0108778".parse().unwrap(), is_series, episode);
        (link.for_package("com.stremio.one"), level)
    };
    assert_eq!(link(false, None), ("stremio:///detail/movie/tt0108778/tt0108778".to_owned(), Level::Title));
    let episode = "stremio:///detail/series/tt0108778/tt0108778:1:1?autoPlay=true";
    assert_eq!(link(true, Some((1, 1))), (episode.to_owned(), Level::Title));
    assert_eq!(link(true, None), ("stremio:///detail/series/tt0108778".to_owned(), Level::Show));
}

proptest! {
    /// Whatever a catalogue sends, a TV is handed nothing that the rules for launching refuse.
    #[test]
    fn every_link_that_is_made_passes_the_rules_for_launching(
        target in "[a-zA-Z0-9:/?&=%#;. ]{0,40}",
        parts in "([a-zA-Z.]{1,8}=[a-zA-Z0-9%:;/#.]{0,12};){0,4}",
        provider in proptest::sample::select(Provider::ALL.to_vec()),
        known in any::<bool>(),
        host in proptest::sample::select(vec!["www.netflix.com/title/1", "www.hulu.com/watch/", "www.youtube.com/watch?v=1&", "tubitv.com/"]),
    ) {
        let link = format!("intent://{host}{target}#Intent;scheme=https;package=a.b;{parts}end");
        for link in links_of_offer(known.then_some(provider), Some(&link), Some(&format!("https://{host}{target}")), Level::Title) {
            let data = link.for_package("com.example.app");
            let checked = LaunchIntent::from_arguments(Some(&data), Some("com.example.app"));
            prop_assert!(checked.is_ok(), "{data}: {checked:?}");
        }
    }
}

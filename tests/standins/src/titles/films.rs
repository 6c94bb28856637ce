//! The movies.

use super::{
    InJustWatch, Kind, Offer, Quirk, Title,
    service::Service::{
        self, AmazonShop, AppleShop, AppleTvPlus, DisneyPlus, Fandango, Fubo, Hulu, Max, MaxOnAmazon, Netflix,
        ParamountOnAmazon, ParamountOnApple, ParamountPlus, Peacock, PeacockPlus, PrimeVideo, PrimeVideoFree, Youtube,
        YoutubeFree, YoutubeTv,
    },
};

const BOTH: &[&str] = &["US", "GB"];
const US: &[&str] = &["US"];
const GB: &[&str] = &["GB"];
const FR: &[&str] = &["FR"];
const ANYWHERE: &[&str] = &["US", "GB", "CA", "AU", "FR", "DE"];

const fn film(tmdb: u64, imdb: &'static str, name: &'static str, shown: &'static str) -> Title {
    Title {
        kind: Kind::Movie,
        tmdb,
        imdb,
        name,
        original: None,
        translated: &[],
        also_called: &[],
        shown,
        shown_again: &[],
        popularity: 50.0,
        n_votes: 10_000,
        seasons: &[],
        offers: &[],
        in_justwatch: InJustWatch::Known,
    }
}

const fn at(service: Service, countries: &'static [&'static str]) -> Offer {
    Offer::subscription(service, countries)
}

pub(crate) static FILMS: &[Title] = &[
    Title {
        offers: &[at(Netflix, ANYWHERE)],
        ..film(661_374, "tt11564570", "Glass Onion: A Knives Out Mystery", "2022-11-23")
    },
    Title {
        offers: &[at(DisneyPlus, ANYWHERE), Offer::buy(AppleShop, BOTH)],
        ..film(277_834, "tt3521164", "Moana", "2016-11-23")
    },
    Title {
        offers: &[at(PrimeVideo, BOTH), Offer::advertisements(PrimeVideoFree, US), Offer::rent(AmazonShop, BOTH)],
        ..film(334_541, "tt4034228", "Manchester by the Sea", "2016-11-18")
    },
    Title {
        // The reseller comes first.
        offers: &[at(MaxOnAmazon, US), at(Max, BOTH)],
        also_called: &["Justice League Snyder Cut"],
        ..film(791_373, "tt12361974", "Zack Snyder's Justice League", "2021-03-18")
    },
    Title { offers: &[at(Hulu, BOTH)], ..film(587_792, "tt9484998", "Palm Springs", "2020-07-10") },
    Title {
        offers: &[at(AppleTvPlus, BOTH), at(AppleTvPlus, FR).but(Quirk::BareLink)],
        ..film(776_503, "tt10366460", "CODA", "2021-08-13")
    },
    Title {
        offers: &[
            at(ParamountPlus, US).but(Quirk::GoneTomorrow),
            at(ParamountPlus, GB),
            at(ParamountOnAmazon, US),
            at(ParamountOnApple, US),
        ],
        ..film(361_743, "tt1745960", "Top Gun: Maverick", "2022-05-27")
    },
    Title {
        offers: &[
            at(Peacock, US),
            at(PeacockPlus, US),
            at(Peacock, GB).but(Quirk::ContentlessIntent),
            Offer::rent(AppleShop, BOTH),
        ],
        ..film(872_585, "tt15398776", "Oppenheimer", "2023-07-21")
    },
    Title {
        offers: &[at(Fubo, BOTH), Offer::rent(AmazonShop, BOTH), Offer::cinema(Fandango, US)],
        ..film(238, "tt0068646", "The Godfather", "1972-03-24")
    },
    Title {
        offers: &[Offer::free(YoutubeFree, BOTH)],
        in_justwatch: InJustWatch::WithoutIds(1968),
        ..film(10_331, "tt0063350", "Night of the Living Dead", "1968-10-04")
    },
    Title {
        offers: &[
            Offer::rent(AppleShop, US),
            Offer::buy(AmazonShop, US),
            Offer::rent(Youtube, US).but(Quirk::SearchPage),
            at(Netflix, GB),
        ],
        popularity: 120.0,
        n_votes: 37_000,
        ..film(27_205, "tt1375666", "Inception", "2010-07-16")
    },
    Title {
        in_justwatch: InJustWatch::Unknown,
        popularity: 8.0,
        n_votes: 300,
        ..film(64_956, "tt5295894", "Inception: The Cobol Job", "2010-12-07")
    },
    // TMDB has many entries of which hardly anything is known. This one is ours.
    Title { in_justwatch: InJustWatch::Unknown, popularity: 0.3, n_votes: 0, ..film(99_000_001, "", "Inception", "") },
    Title {
        // The exact title is the second result for "dune": this one is more popular.
        offers: &[at(Max, US), at(MaxOnAmazon, US), at(Netflix, GB)],
        popularity: 190.0,
        ..film(693_134, "tt15239678", "Dune: Part Two", "2024-02-28")
    },
    Title {
        offers: &[at(Max, US), at(Netflix, GB)],
        popularity: 110.0,
        ..film(438_631, "tt1160419", "Dune", "2021-10-22")
    },
    Title {
        offers: &[at(Hulu, US), Offer::rent(AmazonShop, GB)],
        popularity: 30.0,
        ..film(841, "tt0087182", "Dune", "1984-12-14")
    },
    Title {
        offers: &[at(DisneyPlus, BOTH)],
        popularity: 40.0,
        ..film(511_809, "tt3581652", "West Side Story", "2021-12-10")
    },
    Title {
        offers: &[Offer::rent(AppleShop, BOTH)],
        popularity: 39.0,
        ..film(1725, "tt0055614", "West Side Story", "1961-10-18")
    },
    Title {
        offers: &[at(DisneyPlus, US), at(DisneyPlus, GB).but(Quirk::LookalikeHost)],
        popularity: 80.0,
        ..film(420_818, "tt6105098", "The Lion King", "2019-07-19")
    },
    Title {
        offers: &[at(DisneyPlus, BOTH)],
        popularity: 85.0,
        ..film(8587, "tt0110357", "The Lion King", "1994-06-24")
    },
    Title {
        offers: &[at(Max, US), at(Netflix, &["GB", "FR"])],
        original: Some(("ja", "千と千尋の神隠し")),
        translated: &[("fr", "Le Voyage de Chihiro")],
        // Its release in the United States.
        shown_again: &[2002],
        in_justwatch: InJustWatch::WithoutIds(2002),
        ..film(129, "tt0245429", "Spirited Away", "2001-07-20")
    },
    Title {
        offers: &[at(PrimeVideo, US).but(Quirk::WebOnly), at(PrimeVideo, FR), at(Netflix, GB)],
        original: Some(("fr", "Le Fabuleux Destin d'Amélie Poulain")),
        also_called: &["Amelie"],
        in_justwatch: InJustWatch::ByOriginalName,
        ..film(194, "tt0211915", "Amélie", "2001-04-25")
    },
    Title {
        offers: &[at(Hulu, US), at(Netflix, GB)],
        original: Some(("ko", "기생충")),
        ..film(496_243, "tt6751668", "Parasite", "2019-05-30")
    },
    Title {
        // What cannot be read comes before what can.
        offers: &[
            at(Netflix, US).but(Quirk::Nulls),
            at(Hulu, US).but(Quirk::NewWords),
            at(ParamountPlus, US),
            at(YoutubeTv, US),
            at(Netflix, GB),
        ],
        ..film(157_336, "tt0816692", "Interstellar", "2014-11-05")
    },
    Title {
        offers: &[at(Netflix, GB).but(Quirk::GoneYesterday), at(PrimeVideo, GB), at(Max, US)],
        ..film(680, "tt0110912", "Pulp Fiction", "1994-10-14")
    },
    // Nowhere in France.
    Title {
        offers: &[at(Max, US), at(PrimeVideo, GB)],
        popularity: 35.0,
        ..film(275, "tt0116282", "Fargo", "1996-03-08")
    },
];

//! The series.

use super::{
    InJustWatch, Kind, Offer, Quirk, Season, Title,
    service::Service::{
        self, AppleOnAmazon, AppleShop, AppleTvPlus, DisneyPlus, Fubo, Hulu, Max, MaxOnAmazon, Netflix, NetflixAds,
        ParamountOnAmazon, ParamountOnApple, ParamountPlus, Peacock, PeacockPlus, PrimeVideo, YoutubePremium,
    },
};

const BOTH: &[&str] = &["US", "GB"];
const US: &[&str] = &["US"];
const GB: &[&str] = &["GB"];
const FR: &[&str] = &["FR"];
const ANYWHERE: &[&str] = &["US", "GB", "CA", "AU", "FR", "DE"];

const fn series(
    tmdb: u64,
    imdb: &'static str,
    name: &'static str,
    shown: &'static str,
    seasons: &'static [Season],
) -> Title {
    Title {
        kind: Kind::Series,
        tmdb,
        imdb,
        name,
        original: None,
        translated: &[],
        also_called: &[],
        shown,
        shown_again: &[],
        popularity: 60.0,
        n_votes: 5_000,
        seasons,
        offers: &[],
        in_justwatch: InJustWatch::Known,
    }
}

const fn season(number: u32, year: u16, n_episodes: u32) -> Season {
    Season { number, year, n_episodes }
}

const fn at(service: Service, countries: &'static [&'static str]) -> Offer {
    Offer::subscription(service, countries)
}

pub(crate) static SERIES: &[Title] = &[
    Title {
        offers: &[at(Netflix, ANYWHERE), at(NetflixAds, BOTH)],
        popularity: 300.0,
        ..series(
            66_732,
            "tt4574334",
            "Stranger Things",
            "2016-07-15",
            &[season(1, 2016, 8), season(2, 2017, 9), season(3, 2019, 8), season(4, 2022, 9), season(5, 2025, 8)],
        )
    },
    Title {
        offers: &[at(DisneyPlus, ANYWHERE)],
        ..series(
            82_856,
            "tt8111088",
            "The Mandalorian",
            "2019-11-12",
            &[season(1, 2019, 8), season(2, 2020, 8), season(3, 2023, 8)],
        )
    },
    Title {
        offers: &[at(PrimeVideo, ANYWHERE)],
        ..series(
            76_479,
            "tt1190634",
            "The Boys",
            "2019-07-26",
            &[season(1, 2019, 8), season(2, 2020, 8), season(3, 2022, 8), season(4, 2024, 8)],
        )
    },
    Title {
        offers: &[at(MaxOnAmazon, US), at(Max, BOTH), Offer::buy(AppleShop, BOTH)],
        // The third is announced.
        ..series(
            100_088,
            "tt3581920",
            "The Last of Us",
            "2023-01-15",
            &[season(1, 2023, 9), season(2, 2025, 7), season(3, 0, 0)],
        )
    },
    Title {
        offers: &[at(Hulu, BOTH), at(DisneyPlus, &["GB", "FR"])],
        ..series(
            136_315,
            "tt14452776",
            "The Bear",
            "2022-06-23",
            &[season(1, 2022, 8), season(2, 2023, 10), season(3, 2024, 10), season(4, 2025, 10)],
        )
    },
    Title {
        offers: &[at(AppleOnAmazon, US), at(AppleTvPlus, ANYWHERE)],
        ..series(95_396, "tt11280740", "Severance", "2022-02-18", &[season(1, 2022, 9), season(2, 2025, 10)])
    },
    Title {
        // In France only through another's app.
        offers: &[at(ParamountOnApple, US), at(ParamountOnAmazon, &["US", "FR"]), at(ParamountPlus, BOTH)],
        ..series(
            103_516,
            "tt12327578",
            "Star Trek: Strange New Worlds",
            "2022-05-05",
            &[season(1, 2022, 10), season(2, 2023, 10), season(3, 2025, 10)],
        )
    },
    Title {
        offers: &[at(Peacock, US), at(PeacockPlus, US), at(Peacock, GB).but(Quirk::ContentlessIntent)],
        ..series(120_998, "tt14269590", "Poker Face", "2023-01-26", &[season(1, 2023, 10), season(2, 2025, 12)])
    },
    Title {
        offers: &[at(Fubo, BOTH), at(ParamountPlus, GB), at(Peacock, US)],
        ..series(73_586, "tt4236770", "Yellowstone", "2018-06-20", &[season(1, 2018, 9), season(2, 2019, 10)])
    },
    Title {
        offers: &[at(YoutubePremium, BOTH), at(Netflix, FR)],
        ..series(77_169, "tt7221388", "Cobra Kai", "2018-05-02", &[season(1, 2018, 10), season(2, 2019, 10)])
    },
    Title {
        offers: &[at(PrimeVideo, US).but(Quirk::NotForEpisodes), at(Netflix, GB)],
        // Of the specials only the unaired pilot.
        ..series(
            19_885,
            "tt1475582",
            "Sherlock",
            "2010-07-25",
            &[season(0, 2010, 1), season(1, 2010, 3), season(2, 2012, 3), season(3, 2014, 3), season(4, 2017, 3)],
        )
    },
    Title {
        offers: &[at(Hulu, US).but(Quirk::NotForSeasons), at(DisneyPlus, GB)],
        ..series(4556, "tt0285403", "Scrubs", "2001-10-02", &[season(1, 2001, 24), season(2, 2002, 22)])
    },
    Title {
        offers: &[at(Peacock, US), at(Netflix, GB)],
        popularity: 250.0,
        ..series(2316, "tt0386676", "The Office", "2005-03-24", &[season(1, 2005, 6), season(2, 2005, 22)])
    },
    Title {
        offers: &[at(Hulu, US), Offer::rent(AppleShop, US), at(PrimeVideo, GB)],
        popularity: 45.0,
        ..series(2996, "tt0290978", "The Office", "2001-07-09", &[season(1, 2001, 6), season(2, 2002, 6)])
    },
    Title {
        offers: &[at(Hulu, US), at(PrimeVideo, GB), at(Netflix, FR)],
        popularity: 55.0,
        ..series(60_622, "tt2802850", "Fargo", "2014-04-15", &[season(1, 2014, 10), season(2, 2015, 10)])
    },
];

//! For each service of a household's TV, a movie and a series that play.

/// A movie and a series that one service has in several countries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Playable {
    /// The service, as tools name it: `netflix`.
    pub provider: &'static str,
    /// A movie.
    pub movie: &'static str,
    /// The year of its release.
    pub movie_year: u16,
    /// A series; its first season has a first episode.
    pub series: &'static str,
    /// The year of its first episode.
    pub series_year: u16,
    /// Where.
    pub countries: &'static [&'static str],
    /// Whether its links name the title. Those of fubo only open the app.
    pub links_name_titles: bool,
}

const fn playable(
    provider: &'static str,
    (movie, movie_year): (&'static str, u16),
    (series, series_year): (&'static str, u16),
) -> Playable {
    Playable { provider, movie, movie_year, series, series_year, countries: &["US", "GB"], links_name_titles: true }
}

/// For each of the ten services that JustWatch knows, a movie and a series that it has in at least two countries.
pub const PLAYABLE: &[Playable] = &[
    playable("netflix", ("Glass Onion: A Knives Out Mystery", 2022), ("Stranger Things", 2016)),
    playable("disney_plus", ("Moana", 2016), ("The Mandalorian", 2019)),
    playable("prime_video", ("Manchester by the Sea", 2016), ("The Boys", 2019)),
    playable("max", ("Zack Snyder's Justice League", 2021), ("The Last of Us", 2023)),
    playable("hulu", ("Palm Springs", 2020), ("The Bear", 2022)),
    playable("apple_tv_plus", ("CODA", 2021), ("Severance", 2022)),
    playable("paramount_plus", ("Top Gun: Maverick", 2022), ("Star Trek: Strange New Worlds", 2022)),
    playable("peacock", ("Oppenheimer", 2023), ("Poker Face", 2023)),
    Playable { links_name_titles: false, ..playable("fubo_tv", ("The Godfather", 1972), ("Yellowstone", 2018)) },
    playable("youtube", ("Night of the Living Dead", 1968), ("Cobra Kai", 2018)),
];

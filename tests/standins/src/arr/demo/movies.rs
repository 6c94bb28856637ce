//! Films, most of them a hundred years old.

use super::{Today, World};

/// TMDB's number, title, year.
const KEPT: &[(u32, &str, u16)] = &[
    (19, "Metropolis", 1927),
    (653, "Nosferatu", 1922),
    (961, "The General", 1926),
    (992, "Sherlock Jr.", 1924),
    (234, "The Cabinet of Dr. Caligari", 1920),
    (643, "Battleship Potemkin", 1925),
    (775, "A Trip to the Moon", 1902),
    (22_596, "Safety Last!", 1923),
    (10_098, "The Kid", 1921),
    (962, "The Gold Rush", 1925),
    (57_283, "Häxan", 1922),
    (3085, "His Girl Friday", 1940),
    (4808, "Charade", 1963),
    (10_331, "Night of the Living Dead", 1968),
    (964, "The Phantom of the Opera", 1925),
    (631, "Sunrise: A Song of Two Humans", 1927),
    (780, "The Passion of Joan of Arc", 1928),
    (26_317, "Man with a Movie Camera", 1929),
    (25_768, "Steamboat Bill, Jr.", 1928),
    (669, "Nanook of the North", 1922),
];

/// Wanted, and what is the matter with the download of it, if there is one.
const WANTED: &[(u32, &str, u16, Option<&str>)] = &[
    (10_513, "Plan 9 from Outer Space", 1957, Some("movie-by-id")),
    (16_093, "Carnival of Souls", 1962, Some("stalled")),
    (20_367, "Detour", 1945, Some("executable")),
    (10_728, "Faust", 1926, Some("archive")),
    (2981, "The Lost World", 1925, Some("mapping")),
    (9_900_001, "The Heron Year", 2019, Some("failed-in-dutch")),
    (9_900_002, "A Room Above the Lock", 2021, Some("sample")),
    (9_900_003, "The Ferryman's Ledger", 2023, Some("moving")),
    (9_900_004, "Ten Miles of Hedge", 2022, Some("delayed")),
    (9_900_005, "Kestrel Street", 2020, Some("blocked-in-german")),
    (9_900_006, "The Weighbridge", 2018, None),
    (9_900_007, "Slack Tide", 2017, None),
];

pub(super) fn furnish(world: &mut World, today: Today) {
    for (n, (tmdb, title, year)) in (0_i64..).zip(KEPT) {
        let movie = world.library.movie(*tmdb, title, *year, Today::of_year(*year));
        if n % 3 == 0 {
            world.remember(&[movie], 3 + 4 * n, "REEL");
        } else {
            world.library.keep(movie, today.at(-200 - n));
        }
    }
    // Found on the disk and never looked into.
    let first = world.library.files[0].id;
    world.library.forget_analysis(first);
    for (tmdb, title, year, ailment) in WANTED {
        let movie = world.library.movie(*tmdb, title, *year, Today::of_year(*year));
        if let Some(ailment) = ailment {
            world.ail(ailment, &[movie]);
        }
    }
    let good_enough = world.library.movie(18_995, "D.O.A.", 1950, Today::of_year(1950));
    world.ail("not-an-upgrade", &[good_enough]);
    world.ail("foreign", &[good_enough]);
    let unwanted = world.library.movie(24_452, "The Little Shop of Horrors", 1960, Today::of_year(1960));
    world.library.unmonitor(unwanted);
    let coming = world.library.movie(9_900_101, "Salt and Lanterns", 2026, Some(today.at(9)));
    let in_cinemas = world.library.movie(9_900_102, "The Understudy's Coat", 2026, Some(today.at(-40)));
    world.library.release_digitally(in_cinemas, today.at(4));
    // Neither a year nor a date is known.
    world.library.movie(9_900_103, "The Quiet Ferry", 0, None);
    world
        .library
        .parents
        .iter_mut()
        .filter(|movie| movie.id == coming)
        .for_each(|movie| movie.genres.push("Drama".to_owned()));
}

//! Series that nobody has made.

use jiff::Timestamp;

use super::{Today, World};

/// A season whose episodes are a week apart, the first so many days from now.
fn weekly(today: Today, first: i64, n_episodes: i64) -> Vec<Option<Timestamp>> {
    (0..n_episodes).map(|n| Some(today.at(first + 7 * n))).collect()
}

pub(super) fn furnish(world: &mut World, today: Today) {
    // Three seasons, the last of which is being broadcast.
    let low_water = world.library.series(9_910_001, 991_001, "Low Water", 2023);
    let first = world.library.season(low_water, 1, &weekly(today, -900, 8));
    let second = world.library.season(low_water, 2, &weekly(today, -500, 8));
    let third = world.library.season(low_water, 3, &weekly(today, -15, 6));
    for episode in first {
        world.library.keep(episode, today.at(-420));
    }
    world.remember(&second, 30, "TIDE");
    world.remember(&third[..1], 14, "TIDE");
    world.remember(&third[1..2], 7, "TIDE");
    world.ail("tba", &third[2..3]);

    // Ended, and all there.
    let lamplighters = world.library.series(9_910_002, 991_002, "The Lamplighters", 2015);
    let specials = world.library.season(lamplighters, 0, &[Some(today.at(-3000)), None]);
    let only = world.library.season(lamplighters, 1, &weekly(today, -3600, 10));
    for episode in only {
        world.library.keep(episode, today.at(-700));
    }
    world.library.unmonitor(specials[1]);

    // Files for episodes that have not been broadcast: they cannot be what they say.
    let long_tide = world.library.series(9_910_003, 991_003, "The Long Tide", 2024);
    let aired = world.library.season(long_tide, 1, &weekly(today, -60, 5));
    for episode in aired {
        world.library.keep(episode, today.at(-20));
    }
    let to_come = world.library.season(long_tide, 2, &weekly(today, 12, 6));
    world.remember(&to_come[..1], 2, "FAKE");
    world.remember(&to_come[1..2], 1, "FAKE");

    // Announced: nobody knows when.
    let harbour = world.library.series(9_910_004, 991_004, "Harbour Nine", 2022);
    let wanted = world.library.season(harbour, 1, &weekly(today, -400, 6));
    world.library.season(harbour, 2, &[None, None, None]);
    world.ail("not-all-imported", &wanted[..3]);
    world.ail("no-space", &wanted[3..4]);
    world.ail("sample-unsure", &wanted[4..5]);

    let night_post = world.library.series(9_910_005, 991_005, "Night Post", 2020);
    let run = world.library.season(night_post, 1, &weekly(today, -800, 8));
    world.ail("moving-pack", &run[..4]);
    world.ail("series-title", &run[4..5]);
    world.ail("absolute-number", &run[5..6]);
    world.ail("blocked-in-japanese", &run[6..7]);
    world.ail("foreign", &[]);

    let orchard = world.library.series(9_910_006, 991_006, "Windfall Orchard", 2021);
    let harvest = world.library.season(orchard, 1, &weekly(today, -1000, 4));
    for episode in &harvest[..2] {
        world.library.keep(*episode, today.at(-300));
    }
    world.ail("fallback", &harvest[3..4]);
}

//! Music out of copyright, and a quartet of our own.

use super::{Today, World};

/// Artist, album, year, tracks, and whether it is there.
const ALBUMS: &[(&str, &str, u16, u32, bool)] = &[
    ("Johann Sebastian Bach", "Goldberg Variations", 1981, 32, true),
    ("Johann Sebastian Bach", "Cello Suites", 1998, 36, false),
    ("Clara Schumann", "Piano Trio in G minor", 2004, 4, true),
    ("Scott Joplin", "Piano Rags", 1970, 8, true),
    ("Ludwig van Beethoven", "Late Quartets", 1989, 22, false),
    ("Hildegard von Bingen", "A Feather on the Breath of God", 1985, 8, true),
];

/// The quartet's albums, and what is the matter with the downloads of them.
const SLUICES: &[(&str, &str)] = &[
    ("Sluice", "missing-tracks"),
    ("Lock and Pound", "album-match"),
    ("Culvert", "artist-mismatch"),
    ("Weir Songs", "failed-pending"),
    ("Headrace", "moving"),
    ("Millpond", "in-the-way"),
];

pub(super) fn furnish(world: &mut World, today: Today) {
    for (artist, album, year, n_tracks, is_there) in ALBUMS {
        let known = world.library.parents.iter().find(|parent| parent.title == *artist).map(|parent| parent.id);
        let artist = known.unwrap_or_else(|| world.library.artist(artist));
        let album = world.library.album(artist, album, Today::of_year(*year), *n_tracks);
        if *is_there {
            world.library.keep(album, today.at(-365));
        }
    }
    let quartet = world.library.artist("The Weir Quartet");
    for (album, ailment) in SLUICES {
        let album = world.library.album(quartet, album, Today::of_year(2022), 6);
        world.ail(ailment, &[album]);
    }
    let early = world.library.album(quartet, "First Light", Today::of_year(2018), 5);
    world.remember(&[early], 21, "FLAC");
    world.library.album(quartet, "Tailrace", Some(today.at(10)), 7);
    // One download for several albums.
    let choir = world.library.artist("A Reed Choir");
    let first = world.library.album(choir, "Sedge", Today::of_year(2011), 4);
    let second = world.library.album(choir, "Bulrush", Today::of_year(2013), 4);
    let third = world.library.album(choir, "Meadowsweet", Today::of_year(2016), 4);
    world.ail("moving-pack", &[first, second, third]);
    world.ail("client-away", &[third]);
    // Undated, and wanted by nobody.
    let lost = world.library.album(choir, "The Lost Tapes", None, 3);
    world.library.unmonitor(lost);
}

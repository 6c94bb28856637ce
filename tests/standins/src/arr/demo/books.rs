//! Books out of copyright, to read and to hear, and an author of our own.

use super::{Today, World};
use crate::arr::library::BookFormat::{self, Audiobook, Ebook};

const BOOKS: &[(&str, &str, u16, BookFormat, Option<i64>)] = &[
    ("Jane Austen", "Pride and Prejudice", 1813, Ebook, Some(90)),
    ("Jane Austen", "Pride and Prejudice", 1813, Audiobook, Some(12)),
    ("Jane Austen", "Persuasion", 1817, Ebook, Some(88)),
    ("Jane Austen", "Emma", 1815, Audiobook, None),
    ("Mary Shelley", "Frankenstein", 1818, Ebook, Some(40)),
    ("Mary Shelley", "Frankenstein", 1818, Audiobook, None),
    ("H. G. Wells", "The Time Machine", 1895, Ebook, Some(31)),
    ("H. G. Wells", "The War of the Worlds", 1898, Ebook, Some(30)),
    ("Jules Verne", "Around the World in Eighty Days", 1873, Audiobook, Some(5)),
    ("Jules Verne", "Twenty Thousand Leagues Under the Sea", 1870, Ebook, None),
    ("Emily Brontë", "Wuthering Heights", 1847, Ebook, Some(61)),
];

/// The author's books, and what is the matter with the downloads of them.
const REEDS: &[(&str, BookFormat, &str)] = &[
    ("A Field of Reeds", Ebook, "no-similar-book"),
    ("A Field of Reeds", Audiobook, "nothing-eligible"),
    ("The Heronry", Ebook, "book-match"),
    ("The Heronry", Audiobook, "rights"),
    ("Slipway", Ebook, "same-size"),
    ("The Drowned Orchard", Ebook, "encrypted"),
    ("The Drowned Orchard", Audiobook, "moving"),
    ("Osier", Ebook, "waiting"),
];

pub(super) fn furnish(world: &mut World, today: Today) {
    for (author, title, year, format, days_ago) in BOOKS {
        let known = world.library.parents.iter().find(|parent| parent.title == *author).map(|parent| parent.id);
        let author = known.unwrap_or_else(|| world.library.author(author));
        let book = world.library.book(author, title, *format, Today::of_year(*year));
        if let Some(days_ago) = days_ago {
            world.remember(&[book], *days_ago, "SHELF");
        }
    }
    let marsh = world.library.author("Ottoline Marsh");
    for (title, format, ailment) in REEDS {
        let book = world.library.book(marsh, title, *format, Today::of_year(2021));
        world.ail(ailment, &[book]);
    }
    world.library.book(marsh, "Withy", Ebook, Some(today.at(20)));
    // Nobody knows when it was written.
    let undated = world.library.book(marsh, "Letters from the Lock-House", Ebook, None);
    world.library.unmonitor(undated);
}

//! Exactly what a release search is about.
//!
//! The same scope is given to the search and repeated to the grab, so it is one value, checked in full before anything is sent: a scope
//! that is too wide would search for, and then download, something that nobody asked for.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::answer::Code;
use crate::service::MediaType;

/// What a release search is about: one film, one season, one episode, one book, one album.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ReleaseScope {
    /// One film.
    Movie {
        /// Its id at TMDB.
        tmdb_id: i64,
    },
    /// One season of a series.
    Season {
        /// The series' id at TMDB.
        tmdb_id: i64,
        /// The season; 0 holds the specials.
        season_number: i64,
    },
    /// One episode of a series.
    Episode {
        /// The series' id at TMDB.
        tmdb_id: i64,
        /// The season; 0 holds the specials.
        season_number: i64,
        /// The episode's number within the season.
        episode_number: i64,
    },
    /// One book.
    Book {
        /// Chaptarr's own id.
        book_id: i64,
    },
    /// One album.
    Album {
        /// Lidarr's own id.
        album_id: i64,
    },
}

/// The arguments from which a scope is made, as they were given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ScopeArguments {
    /// Id at TMDB.
    pub tmdb_id: Option<i64>,
    /// Season.
    pub season_number: Option<i64>,
    /// Episode within the season.
    pub episode_number: Option<i64>,
    /// Chaptarr's id.
    pub book_id: Option<i64>,
    /// Lidarr's id.
    pub album_id: Option<i64>,
}

/// Why arguments make no scope. Nothing was sent.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ScopeFault {
    /// Something that the media type needs was left out.
    #[error("A release search for media_type {media_type} needs {needs}; `{missing}` is missing. Nothing was sent.")]
    Missing {
        /// The media type.
        media_type: MediaType,
        /// The first argument that is missing.
        missing: &'static str,
        /// All that it needs, in words.
        needs: &'static str,
    },
    /// Something was given that the media type has no use for. It would be dropped silently, and the search be wider than was meant.
    #[error(
        "`{extraneous}` does not belong to a release search for media_type {media_type}, which takes {needs} and nothing else. Nothing was sent."
    )]
    Extraneous {
        /// The media type.
        media_type: MediaType,
        /// The first argument that is too much.
        extraneous: &'static str,
        /// All that it takes, in words.
        needs: &'static str,
    },
}

impl ScopeFault {
    /// Its stable name.
    pub const fn code(&self) -> Code {
        match self {
            ScopeFault::Missing { .. } => Code::ScopeMissing,
            ScopeFault::Extraneous { .. } => Code::ScopeExtraneous,
        }
    }
}

/// What each media type takes, in words.
const fn needs(media_type: MediaType) -> &'static str {
    match media_type {
        MediaType::Movie => "tmdb_id",
        MediaType::Tv => "tmdb_id and season_number (0 for specials), and episode_number for one episode",
        MediaType::Book => "book_id",
        MediaType::Music => "album_id",
    }
}

impl ReleaseScope {
    /// Makes the scope of `media_type` out of `given`. Ids below 1 count as not given, as does a season below 0.
    ///
    /// # Errors
    /// [`ScopeFault`] when something is missing or too much.
    pub fn of(media_type: MediaType, given: ScopeArguments) -> Result<Self, ScopeFault> {
        let id = |value: Option<i64>| value.filter(|value| *value >= 1);
        let missing = |missing| ScopeFault::Missing { media_type, missing, needs: needs(media_type) };
        let is_tv = media_type == MediaType::Tv;
        let too_much = [
            ("tmdb_id", given.tmdb_id.is_some() && !matches!(media_type, MediaType::Movie | MediaType::Tv)),
            ("season_number", given.season_number.is_some() && !is_tv),
            ("episode_number", given.episode_number.is_some() && !is_tv),
            ("book_id", given.book_id.is_some() && media_type != MediaType::Book),
            ("album_id", given.album_id.is_some() && media_type != MediaType::Music),
        ];
        if let Some((extraneous, _)) = too_much.into_iter().find(|(_, is_given)| *is_given) {
            return Err(ScopeFault::Extraneous { media_type, extraneous, needs: needs(media_type) });
        }
        match media_type {
            MediaType::Movie => {
                id(given.tmdb_id).map(|tmdb_id| ReleaseScope::Movie { tmdb_id }).ok_or(missing("tmdb_id"))
            }
            MediaType::Tv => {
                let tmdb_id = id(given.tmdb_id).ok_or(missing("tmdb_id"))?;
                let season_number =
                    given.season_number.filter(|season| *season >= 0).ok_or(missing("season_number"))?;
                match given.episode_number {
                    None => Ok(ReleaseScope::Season { tmdb_id, season_number }),
                    // An episode that cannot be must not turn into its whole season.
                    Some(episode_number) if episode_number < 1 => Err(missing("episode_number")),
                    Some(episode_number) => Ok(ReleaseScope::Episode { tmdb_id, season_number, episode_number }),
                }
            }
            MediaType::Book => {
                id(given.book_id).map(|book_id| ReleaseScope::Book { book_id }).ok_or(missing("book_id"))
            }
            MediaType::Music => {
                id(given.album_id).map(|album_id| ReleaseScope::Album { album_id }).ok_or(missing("album_id"))
            }
        }
    }

    /// The media type it belongs to.
    pub const fn media_type(&self) -> MediaType {
        match self {
            ReleaseScope::Movie { .. } => MediaType::Movie,
            ReleaseScope::Season { .. } | ReleaseScope::Episode { .. } => MediaType::Tv,
            ReleaseScope::Book { .. } => MediaType::Book,
            ReleaseScope::Album { .. } => MediaType::Music,
        }
    }
}

impl fmt::Display for ReleaseScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReleaseScope::Movie { tmdb_id } => write!(f, "movie with TMDB id {tmdb_id}"),
            ReleaseScope::Season { tmdb_id, season_number } => {
                write!(f, "season {season_number} of the series with TMDB id {tmdb_id}")
            }
            ReleaseScope::Episode { tmdb_id, season_number, episode_number } => {
                write!(f, "season {season_number} episode {episode_number} of the series with TMDB id {tmdb_id}")
            }
            ReleaseScope::Book { book_id } => write!(f, "book {book_id}"),
            ReleaseScope::Album { album_id } => write!(f, "album {album_id}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(arguments: &[(&str, i64)]) -> ScopeArguments {
        let mut given = ScopeArguments::default();
        for (name, value) in arguments {
            *match *name {
                "tmdb_id" => &mut given.tmdb_id,
                "season_number" => &mut given.season_number,
                "episode_number" => &mut given.episode_number,
                "book_id" => &mut given.book_id,
                "album_id" => &mut given.album_id,
                other => panic!("no argument {other}"),
            } = Some(*value);
        }
        given
    }

    #[test]
    fn each_media_type_takes_its_own_scope_and_no_other() {
        use MediaType::{Book, Movie, Music, Tv};
        let movie = ReleaseScope::Movie { tmdb_id: 42 };
        let specials = ReleaseScope::Season { tmdb_id: 42, season_number: 0 };
        let episode = ReleaseScope::Episode { tmdb_id: 42, season_number: 2, episode_number: 3 };
        let (book, album) = (ReleaseScope::Book { book_id: 7 }, ReleaseScope::Album { album_id: 7 });
        let missing = |name| Err((Code::ScopeMissing, name));
        let too_much = |name| Err((Code::ScopeExtraneous, name));
        for (case, media_type, arguments, expected) in [
            ("a movie", Movie, &[("tmdb_id", 42)][..], Ok(movie)),
            (
                "60: a movie with season_number",
                Movie,
                &[("tmdb_id", 42), ("season_number", 1)],
                too_much("season_number"),
            ),
            ("a movie with season 0", Movie, &[("tmdb_id", 42), ("season_number", 0)], too_much("season_number")),
            ("a movie with a book", Movie, &[("tmdb_id", 42), ("book_id", 1)], too_much("book_id")),
            ("a movie without its id", Movie, &[], missing("tmdb_id")),
            ("a movie with id 0", Movie, &[("tmdb_id", 0)], missing("tmdb_id")),
            ("a movie with id -1", Movie, &[("tmdb_id", -1)], missing("tmdb_id")),
            ("61: tv without season", Tv, &[("tmdb_id", 42)], missing("season_number")),
            ("tv without anything", Tv, &[], missing("tmdb_id")),
            ("tv with season -1", Tv, &[("tmdb_id", 42), ("season_number", -1)], missing("season_number")),
            ("63: season 0", Tv, &[("tmdb_id", 42), ("season_number", 0)], Ok(specials)),
            ("an episode", Tv, &[("tmdb_id", 42), ("season_number", 2), ("episode_number", 3)], Ok(episode)),
            ("55: an episode without season", Tv, &[("tmdb_id", 42), ("episode_number", 3)], missing("season_number")),
            (
                "episode 0 is not the whole season",
                Tv,
                &[("tmdb_id", 42), ("season_number", 2), ("episode_number", 0)],
                missing("episode_number"),
            ),
            ("tv with an album", Tv, &[("tmdb_id", 42), ("season_number", 2), ("album_id", 1)], too_much("album_id")),
            ("a book", Book, &[("book_id", 7)], Ok(book)),
            ("62: a book with tmdb_id", Book, &[("book_id", 7), ("tmdb_id", 42)], too_much("tmdb_id")),
            ("a book without its id", Book, &[], missing("book_id")),
            ("an album", Music, &[("album_id", 7)], Ok(album)),
            ("an album with a book", Music, &[("album_id", 7), ("book_id", 7)], too_much("book_id")),
            ("an album with id 0", Music, &[("album_id", 0)], missing("album_id")),
        ] {
            let found = ReleaseScope::of(media_type, given(arguments)).map_err(|fault| match &fault {
                ScopeFault::Missing { missing: name, .. } | ScopeFault::Extraneous { extraneous: name, .. } => {
                    (fault.code(), *name)
                }
            });
            assert_eq!(found, expected, "{case}");
        }
    }

    #[test]
    fn a_fault_says_what_the_media_type_takes_and_that_nothing_was_sent() {
        let fault = ReleaseScope::of(MediaType::Movie, given(&[("tmdb_id", 42), ("season_number", 1)])).unwrap_err();
        assert_eq!(
            fault.to_string(),
            "`season_number` does not belong to a release search for media_type movie, which takes tmdb_id and nothing else. Nothing was sent."
        );
    }
}

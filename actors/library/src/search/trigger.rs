//! Has a library search by itself, and take what it likes best.

mod run;

use serde::{Deserialize, Serialize};

use crate::answer::Code;
use crate::service::MediaType;

pub use run::{NothingToSearch, TriggerSearch, Triggered};

/// What a library is to search for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum SearchTarget {
    /// One film, by its id at TMDB.
    Movie {
        /// Its id at TMDB.
        tmdb_id: i64,
    },
    /// A whole series.
    Series {
        /// Its id at TMDB.
        tmdb_id: i64,
    },
    /// One season.
    Season {
        /// The series' id at TMDB.
        tmdb_id: i64,
        /// 0 holds the specials.
        season_number: i64,
        /// Only the episodes that have aired and have no file, as they are when the search is made.
        aired_only: bool,
    },
    /// One episode.
    Episode {
        /// The series' id at TMDB.
        tmdb_id: i64,
        /// 0 holds the specials.
        season_number: i64,
        /// Its number within the season.
        episode_number: i64,
    },
    /// One book, by Chaptarr's own id.
    Book(i64),
    /// All of an author, by Chaptarr's own id.
    Author(i64),
    /// One album, by Lidarr's own id.
    Album(i64),
    /// All of an artist, by Lidarr's own id.
    Artist(i64),
}

/// The arguments from which a target is made, as they were given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TargetArguments {
    /// Id at TMDB.
    pub tmdb_id: Option<i64>,
    /// Season.
    pub season_number: Option<i64>,
    /// Episode within the season.
    pub episode_number: Option<i64>,
    /// Only what has aired and has no file.
    pub aired_only: bool,
    /// Chaptarr's id of an author.
    pub author_id: Option<i64>,
    /// Chaptarr's id of a book.
    pub book_id: Option<i64>,
    /// Lidarr's id of an artist.
    pub artist_id: Option<i64>,
    /// Lidarr's id of an album.
    pub album_id: Option<i64>,
}

/// Why arguments make no target. Nothing was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TargetFault {
    /// Something that says what is meant was left out.
    #[error("Nothing was searched: a search for media_type {media_type} needs {needs}.")]
    Missing {
        /// The media type.
        media_type: MediaType,
        /// What is missing, in words.
        needs: &'static str,
    },
    /// Something was given that does not belong to it, so that more would be searched than was meant.
    #[error("Nothing was searched: `{extraneous}` does not go with {with}.")]
    Extraneous {
        /// The argument.
        extraneous: &'static str,
        /// What it does not go with, in words.
        with: &'static str,
    },
}

impl TargetFault {
    /// Its stable name.
    pub const fn code(&self) -> Code {
        match self {
            TargetFault::Missing { .. } => Code::ScopeMissing,
            TargetFault::Extraneous { .. } => Code::ScopeExtraneous,
        }
    }
}

impl SearchTarget {
    /// Makes the target of `media_type` out of `given`. Ids below 1 count as not given.
    ///
    /// # Errors
    /// [`TargetFault`] when something is missing or does not belong to it.
    pub fn of(media_type: MediaType, given: TargetArguments) -> Result<Self, TargetFault> {
        let id = |value: Option<i64>| value.filter(|value| *value >= 1);
        let (is_tv, is_book, is_music) =
            (media_type == MediaType::Tv, media_type == MediaType::Book, media_type == MediaType::Music);
        let with = match media_type {
            MediaType::Movie => "media_type movie",
            MediaType::Tv => "media_type tv",
            MediaType::Book => "media_type book",
            MediaType::Music => "media_type music",
        };
        let too_much = [
            ("tmdb_id", given.tmdb_id.is_some() && (is_book || is_music)),
            ("season_number", given.season_number.is_some() && !is_tv),
            ("episode_number", given.episode_number.is_some() && !is_tv),
            ("aired_only", given.aired_only && !is_tv),
            ("author_id", given.author_id.is_some() && !is_book),
            ("book_id", given.book_id.is_some() && !is_book),
            ("artist_id", given.artist_id.is_some() && !is_music),
            ("album_id", given.album_id.is_some() && !is_music),
        ];
        if let Some((extraneous, _)) = too_much.into_iter().find(|(_, is_given)| *is_given) {
            return Err(TargetFault::Extraneous { extraneous, with });
        }
        let missing = |needs| TargetFault::Missing { media_type, needs };
        match media_type {
            MediaType::Movie => {
                id(given.tmdb_id).map(|tmdb_id| SearchTarget::Movie { tmdb_id }).ok_or(missing("tmdb_id"))
            }
            MediaType::Tv => Self::of_series(id(given.tmdb_id).ok_or(missing("tmdb_id"))?, given),
            MediaType::Book => id(given.book_id)
                .map(SearchTarget::Book)
                .or(id(given.author_id).map(SearchTarget::Author))
                .ok_or(missing("book_id, or author_id for everything of an author")),
            MediaType::Music => id(given.album_id)
                .map(SearchTarget::Album)
                .or(id(given.artist_id).map(SearchTarget::Artist))
                .ok_or(missing("album_id, or artist_id for everything of an artist")),
        }
    }

    fn of_series(tmdb_id: i64, given: TargetArguments) -> Result<Self, TargetFault> {
        let missing = |needs| TargetFault::Missing { media_type: MediaType::Tv, needs };
        let extraneous = |with| TargetFault::Extraneous { extraneous: "aired_only", with };
        let TargetArguments { season_number, episode_number, aired_only, .. } = given;
        // A season or episode that cannot be must not turn into the whole series or season.
        if season_number.is_some_and(|season| season < 0) {
            return Err(missing("season_number of 0 or more"));
        }
        if episode_number.is_some_and(|episode| episode < 1) {
            return Err(missing("episode_number of 1 or more"));
        }
        match (season_number, episode_number) {
            (None, Some(_)) => Err(missing("season_number beside episode_number")),
            (None, None) if aired_only => Err(extraneous("a whole series; name a season_number")),
            (Some(_), Some(_)) if aired_only => Err(extraneous("a single episode; leave episode_number out")),
            (None, None) => Ok(SearchTarget::Series { tmdb_id }),
            (Some(season_number), None) => Ok(SearchTarget::Season { tmdb_id, season_number, aired_only }),
            (Some(season_number), Some(episode_number)) => {
                Ok(SearchTarget::Episode { tmdb_id, season_number, episode_number })
            }
        }
    }
}

#[cfg(test)]
mod tests;

//! What exactly a read was narrowed to, and how that is said.

use serde::{Deserialize, Serialize};

/// What a read is narrowed to. Each member that is there excludes; none ever widens.
///
/// Tools fill in what their schema offers; whoever acts for an issue fills in the rest, over whatever the model sent.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scope {
    /// One row of the queue.
    pub queue_id: Option<i64>,
    /// The rows of one download.
    pub download_id: Option<String>,
    /// A film or series, by its TMDB id.
    pub tmdb_id: Option<i64>,
    /// A series, by its TVDB id.
    pub tvdb_id: Option<i64>,
    /// A season; 0 is the specials.
    pub season_number: Option<i64>,
    /// An episode of the season.
    pub episode_number: Option<i64>,
    /// An author, by the service's own id.
    pub author_id: Option<i64>,
    /// A book, by the service's own id.
    pub book_id: Option<i64>,
    /// An artist, by the service's own id.
    pub artist_id: Option<i64>,
    /// An album, by the service's own id.
    pub album_id: Option<i64>,
}

impl Scope {
    /// Whether nothing narrows the read.
    pub fn is_empty(&self) -> bool {
        *self == Scope::default()
    }

    /// Whether one download is meant, so that a queue read can give a verdict on it.
    pub fn names_a_download(&self) -> bool {
        self.queue_id.is_some() || self.download_id.is_some()
    }

    /// Whether a film or series is meant.
    pub fn names_a_title(&self) -> bool {
        self.tmdb_id.is_some() || self.tvdb_id.is_some()
    }

    /// The most exact thing that is known, such as `season 2 episode 5 of this series`; `None` where nothing narrows the read.
    pub fn subject(&self) -> Option<String> {
        let subject = if let Some(id) = self.queue_id {
            format!("queue item {id}")
        } else if self.download_id.is_some() {
            "this download".to_owned()
        } else if self.book_id.is_some() {
            "this book".to_owned()
        } else if self.album_id.is_some() {
            "this album".to_owned()
        } else if self.author_id.is_some() {
            "this author".to_owned()
        } else if self.artist_id.is_some() {
            "this artist".to_owned()
        } else {
            match (self.season_number, self.episode_number) {
                (Some(season), Some(episode)) => format!("season {season} episode {episode} of this series"),
                (Some(season), None) => format!("season {season} of this series"),
                (None, Some(episode)) => format!("episode {episode} of this series"),
                (None, None) if self.names_a_title() => "this title".to_owned(),
                (None, None) => return None,
            }
        };
        Some(subject)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_exact_thing_known_is_named() {
        let everything = Scope {
            queue_id: Some(7),
            download_id: Some("ABC".to_owned()),
            tmdb_id: Some(1),
            tvdb_id: Some(2),
            season_number: Some(3),
            episode_number: Some(4),
            author_id: Some(5),
            book_id: Some(6),
            artist_id: Some(8),
            album_id: Some(9),
        };
        let mut scope = everything;
        let mut named = Vec::new();
        while let Some(subject) = scope.subject() {
            match subject.as_str() {
                "queue item 7" => scope.queue_id = None,
                "this download" => scope.download_id = None,
                "this book" => scope.book_id = None,
                "this album" => scope.album_id = None,
                "this author" => scope.author_id = None,
                "this artist" => scope.artist_id = None,
                "season 3 episode 4 of this series" => scope.episode_number = None,
                "season 3 of this series" => scope.season_number = None,
                _ => (scope.tmdb_id, scope.tvdb_id) = (None, None),
            }
            named.push(subject);
        }
        assert_eq!(
            named,
            [
                "queue item 7",
                "this download",
                "this book",
                "this album",
                "this author",
                "this artist",
                "season 3 episode 4 of this series",
                "season 3 of this series",
                "this title",
            ]
        );
        assert!(scope.is_empty());
    }

    #[test]
    fn the_specials_are_a_season() {
        let specials = Scope { season_number: Some(0), ..Scope::default() };
        assert_eq!(specials.subject().as_deref(), Some("season 0 of this series"));
        assert!(!specials.is_empty());
    }
}

//! What a search of the metadata servers finds.

use super::lenient::resource;
use super::{Album, Artist, Author, Book};

resource! {
    /// One hit of a search in Lidarr or Chaptarr: one of the four, with an id that is invented for this answer.
    pub SearchHit {
        /// Invented.
        id: i64,
        /// The metadata server's.
        foreign_id: Option<String>,
        /// Lidarr.
        artist: Option<Box<Artist>>,
        /// Lidarr.
        album: Option<Box<Album>>,
        /// Chaptarr.
        author: Option<Box<Author>>,
        /// Chaptarr.
        book: Option<Box<Book>>,
    }
}

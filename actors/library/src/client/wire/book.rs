//! Authors, books and their files, in Chaptarr and Readarr.

use jiff::Timestamp;

use super::common::{IndexerFlags, MediaInfo, QualityModel};
use super::lenient::{Texts, resource};

resource! {
    /// An author. `lastBook` and `nextBook` are raw rows of its database and are not read.
    pub Author {
        /// The service's own; 0 for a look-up's result that is not in the library.
        id: i64,
        /// The name.
        author_name: Option<String>,
        /// Goodreads-like numbers, or prefixed ids of providers.
        foreign_author_id: Option<String>,
        /// Whether anything of it is looked for.
        monitored: Option<bool>,
        /// `continuing`, `ended`.
        status: Option<String>,
        /// Books in numbers.
        statistics: Option<BookStatistics>,
        /// Its folder, as the service sees it.
        path: Option<String>,
        /// The instance's own.
        quality_profile_id: i64,
        /// The instance's own.
        metadata_profile_id: i64,
        /// A list or one text.
        genres: Option<Texts>,
        /// When it came into the library.
        added: Option<Timestamp>,
        /// The instance's own.
        tags: Vec<i64>,
    }
}

resource! {
    /// Books of an author, or files of a book, in numbers.
    pub BookStatistics {
        /// With a file.
        book_file_count: Option<i64>,
        /// Monitored, or with a file.
        book_count: Option<i64>,
        /// All that are known.
        total_book_count: Option<i64>,
        /// Bytes.
        size_on_disk: Option<i64>,
        /// Of `book_count`.
        percent_of_books: Option<f64>,
    }
}

resource! {
    /// A book. Ebook and audiobook of one work are two books here.
    pub Book {
        /// The service's own; 0 for a look-up's result that is not in the library.
        id: i64,
        /// The title.
        title: Option<String>,
        /// Author and title, for sorting.
        author_title: Option<String>,
        /// The series it belongs to, with its place.
        series_title: Option<String>,
        /// The author's.
        author_id: i64,
        /// Shared by ebook and audiobook of one work.
        foreign_book_id: Option<String>,
        /// Of the edition that is looked for.
        foreign_edition_id: Option<String>,
        /// Chaptarr: `ebook`, `audiobook`.
        media_type: Option<String>,
        /// Whether it is looked for.
        monitored: Option<bool>,
        /// Whether any of its editions will do.
        any_edition_ok: Option<bool>,
        /// When it came out.
        release_date: Option<Timestamp>,
        /// Files in numbers.
        statistics: Option<BookStatistics>,
        /// Its editions.
        editions: Vec<Edition>,
        /// Where asked for.
        author: Option<Box<Author>>,
        /// Whether a download of it is under way.
        grabbed: Option<bool>,
        /// A list or one text.
        genres: Option<Texts>,
    }
}

impl Book {
    /// `ebook` or `audiobook`, from the book itself or from the edition that is looked for; `None` when neither says.
    pub fn format(&self) -> Option<&str> {
        let of_edition = || {
            let edition = self.editions.iter().find(|edition| edition.monitored == Some(true))?;
            edition.is_ebook.map(|is_ebook| if is_ebook { "ebook" } else { "audiobook" })
        };
        self.media_type.as_deref().filter(|media_type| !media_type.is_empty()).or_else(of_edition)
    }
}

resource! {
    /// One edition of a book.
    pub Edition {
        /// The service's own.
        id: i64,
        /// The book's.
        book_id: i64,
        /// The title.
        title: Option<String>,
        /// The provider's.
        foreign_edition_id: Option<String>,
        /// `Paperback`, `Kindle Edition` …
        format: Option<String>,
        /// Whether it is read from a screen.
        is_ebook: Option<bool>,
        /// Whether it is the one that is looked for.
        monitored: Option<bool>,
        /// When it came out.
        release_date: Option<Timestamp>,
    }
}

resource! {
    /// A file of a book.
    pub BookFile {
        /// The service's own.
        id: i64,
        /// The author's.
        author_id: i64,
        /// The book's.
        book_id: i64,
        /// As the service sees it.
        path: Option<String>,
        /// Bytes.
        size: Option<i64>,
        /// When it was imported.
        date_added: Option<Timestamp>,
        /// What it is.
        quality: Option<QualityModel>,
        /// Chaptarr: `ebook`, `audiobook`.
        media_type: Option<String>,
        /// What is inside, of audiobooks.
        media_info: Option<MediaInfo>,
        /// Set by the indexer.
        indexer_flags: Option<IndexerFlags>,
        /// Whether a better one would be taken.
        quality_cutoff_not_met: Option<bool>,
    }
}

resource! {
    /// A series of books.
    pub BookSeries {
        /// The service's own.
        id: i64,
        /// The title.
        title: Option<String>,
        /// What it is about.
        description: Option<String>,
    }
}

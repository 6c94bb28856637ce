//! An upgrade that nobody asked for.
//!
//! When a release came by itself, from a feed, to replace a file that the library has, then losing it costs the owner nothing: no replacement
//! has to be found. Everything unknown leans towards finding one.

use super::cause::Verb;
use super::symptoms::LibraryFile;
use super::verdict::{Evidence, Verdict};

/// Where the newest grab of a download came from: `releaseSource` in its history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GrabSource {
    /// The pass over the indexers' feeds.
    Rss,
    /// A search, a person or a program; the service's own word.
    Other(String),
    /// The history has no such grab, does not say, or could not be read.
    Unknown,
}

impl GrabSource {
    /// The source behind `releaseSource`.
    pub fn of(word: Option<&str>) -> Self {
        match word.map(str::trim) {
            None | Some("") => GrabSource::Unknown,
            Some(word) if word.eq_ignore_ascii_case("Rss") => GrabSource::Rss,
            Some(word) => GrabSource::Other(word.to_owned()),
        }
    }
}

/// Whether the grab's source could change `verdict`: only then is it worth a read of the history.
pub fn wants_provenance(verdict: &Verdict, file: LibraryFile) -> bool {
    verdict.verbs == [Verb::BlocklistSearch] && file == LibraryFile::Present
}

/// `verdict`, without the search for a replacement where nobody asked for this release. The code stays.
#[must_use]
pub fn spare_the_owner(mut verdict: Verdict, file: LibraryFile, source: &GrabSource) -> Verdict {
    if !wants_provenance(&verdict, file) || *source != GrabSource::Rss {
        return verdict;
    }
    verdict.verbs = vec![Verb::BlocklistOnly];
    verdict.explanation.push_str(
        " The release came by itself, to better a file that the library keeps: removing it loses nothing, so no replacement is searched for.",
    );
    verdict.resting_on(Evidence::state("history.data.releaseSource", "Rss"))
}

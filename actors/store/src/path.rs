//! Paths: how a record or a log is named inside its house.

use std::{borrow::Cow, fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// The longest path, in bytes of UTF-8. Every backend can index a key of this length.
pub const MAX_PATH_BYTES: usize = 512;

/// A name such as `tv/0190…/settings`: segments joined by `/`, UTF-8, at most [`MAX_PATH_BYTES`].
///
/// No segment is empty and none holds a control character. Paths sort by their bytes. The only empty path is
/// [`Path::ROOT`], which is no record's name: it is the prefix of everything a house has.
///
/// ```
/// # use playhouse_store::Path;
/// const TVS: Path = Path::literal("tv");
/// let path = TVS.join("living-room")?.join("settings")?;
/// assert_eq!(path.as_str(), "tv/living-room/settings");
/// assert!(TVS.join("").is_err());
/// # Ok::<(), playhouse_store::PathError>(())
/// ```
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Path(Cow<'static, str>);

/// Why a text is no path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// Two `/` in a row, one at either end, or nothing at all.
    #[error("`{0}` has an empty segment; write segments joined by single `/`")]
    EmptySegment(String),
    /// A tab, a line break, a NUL or the like.
    #[error("{0:?} holds a control character; use printable text in paths")]
    ControlCharacter(String),
    /// [`Path::join`] takes one segment at a time.
    #[error("`{0}` holds a `/`; join one segment at a time")]
    Slash(String),
    /// More than [`MAX_PATH_BYTES`].
    #[error("a path of {n_bytes} bytes is too long; the limit is {MAX_PATH_BYTES}")]
    TooLong {
        /// How long it would have been.
        n_bytes: usize,
    },
}

impl Path {
    /// The empty path: the prefix of everything in a house, and no record's own name.
    pub const ROOT: Path = Path(Cow::Borrowed(""));

    /// A path of one or more segments, checked.
    pub fn new(text: &str) -> Result<Path, PathError> {
        check(text)?;
        Ok(Path(Cow::Owned(text.to_owned())))
    }

    /// A path written in the source, for constants: `const TVS: Path = Path::literal("tv")`.
    ///
    /// # Panics
    /// When the text is no path. In a `const` that stops the build, which is why constants are the place for it.
    pub const fn literal(text: &'static str) -> Path {
        let bytes = text.as_bytes();
        assert!(!bytes.is_empty() && bytes.len() <= MAX_PATH_BYTES, "a path has 1 to 512 bytes");
        assert!(bytes[0] != b'/' && bytes[bytes.len() - 1] != b'/', "a path has no empty segment");
        let mut at = 0;
        while at < bytes.len() {
            assert!(bytes[at] >= 0x20 && bytes[at] < 0x7f, "a literal path is printable ASCII");
            assert!(bytes[at] != b'/' || bytes[at - 1] != b'/', "a path has no empty segment");
            at += 1;
        }
        Path(Cow::Borrowed(text))
    }

    /// This path with one more segment, often an id. Refuses an empty segment, a `/` in it, and a path grown too long.
    pub fn join(&self, segment: impl fmt::Display) -> Result<Path, PathError> {
        let segment = segment.to_string();
        if segment.contains('/') {
            return Err(PathError::Slash(segment));
        }
        let text = if self.is_root() { segment } else { format!("{}/{segment}", self.0) };
        check(&text)?;
        Ok(Path(Cow::Owned(text)))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether this is [`Path::ROOT`].
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The segments in order; none for the root.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        self.0.split('/').filter(|segment| !segment.is_empty())
    }

    /// The last segment: usually the id of what is stored there.
    pub fn last(&self) -> Option<&str> {
        self.segments().last()
    }

    /// Whether this path lies beneath `prefix`: longer by at least one segment. `tv/a` is beneath `tv`; `tv` and `tvs`
    /// are not.
    pub fn is_beneath(&self, prefix: &Path) -> bool {
        if prefix.is_root() {
            return !self.is_root();
        }
        self.0.strip_prefix(&*prefix.0).is_some_and(|rest| rest.starts_with('/'))
    }
}

fn check(text: &str) -> Result<(), PathError> {
    if text.len() > MAX_PATH_BYTES {
        return Err(PathError::TooLong { n_bytes: text.len() });
    }
    if text.chars().any(char::is_control) {
        return Err(PathError::ControlCharacter(text.to_owned()));
    }
    if text.split('/').any(str::is_empty) {
        return Err(PathError::EmptySegment(text.to_owned()));
    }
    Ok(())
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl FromStr for Path {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        Path::new(text)
    }
}

impl TryFrom<String> for Path {
    type Error = PathError;

    fn try_from(text: String) -> Result<Self, PathError> {
        check(&text)?;
        Ok(Path(Cow::Owned(text)))
    }
}

impl From<Path> for String {
    fn from(path: Path) -> String {
        path.0.into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_segment_is_refused_wherever_it_is() {
        for text in ["", "/", "/tv", "tv/", "tv//a"] {
            assert_eq!(Path::new(text), Err(PathError::EmptySegment(text.to_owned())));
        }
        assert!(Path::literal("tv").join("").is_err());
    }

    #[test]
    fn control_characters_and_slashes_in_a_segment_are_refused() {
        assert!(matches!(Path::new("tv/a\0b"), Err(PathError::ControlCharacter(_))));
        assert!(matches!(Path::literal("tv").join("a/b"), Err(PathError::Slash(_))));
    }

    #[test]
    fn the_length_limit_counts_bytes_and_holds_for_joins() {
        let longest = "ä".repeat(MAX_PATH_BYTES / 2);
        let path = Path::new(&longest).unwrap();
        assert!(matches!(path.join("a"), Err(PathError::TooLong { n_bytes: 514 })));
    }

    #[test]
    fn beneath_means_whole_segments() {
        let tv = Path::literal("tv");
        assert!(Path::literal("tv/a/b").is_beneath(&tv));
        assert!(!Path::literal("tvs/a").is_beneath(&tv));
        assert!(!tv.is_beneath(&tv));
        assert!(tv.is_beneath(&Path::ROOT));
        assert!(!Path::ROOT.is_beneath(&Path::ROOT));
    }

    #[test]
    fn reading_json_checks_like_new() {
        assert!(serde_json::from_str::<Path>("\"tv//a\"").is_err());
        assert_eq!(serde_json::from_str::<Path>("\"tv/a\"").unwrap(), Path::literal("tv/a"));
    }
}

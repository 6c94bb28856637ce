//! The names under which files are handed in.
//!
//! A name is shown and never used as a path: the disk sees hashes only. The rules keep a name from becoming one on the machine of whoever
//! downloads the file.

use std::collections::HashMap;
use std::fmt;

use unicode_normalization::UnicodeNormalization;

/// The longest name in bytes; the common limit of file systems.
pub const MAX_NAME_BYTES: usize = 255;

/// Windows opens a device, not a file, under these names, whatever extension stands behind them.
const DEVICES: [&str; 4] = ["CON", "PRN", "AUX", "NUL"];
/// As [`DEVICES`], with a digit behind; the superscript digits count too.
const NUMBERED_DEVICES: [&str; 2] = ["COM", "LPT"];
const DEVICE_DIGITS: &str = "123456789\u{b9}\u{b2}\u{b3}";

/// A base name in composed form (NFC), at most [`MAX_NAME_BYTES`] long.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct FileName(String);

/// Why a text is no file name. The sentences go out as they are, with 422.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameFault {
    /// Nothing there, or only dots and blanks.
    #[error("A file needs a name.")]
    Missing,
    /// A path, or what would lead out of a folder.
    #[error("'{0}' is not a file name: leave out folders.")]
    Path(String),
    /// Something that cannot be shown.
    #[error("A file name holds a control character.")]
    Control,
    /// Longer than file systems take.
    #[error("A file name is {n_bytes} bytes long; {MAX_NAME_BYTES} are the most.")]
    TooLong {
        /// How long it is.
        n_bytes: usize,
    },
    /// A device of Windows.
    #[error("'{0}' names a device on Windows; choose another name.")]
    Device(String),
    /// The same as another of the set, but for the case of letters.
    #[error("'{one}' and '{other}' differ only in case.")]
    OnlyCase {
        /// The first of the two.
        one: String,
        /// The second.
        other: String,
    },
    /// The same as another of the set.
    #[error("There are two files named '{0}'.")]
    Twice(String),
}

impl FileName {
    /// Takes a name as it was given.
    ///
    /// # Errors
    /// [`NameFault`], the nearest to the reason.
    pub fn parse(given: &str) -> Result<Self, NameFault> {
        if given.chars().any(char::is_control) {
            return Err(NameFault::Control);
        }
        if given.contains(['/', '\\']) || given == ".." || given == "." {
            return Err(NameFault::Path(shortened(given)));
        }
        if given.trim_matches(['.', ' ']).is_empty() {
            return Err(NameFault::Missing);
        }
        let name: String = given.nfc().collect();
        if name.len() > MAX_NAME_BYTES {
            return Err(NameFault::TooLong { n_bytes: name.len() });
        }
        if is_device(&name) {
            return Err(NameFault::Device(name));
        }
        Ok(Self(name))
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// What is behind the last dot, in lower case; empty where there is none.
    pub fn extension(&self) -> String {
        self.0.rsplit_once('.').map(|(_, extension)| extension.to_lowercase()).unwrap_or_default()
    }
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_uppercase();
    let is_numbered = |prefix: &&str| {
        let digit = stem.strip_prefix(*prefix).unwrap_or_default();
        digit.chars().count() == 1 && DEVICE_DIGITS.contains(digit)
    };
    DEVICES.contains(&stem.as_str()) || NUMBERED_DEVICES.iter().any(is_numbered)
}

fn shortened(text: &str) -> String {
    const MAX_SHOWN: usize = 80;
    if text.chars().count() <= MAX_SHOWN {
        text.to_owned()
    } else {
        text.chars().take(MAX_SHOWN).chain(['…']).collect()
    }
}

/// The names of one set of files: each only once, also where case is not told apart.
#[derive(Debug, Default)]
pub struct FileNames {
    by_folded: HashMap<String, FileName>,
}

impl FileNames {
    /// Adds a name.
    ///
    /// # Errors
    /// [`NameFault::Twice`], [`NameFault::OnlyCase`].
    pub fn add(&mut self, name: &FileName) -> Result<(), NameFault> {
        match self.by_folded.insert(name.0.to_lowercase(), name.clone()) {
            None => Ok(()),
            Some(same) if same == *name => Err(NameFault::Twice(same.0)),
            Some(other) => Err(NameFault::OnlyCase { one: other.0, other: name.0.clone() }),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.by_folded.len()
    }

    /// Whether there is none yet.
    pub fn is_empty(&self) -> bool {
        self.by_folded.is_empty()
    }

    /// Whether a file of this very name is among them.
    pub fn contains(&self, name: &str) -> bool {
        self.by_folded.get(&name.to_lowercase()).is_some_and(|found| found.as_str() == name)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn fault(given: &str) -> String {
        FileName::parse(given).expect_err(given).to_string()
    }

    #[test]
    fn what_leads_out_of_a_folder_is_no_name() {
        for path in ["../../etc/passwd", "a/b.mov", "a\\b.mov", "..", ".", "/etc/passwd", "C:\\x.mov"] {
            assert_eq!(fault(path), format!("'{path}' is not a file name: leave out folders."));
        }
    }

    #[test]
    fn what_cannot_be_shown_is_no_name() {
        for given in ["a\0.mov", "a\nb.mov", "\u{7f}", "\u{85}"] {
            assert_eq!(fault(given), "A file name holds a control character.");
        }
        for given in ["", " ", "...", ". ."] {
            assert_eq!(fault(given), "A file needs a name.", "{given:?}");
        }
    }

    #[test]
    fn a_device_of_windows_is_no_name_whatever_its_extension() {
        for given in ["CON", "con", "Con.mov", "nul.tar.gz", "COM1", "lpt9.txt", "LPT\u{b9}", "aux .mov"] {
            assert_eq!(fault(given), format!("'{given}' names a device on Windows; choose another name."));
        }
        for given in ["CONTROL.mov", "COM10", "COM", "COM0", "xCON"] {
            assert_eq!(FileName::parse(given).map(|name| name.to_string()), Ok(given.to_owned()));
        }
    }

    #[test]
    fn a_name_has_at_most_255_bytes_in_composed_form() {
        assert!(FileName::parse(&"x".repeat(255)).is_ok());
        assert_eq!(fault(&"x".repeat(256)), "A file name is 256 bytes long; 255 are the most.");
        let decomposed = "e\u{301}.mov";
        assert_eq!(FileName::parse(decomposed).unwrap().as_str(), "\u{e9}.mov");
    }

    #[test]
    fn a_set_has_each_name_once_also_ignoring_case() {
        let mut names = FileNames::default();
        let name = |text| FileName::parse(text).unwrap();
        names.add(&name("A.mov")).unwrap();
        assert_eq!(names.add(&name("a.mov")).unwrap_err().to_string(), "'A.mov' and 'a.mov' differ only in case.");
        names.add(&name("b.mov")).unwrap();
        assert_eq!(names.add(&name("b.mov")).unwrap_err().to_string(), "There are two files named 'b.mov'.");
    }

    #[test]
    fn the_extension_is_what_stands_behind_the_last_dot() {
        let extension = |text| FileName::parse(text).unwrap().extension();
        assert_eq!((extension("a.b.MOV"), extension("mov")), ("mov".to_owned(), String::new()));
    }

    proptest! {
        #[test]
        fn whatever_is_taken_is_one_plain_component_of_a_path(given in "\\PC{0,40}|[./\\\\a-z]{0,12}") {
            if let Ok(name) = FileName::parse(&given) {
                let path = std::path::Path::new(name.as_str());
                let components: Vec<_> = path.components().collect();
                prop_assert!(matches!(components[..], [std::path::Component::Normal(_)]), "{given:?}");
            }
        }
    }
}

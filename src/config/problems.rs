//! What can be wrong with a configuration, and how it is said.

use std::fmt;
use std::path::PathBuf;

/// Why [`Config::load`](super::Config::load) gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The named file is missing, is not UTF-8, or may not be read.
    #[error("could not read the configuration file `{}`", path.display())]
    Unreadable {
        /// The file that was named.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// The file or the environment says something that cannot be used.
    #[error("the configuration cannot be used:{}", Listed(problems))]
    Wrong {
        /// Every mistake found, those of the file first.
        problems: Vec<Problem>,
    },
    /// The list of keys and the structs disagree: a fault of this program, not of the operator.
    #[error("the configuration could not be put together")]
    Internal {
        /// What the TOML library said.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// One mistake and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where to mend it.
    pub origin: Origin,
    /// What was found and what was expected.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.origin, self.message)
    }
}

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// Nobody set it.
    Default,
    /// A line of the file; the first line is 1.
    File {
        /// The file, as it was named.
        path: PathBuf,
        /// The line.
        line: usize,
    },
    /// A variable of the environment.
    Environment {
        /// Its name.
        variable: String,
    },
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::File { path, line } => write!(f, "{}, line {line}", path.display()),
            Origin::Environment { variable } => write!(f, "environment variable {variable}"),
        }
    }
}

struct Listed<'a>(&'a [Problem]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|problem| write!(f, "\n  {problem}"))
    }
}

//! What may be handed to Android to open.
//!
//! The link comes from a language model, possibly by way of a page it read, and Android's intent parser can do far more than open
//! links: start any exported component of any app, send arbitrary actions, read files. So only VIEW and MAIN intents without a
//! component or selector pass, and no links to files or content providers; `safety.rs` holds the rules.

use serde::{Deserialize, Serialize};

mod intent_uri;
mod safety;

#[cfg(test)]
mod tests;

pub use safety::LaunchRefusal;

/// A checked intent, ready for the wire.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "UncheckedIntent")]
pub struct LaunchIntent {
    data: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    package: Option<String>,
    by_package_alone: bool,
}

/// Which home-screen category starts an app by its package.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LauncherCategory {
    /// Apps made for TVs.
    Leanback,
    /// All others (`leanback: false` in the app list).
    Phone,
}

impl LaunchIntent {
    /// Checks a caller's `data` and `package`. With `data` absent or blank, the app of `package` is opened on its start page.
    ///
    /// # Errors
    /// [`LaunchRefusal`] with words for the caller; nothing is sent then.
    pub fn from_arguments(data: Option<&str>, package: Option<&str>) -> Result<Self, LaunchRefusal> {
        let data = data.map(str::trim).filter(|data| !data.is_empty());
        let package = package.map(str::trim).filter(|package| !package.is_empty());
        if let Some(package) = package {
            safety::check_package(package)?;
        }
        match (data, package) {
            (Some(data), package) => {
                safety::check_data(data)?;
                Ok(Self { data: data.to_owned(), package: package.map(str::to_owned), by_package_alone: false })
            }
            (None, Some(package)) => Ok(Self::start_page(package, LauncherCategory::Leanback)),
            (None, None) => Err(LaunchRefusal::NothingToOpen),
        }
    }

    /// Store links that open an app no longer work anywhere, so an explicit MAIN intent is the only way left.
    fn start_page(package: &str, category: LauncherCategory) -> Self {
        let category = match category {
            LauncherCategory::Leanback => "LEANBACK_LAUNCHER",
            LauncherCategory::Phone => "LAUNCHER",
        };
        Self {
            data: format!(
                "intent:#Intent;action=android.intent.action.MAIN;category=android.intent.category.{category};package={package};end"
            ),
            package: Some(package.to_owned()),
            by_package_alone: true,
        }
    }

    /// For an app opened by its package alone: the same with the category of apps that are not made for TVs. To be tried when
    /// the TV says for certain that nothing handled the first.
    pub fn as_phone_app(&self) -> Option<Self> {
        let package = self.package.as_deref().filter(|_| self.by_package_alone)?;
        Some(Self::start_page(package, LauncherCategory::Phone))
    }

    /// The link or intent URI.
    pub fn data(&self) -> &str {
        &self.data
    }

    /// The package it is pinned to.
    pub fn package(&self) -> Option<&str> {
        self.package.as_deref()
    }

    /// Whether only an app was named, no link.
    pub fn is_by_package_alone(&self) -> bool {
        self.by_package_alone
    }
}

/// The serialised form; it is checked again on the way in, so that no message can carry an intent around the rules.
#[derive(Deserialize)]
struct UncheckedIntent {
    data: String,
    #[serde(default)]
    package: Option<String>,
    by_package_alone: bool,
}

impl TryFrom<UncheckedIntent> for LaunchIntent {
    type Error = LaunchRefusal;

    fn try_from(intent: UncheckedIntent) -> Result<Self, LaunchRefusal> {
        let checked = Self::from_arguments(Some(&intent.data), intent.package.as_deref())?;
        Ok(Self { by_package_alone: intent.by_package_alone, ..checked })
    }
}

//! Where a title can be seen without a further payment.

use jiff::civil::Date;
use serde::{Deserialize, Serialize};

use crate::links::DeepLink;
use crate::provider::Provider;

/// How near to what was asked a link of an offer comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// The movie or the episode itself.
    Title,
    /// The season.
    Season,
    /// The series, or its first episode.
    Show,
}

/// A service that has the title.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Service {
    /// Whose app opens; `None` for a service that the map does not know.
    pub provider: Option<Provider>,
    /// Whether it is somebody else's channel inside that app, which needs a subscription of its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_channel: bool,
    /// The catalogue's steady name: `amazonhbomax`.
    pub technical_name: String,
    /// The catalogue's present name for people.
    pub name: String,
}

impl Service {
    /// The name that callers use where there is one, else the catalogue's.
    pub fn key(&self) -> &str {
        match self.provider {
            Some(provider) if !self.is_channel => provider.as_str(),
            _ => &self.technical_name,
        }
    }

    /// Whether it is `provider` itself rather than a channel inside its app.
    pub fn is(&self, provider: Provider) -> bool {
        self.provider == Some(provider) && !self.is_channel
    }
}

/// A title at one service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TitleOffer {
    /// The service.
    pub service: Service,
    /// Links to it, best first; none when only the app can be opened.
    pub links: Vec<DeepLink>,
    /// How near the links come.
    pub level: Level,
    /// The last day on which it is there, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub available_to: Option<Date>,
}

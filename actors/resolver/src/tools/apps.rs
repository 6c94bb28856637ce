//! Which apps are on which TV, remembered for a while: listing them takes a slow set seconds.

use std::sync::Arc;
use std::time::Duration;

use playhouse_bus::{Deadline, HouseId};
use playhouse_house::TvId;
use playhouse_tools::ToolCall;
use playhouse_tv::answers::App;
use playhouse_tv::{ListApps, PairedTv, TvActor, TvError};
use tokio::time::Instant;

use crate::provider::DeviceFamily;

/// The apps of one TV.
#[derive(Debug, Clone)]
pub(super) struct TvApps {
    packages: Arc<[String]>,
    family: DeviceFamily,
    listed_at: Instant,
}

impl TvApps {
    fn of(apps: Vec<App>, listed_at: Instant) -> Self {
        let packages: Arc<[String]> = apps.into_iter().map(|app| app.package).collect();
        let family = DeviceFamily::of_apps(packages.iter().map(String::as_str));
        Self { packages, family, listed_at }
    }

    /// Whether an app is installed.
    pub(super) fn has(&self, package: &str) -> bool {
        self.packages.iter().any(|installed| installed == package)
    }

    /// Whose set it is.
    pub(super) fn family(&self) -> DeviceFamily {
        self.family
    }

    /// Whether the TV was asked just now, so that asking again would bring nothing.
    pub(super) fn is_fresh(&self) -> bool {
        self.listed_at.elapsed() < FRESH_FOR
    }

    #[cfg(test)]
    pub(super) fn with(packages: &[&str]) -> Self {
        let app = |package: &&str| App { package: (*package).to_owned(), label: String::new(), leanback: true };
        Self::of(packages.iter().map(app).collect(), Instant::now())
    }
}

/// Apps come and go seldom; when something does not fit, the TV is asked anew before that.
const STALE_AFTER: Duration = Duration::from_secs(60 * 60);
const FRESH_FOR: Duration = Duration::from_secs(30);
/// How long the TV may take; the slowest need five seconds.
const LIST_WITHIN: Duration = Duration::from_secs(8);
/// TVs remembered at once; the one that was not used for the longest time goes first.
const MAX_TVS: u64 = 20_000;

/// The app lists of all TVs.
#[derive(Clone)]
pub(super) struct AppLists(moka::sync::Cache<(HouseId, TvId), TvApps>);

impl AppLists {
    pub(super) fn new() -> Self {
        Self(moka::sync::Cache::new(MAX_TVS))
    }

    /// What is remembered, unless it is stale; else what the TV says.
    pub(super) async fn of(&self, call: &ToolCall, tv: &PairedTv, within: Deadline) -> Result<TvApps, AppsUnknown> {
        match self.remembered(call, tv) {
            Some(apps) => Ok(apps),
            None => self.ask(call, tv, within).await,
        }
    }

    fn remembered(&self, call: &ToolCall, tv: &PairedTv) -> Option<TvApps> {
        self.0.get(&(call.principal.house, tv.id)).filter(|apps| apps.listed_at.elapsed() < STALE_AFTER)
    }

    /// Asks the TV, whatever is remembered.
    pub(super) async fn ask(&self, call: &ToolCall, tv: &PairedTv, within: Deadline) -> Result<TvApps, AppsUnknown> {
        let key = (call.principal.house, tv.id);
        let deadline = Deadline::after(LIST_WITHIN).earlier(within);
        match call.bus.call(TvActor::key(call.principal.house, tv.id), ListApps {}, deadline).await {
            Ok(Ok(list)) => {
                let apps = TvApps::of(list.apps, Instant::now());
                self.0.insert(key, apps.clone());
                Ok(apps)
            }
            Ok(Err(error @ TvError::Offline { .. })) => Err(AppsUnknown::Off(error)),
            Ok(Err(error)) => Err(AppsUnknown::NoAnswer(error.to_string())),
            Err(error) => Err(AppsUnknown::NoAnswer(error.to_string())),
        }
    }
}

/// Why it is not known which apps a TV has.
#[derive(Debug)]
pub(super) enum AppsUnknown {
    /// It is off.
    Off(TvError),
    /// It was asked and did not say; it may take a launch all the same.
    NoAnswer(String),
}

//! The services that callers may name, and what the shipped map knows of each.
//!
//! The map is data: `data/providers.json`. Its revision is part of every cached resolution, so that a corrected map is used at once.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use playhouse_catalog::Country;

/// A streaming service by the name that callers use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Provider {
    /// Netflix.
    Netflix,
    /// Disney+, and Hotstar where that is its name.
    DisneyPlus,
    /// Amazon Prime Video.
    PrimeVideo,
    /// HBO Max, formerly Max.
    Max,
    /// Hulu.
    Hulu,
    /// Apple's subscription, not its shop.
    AppleTvPlus,
    /// Paramount+.
    ParamountPlus,
    /// Peacock.
    Peacock,
    /// Fubo, which has live TV and no links to titles.
    FuboTv,
    /// YouTube, which is not YouTube TV.
    Youtube,
    /// Stremio, which stands in no catalogue and needs only the IMDb id.
    Stremio,
}

impl Provider {
    /// All of them, in the order of the documentation.
    pub const ALL: [Provider; 11] = [
        Provider::Netflix,
        Provider::DisneyPlus,
        Provider::PrimeVideo,
        Provider::Max,
        Provider::Hulu,
        Provider::AppleTvPlus,
        Provider::ParamountPlus,
        Provider::Peacock,
        Provider::FuboTv,
        Provider::Youtube,
        Provider::Stremio,
    ];

    /// The name that callers use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Provider::Netflix => "netflix",
            Provider::DisneyPlus => "disney_plus",
            Provider::PrimeVideo => "prime_video",
            Provider::Max => "max",
            Provider::Hulu => "hulu",
            Provider::AppleTvPlus => "apple_tv_plus",
            Provider::ParamountPlus => "paramount_plus",
            Provider::Peacock => "peacock",
            Provider::FuboTv => "fubo_tv",
            Provider::Youtube => "youtube",
            Provider::Stremio => "stremio",
        }
    }

    /// Reads what a caller wrote: `disney_plus`, `Disney+`, `HBO Max`.
    ///
    /// # Errors
    /// [`UnknownProvider`], which lists the names.
    pub fn from_words(words: &str) -> Result<Self, UnknownProvider> {
        let wanted = letters(words);
        Provider::ALL
            .into_iter()
            .find(|provider| {
                let known = provider.known();
                letters(provider.as_str()) == wanted
                    || letters(&known.name) == wanted
                    || known.aliases.contains(&wanted)
            })
            .ok_or_else(|| UnknownProvider(words.chars().take(40).collect()))
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        &self.known().name
    }

    /// The hosts of its links to titles; each stands for those below it too.
    pub fn hosts(self) -> &'static [String] {
        &self.known().hosts
    }

    /// The Android packages it may have, in the order in which to look for them in that country on that kind of set.
    pub fn packages(self, country: Country, family: DeviceFamily) -> Vec<&'static str> {
        let mut packages: Vec<&KnownPackage> = self.known().packages.iter().collect();
        // Stable, so that within each group the map's order stays.
        packages.sort_by_key(|package| {
            (!package.family.suits(family), !package.is_of(country), package.is_of_elsewhere(country))
        });
        packages.into_iter().map(|known| known.package.as_str()).collect()
    }

    fn known(self) -> &'static KnownProvider {
        // `map()` holds every provider: a test reads it through for each.
        &map().providers[self as usize]
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// There is no service of that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a known provider; give one of netflix, disney_plus, prime_video, max, hulu, apple_tv_plus, paramount_plus, peacock, \
     fubo_tv, youtube and stremio, or leave `provider` out"
)]
pub struct UnknownProvider(String);

/// Letters and digits in lower case, with `+` as the word it is: `Disney+` and `disney_plus` are the same then.
fn letters(words: &str) -> String {
    let spoken = words.to_lowercase().replace('+', "plus");
    spoken.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// Whose set it is: Amazon's sets have apps of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DeviceFamily {
    /// Android TV and Google TV.
    AndroidTv,
    /// Fire TV.
    FireTv,
}

impl DeviceFamily {
    /// What a TV with these apps is.
    pub fn of_apps<'a>(mut packages: impl Iterator<Item = &'a str>) -> Self {
        let map = map();
        let is_fire = packages.any(|package| {
            map.fire_tv_packages.iter().any(|known| known == package)
                || map.fire_tv_prefixes.iter().any(|prefix| package.starts_with(prefix.as_str()))
        });
        if is_fire { DeviceFamily::FireTv } else { DeviceFamily::AndroidTv }
    }
}

/// What a package name of the catalogues stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CatalogueService {
    /// A service itself.
    Own(Provider),
    /// Somebody's channel inside another service, whose app opens. `None`: an app that this map does not know.
    Channel(Option<Provider>),
    /// A service that this map does not know.
    Unknown,
}

impl CatalogueService {
    /// By id first, because names change: `max` is shown as HBO Max. What a service calls itself in words is never looked at.
    pub(crate) fn of(package_id: Option<u64>, technical_name: Option<&str>) -> Self {
        let map = map();
        let by_id = package_id.and_then(|id| map.by_id.get(&id));
        let by_name = || technical_name.and_then(|name| map.by_technical_name.get(name));
        if let Some(provider) = by_id.or_else(by_name) {
            return CatalogueService::Own(*provider);
        }
        let name = technical_name.unwrap_or_default();
        let channel = map.resellers.iter().find(|reseller| {
            name.starts_with(&reseller.starts_with) && !map.not_resellers.iter().any(|other| other == name)
        });
        channel.map_or(CatalogueService::Unknown, |reseller| CatalogueService::Channel(reseller.opens))
    }
}

/// Counts the versions of the map; raised with every change to the data.
pub(crate) fn map_revision() -> u32 {
    map().revision
}

struct ProviderMap {
    revision: u32,
    providers: Vec<KnownProvider>,
    by_id: HashMap<u64, Provider>,
    by_technical_name: HashMap<String, Provider>,
    resellers: Vec<Reseller>,
    not_resellers: Vec<String>,
    fire_tv_packages: Vec<String>,
    fire_tv_prefixes: Vec<String>,
}

#[derive(Deserialize)]
struct MapFile {
    revision: u32,
    providers: Vec<KnownProvider>,
    resellers: Vec<Reseller>,
    not_resellers: Vec<String>,
    fire_tv_packages: Vec<String>,
    fire_tv_prefixes: Vec<String>,
}

#[derive(Deserialize)]
struct KnownProvider {
    key: Provider,
    name: String,
    aliases: Vec<String>,
    provider_ids: Vec<u64>,
    technical_names: Vec<String>,
    packages: Vec<KnownPackage>,
    hosts: Vec<String>,
}

#[derive(Deserialize)]
struct KnownPackage {
    package: String,
    family: PackageFamily,
    countries: Option<Vec<Country>>,
}

impl KnownPackage {
    fn is_of(&self, country: Country) -> bool {
        self.countries.as_ref().is_some_and(|countries| countries.contains(&country))
    }

    fn is_of_elsewhere(&self, country: Country) -> bool {
        self.countries.as_ref().is_some_and(|countries| !countries.contains(&country))
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum PackageFamily {
    Any,
    AndroidTv,
    FireTv,
}

impl PackageFamily {
    fn suits(&self, family: DeviceFamily) -> bool {
        match self {
            PackageFamily::Any => true,
            PackageFamily::AndroidTv => family == DeviceFamily::AndroidTv,
            PackageFamily::FireTv => family == DeviceFamily::FireTv,
        }
    }
}

#[derive(Deserialize)]
struct Reseller {
    starts_with: String,
    opens: Option<Provider>,
}

fn map() -> &'static ProviderMap {
    static MAP: LazyLock<ProviderMap> = LazyLock::new(|| {
        let file: MapFile = serde_json::from_str(include_str!("../data/providers.json"))
            .expect("the shipped map is read by every test");
        ProviderMap::from(file)
    });
    &MAP
}

impl From<MapFile> for ProviderMap {
    fn from(mut file: MapFile) -> Self {
        file.providers.sort_by_key(|known| known.key);
        let by_id =
            file.providers.iter().flat_map(|known| known.provider_ids.iter().map(|id| (*id, known.key))).collect();
        let by_technical_name = file
            .providers
            .iter()
            .flat_map(|known| known.technical_names.iter().map(|name| (name.clone(), known.key)))
            .collect();
        Self {
            revision: file.revision,
            providers: file.providers,
            by_id,
            by_technical_name,
            resellers: file.resellers,
            not_resellers: file.not_resellers,
            fire_tv_packages: file.fire_tv_packages,
            fire_tv_prefixes: file.fire_tv_prefixes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn country(code: &str) -> Country {
        code.parse().unwrap()
    }

    fn us() -> Country {
        country("US")
    }

    #[test]
    fn the_map_knows_every_provider_under_its_own_name() {
        assert_eq!(map().providers.len(), Provider::ALL.len());
        for provider in Provider::ALL {
            assert_eq!(provider.known().key, provider);
            assert_eq!(serde_json::to_string(&provider).unwrap(), format!("\"{provider}\""));
            assert!(!provider.packages(us(), DeviceFamily::AndroidTv).is_empty(), "{provider}");
        }
    }

    #[test]
    fn no_id_package_or_name_belongs_to_two_providers() {
        let mut seen = std::collections::HashSet::new();
        for known in &map().providers {
            let ids = known.provider_ids.iter().map(u64::to_string);
            let packages = known.packages.iter().map(|known| known.package.clone());
            let names =
                known.aliases.iter().cloned().chain([letters(&known.name)]).collect::<std::collections::BTreeSet<_>>();
            for thing in ids.chain(packages).chain(names) {
                assert!(seen.insert(thing.clone()), "{thing}");
            }
        }
    }

    #[test]
    fn callers_may_write_a_service_as_people_do() {
        for (words, expected) in [
            ("netflix", Provider::Netflix),
            ("Disney+", Provider::DisneyPlus),
            ("HBO Max", Provider::Max),
            ("Amazon Prime Video", Provider::PrimeVideo),
            ("apple-tv-plus", Provider::AppleTvPlus),
            ("Apple TV+", Provider::AppleTvPlus),
            ("fuboTV", Provider::FuboTv),
            ("STREMIO", Provider::Stremio),
        ] {
            assert_eq!(Provider::from_words(words), Ok(expected), "{words}");
        }
        let refused = Provider::from_words("blockbuster").unwrap_err().to_string();
        assert!(refused.contains("`blockbuster`") && refused.contains("paramount_plus"), "{refused}");
    }

    #[test]
    fn youtube_tv_is_not_youtube() {
        assert!(Provider::from_words("YouTube TV").is_err());
        assert_eq!(CatalogueService::of(Some(2528), Some("youtubetv")), CatalogueService::Unknown);
        assert_eq!(CatalogueService::of(Some(188), None), CatalogueService::Own(Provider::Youtube));
    }

    #[test]
    fn services_are_known_by_id_in_every_country_and_by_technical_name_when_the_id_is_missing() {
        for id in [9, 119, 2100, 613] {
            assert_eq!(CatalogueService::of(Some(id), Some("renamed")), CatalogueService::Own(Provider::PrimeVideo));
        }
        for id in [531, 2303, 2616] {
            assert_eq!(CatalogueService::of(Some(id), None), CatalogueService::Own(Provider::ParamountPlus));
        }
        assert_eq!(CatalogueService::of(None, Some("max")), CatalogueService::Own(Provider::Max));
    }

    #[test]
    fn a_reseller_is_a_channel_of_its_app_and_never_the_service_it_sells() {
        let channel = |name| CatalogueService::of(Some(999_999), Some(name));
        for name in ["amazonhbomax", "amazonparamountplus", "amazonappletvplus", "amazonocs"] {
            assert_eq!(channel(name), CatalogueService::Channel(Some(Provider::PrimeVideo)), "{name}");
        }
        assert_eq!(channel("appletvparamountplus"), CatalogueService::Channel(Some(Provider::AppleTvPlus)));
        assert_eq!(channel("rokuchannelparamountplus"), CatalogueService::Channel(None));
        assert_eq!(channel("rokuchannel"), CatalogueService::Unknown);
        assert_eq!(CatalogueService::of(Some(350), Some("appletvplus")), CatalogueService::Own(Provider::AppleTvPlus));
    }

    #[test]
    fn the_packages_follow_country_and_device_family() {
        let first = |provider: Provider, code: &str, family| provider.packages(country(code), family)[0];
        use DeviceFamily::{AndroidTv, FireTv};
        assert_eq!(first(Provider::ParamountPlus, "US", AndroidTv), "com.cbs.ott");
        assert_eq!(first(Provider::ParamountPlus, "DE", AndroidTv), "com.cbs.ca");
        assert_eq!(first(Provider::Max, "US", AndroidTv), "com.wbd.stream");
        assert_eq!(first(Provider::Max, "NL", AndroidTv), "com.wbd.hbomax");
        assert_eq!(first(Provider::DisneyPlus, "AE", AndroidTv), "com.disneyplus.mea");
        assert_eq!(first(Provider::DisneyPlus, "FR", AndroidTv), "com.disney.disneyplus");
        assert_eq!(first(Provider::PrimeVideo, "US", AndroidTv), "com.amazon.amazonvideo.livingroom");
        assert_eq!(first(Provider::PrimeVideo, "US", FireTv), "com.amazon.firebat");
        assert_eq!(first(Provider::Hulu, "US", FireTv), "com.hulu.plus");
        assert_eq!(first(Provider::Youtube, "US", FireTv), "com.amazon.firetv.youtube");
        assert_eq!(first(Provider::Peacock, "US", FireTv), "com.peacock.peacockfiretv");
        assert_eq!(first(Provider::FuboTv, "US", AndroidTv), "com.fubo.firetv.screen");
    }

    #[test]
    fn every_package_stays_a_candidate_however_far_back() {
        assert_eq!(Provider::Max.packages(us(), DeviceFamily::AndroidTv).len(), 4);
        assert_eq!(Provider::Max.packages(us(), DeviceFamily::AndroidTv)[3], "com.wbd.hbomax");
    }

    #[test]
    fn a_set_with_amazons_own_apps_is_a_fire_tv() {
        assert_eq!(DeviceFamily::of_apps(["com.netflix.ninja", "com.amazon.avod"].into_iter()), DeviceFamily::FireTv);
        assert_eq!(DeviceFamily::of_apps(["com.amazon.firetv.youtube"].into_iter()), DeviceFamily::FireTv);
        let android = ["com.netflix.ninja", "com.amazon.amazonvideo.livingroom", "com.fubo.firetv.screen"];
        assert_eq!(DeviceFamily::of_apps(android.into_iter()), DeviceFamily::AndroidTv);
    }
}

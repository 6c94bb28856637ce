//! Which of a title's offers is opened on a TV, in which app, by which links.

use playhouse_catalog::Country;
use playhouse_tv::launch::LaunchIntent;

use super::apps::TvApps;
use crate::links::DeepLink;
use crate::offer::{Level, TitleOffer};
use crate::provider::{DeviceFamily, Provider};

/// What is opened, and by which links, in the order in which they are tried.
#[derive(Debug)]
pub(super) struct Choice<'a> {
    pub(super) offer: &'a TitleOffer,
    pub(super) package: String,
    /// Whether the TV said that the app is there; `None` where it could not be asked.
    pub(super) installed: Option<bool>,
    /// Never empty: the last one opens the app itself.
    pub(super) attempts: Vec<Attempt>,
}

/// One way of opening a title.
#[derive(Debug, Clone)]
pub(super) struct Attempt {
    pub(super) intent: LaunchIntent,
    pub(super) kind: Kind,
}

/// How near to what was asked a launch comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The movie or episode itself.
    Direct,
    /// The season.
    Season,
    /// The series.
    Show,
    /// Only the app.
    App,
}

impl Kind {
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Kind::Direct => "direct",
            Kind::Season => "season",
            Kind::Show => "show",
            Kind::App => "app",
        }
    }

    /// For people.
    pub(super) const fn in_words(self) -> &'static str {
        match self {
            Kind::Direct => "direct link",
            Kind::Season => "the season's page",
            Kind::Show => "the series' page",
            Kind::App => "the app only",
        }
    }
}

impl From<Level> for Kind {
    fn from(level: Level) -> Self {
        match level {
            Level::Title => Kind::Direct,
            Level::Season => Kind::Season,
            Level::Show => Kind::Show,
        }
    }
}

/// The first offer whose app is installed; an installed app wins over any table. Without a list of apps, the first offer with the package
/// that the table names for the country. `None`: the TV has none of the apps.
pub(super) fn choose<'a>(offers: &'a [TitleOffer], country: Country, apps: Option<&TvApps>) -> Option<Choice<'a>> {
    let family = apps.map_or(DeviceFamily::AndroidTv, TvApps::family);
    offers.iter().find_map(|offer| {
        let packages = candidates(offer, country, family);
        let package = packages.into_iter().find(|package| apps.is_none_or(|apps| apps.has(package)))?;
        let attempts = attempts(offer, &package)?;
        Some(Choice { offer, package, installed: apps.map(|_| true), attempts })
    })
}

/// What a table alone would choose, for a TV that has none of the apps.
pub(super) fn choose_by_table<'a>(offers: &'a [TitleOffer], country: Country, apps: &TvApps) -> Option<Choice<'a>> {
    offers.iter().find_map(|offer| {
        let package = candidates(offer, country, apps.family()).into_iter().next()?;
        let attempts = attempts(offer, &package)?;
        Some(Choice { offer, package, installed: Some(false), attempts })
    })
}

/// The packages that may open an offer, in order.
pub(super) fn candidates(offer: &TitleOffer, country: Country, family: DeviceFamily) -> Vec<String> {
    let of_service = offer.service.provider.map(|provider| provider.packages(country, family)).unwrap_or_default();
    let mut packages: Vec<String> = of_service.into_iter().map(str::to_owned).collect();
    for named in offer.links.iter().filter_map(|link| link.package.as_ref()) {
        if !packages.contains(named) {
            packages.push(named.clone());
        }
    }
    packages
}

/// The links that fit the package, and at last the app by itself.
fn attempts(offer: &TitleOffer, package: &str) -> Option<Vec<Attempt>> {
    let links = offer.links.iter().filter(|link| fits(offer.service.provider, link, package)).filter_map(|link| {
        let intent = LaunchIntent::from_arguments(Some(&link.for_package(package)), Some(package)).ok()?;
        Some(Attempt { intent, kind: offer.level.into() })
    });
    let app = Attempt { intent: LaunchIntent::from_arguments(None, Some(package)).ok()?, kind: Kind::App };
    Some(links.chain([app]).collect())
}

/// The app of Disney+ for most of the world. The builds for other regions have other ids for the same titles.
const DISNEY_PLUS: &str = "com.disney.disneyplus";

fn fits(provider: Option<Provider>, link: &DeepLink, package: &str) -> bool {
    match provider {
        Some(Provider::DisneyPlus) => link.package.as_deref().unwrap_or(DISNEY_PLUS) == package,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::offer::Service;

    fn offer(provider: Provider, links: &[(&str, Option<&str>)]) -> TitleOffer {
        let service = Service {
            provider: Some(provider),
            is_channel: false,
            technical_name: provider.as_str().to_owned(),
            name: provider.name().to_owned(),
        };
        let link = |(uri, package): &(&str, Option<&str>)| DeepLink {
            uri: (*uri).to_owned(),
            package: package.map(str::to_owned),
            extras: vec![],
            as_intent: package.is_some(),
        };
        TitleOffer { service, links: links.iter().map(link).collect(), level: Level::Title, available_to: None }
    }

    fn netflix() -> TitleOffer {
        offer(Provider::Netflix, &[("https://www.netflix.com/title/1", None)])
    }

    fn hulu() -> TitleOffer {
        offer(Provider::Hulu, &[("https://www.hulu.com/watch/1", None)])
    }

    fn prime() -> TitleOffer {
        offer(
            Provider::PrimeVideo,
            &[("https://app.primevideo.com/watch?gti=x", Some("com.amazon.amazonvideo.livingroom"))],
        )
    }

    fn chosen(offers: &[TitleOffer], country: &str, apps: Option<&[&str]>) -> Option<(String, Vec<(String, Kind)>)> {
        let apps = apps.map(TvApps::with);
        let choice = choose(offers, country.parse().unwrap(), apps.as_ref())?;
        let attempts = choice.attempts.iter().map(|attempt| (attempt.intent.data().to_owned(), attempt.kind)).collect();
        Some((choice.package, attempts))
    }

    fn package(offers: &[TitleOffer], country: &str, apps: Option<&[&str]>) -> Option<String> {
        chosen(offers, country, apps).map(|(package, _)| package)
    }

    #[tokio::test]
    async fn the_first_offer_whose_app_is_installed_wins() {
        let offers = [netflix(), hulu()];
        assert_eq!(
            package(&offers, "US", Some(&["com.hulu.livingroomplus"])).as_deref(),
            Some("com.hulu.livingroomplus")
        );
        assert_eq!(
            package(&offers, "US", Some(&["com.hulu.livingroomplus", "com.netflix.ninja"])).as_deref(),
            Some("com.netflix.ninja")
        );
        assert_eq!(package(&offers, "US", Some(&["com.google.android.youtube.tv"])), None);
    }

    #[tokio::test]
    async fn an_installed_app_wins_over_the_table() {
        let max = [offer(Provider::Max, &[("https://play.hbomax.com/video/watch/1", None)])];
        assert_eq!(package(&max, "US", None).as_deref(), Some("com.wbd.stream"));
        assert_eq!(package(&max, "US", Some(&["com.wbd.hbomax"])).as_deref(), Some("com.wbd.hbomax"));
        assert_eq!(package(&max, "US", Some(&["com.hbo.hbonow"])).as_deref(), Some("com.hbo.hbonow"));
        let paramount = [offer(Provider::ParamountPlus, &[])];
        assert_eq!(package(&paramount, "US", Some(&["com.cbs.ca"])).as_deref(), Some("com.cbs.ca"));
    }

    #[tokio::test]
    async fn a_fire_tv_gets_its_own_package_in_the_link_too() {
        let (package, attempts) =
            chosen(&[prime()], "US", Some(&["com.amazon.firebat", "com.amazon.venezia"])).unwrap();
        assert_eq!(package, "com.amazon.firebat");
        assert_eq!(
            attempts[0],
            (
                "intent://app.primevideo.com/watch?gti=x#Intent;scheme=https;package=com.amazon.firebat;end".to_owned(),
                Kind::Direct
            )
        );
    }

    #[tokio::test]
    async fn every_link_is_followed_by_opening_the_app_alone() {
        let (_, attempts) = chosen(&[netflix()], "US", None).unwrap();
        let kinds: Vec<Kind> = attempts.iter().map(|(_, kind)| *kind).collect();
        assert_eq!(kinds, [Kind::Direct, Kind::App]);
        assert!(attempts[1].0.contains("LEANBACK_LAUNCHER;package=com.netflix.ninja"));
    }

    #[tokio::test]
    async fn ids_of_one_disney_build_are_not_sent_to_another() {
        let web = offer(Provider::DisneyPlus, &[("https://www.disneyplus.com/play/1", None)]);
        let kinds = |offer: &TitleOffer, app: &str| -> Vec<Kind> {
            let (_, attempts) = chosen(std::slice::from_ref(offer), "AE", Some(&[app])).unwrap();
            attempts.iter().map(|(_, kind)| *kind).collect()
        };
        assert_eq!(kinds(&web, "com.disneyplus.mea"), [Kind::App]);
        assert_eq!(kinds(&web, "com.disney.disneyplus"), [Kind::Direct, Kind::App]);
        let mea = offer(Provider::DisneyPlus, &[("https://www.disneyplus.com/play/1", Some("com.disneyplus.mea"))]);
        assert_eq!(kinds(&mea, "com.disneyplus.mea"), [Kind::Direct, Kind::App]);
        assert_eq!(kinds(&mea, "com.disney.disneyplus"), [Kind::App]);
    }

    #[tokio::test]
    async fn a_package_that_only_the_link_names_is_a_candidate() {
        let mut tubi = offer(Provider::Netflix, &[("https://tubitv.com/movies/1", Some("com.tubitv"))]);
        tubi.service.provider = None;
        assert_eq!(package(&[tubi], "US", Some(&["com.tubitv"])).as_deref(), Some("com.tubitv"));
    }
}

//! The services, and what their links look like.

use url::form_urlencoded;

/// A package of JustWatch: a service, a tariff of one, or one that is sold through another's app.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Service {
    Netflix,
    NetflixAds,
    DisneyPlus,
    PrimeVideo,
    PrimeVideoFree,
    Max,
    Hulu,
    AppleTvPlus,
    ParamountPlus,
    Peacock,
    PeacockPlus,
    Fubo,
    YoutubeFree,
    YoutubePremium,
    Youtube,
    YoutubeTv,
    MaxOnAmazon,
    ParamountOnAmazon,
    ParamountOnApple,
    AppleOnAmazon,
    AmazonShop,
    AppleShop,
    Fandango,
}

/// Which part of a title a link leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PartKind {
    Movie,
    /// A show or a season: links of either lead to the show.
    Show,
    Episode,
}

/// What a link leads to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Part<'a> {
    pub(crate) kind: PartKind,
    /// JustWatch's number of the node, from which every id within links is made.
    pub(crate) number: u64,
    /// The title as it stands in addresses: `the-bear`.
    pub(crate) slug: &'a str,
    pub(crate) country: &'a str,
}

/// Ids of a package: `packageId`, `technicalName`, `shortName`, `clearName`.
type Names = (u32, &'static str, &'static str, &'static str);

impl Service {
    /// As JustWatch names it. Short names and tariffs differ by country.
    pub(crate) fn names(self, country: &str) -> Names {
        let is_us = country == "US";
        match self {
            Self::Netflix => (8, "netflix", "nfx", "Netflix"),
            Self::NetflixAds => (1796, "netflixbasicwithads", "nfa", "Netflix Standard with Ads"),
            Self::DisneyPlus => (337, "disneyplus", "dnp", "Disney Plus"),
            Self::PrimeVideo if is_us => (9, "amazonprime", "amp", "Amazon Prime Video"),
            Self::PrimeVideo => (119, "amazonprime", "prv", "Amazon Prime Video"),
            Self::PrimeVideoFree => (613, "amazonimdbtv", "aim", "Amazon Prime Video Free with Ads"),
            Self::Max => (1899, "max", "mxx", "HBO Max"),
            Self::Hulu => (15, "hulu", "hlu", "Hulu"),
            Self::AppleTvPlus => (350, "appletvplus", "atp", "Apple TV"),
            Self::ParamountPlus if is_us => (2303, "paramountpluspremium", "ppp", "Paramount Plus Premium"),
            Self::ParamountPlus => (531, "paramountplus", "pmp", "Paramount Plus"),
            Self::Peacock => (386, "peacocktv", "pct", "Peacock Premium"),
            Self::PeacockPlus => (387, "peacocktvpremium", "pcp", "Peacock Premium Plus"),
            Self::Fubo => (257, "fubotv", "fuv", "fuboTV"),
            Self::YoutubeFree => (235, "youtubefree", "yfr", "YouTube Free"),
            Self::YoutubePremium => (188, "youtubered", "ytr", "YouTube Premium"),
            Self::Youtube => (192, "youtube", "yot", "YouTube"),
            Self::YoutubeTv => (2528, "youtubetv", "ytt", "YouTube TV"),
            Self::MaxOnAmazon => (1825, "amazonhbomax", "aho", "HBO Max Amazon Channel"),
            Self::ParamountOnAmazon => (582, "amazonparamountplus", "app", "Paramount+ Amazon Channel"),
            Self::ParamountOnApple => (1853, "appletvparamountplus", "ppa", "Paramount Plus Apple TV Channel "),
            Self::AppleOnAmazon => (2243, "amazonappletvplus", "avl", "Apple TV Amazon Channel"),
            Self::AmazonShop => (10, "amazon", "amz", "Amazon Video"),
            Self::AppleShop => (2, "itunes", "itu", "Apple TV Store"),
            Self::Fandango => (60, "fandango", "fad", "Fandango"),
        }
    }

    /// The key that tools name the service by, where it is one of a household's own. Resellers and shops are none.
    #[cfg(test)]
    pub(crate) fn provider(self) -> Option<&'static str> {
        Some(match self {
            Self::Netflix | Self::NetflixAds => "netflix",
            Self::DisneyPlus => "disney_plus",
            Self::PrimeVideo | Self::PrimeVideoFree => "prime_video",
            Self::Max => "max",
            Self::Hulu => "hulu",
            Self::AppleTvPlus => "apple_tv_plus",
            Self::ParamountPlus => "paramount_plus",
            Self::Peacock | Self::PeacockPlus => "peacock",
            Self::Fubo => "fubo_tv",
            Self::Youtube | Self::YoutubeFree | Self::YoutubePremium => "youtube",
            _ => return None,
        })
    }

    /// Its front page, which names no title.
    pub(crate) fn front_page(self) -> &'static str {
        match self {
            Self::Netflix | Self::NetflixAds => "https://www.netflix.com",
            Self::DisneyPlus => "https://www.disneyplus.com",
            Self::Max => "https://play.hbomax.com",
            Self::Hulu => "https://www.hulu.com/welcome",
            Self::AppleTvPlus | Self::AppleShop | Self::ParamountOnApple => "https://tv.apple.com",
            Self::ParamountPlus => "https://www.paramountplus.com/",
            Self::Peacock | Self::PeacockPlus => "https://www.peacocktv.com",
            Self::Fubo => "https://www.fubo.tv/welcome",
            Self::Youtube | Self::YoutubeFree | Self::YoutubePremium => "https://www.youtube.com",
            Self::YoutubeTv => "https://tv.youtube.com",
            Self::Fandango => "https://www.fandango.com",
            Self::PrimeVideo
            | Self::PrimeVideoFree
            | Self::MaxOnAmazon
            | Self::ParamountOnAmazon
            | Self::AppleOnAmazon
            | Self::AmazonShop => "https://www.primevideo.com",
        }
    }

    /// The page that the web link leads to, before anybody wraps it.
    fn page(self, part: Part<'_>) -> String {
        let id = content_id(self.key(), part.number);
        let Part { kind, slug, country, .. } = part;
        let is_show = kind == PartKind::Show;
        match self.key() {
            "netflix" => format!("https://www.netflix.com/title/{id}"),
            "disney_plus" if is_show => format!("https://www.disneyplus.com/browse/entity-{id}"),
            "disney_plus" => format!("https://www.disneyplus.com/play/{id}"),
            "prime_video" if country == "US" => format!("https://watch.amazon.com/detail?gti={id}"),
            "prime_video" => format!("https://app.primevideo.com/detail?gti={id}"),
            "max" if is_show => format!("https://play.hbomax.com/show/{id}"),
            "max" => format!("https://play.hbomax.com/video/watch/{id}"),
            "hulu" if is_show => format!("https://www.hulu.com/series/{id}"),
            "hulu" => format!("https://www.hulu.com/watch/{id}"),
            "apple_tv_plus" => {
                let kind = match kind {
                    PartKind::Movie => "movie",
                    PartKind::Show => "show",
                    PartKind::Episode => "episode",
                };
                format!("https://tv.apple.com/{}/{kind}/{slug}/{id}", country.to_lowercase())
            }
            "paramount_plus" => match kind {
                PartKind::Movie => format!("https://www.paramountplus.com/movies/video/{id}/"),
                PartKind::Show => format!("https://www.paramountplus.com/shows/{slug}/"),
                PartKind::Episode => format!("https://www.paramountplus.com/shows/{slug}/video/{id}/"),
            },
            "peacock" => {
                let shelf = if kind == PartKind::Movie { "movies" } else { "tv" };
                format!("https://www.peacocktv.com/watch/asset/{shelf}/{slug}/{id}")
            }
            "youtube" if is_show => format!("https://www.youtube.com/playlist?list={id}"),
            "youtube" => format!("https://www.youtube.com/watch?v={id}"),
            _ => self.front_page().to_owned(),
        }
    }

    /// The web link, with the detours and tags that JustWatch's partners put on it.
    pub(crate) fn web_link(self, part: Part<'_>) -> String {
        let page = self.page(part);
        match self.key() {
            "disney_plus" => affiliate(&page),
            "max" => format!("{page}?utm_source=universal_search"),
            "apple_tv_plus" => format!(
                "{page}?at=1000l3V2&ct=app_tvplus&itscg=30200&itsct=justwatch_tv&playableId=tvs.sbd.4000%3A{}",
                part.number
            ),
            "paramount_plus" => format!("{page}?searchReferral=publisher&source=search-feeds"),
            _ => page,
        }
    }

    /// The link for Android TV. None where JustWatch has none: for other sellers of tickets and copies.
    pub(crate) fn android_tv_link(self, part: Part<'_>) -> Option<String> {
        let id = content_id(self.key(), part.number);
        let intent = |page: &str, package: &str| {
            let target = page.trim_start_matches("https:");
            format!("intent:{target}#Intent;scheme=https;package={package};end")
        };
        let is_show = part.kind == PartKind::Show;
        Some(match self.key() {
            "netflix" => {
                let what = if is_show { "title" } else { "watch" };
                format!(
                    "intent://www.netflix.com/{what}/{id}#Intent;launchFlags=0x00800000;scheme=https;package=com.netflix.ninja;S.source=30;end"
                )
            }
            "disney_plus" => intent(&self.page(part), "com.disney.disneyplus"),
            "prime_video" => format!(
                "intent://app.primevideo.com/watch?gti={id}#Intent;package=com.amazon.amazonvideo.livingroom;scheme=https;end"
            ),
            "max" => intent(&self.page(part), "com.wbd.stream"),
            "hulu" if is_show => intent(&self.page(part), "com.hulu.livingroomplus"),
            "hulu" => format!(
                "intent://launch/#Intent;action=hulu.intent.action.PLAY_CONTENT;package=com.hulu.livingroomplus;S.content_id={id};end"
            ),
            "apple_tv_plus" => intent(&self.page(part), "com.apple.atve.androidtv.appletv"),
            "paramount_plus" => {
                intent(&self.page(part), if part.country == "US" { "com.cbs.ott" } else { "com.cbs.ca" })
            }
            "peacock" => format!(
                "intent://www.peacocktv.com/deeplink?deeplinkData=%7B%22pvid%22%3A%22{id}%22%7D#Intent;scheme=https;end"
            ),
            "fubo_tv" => self.contentless_link(),
            "youtube" => intent(&self.page(part), "com.google.android.youtube.tv"),
            _ => return None,
        })
    }

    /// A link that opens the app and names nothing in it.
    pub(crate) fn contentless_link(self) -> String {
        let (package, activity) = match self.key() {
            "peacock" => ("com.peacocktv.peacockandroid", "com.peacock.MainActivity"),
            _ => ("com.fubo.firetv.screen", "com.fubo.MainActivity"),
        };
        format!("intent://#Intent;launchFlags=0x00800000;component={package}/{activity};end")
    }

    /// A redirect that a careless check takes for one to the service.
    pub(crate) fn lookalike_link(self, part: Part<'_>) -> String {
        let page = self.page(part).replacen(".com/", ".com.example/", 1);
        affiliate(&page)
    }

    /// In whose app, and so in whose manner of links, it opens; empty for sellers without an app.
    fn key(self) -> &'static str {
        match self {
            Self::Netflix | Self::NetflixAds => "netflix",
            Self::DisneyPlus => "disney_plus",
            Self::PrimeVideo
            | Self::PrimeVideoFree
            | Self::MaxOnAmazon
            | Self::ParamountOnAmazon
            | Self::AppleOnAmazon
            | Self::AmazonShop => "prime_video",
            Self::Max => "max",
            Self::Hulu => "hulu",
            Self::AppleTvPlus | Self::ParamountOnApple | Self::AppleShop => "apple_tv_plus",
            Self::ParamountPlus => "paramount_plus",
            Self::Peacock | Self::PeacockPlus => "peacock",
            Self::Fubo => "fubo_tv",
            Self::Youtube | Self::YoutubeFree | Self::YoutubePremium => "youtube",
            Self::YoutubeTv | Self::Fandango => "",
        }
    }
}

/// The id within a service's links for a node of JustWatch: in the service's own form, with the node's number to be seen in it.
///
/// `provider` is the service as tools name it. The links of Paramount+ to a whole series have a slug in place of an id.
#[must_use]
pub fn content_id(provider: &str, number: u64) -> String {
    match provider {
        "netflix" => number.to_string(),
        "prime_video" => format!("amzn1.dv.gti.00000000-0000-4000-8000-{number:0>12}"),
        "apple_tv_plus" => format!("umc.cmc.{number:0>25}"),
        "paramount_plus" => format!("{number:_>32}"),
        "youtube" => format!("{:->11}", format!("{number:x}")),
        _ => format!("00000000-0000-4000-8000-{number:0>12}"),
    }
}

fn affiliate(page: &str) -> String {
    let page: String = form_urlencoded::byte_serialize(page.as_bytes()).collect();
    format!("https://disneyplus.bn5x.net/c/1206980/705874/9358?u={page}&subId3=justappsvod")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn episode(country: &str) -> Part<'_> {
        Part { kind: PartKind::Episode, number: 900_667_320_101, slug: "stranger-things", country }
    }

    #[test]
    fn links_have_the_form_that_services_give_them() {
        let netflix = "intent://www.netflix.com/watch/900667320101#Intent;launchFlags=0x00800000;scheme=https;package=com.netflix.ninja;S.source=30;end";
        assert_eq!(Service::Netflix.android_tv_link(episode("US")).unwrap(), netflix);
        assert_eq!(
            Service::DisneyPlus.web_link(episode("US")),
            "https://disneyplus.bn5x.net/c/1206980/705874/9358?u=https%3A%2F%2Fwww.disneyplus.com%2Fplay%2F00000000-0000-4000-8000-900667320101&subId3=justappsvod"
        );
        assert!(Service::PrimeVideo.web_link(episode("US")).starts_with("https://watch.amazon.com/detail?gti="));
        assert!(Service::PrimeVideo.web_link(episode("FR")).starts_with("https://app.primevideo.com/detail?gti="));
        assert_eq!(Service::Youtube.web_link(episode("US")), "https://www.youtube.com/watch?v=-d1b3f4a725");
    }

    #[test]
    fn a_reseller_opens_its_own_app() {
        assert!(Service::MaxOnAmazon.web_link(episode("US")).contains("watch.amazon.com"));
        assert!(Service::ParamountOnApple.web_link(episode("US")).contains("tv.apple.com"));
    }

    #[test]
    fn every_id_fits_its_service() {
        assert_eq!(content_id("youtube", 900_667_320_101).len(), 11);
        assert_eq!(content_id("paramount_plus", 1).len(), 32);
        assert_eq!(content_id("disney_plus", 1).len(), 36);
    }
}

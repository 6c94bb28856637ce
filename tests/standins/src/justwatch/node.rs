//! JustWatch's movies, shows, seasons and episodes, as it would tell all about them.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde_json::{Value, json};

use crate::titles::{self, InJustWatch, Kind, Offer, Part, PartKind, Quirk, Season, Terms, Title};

/// A movie, show, season or episode.
#[derive(Debug, Clone)]
pub(super) struct Node {
    /// `tm…` movie, `ts…` show, `tss…` season, `tse…` episode.
    pub(super) id: String,
    /// `MOVIE`, `SHOW`, `SHOW_SEASON` or `SHOW_EPISODE`.
    pub(super) object_type: String,
    /// In English.
    pub(super) content: Value,
    /// Its title by language, where that is not the English one.
    pub(super) translated: BTreeMap<String, String>,
    /// What a search finds it by.
    pub(super) names: Vec<String>,
    pub(super) popularity: f64,
    /// By country.
    pub(super) offers: BTreeMap<String, Vec<Value>>,
    /// A show's seasons, a season's episodes.
    pub(super) parts: Vec<Node>,
}

impl Node {
    /// The node of this id, here or below.
    pub(super) fn find(&self, id: &str) -> Option<&Node> {
        if self.id == id { Some(self) } else { self.parts.iter().find_map(|part| part.find(id)) }
    }

    pub(super) fn year(&self) -> Option<i64> {
        self.content.get("originalReleaseYear")?.as_i64()
    }
}

/// JustWatch's number of a title of ours. Its real numbers are of no consequence, so ours tell which title they are of.
pub(super) fn title_number(tmdb: u64) -> u64 {
    90_000_000 + tmdb
}

/// A season's number: the show's with two more digits.
pub(super) fn season_number(tmdb: u64, season: u32) -> u64 {
    title_number(tmdb) * 100 + u64::from(season)
}

/// An episode's number: the season's with two more digits.
pub(super) fn episode_number(tmdb: u64, season: u32, episode: u32) -> u64 {
    season_number(tmdb, season) * 100 + u64::from(episode)
}

/// The node of a title of ours; none if JustWatch does not know it.
pub(super) fn of_title(title: &Title, today: Date) -> Option<Node> {
    let year = match title.in_justwatch {
        InJustWatch::Unknown => return None,
        InJustWatch::WithoutIds(year) => Some(year),
        InJustWatch::Known | InJustWatch::ByOriginalName => title.year(),
    };
    let (tmdb_id, imdb_id) = match title.in_justwatch {
        InJustWatch::WithoutIds(_) => (Value::Null, Value::Null),
        _ => (json!(title.tmdb.to_string()), json!(title.imdb)),
    };
    let slug = slug(title.name);
    let number = title_number(title.tmdb);
    let (prefix, object_type, part_kind, shelf) = match title.kind {
        Kind::Movie => ("tm", "MOVIE", PartKind::Movie, "movie"),
        Kind::Series => ("ts", "SHOW", PartKind::Show, "tv-show"),
    };
    let name = match title.in_justwatch {
        InJustWatch::ByOriginalName => title.original_name(),
        _ => title.name,
    };
    let names = match title.in_justwatch {
        InJustWatch::ByOriginalName => vec![title.original_name().to_owned()],
        _ => title.names().map(str::to_owned).collect(),
    };
    let writer = Writer { title, slug: &slug, today };
    let n_seasons = title.seasons.iter().filter(|season| season.n_episodes > 0).count();
    Some(Node {
        id: format!("{prefix}{number}"),
        object_type: object_type.to_owned(),
        content: json!({
            "title": name, "fullPath": format!("/us/{shelf}/{slug}"), "originalReleaseYear": year,
            "originalReleaseDate": title.shown, "runtime": 100, "genres": [],
            "externalIds": { "imdbId": imdb_id, "tmdbId": tmdb_id },
        }),
        translated: title
            .translated
            .iter()
            .map(|(language, name)| ((*language).to_owned(), (*name).to_owned()))
            .collect(),
        names,
        popularity: title.popularity,
        offers: writer.offers(number, part_kind, n_seasons, |_| true),
        parts: title.seasons.iter().map(|season| writer.season(*season)).collect(),
    })
}

/// Writes the parts of one title.
struct Writer<'a> {
    title: &'a Title,
    slug: &'a str,
    today: Date,
}

impl Writer<'_> {
    fn season(&self, season: Season) -> Node {
        let number = season_number(self.title.tmdb, season.number);
        let is_announced = season.n_episodes == 0;
        let tmdb_id = if is_announced { Value::Null } else { json!(format!("{}:{}", self.title.tmdb, season.number)) };
        let is_listed = |offer: &Offer| !is_announced && offer.quirk != Quirk::NotForSeasons;
        let name = if season.number == 0 { "Specials".to_owned() } else { format!("Season {}", season.number) };
        self.part(
            format!("tss{number}"),
            "SHOW_SEASON",
            json!({
                "title": name, "originalReleaseYear": (season.year > 0).then_some(season.year), "seasonNumber": season.number,
                "externalIds": { "imdbId": null, "tmdbId": tmdb_id },
            }),
            self.offers(number, PartKind::Show, season.n_episodes as usize, is_listed),
            (1..=season.n_episodes).map(|episode| self.episode(season, episode)).collect(),
        )
    }

    fn episode(&self, season: Season, episode: u32) -> Node {
        let number = episode_number(self.title.tmdb, season.number, episode);
        let is_listed = |offer: &Offer| !matches!(offer.quirk, Quirk::NotForSeasons | Quirk::NotForEpisodes);
        self.part(
            format!("tse{number}"),
            "SHOW_EPISODE",
            json!({
                "title": format!("Episode {episode}"), "originalReleaseYear": season.year, "runtime": 50,
                "seasonNumber": season.number, "episodeNumber": episode,
            }),
            self.offers(number, PartKind::Episode, 0, is_listed),
            Vec::new(),
        )
    }

    fn part(
        &self,
        id: String,
        object_type: &str,
        content: Value,
        offers: BTreeMap<String, Vec<Value>>,
        parts: Vec<Node>,
    ) -> Node {
        let (translated, names) = (BTreeMap::new(), Vec::new());
        Node { id, object_type: object_type.to_owned(), content, translated, names, popularity: 0.0, offers, parts }
    }

    /// Links of a season lead to the show, so `number` is the node's own only for movies and episodes.
    fn offers(
        &self,
        number: u64,
        kind: PartKind,
        n_elements: usize,
        is_listed: impl Fn(&Offer) -> bool,
    ) -> BTreeMap<String, Vec<Value>> {
        let link_number = if kind == PartKind::Show { title_number(self.title.tmdb) } else { number };
        let mut by_country: BTreeMap<String, Vec<Value>> = BTreeMap::new();
        for offer in self.title.offers.iter().filter(|offer| is_listed(offer)) {
            for country in offer.countries {
                let part = Part { kind, number: link_number, slug: self.slug, country };
                by_country.entry((*country).to_owned()).or_default().push(self.offer(offer, number, part, n_elements));
            }
        }
        by_country
    }

    fn offer(&self, offer: &Offer, number: u64, part: Part<'_>, n_elements: usize) -> Value {
        let (package_id, technical_name, short_name, clear_name) = offer.service.names(part.country);
        let sort = offer.terms.monetization_type();
        if offer.quirk == Quirk::Nulls {
            return json!({
                "id": null, "monetizationType": null, "presentationType": null, "retailPrice": null, "retailPriceValue": null,
                "currency": null, "type": null, "package": null, "standardWebURL": null, "elementCount": null,
                "availableTo": null, "deeplinkURL": null, "__typename": "Offer",
            });
        }
        let has_new_words = offer.quirk == Quirk::NewWords;
        let price = offer.terms.is_paid_each_time().then_some(3.99);
        let kind = if part.kind == PartKind::Show { "AGGREGATED" } else { "STANDARD" };
        json!({
            "id": format!("offer-{number}-{}-{short_name}-{}", part.country, sort.to_lowercase()),
            "monetizationType": if has_new_words { "HOLOGRAM" } else { sort },
            "presentationType": if has_new_words { "_16K" } else if offer.terms == Terms::Cinema { "CANVAS" } else { "HD" },
            "type": if has_new_words { "BUNDLED" } else { kind },
            "retailPrice": price.map(|price| format!("${price}")),
            "retailPriceValue": price,
            "currency": "USD",
            "package": {
                "id": format!("package-{package_id}"), "packageId": package_id, "clearName": clear_name,
                "technicalName": technical_name, "shortName": short_name, "icon": null, "__typename": "Package",
            },
            "standardWebURL": self.web_link(offer, part),
            "deeplinkURL": android_tv_link(offer, part),
            "elementCount": n_elements,
            "availableTo": self.available_to(offer.quirk),
            "subtitleLanguages": [], "videoTechnology": [], "audioTechnology": [], "audioLanguages": [],
            "__typename": "Offer",
        })
    }

    fn web_link(&self, offer: &Offer, part: Part<'_>) -> String {
        match offer.quirk {
            Quirk::BareLink => offer.service.front_page().to_owned(),
            Quirk::SearchPage => {
                format!("{}/results?search_query={}%2Bmovie", offer.service.front_page(), self.slug.replace('-', "+"))
            }
            Quirk::LookalikeHost => offer.service.lookalike_link(part),
            _ => offer.service.web_link(part),
        }
    }

    fn available_to(&self, quirk: Quirk) -> Option<String> {
        match quirk {
            Quirk::GoneTomorrow => self.today.tomorrow().ok(),
            Quirk::GoneYesterday => self.today.yesterday().ok(),
            _ => None,
        }
        .map(|date| date.to_string())
    }
}

fn android_tv_link(offer: &Offer, part: Part<'_>) -> Option<String> {
    match offer.quirk {
        Quirk::BareLink | Quirk::SearchPage | Quirk::LookalikeHost | Quirk::WebOnly => None,
        Quirk::ContentlessIntent => Some(offer.service.contentless_link()),
        _ => offer.service.android_tv_link(part),
    }
}

fn slug(name: &str) -> String {
    let words = name.split(|character: char| !character.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

/// The nodes of all titles of ours.
pub(super) fn all(today: Date) -> Vec<Node> {
    titles::all().filter_map(|title| of_title(title, today)).collect()
}

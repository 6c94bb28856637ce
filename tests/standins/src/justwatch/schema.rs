//! Which fields there are, and of which form variables have to be.

use serde_json::Value;

/// The types of the questions' results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Query,
    Titles,
    TitleEdge,
    PageInfo,
    /// What `node(id)` is before a fragment says more.
    Node,
    Movie,
    Show,
    Season,
    Episode,
    Content,
    ExternalIds,
    Offer,
    Package,
    Genre,
}

impl Type {
    pub(super) fn has(self, field: &str) -> bool {
        let fields: &[&str] = match self {
            Self::Query => &["popularTitles", "node", "packages"],
            Self::Titles => &["edges", "pageInfo", "totalCount"],
            Self::TitleEdge => &["node", "cursor"],
            Self::PageInfo => &["startCursor", "endCursor", "hasPreviousPage", "hasNextPage"],
            Self::Node => &["id"],
            Self::Movie | Self::Episode => &["id", "objectId", "objectType", "content", "offers"],
            Self::Show => &["id", "objectId", "objectType", "content", "offers", "seasons"],
            Self::Season => &["id", "objectId", "objectType", "content", "offers", "episodes"],
            Self::Content => &[
                "title",
                "fullPath",
                "originalReleaseYear",
                "originalReleaseDate",
                "runtime",
                "genres",
                "externalIds",
                "seasonNumber",
                "episodeNumber",
                "shortDescription",
            ],
            Self::ExternalIds => &["imdbId", "tmdbId"],
            Self::Offer => &[
                "id",
                "monetizationType",
                "presentationType",
                "retailPrice",
                "retailPriceValue",
                "currency",
                "lastChangeRetailPriceValue",
                "type",
                "package",
                "standardWebURL",
                "elementCount",
                "availableTo",
                "deeplinkURL",
                "subtitleLanguages",
                "videoTechnology",
                "audioTechnology",
                "audioLanguages",
            ],
            Self::Package => &["id", "packageId", "clearName", "technicalName", "shortName", "icon"],
            Self::Genre => &["shortName", "translation"],
        };
        field == "__typename" || fields.contains(&field)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Query => "Query",
            Self::Titles => "PopularTitlesConnection",
            Self::TitleEdge => "PopularTitlesEdge",
            Self::PageInfo => "PageInfo",
            Self::Node => "Node",
            Self::Movie => "Movie",
            Self::Show => "Show",
            Self::Season => "Season",
            Self::Episode => "Episode",
            Self::Content => "Content",
            Self::ExternalIds => "ExternalIds",
            Self::Offer => "Offer",
            Self::Package => "Package",
            Self::Genre => "Genre",
        }
    }

    /// The type behind a field that is an object.
    pub(super) fn of_field(self, field: &str) -> Option<Type> {
        match (self, field) {
            (Self::Content, "externalIds") => Some(Self::ExternalIds),
            (Self::Content, "genres") => Some(Self::Genre),
            (Self::Offer, "package") => Some(Self::Package),
            _ => None,
        }
    }

    /// The type of a node by its `objectType`.
    pub(super) fn of_object(object_type: &str) -> Type {
        match object_type {
            "MOVIE" => Self::Movie,
            "SHOW" => Self::Show,
            "SHOW_SEASON" => Self::Season,
            _ => Self::Episode,
        }
    }

    /// Whether `... on NAME` speaks of this type; `None` when there is no such name.
    pub(super) fn is_a(self, name: &str) -> Option<bool> {
        Some(match name {
            "Node" => true,
            "Movie" => self == Self::Movie,
            "Show" => self == Self::Show,
            "Season" => self == Self::Season,
            "Episode" => self == Self::Episode,
            "MovieOrShow" => matches!(self, Self::Movie | Self::Show),
            "MovieOrShowOrSeason" => matches!(self, Self::Movie | Self::Show | Self::Season),
            "MovieOrShowOrSeasonOrEpisode" => true,
            _ => return None,
        })
    }
}

/// Two letters, upper case.
pub(super) fn is_country(text: &str) -> bool {
    text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Countries that JustWatch serves; it serves more.
pub(super) fn is_served(country: &str) -> bool {
    const SERVED: &str = "US GB CA AU FR DE AT CH IT ES PT NL BE IE DK SE NO FI PL CZ HU GR TR BR MX AR CL CO PE IN JP KR SG MY PH \
                          TH ID ZA NZ";
    SERVED.split(' ').any(|served| served == country)
}

/// Two letters, lower case, perhaps with a region.
pub(super) fn is_language(text: &str) -> bool {
    let (language, region) = text.split_once('-').unwrap_or((text, "US"));
    language.len() == 2
        && language.bytes().all(|byte| byte.is_ascii_lowercase())
        && !region.is_empty()
        && region.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

/// What is wrong with a variable of a declared type, if anything.
pub(super) fn fault(type_name: &str, value: &Value) -> Option<String> {
    let required = type_name.ends_with('!');
    if value.is_null() {
        return required.then(|| format!("is null and has to be {type_name}"));
    }
    let fits = match type_name.trim_end_matches('!') {
        "Country" => value.as_str().is_some_and(is_country),
        "Language" => value.as_str().is_some_and(is_language),
        "ID" => value.as_str().is_some_and(|id| !id.is_empty()),
        "Int" => value.as_i64().is_some(),
        "String" => value.is_string(),
        "Boolean" => value.is_boolean(),
        "Platform" => value == "ANDROID_TV" || value == "WEB",
        "TitleFilter" => return title_filter_fault(value),
        "OfferFilter" => return offer_filter_fault(value),
        other => return Some(format!("`{other}` is no type that is known")),
    };
    (!fits).then(|| format!("{value} is no {type_name}"))
}

fn title_filter_fault(filter: &Value) -> Option<String> {
    fields_fault(filter, |name, value| match name {
        "searchQuery" => value.is_string(),
        "objectTypes" => words(value, |word| matches!(word, "MOVIE" | "SHOW")),
        "packages" => words(value, is_package_code),
        "releaseYear" => value.is_object(),
        _ => false,
    })
}

fn offer_filter_fault(filter: &Value) -> Option<String> {
    fields_fault(filter, |name, value| match name {
        "bestOnly" => value.is_boolean(),
        "monetizationTypes" => {
            const KNOWN: &[&str] = &["FLATRATE", "ADS", "FREE", "RENT", "BUY", "CINEMA", "FLATRATE_AND_BUY"];
            words(value, |word| KNOWN.contains(&word))
        }
        "presentationTypes" => {
            const KNOWN: &[&str] = &["SD", "HD", "_4K", "DVD", "BLURAY", "BLURAY_4K", "CANVAS"];
            words(value, |word| KNOWN.contains(&word))
        }
        "packages" => words(value, is_package_code),
        _ => false,
    })
}

fn fields_fault(filter: &Value, fits: impl Fn(&str, &Value) -> bool) -> Option<String> {
    let Some(fields) = filter.as_object() else { return Some("is no object".to_owned()) };
    let unfit = fields.iter().find(|(name, value)| !value.is_null() && !fits(name, value));
    unfit.map(|(name, value)| format!("its `{name}` may not be {value}"))
}

fn words(value: &Value, fits: impl Fn(&str) -> bool) -> bool {
    value.as_array().is_some_and(|words| words.iter().all(|word| word.as_str().is_some_and(&fits)))
}

fn is_package_code(word: &str) -> bool {
    word.len() == 3 && word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn variables_have_a_form() {
        for (type_name, value) in [
            ("Country!", json!("US")),
            ("Language!", json!("en")),
            ("Language!", json!("es-419")),
            ("ID!", json!("tm10")),
            ("Int", json!(null)),
            ("TitleFilter!", json!({ "searchQuery": "x", "objectTypes": ["MOVIE"], "packages": null })),
            ("OfferFilter!", json!({ "bestOnly": true, "monetizationTypes": ["FREE"], "packages": ["nfx"] })),
        ] {
            assert_eq!(fault(type_name, &value), None, "{type_name} {value}");
        }
        for (type_name, value) in [
            ("Country!", json!("us")),
            ("Country!", json!(null)),
            ("Language!", json!("en-us")),
            ("Language!", json!("english")),
            ("Int!", json!("10")),
            ("Colour", json!("red")),
            ("TitleFilter!", json!({ "searchQuery": "x", "objectTypes": ["SHOW_EPISODE"] })),
            ("TitleFilter!", json!({ "title": "x" })),
            ("OfferFilter!", json!({ "bestOnly": "yes" })),
            ("OfferFilter!", json!({ "packages": ["netflix"] })),
            ("OfferFilter!", json!([])),
        ] {
            assert!(fault(type_name, &value).is_some(), "{type_name} {value}");
        }
    }
}

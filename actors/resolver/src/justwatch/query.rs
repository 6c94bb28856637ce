//! The questions, in GraphQL. Names of operations are the client's own choice; these are the ones that JustWatch sees from everybody.

use playhouse_catalog::Country;
use serde::Serialize;
use serde_json::{Value, json};

/// A question as it is posted.
#[derive(Debug, Serialize)]
pub(super) struct Query {
    #[serde(rename = "operationName")]
    operation_name: &'static str,
    variables: Value,
    query: String,
}

/// Titles in one answer. More would only be further from the name; near 100 the question is refused as too complex.
const N_TITLES: u32 = 10;

const IDENTITY: &str = "id objectType content(country: $country, language: $language) { title originalReleaseYear externalIds { imdbId tmdbId } }";
const OFFERS: &str = "offers(country: $country, platform: ANDROID_TV, filter: $filter) { monetizationType type elementCount availableTo \
     standardWebURL deeplinkURL(platform: ANDROID_TV) package { packageId clearName technicalName shortName } }";

/// Titles by name, with the offers of each: for a movie that is all that is needed.
pub(super) fn search(name: &str, object_type: &str, country: Country, language: &str) -> Query {
    Query {
        operation_name: "GetSearchTitles",
        variables: json!({
            "searchTitlesFilter": { "searchQuery": name, "objectTypes": [object_type] },
            "country": country, "language": language, "first": N_TITLES, "filter": offer_filter(),
        }),
        query: format!(
            "query GetSearchTitles($searchTitlesFilter: TitleFilter!, $country: Country!, $language: Language!, $first: Int!, \
             $filter: OfferFilter!) {{ popularTitles(country: $country, filter: $searchTitlesFilter, first: $first, sortBy: POPULAR) \
             {{ edges {{ node {{ {IDENTITY} {OFFERS} }} }} }} }}"
        ),
    }
}

/// The seasons of a show. Asking for their episodes at once would be refused as too complex.
pub(super) fn seasons(show: &str, country: Country, language: &str) -> Query {
    node(
        show,
        country,
        language,
        &format!(
            "... on Show {{ id seasons {{ id content(country: $country, language: $language) {{ seasonNumber }} {OFFERS} }} }}"
        ),
    )
}

/// The episodes of a season.
pub(super) fn episodes(season: &str, country: Country, language: &str) -> Query {
    node(
        season,
        country,
        language,
        &format!(
            "... on Season {{ id episodes {{ id content(country: $country, language: $language) {{ seasonNumber episodeNumber }} {OFFERS} }} }}"
        ),
    )
}

fn node(id: &str, country: Country, language: &str, parts: &str) -> Query {
    Query {
        operation_name: "GetTitleNode",
        variables: json!({ "nodeId": id, "country": country, "language": language, "filter": offer_filter() }),
        query: format!(
            "query GetTitleNode($nodeId: ID!, $country: Country!, $language: Language!, $filter: OfferFilter!) \
             {{ node(id: $nodeId) {{ {parts} }} }}"
        ),
    }
}

/// One offer a service: otherwise each comes again in SD, HD and 4K. All conditions, to be able to say that only rentals exist.
/// No package codes: one that JustWatch does not know in a country would mean no filter at all.
fn offer_filter() -> Value {
    json!({ "bestOnly": true })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn posted(query: &Query) -> Value {
        serde_json::to_value(query).unwrap()
    }

    fn country() -> Country {
        "US".parse().unwrap()
    }

    #[test]
    fn offers_are_those_of_android_tv_with_their_links() {
        for query in
            [search("x", "MOVIE", country(), "en"), seasons("ts1", country(), "en"), episodes("tss1", country(), "en")]
        {
            let text = posted(&query)["query"].as_str().unwrap().to_owned();
            assert!(text.contains("offers(country: $country, platform: ANDROID_TV, filter: $filter)"), "{text}");
            assert!(text.contains("deeplinkURL(platform: ANDROID_TV)"), "{text}");
            assert_eq!(text.matches('{').count(), text.matches('}').count(), "{text}");
        }
    }

    #[test]
    fn no_filter_names_packages_because_an_unknown_one_would_mean_no_filter() {
        assert_eq!(posted(&search("x", "SHOW", country(), "en"))["variables"]["filter"], json!({ "bestOnly": true }));
    }

    #[test]
    fn a_search_asks_for_few_titles_of_one_kind_and_for_no_episodes() {
        let query = posted(&search("Dune", "MOVIE", country(), "en"));
        assert_eq!(
            query["variables"]["searchTitlesFilter"],
            json!({ "searchQuery": "Dune", "objectTypes": ["MOVIE"] })
        );
        assert!(query["variables"]["first"].as_u64().unwrap() <= 20);
        assert!(!query["query"].as_str().unwrap().contains("episodes"));
    }

    #[test]
    fn a_title_is_data_and_never_part_of_the_question() {
        let query = posted(&search("\") { evil }", "MOVIE", country(), "en"));
        assert!(!query["query"].as_str().unwrap().contains("evil"));
    }
}

//! On which services a title is.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::{Country, lenient};

/// On which services a title is, by country. TMDB has this from JustWatch: it knows no links into apps and no seasons.
///
/// Show [`PROVIDERS_ATTRIBUTION`](super::PROVIDERS_ATTRIBUTION) with it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WatchProviders {
    /// Only countries where something is on offer.
    #[serde(default, rename = "results", deserialize_with = "known_countries")]
    countries: BTreeMap<Country, CountryProviders>,
}

impl WatchProviders {
    /// What is on offer in this country; nothing when the country is absent.
    pub fn in_country(&self, country: Country) -> CountryProviders {
        self.countries.get(&country).cloned().unwrap_or_default()
    }

    /// The countries where something is on offer, in the order of their letters.
    pub fn countries(&self) -> impl Iterator<Item = Country> {
        self.countries.keys().copied()
    }
}

/// The services of one country, each list in TMDB's order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CountryProviders {
    /// A page of TMDB about them: for people, not for a TV.
    #[serde(default, rename = "link", deserialize_with = "lenient::text")]
    pub page: Option<String>,
    /// Part of a subscription.
    #[serde(default, deserialize_with = "lenient::readable_entries")]
    pub flatrate: Vec<Provider>,
    /// For nothing.
    #[serde(default, deserialize_with = "lenient::readable_entries")]
    pub free: Vec<Provider>,
    /// For nothing, with advertisements.
    #[serde(default, deserialize_with = "lenient::readable_entries")]
    pub ads: Vec<Provider>,
    /// For rent.
    #[serde(default, deserialize_with = "lenient::readable_entries")]
    pub rent: Vec<Provider>,
    /// To buy.
    #[serde(default, deserialize_with = "lenient::readable_entries")]
    pub buy: Vec<Provider>,
}

impl CountryProviders {
    /// The services that play it without a further payment: subscription, free, with advertisements; each once.
    pub fn playable(&self) -> impl Iterator<Item = &Provider> {
        let lists = [&self.flatrate, &self.free, &self.ads];
        let mut seen = Vec::new();
        lists.into_iter().flatten().filter(move |provider| {
            let is_new = !seen.contains(&provider.id);
            seen.push(provider.id);
            is_new
        })
    }

    /// Whether it can only be rented or bought.
    pub fn costs_extra_everywhere(&self) -> bool {
        self.playable().next().is_none() && !(self.rent.is_empty() && self.buy.is_empty())
    }
}

/// A service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provider {
    /// Its number; the same as JustWatch's `packageId`.
    #[serde(rename = "provider_id")]
    pub id: u32,
    /// Its name for people. It changes over time: compare numbers.
    #[serde(default, rename = "provider_name")]
    pub name: String,
}

/// Countries that are none are passed over, as is a country whose value is no object.
fn known_countries<'de, D: Deserializer<'de>>(input: D) -> Result<BTreeMap<Country, CountryProviders>, D::Error> {
    let Value::Object(countries) = Value::deserialize(input)? else { return Ok(BTreeMap::new()) };
    let known = countries
        .into_iter()
        .filter_map(|(country, providers)| Some((country.parse().ok()?, serde_json::from_value(providers).ok()?)));
    Ok(known.collect())
}

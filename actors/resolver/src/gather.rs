//! From a catalogue's offers to the services that play a title, and the choice among them.

use jiff::civil::{Date, DateTime};
use playhouse_catalog::tmdb::CountryProviders;

use crate::justwatch::{Condition, Offer};
use crate::links::links_of_offer;
use crate::offer::{Level, Service, TitleOffer};
use crate::provider::{CatalogueService, Provider};
use crate::text::plain;

/// No country has as many for one title; an answer has to fit into one record and one message.
const MAX_SERVICES: usize = 40;
const MAX_NAME_CHARS: usize = 60;

/// The services that have a title at one level.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    /// Those that play it without a further payment, in the catalogue's order, each once.
    pub(crate) playable: Vec<TitleOffer>,
    /// Whether it can be rented or bought.
    pub(crate) has_paid: bool,
}

/// What is left of all levels for one question.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Chosen {
    /// What may be opened, best first.
    pub(crate) offers: Vec<TitleOffer>,
    /// Other services that have it: channels that need a subscription of their own, services other than the one asked for, and those that
    /// no known app opens.
    pub(crate) alternatives: Vec<TitleOffer>,
}

/// Reads JustWatch's offers of one level, leaving out those whose last day is before `today`.
pub(crate) fn gather(offers: &[Offer], level: Level, today: Date) -> Gathered {
    let mut gathered = Gathered::default();
    for offer in offers {
        let available_to = offer.available_to.as_deref().and_then(read_day);
        if available_to.is_some_and(|last_day| last_day < today) {
            continue;
        }
        match offer.condition() {
            Condition::Other => {}
            Condition::Paid => gathered.has_paid = true,
            Condition::Playable => {
                let Some(service) = service_of(offer) else { continue };
                let links =
                    links_of_offer(service.provider, offer.android_tv_url.as_deref(), offer.web_url.as_deref(), level);
                merge(&mut gathered.playable, TitleOffer { service, links, level, available_to });
            }
        }
    }
    gathered
}

/// Reads TMDB's list of services, which knows no links.
pub(crate) fn gather_from_tmdb(providers: &CountryProviders, level: Level) -> Gathered {
    let mut gathered =
        Gathered { has_paid: !(providers.rent.is_empty() && providers.buy.is_empty()), ..Gathered::default() };
    for provider in providers.playable() {
        // TMDB knows no technical names, and what a channel calls itself ends like this in every country.
        let channel = ["Amazon Channel", "Apple TV Channel", "Roku Premium Channel"]
            .into_iter()
            .any(|end| provider.name.trim().ends_with(end));
        let (known, is_channel) = match CatalogueService::of(Some(provider.id.into()), None) {
            CatalogueService::Own(known) => (Some(known), false),
            CatalogueService::Channel(_) | CatalogueService::Unknown => (None, channel),
        };
        let service = Service {
            provider: known,
            is_channel,
            technical_name: format!("tmdb:{}", provider.id),
            name: plain(&provider.name, MAX_NAME_CHARS),
        };
        merge(&mut gathered.playable, TitleOffer { service, links: Vec::new(), level, available_to: None });
    }
    gathered
}

/// Chooses among levels, the nearest first: the first level that has what was asked for.
pub(crate) fn choose(levels: Vec<Gathered>, asked: Option<Provider>) -> Chosen {
    let answers = |offer: &TitleOffer| match asked {
        Some(provider) => offer.service.is(provider),
        None => can_be_opened(offer) && !offer.service.is_channel,
    };
    let has_answer = |gathered: &Gathered| gathered.playable.iter().any(answers);
    let at =
        levels.iter().position(has_answer).or_else(|| levels.iter().position(|gathered| !gathered.playable.is_empty()));
    let Some(level) = at.and_then(|at| levels.into_iter().nth(at)) else { return Chosen::default() };
    let (offers, alternatives): (Vec<TitleOffer>, Vec<TitleOffer>) = level.playable.into_iter().partition(answers);
    if offers.is_empty() && asked.is_none() {
        // A channel is better than nothing: its app opens at the title, and says which subscription it wants.
        let (offers, alternatives) = alternatives.into_iter().partition(can_be_opened);
        return Chosen { offers, alternatives };
    }
    Chosen { offers, alternatives }
}

/// Whether an app is known that opens it.
fn can_be_opened(offer: &TitleOffer) -> bool {
    offer.service.provider.is_some() || offer.links.iter().any(|link| link.package.is_some())
}

fn service_of(offer: &Offer) -> Option<Service> {
    let package = &offer.package;
    let (provider, is_channel) = match CatalogueService::of(package.package_id, package.technical_name.as_deref()) {
        CatalogueService::Own(provider) => (Some(provider), false),
        CatalogueService::Channel(opens) => (opens, true),
        CatalogueService::Unknown => (None, false),
    };
    let technical_name = match (&package.technical_name, provider) {
        (Some(name), _) => plain(name, MAX_NAME_CHARS),
        (None, Some(provider)) => provider.as_str().to_owned(),
        // A service without any name can be neither chosen nor spoken of.
        (None, None) => return None,
    };
    let name = package.clear_name.as_deref().map_or_else(|| technical_name.clone(), |name| plain(name, MAX_NAME_CHARS));
    Some(Service { provider, is_channel, technical_name, name })
}

/// Each service once: Netflix with and without advertisements is one app and one link.
fn merge(offers: &mut Vec<TitleOffer>, offer: TitleOffer) {
    match offers.iter().position(|known| known.service.key() == offer.service.key()) {
        None if offers.len() >= MAX_SERVICES => {}
        None => offers.push(offer),
        Some(at) => {
            let known = &mut offers[at];
            if known.links.is_empty() {
                known.links = offer.links;
            }
            // As long as either is there; without a last day, for good.
            known.available_to = known.available_to.zip(offer.available_to).map(|(one, other)| one.max(other));
        }
    }
}

/// `2027-03-31`, or a moment of that day.
fn read_day(text: &str) -> Option<Date> {
    let day = text.get(..10).unwrap_or(text);
    day.parse().ok().or_else(|| text.parse::<DateTime>().ok().map(DateTime::date))
}

#[cfg(test)]
mod tests;

//! Under which terms a title is at a service, and what is odd about how that is told.

use super::Service;

/// A title at a service, in some countries.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Offer {
    pub(crate) service: Service,
    pub(crate) countries: &'static [&'static str],
    pub(crate) terms: Terms,
    pub(crate) quirk: Quirk,
}

/// What a viewer gives for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Terms {
    Subscription,
    Free,
    Advertisements,
    Rent,
    Buy,
    Cinema,
}

/// What is odd about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quirk {
    None,
    /// There tomorrow for the last time.
    GoneTomorrow,
    /// Was there yesterday for the last time, and is still listed.
    GoneYesterday,
    /// No Android TV link, and a web link to the service's front page.
    BareLink,
    /// No Android TV link, and a web link to a page of search results.
    SearchPage,
    /// No Android TV link, and a redirect to a host whose name only begins like the service's.
    LookalikeHost,
    /// No Android TV link; the web link is right.
    WebOnly,
    /// The Android TV link only opens the app; the web link is right.
    ContentlessIntent,
    /// Listed for the show and its seasons, not for their episodes.
    NotForEpisodes,
    /// Listed for the show alone.
    NotForSeasons,
    /// Terms and kinds of picture that no documentation has.
    NewWords,
    /// Null wherever there could be something.
    Nulls,
}

impl Terms {
    /// As JustWatch writes it.
    pub(crate) fn monetization_type(self) -> &'static str {
        match self {
            Self::Subscription => "FLATRATE",
            Self::Free => "FREE",
            Self::Advertisements => "ADS",
            Self::Rent => "RENT",
            Self::Buy => "BUY",
            Self::Cinema => "CINEMA",
        }
    }

    /// TMDB's list of providers it belongs in; none for the cinema.
    pub(crate) fn tmdb_list(self) -> Option<&'static str> {
        match self {
            Self::Subscription => Some("flatrate"),
            Self::Free => Some("free"),
            Self::Advertisements => Some("ads"),
            Self::Rent => Some("rent"),
            Self::Buy => Some("buy"),
            Self::Cinema => None,
        }
    }

    pub(crate) fn is_paid_each_time(self) -> bool {
        matches!(self, Self::Rent | Self::Buy)
    }
}

impl Offer {
    pub(crate) const fn subscription(service: Service, countries: &'static [&'static str]) -> Self {
        Self { service, countries, terms: Terms::Subscription, quirk: Quirk::None }
    }

    pub(crate) const fn free(service: Service, countries: &'static [&'static str]) -> Self {
        Self { terms: Terms::Free, ..Self::subscription(service, countries) }
    }

    pub(crate) const fn advertisements(service: Service, countries: &'static [&'static str]) -> Self {
        Self { terms: Terms::Advertisements, ..Self::subscription(service, countries) }
    }

    pub(crate) const fn rent(service: Service, countries: &'static [&'static str]) -> Self {
        Self { terms: Terms::Rent, ..Self::subscription(service, countries) }
    }

    pub(crate) const fn buy(service: Service, countries: &'static [&'static str]) -> Self {
        Self { terms: Terms::Buy, ..Self::subscription(service, countries) }
    }

    pub(crate) const fn cinema(service: Service, countries: &'static [&'static str]) -> Self {
        Self { terms: Terms::Cinema, ..Self::subscription(service, countries) }
    }

    pub(crate) const fn but(self, quirk: Quirk) -> Self {
        Self { quirk, ..self }
    }
}

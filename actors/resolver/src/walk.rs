//! The walk: from a question to its answer by way of TMDB and JustWatch, in at most four and three requests.

use std::time::Duration;

use jiff::civil::Date;
use playhouse_bus::Deadline;
use playhouse_catalog::Language;
use playhouse_catalog::tmdb::{Listed, Locale, REQUESTS_PER_RESOLVE, TitleDetails, TitleKind, TmdbClient, TmdbError};

use crate::gather::{Chosen, Gathered, choose, gather, gather_from_tmdb};
use crate::justwatch::{JustWatchClient, WantedTitle, find_offers};
use crate::links::stremio_link;
use crate::matching::{Ranked, rank};
use crate::offer::{Level, Service, TitleOffer};
use crate::provider::Provider;
use crate::question::Question;
use crate::resolution::{
    MAX_TITLE_CHARS, MatchedTitle, Missing, Nowhere, OtherTitle, Resolution, ResolveError, Source,
};
use crate::text::plain;

/// Whom to ask.
#[derive(Debug, Clone)]
pub(crate) struct Walker {
    pub(crate) tmdb: TmdbClient,
    /// `None` where the operator switched it off.
    pub(crate) justwatch: Option<JustWatchClient>,
}

/// The answer to a question, and for how long it may be given again.
#[derive(Debug)]
pub(crate) struct Walked {
    pub(crate) answer: Result<Resolution, ResolveError>,
    pub(crate) keep: Keep,
}

/// How long an answer may be given again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keep {
    /// As long as rights usually stay.
    Long,
    /// Something is missing that may come any day.
    Hours,
    /// Something failed that may work again soon.
    Briefly,
    /// It is no answer.
    No,
}

/// JustWatch may take no longer, so that there is time left to answer without it.
const JUSTWATCH_WITHIN: Duration = Duration::from_secs(12);
/// What is left of the caller's time for that.
const RESERVED: Duration = Duration::from_millis(300);

impl Walker {
    /// Answers a question. `today` decides which offers are over.
    pub(crate) async fn walk(&self, question: &Question, today: Date, deadline: Deadline) -> Walked {
        let title = match self.find(question, deadline).await {
            Ok(title) => title,
            Err(error) => {
                let keep = if matches!(error, ResolveError::NotFound(_)) { Keep::Hours } else { Keep::No };
                return Walked { answer: Err(error), keep };
            }
        };
        if question.provider == Some(Provider::Stremio) {
            return by_imdb_id(title, question);
        }
        self.offers(title, question, today, deadline).await
    }

    /// Which title is meant: one to three searches, the details, and a look for the episode where a request is left for it.
    async fn find(&self, question: &Question, deadline: Deadline) -> Result<FoundTitle, ResolveError> {
        let locale = Locale { language: Language::american_english(), country: question.country };
        let search = self.tmdb.search(&question.for_tmdb(), &locale, deadline).await.map_err(ResolveError::Tmdb)?;
        let ranked = rank(search.candidates, question).ok_or(ResolveError::NotFound(Missing::Title))?;
        let details =
            self.tmdb.details(ranked.best.id, &locale.language, deadline).await.map_err(|error| match error {
                TmdbError::NotFound => ResolveError::NotFound(Missing::Title),
                error => ResolveError::Tmdb(error),
            })?;
        // The last search of a walk goes without the year. What only that one found must fit by itself, be it by a season's year.
        let last_search_was_needed = search.n_requests >= 3;
        if let Some(year) = question.year.filter(|year| last_search_was_needed && !details.fits_year(*year)) {
            let others = std::iter::once(&ranked.best).chain(&ranked.runners_up).map(OtherTitle::from).collect();
            return Err(ResolveError::NotFound(Missing::Year { year, others }));
        }
        let title = FoundTitle::new(details, &ranked, question);
        self.check_part(&title, search.n_requests + 1, deadline).await?;
        Ok(title)
    }

    async fn check_part(&self, title: &FoundTitle, n_requests: u32, deadline: Deadline) -> Result<(), ResolveError> {
        let Some(season) = title.matched.season else { return Ok(()) };
        let (id, episode) = (title.details.id.id, title.matched.episode);
        let exists = match title.details.lists(season, episode) {
            Listed::Yes => true,
            Listed::No => false,
            Listed::Unclear if n_requests >= REQUESTS_PER_RESOLVE => true,
            Listed::Unclear => {
                let asked = match episode {
                    Some(episode) => self.tmdb.has_episode(id, season, episode, deadline).await,
                    None => self.tmdb.has_season(id, season, deadline).await,
                };
                // JustWatch may still know it.
                asked.unwrap_or(true)
            }
        };
        if exists {
            return Ok(());
        }
        let seasons = title.details.seasons.iter().map(|season| (season.number, season.n_episodes)).collect();
        Err(ResolveError::NotFound(Missing::Part { title: Box::new(title.matched.clone()), seasons }))
    }

    async fn offers(&self, title: FoundTitle, question: &Question, today: Date, deadline: Deadline) -> Walked {
        let Some(justwatch) = &self.justwatch else {
            return from_tmdb(title, question, Keep::Hours);
        };
        let within = deadline.remaining().saturating_sub(RESERVED).min(JUSTWATCH_WITHIN);
        let found = match find_offers(justwatch, &title.wanted(question), Deadline::after(within)).await {
            Ok(found) => found,
            Err(error) => {
                tracing::warn!(%error, "justwatch gave no answer; tmdb's list of services is used");
                return from_tmdb(title, question, Keep::Briefly);
            }
        };
        if let Some(error) = &found.broken_off {
            tracing::warn!(%error, "justwatch broke off before the episode");
        }
        let Some(levels) = found.levels else { return from_tmdb(title, question, Keep::Hours) };
        let levels: Vec<Gathered> = levels.iter().map(|(level, offers)| gather(offers, *level, today)).collect();
        if found.broken_off.is_some() && levels.iter().all(|level| level.playable.is_empty()) {
            return from_tmdb(title, question, Keep::Briefly);
        }
        let keep = match (&found.broken_off, found.complete) {
            (Some(_), _) => Keep::Briefly,
            (None, false) => Keep::Hours,
            (None, true) => Keep::Long,
        };
        answer(title, question, levels, Source::JustWatch, keep)
    }
}

/// A title of TMDB with all that is known of it.
struct FoundTitle {
    matched: MatchedTitle,
    details: TitleDetails,
    runners_up: Vec<OtherTitle>,
}

impl FoundTitle {
    fn new(details: TitleDetails, ranked: &Ranked, question: &Question) -> Self {
        let matched = MatchedTitle {
            tmdb_id: details.id.id.0,
            kind: details.id.kind,
            name: plain(details.title.as_ref().unwrap_or(&ranked.best.title), MAX_TITLE_CHARS),
            year: details.year().or_else(|| ranked.best.year()),
            season: question.season,
            episode: question.episode,
            imdb_id: details.external_ids.imdb.clone(),
        };
        Self { matched, details, runners_up: ranked.runners_up.iter().map(OtherTitle::from).collect() }
    }

    fn wanted(&self, question: &Question) -> WantedTitle<'_> {
        WantedTitle {
            kind: self.matched.kind,
            tmdb_id: self.matched.tmdb_id,
            imdb_id: self.matched.imdb_id.as_ref(),
            title: &self.matched.name,
            original_title: self.details.original_title.as_deref(),
            year: self.matched.year,
            season: question.season,
            episode: question.episode,
            country: question.country,
        }
    }

    /// How near a link to no particular part comes.
    fn own_level(&self) -> Level {
        match self.matched.kind {
            TitleKind::Movie => Level::Title,
            TitleKind::Series => Level::Show,
        }
    }
}

/// Stremio is in no catalogue and needs none.
fn by_imdb_id(title: FoundTitle, question: &Question) -> Walked {
    let Some(imdb_id) = &title.matched.imdb_id else {
        return answer(title, question, Vec::new(), Source::Stremio, Keep::Hours);
    };
    let is_series = title.matched.kind == TitleKind::Series;
    let (link, level) = stremio_link(imdb_id, is_series, question.season.zip(question.episode));
    let service = Service {
        provider: Some(Provider::Stremio),
        is_channel: false,
        technical_name: Provider::Stremio.as_str().to_owned(),
        name: Provider::Stremio.name().to_owned(),
    };
    let offer = TitleOffer { service, links: vec![link], level, available_to: None };
    let gathered = Gathered { playable: vec![offer], has_paid: false };
    answer(title, question, vec![gathered], Source::Stremio, Keep::Long)
}

/// TMDB can say which service has the title, though not by which link.
fn from_tmdb(title: FoundTitle, question: &Question, keep: Keep) -> Walked {
    let gathered = gather_from_tmdb(&title.details.providers.in_country(question.country), title.own_level());
    answer(title, question, vec![gathered], Source::Tmdb, keep)
}

fn answer(title: FoundTitle, question: &Question, levels: Vec<Gathered>, source: Source, keep: Keep) -> Walked {
    let only_paid = levels.iter().any(|level| level.has_paid) && levels.iter().all(|level| level.playable.is_empty());
    let Chosen { offers, alternatives } = choose(levels, question.provider);
    let FoundTitle { matched, runners_up, .. } = title;
    if offers.is_empty() {
        let nowhere = Nowhere {
            title: matched,
            country: question.country,
            asked: question.provider,
            alternatives,
            only_paid,
            without_links: source == Source::Tmdb,
            runners_up,
        };
        let keep = if keep == Keep::Long { Keep::Hours } else { keep };
        return Walked { answer: Err(ResolveError::NoProvider(Box::new(nowhere))), keep };
    }
    Walked { answer: Ok(Resolution { title: matched, source, offers, alternatives, runners_up }), keep }
}

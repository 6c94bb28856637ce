//! From a title of TMDB to JustWatch's offers for it, in at most three requests: search, seasons, episodes.

use playhouse_bus::Deadline;
use playhouse_catalog::tmdb::TitleKind;
use playhouse_catalog::{Country, ImdbId, comparable_title};

use super::client::{JustWatchClient, JustWatchError};
use super::wire::{Node, Offer};
use crate::offer::Level;

/// What one resolution may ask of JustWatch.
const MAX_REQUESTS: u32 = 3;

/// A title as TMDB knows it, and which part of it is wanted.
#[derive(Debug, Clone)]
pub(crate) struct WantedTitle<'a> {
    pub(crate) kind: TitleKind,
    pub(crate) tmdb_id: u64,
    pub(crate) imdb_id: Option<&'a ImdbId>,
    pub(crate) title: &'a str,
    pub(crate) original_title: Option<&'a str>,
    pub(crate) year: Option<i16>,
    pub(crate) season: Option<u32>,
    pub(crate) episode: Option<u32>,
    pub(crate) country: Country,
}

/// What JustWatch has for a title.
#[derive(Debug)]
pub(crate) struct Found {
    /// The offers of each level that was looked at, the nearest to the question first. `None`: JustWatch does not know the title.
    pub(crate) levels: Option<Vec<(Level, Vec<Offer>)>>,
    /// Why a nearer level could not be looked at.
    pub(crate) broken_off: Option<JustWatchError>,
    /// Whether all that the question needs was asked.
    pub(crate) complete: bool,
}

/// Looks a title up. A failure after the title was found is told beside what was found by then.
pub(crate) async fn find_offers(
    client: &JustWatchClient,
    wanted: &WantedTitle<'_>,
    deadline: Deadline,
) -> Result<Found, JustWatchError> {
    let mut n_requests = 0;
    let Some(title) = find_title(client, wanted, deadline, &mut n_requests).await? else {
        return Ok(Found { levels: None, broken_off: None, complete: true });
    };
    let own_level = match wanted.kind {
        TitleKind::Movie => Level::Title,
        TitleKind::Series => Level::Show,
    };
    let mut nearer = NearerLevels { levels: Vec::new(), broken_off: None, complete: true };
    if let Some((season, show)) = wanted.season.zip(title.id) {
        nearer = nearer_levels(client, wanted, season, &show, deadline, &mut n_requests).await;
    }
    let mut levels = nearer.levels;
    levels.push((own_level, title.offers));
    Ok(Found { levels: Some(levels), broken_off: nearer.broken_off, complete: nearer.complete })
}

/// Searches by title and then, as a second try, by original title.
async fn find_title(
    client: &JustWatchClient,
    wanted: &WantedTitle<'_>,
    deadline: Deadline,
    n_requests: &mut u32,
) -> Result<Option<Node>, JustWatchError> {
    let object_type = match wanted.kind {
        TitleKind::Movie => "MOVIE",
        TitleKind::Series => "SHOW",
    };
    for name in std::iter::once(wanted.title).chain(wanted.original_title) {
        *n_requests += 1;
        let titles = client.search(name, object_type, wanted.country, deadline).await?;
        if let Some(title) = pick(titles, wanted, object_type) {
            return Ok(Some(title));
        }
    }
    Ok(None)
}

/// The title with the same id at TMDB or IMDb; else one that has no ids, the same name and the same year or one off.
fn pick(mut titles: Vec<Node>, wanted: &WantedTitle<'_>, object_type: &str) -> Option<Node> {
    titles.retain(|title| title.object_type.as_deref().is_none_or(|kind| kind == object_type));
    let tmdb_id = wanted.tmdb_id.to_string();
    let has_id = |title: &Node| {
        let ids = &title.content.external_ids;
        ids.tmdb_id.as_deref() == Some(&*tmdb_id)
            || (ids.imdb_id.is_some() && ids.imdb_id.as_deref() == wanted.imdb_id.map(ImdbId::as_str))
    };
    if let Some(at) = titles.iter().position(has_id) {
        return Some(titles.swap_remove(at));
    }
    let names: Vec<String> = std::iter::once(wanted.title).chain(wanted.original_title).map(comparable_title).collect();
    let looks_like_it = |title: &Node| {
        let content = &title.content;
        let is_unidentified = content.external_ids.tmdb_id.is_none() && content.external_ids.imdb_id.is_none();
        let has_name = content.title.as_deref().is_some_and(|title| names.contains(&comparable_title(title)));
        let years = content.original_release_year.zip(wanted.year);
        is_unidentified && has_name && years.is_some_and(|(one, other)| (one - other).abs() <= 1)
    };
    titles.into_iter().find(looks_like_it)
}

struct NearerLevels {
    levels: Vec<(Level, Vec<Offer>)>,
    broken_off: Option<JustWatchError>,
    complete: bool,
}

async fn nearer_levels(
    client: &JustWatchClient,
    wanted: &WantedTitle<'_>,
    season: u32,
    show: &str,
    deadline: Deadline,
    n_requests: &mut u32,
) -> NearerLevels {
    let mut nearer = NearerLevels { levels: Vec::new(), broken_off: None, complete: true };
    *n_requests += 1;
    let seasons = match client.seasons(show, wanted.country, deadline).await {
        Ok(seasons) => seasons,
        Err(error) => return NearerLevels { broken_off: Some(error), complete: false, ..nearer },
    };
    let Some(season) = seasons.into_iter().find(|node| node.content.season_number == Some(season)) else {
        return nearer;
    };
    nearer.levels.push((Level::Season, season.offers));
    let Some((episode, season)) = wanted.episode.zip(season.id) else { return nearer };
    if *n_requests >= MAX_REQUESTS {
        return NearerLevels { complete: false, ..nearer };
    }
    *n_requests += 1;
    match client.episodes(&season, wanted.country, deadline).await {
        Ok(episodes) => {
            let episode = episodes.into_iter().find(|node| node.content.episode_number == Some(episode));
            nearer.levels.splice(0..0, episode.map(|episode| (Level::Title, episode.offers)));
            nearer
        }
        Err(error) => NearerLevels { broken_off: Some(error), complete: false, ..nearer },
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn wanted() -> WantedTitle<'static> {
        WantedTitle {
            kind: TitleKind::Movie,
            tmdb_id: 603,
            imdb_id: None,
            title: "The Matrix",
            original_title: None,
            year: Some(1999),
            season: None,
            episode: None,
            country: "US".parse().unwrap(),
        }
    }

    fn title(id: &str, name: &str, year: i16, ids: &serde_json::Value) -> Node {
        serde_json::from_value(json!({
            "id": id, "objectType": "MOVIE",
            "content": { "title": name, "originalReleaseYear": year, "externalIds": ids }
        }))
        .unwrap()
    }

    fn picked(titles: Vec<Node>, wanted: &WantedTitle<'_>) -> Option<String> {
        pick(titles, wanted, "MOVIE").and_then(|title| title.id)
    }

    #[test]
    fn a_title_is_matched_by_its_id_whatever_it_is_called() {
        let imdb = "tt0133093".parse().unwrap();
        let titles = || {
            vec![
                title("tm1", "The Matrix", 1999, &json!({ "tmdbId": "1", "imdbId": "tt0000001" })),
                title("tm2", "Matrix", 2001, &json!({ "tmdbId": "603", "imdbId": null })),
                title("tm3", "La matrice", 1980, &json!({ "tmdbId": null, "imdbId": "tt0133093" })),
            ]
        };
        assert_eq!(picked(titles(), &wanted()).as_deref(), Some("tm2"));
        let without_tmdb_id = WantedTitle { tmdb_id: 999, imdb_id: Some(&imdb), ..wanted() };
        assert_eq!(picked(titles(), &without_tmdb_id).as_deref(), Some("tm3"));
    }

    #[test]
    fn without_ids_name_and_year_give_or_take_one_decide() {
        let none = json!({ "tmdbId": null, "imdbId": null });
        for (year, expected) in [(1998, true), (1999, true), (2000, true), (2001, false), (1997, false)] {
            assert_eq!(picked(vec![title("tm1", "the matrix!", year, &none)], &wanted()).is_some(), expected, "{year}");
        }
        assert_eq!(picked(vec![title("tm1", "The Matrix Reloaded", 1999, &none)], &wanted()), None);
    }

    #[test]
    fn a_title_with_another_id_is_another_title() {
        let other = json!({ "tmdbId": "604", "imdbId": null });
        assert_eq!(picked(vec![title("tm1", "The Matrix", 1999, &other)], &wanted()), None);
    }

    #[test]
    fn another_kind_with_the_same_id_is_another_title() {
        let mut show = title("ts1", "The Matrix", 1999, &json!({ "tmdbId": "603" }));
        show.object_type = Some("SHOW".to_owned());
        assert_eq!(picked(vec![show], &wanted()), None);
    }
}

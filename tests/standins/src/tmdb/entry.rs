//! A movie or series as TMDB tells about it.

use serde_json::{Map, Value, json};

use crate::titles::{Kind, Quirk, Season, Title};

/// A movie or series.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) kind: Kind,
    pub(super) id: u64,
    pub(super) facts: Facts,
}

/// Where what is known about it comes from.
#[derive(Debug, Clone)]
pub(super) enum Facts {
    Ours(&'static Title),
    Recorded(Recorded),
}

/// What recordings hold about a title.
#[derive(Debug, Clone, Default)]
pub(super) struct Recorded {
    /// As a search gives it.
    pub(super) result: Value,
    /// In detail, if that was recorded.
    pub(super) details: Option<Value>,
    pub(super) external_ids: Option<Value>,
    /// By country.
    pub(super) providers: Option<Value>,
    /// By season: number and the season in detail.
    pub(super) seasons: Vec<(u64, Value)>,
}

impl Entry {
    pub(super) fn of_title(title: &'static Title) -> Self {
        Self { kind: title.kind, id: title.tmdb, facts: Facts::Ours(title) }
    }

    /// Every name a search finds it by.
    pub(super) fn names(&self) -> Vec<String> {
        match &self.facts {
            Facts::Ours(title) => title.names().map(str::to_owned).collect(),
            Facts::Recorded(recorded) => {
                let names = ["title", "name", "original_title", "original_name"];
                names.iter().filter_map(|name| Some(recorded.result[name].as_str()?.to_owned())).collect()
            }
        }
    }

    pub(super) fn popularity(&self) -> f64 {
        match &self.facts {
            Facts::Ours(title) => title.popularity,
            Facts::Recorded(recorded) => recorded.result["popularity"].as_f64().unwrap_or(0.0),
        }
    }

    /// The year of its first release or first episode.
    pub(super) fn year(&self) -> Option<u16> {
        match &self.facts {
            Facts::Ours(title) => title.year(),
            Facts::Recorded(recorded) => {
                let date =
                    ["release_date", "first_air_date"].iter().find_map(|field| recorded.result[field].as_str())?;
                date.get(..4)?.parse().ok()
            }
        }
    }

    /// The years of all its releases, or of all its episodes.
    pub(super) fn years(&self) -> Vec<u16> {
        let more: Vec<u16> = match &self.facts {
            Facts::Ours(title) => {
                title.shown_again.iter().copied().chain(title.seasons.iter().map(|season| season.year)).collect()
            }
            Facts::Recorded(recorded) => {
                let dates = recorded.seasons.iter().filter_map(|(_, season)| season["air_date"].as_str());
                dates.filter_map(|date| date.get(..4)?.parse().ok()).collect()
            }
        };
        self.year().into_iter().chain(more).collect()
    }

    pub(super) fn has_imdb_id(&self, id: &str) -> bool {
        self.external_ids()["imdb_id"] == id
    }

    /// As a search gives it; with `media_type` where kinds are mixed.
    pub(super) fn result(&self, language: &str, mixed: bool) -> Value {
        let mut result = match &self.facts {
            Facts::Recorded(recorded) => recorded.result.clone(),
            Facts::Ours(title) => {
                let mut result = json!({
                    "adult": false, "backdrop_path": null, "poster_path": null, "genre_ids": [], "id": title.tmdb,
                    "original_language": title.original_language(), "overview": "", "popularity": title.popularity,
                    "vote_average": 7.5, "vote_count": title.n_votes,
                });
                name(&mut result, title, language);
                result
            }
        };
        if mixed {
            result["media_type"] = json!(if self.kind == Kind::Movie { "movie" } else { "tv" });
        }
        result
    }

    pub(super) fn details(&self, language: &str) -> Value {
        match &self.facts {
            Facts::Recorded(recorded) => recorded.details.clone().unwrap_or_else(|| {
                let mut details = recorded.result.clone();
                let seasons = recorded.seasons.iter().map(|(number, season)| {
                    let n_episodes = season["episodes"].as_array().map_or(0, Vec::len);
                    json!({ "season_number": number, "episode_count": n_episodes, "air_date": season["air_date"] })
                });
                details["seasons"] = seasons.collect();
                details
            }),
            Facts::Ours(title) => {
                let mut details = self.result(language, false);
                match title.kind {
                    Kind::Movie => details["imdb_id"] = imdb(title),
                    Kind::Series => {
                        details["seasons"] = title.seasons.iter().map(|season| summary(title, *season)).collect();
                        details["number_of_seasons"] = json!(title.seasons.iter().filter(|s| s.number > 0).count());
                    }
                }
                details["status"] = json!("Released");
                details
            }
        }
    }

    pub(super) fn external_ids(&self) -> Value {
        match &self.facts {
            Facts::Ours(title) => json!({
                "imdb_id": imdb(title), "wikidata_id": null, "facebook_id": null, "instagram_id": null, "twitter_id": null,
            }),
            Facts::Recorded(recorded) => recorded.external_ids.clone().unwrap_or_else(|| {
                let imdb = recorded.details.as_ref().map(|details| details["imdb_id"].clone());
                json!({ "imdb_id": imdb.unwrap_or_default() })
            }),
        }
    }

    /// By country, as JustWatch has it but without links: packages under their numbers, resellers among them.
    pub(super) fn providers(&self) -> Value {
        let title = match &self.facts {
            Facts::Ours(title) => title,
            Facts::Recorded(recorded) => return recorded.providers.clone().unwrap_or_else(|| json!({})),
        };
        let mut countries = Map::new();
        // Nothing can be listed where its service is not told.
        for offer in title.offers.iter().filter(|offer| offer.quirk != Quirk::Nulls) {
            let Some(list) = offer.terms.tmdb_list() else { continue };
            for country in offer.countries {
                let (id, _, _, clear_name) = offer.service.names(country);
                let page =
                    format!("https://www.themoviedb.org/{}/{}/watch?locale={country}", segment(title.kind), title.tmdb);
                let lists = countries.entry((*country).to_owned()).or_insert_with(|| json!({ "link": page }));
                let provider =
                    json!({ "provider_id": id, "provider_name": clear_name, "logo_path": null, "display_priority": 1 });
                if let Value::Array(list) = &mut lists[list] {
                    list.push(provider);
                } else {
                    lists[list] = json!([provider]);
                }
            }
        }
        Value::Object(countries)
    }

    /// A season in detail; `None` when there is none.
    pub(super) fn season(&self, number: u32) -> Option<Value> {
        match &self.facts {
            Facts::Recorded(recorded) => {
                let mut seasons = recorded.seasons.iter();
                seasons.find(|(known, _)| *known == u64::from(number)).map(|(_, season)| season.clone())
            }
            Facts::Ours(title) => {
                let season = title.seasons.iter().find(|season| season.number == number)?;
                let episodes: Vec<Value> = (1..=season.n_episodes).map(|n| episode(title, *season, n)).collect();
                let mut details = summary(title, *season);
                details["episodes"] = json!(episodes);
                Some(details)
            }
        }
    }

    /// An episode in detail; `None` when there is none.
    pub(super) fn episode(&self, season: u32, number: u32) -> Option<Value> {
        let season = self.season(season)?;
        season["episodes"].as_array()?.iter().find(|episode| episode["episode_number"] == number).cloned()
    }
}

fn segment(kind: Kind) -> &'static str {
    match kind {
        Kind::Movie => "movie",
        Kind::Series => "tv",
    }
}

fn imdb(title: &Title) -> Value {
    if title.imdb.is_empty() { Value::Null } else { json!(title.imdb) }
}

/// Names and date: movies have `title` and `release_date`, series `name` and `first_air_date`.
fn name(result: &mut Value, title: &Title, language: &str) {
    let name = title.name_in(language.get(..2).unwrap_or("en"));
    let original = title.original_name();
    match title.kind {
        Kind::Movie => {
            result["title"] = json!(name);
            result["original_title"] = json!(original);
            result["release_date"] = json!(title.shown);
            result["video"] = json!(false);
        }
        Kind::Series => {
            result["name"] = json!(name);
            result["original_name"] = json!(original);
            result["first_air_date"] = json!(title.shown);
            result["origin_country"] = json!(["US"]);
        }
    }
}

/// A season as the details of its series list it. The day is made up, the year is not.
fn summary(title: &Title, season: Season) -> Value {
    let number = season.number;
    let name = if number == 0 { "Specials".to_owned() } else { format!("Season {number}") };
    json!({
        "air_date": air_date(season), "episode_count": season.n_episodes, "id": title.tmdb * 100 + u64::from(number),
        "name": name, "overview": "", "poster_path": null, "season_number": number, "vote_average": 0.0,
    })
}

fn episode(title: &Title, season: Season, number: u32) -> Value {
    json!({
        "air_date": air_date(season), "episode_number": number, "name": format!("Episode {number}"), "overview": "",
        "id": (title.tmdb * 100 + u64::from(season.number)) * 100 + u64::from(number),
        "season_number": season.number, "show_id": title.tmdb, "still_path": null, "vote_average": 0.0, "vote_count": 0,
    })
}

fn air_date(season: Season) -> Option<String> {
    (season.year > 0).then(|| format!("{}-06-15", season.year))
}

//! TMDB, version 3 of its API, as far as titles are resolved with it.

mod check;
mod entry;
mod recorded;
mod search;

use serde_json::{Value, json};

use crate::{
    loopback::{Incoming, Reply, RequestViolation, Service, Standin},
    settings::StandinSettings,
    titles::{self, Kind},
};
use entry::Entry;

/// TMDB on loopback. [`Standin::url`] stands for `https://api.themoviedb.org/3`.
///
/// It takes any credential of the right shape in the right place: 32 hexadecimal digits as `api_key`, or a token that starts with `eyJ` as
/// bearer.
pub type TmdbStandin = Standin<Tmdb>;

/// What [`TmdbStandin`] knows.
pub struct Tmdb {
    entries: Vec<Entry>,
}

impl TmdbStandin {
    /// Starts it.
    ///
    /// # Panics
    /// Outside a tokio runtime, and where loopback cannot be listened on.
    #[must_use]
    pub fn start(settings: &StandinSettings) -> Self {
        Standin::serve(Tmdb::furnished(settings), BASE_PATH)
    }
}

const BASE_PATH: &str = "/3";

impl Tmdb {
    fn furnished(settings: &StandinSettings) -> Self {
        let mut entries: Vec<Entry> = titles::all().map(Entry::of_title).collect();
        for recorded in settings.recordings.iter().flat_map(recorded::entries) {
            if entries.iter().all(|known| (known.kind, known.id) != (recorded.kind, recorded.id)) {
                entries.push(recorded);
            }
        }
        Self { entries }
    }

    fn entry(&self, kind: &str, id: &str) -> Option<&Entry> {
        let kind = if kind == "movie" { Kind::Movie } else { Kind::Series };
        let id: u64 = id.parse().ok()?;
        self.entries.iter().find(|entry| entry.kind == kind && entry.id == id)
    }

    /// The answer to a call that exists; `None` when what it is about does not.
    fn route(&self, call: &[&str], request: &Incoming) -> Option<Value> {
        let language = request.parameter("language").unwrap_or("en-US");
        match *call {
            ["search", what] => Some(search::page(&self.entries, what, request, language)),
            ["find", id] => Some(self.found(id, request.parameter("external_source")?, language)),
            [kind @ ("movie" | "tv"), id] => {
                let entry = self.entry(kind, id)?;
                let mut details = entry.details(language);
                for part in request.parameter("append_to_response").unwrap_or("").split(',') {
                    match part {
                        "external_ids" => details[part] = entry.external_ids(),
                        "watch/providers" => details[part] = json!({ "results": entry.providers() }),
                        _ => {}
                    }
                }
                Some(details)
            }
            [kind @ ("movie" | "tv"), id, "external_ids"] => {
                let entry = self.entry(kind, id)?;
                let mut ids = entry.external_ids();
                ids["id"] = json!(entry.id);
                Some(ids)
            }
            [kind @ ("movie" | "tv"), id, "watch", "providers"] => {
                let entry = self.entry(kind, id)?;
                Some(json!({ "id": entry.id, "results": entry.providers() }))
            }
            ["tv", id, "season", season] => self.entry("tv", id)?.season(season.parse().ok()?),
            ["tv", id, "season", season, "episode", episode] => {
                self.entry("tv", id)?.episode(season.parse().ok()?, episode.parse().ok()?)
            }
            _ => None,
        }
    }

    fn found(&self, id: &str, source: &str, language: &str) -> Value {
        let of = |kind: Kind| -> Vec<Value> {
            let found =
                self.entries.iter().filter(|entry| source == "imdb_id" && entry.kind == kind && entry.has_imdb_id(id));
            found.map(|entry| entry.result(language, true)).collect()
        };
        json!({
            "movie_results": of(Kind::Movie), "tv_results": of(Kind::Series),
            "tv_season_results": [], "tv_episode_results": [], "person_results": [],
        })
    }
}

impl Service for Tmdb {
    fn answer(&self, request: &Incoming) -> Reply {
        let path = request.path.strip_prefix(BASE_PATH).unwrap_or("");
        let call: Vec<&str> = path.split('/').skip(1).collect();
        let mut violations = Vec::new();
        let Some(parameters) = check::parameters_of(&call).filter(|_| request.method == "GET") else {
            let (method, path) = (request.method.clone(), request.path.clone());
            return Reply::new(404, self.refusal(404)).with(vec![RequestViolation::Unknown { method, path }]);
        };
        if let Some(reason) = check::credential_fault(request) {
            violations.push(RequestViolation::Credential { reason });
            return Reply::new(401, self.refusal(401)).with(violations);
        }
        violations.extend(check::parameter_faults(request, &parameters));
        if call[0] == "search" && request.parameter("query").unwrap_or("").trim().is_empty() {
            return Reply::new(422, json!({ "errors": ["query must be provided"] })).with(violations);
        }
        match self.route(&call, request) {
            Some(body) => Reply::ok(body).with(violations),
            None => Reply::new(404, self.refusal(404)).with(violations),
        }
    }

    fn refusal(&self, status: u16) -> Value {
        let (code, message) = match status {
            401 => (7, "Invalid API key: You must be granted a valid key."),
            403 => (10, "Suspended API key: Access to your account has been suspended, contact TMDB."),
            404 => (34, "The resource you requested could not be found."),
            429 => (25, "Your request count (#) is over the allowed limit of (40)."),
            502 | 504 => (43, "Couldn't connect to the backend server."),
            503 => (46, "The API is undergoing maintenance. Try again later."),
            _ => (11, "Internal error: Something went wrong, contact TMDB."),
        };
        json!({ "status_code": code, "status_message": message, "success": false })
    }

    fn error_in_200(&self) -> Value {
        self.refusal(500)
    }
}

#[cfg(test)]
mod tests;

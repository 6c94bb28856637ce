//! `trigger_search`

use playhouse_house::Scope;
use playhouse_tools::{Answer, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::one_library::change_one;
use crate::answer::{Envelope, Library, Unfinished};
use crate::search::{NothingToSearch, SearchTarget, TargetArguments, TriggerSearch, Triggered};
use crate::service::MediaType;

/// `trigger_search`
pub(super) struct TriggerSearchTool;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Which library, by its id from list_arr_instances. Left out: the default of the service.
    instance_id: Option<String>,
    /// What is searched for.
    media_type: MediaType,
    /// Movie, tv: the title, by its id at TMDB.
    #[schemars(range(min = 1))]
    tmdb_id: Option<i64>,
    /// tv: only this season; 0 holds the specials. Left out: the whole series.
    #[schemars(range(min = 0))]
    season_number: Option<i64>,
    /// tv, with season_number: only this episode.
    #[schemars(range(min = 1))]
    episode_number: Option<i64>,
    /// tv, with season_number and without episode_number: only the episodes that have aired by now and have no file.
    #[serde(default)]
    aired_only: bool,
    /// Book: everything of this author, by the id from get_library.
    #[schemars(range(min = 1))]
    author_id: Option<i64>,
    /// Book: only this book, by the id from get_library.
    #[schemars(range(min = 1))]
    book_id: Option<i64>,
    /// Music: everything of this artist, by the id from get_library.
    #[schemars(range(min = 1))]
    artist_id: Option<i64>,
    /// Music: only this album, by the id from get_library.
    #[schemars(range(min = 1))]
    album_id: Option<i64>,
}

#[derive(Default, Serialize, JsonSchema)]
pub(super) struct Output {
    #[serde(flatten)]
    envelope: Envelope,
    /// The command that the library was given; left out where there was nothing to search for.
    #[serde(skip_serializing_if = "Option::is_none")]
    command: Option<String>,
    /// What is searched for.
    #[serde(skip_serializing_if = "Option::is_none")]
    target: Option<String>,
    /// How many items the command names.
    targets: usize,
    /// Episodes that were left out because they have not aired or have no air date.
    skipped_unaired: usize,
    /// Why there was nothing to search for.
    #[serde(skip_serializing_if = "Option::is_none")]
    nothing_to_search: Option<NothingToSearch>,
}

impl From<Envelope> for Output {
    fn from(envelope: Envelope) -> Self {
        Self { envelope, ..Self::default() }
    }
}

impl Tool for TriggerSearchTool {
    type Arguments = Arguments;
    type Output = Output;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "trigger_search",
            title: "Have a library search",
            description: "Has a library search its indexers by itself and download what it likes best: one movie, a series, season or episode, an author \
                          or book, an artist or album. The answer says that the search was accepted, not that something was found: get_queue and \
                          get_history show that later. To choose a release yourself use search_releases.",
            scope: Scope::MediaAdmin,
            effect: Effect::Acts,
            admin_only: true,
            ..Descriptor::DEFAULT
        }
    }

    async fn call(&self, call: ToolCall, arguments: Arguments) -> Result<Answer<Output>, Failure> {
        let given = TargetArguments {
            tmdb_id: arguments.tmdb_id,
            season_number: arguments.season_number,
            episode_number: arguments.episode_number,
            aired_only: arguments.aired_only,
            author_id: arguments.author_id,
            book_id: arguments.book_id,
            artist_id: arguments.artist_id,
            album_id: arguments.album_id,
        };
        let Arguments { instance_id, media_type, .. } = arguments;
        let target = match SearchTarget::of(media_type, given) {
            Ok(target) => target,
            Err(fault) => return Ok(Unfinished::not_started(fault.code(), fault.to_string()).into_answer(Vec::new())),
        };
        let message = TriggerSearch { target };
        match change_one(&call, media_type.service(), instance_id.as_deref(), message).await? {
            Err(answer) => Ok(answer),
            Ok((chosen, triggered)) => {
                let prose = prose(&chosen.instance.title(), &triggered);
                let output = Output {
                    envelope: Envelope::done(vec![Library::read(&chosen.instance)]),
                    command: triggered.command,
                    target: Some(triggered.target),
                    targets: triggered.n_targets,
                    skipped_unaired: triggered.skipped_unaired,
                    nothing_to_search: triggered.nothing,
                };
                Ok(Answer::new(output, prose))
            }
        }
    }
}

fn prose(library: &str, triggered: &Triggered) -> String {
    let target = &triggered.target;
    let unaired = match triggered.skipped_unaired {
        0 => String::new(),
        1 => " 1 episode that has not aired or has no air date was left out.".to_owned(),
        n => format!(" {n} episodes that have not aired or have no air date were left out."),
    };
    match (triggered.nothing, &triggered.command) {
        (Some(NothingToSearch::NothingAired), _) => {
            format!("{library}: nothing was searched, because nothing of {target} has aired yet.{unaired}")
        }
        (Some(NothingToSearch::AllHaveFiles), _) => format!(
            "{library}: nothing was searched, because every aired episode of {target} has a file. To have one replaced, its file must be deleted \
             first.{unaired}"
        ),
        (None, command) => {
            let command = command.as_deref().unwrap_or("search");
            let items = match triggered.n_targets {
                1 => String::new(),
                n => format!(", {n} episodes"),
            };
            format!(
                "{library} accepted the search for {target} ({command}{items}).{unaired} It goes on by itself; get_queue and get_history show what \
                 comes of it."
            )
        }
    }
}

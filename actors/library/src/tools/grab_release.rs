//! `grab_release`

use std::time::Duration;

use playhouse_house::Scope;
use playhouse_tools::{Answer, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::one_library::change_one;
use crate::answer::{Code, Envelope, Library, Unfinished};
use crate::client::ReleaseReference;
use crate::search::{GrabRelease, Grabbed, ReleaseScope, ScopeArguments};
use crate::service::MediaType;

/// `grab_release`
pub(super) struct GrabReleaseTool;

/// The search is made again, which takes a minute or two, and then the order is given.
const TIME_LIMIT: Duration = Duration::from_secs(180);

#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// The library in which the release was found, by its id from list_arr_instances. Left out: the default of the service.
    instance_id: Option<String>,
    /// The release's `reference` from search_releases, exactly as it stands there: `[REDACTED release sha256:` and 16 lower-case hexadecimal
    /// digits and `]`.
    guid: String,
    /// The release's `indexer_id` from search_releases.
    #[schemars(range(min = 1))]
    indexer_id: i64,
    /// As in the search: movie and tv take tmdb_id, book takes book_id, music album_id, and nothing else.
    media_type: MediaType,
    /// As in the search.
    #[schemars(range(min = 1))]
    tmdb_id: Option<i64>,
    /// As in the search.
    #[schemars(range(min = 0))]
    season_number: Option<i64>,
    /// As in the search.
    #[schemars(range(min = 1))]
    episode_number: Option<i64>,
    /// As in the search.
    #[schemars(range(min = 1))]
    book_id: Option<i64>,
    /// As in the search.
    #[schemars(range(min = 1))]
    album_id: Option<i64>,
}

#[derive(Default, Serialize, JsonSchema)]
pub(super) struct Output {
    #[serde(flatten)]
    envelope: Envelope,
    /// The release.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// Whose it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    indexer: Option<String>,
    /// `torrent` or `usenet`, mostly.
    #[serde(skip_serializing_if = "Option::is_none")]
    protocol: Option<String>,
    /// The library that downloads it.
    #[serde(skip_serializing_if = "Option::is_none")]
    library: Option<String>,
    /// The library's reasons against the release, which the order overrides.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    overridden_rejections: Vec<String>,
}

impl From<Envelope> for Output {
    fn from(envelope: Envelope) -> Self {
        Self { envelope, ..Self::default() }
    }
}

impl Tool for GrabReleaseTool {
    type Arguments = Arguments;
    type Output = Output;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "grab_release",
            title: "Download a release",
            description: "Has a library download one release that search_releases showed, also one that the library itself would reject. Pass the \
                          release's reference as `guid`, its indexer_id, and exactly the scope and library of that search; the search is made \
                          again and the order given only if exactly one release matches. Takes up to three minutes. After an unknown outcome read \
                          get_queue and get_history before trying again.",
            scope: Scope::MediaAdmin,
            effect: Effect::Acts,
            admin_only: true,
            time_limit: Some(TIME_LIMIT),
            ..Descriptor::DEFAULT
        }
    }

    async fn call(&self, call: ToolCall, arguments: Arguments) -> Result<Answer<Output>, Failure> {
        let not_started =
            |code, words: String| Ok(Unfinished::not_started(code, words).into_answer::<Output>(Vec::new()));
        let Some(reference) = ReleaseReference::parse(&arguments.guid) else {
            // What was passed is not repeated: it may be a real guid.
            return not_started(
                Code::ReferenceMalformed,
                "Nothing was downloaded: `guid` is not a release reference. Pass `reference` exactly as search_releases answered it: \
                 [REDACTED release sha256: with 16 lower-case hexadecimal digits and ]."
                    .to_owned(),
            );
        };
        let given = ScopeArguments {
            tmdb_id: arguments.tmdb_id,
            season_number: arguments.season_number,
            episode_number: arguments.episode_number,
            book_id: arguments.book_id,
            album_id: arguments.album_id,
        };
        let Arguments { instance_id, indexer_id, media_type, .. } = arguments;
        let scope = match ReleaseScope::of(media_type, given) {
            Ok(scope) => scope,
            Err(fault) => return not_started(fault.code(), format!("Nothing was downloaded: {fault}")),
        };
        let message = GrabRelease { scope, reference, indexer_id };
        match change_one(&call, media_type.service(), instance_id.as_deref(), message).await? {
            Err(answer) => Ok(answer),
            Ok((chosen, grabbed)) => {
                let library = chosen.instance.title();
                let prose = prose(&library, &grabbed);
                let output = Output {
                    envelope: Envelope::done(vec![Library::read(&chosen.instance)]),
                    title: Some(grabbed.title),
                    indexer: Some(grabbed.indexer),
                    protocol: Some(grabbed.protocol),
                    library: Some(library),
                    overridden_rejections: grabbed.overridden,
                };
                Ok(Answer::new(output, prose))
            }
        }
    }
}

fn prose(library: &str, grabbed: &Grabbed) -> String {
    let Grabbed { title, indexer, protocol, wanted, was_rejected, overridden } = grabbed;
    let rejections = match (*was_rejected, overridden.is_empty()) {
        (false, _) => String::new(),
        (true, true) => " The library would have rejected it; that was overridden.".to_owned(),
        (true, false) => format!(" These reasons against it were overridden: {}.", overridden.join("; ")),
    };
    format!(
        "{library} was told to download {title} ({protocol}, from {indexer}) for {wanted}.{rejections} get_queue shows the download once the client \
         has it."
    )
}

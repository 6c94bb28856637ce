//! `rescan_media`

use std::time::Duration;

use playhouse_house::Scope as KeyScope;
use playhouse_tools::{Answer, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::one_library::change_and_look;
use crate::answer::{Code, Envelope, Library, Unfinished};
use crate::repair::{RescanItem, RescanMedia};
use crate::service::MediaType;

/// How long a call may take: an older Sonarr finds a series only by reading its whole list.
const WITHIN: Duration = Duration::from_secs(150);

/// `rescan_media`
pub(super) struct RescanMediaTool;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Which library, by its id from list_arr_instances. Left out: the service's default.
    instance_id: Option<String>,
    /// What it is.
    media_type: MediaType,
    /// The movie or series, by its TMDB id. Needed for movie and tv.
    #[schemars(range(min = 1))]
    tmdb_id: Option<i64>,
    /// The author, by the service's own id. Needed for book.
    #[schemars(range(min = 1))]
    author_id: Option<i64>,
    /// The artist, by the service's own id. Needed for music.
    #[schemars(range(min = 1))]
    artist_id: Option<i64>,
}

#[derive(Default, Serialize, JsonSchema)]
pub(super) struct Output {
    #[serde(flatten)]
    envelope: Envelope,
    /// What is looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// The orders that the service has taken.
    commands: Vec<String>,
}

impl From<Envelope> for Output {
    fn from(envelope: Envelope) -> Self {
        Self { envelope, ..Self::default() }
    }
}

impl Tool for RescanMediaTool {
    type Arguments = Arguments;
    type Output = Output;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "rescan_media",
            title: "Look again",
            description: "Has the service read the folder of one movie, series, artist or author again, then import what is finished. Use it after what \
                          held an import up was put right: space, rights, paths. While the folder is out of reach it can cost the item its file \
                          records, so make sure first that the disk is there.",
            scope: KeyScope::MediaAdmin,
            effect: Effect::Destroys,
            admin_only: true,
            time_limit: Some(WITHIN),
            ..Descriptor::DEFAULT
        }
    }

    async fn call(&self, call: ToolCall, arguments: Arguments) -> Result<Answer<Output>, Failure> {
        let item = match item(&arguments) {
            Ok(item) => item,
            Err(missing) => return Ok(missing.into_answer(Vec::new())),
        };
        let Arguments { instance_id, media_type, .. } = arguments;
        let look = format!(
            "get_queue {{\"media_type\":\"{media_type}\"}} shows what is still waiting, and get_history {{\"media_type\":\"{media_type}\"}} what was \
             imported."
        );
        let asked = change_and_look(&call, media_type.service(), instance_id.as_deref(), &look, RescanMedia { item });
        let (chosen, done) = match asked.await? {
            Ok(changed) => changed,
            Err(answer) => return Ok(answer),
        };
        let prose = format!(
            "{}: the rescan of {} and a pass over finished downloads were accepted. Both are queued in the service and not done yet. {look}",
            chosen.instance.title(),
            done.title
        );
        let output = Output {
            envelope: Envelope::done(vec![Library::read(&chosen.instance)]),
            title: Some(done.title),
            commands: vec!["rescan".to_owned(), "process_monitored_downloads".to_owned()],
        };
        Ok(Answer::new(output, prose))
    }
}

/// The item that the arguments name. Exactly the id that belongs to the media type is taken.
fn item(arguments: &Arguments) -> Result<RescanItem, Unfinished> {
    let Arguments { media_type, tmdb_id, author_id, artist_id, .. } = arguments;
    let (name, id, others) = match media_type {
        MediaType::Movie | MediaType::Tv => ("tmdb_id", *tmdb_id, [("author_id", author_id), ("artist_id", artist_id)]),
        MediaType::Book => ("author_id", *author_id, [("tmdb_id", tmdb_id), ("artist_id", artist_id)]),
        MediaType::Music => ("artist_id", *artist_id, [("tmdb_id", tmdb_id), ("author_id", author_id)]),
    };
    if let Some((other, _)) = others.into_iter().find(|(_, id)| id.is_some()) {
        let words =
            format!("Nothing was sent: `{other}` does not go with media_type {media_type}; pass `{name}` alone.");
        return Err(Unfinished::not_started(Code::ScopeExtraneous, words));
    }
    let id = id.ok_or_else(|| {
        let words = format!("Nothing was sent: media_type {media_type} needs `{name}`. get_library shows it.");
        Unfinished::not_started(Code::ScopeMissing, words)
    })?;
    Ok(match media_type {
        MediaType::Movie | MediaType::Tv => RescanItem::Title { tmdb_id: id },
        MediaType::Book | MediaType::Music => RescanItem::Creator { id },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arguments(media_type: MediaType, ids: [Option<i64>; 3]) -> Arguments {
        let [tmdb_id, author_id, artist_id] = ids;
        Arguments { instance_id: None, media_type, tmdb_id, author_id, artist_id }
    }

    #[test]
    fn each_media_type_takes_its_own_id_and_no_other() {
        let own = |media_type, ids| item(&arguments(media_type, ids)).map_err(|unfinished| unfinished.code());
        assert_eq!(own(MediaType::Movie, [Some(603), None, None]), Ok(RescanItem::Title { tmdb_id: 603 }));
        assert_eq!(own(MediaType::Book, [None, Some(3), None]), Ok(RescanItem::Creator { id: 3 }));
        assert_eq!(own(MediaType::Music, [None, None, Some(4)]), Ok(RescanItem::Creator { id: 4 }));
        assert_eq!(own(MediaType::Book, [None, None, None]), Err(Code::ScopeMissing), "105 book without author_id");
        assert_eq!(own(MediaType::Tv, [Some(1), None, Some(4)]), Err(Code::ScopeExtraneous));
    }
}

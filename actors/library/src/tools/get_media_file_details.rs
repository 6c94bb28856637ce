//! `get_media_file_details`

use playhouse_house::Scope;
use playhouse_tools::{Answer, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::one_library::{about_skipped, first_given, read_one};
use crate::answer::{Code, Envelope, Library};
use crate::reads::{FileRow, FileTarget, ReadFileDetails};
use crate::service::MediaType;

/// `get_media_file_details`
pub(super) struct GetMediaFileDetails;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Which library, by its id from list_arr_instances. Left out: the default of the service.
    instance_id: Option<String>,
    /// Whose files: movie, tv or music. Chaptarr does not analyse books.
    media_type: MediaType,
    /// Movie, tv: the title, by its id at TMDB.
    #[schemars(range(min = 1))]
    tmdb_id: Option<i64>,
    /// tv: the season; 0 holds the specials.
    #[schemars(range(min = 0))]
    season_number: Option<i64>,
    /// Music: the album, by the id from get_library.
    #[schemars(range(min = 1))]
    album_id: Option<i64>,
}

#[derive(Default, Serialize, JsonSchema)]
pub(super) struct Output {
    #[serde(flatten)]
    envelope: Envelope,
    /// What the files belong to.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// The files.
    files: Vec<FileRow>,
    /// How many more there are.
    n_more: usize,
}

impl From<Envelope> for Output {
    fn from(envelope: Envelope) -> Self {
        Self { envelope, ..Self::default() }
    }
}

impl Tool for GetMediaFileDetails {
    type Arguments = Arguments;
    type Output = Output;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "get_media_file_details",
            title: "What is inside the files",
            description: "Shows what the library's own analysis found in the files of one movie (tmdb_id), one season (tmdb_id and season_number) or \
                          one album (album_id): resolution, codecs, dynamic range, audio languages, embedded subtitles, running time; for music \
                          codec, bit depth, sample rate and bit rate; size, quality and import date. A file that was not analysed is UNKNOWN, \
                          which says nothing about what is in it.",
            scope: Scope::MediaAdmin,
            effect: Effect::Reads,
            admin_only: true,
            ..Descriptor::DEFAULT
        }
    }

    async fn call(&self, call: ToolCall, arguments: Arguments) -> Result<Answer<Output>, Failure> {
        let (target, what) = match target(&arguments) {
            Ok(target) => target,
            Err((code, words)) => return Ok(Answer::new(Envelope::refused(code, Vec::new()).into(), words)),
        };
        let Arguments { instance_id, media_type, .. } = arguments;
        let message = ReadFileDetails { target };
        match read_one(&call, media_type.service(), instance_id.as_deref(), message).await? {
            Err(answer) => Ok(answer),
            Ok((chosen, details)) => {
                let words = details.prose(what);
                let prose = format!("{}, {words}{}", chosen.instance.title(), about_skipped(details.n_skipped));
                let envelope = Envelope::answered(vec![Library::read(&chosen.instance)]);
                let output =
                    Output { envelope, title: Some(details.title), files: details.files, n_more: details.n_more };
                Ok(Answer::new(output, prose))
            }
        }
    }
}

/// Whose files, and what that is called in a sentence.
fn target(arguments: &Arguments) -> Result<(FileTarget, &'static str), (Code, String)> {
    let Arguments { media_type, tmdb_id, season_number, album_id, .. } = *arguments;
    let (tmdb, season, album) = (("tmdb_id", tmdb_id), ("season_number", season_number), ("album_id", album_id));
    let foreign = match media_type {
        MediaType::Movie => first_given(&[season, album]),
        MediaType::Tv => first_given(&[album]),
        MediaType::Music => first_given(&[tmdb, season]),
        MediaType::Book => {
            let words = "Chaptarr does not analyse the files of books, so nothing is known of what is inside them: this is blindness, not \
                         absence. get_book_timeline shows which files there are. Nothing was read.";
            return Err((Code::MediaTypeUnsupported, words.to_owned()));
        }
    };
    if let Some(name) = foreign {
        let words = format!("`{name}` does not belong to media_type {media_type}. Nothing was read.");
        return Err((Code::ScopeExtraneous, words));
    }
    let missing = |name: &str| {
        let words = format!("For media_type {media_type} pass `{name}`, which get_library shows. Nothing was read.");
        (Code::ScopeMissing, words)
    };
    match media_type {
        MediaType::Movie => {
            let tmdb_id = tmdb_id.ok_or_else(|| missing("tmdb_id"))?;
            Ok((FileTarget::Movie { tmdb_id }, "this movie"))
        }
        MediaType::Tv => {
            let tmdb_id = Some(tmdb_id.ok_or_else(|| missing("tmdb_id"))?);
            let season_number = season_number.ok_or_else(|| missing("season_number"))?;
            Ok((FileTarget::Season { tmdb_id, tvdb_id: None, season_number }, "this season"))
        }
        MediaType::Music | MediaType::Book => {
            let album_id = album_id.ok_or_else(|| missing("album_id"))?;
            Ok((FileTarget::Album { album_id }, "this album"))
        }
    }
}

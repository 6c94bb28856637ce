//! `get_episode_timeline`

use playhouse_house::Scope;
use playhouse_tools::{Answer, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::one_library::{about_skipped, read_one};
use crate::answer::{Code, Envelope, Library, VerificationKind};
use crate::reads::{ReadTimeline, SeasonCounts, SeasonLayout, Timeline, layout_prose};
use crate::service::{MediaType, Service};

/// `get_episode_timeline`
pub(super) struct GetEpisodeTimeline;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Arguments {
    /// Which library, by its id from list_arr_instances. Left out: the default Sonarr.
    instance_id: Option<String>,
    /// Has to be tv; other types are told which tool is theirs.
    media_type: MediaType,
    /// The series, by its id at TMDB.
    #[schemars(range(min = 1))]
    tmdb_id: Option<i64>,
    /// The season to lay out; 0 holds the specials. Left out: an overview of all seasons.
    #[schemars(range(min = 0))]
    season_number: Option<i64>,
}

#[derive(Default, Serialize, JsonSchema)]
pub(super) struct Output {
    #[serde(flatten)]
    envelope: Envelope,
    /// The series.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// Each season in numbers, where none was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    seasons: Vec<SeasonCounts>,
    /// The season that was asked for, or else the newest with a finding.
    #[serde(flatten)]
    layout: Option<SeasonLayout>,
    /// What to propose; only where the finding holds and the imports are dated.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<NextCall>,
}

/// What to propose.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct NextCall {
    /// The kind of action: delete_media_files.
    tool: String,
    /// Its arguments.
    args: DeleteFiles,
}

/// Files to delete.
#[derive(Serialize, JsonSchema)]
#[schemars(inline)]
struct DeleteFiles {
    /// Always tv.
    media_type: MediaType,
    /// The series.
    #[serde(skip_serializing_if = "Option::is_none")]
    tmdb_id: Option<i64>,
    /// The season.
    season: u32,
    /// The episodes whose files go.
    episodes: Vec<u32>,
    /// Whether their releases are blocklisted too: always, so that they do not come back.
    blocklist: bool,
}

impl From<Envelope> for Output {
    fn from(envelope: Envelope) -> Self {
        Self { envelope, ..Self::default() }
    }
}

impl Tool for GetEpisodeTimeline {
    type Arguments = Arguments;
    type Output = Output;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "get_episode_timeline",
            title: "Season against the clock",
            description: "Lays one season out episode by episode: when each airs, whether it has aired, and which file the library holds, and flags \
                          files that were imported before their episode aired: those cannot be what they are filed as. Without season_number: an \
                          overview of all seasons and the details of the newest flagged one. The receipts for a complaint about wrong content.",
            scope: Scope::MediaAdmin,
            effect: Effect::Reads,
            admin_only: true,
            ..Descriptor::DEFAULT
        }
    }

    async fn call(&self, call: ToolCall, arguments: Arguments) -> Result<Answer<Output>, Failure> {
        let Arguments { instance_id, media_type, tmdb_id, season_number } = arguments;
        let refuse = |code, words: &str| Ok(Answer::new(Envelope::refused(code, Vec::new()).into(), words));
        if media_type != MediaType::Tv {
            return refuse(Code::MediaTypeUnsupported, other_type(media_type));
        }
        if tmdb_id.is_none() {
            return refuse(
                Code::ScopeMissing,
                "Which series? Pass its `tmdb_id`, which get_library shows. Nothing was read.",
            );
        }
        let message = ReadTimeline { tmdb_id, tvdb_id: None, season_number };
        match read_one(&call, Service::Sonarr, instance_id.as_deref(), message).await? {
            Err(answer) => Ok(answer),
            Ok((chosen, timeline)) => {
                let envelope = envelope(Library::read(&chosen.instance), season_number, &timeline);
                let prose = prose(&chosen.instance.title(), season_number, &timeline);
                let next = next(&timeline);
                let Timeline { title, seasons, layout, .. } = timeline;
                Ok(Answer::new(Output { envelope, title: Some(title), seasons, layout, next }, prose))
            }
        }
    }
}

fn other_type(media_type: MediaType) -> &'static str {
    match media_type {
        MediaType::Book => {
            "Only series have episodes. For a book, get_book_timeline shows files and history. Nothing was read."
        }
        MediaType::Music => {
            "Only series have episodes. For an album, get_album_timeline shows files and history. Nothing was read."
        }
        MediaType::Movie | MediaType::Tv => {
            "Only series have episodes. For a movie, get_media_file_details shows its file and get_history what happened to it. Nothing was read."
        }
    }
}

/// A verdict is given on one season that was asked for and has episodes: an overview, and the specials, prove nothing clean, and neither does a
/// season of which records could not be read.
fn envelope(library: Library, season_number: Option<i64>, timeline: &Timeline) -> Envelope {
    let envelope = Envelope::answered(vec![library]);
    match (season_number, &timeline.layout) {
        (Some(season), Some(layout)) if season > 0 && layout.counts.total > 0 => {
            let still_there = layout.counts.pre_air_fill;
            match still_there || timeline.n_skipped == 0 {
                true => envelope.with_verification(VerificationKind::SeasonClean, still_there),
                false => envelope,
            }
        }
        _ => envelope,
    }
}

fn next(timeline: &Timeline) -> Option<NextCall> {
    let layout = timeline.layout.as_ref()?;
    let args = DeleteFiles {
        media_type: MediaType::Tv,
        tmdb_id: timeline.tmdb_id,
        season: layout.counts.season,
        episodes: layout.episodes_to_clear()?.to_vec(),
        blocklist: true,
    };
    Some(NextCall { tool: "delete_media_files".to_owned(), args })
}

fn prose(library: &str, season_number: Option<i64>, timeline: &Timeline) -> String {
    let mut prose = format!("{library}, {}:", timeline.title);
    for season in &timeline.seasons {
        let flag = if season.pre_air_fill { " ← files for episodes that have not aired" } else { "" };
        let SeasonCounts { season, total, aired, with_files, .. } = season;
        prose.push_str(&format!("\n- season {season}: {total} episodes, {aired} aired, {with_files} with files{flag}"));
    }
    match &timeline.layout {
        Some(layout) => prose.push_str(&format!("\n{}", layout_prose(layout))),
        None if season_number.is_none() && timeline.n_skipped > 0 => {
            prose.push_str("\nNo season is known to hold files for episodes that have not aired, but not all records could be read.");
        }
        None if season_number.is_none() => prose.push_str("\nNo season holds files for episodes that have not aired."),
        None => {}
    }
    if let Some(NextCall { tool, args }) = next(timeline) {
        // An object of plain values always encodes.
        let args = serde_json::to_string(&args).unwrap_or_default();
        prose.push_str(&format!(
            "\nNext: propose {tool} {args}. The service searches for the real episodes by itself once they air: propose no separate search."
        ));
    }
    prose + &about_skipped(timeline.n_skipped)
}

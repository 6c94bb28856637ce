//! The commands that there are, what each takes, and how long it is at work.

use std::time::Duration;

use serde_json::Value;

use super::super::{
    ask::property,
    calls::is_ids,
    kind::ArrKind::{self, Chaptarr, Lidarr, Radarr, Sonarr},
};
use Parameter::{Files, Flag, Id, Ids, Text, Texts};

/// What a parameter of a command is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Parameter {
    Id,
    /// At least one: an empty list is read as "all of them", or as none.
    Ids,
    Flag,
    Text,
    Texts,
    Files,
}

struct Command {
    name: &'static str,
    kinds: &'static [ArrKind],
    takes: &'static [(&'static str, Parameter)],
    /// Without one of these it is about the whole library, or about nothing.
    needs: &'static [&'static str],
    seconds: u64,
    /// Reads or writes files, which one command does at a time.
    is_on_disk: bool,
}

const ALL: &[ArrKind] = &ArrKind::ALL;

const fn command(name: &'static str, kinds: &'static [ArrKind], seconds: u64) -> Command {
    Command { name, kinds, takes: &[], needs: &[], seconds, is_on_disk: false }
}

impl Command {
    const fn of(self, takes: &'static [(&'static str, Parameter)]) -> Self {
        Self { takes, ..self }
    }

    const fn needing(self, needs: &'static [&'static str]) -> Self {
        Self { needs, ..self }
    }

    const fn on_disk(self) -> Self {
        Self { is_on_disk: true, ..self }
    }
}

static COMMANDS: &[Command] = &[
    command("MoviesSearch", &[Radarr], 40).of(&[("movieIds", Ids)]).needing(&["movieIds"]),
    command("MissingMoviesSearch", &[Radarr], 300),
    command("CutoffUnmetMoviesSearch", &[Radarr], 300),
    command("EpisodeSearch", &[Sonarr], 40).of(&[("episodeIds", Ids)]).needing(&["episodeIds"]),
    command("SeasonSearch", &[Sonarr], 60)
        .of(&[("seriesId", Id), ("seasonNumber", Id)])
        .needing(&["seriesId", "seasonNumber"]),
    command("SeriesSearch", &[Sonarr], 120).of(&[("seriesId", Id)]).needing(&["seriesId"]),
    command("MissingEpisodeSearch", &[Sonarr], 300).of(&[("seriesId", Id), ("monitored", Flag)]),
    command("CutoffUnmetEpisodeSearch", &[Sonarr], 300).of(&[("seriesId", Id), ("monitored", Flag)]),
    command("AlbumSearch", &[Lidarr], 40).of(&[("albumIds", Ids)]).needing(&["albumIds"]),
    command("ArtistSearch", &[Lidarr], 120).of(&[("artistId", Id)]).needing(&["artistId"]),
    command("MissingAlbumSearch", &[Lidarr], 300).of(&[("artistId", Id)]),
    command("CutoffUnmetAlbumSearch", &[Lidarr], 300).of(&[("artistId", Id)]),
    command("BookSearch", &[Chaptarr], 40).of(&[("bookIds", Ids)]).needing(&["bookIds"]),
    command("AuthorSearch", &[Chaptarr], 120).of(&[("authorId", Id)]).needing(&["authorId"]),
    command("MissingBookSearch", &[Chaptarr], 300).of(&[("authorId", Id)]),
    command("CutoffUnmetBookSearch", &[Chaptarr], 300).of(&[("authorId", Id)]),
    command("RefreshMovie", &[Radarr], 20).of(&[("movieIds", Ids)]).needing(&["movieIds"]).on_disk(),
    command("RefreshSeries", &[Sonarr], 20)
        .of(&[("seriesId", Id), ("seriesIds", Ids)])
        .needing(&["seriesId"])
        .on_disk(),
    command("RefreshArtist", &[Lidarr], 20)
        .of(&[("artistId", Id), ("artistIds", Ids)])
        .needing(&["artistId"])
        .on_disk(),
    command("RefreshAlbum", &[Lidarr], 20).of(&[("albumId", Id)]).needing(&["albumId"]),
    command("RefreshAuthor", &[Chaptarr], 20).of(&[("authorId", Id)]).needing(&["authorId"]).on_disk(),
    command("RefreshBook", &[Chaptarr], 20).of(&[("bookId", Id)]).needing(&["bookId"]),
    command("RescanMovie", &[Radarr], 10).of(&[("movieId", Id)]).needing(&["movieId"]).on_disk(),
    command("RescanSeries", &[Sonarr], 15).of(&[("seriesId", Id)]).needing(&["seriesId"]).on_disk(),
    command("RescanFolders", &[Lidarr], 20)
        .of(&[("folders", Texts), ("filter", Text), ("addNewArtists", Flag), ("artistIds", Ids)])
        .needing(&["folders"])
        .on_disk(),
    command("RescanFolders", &[Chaptarr], 20)
        .of(&[("folders", Texts), ("filter", Text), ("addNewAuthors", Flag), ("authorIds", Ids)])
        .needing(&["folders"])
        .on_disk(),
    command("ManualImport", ALL, 12)
        .of(&[("files", Files), ("importMode", Text), ("replaceExistingFiles", Flag)])
        .needing(&["files"])
        .on_disk(),
    command("DownloadedMoviesScan", &[Radarr], 10)
        .of(&[("path", Text), ("downloadClientId", Text), ("importMode", Text)])
        .needing(&["path"])
        .on_disk(),
    command("DownloadedEpisodesScan", &[Sonarr], 10)
        .of(&[("path", Text), ("downloadClientId", Text), ("importMode", Text)])
        .needing(&["path"])
        .on_disk(),
    command("ProcessMonitoredDownloads", ALL, 5).on_disk(),
    command("RefreshMonitoredDownloads", ALL, 3),
    command("RssSync", ALL, 30),
    command("CheckHealth", ALL, 2),
    command("Backup", ALL, 10),
    command("Housekeeping", ALL, 20),
    command("ClearBlocklist", ALL, 1),
    command("MessagingCleanup", ALL, 1),
    command("ImportListSync", ALL, 30).of(&[("definitionId", Id)]),
];

fn find(kind: ArrKind, name: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.kinds.contains(&kind) && command.name.eq_ignore_ascii_case(name))
}

/// The command's own spelling: a name is matched without regard to case, and with or without `Command` at its end.
pub(crate) fn known(kind: ArrKind, name: &str) -> Option<&'static str> {
    let stem = name
        .len()
        .checked_sub(7)
        .filter(|at| name.is_char_boundary(*at) && name[*at..].eq_ignore_ascii_case("command"));
    find(kind, stem.map_or(name, |at| &name[..at])).map(|command| command.name)
}

/// How long it is at work.
pub(crate) fn duration(kind: ArrKind, name: &str, is_about_everything: bool) -> Duration {
    let seconds = find(kind, name).map_or(1, |command| command.seconds);
    Duration::from_secs(if is_about_everything { seconds * 60 } else { seconds })
}

/// Whether it keeps other commands that touch the disk waiting.
pub(crate) fn is_on_disk(kind: ArrKind, name: &str) -> bool {
    find(kind, name).is_some_and(|command| command.is_on_disk)
}

/// Whether a command that can be about one thing is about all of them, because nothing says which.
pub(crate) fn is_about_everything(kind: ArrKind, name: &str, body: &Value) -> bool {
    let Some(command) = find(kind, name) else { return false };
    let widens = ["Rescan", "Refresh", "Missing"].iter().any(|start| command.name.starts_with(start));
    let mut scopes = command.takes.iter().filter(|(_, is)| matches!(is, Id | Ids | Texts)).peekable();
    widens && scopes.peek().is_some() && !scopes.any(|(name, is)| fits(*is, property(body, name)))
}

fn fits(is: Parameter, value: Option<&Value>) -> bool {
    let Some(value) = value else { return false };
    match is {
        Id => value.is_u64(),
        Ids => is_ids(value),
        Flag => value.is_boolean(),
        Text => value.is_string(),
        Texts => value.as_array().is_some_and(|texts| !texts.is_empty() && texts.iter().all(Value::is_string)),
        Files => value.as_array().is_some_and(|files| !files.is_empty()),
    }
}

/// What is wrong with a command for anyone who means what it says. The application itself takes all of it but the name.
pub(crate) fn faults(kind: ArrKind, body: &Value, reasons: &mut Vec<String>) {
    let name = property(body, "name").and_then(Value::as_str).unwrap_or("");
    let Some(command) = find(kind, name) else {
        reasons.push(format!("there is no command `{name}`"));
        return;
    };
    for (given, value) in body.as_object().into_iter().flatten().filter(|(given, _)| *given != "name") {
        match command.takes.iter().find(|(known, _)| known == given) {
            None => reasons.push(format!("{} knows no `{given}`", command.name)),
            Some((_, is)) if !fits(*is, Some(value)) => {
                reasons.push(format!("`{given}` of {} is not what it takes: {value}", command.name));
            }
            Some(_) => {}
        }
    }
    let is_there = |name: &str| {
        let plural = format!("{name}s");
        property(body, name).or_else(|| property(body, &plural)).is_some()
    };
    for needed in command.needs.iter().filter(|name| !is_there(name)) {
        reasons.push(format!("{} without `{needed}` is not about what it seems to be about", command.name));
    }
    if command.name == "ManualImport" {
        faults_of_files(kind, body, reasons);
    }
}

/// What a file needs beside its path, which nobody checks before it is used.
fn faults_of_files(kind: ArrKind, body: &Value, reasons: &mut Vec<String>) {
    let (needs, takes): (&[&str], &[&str]) = match kind {
        Radarr => (
            &["path", "movieId", "quality", "languages", "downloadId"],
            &["folderName", "releaseGroup", "indexerFlags", "id", "movieFileId"],
        ),
        Sonarr => (
            &["path", "seriesId", "episodeIds", "quality", "languages", "downloadId"],
            &["folderName", "releaseGroup", "indexerFlags", "releaseType", "episodeFileId", "id"],
        ),
        Lidarr => (
            &["path", "artistId", "albumId", "albumReleaseId", "trackIds", "quality", "downloadId"],
            &["indexerFlags", "disableReleaseSwitching", "id"],
        ),
        Chaptarr => (
            &["path", "authorId", "bookId", "quality", "downloadId"],
            &["foreignEditionId", "indexerFlags", "disableReleaseSwitching", "id"],
        ),
    };
    let mode = property(body, "importMode").and_then(Value::as_str);
    if !matches!(mode, None | Some("auto" | "move" | "copy")) {
        reasons.push(format!("`{}` is no import mode", mode.unwrap_or("")));
    }
    let files = property(body, "files").and_then(Value::as_array);
    for file in files.into_iter().flatten() {
        for needed in needs.iter().filter(|needed| property(file, needed).is_none()) {
            reasons.push(format!("a file without `{needed}`"));
        }
        for given in file.as_object().into_iter().flat_map(|fields| fields.keys()) {
            if !needs.contains(&given.as_str()) && !takes.contains(&given.as_str()) {
                reasons.push(format!("a file has no `{given}`"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_name_is_matched_without_case_and_without_its_ending() {
        assert_eq!(known(Radarr, "rescanmovie"), Some("RescanMovie"));
        assert_eq!(known(Radarr, "RescanMovieCommand"), Some("RescanMovie"));
        assert_eq!(known(Radarr, "RescanSeries"), None);
    }

    #[test]
    fn a_misspelt_parameter_widens_a_rescan_and_empties_a_search() {
        assert!(is_about_everything(Radarr, "RescanMovie", &json!({ "movieIds": [7] })));
        assert!(!is_about_everything(Radarr, "RescanMovie", &json!({ "movieId": 7 })));
        assert!(is_about_everything(Lidarr, "RescanFolders", &json!({ "artistId": 7 })));
        assert!(!is_about_everything(Radarr, "MoviesSearch", &json!({ "movieId": 7 })));
        let mut reasons = Vec::new();
        faults(Radarr, &json!({ "name": "RescanMovie", "movieIds": [7] }), &mut reasons);
        assert_eq!(reasons, ["RescanMovie knows no `movieIds`"], "the plural is close enough not to be missed");
    }
}

//! What a service's record of an event says.

use crate::client::wire::HistoryEvent as Record;
use crate::reads::identity::RowIdentity;

/// What it says of itself.
pub(crate) fn identity(record: &Record) -> RowIdentity {
    let (series, episode) = (record.series.as_deref(), record.episode.as_deref());
    let movie_tmdb = record.movie.as_ref().map(|movie| movie.tmdb_id);
    RowIdentity {
        title_id: record.movie_id.max(record.series_id),
        tmdb_id: movie_tmdb.or(series.map(|series| series.tmdb_id)).unwrap_or(0),
        tvdb_id: series.map_or(0, |series| series.tvdb_id),
        season_number: episode.and_then(|episode| episode.season_number),
        episode_number: episode.and_then(|episode| episode.episode_number),
        author_id: record.author_id,
        book_id: record.book_id,
        artist_id: record.artist_id,
        album_id: record.album_id,
    }
}

/// What it is about, in words: `Dune (2026)`, `Show S01E02 "Pilot"`, `Author — Book`, `Artist — Album`; empty where nothing is embedded.
pub(crate) fn media_title(record: &Record) -> String {
    if let Some(movie) = &record.movie {
        return with_year(movie.title.as_deref(), movie.year);
    }
    if let Some(series) = &record.series {
        let episode = record.episode.as_ref().and_then(|episode| {
            let (season, number) = (episode.season_number?, episode.episode_number?);
            let name = episode.title.as_deref().filter(|title| !title.is_empty());
            let name = name.map(|title| format!(" \"{title}\"")).unwrap_or_default();
            Some(format!(" S{season:02}E{number:02}{name}"))
        });
        return series.title.clone().unwrap_or_default() + &episode.unwrap_or_default();
    }
    if let Some(book) = &record.book {
        let author = record.author.as_ref().and_then(|author| author.author_name.as_deref());
        return of_creator(author, book.title.as_deref());
    }
    if let Some(album) = &record.album {
        let artist = record.artist.as_ref().and_then(|artist| artist.artist_name.as_deref());
        return of_creator(artist, album.title.as_deref());
    }
    String::new()
}

/// Why it happened, where the service says so. Of an event's data nothing else is read: the rest holds download addresses with keys, and
/// paths.
pub(crate) fn reason(record: &Record) -> Option<&str> {
    let message = record.data.iter().find(|(name, _)| name.eq_ignore_ascii_case("message"))?;
    Some(message.1.trim()).filter(|message| !message.is_empty())
}

/// `Dune (2026)`; without the year where it is unknown.
pub(crate) fn with_year(title: Option<&str>, year: Option<i64>) -> String {
    let title = title.unwrap_or_default();
    match year {
        Some(year) if year > 0 => format!("{title} ({year})"),
        _ => title.to_owned(),
    }
}

/// `Author — Book`; only the title where the creator is unknown.
pub(crate) fn of_creator(creator: Option<&str>, title: Option<&str>) -> String {
    let title = title.unwrap_or_default();
    match creator {
        Some(creator) if !creator.is_empty() => format!("{creator} — {title}"),
        _ => title.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn record(value: Value) -> Record {
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn an_event_names_what_it_is_about() {
        for (value, expected) in [
            (json!({"movieId": 1, "movie": {"title": "Dune", "year": 2026}}), "Dune (2026)"),
            (json!({"movieId": 1, "movie": {"title": "Untitled", "year": 0}}), "Untitled"),
            (
                json!({"series": {"title": "Show"}, "episode": {"seasonNumber": 0, "episodeNumber": 2, "title": "Pilot"}}),
                "Show S00E02 \"Pilot\"",
            ),
            (json!({"series": {"title": "Show"}}), "Show"),
            (json!({"author": {"authorName": "Le Guin"}, "book": {"title": "Lavinia"}}), "Le Guin — Lavinia"),
            (json!({"artist": {"artistName": "Björk"}, "album": {"title": "Post"}}), "Björk — Post"),
            (json!({"album": {"title": "Post"}}), "Post"),
            (json!({"sourceTitle": "x"}), ""),
        ] {
            assert_eq!(media_title(&record(value)), expected);
        }
    }

    #[test]
    fn of_an_events_data_only_the_message_is_read() {
        let event = record(json!({
            "eventType": "downloadFailed",
            "data": {"Message": " Aborted ", "downloadUrl": "https://secret", "guid": "secret", "age": 3, "releaseGroup": null},
        }));
        assert_eq!(reason(&event), Some("Aborted"));
        assert_eq!(reason(&record(json!({"data": {"downloadUrl": "https://secret", "message": ""}}))), None);
    }
}

use serde_json::{Value, from_value, json};

use super::row::*;
use super::*;
use crate::client::wire::{Album, Artist, Author, Book, MovieSummary, SeriesSummary};

fn series(value: Value) -> SeriesSummary {
    from_value(value).unwrap()
}

/// The files and total of a series' row.
fn counts(value: Value) -> (Option<i64>, Option<i64>) {
    let row = series_row(&series(value));
    (row.files, row.total)
}

fn season(number: i64, files: i64, episodes: i64) -> Value {
    json!({"seasonNumber": number, "statistics": {"episodeFileCount": files, "episodeCount": episodes}})
}

#[test]
fn series_with_specials_9_of_9_seasons_2_of_4_and_3_of_3_and_one_without_statistics_counts_5_of_7() {
    let seasons = json!([
        season(0, 9, 9),
        {"seasonNumber": 1, "statistics": {"episodeFileCount": 2, "episodeCount": 3, "totalEpisodeCount": 4}},
        season(2, 3, 3),
        {"seasonNumber": 3},
    ]);

    assert_eq!(counts(json!({"id": 1, "seasons": seasons})), (Some(5), Some(7)));
}

#[test]
fn series_with_only_series_level_2_of_12_counts_2_of_12() {
    let statistics = json!({"episodeFileCount": 2, "episodeCount": 12});

    assert_eq!(
        counts(json!({"id": 1, "seasons": [{"seasonNumber": 1}], "statistics": statistics})),
        (Some(2), Some(12))
    );
    assert_eq!(counts(json!({"id": 1})), (None, None));
}

#[test]
fn a_running_series_that_is_caught_up_is_not_missing_and_shows_both_figures() {
    let seasons =
        json!([{"seasonNumber": 1, "statistics": {"episodeFileCount": 3, "episodeCount": 3, "totalEpisodeCount": 10}}]);
    let caught_up = series(json!({"id": 1, "monitored": true, "seasons": seasons}));
    let row = series_row(&caught_up);

    assert_eq!((row.state, row.files, row.aired, row.total), (RowState::Downloaded, Some(3), Some(3), Some(10)));
    let behind = series(json!({"id": 1, "monitored": true, "seasons": [season(1, 2, 3)]}));
    assert_eq!(series_row(&behind).state, RowState::Missing);
}

#[test]
fn a_film_is_downloaded_missing_or_unmonitored() {
    let state = |value: Value| movie_row(&from_value::<MovieSummary>(value).unwrap()).state;

    assert_eq!(state(json!({"id": 1, "monitored": true, "hasFile": true})), RowState::Downloaded);
    assert_eq!(state(json!({"id": 1, "monitored": true, "hasFile": false})), RowState::Missing);
    assert_eq!(state(json!({"id": 1, "monitored": false})), RowState::Unmonitored);
    assert_eq!(
        state(json!({"id": 1, "monitored": true, "hasFile": true, "statistics": {"movieFileCount": 0}})),
        RowState::Missing,
        "the count of files knows it better"
    );
}

#[test]
fn year_0_and_foreign_id_0_mean_unknown() {
    let row = movie_row(&from_value(json!({"id": 1, "title": "Untitled Project", "year": 0, "tmdbId": 0})).unwrap());

    assert_eq!((row.year, row.tmdb_id), (None, None));
}

#[test]
fn authors_and_artists_are_missing_below_100_percent() {
    let author = |percent: f64| {
        let statistics = json!({"bookFileCount": 2, "bookCount": 3, "percentOfBooks": percent});
        author_row(&from_value::<Author>(json!({"id": 7, "monitored": true, "statistics": statistics})).unwrap())
    };
    assert_eq!(author(66.7).state, RowState::Missing);
    assert_eq!(author(100.0).state, RowState::Downloaded);

    let counted = json!({"trackFileCount": 3, "trackCount": 4});
    let artist = artist_row(&from_value::<Artist>(json!({"id": 7, "monitored": true, "statistics": counted})).unwrap());
    assert_eq!(
        (artist.state, artist.files, artist.total),
        (RowState::Missing, Some(3), Some(4)),
        "without a share the counts decide"
    );
}

#[test]
fn a_book_is_missing_without_a_file_and_says_its_format() {
    let book = |value: Value| book_row(&from_value::<Book>(value).unwrap());

    let audiobook =
        book(json!({"id": 3, "monitored": true, "mediaType": "audiobook", "statistics": {"bookFileCount": 0}}));
    assert_eq!((audiobook.state, audiobook.format.as_deref()), (RowState::Missing, Some("audiobook")));
    let edition = json!([{"id": 1, "isEbook": true, "monitored": true}]);
    let ebook = book(json!({"id": 4, "monitored": true, "editions": edition, "statistics": {"bookFileCount": 1}}));
    assert_eq!((ebook.state, ebook.format.as_deref()), (RowState::Downloaded, Some("ebook")));
}

#[test]
fn an_album_whose_tracks_are_not_known_is_missing() {
    let state = |files: i64, tracks: i64| {
        let statistics = json!({"trackFileCount": files, "trackCount": tracks});
        album_row(&from_value::<Album>(json!({"id": 3, "monitored": true, "statistics": statistics})).unwrap()).state
    };

    assert_eq!(state(0, 0), RowState::Missing);
    assert_eq!(state(9, 10), RowState::Missing);
    assert_eq!(state(10, 10), RowState::Downloaded);
}

fn film(id: i64, title: &str, monitored: bool, has_file: bool) -> MovieSummary {
    from_value(json!({"id": id, "title": title, "monitored": monitored, "hasFile": has_file})).unwrap()
}

/// What is kept of these films.
fn kept(filter: LibraryFilter, query: &str, films: &[MovieSummary]) -> LibraryRows {
    let mut keeper = Keeper::new(filter, query);
    for film in films {
        keeper.take(film.title.as_deref().unwrap(), movie_standing(film), || movie_row(film));
    }
    keeper.finish(0)
}

#[test]
fn filters_keep_what_their_name_says() {
    let films =
        [film(1, "A", true, true), film(2, "B", true, false), film(3, "C", false, false), film(4, "D", false, true)];
    let titles = |filter| kept(filter, "", &films).items.into_iter().map(|row| row.title).collect::<Vec<_>>();

    assert_eq!(titles(LibraryFilter::All), ["A", "B", "C", "D"]);
    assert_eq!(titles(LibraryFilter::Missing), ["B"]);
    assert_eq!(titles(LibraryFilter::Unmonitored), ["C", "D"]);
}

#[test]
fn a_query_is_a_part_of_the_title_without_regard_to_case_and_blanks_around_it() {
    let films = [film(1, "Das BÖSE Spiel", true, true), film(2, "Other", true, true)];

    assert_eq!(kept(LibraryFilter::All, "  böse ", &films).matching, 1);
    assert_eq!(kept(LibraryFilter::All, "", &films).matching, 2);
    assert_eq!(kept(LibraryFilter::All, "absent", &films), LibraryRows { total: 2, ..LibraryRows::default() });
}

#[test]
fn no_more_than_fifty_rows_are_kept_and_all_are_counted() {
    let films: Vec<_> = (1..=120).map(|id| film(id, "Film", true, id % 2 == 0)).collect();
    let rows = kept(LibraryFilter::Missing, "", &films);

    assert_eq!((rows.total, rows.matching, rows.items.len()), (120, 60, MAX_ROWS));
}

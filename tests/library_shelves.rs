//! `get_library` through the door: whole libraries, single shelves, filters, and what is said where nothing is.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it says")]

mod common;

use common::library::{LibraryHouse, prose_of};
use playhouse_standins::{ArrKind, ArrSettings, ArrStandin, BookFormat, Library};
use serde_json::{Value, json};

fn titles(answer: &Value) -> Vec<&str> {
    answer["items"].as_array().unwrap().iter().map(|row| row["title"].as_str().unwrap()).collect()
}

#[actix_web::test]
async fn films_are_counted_filtered_and_searched() {
    let mut library = Library::empty(ArrKind::Radarr);
    let at = ArrSettings::default().now;
    let there = library.movie(603, "The Matrix", 1999, None);
    library.keep(there, at);
    library.movie(604, "The Matrix Reloaded", 2003, None);
    let forgotten = library.movie(605, "Old News", 1950, None);
    library.unmonitor(forgotten);
    let (house, arr, id) = LibraryHouse::with(ArrKind::Radarr, library).await;

    let all = house.ask("get_library", json!({"media_type": "movie"})).await;
    assert_eq!((all["total"].as_u64(), all["matching"].as_u64()), (Some(3), Some(3)));
    assert_eq!(all["libraries"][0]["instance_id"], id);
    assert_eq!(
        all["items"][0],
        json!({"title": "The Matrix", "year": 1999, "tmdb_id": 603, "monitored": true, "state": "downloaded"})
    );

    let missing = house.ask("get_library", json!({"media_type": "movie", "filter": "missing"})).await;
    assert_eq!(titles(&missing), ["The Matrix Reloaded"]);
    let unmonitored = house.ask("get_library", json!({"media_type": "movie", "filter": "unmonitored"})).await;
    assert_eq!(titles(&unmonitored), ["Old News"]);

    let prose = house.prose("get_library", json!({"media_type": "movie", "query": " matrix "})).await;
    assert!(
        prose.starts_with("Radarr instance \"Radarr\": 3 movies, 2 match (title contains \"matrix\").\n"),
        "{prose}"
    );
    assert!(prose.contains("- The Matrix (1999): downloaded, tmdb_id 603"), "{prose}");

    let none = house.result("get_library", json!({"media_type": "movie", "query": "absent"})).await;
    assert_eq!((&none["isError"], &none["structuredContent"]["outcome"]), (&json!(false), &json!("answered")));
    assert!(
        prose_of(&none).contains("none of its 3 movies match (title contains \"absent\"). The whole list was read"),
        "{none}"
    );
    assert_eq!(arr.violations(), []);
    house.town.stop().await;
}

#[actix_web::test]
async fn a_list_with_records_that_could_not_be_read_claims_nothing_of_what_it_lacks() {
    let mut library = Library::empty(ArrKind::Radarr);
    library.movie(603, "The Matrix", 1999, None);
    let (house, arr, _) = LibraryHouse::with(ArrKind::Radarr, library).await;
    arr.alter("GET */movie", |list| list.as_array_mut().unwrap().push(json!("odd")));
    let prose = house.prose("get_library", json!({"media_type": "movie", "query": "absent"})).await;
    assert!(prose.contains("none of the 1 movie that could be read match") && !prose.contains("whole list"), "{prose}");
    arr.alter("GET */movie", |list| *list = json!(["odd"]));
    let prose = house.prose("get_library", json!({"media_type": "movie"})).await;
    assert!(prose.contains("no proof that it is empty") && !prose.contains("whole list"), "{prose}");
    house.town.stop().await;
}

#[actix_web::test]
async fn a_record_that_is_answered_for_another_does_not_say_that_there_is_none() {
    let mut library = Library::empty(ArrKind::Lidarr);
    let artist = library.artist("Nine Herons");
    let album = library.album(artist, "Low Water", None, 2);
    let (house, arr, _) = LibraryHouse::with(ArrKind::Lidarr, library).await;
    arr.alter("GET */album/*", |record| record["id"] = json!(9_999));
    let words = house.failure("get_library", json!({"media_type": "music", "album_id": album})).await;
    assert!(words.contains("something else than album"), "{words}");
    house.town.stop().await;
}

#[actix_web::test]
async fn an_empty_library_says_that_the_whole_list_was_read() {
    let (house, _arr, _) = LibraryHouse::with(ArrKind::Sonarr, Library::empty(ArrKind::Sonarr)).await;

    let prose = house.prose("get_library", json!({"media_type": "tv"})).await;

    assert_eq!(prose, "Sonarr instance \"Sonarr\": it holds 0 series. The whole list was read.");
    house.town.stop().await;
}

#[actix_web::test]
async fn more_than_fifty_rows_are_counted_and_not_shown() {
    let house = LibraryHouse::empty().await;
    let arr = ArrStandin::with_films(120);
    house.add(&arr, "Films").await;

    let result = house.result("get_library", json!({"media_type": "movie"})).await;

    assert_eq!(result["structuredContent"]["items"].as_array().unwrap().len(), 50);
    assert_eq!(result["structuredContent"]["total"], 120);
    assert!(prose_of(&result).contains("…and 70 more (120 total)"), "{result}");
    house.town.stop().await;
}

#[actix_web::test]
async fn books_of_an_author_are_only_that_authors_even_where_the_service_answers_all() {
    let mut library = Library::empty(ArrKind::Chaptarr);
    let author = library.author("Ursula K. Le Guin");
    let other = library.author("Stanisław Lem");
    let ebook = library.book(author, "The Dispossessed", BookFormat::Ebook, None);
    library.book(author, "The Dispossessed", BookFormat::Audiobook, None);
    library.book(other, "Solaris", BookFormat::Ebook, None);
    let (house, arr, _) = LibraryHouse::with(ArrKind::Chaptarr, library).await;
    // As some builds do, which pass over the author in the query.
    let every_book = house.ask("get_library", json!({"media_type": "book", "author_id": author})).await;
    assert_eq!(titles(&every_book), ["The Dispossessed", "The Dispossessed"]);
    arr.alter("GET */book", move |books| {
        let solaris = json!({"id": 999, "title": "Solaris", "authorId": other, "monitored": true});
        books.as_array_mut().unwrap().push(solaris);
    });

    let books = house.ask("get_library", json!({"media_type": "book", "author_id": author})).await;
    assert_eq!(titles(&books), ["The Dispossessed", "The Dispossessed"]);
    let formats: Vec<_> = books["items"].as_array().unwrap().iter().map(|row| row["format"].clone()).collect();
    assert_eq!(formats, ["ebook", "audiobook"]);

    let both = house.ask("get_library", json!({"media_type": "book", "author_id": other, "book_id": ebook})).await;
    assert_eq!(
        (titles(&both), &both["items"][0]["book_id"]),
        (vec!["The Dispossessed"], &json!(ebook)),
        "the book wins"
    );

    let authors = house.prose("get_library", json!({"media_type": "book"})).await;
    assert!(authors.contains("2 authors") && authors.contains("Pass an author_id here"), "{authors}");
    house.town.stop().await;
}

#[actix_web::test]
async fn a_book_answered_404_is_not_found_and_502_is_an_error() {
    let mut library = Library::empty(ArrKind::Chaptarr);
    let author = library.author("Ursula K. Le Guin");
    library.book(author, "The Dispossessed", BookFormat::Ebook, None);
    let (house, arr, _) = LibraryHouse::with(ArrKind::Chaptarr, library).await;

    let absent = house.ask("get_library", json!({"media_type": "book", "book_id": 4_711})).await;
    assert_eq!((&absent["outcome"], &absent["code"]), (&json!("refused"), &json!("not_in_library")));
    let nobody = house.ask("get_library", json!({"media_type": "book", "author_id": 4_711})).await;
    assert_eq!(nobody["code"], "not_in_library");

    arr.answer_instead("GET */book/*", 502, json!({"message": "token=s3cret"}));
    let words = house.failure("get_library", json!({"media_type": "book", "book_id": 4_711})).await;
    assert!(words.contains("Chaptarr GET /api/v1/book/4711 returned status 502"), "{words}");
    assert!(!words.contains("s3cret"), "{words}");
    house.town.stop().await;
}

#[actix_web::test]
async fn albums_of_an_artist_are_only_that_artists_even_where_the_service_answers_all() {
    let mut library = Library::empty(ArrKind::Lidarr);
    let artist = library.artist("Low");
    let other = library.artist("Slint");
    let album = library.album(artist, "Hey What", None, 10);
    let (house, arr, _) = LibraryHouse::with(ArrKind::Lidarr, library).await;
    arr.alter("GET */album", move |albums| {
        albums.as_array_mut().unwrap().push(json!({"id": 999, "title": "Spiderland", "artistId": other}));
    });

    let albums = house.ask("get_library", json!({"media_type": "music", "artist_id": artist})).await;
    assert_eq!(titles(&albums), ["Hey What"]);
    assert_eq!(albums["items"][0]["album_id"], album);
    let one = house.prose("get_library", json!({"media_type": "music", "album_id": album})).await;
    assert!(one.contains("Hey What") && one.contains("get_album_timeline"), "{one}");
    house.town.stop().await;
}

#[actix_web::test]
async fn arguments_of_another_media_type_are_refused_before_anything_is_read() {
    let (house, arr, _) = LibraryHouse::with(ArrKind::Radarr, Library::empty(ArrKind::Radarr)).await;
    let cases = [
        (json!({"media_type": "movie", "author_id": 3}), "author_id"),
        (json!({"media_type": "tv", "album_id": 3}), "album_id"),
        (json!({"media_type": "book", "artist_id": 3}), "artist_id"),
        (json!({"media_type": "music", "book_id": 3}), "book_id"),
    ];
    for (arguments, name) in cases {
        let refused = house.result("get_library", arguments.clone()).await;
        assert_eq!(refused["structuredContent"]["code"], "scope_extraneous", "{arguments}: {refused}");
        assert!(prose_of(&refused).contains(name), "{refused}");
    }
    for arguments in [
        json!({}),
        json!({"media_type": "podcast"}),
        json!({"media_type": "all"}),
        json!({"media_type": "movie", "filter": "wanted"}),
        json!({"media_type": "movie", "query": "x".repeat(201)}),
        json!({"media_type": "book", "book_id": 0}),
        json!({"media_type": "book", "book_id": "3"}),
        json!({"media_type": "movie", "season": 1}),
    ] {
        let refused = house.result("get_library", arguments.clone()).await;
        assert_eq!(refused["isError"], true, "{arguments}: {refused}");
    }
    assert_eq!(arr.n_requests(), 0);
    house.town.stop().await;
}

#[actix_web::test]
async fn one_odd_element_is_named_and_spoils_no_list() {
    let mut library = Library::empty(ArrKind::Radarr);
    library.movie(603, "The Matrix", 1999, None);
    let (house, arr, _) = LibraryHouse::with(ArrKind::Radarr, library).await;
    arr.alter("GET */movie", |movies| movies.as_array_mut().unwrap().push(json!("odd")));

    let prose = house.prose("get_library", json!({"media_type": "movie"})).await;

    assert!(prose.contains("1 movie.") && prose.contains("1 record could not be read and is missing here"), "{prose}");
    house.town.stop().await;
}

//! Bad arguments, other houses' libraries, and services that answer anything but what they should.

use playhouse_standins::{ArrKind, ArrStandin, Library, Misbehaviour};
use serde_json::{Value, json};

use crate::common::library::{KEY, LibraryHouse};
use crate::in_days;

/// Each reading tool with a call that reads something, and the kind of library it reads.
fn calls(book: u32, album: u32) -> Vec<(&'static str, ArrKind, Value)> {
    vec![
        ("get_calendar", ArrKind::Radarr, json!({"media_type": "movie"})),
        ("get_history", ArrKind::Radarr, json!({"media_type": "movie"})),
        ("get_history", ArrKind::Sonarr, json!({"media_type": "tv", "tmdb_id": 1_396})),
        ("get_episode_timeline", ArrKind::Sonarr, json!({"media_type": "tv", "tmdb_id": 1_396})),
        ("get_media_file_details", ArrKind::Radarr, json!({"media_type": "movie", "tmdb_id": 603})),
        ("get_book_timeline", ArrKind::Chaptarr, json!({"media_type": "book", "book_id": book})),
        ("get_album_timeline", ArrKind::Lidarr, json!({"media_type": "music", "album_id": album})),
        ("get_service_config", ArrKind::Radarr, json!({"service": "radarr", "section": "indexers"})),
    ]
}

struct Four {
    house: LibraryHouse,
    arrs: Vec<ArrStandin>,
    book: u32,
    album: u32,
}

impl Four {
    async fn open() -> Self {
        let house = LibraryHouse::empty().await;
        let (mut arrs, mut book, mut album) = (Vec::new(), 0, 0);
        for kind in ArrKind::ALL {
            let mut library = Library::empty(kind);
            match kind {
                ArrKind::Radarr => {
                    let film = library.movie(603, "The Lantern Keeper", 2019, None);
                    library.keep(film, in_days(-3));
                }
                ArrKind::Sonarr => {
                    let series = library.series(1_396, 81_189, "Salt Flats", 2024);
                    library.season(series, 1, &[Some(in_days(-3))]);
                }
                ArrKind::Lidarr => {
                    let artist = library.artist("Nine Herons");
                    album = library.album(artist, "Low Water", None, 2);
                }
                ArrKind::Chaptarr => {
                    let author = library.author("Ada Fenwick");
                    book = library.book(author, "Salt", playhouse_standins::BookFormat::Ebook, None);
                }
            }
            let arr = ArrStandin::start(kind, library);
            house.add(&arr, kind.name()).await;
            arrs.push(arr);
        }
        Self { house, arrs, book, album }
    }

    fn calls(&self) -> Vec<(&'static str, ArrKind, Value)> {
        calls(self.book, self.album)
    }

    fn of(&self, kind: ArrKind) -> &ArrStandin {
        self.arrs.iter().find(|arr| arr.kind() == kind).unwrap()
    }
}

/// That nothing in it leads to where a service is or what opens it.
fn gives_nothing_away(four: &Four, text: &str, what: &str) {
    for arr in &four.arrs {
        let port = arr.url().port().unwrap().to_string();
        for secret in [port.as_str(), "127.0.0.1", "localhost", KEY] {
            assert!(!text.contains(secret), "{what} says {secret}: {text}");
        }
    }
}

#[actix_web::test]
async fn a_service_that_does_not_answer_as_it_should_is_an_error_and_never_an_empty_answer() {
    let four = Four::open().await;
    for misbehaviour in [
        Misbehaviour::Failing { status: 502 },
        Misbehaviour::Failing { status: 400 },
        Misbehaviour::Html,
        Misbehaviour::LoginRedirect,
        Misbehaviour::Truncated,
        Misbehaviour::CutOff,
        Misbehaviour::ErrorIn200,
        Misbehaviour::Nothing,
        Misbehaviour::HungUp,
        Misbehaviour::Unauthorised,
        Misbehaviour::Huge { n_bytes: 65 << 20 },
    ] {
        for (tool, kind, arguments) in four.calls() {
            let arr = four.of(kind);
            arr.misbehave("GET *", misbehaviour);
            let words = four.house.failure(tool, arguments).await;
            let what = format!("{tool} under {misbehaviour:?}");
            assert!(words.starts_with(kind.name()), "{what}: {words}");
            gives_nothing_away(&four, &words, &what);
            arr.forget_rules();
        }
    }
    four.house.town.stop().await;
}

#[actix_web::test]
async fn each_tool_answers_again_once_the_service_does() {
    let four = Four::open().await;
    for (tool, _, arguments) in four.calls() {
        let result = four.house.result(tool, arguments).await;
        assert_eq!(result["isError"], false, "{tool}: {result}");
        gives_nothing_away(&four, &result.to_string(), tool);
    }
    for arr in &four.arrs {
        assert_eq!(arr.violations(), []);
    }
    four.house.town.stop().await;
}

#[actix_web::test]
async fn odd_types_nulls_and_unknown_words_are_read_as_far_as_they_go() {
    let four = Four::open().await;
    for misbehaviour in [
        Misbehaviour::WrongTypes,
        Misbehaviour::Nulls { below: 100 },
        Misbehaviour::UnknownWords,
        Misbehaviour::Nulls { below: 1 },
    ] {
        for (tool, kind, arguments) in four.calls() {
            let arr = four.of(kind);
            arr.misbehave("GET *", misbehaviour);
            let result = four.house.result(tool, arguments).await;
            gives_nothing_away(&four, &result.to_string(), &format!("{tool} under {misbehaviour:?}"));
            arr.forget_rules();
        }
    }
    four.house.town.stop().await;
}

#[actix_web::test]
async fn another_houses_library_is_as_unknown_as_one_that_nobody_has() {
    let mine = LibraryHouse::empty().await;
    let arr = ArrStandin::start(ArrKind::Radarr, Library::empty(ArrKind::Radarr));
    let id = mine.add(&arr, "Mine").await;
    let LibraryHouse { town, .. } = mine;
    let theirs = LibraryHouse::in_town(town).await;
    for (tool, kind, arguments) in calls(1, 1) {
        if kind != ArrKind::Radarr {
            continue;
        }
        let asked = |id: &str| {
            let mut arguments = arguments.clone();
            arguments["instance_id"] = json!(id);
            arguments
        };
        let other = theirs.result(tool, asked(&id)).await.to_string();
        let nobody = theirs.result(tool, asked("radarr-ffffffff")).await.to_string();
        assert_eq!(other.replace(&id, "ID"), nobody.replace("radarr-ffffffff", "ID"), "{tool}");
        assert!(nobody.contains("instance_unknown"), "{tool}: {nobody}");
    }
    assert_eq!(arr.n_requests(), 0);
    theirs.town.stop().await;
}

#[actix_web::test]
async fn arguments_that_do_not_fit_are_named_and_nothing_is_asked() {
    let four = Four::open().await;
    let long = "x".repeat(5_000);
    for (tool, arguments, named) in [
        ("get_calendar", json!({"media_type": "podcast"}), "movie"),
        ("get_calendar", json!({"days": "7"}), "days"),
        ("get_calendar", json!({"days": 1.5}), "days"),
        ("get_calendar", json!({"day": 7}), "did you mean `days`"),
        ("get_calendar", json!({"instance_id": 7}), "instance_id"),
        ("get_history", json!({}), "media_type"),
        ("get_history", json!({"media_type": "all"}), "media_type"),
        ("get_history", json!({"media_type": "movie", "limit": "many"}), "limit"),
        ("get_history", json!({"media_type": "movie", "tmdb_id": "603"}), "tmdb_id"),
        ("get_history", json!({"media_type": "movie", "tmdb_id": 0}), "tmdb_id"),
        ("get_history", json!({"media_type": "tv", "tmdb_id": 1, "season": 2}), "did you mean `season_number`"),
        ("get_history", json!({"media_type": "tv", "tmdb_id": 1, "season_number": -1}), "season_number"),
        ("get_history", json!({"media_type": long.clone()}), "media_type"),
        ("get_episode_timeline", json!({"media_type": "tv", "tmdb_id": [1]}), "tmdb_id"),
        ("get_book_timeline", json!({"media_type": "book", "book_id": -4}), "book_id"),
        ("get_album_timeline", json!({"album_id": {}}), "album_id"),
        ("get_media_file_details", json!({"media_type": "movie", "tmdb_id": 9.9e30}), "9.9e+30"),
        ("get_service_config", json!({"service": "radarr"}), "section"),
        ("get_service_config", json!({"section": "indexers"}), "service"),
    ] {
        let result = four.house.result(tool, arguments.clone()).await;
        let text = result["content"][0]["text"].as_str().unwrap();
        assert_eq!(result["isError"], true, "{tool} {arguments}: {result}");
        assert!(text.len() < 1_000 && text.contains(named), "{tool} {arguments}: {text}");
    }
    for arr in &four.arrs {
        assert_eq!(arr.n_requests(), 0);
    }
    four.house.town.stop().await;
}

#[actix_web::test]
async fn a_key_that_may_only_see_media_gets_none_of_it() {
    let four = Four::open().await;
    let key = four.house.town.key(&four.house.house, &[playhouse_house::Scope::Media]).await;
    for (tool, _, arguments) in four.calls() {
        let answer = four.house.town.call(&key, tool, arguments).await;
        assert_eq!(answer.status, 403, "{tool}: {answer:?}");
    }
    for arr in &four.arrs {
        assert_eq!(arr.n_requests(), 0);
    }
    four.house.town.stop().await;
}

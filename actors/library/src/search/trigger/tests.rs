use super::*;

fn given(change: impl FnOnce(&mut TargetArguments)) -> TargetArguments {
    let mut given = TargetArguments::default();
    change(&mut given);
    given
}

#[test]
fn each_media_type_has_its_own_targets() {
    use MediaType::{Book, Movie, Music, Tv};
    let tv = |season, episode, aired_only| {
        given(|given| {
            (given.tmdb_id, given.season_number, given.episode_number) = (Some(42), season, episode);
            given.aired_only = aired_only;
        })
    };
    let book = |author, book| given(|given| (given.author_id, given.book_id) = (author, book));
    let music = |artist, album| given(|given| (given.artist_id, given.album_id) = (artist, album));
    let season = |aired_only| SearchTarget::Season { tmdb_id: 42, season_number: 0, aired_only };
    let episode = SearchTarget::Episode { tmdb_id: 42, season_number: 1, episode_number: 2 };
    for (case, media_type, arguments, expected) in [
        ("a movie", Movie, given(|given| given.tmdb_id = Some(42)), SearchTarget::Movie { tmdb_id: 42 }),
        ("a series", Tv, tv(None, None, false), SearchTarget::Series { tmdb_id: 42 }),
        ("the specials", Tv, tv(Some(0), None, false), season(false)),
        ("what aired of the specials", Tv, tv(Some(0), None, true), season(true)),
        ("an episode", Tv, tv(Some(1), Some(2), false), episode),
        ("52: a book", Book, book(None, Some(5)), SearchTarget::Book(5)),
        ("52: an author", Book, book(Some(3), None), SearchTarget::Author(3)),
        ("52: both", Book, book(Some(3), Some(5)), SearchTarget::Book(5)),
        ("a book of id 0 is none", Book, book(Some(3), Some(0)), SearchTarget::Author(3)),
        ("an album", Music, music(None, Some(6)), SearchTarget::Album(6)),
        ("an artist", Music, music(Some(4), None), SearchTarget::Artist(4)),
        ("album and artist", Music, music(Some(4), Some(6)), SearchTarget::Album(6)),
    ] {
        assert_eq!(SearchTarget::of(media_type, arguments), Ok(expected), "{case}");
    }
}

#[test]
fn what_is_missing_or_does_not_belong_is_named_and_nothing_is_made_of_it() {
    use MediaType::{Book, Movie, Music, Tv};
    let with_tmdb = |change: fn(&mut TargetArguments)| {
        given(|given| {
            given.tmdb_id = Some(42);
            change(given);
        })
    };
    for (case, media_type, arguments, code, named) in [
        ("a movie without id", Movie, given(|_| {}), Code::ScopeMissing, "tmdb_id"),
        (
            "a movie with a season",
            Movie,
            with_tmdb(|given| given.season_number = Some(1)),
            Code::ScopeExtraneous,
            "season_number",
        ),
        (
            "a movie with aired_only",
            Movie,
            with_tmdb(|given| given.aired_only = true),
            Code::ScopeExtraneous,
            "aired_only",
        ),
        ("a series without id", Tv, given(|given| given.season_number = Some(1)), Code::ScopeMissing, "tmdb_id"),
        (
            "55: an episode without season",
            Tv,
            with_tmdb(|given| given.episode_number = Some(1)),
            Code::ScopeMissing,
            "season_number",
        ),
        ("a season of -1", Tv, with_tmdb(|given| given.season_number = Some(-1)), Code::ScopeMissing, "season_number"),
        (
            "episode 0 is not the whole season",
            Tv,
            with_tmdb(|given| (given.season_number, given.episode_number) = (Some(1), Some(0))),
            Code::ScopeMissing,
            "episode_number",
        ),
        (
            "aired_only of a whole series",
            Tv,
            with_tmdb(|given| given.aired_only = true),
            Code::ScopeExtraneous,
            "aired_only",
        ),
        ("53: a book without ids", Book, given(|_| {}), Code::ScopeMissing, "book_id"),
        ("a book with a TMDB id", Book, with_tmdb(|given| given.book_id = Some(1)), Code::ScopeExtraneous, "tmdb_id"),
        ("a book with an album", Book, given(|given| given.album_id = Some(1)), Code::ScopeExtraneous, "album_id"),
        ("music without ids", Music, given(|_| {}), Code::ScopeMissing, "album_id"),
        ("music with an author", Music, given(|given| given.author_id = Some(1)), Code::ScopeExtraneous, "author_id"),
    ] {
        let fault = SearchTarget::of(media_type, arguments).expect_err(case);
        assert_eq!(fault.code(), code, "{case}");
        let words = fault.to_string();
        assert!(words.starts_with("Nothing was searched") && words.contains(named), "{case}: {words}");
    }
}

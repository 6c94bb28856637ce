//! Whether a row is about what was asked for.
//!
//! Services ignore parameters that they do not know, and then answer everything. So whatever was asked of them, each row is compared with the
//! scope here, and a row that does not prove that it belongs is dropped.

use crate::answer::Scope;
use crate::service::MediaType;

/// What a row says of itself. An id of 0 means unknown, as the services have it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct RowIdentity {
    /// The service's own id of the movie or series.
    pub(crate) title_id: i64,
    pub(crate) tmdb_id: i64,
    pub(crate) tvdb_id: i64,
    /// `None` where the row carries no episode; a season of 0 holds the specials.
    pub(crate) season_number: Option<i64>,
    pub(crate) episode_number: Option<i64>,
    pub(crate) author_id: i64,
    pub(crate) book_id: i64,
    pub(crate) artist_id: i64,
    pub(crate) album_id: i64,
}

/// How a row stands to a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    /// It is about what was asked for.
    Fits,
    /// It is about something else.
    Differs,
    /// It lacks the catalogue id that was asked for: only its own record tells.
    Unproven,
}

impl RowIdentity {
    /// How it stands to `scope` among rows of `media_type`. `resolved` is the service's own id of the title that was asked for, where it was
    /// looked up: it proves a row that carries no catalogue id.
    pub(crate) fn fit(&self, media_type: MediaType, scope: &Scope, resolved: Option<i64>) -> Fit {
        match media_type {
            MediaType::Movie => self.title_fit(&[(scope.tmdb_id, self.tmdb_id)], resolved),
            MediaType::Tv => {
                let asked = [(scope.tvdb_id, self.tvdb_id), (scope.tmdb_id, self.tmdb_id)];
                match self.title_fit(&asked, resolved) {
                    Fit::Differs => Fit::Differs,
                    _ if !self.has_the_episode(scope) => Fit::Differs,
                    fit => fit,
                }
            }
            MediaType::Book => {
                // The book decides where it is given; an author's other books are not it.
                let asked = [(scope.book_id, self.book_id), (scope.author_id, self.author_id)];
                own_id_fit(asked)
            }
            MediaType::Music => own_id_fit([(scope.album_id, self.album_id), (scope.artist_id, self.artist_id)]),
        }
    }

    /// Each id that is asked for and known must agree, and one of them must.
    fn title_fit(&self, ids: &[(Option<i64>, i64)], resolved: Option<i64>) -> Fit {
        let asked = || ids.iter().filter_map(|(asked, own)| Some(((*asked)?, *own)));
        if asked().next().is_none() {
            return Fit::Fits;
        }
        if asked().any(|(asked, own)| own > 0 && own != asked) {
            return Fit::Differs;
        }
        if asked().any(|(asked, own)| own == asked) {
            return Fit::Fits;
        }
        match resolved {
            Some(resolved) if self.title_id > 0 && self.title_id == resolved => Fit::Fits,
            Some(_) if self.title_id > 0 => Fit::Differs,
            _ => Fit::Unproven,
        }
    }

    fn has_the_episode(&self, scope: &Scope) -> bool {
        let season = scope.season_number.is_none_or(|season| self.season_number == Some(season));
        let episode = scope.episode_number.is_none_or(|episode| self.episode_number == Some(episode));
        season && episode
    }
}

/// The first id that is asked for decides.
fn own_id_fit(ids: [(Option<i64>, i64); 2]) -> Fit {
    match ids.into_iter().find_map(|(asked, own)| Some((asked?, own))) {
        None => Fit::Fits,
        Some((asked, own)) if asked == own => Fit::Fits,
        Some(_) => Fit::Differs,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNKNOWN: RowIdentity = RowIdentity {
        title_id: 0,
        tmdb_id: 0,
        tvdb_id: 0,
        season_number: None,
        episode_number: None,
        author_id: 0,
        book_id: 0,
        artist_id: 0,
        album_id: 0,
    };

    fn scope(change: impl FnOnce(&mut Scope)) -> Scope {
        let mut scope = Scope::default();
        change(&mut scope);
        scope
    }

    #[test]
    fn a_movie_row_fits_by_its_tmdb_id_or_by_the_record_that_was_looked_up() {
        let asked = scope(|scope| scope.tmdb_id = Some(42));
        let row = |title_id, tmdb_id| RowIdentity { title_id, tmdb_id, ..UNKNOWN };
        for (case, row, resolved, expected) in [
            ("the id asked for", row(7, 42), None, Fit::Fits),
            ("another id", row(7, 43), None, Fit::Differs),
            ("another id under the record that was looked up", row(7, 43), Some(7), Fit::Differs),
            ("no id, no record looked up", row(7, 0), None, Fit::Unproven),
            ("no id, the record looked up", row(7, 0), Some(7), Fit::Fits),
            ("no id, another record", row(8, 0), Some(7), Fit::Differs),
            ("nothing at all", row(0, 0), Some(7), Fit::Unproven),
        ] {
            assert_eq!(row.fit(MediaType::Movie, &asked, resolved), expected, "{case}");
        }
        assert_eq!(row(7, 43).fit(MediaType::Movie, &Scope::default(), None), Fit::Fits, "nothing asked");
    }

    #[test]
    fn a_series_row_fits_when_one_id_agrees_and_none_disagrees() {
        let both = scope(|scope| (scope.tvdb_id, scope.tmdb_id) = (Some(81_189), Some(1_396)));
        let row = |tvdb_id, tmdb_id| RowIdentity { title_id: 7, tvdb_id, tmdb_id, ..UNKNOWN };
        for (case, row, expected) in [
            ("both agree", row(81_189, 1_396), Fit::Fits),
            ("one agrees, one is unknown", row(81_189, 0), Fit::Fits),
            ("the other agrees, one is unknown", row(0, 1_396), Fit::Fits),
            ("one agrees, one disagrees", row(81_189, 99), Fit::Differs),
            ("neither is known", row(0, 0), Fit::Unproven),
        ] {
            assert_eq!(row.fit(MediaType::Tv, &both, None), expected, "{case}");
        }
    }

    #[test]
    fn an_episode_must_be_carried_by_the_row() {
        let row = RowIdentity { tmdb_id: 1, season_number: Some(11), episode_number: Some(2), ..UNKNOWN };
        let asked = |season, episode| {
            scope(|scope| (scope.tmdb_id, scope.season_number, scope.episode_number) = (Some(1), season, episode))
        };
        let fit = |row: RowIdentity, season, episode| row.fit(MediaType::Tv, &asked(season, episode), None);
        assert_eq!(fit(row, Some(11), None), Fit::Fits);
        assert_eq!(fit(row, Some(11), Some(2)), Fit::Fits);
        assert_eq!(fit(row, Some(11), Some(3)), Fit::Differs);
        assert_eq!(fit(row, Some(1), None), Fit::Differs);
        assert_eq!(fit(row, Some(0), None), Fit::Differs, "the specials are a season, not any season");
        let without = RowIdentity { tmdb_id: 1, ..UNKNOWN };
        assert_eq!(fit(without, Some(11), None), Fit::Differs);
        assert_eq!(fit(without, None, None), Fit::Fits);
    }

    #[test]
    fn the_book_decides_before_its_author_and_the_album_before_its_artist() {
        let row = RowIdentity { author_id: 3, book_id: 5, artist_id: 4, album_id: 6, ..UNKNOWN };
        let book = |author, book| scope(|scope| (scope.author_id, scope.book_id) = (author, book));
        let album = |artist, album| scope(|scope| (scope.artist_id, scope.album_id) = (artist, album));
        for (media_type, asked, expected) in [
            (MediaType::Book, book(None, Some(5)), Fit::Fits),
            (MediaType::Book, book(Some(3), Some(6)), Fit::Differs),
            (MediaType::Book, book(Some(3), None), Fit::Fits),
            (MediaType::Book, book(Some(4), None), Fit::Differs),
            (MediaType::Music, album(Some(9), Some(6)), Fit::Fits),
            (MediaType::Music, album(Some(9), None), Fit::Differs),
        ] {
            assert_eq!(row.fit(media_type, &asked, None), expected, "{asked:?}");
        }
    }
}

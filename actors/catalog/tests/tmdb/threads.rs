//! Whoever asks TMDB may do so from any thread.

use playhouse_catalog::tmdb::{OtherId, TitleId, TitleKind, TitleQuestion, TmdbId};

use crate::support::{Tmdb, locale, soon};

fn crosses_threads<T: Send>(_: &T) {}

#[tokio::test]
async fn every_question_may_be_asked_from_any_thread() {
    let client = Tmdb::start().await.client;
    let (question, locale) = (TitleQuestion::named("x"), locale());
    let title = TitleId { kind: TitleKind::Movie, id: TmdbId(1) };

    crosses_threads(&client.search(&question, &locale, soon()));
    crosses_threads(&client.details(title, &locale.language, soon()));
    crosses_threads(&client.has_episode(TmdbId(1), 1, 1, soon()));
    crosses_threads(&client.find(&OtherId::Tvdb(1), &locale.language, soon()));
}

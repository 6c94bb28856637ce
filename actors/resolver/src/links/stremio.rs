//! Stremio's own links. They need only the IMDb id.

use playhouse_catalog::ImdbId;

use super::DeepLink;
use crate::offer::Level;

/// The page of a movie, of a series, or of one episode with its streams. Three slashes: the scheme has no host.
///
/// It opens a list of streams. On Android TV `autoPlay` starts one, but only when that video or its group was played before.
pub(crate) fn stremio_link(imdb: &ImdbId, is_series: bool, episode: Option<(u32, u32)>) -> (DeepLink, Level) {
    let (uri, level) = match (is_series, episode) {
        (false, _) => (format!("stremio:///detail/movie/{imdb}/{imdb}"), Level::Title),
        (true, Some((season, episode))) => {
            (format!("stremio:///detail/series/{imdb}/{imdb}:{season}:{episode}?autoPlay=true"), Level::Title)
        }
        (true, None) => (format!("stremio:///detail/series/{imdb}"), Level::Show),
    };
    (DeepLink::page(uri), level)
}

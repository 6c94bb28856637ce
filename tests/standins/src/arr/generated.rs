//! Libraries of any size that nobody holds: each film is made when it is written.

use bytes::Bytes;
use serde_json::{Value, json};

use super::{kind::ArrKind, library::Library, settings::ArrSettings, world::World};

/// About as long as a film is in a real answer: 4.6 kB on average.
const N_FILLER_BYTES: usize = 3400;

/// Films per chunk, so that a chunk is neither a packet nor the whole.
const N_IN_CHUNK: u32 = 16;

/// The JSON list of so many films.
pub(crate) fn films(n_films: u32) -> impl Iterator<Item = Bytes> + Send {
    let filler = filler();
    let n_chunks = n_films.div_ceil(N_IN_CHUNK);
    let chunks = (0..n_chunks).map(move |chunk| {
        let mut text = String::with_capacity(N_IN_CHUNK as usize * 5000);
        let first = chunk * N_IN_CHUNK + 1;
        for id in first..(first + N_IN_CHUNK).min(n_films + 1) {
            text.push_str(if id == 1 { "[\n" } else { ",\n" });
            write_film(&mut text, id, &filler);
        }
        if chunk + 1 == n_chunks {
            text.push_str("\n]");
        }
        Bytes::from(text)
    });
    // A list without films has no chunk to open it.
    chunks.chain((n_films == 0).then(|| Bytes::from_static(b"[]")))
}

/// The film of this number, if it is among so many.
pub(crate) fn film_by_tmdb(n_films: u32, tmdb: u32) -> Option<Value> {
    let id = tmdb.checked_sub(FIRST_TMDB).filter(|id| (1..=n_films).contains(id))?;
    let mut text = String::new();
    write_film(&mut text, id, &filler());
    serde_json::from_str(&text).ok()
}

const FIRST_TMDB: u32 = 500_000;

fn filler() -> String {
    "Nobody has seen it yet, and so nobody can say what it is about. ".repeat(N_FILLER_BYTES / 64)
}

/// A film without a file, one in ten unmonitored, one in three with a file.
fn write_film(text: &mut String, id: u32, filler: &str) {
    let (year, has_file, monitored) = (1920 + id % 105, id.is_multiple_of(3), !id.is_multiple_of(10));
    let film = json!({
        "title": format!("Reel {id:05}"), "originalTitle": format!("Reel {id:05}"),
        "originalLanguage": { "id": 1, "name": "English" }, "alternateTitles": [], "secondaryYearSourceId": 0,
        "sortTitle": format!("reel {id:05}"), "sizeOnDisk": if has_file { 8_589_934_592_u64 } else { 0 },
        "status": "released", "overview": filler, "inCinemas": format!("{year}-03-01T00:00:00Z"),
        "images": [{ "coverType": "poster", "url": format!("/MediaCover/{id}/poster.jpg"), "remoteUrl": "https://images.example.org/poster.jpg" },
            { "coverType": "fanart", "url": format!("/MediaCover/{id}/fanart.jpg"), "remoteUrl": "https://images.example.org/fanart.jpg" }],
        "website": "https://films.example.org/", "year": year, "youTubeTrailerId": "", "studio": "Lanternhouse",
        "path": format!("/media/movies/Reel {id:05} ({year})"), "qualityProfileId": 4, "hasFile": has_file,
        "movieFileId": if has_file { id } else { 0 }, "monitored": monitored, "minimumAvailability": "released",
        "isAvailable": true, "folderName": format!("/media/movies/Reel {id:05} ({year})"), "runtime": 90,
        "cleanTitle": format!("reel{id:05}"), "imdbId": format!("tt{id:07}"), "tmdbId": FIRST_TMDB + id,
        "titleSlug": (FIRST_TMDB + id).to_string(), "rootFolderPath": "/media/movies", "genres": ["Drama", "Mystery"], "keywords": [],
        "tags": [], "added": "2024-02-01T00:00:00Z",
        "ratings": { "imdb": { "votes": id, "value": 6.5, "type": "user" }, "tmdb": { "votes": 40, "value": 7, "type": "user" } },
        "popularity": 2.5,
        "statistics": { "movieFileCount": u8::from(has_file), "sizeOnDisk": if has_file { 8_589_934_592_u64 } else { 0 }, "releaseGroups": [] },
        "id": id,
    });
    text.push_str(&film.to_string());
}

/// A Radarr with so many films of which each is on its way.
pub(crate) fn busy_world(n_rows: u32) -> World {
    let kind = ArrKind::Radarr;
    let mut library = Library::empty(kind);
    for n in 1..=n_rows {
        library.movie(FIRST_TMDB + n, &format!("Reel {n:05}"), 2019, None);
    }
    let mut world = World::new(kind, ArrSettings::default(), library);
    for n in 1..=n_rows {
        world.grab(&format!("Reel.{n:05}.2019.WEBDL-1080p-GRP"), &[n], n.is_multiple_of(2), "Rss");
    }
    world
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(n_films: u32) -> Vec<u8> {
        films(n_films).flatten().collect()
    }

    #[test]
    fn a_list_of_any_length_is_json() {
        for n_films in [0, 1, 15, 16, 17, 40] {
            let list: Vec<Value> = serde_json::from_slice(&whole(n_films)).unwrap();
            assert_eq!(list.len(), n_films as usize);
        }
    }

    #[test]
    fn a_film_is_as_long_as_real_ones_are() {
        let n_bytes = whole(100).len();
        assert!((430_000..500_000).contains(&n_bytes), "{n_bytes} bytes for a hundred films");
    }

    #[test]
    fn a_film_is_found_by_its_number() {
        assert_eq!(film_by_tmdb(10, FIRST_TMDB + 3).unwrap()["id"], 3);
        assert_eq!(film_by_tmdb(10, FIRST_TMDB + 11), None);
        assert_eq!(film_by_tmdb(10, FIRST_TMDB), None);
    }
}

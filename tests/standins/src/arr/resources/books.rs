//! Chaptarr's library.

use serde_json::{Value, json};

use super::{
    super::{
        ask::{Ask, bare, invalid, listed, no_such_model},
        kind::ArrKind,
        library::{BookFormat, Item, MediaFile, Parent},
        wire::{YEAR_ONE, date, images, joined, resource as without_nulls, sort_title},
        world::World,
    },
    percent, quality,
};
use crate::loopback::Reply;

pub(crate) fn authors(world: &mut World, _: &Ask<'_>) -> Reply {
    listed(world.library.parents.iter().map(|author| author_resource(world, author)))
}

pub(crate) fn author(world: &mut World, ask: &Ask<'_>) -> Reply {
    let id = ask.id.unwrap_or(0);
    match world.library.find_parent(id) {
        Some(author) => Reply::ok(author_resource(world, author)),
        None => no_such_model("Author", id),
    }
}

/// `authorId` is passed over: every book comes back. `mediaType` is looked at.
pub(crate) fn list(world: &mut World, ask: &Ask<'_>) -> Reply {
    let (ids, format) = (ask.numbers("bookIds"), ask.text("mediaType"));
    let fits = |item: &&Item| {
        (ids.is_empty() || ids.contains(&item.id))
            && format.is_none_or(|format| item.format.is_some_and(|own| own.name().eq_ignore_ascii_case(format)))
    };
    listed(world.library.items.iter().filter(fits).map(|item| resource(world, item)))
}

pub(crate) fn one(world: &mut World, ask: &Ask<'_>) -> Reply {
    let id = ask.id.unwrap_or(0);
    match world.library.find_item(id) {
        Some(item) => Reply::ok(resource(world, item)),
        None => no_such_model("Book", id),
    }
}

/// `bookId` is passed over where an author's files would do: everything of that author comes back.
pub(crate) fn files(world: &mut World, ask: &Ask<'_>) -> Reply {
    let (author, ids, books) = (ask.number("authorId"), ask.numbers("bookFileIds"), ask.numbers("bookId"));
    if author.is_none() && ids.is_empty() && books.is_empty() && !ask.is("unmapped") {
        return invalid("", "authorId, bookId, bookFileIds or unmapped must be provided", "BadRequest");
    }
    let of_books = books.iter().filter_map(|book| world.library.find_item(*book)).map(|item| item.parent);
    let authors: Vec<u32> = of_books.chain(author).collect();
    let fits = |file: &&MediaFile| authors.contains(&file.parent) || ids.contains(&file.id);
    listed(world.library.files.iter().filter(fits).map(|file| file_resource(world, file)))
}

pub(crate) fn file(world: &mut World, ask: &Ask<'_>) -> Reply {
    let id = ask.id.unwrap_or(0);
    match world.library.files.iter().find(|file| file.id == id) {
        Some(file) => Reply::ok(file_resource(world, file)),
        None => bare(404),
    }
}

fn statistics(world: &World, items: &[&Item]) -> Value {
    let n_have = items.iter().filter(|item| world.library.has_file(item.id)).count();
    let files: Vec<&MediaFile> = items.iter().flat_map(|item| world.library.files_of_item(item.id)).collect();
    let n_bytes: u64 = files.iter().map(|file| file.n_bytes).sum();
    let n_wanted = items.iter().filter(|item| item.monitored).count();
    json!({ "bookFileCount": files.len(), "bookCount": n_wanted, "totalBookCount": items.len(), "sizeOnDisk": n_bytes,
        "percentOfBooks": percent(n_have, n_wanted) })
}

pub(crate) fn author_resource(world: &World, author: &Parent) -> Value {
    let of = |format: Option<BookFormat>| -> Value {
        let items: Vec<&Item> =
            world.library.items_of(author.id).filter(|item| format.is_none() || item.format == format).collect();
        let mut counted = statistics(world, &items);
        counted["availableBookCount"] = counted["bookFileCount"].clone();
        counted
    };
    let last = world.library.items_of(author.id).max_by_key(|item| item.date);
    let surname = author.title.rsplit(' ').next().unwrap_or("").to_owned();
    let mut resource = without_nulls(json!({
        "id": author.id, "status": "continuing", "ended": false, "authorName": author.title,
        "authorNameLastFirst": format!("{surname}, {}", author.title.trim_end_matches(&surname).trim()),
        "foreignAuthorId": author.foreign, "titleSlug": joined(&author.title, '-').to_lowercase(), "overview": "",
        "links": [], "images": images(author.id, "poster"), "path": author.folder, "qualityProfileId": 1,
        "audiobookQualityProfileId": 2, "ebookQualityProfileId": 1, "metadataProfileId": 1, "monitored": author.monitored,
        "audiobookMonitorFuture": true, "ebookMonitorFuture": true, "monitorNewItems": "all",
        "rootFolderPath": world.kind.facts().root, "genres": author.genres,
        "cleanName": joined(&author.title, '\u{0}').replace('\u{0}', "").to_lowercase(),
        "sortName": sort_title(&author.title), "sortNameLastFirst": sort_title(&surname), "tags": [],
        "added": date(author.added), "ratings": { "votes": 110, "value": 4.57 }, "statistics": of(None),
        "audiobookStatistics": of(Some(BookFormat::Audiobook)), "ebookStatistics": of(Some(BookFormat::Ebook)),
    }));
    if let Some(last) = last {
        // A row of the database shines through.
        resource["lastBook"] = json!({ "id": last.id, "title": last.title, "foreignBookId": last.foreign,
            "releaseDate": last.date.map_or_else(|| YEAR_ONE.to_owned(), date), "links": [], "genres": [],
            "monitored": last.monitored, "anyEditionOk": true, "author": null, "editions": null, "bookFiles": null });
    }
    resource
}

pub(crate) fn resource(world: &World, item: &Item) -> Value {
    let author = world.library.find_parent(item.parent);
    let format = item.format.unwrap_or(BookFormat::Ebook);
    let has_file = world.library.has_file(item.id);
    let mut book = without_nulls(json!({
        "id": item.id, "title": item.title, "authorTitle": author.map(|author| format!("{} {}", sort_title(&author.title), item.title)),
        "seriesTitle": "", "disambiguation": "", "authorId": item.parent, "foreignBookId": item.foreign,
        "foreignEditionId": format!("{}:{}", item.foreign, item.id),
        "titleSlug": joined(&item.title, '-').to_lowercase(), "monitored": item.monitored,
        "ebookMonitored": format == BookFormat::Ebook && item.monitored,
        "audiobookMonitored": format == BookFormat::Audiobook && item.monitored, "anyEditionOk": true,
        "ratings": { "votes": 3, "value": 4 },
        // Unknown, as databases say it.
        "releaseDate": item.date.map_or_else(|| YEAR_ONE.to_owned(), date),
        "pageCount": if format == BookFormat::Ebook { 312 } else { 0 }, "genres": [], "images": [], "links": [],
        "statistics": statistics(world, &[item]), "mediaType": format.name(), "hasFiles": has_file,
        "duration": (format == BookFormat::Audiobook).then_some("11:04:00"), "grabbed": false,
    }));
    if let Some(author) = author {
        book["author"] = author_resource(world, author);
    }
    book
}

fn file_resource(world: &World, file: &MediaFile) -> Value {
    let folder = world.library.find_parent(file.parent).map_or("", |author| &author.folder);
    let item = file.items.first().and_then(|item| world.library.find_item(*item));
    let format = item.and_then(|item| item.format).unwrap_or(BookFormat::Ebook);
    without_nulls(json!({
        "id": file.id, "authorId": file.parent, "bookId": file.items.first(), "path": format!("{folder}/{}", file.name),
        "size": file.n_bytes, "dateAdded": date(file.added), "quality": quality(ArrKind::Chaptarr, file.quality),
        "qualityWeight": 10, "indexerFlags": 0, "mediaType": format.name(), "qualityCutoffNotMet": false,
    }))
}

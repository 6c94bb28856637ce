//! Reads the receipts of one book or album.

use playhouse_bus::{Answer, CallInfo, Deadline, Handle, Message};
use serde::{Deserialize, Serialize};

use super::{HistoryState, MAX_LISTED, ReceiptFile, Receipts};
use crate::answer::{ArrFailure, Code};
use crate::client::Patience;
use crate::client::wire::{Album, Book, BookFile, HistoryEvent as Record, Listed, Page, TrackFile};
use crate::reads::files::file_name;
use crate::reads::history::{HistoryEvent, newest_first, of_creator};
use crate::reads::resolve;
use crate::service::{HistoryKind, Service};
use crate::{ArrActor, Hands};

/// Which book or album.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReceiptItem {
    /// A book, by Chaptarr's own id.
    Book(i64),
    /// An album, by Lidarr's own id.
    Album(i64),
}

/// Reads what the library holds of one book or album, and what happened to it.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReadReceipts {
    /// Which.
    pub item: ReceiptItem,
}

impl Message for ReadReceipts {
    type Actor = ArrActor;
    type Reply = Result<Receipts, ArrFailure>;
}

impl Handle<ReadReceipts> for ArrActor {
    fn handle(&mut self, message: ReadReceipts, call: CallInfo) -> Answer<Self, Result<Receipts, ArrFailure>> {
        self.answer_read(|hands| async move { read(&hands, message.item, call.deadline).await })
    }
}

impl ReceiptItem {
    const fn id(self) -> i64 {
        match self {
            ReceiptItem::Book(id) | ReceiptItem::Album(id) => id,
        }
    }

    const fn service(self) -> Service {
        match self {
            ReceiptItem::Book(_) => Service::Chaptarr,
            ReceiptItem::Album(_) => Service::Lidarr,
        }
    }

    /// The parameter by which lists are narrowed to it. Services that do not know it answer everything.
    const fn parameter(self) -> &'static str {
        match self {
            ReceiptItem::Book(_) => "bookId",
            ReceiptItem::Album(_) => "albumId",
        }
    }

    fn owns_event(self, event: &Record) -> bool {
        match self {
            ReceiptItem::Book(id) => event.book_id == id,
            ReceiptItem::Album(id) => event.album_id == id,
        }
    }
}

/// Half of a history.
struct Half {
    name: &'static str,
    kinds: &'static [HistoryKind],
    page_size: usize,
    /// Whether a half that does not fit on its page counts as unreadable: of the imports each one matters, of the grabs the newest do.
    must_be_whole: bool,
}

const GRABS: Half = Half { name: "grab", kinds: &[HistoryKind::Grabbed], page_size: 30, must_be_whole: false };
const BOOK_IMPORTS: Half = Half { name: "import", kinds: &[HistoryKind::Imported], page_size: 30, must_be_whole: true };
/// Music is imported track by track, so that a double album alone fills a small page.
const ALBUM_IMPORTS: Half = Half {
    name: "import",
    kinds: &[HistoryKind::Imported, HistoryKind::DownloadImported],
    page_size: 200,
    must_be_whole: true,
};

async fn read(hands: &Hands, item: ReceiptItem, deadline: Deadline) -> Result<Receipts, ArrFailure> {
    if hands.service != item.service() {
        return Err(ArrFailure::refused(
            Code::InstanceWrongService,
            format!("{} keeps no such records; {} does.", hands.service, item.service()),
        ));
    }
    let title = title(hands, item, deadline).await?;
    let Listed { items: mut files, n_skipped: n_odd_files } = files(hands, item, deadline).await?;
    let imports = match item {
        ReceiptItem::Book(_) => BOOK_IMPORTS,
        ReceiptItem::Album(_) => ALBUM_IMPORTS,
    };
    let n_more_files = files.len().saturating_sub(MAX_LISTED);
    files.truncate(MAX_LISTED);

    let grabs = half(hands, item, &GRABS, deadline).await;
    let imports = half(hands, item, &imports, deadline).await;
    let history_state = match (&grabs, &imports) {
        (Ok(_), Ok(_)) => HistoryState::Complete,
        (Ok(_), Err(_)) => HistoryState::GrabsOnly,
        (Err(_), Ok(_)) => HistoryState::ImportsOnly,
        (Err(_), Err(_)) => HistoryState::Unreadable,
    };
    let (mut records, mut faults) = (Vec::new(), Vec::new());
    for half in [grabs, imports] {
        match half {
            Ok(events) => records.extend(events),
            Err(fault) => faults.push(fault),
        }
    }
    newest_first(&mut records);
    let n_more_events = records.len().saturating_sub(MAX_LISTED);
    let shown = records.iter().take(MAX_LISTED);
    let events = shown.map(|record| HistoryEvent::of(hands.service, record)).collect();
    Ok(Receipts { title, files, n_more_files, events, n_more_events, history_state, faults, n_skipped: n_odd_files })
}

/// Author and book, or artist and album.
async fn title(hands: &Hands, item: ReceiptItem, deadline: Deadline) -> Result<String, ArrFailure> {
    let found = match item {
        ReceiptItem::Book(id) => {
            let found = resolve::record(hands, "book", id, |book: &Book| book.id, deadline).await?;
            found.map(|book| {
                let author = book.author.as_ref().and_then(|author| author.author_name.as_deref());
                of_creator(author, book.title.as_deref())
            })
        }
        ReceiptItem::Album(id) => {
            let found = resolve::record(hands, "album", id, |album: &Album| album.id, deadline).await?;
            found.map(|album| {
                let artist = album.artist.as_ref().and_then(|artist| artist.artist_name.as_deref());
                of_creator(artist, album.title.as_deref())
            })
        }
    };
    found.ok_or_else(|| resolve::no_item(hands.service.facts().item, item.id()))
}

/// The item's own events of one half; an error says in words why it counts as unreadable.
async fn half(hands: &Hands, item: ReceiptItem, half: &Half, deadline: Deadline) -> Result<Vec<Record>, String> {
    let (id, size) = (item.id().to_string(), half.page_size.to_string());
    let mut query =
        vec![("page", "1"), ("pageSize", size.as_str()), ("sortKey", "date"), ("sortDirection", "descending")];
    let kinds: Vec<String> = half
        .kinds
        .iter()
        .filter_map(|kind| hands.service.history_event(*kind))
        .map(|number| number.to_string())
        .collect();
    query.extend(kinds.iter().map(|number| ("eventType", number.as_str())));
    query.push((item.parameter(), id.as_str()));
    let name = half.name;
    let page: Page<Record> = hands
        .client
        .read("history", &query, Patience::Quick30s, deadline)
        .await
        .map_err(|error| format!("the {name} history could not be read ({error})"))?;
    let Listed { items: events, n_skipped } = page.records;
    if n_skipped > 0 {
        return Err(format!("{n_skipped} events of the {name} history could not be understood"));
    }
    // A service that does not say how many there are has answered all that fit on the page.
    let total = page.total_records.and_then(|total| usize::try_from(total).ok()).unwrap_or(events.len());
    if half.must_be_whole && total > half.page_size {
        return Err(format!("the {name} history has {total} events, of which only {} were read", half.page_size));
    }
    if !events.iter().all(|event| item.owns_event(event)) {
        return Err(format!("the {name} history was answered with events of other titles"));
    }
    Ok(events)
}

/// What the library holds. Services that do not know the parameter answer every file, so each is compared.
async fn files(hands: &Hands, item: ReceiptItem, deadline: Deadline) -> Result<Listed<ReceiptFile>, ArrFailure> {
    let id = item.id();
    let id_text = id.to_string();
    let query = [(item.parameter(), id_text.as_str())];
    let client = &hands.client;
    Ok(match item {
        ReceiptItem::Book(_) => {
            let read = client.read_list::<BookFile>("bookfile", &query, Patience::Quick30s, deadline).await?;
            let own = read.items.iter().filter(|file| file.book_id == id);
            let row = |file: &BookFile| ReceiptFile {
                name: file_name(file.path.as_deref()),
                size_bytes: file.size.unwrap_or_default(),
                quality: file.quality.as_ref().and_then(|quality| quality.name()).map(str::to_owned),
                imported_utc: file.date_added,
            };
            Listed { items: own.map(row).collect(), n_skipped: read.n_skipped }
        }
        ReceiptItem::Album(_) => {
            let read = client.read_list::<TrackFile>("trackfile", &query, Patience::Quick30s, deadline).await?;
            let own = read.items.iter().filter(|file| file.album_id == id);
            let row = |file: &TrackFile| ReceiptFile {
                name: file_name(file.path.as_deref()),
                size_bytes: file.size.unwrap_or_default(),
                quality: file.quality.as_ref().and_then(|quality| quality.name()).map(str::to_owned),
                imported_utc: file.date_added,
            };
            Listed { items: own.map(row).collect(), n_skipped: read.n_skipped }
        }
    })
}

//! What one library says of itself: calendar, history, timelines, files and settings.
//!
//! Each capability is a message to [`ArrActor`](crate::ArrActor) in a file of its own; the rules that decide what an answer says are plain
//! functions beside it.

mod bridge;
mod calendar;
mod config;
mod files;
mod history;
pub(crate) mod identity;
mod instants;
mod library;
mod receipts;
pub(crate) mod resolve;
mod timeline;

pub use bridge::TitleBridge;
pub use calendar::{Calendar, CalendarEntry, NO_BOOKS, ReadCalendar, ReleaseKind};
pub(crate) use calendar::{calendar_prose, sort as sort_calendar};
pub use config::{Config, ConfigEntry, ConfigSection, ReadConfig};
pub use files::{FileDetails, FileProperties, FileRow, FileTarget, ReadFileDetails};
pub use history::{History, HistoryEvent, HistoryWindow, ReadHistory, SEARCHED_EVENTS};
pub(crate) use history::{of_creator, with_year};
pub(crate) use library::MAX_ROWS;
pub use library::{LibraryFilter, LibraryRow, LibraryRows, ReadLibrary, RowState, Shelf};
pub use receipts::{HistoryState, ReadReceipts, ReceiptFile, ReceiptItem, Receipts};
pub(crate) use timeline::layout_prose;
pub use timeline::{AirState, EpisodeFlag, EpisodeLine, ReadTimeline, SeasonCounts, SeasonLayout, Timeline};

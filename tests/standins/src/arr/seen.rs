//! What a test sees of an application's state.

use jiff::Timestamp;
use serde_json::Value;

/// A row of the queue, as far as tests look at it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueRow {
    /// What it is removed by.
    pub id: u32,
    /// None for a release that was not yet sent to any client.
    pub download_id: Option<String>,
    /// The release.
    pub title: String,
    /// What the client says.
    pub status: String,
    /// What the application makes of it.
    pub state: Option<String>,
    /// Movie, series, artist or author.
    pub parent: Option<u32>,
    /// Movie, episode, album or book.
    pub item: Option<u32>,
}

/// A file of the library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileSeen {
    /// Its own id.
    pub id: u32,
    /// What it is of.
    pub items: Vec<u32>,
    /// Of an album.
    pub track: Option<u32>,
    /// The release it came from, if it was imported while we looked.
    pub release: Option<String>,
    /// The name of its quality.
    pub quality: String,
}

/// A release that is not to be taken again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocklisted {
    /// The release.
    pub title: String,
    /// What it was for.
    pub items: Vec<u32>,
}

/// An event of the history.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Happened {
    /// By the application's own name.
    pub event: String,
    /// The release.
    pub title: String,
    /// What it was for.
    pub item: u32,
    /// When.
    pub date: Timestamp,
    /// By the client's id.
    pub download_id: Option<String>,
}

/// A command that is still remembered.
#[derive(Debug, Clone, PartialEq)]
pub struct CommandSeen {
    /// What it is asked for by.
    pub id: u32,
    /// In its own spelling.
    pub name: String,
    /// `queued`, `started`, `completed`, `failed`, `cancelled`
    pub status: String,
    /// As it was posted.
    pub body: Value,
    /// Whether somebody posted it, or the application by itself.
    pub is_posted: bool,
}

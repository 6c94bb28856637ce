//! What the services write, read without trust.
//!
//! Null properties are left out, fields come and go with versions, and enumerations grow: ids and titles are all that is sure. So everything
//! else is optional, unknown fields are passed over, unknown values are kept as text, and one odd element never fails a list. An id that is
//! absent reads as 0, which no record has.
//!
//! What the four services share is one type with the parts of each in it, so that a row of any queue is a [`QueueRow`].

mod book;
mod command;
mod common;
mod config;
mod episode;
pub mod error_body;
mod history;
mod lenient;
mod manual_import;
mod movie;
mod music;
mod page;
mod profiles;
mod provider;
mod queue;
mod release;
mod search;
mod series;
mod summary;
mod system;
mod time;

pub use book::{Author, Book, BookFile, BookSeries, BookStatistics, Edition};
pub use command::{CommandAccepted, CommandState};
pub use common::{
    IndexerFlags, Language, MediaInfo, Named, Quality, QualityModel, Rating, Rejection, Revision, Verbatim,
};
pub use config::{HostConfig, MediaManagement, Naming, Parsed, RemotePathMapping, RootFolder, TagDetail};
pub use episode::{Episode, EpisodeFile};
pub use error_body::{ErrorBody, Issue};
pub use history::{BlocklistItem, HistoryEvent};
pub use lenient::Texts;
pub use manual_import::{ImportCandidate, RenameProposal, RetagProposal, TagChange};
pub use movie::{Movie, MovieFile, MovieStatistics};
pub use music::{Album, AlbumRelease, Artist, Track, TrackFile, TrackStatistics};
pub use page::{Listed, Page};
pub use profiles::{
    CustomFormat, DelayProfile, QualityDefinition, QualityItem, QualityProfile, ReleaseProfile, Specification,
};
pub use provider::{FieldValue, Provider, ProviderFault, ProviderField, ProviderTest};
pub use queue::{QueueRow, QueueStatus, StatusMessage};
pub use release::{Guid, Release};
pub use search::SearchHit;
pub use series::{EpisodeStatistics, Season, Series};
pub use summary::{MovieSummary, SeasonSummary, SeriesSummary};
pub use system::{DiskSpace, HealthCheck, SystemStatus, SystemTask, Update};
pub use time::TimeSpan;

//! Cuts: what editorial made of the shots, as an edit list or a timeline.

mod edl;
mod otio;
mod pattern;
mod rate;

pub use self::edl::read_edl;
pub use self::otio::read_otio;
pub use self::pattern::{ShotName, ShotPattern};
pub use self::rate::FrameRate;
use super::Warning;

/// A cut: its pictures in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParsedCut {
    /// What the file calls it.
    pub title: Option<String>,
    /// The pictures, in the order of the record.
    pub events: Vec<CutEvent>,
    /// What a person should look at.
    pub warnings: Vec<Warning>,
}

/// One picture in a cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CutEvent {
    /// Its line in the file; 1 in a format without lines.
    pub line: u32,
    /// The clip's name.
    pub name: String,
    /// How long it is seen, in frames. At least 1.
    pub n_frames: u32,
}

//! Files coming in: screenplays, tables and cuts.
//!
//! An import goes three steps, each of which can be looked at alone. A *reader* turns bytes into plain parsed values with the lines they stood
//! on ([`read_fountain`], [`read_fdx`], [`table::read_table`], [`cut::read_edl`], [`cut::read_otio`]); it knows no production. A *plan* compares what was parsed with the
//! working set and says what would change. *Applying* it is one commit by the production's actor. A dry run stops after the second step.
//!
//! Readers take bytes of strangers: everything is bounded ([`limits`]), nothing panics, and a fault names the line and what to do about it.

pub mod cut;
mod fault;
mod fdx;
mod fountain;
mod heading;
mod layout;
pub mod limits;
mod plan;
mod run;
mod script;
pub mod table;
mod text;

pub use fault::{ImportFault, RowFault, Warning};
pub use fdx::read_fdx;

pub use fountain::read_fountain;
pub use heading::HeadingParts;
pub use plan::{EpisodeChoice, ImportOptions, plan};
pub use run::{BeginImport, Begun, ImportOrder, PlanImport, run};
pub use script::{Element, ElementKind, ParsedNote, ParsedScene, ParsedScript, Tagged};

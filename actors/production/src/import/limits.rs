//! How much one import may bring. Generous for the largest productions, small enough that a mistaken file is refused at once.

/// Bytes of one file, whatever its kind. A screenplay of 5 MB would run for days.
pub const MAX_FILE_BYTES: usize = 5 * 1024 * 1024;
/// Scenes of one screenplay.
pub const MAX_SCENES: usize = 5_000;
/// Notes and tagged things of one screenplay.
pub const MAX_NOTES: usize = 5_000;
/// Characters that speak in one screenplay.
pub const MAX_SPEAKERS: usize = 5_000;
/// Rows of one table, the header not counted.
pub const MAX_ROWS: usize = 20_000;
/// Columns of one table.
pub const MAX_COLUMNS: usize = 64;
/// Characters of one cell, one note, one description.
pub const MAX_CELL_CHARS: usize = 4_000;
/// Events of one cut.
pub const MAX_EVENTS: usize = 20_000;
/// How deep elements or tracks may stand in one another.
pub const MAX_DEPTH: usize = 64;
/// Characters of a scene heading.
pub const MAX_HEADING_CHARS: usize = 500;
/// Characters of a scene number such as `101-4A`.
pub const MAX_SCENE_NUMBER_CHARS: usize = 16;
/// Characters of a character's, an asset's, a shot's or a person's name.
pub const MAX_NAME_CHARS: usize = 200;
/// Characters of one paragraph of a screenplay.
pub const MAX_PARAGRAPH_CHARS: usize = 20_000;
/// Warnings that a report carries; what is beyond is counted.
pub const MAX_WARNINGS: usize = 200;
/// Faulty rows that a refusal names.
pub const MAX_ROW_FAULTS: usize = 100;

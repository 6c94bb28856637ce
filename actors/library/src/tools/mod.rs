//! The library tools, one file each: arguments, choice of the library, a message to its actor, the answer.

mod get_arr_health;
mod get_disk_space;
mod libraries;
mod list_arr_instances;

use playhouse_tools::{DuplicateTool, Registry};

pub(crate) use libraries::{Libraries, ask, ask_to_write};

/// Adds the library tools.
///
/// # Errors
/// [`DuplicateTool`].
pub fn add_tools(registry: &mut Registry) -> Result<(), DuplicateTool> {
    registry.add(list_arr_instances::ListArrInstances)?;
    registry.add(get_disk_space::GetDiskSpace)?;
    registry.add(get_arr_health::GetArrHealth)
}

//! The `tv_*` tools: what an assistant may ask of a TV, and the words it gets back.
//!
//! A tool reads its arguments, sends one message, and says the answer twice: as data and as prose. What a TV does and refuses is
//! decided by its actor.

mod apps;
mod devices;
mod keys;
mod playback;
mod screen;
mod target;
mod text;
mod volume;

#[cfg(test)]
mod tests;

use playhouse_tools::{DuplicateTool, Registry};

use crate::directory::TvDirectory;
pub use target::Tvs;

/// Adds this wing's tools.
///
/// # Errors
/// [`DuplicateTool`] when a name is taken.
pub fn add_tools(registry: &mut Registry, directory: &TvDirectory) -> Result<(), DuplicateTool> {
    let tvs = Tvs::new(directory.clone());
    registry.add(devices::ListDevicesTool)?;
    registry.add(devices::ClaimDeviceTool)?;
    registry.add(keys::SendKeyTool(tvs.clone()))?;
    registry.add(apps::LaunchAppTool(tvs.clone()))?;
    registry.add(apps::ListAppsTool(tvs.clone()))?;
    registry.add(screen::ObserveTool(tvs.clone()))?;
    registry.add(screen::GestureTool(tvs.clone()))?;
    registry.add(playback::GetPlaybackTool(tvs.clone()))?;
    registry.add(playback::ControlPlaybackTool(tvs.clone()))?;
    registry.add(playback::SetCaptionsTool(tvs.clone()))?;
    registry.add(volume::GetVolumeTool(tvs.clone()))?;
    registry.add(volume::SetVolumeTool(tvs.clone()))?;
    registry.add(text::TypeTool(tvs.clone()))?;
    registry.add(text::SubtitleTool(tvs))
}

//! How loud it is.

use std::sync::Arc;

use playhouse_house::Scope;
use playhouse_tools::{Answer, CallerArgument, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::JsonSchema;
use serde::Deserialize;

use super::devices::NoArguments;
use super::target::{Tvs, wrong_argument};
use crate::answers::Volume;
use crate::name::DeviceName;
use crate::tv::{GetVolume, SetVolume};
use crate::wire::Level;

/// `tv_get_volume`
pub(super) struct GetVolumeTool(pub(super) Tvs);

impl Tool for GetVolumeTool {
    type Arguments = NoArguments;
    type Output = Volume;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "tv_get_volume",
            seed_name: None,
            title: "Read the volume",
            description: "Reads the TV's volume, 0 to 100, and whether it is muted. `max_raw` 0 means that the TV has no volume of its own: \
                          its sound goes through a receiver or soundbar.",
            scope: Scope::Tv,
            effect: Effect::Reads,
            ..Descriptor::DEFAULT
        }
    }

    fn caller_argument(&self) -> Option<Arc<dyn CallerArgument>> {
        self.0.argument()
    }

    async fn call(&self, call: ToolCall, _: NoArguments) -> Result<Answer<Volume>, Failure> {
        let (tv, volume) = self.0.ask(&call, GetVolume {}).await?;
        let prose = described(&tv.name, &volume);
        Ok(Answer::new(volume, prose))
    }
}

/// `tv_set_volume`
pub(super) struct SetVolumeTool(pub(super) Tvs);

#[derive(Deserialize, JsonSchema)]
pub(super) struct VolumeArguments {
    /// The new volume, a whole number.
    #[schemars(range(min = 0, max = 100))]
    level: Option<i64>,
    /// True mutes, false unmutes.
    mute: Option<bool>,
}

impl Tool for SetVolumeTool {
    type Arguments = VolumeArguments;
    type Output = Volume;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "tv_set_volume",
            seed_name: None,
            title: "Set the volume",
            description: "Sets the TV's volume to a level, mutes or unmutes it, or both. The level snaps to the steps that the TV has (with 15 \
                          steps, 50 reads back as 47), so take the answer's level as the truth. On TVs whose sound goes through HDMI or an \
                          optical output the answer may stay the same and nothing changes; say so instead of repeating it.",
            scope: Scope::Tv,
            effect: Effect::Sets,
            ..Descriptor::DEFAULT
        }
    }

    fn caller_argument(&self) -> Option<Arc<dyn CallerArgument>> {
        self.0.argument()
    }

    async fn call(&self, call: ToolCall, arguments: VolumeArguments) -> Result<Answer<Volume>, Failure> {
        if arguments.level.is_none() && arguments.mute.is_none() {
            return Err(wrong_argument("give `level`, `mute` or both"));
        }
        let level = arguments.level.map(Level::try_from).transpose().map_err(wrong_argument)?;
        let (tv, volume) = self.0.ask(&call, SetVolume { level, muted: arguments.mute }).await?;
        let prose = described(&tv.name, &volume);
        Ok(Answer::new(volume, prose))
    }
}

fn described(name: &DeviceName, volume: &Volume) -> String {
    let muted = if volume.muted { ", muted" } else { "" };
    let fixed = if volume.max_raw == 0 {
        " This TV has no volume of its own; its sound goes through another device."
    } else {
        ""
    };
    format!("The volume of {name} is {} of 100{muted}.{fixed}", volume.level)
}

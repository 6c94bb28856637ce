//! Pressing keys.

use std::sync::Arc;

use playhouse_house::Scope;
use playhouse_tools::{Answer, CallerArgument, Descriptor, Effect, Failure, Tool, ToolCall};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::target::Tvs;
use crate::remote_key::RemoteKey;
use crate::tv::SendKey;

/// `tv_send_key`
pub(super) struct SendKeyTool(pub(super) Tvs);

#[derive(Deserialize, JsonSchema)]
pub(super) struct KeyArguments {
    /// The key.
    key: RemoteKey,
    /// How often to press it, one press after the other. 1 if left out.
    #[schemars(range(min = 1, max = 20))]
    repeat: Option<u8>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Pressed {
    /// The key.
    key: RemoteKey,
    /// How often the TV took it.
    pressed: u8,
}

impl Tool for SendKeyTool {
    type Arguments = KeyArguments;
    type Output = Pressed;

    fn descriptor(&self) -> Descriptor {
        Descriptor {
            name: "tv_send_key",
            seed_name: Some("tv.send_key"),
            title: "Press a key",
            description: "Presses a key of the TV's remote control, up to 20 times. An answer means that the TV took the key, not that the \
                          screen changed: check with tv_observe. POWER opens Android's power menu; it neither switches the TV off nor \
                          wakes it. On TVs older than Android 13 the arrow keys scroll and OK clicks the focused element, and full-screen \
                          players do not react to them: use tv_control_playback there. To set the volume to a level use tv_set_volume.",
            scope: Scope::Tv,
            effect: Effect::Acts,
            ..Descriptor::DEFAULT
        }
    }

    fn caller_argument(&self) -> Option<Arc<dyn CallerArgument>> {
        self.0.argument()
    }

    async fn call(&self, call: ToolCall, arguments: KeyArguments) -> Result<Answer<Pressed>, Failure> {
        let order = SendKey { key: arguments.key, repeat: arguments.repeat.unwrap_or(1) };
        let (tv, done) = self.0.ask(&call, order).await?;
        let times = match done.pressed {
            1 => String::new(),
            times => format!(" {times} times"),
        };
        let hint = if done.key == RemoteKey::Power { " This opens the power menu; the TV is still on." } else { "" };
        let prose = format!("Pressed {}{times} on {}.{hint}", done.key, tv.name);
        Ok(Answer::new(Pressed { key: done.key, pressed: done.pressed }, prose))
    }
}
